// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Each allocation of what prints maps, records, stacks, losses and pictures fails: it reports that
 * there is no memory, or prints the same.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/rows/rows_internal.h"
#include "loader/core/session/session.h"
#include "loader/profile/stacks/profile.h"
#include "loader/sessions/printk_text/program_lines.h"
#include "loader/core/read/all_rings.h"
#include "loader/profile/stacks/stacks.h"
#include "test/fault/failing_malloc.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

#define OUT_MAX (1 << 20)
#define NR_ELEMENTS 3

/* Keys are 1 to NR_ELEMENTS; byte i of a value is its key plus i, so that stack frames are many. */
static void fill(unsigned char *value, size_t size, uint32_t key)
{
	for (size_t i = 0; i < size; i++)
		value[i] = i % 32 ? key + i : 1;
}

struct kernel {
	struct sys sys;
	uint32_t value_size;
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	const struct kernel *k = (struct kernel *)sys;
	const union bpf_attr *attr = (const void *)arg[1];
	uint32_t key = 0;

	(void)nr;
	if (attr->key)
		memcpy(&key, (void *)(uintptr_t)attr->key, sizeof(key));
	if (arg[0] == BPF_MAP_LOOKUP_ELEM) {
		fill((void *)(uintptr_t)attr->value, k->value_size, key);
		return 0;
	}
	if (arg[0] != BPF_MAP_GET_NEXT_KEY || key >= NR_ELEMENTS)
		return arg[0] == BPF_MAP_GET_NEXT_KEY ? -ENOENT : -EINVAL;
	key++;
	memcpy((void *)(uintptr_t)attr->next_key, &key, sizeof(key));
	return 0;
}

/* --- maps --- */

static int cpus[] = { 0, 2 };
static const struct cpu_list possible = { .cpus = cpus, .nr = 2 };

static int draw_map(struct output *out, uint32_t type, uint32_t flags, uint32_t size,
		    struct error *err)
{
	struct object_map map = { .name = "m", .type = type, .section = 1 };
	struct kernel_map km = { .fd = 5, .key_size = 4, .value_size = size, .max_entries = 9,
				 .map_flags = flags };
	const struct bpf_object obj = { .maps = &map, .nr_maps = 1 };
	const struct kernel_object k = { .object = &obj, .maps = &km };
	struct kernel kernel = { .sys.enter = enter, .value_size = size };

	if (type == BPF_MAP_TYPE_PERCPU_HASH)
		kernel.value_size = 2 * size;
	out->rows = 2;
	return output_maps(&kernel.sys, out, &k, &possible, err);
}

static int draw_hash(struct output *out, struct error *err)
{
	return draw_map(out, BPF_MAP_TYPE_HASH, 0, 8, err);
}

static int draw_per_cpu(struct output *out, struct error *err)
{
	return draw_map(out, BPF_MAP_TYPE_PERCPU_HASH, 0, 8, err);
}

static int draw_stack_map(struct output *out, struct error *err)
{
	return draw_map(out, BPF_MAP_TYPE_STACK_TRACE, 0, 16, err);
}

static int draw_build_ids(struct output *out, struct error *err)
{
	return draw_map(out, BPF_MAP_TYPE_STACK_TRACE, BPF_F_STACK_BUILD_ID, 64, err);
}

static int draw_queue(struct output *out, struct error *err)
{
	return draw_map(out, BPF_MAP_TYPE_QUEUE, 0, 8, err);
}

/* --- rows with stacks --- */

static int count_nothing(void *arg, const struct frame *frames, unsigned int nr, uint64_t weight,
			 struct error *err)
{
	(void)arg, (void)frames, (void)nr, (void)weight, (void)err;
	return 0;
}

/*
 * The key is a stack id, the value begins with two addresses; the row's own id is an errno, as the
 * map had no room.
 */
static int draw_rows(struct output *out, struct error *err)
{
	static const struct stack_field field[] = {
		{ .part = STACK_FIELD_KEY, .role = STACK_FIELD_ID, .size = 4, .stacks = 1 },
		{ .part = STACK_FIELD_VALUE, .role = STACK_FIELD_FRAMES, .size = 16 },
		{ .part = STACK_FIELD_VALUE, .role = STACK_FIELD_ID, .offset = 16, .size = 4,
		  .stacks = 1 },
		{ .part = STACK_FIELD_VALUE, .role = STACK_FIELD_FRAMES, .offset = 32, .size = 64,
		  .build_id = true },
	};
	struct object_map maps[] = { { .name = "m", .section = 1, .type = BPF_MAP_TYPE_HASH },
				     { .name = "s", .section = 1,
				       .type = BPF_MAP_TYPE_STACK_TRACE } };
	struct kernel_map km[] = {
		{ .fd = 5, .key_size = 4, .value_size = 96, .max_entries = 9 },
		{ .fd = 6, .key_size = 4, .value_size = 96, .max_entries = 9 },
	};
	const struct bpf_object obj = { .maps = maps, .nr_maps = 2 };
	const struct kernel_object k = { .object = &obj, .maps = km };
	struct kernel kernel = { .sys.enter = enter, .value_size = 96 };
	struct stack_fields fields = { 0 };
	struct stacks stacks = { 0 };
	int ret = 0;

	for (int i = 0; !ret && i < NR(field); i++)
		ret = stack_fields_add(&fields, &field[i], err);
	if (!ret)
		ret = stacks_init(&stacks, &kernel.sys, &k, &fields, NULL, err);
	if (!ret) {
		stacks.count = count_nothing;
		out->stacks = &stacks;
		ret = output_maps(&kernel.sys, out, &k, &possible, err);
		out->stacks = NULL;
		stacks_free(&stacks);
	}
	stack_fields_free(&fields);
	return ret;
}

/* --- losses --- */

static int draw_losses(struct output *out, struct error *err)
{
	struct record_stream streams[] = { { .map = "a" }, { .map = "b", .overwritten = 9 } };
	struct perf_ring perf = { .stream = &streams[0], .cpu = 3, .map_size = 8192, .lost = 2 };
	struct ringbuf buf = { .stream = &streams[1], .page_size = 4096, .size = 4096 };
	const struct rings rings = { .perf = &perf, .nr_perf = 1, .ringbufs = &buf,
				     .nr_ringbufs = 1 };
	struct object_map maps[] = { { .name = "a" }, { .name = ".bss", .kind = OBJECT_MAP_DATA } };
	struct kernel_map km[] = { { .fd = 5 }, { .fd = 6, .value_size = 8 } };
	struct object_prog prog = { .name = "p" };
	struct kernel_prog kprog = { .recursion_misses = 4 };
	const struct bpf_object obj = { .maps = maps, .nr_maps = 2, .progs = &prog, .nr_progs = 1 };
	const struct kernel_object k = { .object = &obj, .maps = km, .progs = &kprog };
	struct failure_count count[] = { { FAILURE_FULL, 0, 1, 0, 4 } };
	const struct failure_counts failures = { count, 1 };
	const struct throttled throttled[] = { { "x", 1, 0, 0 }, { "e", 2, 3, 4 } };
	struct stacks stacks = { 0 };
	const struct losses from = { .rings = &rings, .kernel = &k, .failures = &failures,
				     .stacks = &stacks, .throttled = throttled, .nr_throttled = 2,
				     .printk_lost = 7 };
	struct kernel kernel = { .sys.enter = enter, .value_size = 8 };
	struct json_object *msg;
	struct stack_fields none = { 0 };
	int ret = stacks_init(&stacks, &kernel.sys, &k, &none, NULL, err);

	if (ret)
		return ret;
	stacks.of_map[0].lost = 5;
	msg = message_new("summary");
	output_losses(&kernel.sys, msg, &from);
	stacks_free(&stacks);
	return output_message_as(out, msg, session_print_summary, err);
}

/* --- lines --- */

static int draw_line(struct output *out, struct error *err)
{
	static const struct program_line line = { .text = "text\n", .size = 5, .comm = "comm" };
	const struct line_sink sink = program_lines(out);

	return sink.line(sink.arg, &line, err);
}

static int draw_record(struct output *out, struct error *err)
{
	struct record_printer printer = {
		.out = out, .format = { .map = "r", .size = 4, .payload = true },
	};
	const struct record record = { .cpu = 3, .bytes = { (const void *)"abcdefgh", 8 } };

	return record_print(&printer, &record, err);
}

/* --- pictures --- */

static int draw_histogram(struct output *out, struct error *err)
{
	const struct histogram h = { .scale = HISTOGRAM_SLOTS };
	const struct histogram_slot slots[] = { { 0, 1 }, { 1, 2 } };

	return histogram_print(out, "m", &h, slots, NR(slots), err);
}

static int draw_profile(const char *format, FILE *file, struct error *err)
{
	const struct frame frames[] = { { .symbol = "main", .file = "/bin/x" },
					{ .symbol = "read" } };
	const struct profile_about about = { .title = "x", .unit = "samples" };
	struct profile *p = profile_new();
	int ret = p ? profile_add(p, frames, NR(frames), 5, err) : -ENOMEM;

	if (!ret)
		ret = profile_print(profile_format_find(format), file, p, &about, err);
	profile_free(p);
	return ret;
}

#define PROFILE(format) \
	static int draw_##format(struct output *out, struct error *err) \
	{ \
		return draw_profile(#format, out->file, err); \
	}
PROFILE(text)
PROFILE(json)
PROFILE(folded)
PROFILE(flamegraph)

/* --- all of them --- */

static const struct {
	const char *name, *format;
	int (*draw)(struct output *out, struct error *err);
} rows[] = {
	{ "a hash", "json", draw_hash }, { "a hash", "text", draw_hash },
	{ "values of CPUs", "json", draw_per_cpu }, { "values of CPUs", "text", draw_per_cpu },
	{ "a stack map", "json", draw_stack_map }, { "build ids", "json", draw_build_ids },
	{ "a queue", "json", draw_queue }, { "rows with stacks", "json", draw_rows },
	{ "rows with stacks", "text", draw_rows }, { "losses", "json", draw_losses },
	{ "a line", "json", draw_line }, { "a record", "json", draw_record },
	{ "a record", "text", draw_record }, { "a histogram", "json", draw_histogram },
	{ "a histogram", "text", draw_histogram }, { "text", "text", draw_text },
	{ "json", "text", draw_json }, { "folded", "text", draw_folded },
	{ "flamegraph", "text", draw_flamegraph },
};

struct drawing {
	char text[OUT_MAX];
	long size;
	int ret;
};

/* Return how many allocations there were. */
static unsigned int draw(int i, unsigned int fail, struct drawing *d)
{
	struct error err = { 0 };
	struct output out = { .file = fmemopen(d->text, OUT_MAX, "wb"),
			      .format = output_format_find(rows[i].format, &err) };
	static char buffer[OUT_MAX];
	unsigned int nr;

	setvbuf(out.file, buffer, _IOFBF, sizeof(buffer));
	memory_watch(fail, NULL, 0);
	d->ret = rows[i].draw(&out, &err);
	nr = memory_watch_end();
	d->size = ftell(out.file);
	fclose(out.file);
	error_clear(&err);
	return nr;
}

/* Each kind of loss is there. */
TEST(losses_are_listed)
{
	static struct drawing d;
	static const char text[] =
		"{\"type\":\"summary\",\"rings\":[{\"map\":\"a\",\"cpu\":3,\"bytes\":8192},"
		"{\"map\":\"b\",\"bytes\":12288}],\"lost\":2,\"losses\":["
		"{\"what\":\"records\",\"map\":\"a\",\"cpu\":3,\"count\":2},"
		"{\"what\":\"overwritten\",\"map\":\"b\",\"count\":9},"
		"{\"what\":\"updates\",\"map\":\"a\",\"counted_by\":\".bss\",\"count\":50462977},"
		"{\"what\":\"stacks\",\"map\":\"a\",\"count\":5},"
		"{\"what\":\"runs\",\"prog\":\"p\",\"count\":4},"
		"{\"what\":\"throttled\",\"event\":\"e\",\"cpu\":2,\"unthrottled\":4,\"count\":3},"
		"{\"what\":\"lines\",\"helper\":\"bpf_printk\",\"count\":7}]}\n";

	for (int i = 0; i < NR(rows); i++)
		if (rows[i].draw == draw_losses)
			draw(i, 0, &d);
	ck_assert_str_eq(d.text, text);
}

TEST_ROWS(each_allocation_fails, rows)
{
	static struct drawing whole, d;
	unsigned int n = 0, nr;

	draw(_i, 0, &whole);	/* libc keeps some memory */
	nr = draw(_i, 0, &whole);
	ck_assert_msg(!whole.ret && nr > 2, "%s: %u", rows[_i].name, nr);
	do {	/* until no allocation is left to fail */
		long same = 0;

		nr = draw(_i, ++n, &d);
		while (same < d.size && d.text[same] == whole.text[same])
			same++;
		ck_assert_msg((nr >= n && d.ret == -ENOMEM) || (!d.ret && same == d.size && same == whole.size),
			      "%s as %s, allocation %u: %d: %.*s, instead of %.99s", rows[_i].name,
			      rows[_i].format, n, d.ret, d.size - same < 99 ? (int)(d.size - same) :
			      99, d.text + same, whole.text + same);
	} while (nr >= n);
}
