// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Maps over the fake kernel: pinned ones, and those that begin with something. Whatever call fails,
 * nothing stays open, and no pin stays that was not there before.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/kernel/steps.h"
#include "test/unit/common/suite.h"
#include "test/fault/fake_kernel.h"

#define PIN "/sys/fs/bpf/kept"

enum { KEPT, OUTER, TEMPLATE, INNER, CALLS, RING, ARENA, NR_MAPS };

static unsigned char variables[] = "variables";

static struct object_slot outer_slots[] = { { 0, INNER }, { 1, INNER } };
static struct object_slot calls_slots[] = { { 0, 0 }, { 2, 1 } };

static const struct object_map maps[NR_MAPS] = {
	[KEPT] = { .name = "kept", .section = 1, .type = BPF_MAP_TYPE_HASH, .key_size = 4,
		   .value_size = 8, .max_entries = 10, .map_flags = BPF_F_NO_PREALLOC,
		   .inner = -1, .pin_by_name = true },
	[OUTER] = { .name = "outer", .section = 1, .type = BPF_MAP_TYPE_ARRAY_OF_MAPS,
		    .max_entries = 2, .inner = TEMPLATE, .slots = outer_slots, .nr_slots = 2 },
	[TEMPLATE] = { .name = "outer", .type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8,
		       .max_entries = 1, .inner = -1 },
	[INNER] = { .name = "inner", .section = 1, .type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
		    .value_size = 8, .max_entries = 1, .inner = -1 },
	[CALLS] = { .name = "calls", .section = 1, .type = BPF_MAP_TYPE_PROG_ARRAY,
		    .max_entries = 3, .inner = -1, .slots = calls_slots, .nr_slots = 2 },
	[RING] = { .name = "ring", .section = 1, .type = BPF_MAP_TYPE_RINGBUF, .max_entries = 1,
		   .inner = -1 },
	[ARENA] = { .name = "arena", .section = 1, .type = BPF_MAP_TYPE_ARENA, .max_entries = 2,
		    .inner = -1, .content = variables, .data_size = sizeof(variables) },
};

static const struct prog_kind xdp = { .prefix = "xdp", .prog_type = BPF_PROG_TYPE_XDP };
static struct object_prog progs[] = {
	{ .name = "first", .section = "xdp", .kind = &xdp },
	{ .name = "second", .section = "xdp", .kind = &xdp },
};

static struct fixture {
	struct fake_kernel *fake;
	struct sys *sys;
	struct object_map maps[NR_MAPS];
	struct bpf_object object;
	struct map_options options;
	struct kernel_object k;
	struct error err;
} f;

static void begin(void)
{
	memset(&f, 0, sizeof(f));
	f.fake = fake_kernel_new(NULL);
	f.sys = fake_kernel_sys(f.fake);
	memcpy(f.maps, maps, sizeof(maps));
	f.object = (struct bpf_object){ .name = "prog.o", .license = "GPL", .maps = f.maps,
					 .nr_maps = NR_MAPS, .progs = progs, .nr_progs = 2 };
	f.options.nr_possible_cpus = 4;
}

static int load(void)
{
	struct bpf_insn insns[] = { { .code = BPF_JMP | BPF_EXIT } };
	const struct prog_code code = { .insns = insns, .nr_insns = 1 };
	int ret = kernel_load_maps(f.sys, &f.object, &f.options, &f.k, &f.err);

	for (uint32_t i = 0; i < f.object.nr_progs && !ret; i++)
		ret = kernel_verify_prog(f.sys, &f.k, i, &code, &f.err);
	return ret ? ret : kernel_fill_prog_arrays(f.sys, &f.k, &f.err);
}

static void end(void)
{
	if (!f.fake)
		return;
	kernel_unload(f.sys, &f.k);
	ck_assert_int_eq(fake_kernel_leaks(f.fake, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(f.fake, stderr), 0);
	fake_kernel_free(f.fake);
	error_clear(&f.err);
	memset(&f, 0, sizeof(f));
}

TEST_FIXTURE(NULL, end)

/* Returns the attributes of a map that another process has pinned, as the object describes it. */
static union bpf_attr like_kept(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = maps[KEPT].type;
	attr.key_size = maps[KEPT].key_size;
	attr.value_size = maps[KEPT].value_size;
	attr.max_entries = maps[KEPT].max_entries;
	attr.map_flags = maps[KEPT].map_flags;
	return attr;
}

TEST_EACH(pins_are_kept_when_asked, 2)
{
	begin();
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	ck_assert_uint_eq(fake_kernel_nr_pins(f.fake), 1);
	ck_assert_str_eq(f.k.maps[KEPT].pin_path, PIN);
	ck_assert(!f.k.maps[KEPT].reused);
	ck_assert_uint_eq(f.k.maps[RING].max_entries, sysconf(_SC_PAGESIZE));
	if (_i)
		kernel_keep_pins(&f.k);
	kernel_unload(f.sys, &f.k);
	ck_assert_uint_eq(fake_kernel_nr_pins(f.fake), _i);
}

TEST(pin_is_reused)
{
	const union bpf_attr attr = like_kept();

	begin();
	fake_kernel_pin(f.fake, PIN, &attr);
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	ck_assert(f.k.maps[KEPT].reused);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_OBJ_PIN"), 0);
	kernel_unload(f.sys, &f.k);
	ck_assert_uint_eq(fake_kernel_nr_pins(f.fake), 1);
}

static const struct {
	uint32_t type;
	const char *field, *is, *want;
} different[] = {
	{ BPF_MAP_TYPE_ARRAY, "type", "BPF_MAP_TYPE_ARRAY", "BPF_MAP_TYPE_HASH" },
	{ 0, "key_size", "8", "4" },
	{ 0, "value_size", "16", "8" },
	{ 0, "max_entries", "11", "10" },
	{ 0, "map_flags", "0x101", "0x1" },
	{ 0, "map_extra", "0x5", "0x0" },
};

TEST_ROWS(other_pin_is_refused, different)
{
	union bpf_attr attr = like_kept();
	uint32_t *const fields[] = { NULL, &attr.key_size, &attr.value_size, &attr.max_entries,
				     &attr.map_flags };
	char text[256];

	begin();
	if (different[_i].type)
		attr.map_type = different[_i].type;
	else if (_i < 5)
		*fields[_i] = strtoul(different[_i].is, NULL, 0);
	else
		attr.map_extra = 5;
	fake_kernel_pin(f.fake, PIN, &attr);
	ck_assert_int_eq(load(), -EEXIST);
	ck_assert_pstr_eq(f.err.reason, "map-pin/incompatible");
	ck_assert_str_eq(f.err.where, "map 'kept'");
	snprintf(text, sizeof(text), "'%s' has %s %s, but the object declares %s", PIN,
		 different[_i].field, different[_i].is, different[_i].want);
	ck_assert_msg(strstr(f.err.what, text) != NULL, "'%s' lacks '%s'", f.err.what, text);
	ck_assert(strstr(f.err.hint, "--pin-path") != NULL);
	kernel_unload(f.sys, &f.k);
	ck_assert_uint_eq(fake_kernel_nr_pins(f.fake), 1);
}

/*
 * Flags that a device map has of the kernel's own, and elements that an LRU map is rounded up by.
 */
TEST_EACH(what_the_kernel_adds_is_no_difference, 4)
{
	const bool lru = _i % 2;
	union bpf_attr attr = like_kept();

	begin();
	if (lru) {
		f.maps[KEPT].type = attr.map_type =
			_i == 1 ? BPF_MAP_TYPE_LRU_HASH : BPF_MAP_TYPE_LRU_PERCPU_HASH;
		f.maps[KEPT].map_flags = attr.map_flags = BPF_F_NO_COMMON_LRU;
		attr.max_entries = 12;
	} else {
		f.maps[KEPT].type = attr.map_type = _i ? BPF_MAP_TYPE_DEVMAP_HASH : BPF_MAP_TYPE_DEVMAP;
		f.maps[KEPT].map_flags = BPF_F_NUMA_NODE | BPF_F_WRONLY;
		attr.map_flags = BPF_F_NUMA_NODE | BPF_F_RDONLY_PROG;
	}
	fake_kernel_pin(f.fake, PIN, &attr);
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	ck_assert_uint_eq(f.k.maps[KEPT].max_entries, lru ? 12 : 10);
}

/* The kernel rounds max_entries up, never down, and only for LRU maps with a list for each CPU. */
TEST_EACH(fewer_elements_are_a_difference, 2)
{
	union bpf_attr attr = like_kept();

	begin();
	f.maps[KEPT].type = attr.map_type = BPF_MAP_TYPE_LRU_HASH;
	f.maps[KEPT].map_flags = attr.map_flags = _i ? BPF_F_NO_COMMON_LRU : 0;
	attr.max_entries = _i ? 9 : 12;
	fake_kernel_pin(f.fake, PIN, &attr);
	ck_assert_int_eq(load(), -EEXIST);
	ck_assert_pstr_eq(f.err.reason, "map-pin/incompatible");
	ck_assert_msg(strstr(f.err.what, "max_entries") != NULL, "%s", f.err.what);
}

/* Between our look and our pin somebody else pins one like it: theirs is taken, once found. */
TEST(faster_others_win)
{
	begin();
	fake_kernel_race_pins(f.fake, 1);
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	ck_assert(f.k.maps[KEPT].reused);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_OBJ_GET"), 2);
	kernel_unload(f.sys, &f.k);
	ck_assert_uint_eq(fake_kernel_nr_pins(f.fake), 1);
}

static void no_bpffs(void) { fake_kernel_set_age(f.fake, FAKE_NO_BPFFS); }
static void no_directory(void) { f.options.pin_dir = "/sys/fs/bpf/none"; }
static void name_with_dot(void) { f.maps[KEPT].name = "a.b"; }
static void name_with_slash(void) { f.maps[KEPT].name = "../a"; }
static void name_with_escape(void) { f.maps[KEPT].name = "a\033[31m"; }
static void name_with_newline(void) { f.maps[KEPT].name = "a\nb"; }
static void path_with_dot(void) { f.maps[KEPT].pin_path = "/sys/fs/bpf/a.b"; }

static void same_pin(void)
{
	f.maps[INNER].name = "kept";
	f.maps[INNER].pin_by_name = true;
}

static void same_pin_of_three(void)
{
	f.maps[RING].name = "another";
	f.maps[RING].pin_by_name = true;
	same_pin();
}

static const struct {
	void (*change)(void);
	const char *reason, *what, *hint;
} refused[] = {
	{ no_bpffs, "map-pin/no-bpffs", "'/sys/fs/bpf' is not in a file system of type bpf",
	  "mount -t bpf" },
	{ no_directory, "map-pin/no-directory", "'/sys/fs/bpf/none'", "--pin-path" },
	{ name_with_dot, "map-pin/name", "only letters, digits", "pin=PATH" },
	{ name_with_slash, "map-pin/name", "only letters, digits", "pin=PATH" },
	{ name_with_escape, "map-pin/name", "only letters, digits", "pin=PATH" },
	{ name_with_newline, "map-pin/name", "only letters, digits", "pin=PATH" },
	{ path_with_dot, "map-pin/refused", "BPF_OBJ_PIN '/sys/fs/bpf/a.b'", "'.'" },
	{ same_pin_of_three, "map-pin/name", "two maps would be pinned at '" PIN "'", "pin=PATH" },
	{ same_pin, "map-pin/name", "two maps would be pinned at '" PIN "'", "pin=PATH" },
};

TEST_ROWS(pinning_is_refused, refused)
{
	begin();
	refused[_i].change();
	ck_assert_int_lt(load(), 0);
	ck_assert_pstr_eq(f.err.reason, refused[_i].reason);
	ck_assert_msg(strstr(f.err.what, refused[_i].what) != NULL, "%s", f.err.what);
	ck_assert_msg(strstr(f.err.hint, refused[_i].hint) != NULL, "%s", f.err.hint);
	kernel_unload(f.sys, &f.k);
	ck_assert_uint_eq(fake_kernel_nr_pins(f.fake), 0);
}

/* With a pin of others there (_i & 1): it stays, whatever fails. */
static void fail_each_call(int code, bool other)
{
	const union bpf_attr attr = like_kept();
	unsigned int n = 0, calls = 1;

	for (; n < calls; n++) {
		int ret;

		begin();
		if (other)
			fake_kernel_pin(f.fake, PIN, &attr);
		fake_kernel_fail_call(f.fake, n, code);
		ret = load();
		if (!n)
			calls = fake_kernel_nr_calls(f.fake) + 1;
		if (ret < 0)
			ck_assert_msg(f.err.what[0] && f.err.where[0], "call %u: '%s' at '%s'", n,
				      f.err.what, f.err.where);
		kernel_unload(f.sys, &f.k);
		ck_assert_msg(fake_kernel_nr_pins(f.fake) == other, "call %u: %u pins", n,
			      fake_kernel_nr_pins(f.fake));
		end();
	}
	ck_assert_uint_gt(n, 10);
}

TEST_EACH(every_call_fails, 10)
{
	static const int codes[] = { ENOMEM, EINVAL, EPERM, ENOENT, EEXIST };

	fail_each_call(codes[_i / 2], _i % 2);
}

/* An older kernel gets attributes in an older form, which lacks nothing that these maps need. */
TEST_EACH(old_kernels_are_met, 6)
{
	static const unsigned int ages[] = {
		FAKE_NO_BTF, FAKE_NO_MAP_BTF, FAKE_NO_NAMES, FAKE_MEMLOCK, FAKE_NO_BATCH,
		FAKE_NO_BTF | FAKE_NO_MAP_BTF | FAKE_NO_NAMES | FAKE_MEMLOCK |
			FAKE_NO_BATCH,
	};

	begin();
	fake_kernel_set_age(f.fake, ages[_i]);
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	ck_assert_uint_eq(fake_kernel_nr_pins(f.fake), 1);
}

TEST_EACH(slots_are_filled, 2)
{
	begin();
	f.maps[OUTER].max_entries = _i ? 1 : 2;
	ck_assert_int_eq(load(), _i ? -E2BIG : 0);
	if (_i) {
		ck_assert_str_eq(f.err.where, "map 'outer': slot 1, 'inner'");
		ck_assert(strstr(f.err.what, "has 1 entries") != NULL);
	} else {
		ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_MAP_UPDATE_BATCH"), 1);
		ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_MAP_UPDATE_ELEM"), 2);
	}
}

/* The slots of other programs are filled. */
TEST(program_that_is_not_loaded_has_an_empty_slot)
{
	struct bpf_insn insns[] = { { .code = BPF_JMP | BPF_EXIT } };
	const struct prog_code code = { .insns = insns, .nr_insns = 1 };

	begin();
	ck_assert_int_eq(kernel_load_maps(f.sys, &f.object, &f.options, &f.k, &f.err), 0);
	ck_assert_int_eq(kernel_verify_prog(f.sys, &f.k, 1, &code, &f.err), 0);
	ck_assert_int_eq(kernel_fill_prog_arrays(f.sys, &f.k, &f.err), 0);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_MAP_UPDATE_ELEM"), 1);
}

TEST(unlike_inner_map_is_explained)
{
	unsigned int n = 0;

	begin();
	fake_kernel_set_age(f.fake, FAKE_NO_BATCH);
	f.maps[INNER].max_entries = 3;
	ck_assert_int_eq(load(), 0);
	while (strcmp(fake_kernel_call(f.fake, n)->name, "BPF_MAP_UPDATE_ELEM"))
		n++;
	end();
	begin();
	fake_kernel_set_age(f.fake, FAKE_NO_BATCH);
	f.maps[INNER].max_entries = 3;
	fake_kernel_fail_call(f.fake, n + 1, EINVAL);
	ck_assert_int_eq(load(), -EINVAL);
	ck_assert_msg(strstr(f.err.hint, "max_entries is 3, but 1") != NULL, "%s", f.err.hint);
	ck_assert(strstr(f.err.hint, "BPF_F_INNER_MAP") != NULL);
}

/*
 * Variables are in the last page, or on kernels before 7.0 in the first one, as libbpf 1.7 has them;
 * nothing of an arena stays mapped. With an address of its own and nothing to write it is not mapped
 * at all. One of 512 MB and a page holds the offset by which the kernel is asked.
 */
static const struct {
	unsigned int age;
	uint32_t max_entries;	/* 0: 512 MB and a page */
	uint32_t data_pages;	/* that the variables need */
	bool zero;
	uint64_t map_extra;
	int64_t page;		/* of the variables; -1: the last one */
	unsigned int asked;	/* loads of a program for that */
} placed[] = {
	{ 0, 2, 1, false, 0, 1, 1 },
	{ FAKE_NO_OFFSETS, 2, 1, false, 0, 0, 1 },
	{ 0, 3, 2, true, 0, 1, 1 },
	{ FAKE_NO_OFFSETS, 3, 2, true, 0, 0, 1 },
	{ 0, 2, 1, true, 0x100000000000, 1, 1 },
	{ FAKE_NO_OFFSETS, 2, 1, true, 0x100000000000, 0, 1 },
	{ 0, 0, 1, true, 0, -1, 1 },
	{ 0, 1, 1, false, 0, 0, 0 },	/* there is no other page */
	{ 0, 2, 0, true, 0, 0, 0 },	/* there are no variables */
};

TEST_ROWS(arena_is_filled, placed)
{
	const uint32_t page = sysconf(_SC_PAGESIZE);
	struct object_map *arena = &f.maps[ARENA];
	int fds[NR_MAPS];

	begin();
	fake_kernel_set_age(f.fake, placed[_i].age);
	arena->max_entries = placed[_i].max_entries ? placed[_i].max_entries : (1u << 29) / page + 1;
	arena->data_section = placed[_i].data_pages ? 5 : 0;
	if (placed[_i].zero) {
		arena->content = NULL;
		arena->data_size = placed[_i].data_pages * page;
	}
	arena->map_extra = placed[_i].map_extra;
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "mmap"), !placed[_i].map_extra);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_PROG_LOAD"),
			  f.object.nr_progs + placed[_i].asked);
	kernel_map_fds(&f.k, &f.object, fds);
	ck_assert_uint_eq(arena->data_at,
			  (placed[_i].page < 0 ? arena->max_entries - 1 : placed[_i].page) * page);
	ck_assert_int_eq(fds[ARENA], f.k.maps[ARENA].fd);
	if (!placed[_i].zero)
		ck_assert_mem_eq(fake_kernel_map(f.fake, "arena")->values + arena->data_at,
				 variables, sizeof(variables));
}

/* Another session has put variables into a pinned arena, where this kernel takes them. */
TEST_EACH(pinned_arena_has_its_variables_in_place, 2)
{
	begin();
	fake_kernel_set_age(f.fake, _i ? FAKE_NO_OFFSETS : 0);
	f.maps[ARENA].data_section = 5;
	f.maps[ARENA].pin_by_name = true;
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	kernel_keep_pins(&f.k);
	kernel_unload(f.sys, &f.k);
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	ck_assert(f.k.maps[ARENA].reused);
	ck_assert_uint_eq(f.k.maps[ARENA].data_at, _i ? 0 : sysconf(_SC_PAGESIZE));
	ck_assert_uint_eq(fake_kernel_count(f.fake, "mmap"), 1);
	for (int i = 0; i < NR_MAPS; i++)
		f.k.maps[i].pin_is_ours = f.k.maps[i].pin_path != NULL;
}

static const struct {
	uint32_t max_entries, flags;
	int code;
	const char *what;
} arenas[] = {
	{ UINT32_MAX, 0, -E2BIG, "more than 4 GB" },
	{ 0, 0, -E2BIG, "do not fit into" },
	{ 2, BPF_F_SEGV_ON_FAULT, -EINVAL, "BPF_F_SEGV_ON_FAULT" },
};

TEST_ROWS(arena_is_refused, arenas)
{
	begin();
	f.maps[ARENA].max_entries = arenas[_i].max_entries;
	f.maps[ARENA].map_flags = arenas[_i].flags;
	ck_assert_int_eq(load(), arenas[_i].code);
	ck_assert_str_eq(f.err.where, "map 'arena'");
	ck_assert_str_eq(f.err.reason, "map-create/arena");
	ck_assert_msg(strstr(f.err.what, arenas[_i].what) != NULL, "%s", f.err.what);
	ck_assert(f.err.hint[0]);
}

/* 4 GB and no page more; variables as large as all of its pages, and no byte more. */
TEST_EACH(arena_is_exactly_large_enough, 8)
{
	const uint32_t page = sysconf(_SC_PAGESIZE), most = (1ull << 32) / page;
	const struct {
		uint32_t max_entries, data_size;
		int ret;
	} sizes[] = {
		{ most - 1, 0, 0 }, { most, 0, 0 }, { most + 1, 0, -E2BIG },
		{ 1, page - 1, 0 }, { 1, page, 0 }, { 1, page + 1, -E2BIG },
		{ 0, 0, 0 }, { 2, 2 * page, 0 },
	};
	const struct object_map map = { .name = "arena", .data_size = sizes[_i].data_size };
	const struct kernel_map as = { .max_entries = sizes[_i].max_entries };
	struct error err = { 0 };

	ck_assert_int_eq(map_special(BPF_MAP_TYPE_ARENA)->check(&map, &as, &err), sizes[_i].ret);
	error_clear(&err);
}

/* The place of the first call of that name, for fake_kernel_fail_call(). */
static unsigned int first_call(void (*change)(void), const char *name)
{
	unsigned int n = 0;

	begin();
	change();
	ck_assert_int_eq(load(), 0);
	for (const struct fake_call *call;; n++) {
		call = fake_kernel_call(f.fake, n);
		ck_assert_msg(call, "no %s among the %u calls", name, n);
		if (!strcmp(call->name, name))
			break;
	}
	end();
	return n + 1;
}

static void nothing(void) {}

/* An older kernel answers unknown attributes with one of three errnos; others are real errors. */
TEST_EACH(maps_go_without_a_name, 5)
{
	static const int codes[] = { EINVAL, E2BIG, KERNEL_ENOTSUPP, EBUSY, ENOSPC };
	const unsigned int call = first_call(nothing, "BPF_MAP_CREATE");

	begin();
	fake_kernel_fail_call(f.fake, call, codes[_i]);
	ck_assert_int_eq(load(), _i < 3 ? 0 : -codes[_i]);
	if (_i < 3)	/* to find the cause of another refusal, the call is repeated */
		ck_assert_ptr_null(fake_kernel_map(f.fake, "kept"));
	ck_assert_int_eq(fake_kernel_map(f.fake, "") != NULL, _i < 3);
}

/* The answer to a poorer request is none to the whole one. */
TEST(the_first_refusal_is_reported)
{
	const unsigned int call = first_call(nothing, "BPF_MAP_CREATE");

	begin();
	f.maps[KEPT].key_size = 0;	/* EINVAL in each form */
	fake_kernel_fail_call(f.fake, call, E2BIG);
	ck_assert_int_eq(load(), -E2BIG);
	ck_assert_uint_gt(fake_kernel_count(f.fake, "BPF_MAP_CREATE"), 1);
}

static void with_rodata(void)
{
	static unsigned char content[] = { 1, 2, 3, 4 };

	f.maps[INNER] = (struct object_map){
		.name = ".rodata", .kind = OBJECT_MAP_DATA, .section = 2, .inner = -1,
		.type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1,
		.map_flags = BPF_F_RDONLY_PROG, .read_only = true, .content = content,
	};
	f.maps[OUTER].nr_slots = 0;
}

/* Before Linux 5.2 there is no BPF_MAP_FREEZE. Another refusal of it is none of the kernel's age. */
TEST_EACH(data_is_frozen_where_it_can_be, 3)
{
	const unsigned int call = first_call(with_rodata, "BPF_MAP_FREEZE");
	const struct fake_map *map;

	begin();
	with_rodata();
	fake_kernel_set_age(f.fake, _i == 1 ? FAKE_NO_FREEZE : 0);
	if (_i == 2)
		fake_kernel_fail_call(f.fake, call, EPERM);
	ck_assert_int_eq(load(), _i == 2 ? -EPERM : 0);
	ck_assert_str_eq(f.err.where, _i == 2 ? "map '.rodata'" : "");
	if (_i == 2)
		return;
	ck_assert_uint_eq(f.k.maps[INNER].without, _i ? MAP_WITHOUT_FREEZE : 0);
	map = fake_kernel_map(f.fake, "prog.rodata");
	ck_assert_ptr_nonnull(map);
	ck_assert_uint_eq(map->frozen, !_i);
	ck_assert_mem_eq(map->values, f.maps[INNER].content, 4);
}

/* Each attribute that the kernel does not know is left out, and all of them are noted. */
TEST(all_that_is_left_out_is_noted)
{
	begin();
	with_rodata();
	f.object.nr_maps = ARENA;	/* an arena cannot do without the flag */
	f.maps[INNER].map_flags |= BPF_F_MMAPABLE;
	fake_kernel_set_age(f.fake, FAKE_NO_MMAPABLE | FAKE_NO_NAMES);
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	ck_assert_uint_eq(f.k.maps[INNER].without, MAP_WITHOUT_MMAPABLE | MAP_WITHOUT_NAME);
	ck_assert_uint_eq(f.k.maps[KEPT].without, MAP_WITHOUT_NAME);
}

static unsigned int interrupted, tried;

static long interrupt(struct sys *sys, long nr, const unsigned long arg[6])
{
	(void)sys;
	ck_assert_int_eq(nr, __NR_bpf);
	ck_assert_int_eq(arg[0], BPF_PROG_LOAD);
	return tried++ < interrupted ? -EAGAIN : 7;
}

/* A signal interrupts the verifier. After five times the load has failed. */
TEST_EACH(interrupted_loads_are_repeated, 7)
{
	struct sys sys = { .enter = interrupt };
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	interrupted = _i;
	tried = 0;
	ck_assert_int_eq(prog_load_syscall(&sys, &attr), _i < 5 ? 7 : -EAGAIN);
	ck_assert_uint_eq(tried, _i < 5 ? _i + 1 : 5);
}

/* One that was left out is no reason not to count the next. */
TEST_EACH(each_program_that_is_loaded_is_counted, 3)
{
	begin();
	ck_assert_int_eq(load(), 0);
	fake_kernel_prog(f.fake, "first")->run_cnt = 3;
	fake_kernel_prog(f.fake, "second")->run_cnt = 4;
	if (_i < 2)
		sys_close_fd(f.sys, &f.k.progs[_i].fd);
	ck_assert_int_eq(kernel_count_runs(f.sys, &f.k, &f.err), 0);
	ck_assert_uint_eq(f.k.progs[0].run_cnt, _i == 0 ? 0 : 3);
	ck_assert_uint_eq(f.k.progs[1].run_cnt, _i == 1 ? 0 : 4);
}

/* A map of maps that another process has pinned keeps its elements. */
TEST_EACH(slots_of_a_reused_map_stay, 2)
{
	union bpf_attr attr;

	begin();
	f.maps[OUTER].pin_by_name = true;
	if (_i) {
		memset(&attr, 0, sizeof(attr));
		attr.map_type = BPF_MAP_TYPE_ARRAY_OF_MAPS;
		attr.key_size = attr.value_size = 4;
		attr.max_entries = 2;
		fake_kernel_pin(f.fake, "/sys/fs/bpf/outer", &attr);
	}
	ck_assert_msg(!load(), "%s: %s", f.err.where, f.err.what);
	ck_assert_int_eq(f.k.maps[OUTER].reused, _i);
	ck_assert_uint_eq(fake_kernel_count(f.fake, "BPF_MAP_UPDATE_BATCH"), 1 - _i);
}

/* bloom_map_check_btf() wants no type of a key; a queue has no such function: map_check_btf(). */
TEST(only_one_map_without_keys_takes_a_type)
{
	ck_assert(map_takes_btf(BPF_MAP_TYPE_BLOOM_FILTER) && !map_takes_btf(BPF_MAP_TYPE_QUEUE));
}

TEST(a_newer_type_has_no_rule)
{
	ck_assert(map_takes_btf(__MAX_BPF_MAP_TYPE) && !map_needs_btf(__MAX_BPF_MAP_TYPE));
	/* A ring would have a page here, and a map of any number of elements 0. */
	ck_assert_uint_eq(map_least(__MAX_BPF_MAP_TYPE).max_entries, 1);
}

/* --- jump tables --- */

static uint32_t targets[][3] = { { 4 }, { 6, 8, 6 } };

static struct prog_code jumping(struct bpf_insn insns[4], struct prog_jump_table tables[2])
{
	memset(insns, 0, 4 * sizeof(*insns));
	tables[0] = (struct prog_jump_table){ .insn = 0, .nr = 1, .targets = targets[0],
					      .map_fd = -1 };
	tables[1] = (struct prog_jump_table){ .insn = 2, .nr = 3, .targets = targets[1],
					      .map_fd = -1 };
	return (struct prog_code){ .insns = insns, .nr_insns = 4, .jump_tables = tables,
				   .nr_jump_tables = 2 };
}

/* The verifier takes a table when it is frozen, and looks at the first word of its elements. */
TEST(jump_tables)
{
	struct fake_kernel *fake = fake_kernel_new(NULL);
	struct sys *sys = fake_kernel_sys(fake);
	const struct bpf_insn_array_value *values;
	struct prog_jump_table tables[2];
	const struct fake_map *map;
	struct bpf_insn insns[4];
	struct prog_code code = jumping(insns, tables);

	ck_assert_int_eq(kernel_load_jump_tables(sys, &code, NULL), 0);
	map = fake_kernel_map(fake, ".jumptables");
	ck_assert_ptr_nonnull(map);
	ck_assert_uint_eq(map->attr.map_type, BPF_MAP_TYPE_INSN_ARRAY);
	ck_assert_uint_eq(map->attr.max_entries, 3);
	ck_assert(map->frozen);
	values = (const void *)map->values;
	for (int i = 0; i < 3; i++) {
		ck_assert_uint_eq(values[i].orig_off, targets[1][i]);
		ck_assert(!values[i].xlated_off && !values[i].jitted_off);
	}
	ck_assert_int_ge(tables[0].map_fd, 0);
	ck_assert_int_eq(insns[0].imm, tables[0].map_fd);
	ck_assert_int_eq(insns[2].imm, tables[1].map_fd);
	ck_assert_int_ne(insns[0].imm, insns[2].imm);
	kernel_close_jump_tables(sys, &code);
	ck_assert_int_eq(tables[0].map_fd, -1);
	ck_assert_int_eq(fake_kernel_leaks(fake, stderr), 0);
	fake_kernel_free(fake);
}

TEST(jump_tables_fail)
{
	/* For each table a call creates it, others fill it, and one freezes it. */
	static const char *const calls[] = {
		"BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_INSN_ARRAY", "BPF_MAP_UPDATE_ELEM, {map_fd=",
		"BPF_MAP_FREEZE, {map_fd=",
	};
	static const char order[] = "01201112";

	for (unsigned int n = 1; n <= 9; n++) {
		struct fake_kernel *fake = fake_kernel_new(NULL);
		struct sys *sys = fake_kernel_sys(fake);
		struct prog_jump_table tables[2];
		struct bpf_insn insns[4];
		struct prog_code code = jumping(insns, tables);
		struct error err = { 0 };
		int ret;

		fake_kernel_fail_call(fake, n, ENOMEM);
		ret = kernel_load_jump_tables(sys, &code, &err);
		ck_assert_int_eq(ret, n <= 8 ? -ENOMEM : 0);
		if (ret)
			ck_assert_msg(strstr(err.where, n <= 3 ? "of instruction 0" :
								 "of instruction 2") &&
				      strstr(err.call, calls[order[n - 1] - '0']), "%u: %s: %s", n,
				      err.where, err.call);
		kernel_close_jump_tables(sys, &code);
		ck_assert_int_eq(fake_kernel_leaks(fake, stderr), 0);
		fake_kernel_free(fake);
		error_clear(&err);
	}
}

TEST(jump_tables_on_an_older_kernel)
{
	struct fake_kernel *fake = fake_kernel_new(NULL);
	struct sys *sys = fake_kernel_sys(fake);
	struct prog_jump_table tables[2];
	struct bpf_insn insns[4];
	struct prog_code code = jumping(insns, tables);
	struct error err = { 0 };

	fake_kernel_set_age(fake, FAKE_NO_INSN_ARRAY);
	ck_assert_int_eq(kernel_load_jump_tables(sys, &code, &err), -EINVAL);
	ck_assert_str_eq(err.reason, "map-create/type");
	ck_assert_ptr_nonnull(strstr(err.hint, "Linux 6.19"));
	kernel_close_jump_tables(sys, &code);
	ck_assert_int_eq(fake_kernel_leaks(fake, stderr), 0);
	fake_kernel_free(fake);
	error_clear(&err);
}
