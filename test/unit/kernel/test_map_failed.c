// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Why a map could not be created: which part of it is too much, found by creating it without. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "loader/explain/kernel/refused.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"

/* The properties of a map that this kernel refuses. A member that is 0 refuses nothing. */
struct dislikes {
	uint32_t flags;		/* any of these */
	bool extra;
	uint32_t entries;	/* more than these */
	bool no_entries;	/* max_entries 0 */
	uint32_t size;		/* a key or value larger than this */
	bool empty;		/* a key or value of no bytes */
	bool all;		/* but for an array of one element */
	bool everything;
	bool types;		/* a value with a type */
	bool once;		/* nothing when it is tried again */
	const char *release;	/* NULL: unknown */
	const char *cpu;	/* of /proc/cpuinfo */
	const char *log;	/* what it logs, if it knows BPF_COMMON_ATTRS */
};

static long other(struct files *files, long nr, const unsigned long arg[6])
{
	const struct dislikes *no = files->arg;
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];

	if (nr == __NR_prlimit64) {
		ck_assert_uint_eq(arg[1], RLIMIT_NOFILE);
		((uint64_t *)arg[3])[0] = 16;
		((uint64_t *)arg[3])[1] = 4096;
		return 0;
	}
	if (nr == __NR_close)
		return 0;
	ck_assert(nr == __NR_bpf && (arg[0] & ~(unsigned long)BPF_COMMON_ATTRS) == BPF_MAP_CREATE);
	if (arg[0] & BPF_COMMON_ATTRS) {
		const struct bpf_common_attr *common = (const struct bpf_common_attr *)arg[3];

		ck_assert_uint_eq(arg[4], sizeof(*common));
		ck_assert_uint_eq(common->log_level, 1);
		if (no->log)
			strncpy((char *)common->log_buf, no->log, common->log_size);
		return -EINVAL;
	}
	if (no->once)
		return files_take_fd(files, NULL);
	if (no->everything || (no->types && attr->btf_value_type_id != attr->btf_key_type_id) ||
	    (no->all && (attr->map_type != BPF_MAP_TYPE_ARRAY || attr->max_entries != 1)) ||
	    attr->map_flags & no->flags || (no->extra && attr->map_extra) ||
	    (no->no_entries && !attr->max_entries) || (no->entries && attr->max_entries > no->entries) ||
	    (no->size && (attr->key_size > no->size || attr->value_size > no->size)) ||
	    (no->empty && (!attr->key_size || !attr->value_size)))
		return -EINVAL;
	return files_take_fd(files, NULL);
}

#define NEW "6.18.0\n"
#define CX16 "processor\t: 0\nflags\t\t: fpu cx8 cx16 sse2\nbugs\t\t:\n"
#define NO_CX16 "processor\t: 0\nflags\t\t: fpu cx8 sse2\nbugs\t\t: cx16\n"

static const struct {
	uint32_t type, key_size, value_size, max_entries, map_flags;
	uint64_t map_extra;
	struct dislikes no;
	int code;
	const char *reason, *what, *hint;
} rows[] = {
	{ BPF_MAP_TYPE_HASH, 4, 8, 3, BPF_F_ZERO_SEED, 0, { .flags = BPF_F_ZERO_SEED }, EINVAL,
	  "map-create/flags", "the kernel accepts it without its map_flags", "does not know one of the flags" },
	{ BPF_MAP_TYPE_BLOOM_FILTER, 0, 8, 3, 0, 16, { .extra = true }, EINVAL,
	  "map-create/extra", "with map_extra 0", "bloom filters" },
	{ BPF_MAP_TYPE_BLOOM_FILTER, 0, 8, 3, 0, 16,
	  { .extra = true, .log = "Invalid map_extra.\nmore\n" }, EINVAL, "map-create/extra",
	  "Invalid argument: Invalid map_extra.: the kernel accepts it with map_extra 0", "bloom filters" },
	{ BPF_MAP_TYPE_HASH, 4, 8, 5, 0, 0, { .entries = 4 }, EINVAL, "map-create/entries",
	  "with another max_entries", "most types need at least 1; task storage and the like allow" },
	{ BPF_MAP_TYPE_HASH, 4, 8, 0, 0, 0, { .no_entries = true }, EINVAL, "map-create/entries",
	  "with another max_entries", "max_entries is missing: add __uint(max_entries, N), or use" },
	{ BPF_MAP_TYPE_HASH, 4096, 8, 5, 0, 0, { .size = 512 }, EINVAL, "map-create/size",
	  "the kernel accepts it with another key or value size", "arrays have 4-byte keys" },
	{ BPF_MAP_TYPE_HASH, 4, 0, 5, 0, 0, { .empty = true }, EINVAL, "map-create/size",
	  "value 0 bytes", "its value is missing: add __type(value, TYPE) or" },
	{ BPF_MAP_TYPE_HASH, 0, 8, 5, 0, 0, { .empty = true }, EINVAL, "map-create/size",
	  "key 0 bytes", "its key is missing: add __type(key, TYPE) or" },
	{ BPF_MAP_TYPE_HASH, 4096, 8, 5, 1, 0, { .size = 512, .flags = 1 }, EINVAL,
	  "map-create/combination", "the kernel accepts it only with minimal flags, entries and", "more than one" },
	{ BPF_MAP_TYPE_ARENA, 0, 0, 5, BPF_F_MMAPABLE, 0, { .all = true }, EINVAL,
	  "map-create/type", "smallest map of this type is refused", "BPF_MAP_TYPE_ARENA" },
	{ 250, 4, 4, 5, 0, 0, { .all = true }, EINVAL, "map-create/type", "a type unknown here",
	  "this map type" },
	{ BPF_MAP_TYPE_RINGBUF, 0, 0, 1 << 30, 0, 0, { .entries = 1 << 20 }, ENOMEM,
	  "map-create/too-large", "the kernel accepts a smaller one", "smaller" },
	{ BPF_MAP_TYPE_ARRAY, 4, 1 << 30, 1000, 0, 0, { .size = 4096 }, E2BIG,
	  "map-create/too-large", "the kernel accepts a smaller one", "smaller" },
	{ BPF_MAP_TYPE_ARRAY, 4, 4, 1, 0, 0, { .everything = true }, ENOMEM,
	  "map-create/no-memory", "the kernel reports that it is out of memory, even for a", "cgroup" },
	{ BPF_MAP_TYPE_ARENA, 0, 0, 5, 0, 0, { .all = true, .cpu = NO_CX16 }, ENOMEM,
	  "map-create/cpu", "no cmpxchg16b", "-cpu max" },
	{ BPF_MAP_TYPE_ARENA, 0, 0, 5, 0, 0, { .all = true, .cpu = CX16 }, ENOMEM,
	  "map-create/failed", "unknown: ENOMEM", "ruled out: its flags, entries and sizes (the smallest map" },
	{ BPF_MAP_TYPE_ARENA, 0, 0, 5, 0, 0, { .all = true, .cpu = "processor\t: 0\n" }, ENOMEM,
	  "map-create/failed", "unknown: ENOMEM", "ruled out: its flags, entries and sizes (the smallest map" },
	{ BPF_MAP_TYPE_ARENA, 0, 0, 5, 0, 0, { .all = true }, ENOMEM,
	  "map-create/failed", "unknown: ENOMEM", "ruled out: its flags, entries and sizes (the smallest map" },
	{ BPF_MAP_TYPE_HASH, 4, 8, 5, 0, 0, { .all = true, .cpu = NO_CX16 }, ENOMEM,
	  "map-create/failed", "unknown: ENOMEM", "ruled out: its flags, entries and sizes (the smallest map" },
	{ BPF_MAP_TYPE_ARENA, 0, 0, 5, 0, 0, { .all = true, .cpu = NO_CX16 }, E2BIG,
	  "map-create/failed", "unknown: E2BIG", "ruled out: its flags, entries and sizes (the smallest map" },
	/* Its struct behind a __uptr is larger than a page; a value is larger than 64 KB. */
	{ BPF_MAP_TYPE_TASK_STORAGE, 4, 16, 0, BPF_F_NO_PREALLOC, 0, { .types = true }, E2BIG,
	  "map-create/field", "the kernel accepts it with the key's type as value type", "at most a page" },
	{ BPF_MAP_TYPE_TASK_STORAGE, 4, 16, 0, BPF_F_NO_PREALLOC, 0, { .types = true }, EINVAL,
	  "map-create/field", "the kernel accepts it with the key's type as value type", "the value has a field" },
	{ BPF_MAP_TYPE_TASK_STORAGE, 4, 4096, 0, BPF_F_NO_PREALLOC, 0, { .types = true }, E2BIG,
	  "map-create/field", "the kernel accepts it with the key's type as value type", "at most a page" },
	{ BPF_MAP_TYPE_TASK_STORAGE, 4, 4097, 0, BPF_F_NO_PREALLOC, 0, { .types = true }, E2BIG,
	  "map-create/too-large", "the kernel accepts a smaller one", "smaller" },
	{ BPF_MAP_TYPE_HASH, 4, 8, 3, BPF_F_ZERO_SEED, 0, { .flags = BPF_F_ZERO_SEED }, E2BIG,
	  "map-create/flags", "the kernel accepts it without its map_flags", "does not know one of the flags" },
	/* Nothing that is known applies. */
	{ BPF_MAP_TYPE_HASH, 4, 8, 3, 0, 0, { .everything = true }, EINVAL, "map-create/failed",
	  "3 entries, flags 0x0: Invalid argument: unknown: EINVAL, no known cause applies",
	  "ruled out: the map, because an array" },
	{ BPF_MAP_TYPE_HASH, 4, 8, 3, 0, 0, { .everything = true }, E2BIG, "map-create/failed",
	  "unknown: E2BIG", "because an array" },
	{ BPF_MAP_TYPE_HASH, 4, 8, 3, 0, 0, { .everything = true }, EBADF, "map-create/failed",
	  "unknown: EBADF", "because an array" },
	{ BPF_MAP_TYPE_HASH, 4, 8, 3, 0, 0, { .everything = true, .log = "No such hash.\n" },
	  EINVAL, "map-create/failed", "Invalid argument: No such hash.", "because an array" },
	{ BPF_MAP_TYPE_HASH, 4, 8, 3, 0, 0, { .once = true }, EINVAL, "map-create/failed",
	  "unknown: EINVAL", "the same call now works: the cause is gone" },
	{ BPF_MAP_TYPE_QUEUE, 0, 8, 1, 0, 0, { .everything = true }, EOPNOTSUPP,
	  "map-create/failed", "unknown: EOPNOTSUPP", "without types" },
	{ BPF_MAP_TYPE_STRUCT_OPS, 4, 8, 1, 0, 0, { .all = true, .release = NEW }, EINVAL,
	  "map-create/failed",
	  "unknown: EINVAL", "ruled out: a kernel before 5.6" },
	{ BPF_MAP_TYPE_STRUCT_OPS, 4, 8, 1, BPF_F_LINK, 0, { .all = true, .release = NEW }, EINVAL,
	  "map-create/failed", "unknown: EINVAL", "ruled out: a kernel before 6.4" },
	{ BPF_MAP_TYPE_TASK_STORAGE, 4, 8, 0, BPF_F_NO_PREALLOC, 0, { .all = true }, EINVAL,
	  "map-create/needs-btf", "the BTF types of its key and value are missing", "__type(key, int)" },
	{ BPF_MAP_TYPE_STRUCT_OPS, 4, 8, 1, 0, 0, { .all = true, .release = "5.4.0\n" }, EINVAL,
	  "map-create/struct-ops", "has no such struct", "Linux 5.6" },
	{ BPF_MAP_TYPE_STRUCT_OPS, 4, 8, 1, BPF_F_LINK, 0, { .all = true, .release = "6.3.0\n" }, EINVAL,
	  "map-create/struct-ops", "has no such struct", "Linux 6.4" },
	{ BPF_MAP_TYPE_QUEUE, 0, 8, 1, 0, 0, { .types = true }, EOPNOTSUPP, "map-create/field",
	  "values in this map type cannot contain a lock, timer, list", "hash and array" },
	{ BPF_MAP_TYPE_QUEUE, 0, 8, 1, 0, 0, { .types = true }, 524, "map-create/field",
	  "ENOTSUPP", "hash and array" },
	{ BPF_MAP_TYPE_ARRAY, 4, 4, 1, 0, 0, { .all = true }, EMFILE, "map-create/fd-limit",
	  "Too many open files", "limit is 16 (hard: 4096)" },
	{ BPF_MAP_TYPE_ARRAY, 4, 4, 1, 0, 0, { .all = true }, ENFILE, "map-create/fd-limit",
	  "Too many open files", "fs.file-max" },
	{ BPF_MAP_TYPE_ARRAY, 4, 4, 1, 0, 0, { .everything = true }, EIO, "map-create/failed",
	  "Input/output error", "dmesg" },
	{ BPF_MAP_TYPE_ARRAY, 4, 4, 1, 0, 0, { .everything = true }, EPERM, "map-create/no-capability",
	  "CAP_BPF", "root" },
};

TEST_ROWS(explains, rows)
{
	const struct object_map map = { .name = "counts", .type = rows[_i].type, .map_flags = rows[_i].map_flags };
	const struct fake_file table[] = {
		{ "/proc/sys/kernel/osrelease", rows[_i].no.release, rows[_i].no.release ? 0 : ENOENT },
		{ "/proc/cpuinfo", rows[_i].no.cpu, rows[_i].no.cpu ? 0 : ENOENT }, { 0 }
	};
	struct dislikes no = rows[_i].no;
	struct error err = { 0 };
	struct files files;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = rows[_i].type;
	attr.key_size = rows[_i].key_size;
	attr.value_size = rows[_i].value_size;
	attr.max_entries = rows[_i].max_entries;
	attr.map_flags = rows[_i].map_flags;
	attr.map_extra = rows[_i].map_extra;
	attr.btf_key_type_id = rows[_i].no.types && attr.key_size ? 7 : 0;
	attr.btf_value_type_id = rows[_i].no.types ? 8 : 0;
	files_init(&files, table);
	files.other = other;
	files.arg = &no;
	ck_assert_int_eq(kernel_map_failed(&files.sys, NULL, &map, &attr, rows[_i].code, &err),
			 -rows[_i].code);
	ck_assert_int_eq(err.code, -rows[_i].code);
	ck_assert_str_eq(err.reason, rows[_i].reason);
	ck_assert_msg(strstr(err.what, rows[_i].what), "'%s' has no '%s'", err.what, rows[_i].what);
	ck_assert_msg(strstr(err.hint, rows[_i].hint), "'%s' has no '%s'", err.hint, rows[_i].hint);
	ck_assert_msg(!strncmp(err.call, "bpf(BPF_MAP_CREATE, {map_type=", 30), "%s", err.call);
	ck_assert_uint_eq(files.open, 0);
}

/*
 * Programs are loaded after the maps: the hint has the requirements of all programs, not of the
 * first.
 */
TEST(hint_has_what_the_programs_take)
{
	const struct object_map map = { .name = "counts", .type = BPF_MAP_TYPE_ARRAY };
	const struct prog_kind sampling = { .prog_type = BPF_PROG_TYPE_PERF_EVENT },
			       xdp = { .prog_type = BPF_PROG_TYPE_XDP };
	struct object_prog progs[] = { { .name = "a" }, { .kind = &sampling }, { .kind = &xdp } };
	const struct bpf_object obj = { .progs = progs, .nr_progs = 3 };
	struct dislikes no = { .everything = true };
	union bpf_attr attr;
	struct error err = { 0 };
	struct files files;

	memset(&attr, 0, sizeof(attr));
	files_init(&files, NULL);
	files.other = other;
	files.arg = &no;
	kernel_map_failed(&files.sys, &obj, &map, &attr, EPERM, &err);
	ck_assert_ptr_nonnull(strstr(err.what, "it requires CAP_BPF"));
	ck_assert_ptr_nonnull(strstr(err.hint, "setcap cap_bpf,cap_perfmon,cap_net_admin=ep"));
}
