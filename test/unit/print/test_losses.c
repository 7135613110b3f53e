// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The ledger of losses: an entry for each program and event that lost something, and none for others. */
#include "loader/core/value/value.h"
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
	struct rings *rings;
	struct sys sys = { 0 };
	struct losses from = { .kernel = &kernel, .throttled = rows[_i].throttled, .nr_throttled = 2,
			       .printk_lost = rows[_i].printk };

	rings = rings_new(&sys);
	from.rings = rings;
	for (int i = 0; i < 3; i++)
		kprogs[i].recursion_misses = rows[_i].misses[i];
	ck_assert_int_eq(output_losses(&sys, msg, &from), rows[_i].any);
	json_object_object_get_ex(msg, "losses", &losses);
	ck_assert_str_eq(json_object_to_json_string(losses),
			 rows[_i].losses);
	json_object_object_get_ex(msg, "lost", &losses);
	ck_assert_int_eq(json_object_get_int(losses), 0);	/* records */
	json_object_put(msg);
	rings_free(rings);
}

/* Samples that did not run their program, of programs that ran nine times each. */
static const struct {
	struct due_samples due[2];
	bool uncounted;
	const char *losses;
} due[] = {
	{ { { true, true, 9 }, { true, false, 8 } }, false, "[]" },
	{ { { true, true, 11 }, { true, false, 10 } }, false,
	  "[{\"what\":\"samples\",\"prog\":\"a\",\"of\":11,\"at_most\":2,\"clock\":true,\"count\":null},"
	  "{\"what\":\"samples\",\"prog\":\"b\",\"of\":10,\"at_most\":1,\"count\":null}]" },
	{ { { false, true, 11 }, { true, false, 9 } }, false, "[]" },
	{ { { true, true, 11 }, { true, false, 10 } }, true, "[]" },
};

TEST_ROWS(samples_that_ran_no_program, due)
{
	struct object_prog progs[] = { { .name = "a" }, { .name = "b" } };
	const struct bpf_object object = { .progs = progs, .nr_progs = 2 };
	struct kernel_prog kprogs[2] = { { .run_cnt = 9 }, { .run_cnt = 9 } };
	const struct kernel_object kernel = { .object = &object, .progs = kprogs,
					      .stats_fd = due[_i].uncounted ? -1 : 3 };
	struct json_object *msg = json_object_new_object(), *list;
	struct sys sys = { 0 };
	struct rings *rings = rings_new(&sys);
	const struct losses from = { .rings = rings, .kernel = &kernel, .due = due[_i].due };

	ck_assert_int_eq(output_losses(&sys, msg, &from), due[_i].losses[1] != ']');
	json_object_object_get_ex(msg, "losses", &list);
	ck_assert_str_eq(json_object_to_json_string(list), due[_i].losses);
	json_object_put(msg);
	rings_free(rings);
}

/* --- rings, whose losses programs count --- */

/* A kernel with a ring buffer, and a map of variables that are all @count. */
struct kernel {
	struct sys sys;
	uint64_t count;
	unsigned char *pages;
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)sys;
	const uint64_t counts[] = { k->count, k->count, k->count };

	if (nr == __NR_mmap)
		return (long)k->pages;
	if (nr == __NR_munmap)
		return 0;
	ck_assert_int_eq(nr, __NR_bpf);
	ck_assert_int_eq(arg[0], BPF_MAP_LOOKUP_ELEM);
	memcpy((void *)(uintptr_t)((const union bpf_attr *)arg[1])->value, counts, sizeof(counts));
	return 0;
}

enum { RING, TABLE, DATA };

#define COUNTED(failure, map, offset) { failure, map, DATA, offset, 8 }
#define UNCOUNTED(failure, map) { failure, map, UINT32_MAX, 0, 0 }
#define UNKNOWN "[{\"what\":\"records\",\"map\":\"ring\",\"count\":null}]"

static const struct {
	struct failure_count list[2];
	uint32_t nr;
	uint64_t count;
	const char *lost, *losses;
} counts[] = {
	{ { UNCOUNTED(FAILURE_RESERVE, 0) }, 0, 0, "null", UNKNOWN },
	{ { COUNTED(FAILURE_RESERVE, RING, 0) }, 1, 0, "0", "[]" },
	{ { COUNTED(FAILURE_RESERVE, RING, 0) }, 1, 3, "3",
	  "[{\"what\":\"records\",\"map\":\"ring\",\"counted_by\":\".bss\",\"count\":3}]" },
	{ { UNCOUNTED(FAILURE_RESERVE, RING) }, 1, 3, "null", UNKNOWN },
	/* another count before it, or after it, is of another map */
	{ { COUNTED(FAILURE_FULL, TABLE, 8), COUNTED(FAILURE_RESERVE, RING, 0) }, 2, 0, "0", "[]" },
	{ { COUNTED(FAILURE_RESERVE, RING, 0), COUNTED(FAILURE_FULL, TABLE, 8) }, 2, 0, "0", "[]" },
	{ { COUNTED(FAILURE_OUTPUT, RING, 0), COUNTED(FAILURE_FULL, TABLE, 8) }, 2, 2, "2",
	  "[{\"what\":\"records\",\"map\":\"ring\",\"counted_by\":\".bss\",\"count\":2},"
	  "{\"what\":\"updates\",\"map\":\"table\",\"counted_by\":\".bss\",\"count\":2}]" },
	/* two variables count losses of one ring: their sum is lost */
	{ { COUNTED(FAILURE_RESERVE, RING, 0), COUNTED(FAILURE_OUTPUT, RING, 8) }, 2, 2, "4",
	  "[{\"what\":\"records\",\"map\":\"ring\",\"counted_by\":\".bss\",\"count\":2},"
	  "{\"what\":\"records\",\"map\":\"ring\",\"counted_by\":\".bss\",\"count\":2}]" },
	/* one variable counts two calls that fail on one map, or on two */
	{ { COUNTED(FAILURE_RESERVE, RING, 0), COUNTED(FAILURE_OUTPUT, RING, 0) }, 2, 2, "2",
	  "[{\"what\":\"records\",\"map\":\"ring\",\"counted_by\":\".bss\",\"count\":2}]" },
	{ { COUNTED(FAILURE_RESERVE, RING, 0), COUNTED(FAILURE_FULL, TABLE, 0) }, 2, 2, "2",
	  "[{\"what\":\"records\",\"counted_by\":\".bss\",\"count\":2}]" },
	{ { COUNTED(FAILURE_FULL, TABLE, 8) }, 1, 0, "null", UNKNOWN },
	{ { COUNTED(FAILURE_FULL, RING, 8) }, 1, 0, "null", UNKNOWN },
	{ { COUNTED(FAILURE_RESERVE, TABLE, 8) }, 1, 0, "null", UNKNOWN },
	{ { COUNTED(FAILURE_RESERVE, RING, 0), UNCOUNTED(FAILURE_OUTPUT, RING) }, 2, 0, "null", UNKNOWN },
	{ { UNCOUNTED(FAILURE_OUTPUT, RING), COUNTED(FAILURE_RESERVE, RING, 0) }, 2, 0, "null", UNKNOWN },
};

TEST_ROWS(who_counts_what_a_ring_loses, counts)
{
	static const struct ring_map ring = { .name = "ring", .fd = 4 };
	struct object_map maps[] = {
		[RING] = { .name = "ring" }, [TABLE] = { .name = "table" },
		[DATA] = { .name = ".bss", .kind = OBJECT_MAP_DATA },
	};
	const struct bpf_object object = { .maps = maps, .nr_maps = 3 };
	struct kernel_map kmaps[3] = { [DATA] = { .fd = 5, .value_size = 24 } };
	const struct kernel_object kernel = { .object = &object, .maps = kmaps };
	struct failure_count list[2];
	const struct failure_counts failures = { .list = list, .nr = counts[_i].nr };
	struct kernel k = { .sys.enter = enter, .count = counts[_i].count, .pages = calloc(2, 65536) };
	struct json_object *msg = json_object_new_object(), *member;
	struct rings *rings = rings_new(&k.sys);
	const struct losses from = { .rings = rings, .kernel = &kernel, .failures = &failures };

	memcpy(list, counts[_i].list, sizeof(list));
	ck_assert_int_eq(rings_add_ringbuf(rings, &ring, 65536, 0, NULL), 0);
	ck_assert_int_eq(output_losses(&k.sys, msg, &from), counts[_i].losses[1] != ']');
	json_object_object_get_ex(msg, "lost", &member);
	ck_assert_str_eq(member ? json_object_to_json_string(member) : "null", counts[_i].lost);
	json_object_object_get_ex(msg, "losses", &member);
	ck_assert_str_eq(json_object_to_json_string(member),
			 counts[_i].losses);
	json_object_put(msg);
	rings_free(rings);
	free(k.pages);
}
