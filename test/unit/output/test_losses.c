// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The ledger of losses: an entry for each program and event that lost something, and none for others. */
#include "loader/output/value.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

static const struct {
	uint64_t misses[3];	/* of the programs */
	struct throttled throttled[2];
	uint64_t printk;
	bool any;
	const char *losses;
} rows[] = {
	{ { 0 }, { { 0 } }, 0, false, "[]" },
	{ { 4, 0, 0 }, { { 0 } }, 0, true, "[{\"what\":\"runs\",\"prog\":\"a\",\"count\":4}]" },
	{ { 0, 0, 5 }, { { 0 } }, 0, true, "[{\"what\":\"runs\",\"prog\":\"c\",\"count\":5}]" },
	{ { 1, 2, 3 }, { { 0 } }, 0, true,
	  "[{\"what\":\"runs\",\"prog\":\"a\",\"count\":1},{\"what\":\"runs\",\"prog\":\"b\",\"count\":2},"
	  "{\"what\":\"runs\",\"prog\":\"c\",\"count\":3}]" },
	{ { 0 }, { { .event = "x", .cpu = 0 }, { .event = "y", .cpu = 0, .begun = 3, .ended = 2 } }, 0,
	  true, "[{\"what\":\"throttled\",\"event\":\"y\",\"cpu\":0,\"unthrottled\":2,\"count\":3}]" },
	{ { 0 }, { { .event = "x", .cpu = 1, .begun = 1 }, { .event = "y", .cpu = 0, .ended = 2 } }, 7,
	  true, "[{\"what\":\"throttled\",\"event\":\"x\",\"cpu\":1,\"unthrottled\":0,\"count\":1},"
		"{\"what\":\"lines\",\"helper\":\"bpf_printk\",\"count\":7}]" },
};

TEST_ROWS(each_loss_is_an_entry, rows)
{
	struct object_prog progs[] = { { .name = "a" }, { .name = "b" }, { .name = "c" } };
	const struct bpf_object object = { .progs = progs, .nr_progs = 3 };
	struct kernel_prog kprogs[3] = { 0 };
	const struct kernel_object kernel = { .object = &object, .progs = kprogs };
	struct json_object *msg = json_object_new_object(), *losses;
	struct output out = { 0 };
	struct rings *rings;
	struct sys sys = { 0 };
	struct losses from = { .kernel = &kernel, .throttled = rows[_i].throttled, .nr_throttled = 2,
			       .printk_lost = rows[_i].printk };

	rings = rings_new(&sys, &out);
	from.rings = rings;
	for (int i = 0; i < 3; i++)
		kprogs[i].recursion_misses = rows[_i].misses[i];
	ck_assert_int_eq(output_losses(&sys, msg, &from), rows[_i].any);
	json_object_object_get_ex(msg, "losses", &losses);
	ck_assert_str_eq(json_object_to_json_string_ext(losses, JSON_C_TO_STRING_PLAIN),
			 rows[_i].losses);
	json_object_object_get_ex(msg, "lost", &losses);
	ck_assert_int_eq(json_object_get_int(losses), 0);	/* records */
	json_object_put(msg);
	rings_free(rings);
}
