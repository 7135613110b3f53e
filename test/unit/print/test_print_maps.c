// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Maps at the end: the elements, their order, the calls that read them, and that reading always
 * ends.
 */
#include <errno.h>

#include "loader/sessions/rows/rows_internal.h"
#include "loader/profile/stacks/stacks.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

#define MAP_FD	50

/* A map in memory, as bpf(2) shows it. */
struct fake_map {
	struct sys sys;
	uint32_t key_size, value_size;	/* value_size: as the kernel copies it out */
	const unsigned char *keys, *values;
	uint32_t nr;
	int batch_errno;	/* what BPF_MAP_LOOKUP_BATCH fails with; 0: it works */
	uint32_t bucket;	/* it gives so many at once or none: ENOSPC */
	int deleted;		/* index of an element which is gone when looked up; -1 none */
	bool endless;		/* the next key after the last is the first */
	uint32_t fail_call;	/* that call fails with EPERM; 0: none */
	uint32_t calls, batches, lookups, next_keys;
};

static int find(const struct fake_map *m, const void *key)
{
	for (uint32_t i = 0; i < m->nr; i++)
		if (!memcmp(m->keys + i * m->key_size, key, m->key_size))
			return i;
	return -1;
}

/* in_batch and out_batch hold the index of the element to begin with. */
static long lookup_batch(struct fake_map *m, union bpf_attr *attr)
{
	uint32_t from = 0, n;

	m->batches++;
	if (m->batch_errno)
		return -m->batch_errno;
	if (attr->batch.in_batch)
		memcpy(&from, (void *)(uintptr_t)attr->batch.in_batch, 4);
	n = m->nr - from < attr->batch.count ? m->nr - from : attr->batch.count;
	if (m->bucket && n < m->bucket && from + n < m->nr)
		return -ENOSPC;
	if (m->bucket && n > m->bucket)
		n = m->bucket;
	memcpy((void *)(uintptr_t)attr->batch.keys, m->keys + from * m->key_size, n * m->key_size);
	memcpy((void *)(uintptr_t)attr->batch.values, m->values + from * m->value_size,
	       n * m->value_size);
	from += n;
	memcpy((void *)(uintptr_t)attr->batch.out_batch, &from, 4);
	attr->batch.count = n;
	if (from < m->nr)
		return 0;
	if (!m->endless)
		return -ENOENT;
	from = 0;
	memcpy((void *)(uintptr_t)attr->batch.out_batch, &from, 4);
	return 0;
}

static long next_key(struct fake_map *m, const union bpf_attr *attr)
{
	int i = attr->key ? find(m, (void *)(uintptr_t)attr->key) + 1 : 0;

	m->next_keys++;
	if (m->endless && (uint32_t)i == m->nr)
		i = 0;
	if ((uint32_t)i >= m->nr)
		return -ENOENT;
	memcpy((void *)(uintptr_t)attr->next_key, m->keys + i * m->key_size, m->key_size);
	return 0;
}

static long fake_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct fake_map *m = (struct fake_map *)sys;
	union bpf_attr *attr = (union bpf_attr *)arg[1];
	int i;

	ck_assert_int_eq(nr, __NR_bpf);
	if (++m->calls == m->fail_call)
		return -EPERM;
	switch (arg[0]) {
	case BPF_MAP_LOOKUP_BATCH:
		ck_assert_int_eq(attr->batch.map_fd, MAP_FD);
		return lookup_batch(m, attr);
	case BPF_MAP_GET_NEXT_KEY:
		return next_key(m, attr);
	case BPF_MAP_LOOKUP_ELEM:
		m->lookups++;
		i = find(m, (void *)(uintptr_t)attr->key);
		if (i < 0 || i == m->deleted)
			return -ENOENT;
		memcpy((void *)(uintptr_t)attr->value, m->values + i * m->value_size,
		       m->value_size);
		return 0;
	}
	ck_abort_msg("bpf command %lu", arg[0]);
	return -EINVAL;
}

static int three_cpus[] = { 0, 1, 2 }, with_a_hole[] = { 0, 2 };

/* One map of an object, and the kernel's side of it. */
static struct map_of_test {
	struct types t;
	struct fake_map fake;
	struct object_map map;
	struct kernel_map km;
	struct bpf_object obj;
	struct kernel_object k;
	struct cpu_list possible;
	struct printed printed;
	struct stacks *stacks;	/* borrowed; of its rows, or NULL */
} m;

static void map_begin(uint32_t type, uint32_t key_size, uint32_t value_size, uint32_t max_entries)
{
	memset(&m, 0, sizeof(m));
	m.possible = (struct cpu_list){ .cpus = three_cpus, .nr = 3 };
	types_begin(&m.t);
	m.map = (struct object_map){ .name = "counts", .section = 3, .type = type };
	m.km = (struct kernel_map){
		.fd = MAP_FD,
		.key_size = key_size,
		.value_size = value_size,
		.max_entries = max_entries,
	};
	m.fake = (struct fake_map){
		.sys.enter = fake_enter,
		.key_size = key_size,
		.value_size = value_size,
		.deleted = -1,
	};
}

static void map_content(const void *keys, const void *values, uint32_t nr)
{
	m.fake.keys = keys;
	m.fake.values = values;
	m.fake.nr = nr;
}

static int map_print(const char *format, unsigned int rows, struct error *err)
{
	if (!m.t.btf.nr_types)
		types_finish(&m.t);
	m.obj = (struct bpf_object){
		.has_btf = true, .btf = m.t.btf, .maps = &m.map, .nr_maps = 1
	};
	m.k = (struct kernel_object){ .object = &m.obj, .maps = &m.km };
	printed_begin(&m.printed, format);
	m.printed.out.rows = rows;
	m.printed.out.stacks = m.stacks;
	return output_maps(&m.fake.sys, &m.printed.out, &m.k, &m.possible, err);
}

/* Prints the maps and checks the output. It can be called again. */
static void expect_map(const char *format, unsigned int rows, const char *expected)
{
	struct error err = { 0 };
	int ret = map_print(format, rows, &err);

	ck_assert_msg(!ret, "%s: %s", err.where, err.what);
	ck_assert_str_eq(printed_text(&m.printed), expected);
	printed_end(&m.printed);
}

static void map_end(void)
{
	types_end(&m.t);
}

TEST_FIXTURE(NULL, map_end)

static const uint32_t keys[] = { 5, 1, 300, 2 };
static const uint64_t values[] = { 7, UINT64_MAX, 7, 0 };

TEST(json_has_every_element_as_it_is_read)
{
	map_begin(BPF_MAP_TYPE_HASH, 4, 8, 10);
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.u64;
	map_content(keys, values, 4);
	expect_map("json", 1,
		"{\"type\":\"map\",\"map\":\"counts\",\"key\":5,\"value\":7}\n"
		"{\"type\":\"map\",\"map\":\"counts\",\"key\":1,\"value\":18446744073709551615}\n"
		"{\"type\":\"map\",\"map\":\"counts\",\"key\":300,\"value\":7}\n"
		"{\"type\":\"map\",\"map\":\"counts\",\"key\":2,\"value\":0}\n");
	ck_assert_uint_eq(m.fake.calls, 1);
}

TEST(text_is_sorted_cut_and_says_so)
{
	map_begin(BPF_MAP_TYPE_HASH, 4, 8, 10);
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.u64;
	map_content(keys, values, 4);
	expect_map("text", 0,
		   "counts (hash, 4 elements)\n  1 = 18446744073709551615\n  5 = 7\n  300 = 7\n"
		   "  2 = 0\n");
	expect_map("text", 3,
		   "counts (hash, 4 elements)\n  1 = 18446744073709551615\n  5 = 7\n  300 = 7\n"
		   "  1 more (of 4 elements; --format=json shows all)\n");
	expect_map("text", 4,
		   "counts (hash, 4 elements)\n  1 = 18446744073709551615\n  5 = 7\n  300 = 7\n"
		   "  2 = 0\n");
	map_content(keys, values, 0);
	expect_map("text", 3, "counts (hash, 0 elements)\n");
	expect_map("json", 3, "");
}

TEST(signed_numbers_are_sorted_as_such)
{
	static const int32_t signed_values[] = { -5, 3, -1, 0 };

	map_begin(BPF_MAP_TYPE_HASH, 4, 4, 10);
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.s32;
	map_content(keys, signed_values, 4);
	expect_map("text", 0,
		   "counts (hash, 4 elements)\n  1 = 3\n  2 = 0\n  300 = -1\n  5 = -5\n");
	map_end();
	map_begin(BPF_MAP_TYPE_RHASH, 4, 4, 10);
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.s32;
	map_content(keys, signed_values, 4);
	expect_map("text", 0,
		   "counts (rhash, 4 elements)\n  1 = 3\n  2 = 0\n  300 = -1\n  5 = -5\n");
}

TEST(a_struct_is_sorted_by_what_it_begins_with)
{
	static const uint32_t pairs[] = { 1, 9, 4, 8, 2, 7, 3, 6 };
	uint32_t inner, outer;

	map_begin(BPF_MAP_TYPE_HASH, 4, 8, 10);
	inner = bb_struct(&m.t.b, BTF_KIND_STRUCT, "inner", 4, false);
	bb_member(&m.t.b, "n", m.t.u32, 0, 0);
	outer = bb_struct(&m.t.b, BTF_KIND_STRUCT, "outer", 8, false);
	bb_member(&m.t.b, "in", inner, 0, 0);
	bb_member(&m.t.b, "x", m.t.u32, 32, 0);
	m.map.key_type = m.t.u32;
	m.map.value_type = outer;
	map_content(keys, pairs, 4);
	expect_map("text", 2,
		   "counts (hash, 4 elements)\n  1 = {.in = {.n = 4}, .x = 8}\n  2 = {.in = {.n = "
		   "3}, .x = 6}\n"
		   "  2 more (of 4 elements; --format=json shows all)\n");
}

TEST(without_types_it_is_hex_by_key)
{
	map_begin(BPF_MAP_TYPE_LPM_TRIE, 4, 8, 10);
	map_content(keys, values, 2);
	expect_map("text", 0,
		   HOST_BIG_ENDIAN ?
			   "counts (lpm_trie, 2 elements)\n  00000001 = ffffffff ffffffff\n"
			   "  00000005 = 00000000 00000007\n" :
			   "counts (lpm_trie, 2 elements)\n  01000000 = ffffffff ffffffff\n"
			   "  05000000 = 07000000 00000000\n");
}

/* A type larger than the map's key or value must not make us read behind them. */
TEST(a_type_of_another_size_is_hex)
{
	unsigned char *key = malloc(2), *value = malloc(4);

	memcpy(key, "\1\2", 2);
	memcpy(value, "\3\4\5\6", 4);
	map_begin(BPF_MAP_TYPE_HASH, 2, 4, 1);
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.u64;
	map_content(key, value, 1);
	expect_map("text", 0, "counts (hash, 1 element)\n  0102 = 03040506\n");
	map_end();
	free(value);
	free(key);
}

/* Values of 4 bytes begin 8 bytes apart; three CPUs. */
TEST(per_cpu_values_are_taken_apart)
{
	static const uint32_t per_cpu[] = { 1, 99, 0, 99, 5, 99, 8, 99, 0, 99, 0, 99 };

	map_begin(BPF_MAP_TYPE_PERCPU_HASH, 4, 4, 10);
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.u32;
	m.fake.value_size = 24;
	map_content(keys, per_cpu, 2);
	expect_map("json", 0,
		   "{\"type\":\"map\",\"map\":\"counts\",\"key\":5,\"sum\":6,\"value\":[{\"cpu\":0,\"value\":"
		   "1},{\"cpu\":1,\"value\":0},"
		   "{\"cpu\":2,\"value\":5}]}\n"
		   "{\"type\":\"map\",\"map\":\"counts\",\"key\":1,\"sum\":8,\"value\":[{\"cpu\":0,\"value\":"
		   "8},{\"cpu\":1,\"value\":0},"
		   "{\"cpu\":2,\"value\":0}]}\n");
	expect_map("text", 0,
		   "counts (percpu_hash, 2 elements)\n  1 = 8 (cpu 0: 8)\n  5 = 6 (cpu 0: 1, cpu "
		   "2: 5)\n");
}

/* Possible CPUs 0 and 2: two values, one behind the other. */
TEST(cpus_that_cannot_be_have_no_value)
{
	static const uint32_t key = 5;
	uint64_t *slots = malloc(16);

	slots[0] = 1;
	slots[1] = 5;
	map_begin(BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, 1);
	m.possible = (struct cpu_list){ .cpus = with_a_hole, .nr = 2 };
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.u64;
	m.fake.value_size = 16;
	map_content(&key, slots, 1);
	expect_map("json", 0,
		   "{\"type\":\"map\",\"map\":\"counts\",\"key\":5,\"sum\":6,\"value\":[{\"cpu\":0,\"value\":"
		   "1},{\"cpu\":2,\"value\":5}]}\n");
	expect_map("text", 0, "counts (percpu_array, 1 element)\n  5 = 6 (cpu 0: 1, cpu 2: 5)\n");
	map_end();
	free(slots);
}

TEST(stacks_end_at_the_first_zero)
{
	static const uint64_t stacks[] = { 0xffffffff81000000, 0x400123, 0, 0x999, 1, 2, 3, 4 };
	static const uint32_t ids[] = { 9, 4 };

	map_begin(BPF_MAP_TYPE_STACK_TRACE, 4, 32, 10);
	m.fake.batch_errno = 524;
	map_content(ids, stacks, 2);
	expect_map("json", 0,
		   "{\"type\":\"stack\",\"map\":\"counts\",\"id\":9,\"ips\":["
		   "\"0xffffffff81000000\",\"0x400123\"]}\n"
		   "{\"type\":\"stack\",\"map\":\"counts\",\"id\":4,\"ips\":[\"0x1\",\"0x2\","
		   "\"0x3\",\"0x4\"]}\n");
	expect_map("text", 0,
		   "counts (stack_trace, 2 elements)\n  4:\n      0x1\n      0x2\n      0x3\n      "
		   "0x4\n"
		   "  9:\n      0xffffffff81000000\n      0x400123\n");
}

static void name_kernel(struct frame_namer *namer, const struct frame_query *q, struct frame *frame)
{
	(void)namer;
	*frame = (struct frame){ .address = q->address };
	if (q->kernel)
		frame->symbol = "do_it";
}

/* Rows with addresses are printed as others are, with names; nothing is said of stacks. */
TEST(addresses_have_names)
{
	static const uint64_t ips[] = { 5, 0x8000000000000007 }, counts[] = { 3, 9 };
	struct stack_field ip = { .role = STACK_FIELD_ADDRESS, .size = 8 };
	struct stack_fields fields = { .list = &ip, .nr = 1 };
	struct frame_namer namer = { .name = name_kernel };
	struct stacks stacks;

	map_begin(BPF_MAP_TYPE_HASH, 8, 8, 10);
	m.map.key_type = m.map.value_type = m.t.u64;
	map_content(ips, counts, 2);
	m.k.object = &m.obj;
	ck_assert_int_eq(stacks_init(&stacks, &m.fake.sys, &m.k, &fields, &namer, NULL), 0);
	m.stacks = &stacks;
	expect_map("json", 0,
		   "{\"type\":\"map\",\"map\":\"counts\",\"key\":5,\"value\":3}\n"
		   "{\"type\":\"map\",\"map\":\"counts\",\"key\":9223372036854775815,"
		   "\"value\":9,\"addresses\":[{\"field\":\"\",\"part\":\"key\","
		   "\"address\":\"0x8000000000000007\",\"symbol\":\"do_it\","
		   "\"offset\":0}]}\n");
	expect_map("text", 0,
		   "counts (hash, 2 elements)\n  9223372036854775815 = 9  do_it+0x0\n  5 = 3\n");
	expect_map("text", 1,
		   "counts (hash, 2 elements)\n  9223372036854775815 = 9  do_it+0x0\n"
		   "  1 more (of 2 elements; --format=json shows all)\n");
	map_content(ips, counts, 0);
	expect_map("text", 0, "counts (hash, 0 elements)\n");
	stacks_free(&stacks);
}

TEST(stacks_by_build_id)
{
	static const uint32_t id = 2;
	struct {
		int32_t status;
		unsigned char build_id[20];
		uint64_t offset;
	} frames[4] = {
		{ .status = 1, .offset = 0x10 }, { .status = 2, .offset = 0x2000 }, { .status = 0 },
		{ .status = 1 }
	};

	memset(frames[0].build_id, 0xab, 20);
	map_begin(BPF_MAP_TYPE_STACK_TRACE, 4, sizeof(frames), 10);
	m.km.map_flags = BPF_F_STACK_BUILD_ID;
	map_content(&id, frames, 1);
	expect_map("json", 0,
		   "{\"type\":\"stack\",\"map\":\"counts\",\"id\":2,\"ips\":["
		   "{\"build_id\":\"abababababababababababababababababababab\",\"offset\":\"0x10\"}"
		   ",\"0x2000\"]}\n");
}

/* Either there is nothing in them for a reader, or a line says why it is not shown. */
TEST(maps_that_hold_no_values_are_left_out)
{
	static const struct {
		uint32_t type;
		const char *text;
	} rows[] = {
		{ BPF_MAP_TYPE_PROG_ARRAY, "" },
		{ BPF_MAP_TYPE_PERF_EVENT_ARRAY, "" },
		{ BPF_MAP_TYPE_RINGBUF, "" },
		{ BPF_MAP_TYPE_XSKMAP, "" },
		{ BPF_MAP_TYPE_QUEUE,
		  "counts (queue): not shown: reading it would remove its elements\n" },
		{ BPF_MAP_TYPE_STACK,
		  "counts (stack): not shown: reading it would remove its elements\n" },
		{ BPF_MAP_TYPE_BLOOM_FILTER,
		  "counts (bloom_filter): not shown: it does not store its elements\n" },
		{ BPF_MAP_TYPE_ARRAY_OF_MAPS,
		  "counts (array_of_maps): not shown: it holds maps, not values\n" },
		{ BPF_MAP_TYPE_TASK_STORAGE,
		  "counts (task_storage): not shown: its elements belong to tasks\n" },
		{ 12345, "counts (type 12345): not shown: its type is unknown to this version\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		map_begin(rows[i].type, 4, 8, 10);
		map_content(keys, values, 4);
		expect_map("text", 0, rows[i].text);
		ck_assert_uint_eq(m.fake.calls, 0);
		map_end();
	}
	map_begin(BPF_MAP_TYPE_QUEUE, 0, 8, 10);
	expect_map("json", 0,
		   "{\"type\":\"map-skipped\",\"map\":\"counts\",\"map_type\":\"queue\","
		   "\"why\":\"reading it would remove its elements\"}\n");
	map_end();
	map_begin(BPF_MAP_TYPE_QUEUE, 0, 8, 10);
	m.km.fd = -1;			/* was not made */
	expect_map("text", 0, "");
	m.km.fd = MAP_FD;
	m.map.section = 0;		/* describes an inner map */
	expect_map("text", 0, "");
}

/* Each type is in the table of those that are read, or of those that are not. */
TEST(the_type_of_each_map_is_known)
{
	for (uint32_t type = BPF_MAP_TYPE_HASH; type < __MAX_BPF_MAP_TYPE; type++) {
		map_begin(type, 4, 8, 10);
		map_content(keys, values, 0);
		ck_assert_int_eq(map_print("text", 0, NULL), 0);
		ck_assert_msg(!strstr(printed_text(&m.printed), "its type is unknown"),
			      "map type %u", type);
		printed_end(&m.printed);
		map_end();
	}
	map_begin(BPF_MAP_TYPE_HASH, 4, 8, 10);
}

/* --- how they are read --- */

TEST(kernels_without_batches_are_read_one_by_one)
{
	static const int errnos[] = { EINVAL, 524 };

	for (int i = 0; i < 2; i++) {
		map_begin(BPF_MAP_TYPE_HASH, 4, 8, 10);
		m.map.value_type = m.t.u64;
		m.fake.batch_errno = errnos[i];
		map_content(keys, values, 2);
		expect_map("json", 0,
			HOST_BIG_ENDIAN ? "{\"type\":\"map\",\"map\":\"counts\",\"key\":"
					  "\"00000005\",\"value\":7}\n"
					  "{\"type\":\"map\",\"map\":\"counts\",\"key\":"
					  "\"00000001\",\"value\":18446744073709551615}\n" :
					  "{\"type\":\"map\",\"map\":\"counts\",\"key\":"
					  "\"05000000\",\"value\":7}\n"
					  "{\"type\":\"map\",\"map\":\"counts\",\"key\":"
					  "\"01000000\",\"value\":18446744073709551615}\n");
		ck_assert_uint_eq(m.fake.batches, 1);
		ck_assert_uint_eq(m.fake.lookups, 2);
		map_end();
	}
}

/* EINVAL is about the kernel, and remembered; 524 about a type of map, and asked again. */
TEST(what_the_kernel_lacks_is_asked_once)
{
	static const int errnos[] = { EINVAL, 524 };
	struct object_map maps[3];
	struct kernel_map kms[3];
	struct error err = { 0 };

	for (int i = 0; i < 2; i++) {
		map_begin(BPF_MAP_TYPE_HASH, 4, 8, 10);
		m.fake.batch_errno = errnos[i];
		map_content(keys, values, 1);
		for (int n = 0; n < 3; n++) {
			maps[n] = m.map;
			kms[n] = m.km;
		}
		types_finish(&m.t);
		m.obj = (struct bpf_object){ .maps = maps, .nr_maps = 3 };
		m.k = (struct kernel_object){ .object = &m.obj, .maps = kms };
		printed_begin(&m.printed, "json");
		ck_assert_int_eq(output_maps(&m.fake.sys, &m.printed.out, &m.k, &m.possible, &err),
				 0);
		ck_assert_uint_eq(m.fake.batches, i ? 3 : 1);
		printed_end(&m.printed);
		map_end();
	}
}

TEST(elements_deleted_meanwhile_are_skipped)
{
	map_begin(BPF_MAP_TYPE_HASH, 4, 8, 10);
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.u64;
	m.fake.batch_errno = EINVAL;
	m.fake.deleted = 1;
	map_content(keys, values, 4);
	expect_map("text", 0, "counts (hash, 3 elements)\n  5 = 7\n  300 = 7\n  2 = 0\n");
}

TEST(reading_always_ends)
{
	static const int errnos[] = { 0, EINVAL };
	struct error err = { 0 };

	for (int i = 0; i < 2; i++) {
		map_begin(BPF_MAP_TYPE_HASH, 4, 8, 4);
		m.fake.endless = true;
		m.fake.batch_errno = errnos[i];
		map_content(keys, values, 4);
		ck_assert_int_eq(map_print("json", 0, &err), 0);
		ck_assert_uint_lt(m.fake.calls, 200);
		printed_end(&m.printed);
		map_end();
	}
}

TEST(many_elements_come_in_batches)
{
	enum { NR = 300000 };
	uint32_t *many = calloc(NR, 4);
	uint64_t *counts = calloc(NR, 8);

	for (uint32_t i = 0; i < NR; i++) {
		many[i] = i;
		counts[i] = i * 7919ULL % NR;
	}
	map_begin(BPF_MAP_TYPE_ARRAY, 4, 8, NR);
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.u64;
	map_content(many, counts, NR);
	expect_map("text", 1, "counts (array, 300000 elements)\n  82321 = 299999\n"
		   "  299999 more (of 300000 elements; --format=json shows all)\n");
	ck_assert_uint_lt(m.fake.calls, 10);
	map_end();
	free(counts);
	free(many);
}

/*
 * One value fills a batch, and the hash has a bucket of three: the kernel says ENOSPC until there
 * is room.
 */
TEST(a_batch_too_small_grows)
{
	const size_t size = 1 << 20;
	unsigned char *large = calloc(4, size);
	struct error err = { 0 };
	const char *p;
	int n = 0;

	for (int i = 0; i < 4; i++)
		large[i * size] = 'a' + i;
	map_begin(BPF_MAP_TYPE_HASH, 4, size, 4);
	m.map.key_type = m.t.u32;
	m.map.value_type = bb_array(&m.t.b, m.t.chr, m.t.u32, size);
	m.fake.bucket = 3;
	map_content(keys, large, 4);
	ck_assert_int_eq(map_print("json", 0, &err), 0);
	for (p = printed_text(&m.printed); (p = strstr(p, "\"value\":\"")); p++)
		ck_assert_int_eq(p[9], 'a' + n++);
	ck_assert_int_eq(n, 4);
	printed_end(&m.printed);
	map_end();
	free(large);
}

TEST(failures_have_a_place)
{
	static const struct {
		int batch_errno;
		uint32_t fail_call;
		const char *what;
	} rows[] = {
		{ 0, 1, "BPF_MAP_LOOKUP_BATCH" },
		{ EINVAL, 2, "BPF_MAP_GET_NEXT_KEY" },
		{ EINVAL, 3, "BPF_MAP_LOOKUP_ELEM" },
		{ EINVAL, 4, "BPF_MAP_GET_NEXT_KEY" },
	};
	static const char *const formats[] = { "json", "text" };
	struct error err = { 0 };

	for (size_t i = 0; i < 8; i++) {
		map_begin(BPF_MAP_TYPE_HASH, 4, 8, 10);
		m.fake.batch_errno = rows[i / 2].batch_errno;
		m.fake.fail_call = rows[i / 2].fail_call;
		map_content(keys, values, 4);
		expect_error(rows[i / 2].what, map_print(formats[i % 2], 0, &err), &err,
			     &(struct expect){ EPERM, "map 'counts'", rows[i / 2].what, NULL });
		printed_end(&m.printed);
		map_end();
	}
}

TEST(a_reader_that_went_away_ends_it)
{
	struct error err = { 0 };

	map_begin(BPF_MAP_TYPE_HASH, 4, 8, 10);
	map_content(keys, values, 4);
	ck_assert_int_eq(map_print("json", 0, &err), 0);
	printed_end(&m.printed);
	m.printed.out.file = fopen("/dev/full", "w");
	if (!m.printed.out.file)
		suite_skip("no /dev/full");
	setvbuf(m.printed.out.file, NULL, _IONBF, 0);
	ck_assert_int_eq(output_maps(&m.fake.sys, &m.printed.out, &m.k, &m.possible, &err),
			 -ENOSPC);
	ck_assert_uint_eq(m.fake.calls, 2);	/* not taken for a bucket that is too large */
	error_clear(&err);
	fclose(m.printed.out.file);
}

/* --- data maps --- */

static void data_begin(const char *name, const void *mem, uint32_t size)
{
	static const uint32_t zero;

	map_begin(BPF_MAP_TYPE_ARRAY, 4, size, 1);
	m.map.name = name;
	m.map.kind = OBJECT_MAP_DATA;
	map_content(&zero, mem, 1);
}

TEST(data_maps_show_their_variables)
{
	static const struct {
		uint64_t hits;
		uint32_t both[2];
	} mem = { 3, { 4, 5 } };
	uint32_t hits, both, pair;

	data_begin(".bss", &mem, 16);
	hits = bb_var(&m.t.b, "hits", m.t.u64, BTF_VAR_GLOBAL_ALLOCATED);
	pair = bb_array(&m.t.b, m.t.u32, m.t.u32, 2);
	both = bb_var(&m.t.b, "both", pair, BTF_VAR_STATIC);
	bb_datasec(&m.t.b, ".bss", 16);
	bb_datasec_var(&m.t.b, hits, 0, 8);
	bb_datasec_var(&m.t.b, both, 8, 8);
	expect_map("json", 0,
		   "{\"type\":\"data\",\"map\":\".bss\",\"value\":{\"hits\":3,\"both\":[4,5]}}\n");
	expect_map("text", 0, ".bss (data)\n  hits = 3\n  both = {4, 5}\n");
	ck_assert_uint_eq(m.fake.lookups, m.fake.calls);
	m.map.read_only = true;
	expect_map("text", 0, "");
}

TEST(data_without_types_is_hex)
{
	data_begin(".data.x", (const unsigned char[]){ 3, 0, 0, 0, 4, 0, 0, 0 }, 8);
	expect_map("json", 0,
		   "{\"type\":\"data\",\"map\":\".data.x\",\"value\":\"0300000004000000\"}\n");
	expect_map("text", 0, ".data.x (data)\n  03000000 04000000\n");
}

/* Offsets and sizes of variables are hostile too: outside the section, over each other, twice. */
TEST(variables_that_cannot_be_make_it_hex)
{
	static const struct {
		const char *name;
		uint32_t offset, size;
	} rows[] = {
		{ "other", 4, 8 }, { "other", 8, 4 },	       { "other", UINT32_MAX, 4 },
		{ "other", 0, 8 }, { "other", 0, UINT32_MAX }, { "one", 4, 4 },
	};
	unsigned char *mem = malloc(8);
	uint32_t one, other;
	size_t at;

	memcpy(mem, "\1\2\3\4\5\6\7\x08", 8);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		data_begin(".bss", mem, 8);
		one = bb_var(&m.t.b, "one", m.t.u32, BTF_VAR_GLOBAL_ALLOCATED);
		other = bb_var(&m.t.b, rows[i].name, m.t.u32, BTF_VAR_GLOBAL_ALLOCATED);
		bb_datasec(&m.t.b, ".bss", 8);
		bb_datasec_var(&m.t.b, one, 0, 4);
		bb_datasec_var(&m.t.b, other, 4, 4);
		types_finish(&m.t);	/* changed after the parser has had its look */
		at = bb_type_at(&m.t.b, other + 1) + sizeof(struct btf_type) +
		     sizeof(struct btf_var_secinfo);
		buffer_poke(&m.t.raw, at + 4, 4, rows[i].offset, false);
		buffer_poke(&m.t.raw, at + 8, 4, rows[i].size, false);
		expect_map("text", 0, ".bss (data)\n  01020304 05060708\n");
		map_end();
	}
	free(mem);
}

/* --- histograms --- */

static const struct {
	const char *name;
	uint32_t type;
	const char *tag;	/* of the map, or NULL */
	const char *text;
} histograms[] = {
	{ "counts", BPF_MAP_TYPE_ARRAY, "hist:log2",
	  "counts (histogram)\n"
	  "                2 -> 3            3 |@@@@@@@@@@@@@@@@@@@@                    |\n"
	  "                4 -> 7            0 |                                        |\n"
	  "               8 -> 15            6 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist:linear:10:-20",
	  "counts (histogram)\n"
	  "             -10 -> -1            3 |@@@@@@@@@@@@@@@@@@@@                    |\n"
	  "                0 -> 9            0 |                                        |\n"
	  "              10 -> 19            6 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist",
	  "counts (histogram)\n"
	  "                slot 1            3 |@@@@@@@@@@@@@@@@@@@@                    |\n"
	  "                slot 2            0 |                                        |\n"
	  "                slot 3            6 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist:linear",
	  "counts (histogram)\n"
	  "                1 -> 1            3 |@@@@@@@@@@@@@@@@@@@@                    |\n"
	  "                2 -> 2            0 |                                        |\n"
	  "                3 -> 3            6 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n" },
	/* a name has no scale, and is one for an array only */
	{ "wait_hist", BPF_MAP_TYPE_ARRAY, NULL, "wait_hist (histogram)\n                slot 1" },
	{ "hist", BPF_MAP_TYPE_ARRAY, NULL, "hist (histogram)\n                slot 1" },
	{ "histogram", BPF_MAP_TYPE_ARRAY, NULL, "histogram (histogram)\n                slot 1" },
	{ "wait_hist", BPF_MAP_TYPE_HASH, NULL, "wait_hist (hash, 5 elements)\n" },
	{ "history", BPF_MAP_TYPE_ARRAY, NULL, "history (array, 5 elements)\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist:linear:0", "counts (hash, 5 elements)\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist:log2:1", "counts (hash, 5 elements)\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist:linear:99999999999999999999",
	  "counts (hash, 5 elements)\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist:linear:", "counts (hash, 5 elements)\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist:linear:1:2:3", "counts (hash, 5 elements)\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist:linear:-1", "counts (hash, 5 elements)\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "hist:log3", "counts (hash, 5 elements)\n" },
	{ "counts", BPF_MAP_TYPE_HASH, "history", "counts (hash, 5 elements)\n" },
};

static const uint32_t slot_keys[] = { 3, 0, 1, 2, 4 };
static const uint64_t slot_values[] = { 6, 0, 3, 0, 0 };

static void expect_bars(const char *format, const char *text)
{
	struct error err = { 0 };

	types_finish(&m.t);
	m.obj = (struct bpf_object){
		.has_btf = true, .btf = m.t.btf, .maps = &m.map, .nr_maps = 1
	};
	m.k = (struct kernel_object){ .object = &m.obj, .maps = &m.km };
	printed_begin(&m.printed, format);
	ck_assert_int_eq(output_maps(&m.fake.sys, &m.printed.out, &m.k, &m.possible, &err), 0);
	ck_assert_msg(!strncmp(printed_text(&m.printed), text, strlen(text)), "%s",
		      printed_text(&m.printed));
	printed_end(&m.printed);
}

TEST_ROWS(histograms_are_bars, histograms)
{
	map_begin(histograms[_i].type, 4, 8, 5);
	m.map.name = histograms[_i].name;
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.u64;
	if (histograms[_i].tag)
		bb_decl_tag(&m.t.b, histograms[_i].tag,
			    bb_var(&m.t.b, "counts", m.t.u64, BTF_VAR_GLOBAL_ALLOCATED), -1);
	map_content(slot_keys, slot_values, 5);
	expect_bars("text", histograms[_i].text);
}

/* A value is struct { NAME[NELEMS]; u32 disk; }, or without disk where it fills the value. */
static const struct {
	const char *name;
	unsigned int element;	/* its bytes */
	unsigned int nelems;
	const char *tag;	/* of the map, or NULL */
	const char *format, *text;
} slot_members[] = {
	{ "slots", 4, 3, "hist:log2", "text",
	  "counts (hash, 2 elements)\n"
	  "  1 = {.disk = 7}\n"
	  "                2 -> 3            8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
	  "                4 -> 7            2 |@@@@@@@@@@                              |\n"
	  "  5 = {.disk = 9}\n"
	  "                0 -> 1            1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n" },
	{ "slots", 4, 4, NULL, "text",
	  "counts (hash, 2 elements)\n"
	  "  1\n"
	  "                slot 1            8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n" },
	{ "wait_hist", 8, 1, NULL, "json",
	  "{\"type\":\"map\",\"map\":\"counts\",\"key\":5,"
	  "\"value\":{\"wait_hist\":[1],\"disk\":9},"
	  "\"histogram\":{\"member\":\"wait_hist\",\"scale\":\"slots\","
	  "\"slots\":[{\"slot\":0,\"count\":1}]}}\n" },
	/* another name; integers of a byte; more than the value has */
	{ "slot", 4, 3, NULL, "text", "counts (hash, 2 elements)\n  1 = {.slot = {0, 8, 2}, .disk = 7}\n" },
	{ "slots", 1, 12, NULL, "text", "counts (hash, 2 elements)\n  1 = {.slots = {0, 0, 0, 0, 8, " },
	{ "slots", 4, 5, NULL, "text", "counts (hash, 2 elements)\n  1 = {}\n" },
};

TEST_ROWS(a_value_with_slots_is_a_histogram, slot_members)
{
	static const uint32_t counts[] = { 1, 0, 0, 9, 0, 8, 2, 7 };
	const unsigned int size = slot_members[_i].element * slot_members[_i].nelems;
	uint32_t array;

	map_begin(BPF_MAP_TYPE_HASH, 4, 16, 2);
	m.map.key_type = m.t.u32;
	array = bb_array(&m.t.b, slot_members[_i].element == 4 ? m.t.u32 :
				 slot_members[_i].element == 8 ? m.t.u64 : m.t.u8,
			 m.t.u32, slot_members[_i].nelems);
	m.map.value_type = bb_struct(&m.t.b, BTF_KIND_STRUCT, "hist", size > 16 ? size : 16,
				     false);
	bb_member(&m.t.b, slot_members[_i].name, array, 0, 0);
	if (size < 16)
		bb_member(&m.t.b, "disk", m.t.u32, 8 * 12, 0);
	map_content(keys, counts, 2);
	if (slot_members[_i].tag)
		bb_decl_tag(&m.t.b, slot_members[_i].tag,
			    bb_var(&m.t.b, "counts", m.t.u64, BTF_VAR_GLOBAL_ALLOCATED), -1);
	expect_bars(slot_members[_i].format, slot_members[_i].text);
}

/* JSON has the elements as well; per-CPU counts are summed, and zeros at both ends are left out. */
TEST(histograms_of_json)
{
	static const uint64_t per_cpu[] = { 0, 0, 0, 1, 2, 3, 4, 0, 0 };
	static const uint32_t slots[] = { 0, 62, 61 };
	struct error err = { 0 };

	map_begin(BPF_MAP_TYPE_PERCPU_HASH, 4, 24, 3);
	m.km.value_size = 8;
	m.map.key_type = m.t.u32;
	m.map.value_type = m.t.u64;
	map_content(slots, per_cpu, 3);
	bb_decl_tag(&m.t.b, "hist:log2",
		    bb_var(&m.t.b, "counts", m.t.u64, BTF_VAR_GLOBAL_ALLOCATED), -1);
	types_finish(&m.t);
	m.obj = (struct bpf_object){
		.has_btf = true, .btf = m.t.btf, .maps = &m.map, .nr_maps = 1
	};
	m.k = (struct kernel_object){ .object = &m.obj, .maps = &m.km };
	printed_begin(&m.printed, "json");
	ck_assert_int_eq(output_maps(&m.fake.sys, &m.printed.out, &m.k, &m.possible, &err), 0);
	ck_assert_ptr_nonnull(strstr(printed_text(&m.printed), "\"type\":\"map\""));
	/* 2^63 is beyond the range of the numbers: the slot alone */
	ck_assert_ptr_nonnull(strstr(printed_text(&m.printed),
		"{\"type\":\"histogram\",\"map\":\"counts\",\"scale\":\"log2\","
		"\"slots\":[{\"slot\":61,\"count\":4,\"low\":2305843009213693952,"
		"\"high\":4611686018427387903},{\"slot\":62,\"count\":6}]}\n"));
	printed_end(&m.printed);
}

/* The member with the slots is the first one that fits, wherever it is. */
TEST_EACH(slots_are_anywhere_in_a_value, 4)
{
	static const uint32_t offsets[] = { 0, 4, 8, 16 };
	struct histogram_member found;
	uint32_t type, array;

	map_begin(BPF_MAP_TYPE_HASH, 4, 64, 2);
	array = bb_array(&m.t.b, m.t.u32, m.t.u32, 3);
	type = bb_struct(&m.t.b, BTF_KIND_STRUCT, "hist", 64, false);
	for (int i = 0; i < _i; i++)
		bb_member(&m.t.b, "disk", m.t.u32, 32 * i, 0);
	bb_member(&m.t.b, _i % 2 ? "slots" : "read_hist", array, 8 * offsets[_i], 0);
	bb_member(&m.t.b, "slots", array, 8 * (offsets[_i] + 12), 0);
	types_finish(&m.t);
	found = histogram_member_find(&m.t.btf, type);
	ck_assert_pstr_eq(found.name, _i % 2 ? "slots" : "read_hist");
	ck_assert_uint_eq(found.offset, offsets[_i]);
	ck_assert_uint_eq(found.nr, 3);
}
