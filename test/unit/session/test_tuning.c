// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests of --map: the properties of a map that it changes, and those that it cannot change. */
#include <errno.h>

#include "loader/core/session/load.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

static const struct object_map some[] = {
	{ .name = "a.b", .section = 1, .kind = OBJECT_MAP_BTF, .inner = 1, .max_entries = 1,
	  .pin_by_name = true, .key_size = 4, .value_size = 8, .key_type = 1, .value_type = 2 },
	{ .name = "a.b", .section = 0, .kind = OBJECT_MAP_BTF, .inner = -1, .max_entries = 1 },
	{ .name = "twice", .section = 1, .kind = OBJECT_MAP_BTF, .inner = -1 },
	{ .name = "twice", .section = 1, .kind = OBJECT_MAP_LEGACY, .inner = -1 },
	{ .name = ".bss", .section = 2, .kind = OBJECT_MAP_DATA, .inner = -1 },
};


static int tune(struct object_map maps[NR(some)], const char *text, struct error *err)
{
	struct bpf_object obj = { .name = "prog.o", .maps = maps, .nr_maps = NR(some) };
	struct load_options o = { .maps = { { text }, 1 } };

	memcpy(maps, some, sizeof(some));
	return tuning_apply(&obj, &o, err);
}

TEST(fields_are_changed)
{
	struct object_map m[NR(some)];
	struct error err = { 0 };

	ck_assert_int_eq(tune(m, "a.b.max_entries=0x10", &err), 0);
	ck_assert_uint_eq(m[0].max_entries, 16);
	ck_assert_uint_eq(m[1].max_entries, 1);
	ck_assert_int_eq(tune(m, "a.b.map_flags=4294967295", &err), 0);
	ck_assert_uint_eq(m[0].map_flags, UINT32_MAX);
	ck_assert_int_eq(tune(m, "a.b.numa_node=0", &err), 0);
	ck_assert_uint_eq(m[0].map_flags, BPF_F_NUMA_NODE);
	ck_assert_int_eq(tune(m, "a.b.value_size=8", &err), 0);
	ck_assert(m[0].value_size == 8 && m[0].key_type == 1 && m[0].value_type == 2);
	ck_assert_int_eq(tune(m, "a.b.value_size=1016", &err), 0);
	ck_assert(m[0].value_size == 1016 && !m[0].key_type && !m[0].value_type);
	ck_assert_int_eq(tune(m, "a.b.key_size=16", &err), 0);
	ck_assert(m[0].key_size == 16 && !m[0].key_type && !m[0].value_type);
	ck_assert_int_eq(tune(m, "a.b.map_extra=18446744073709551615", &err), 0);
	ck_assert_uint_eq(m[0].map_extra, UINT64_MAX);
	ck_assert_int_eq(tune(m, "a.b.pin=none", &err), 0);
	ck_assert(!m[0].pin_by_name);
	ck_assert_ptr_null(m[0].pin_path);
	ck_assert_int_eq(tune(m, "a.b.pin=/x=y", &err), 0);
	ck_assert(!m[0].pin_by_name);
	ck_assert_str_eq(m[0].pin_path, "/x=y");
}

static const struct {
	const char *text;
	struct expect expect;
} bad[] = {
	{ "twice.max_entries=1",
	  { EEXIST, "prog.o: --map twice.max", "several maps have the name 'twice'", "different" } },
	{ ".bss.max_entries=1", { EINVAL, "--map .bss", "an array with one element", "--set" } },
	{ "a.c.max_entries=1", { ENOENT, NULL, "no map 'a.c'", "'a.b'" } },
	{ "a.b.max_entries=4294967296", { EINVAL, NULL, "from 0 to 4294967295", "max_entries=" } },
	{ "a.b.max_entries= 1", { EINVAL, NULL, "' 1' is not", NULL } },
	{ "a.b.max_entries=", { EINVAL, NULL, "'' is not", NULL } },
	{ "a.b.type=1", { EINVAL, NULL, "'type' is not a map field", "map_flags" } },
	{ "a.b.max_entries", { EINVAL, NULL, "no '=' and value", "max_entries=1024" } },
	{ "a.b.pin=", { EINVAL, NULL, "no path", "none" } },
	{ ".max_entries=1", { EINVAL, NULL, "the form MAP.FIELD", NULL } },
	{ "=1", { EINVAL, NULL, "no name before", NULL } },
	{ "", { EINVAL, NULL, "no '=' and value", NULL } },
};

TEST_ROWS(changes_are_refused, bad)
{
	struct object_map m[NR(some)];
	struct error err = { 0 };

	expect_error(bad[_i].text, tune(m, bad[_i].text, &err), &err, &bad[_i].expect);
	ck_assert_mem_eq(m, some, sizeof(some));
}
