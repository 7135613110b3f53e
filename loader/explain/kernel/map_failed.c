// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Explain why BPF_MAP_CREATE failed. It returns EINVAL for nearly everything, so find the attribute
 * at fault by creating the map without each of them in turn.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "loader/base/calls/machine.h"
#include "loader/core/kernel/attr.h"
#include "loader/explain/kernel/refused.h"
#include "loader/core/kernel/feature.h"
#include "loader/core/sys/cpus.h"
#include "loader/core/sys/refused.h"
#include "loader/base/text/names.h"
#include "loader/explain/denied/privilege.h"

struct failure {
	struct sys *sys;
	const struct bpf_object *object;
	const struct object_map *map;
	const union bpf_attr *attr;	/* with all attributes */
	int code;			/* positive errno */
};

/* Ask the kernel for the cause: Linux 7.2 writes it to @log. Keep its first line, or "". */
static void read_log(const struct failure *f, char *log, uint32_t size)
{
	struct bpf_common_attr common = { .log_buf = attr_pointer(log), .log_size = size,
					  .log_level = 1 };
	union bpf_attr attr = *f->attr;
	int fd;

	memset(log, 0, size);
	fd = sys_bpf_common(f->sys, BPF_MAP_CREATE, &attr, map_attr_size(&attr), &common);
	sys_close_fd(f->sys, &fd);
	log[size - 1] = '\0';
	log[strcspn(log, "\n")] = '\0';
}

/* "BPF_MAP_CREATE of BPF_MAP_TYPE_HASH, key 4 bytes, value 8 bytes, 3 entries, flags 0x0" */
static const char *request(const struct failure *f, char *text, size_t size)
{
	const char *name = sys_map_type_name(f->attr->map_type);

	snprintf(text, size,
		 "BPF_MAP_CREATE of %s, key %u bytes, value %u bytes, %u entries, flags 0x%x",
		 name ? name : "a type unknown here", f->attr->key_size, f->attr->value_size,
		 f->attr->max_entries, f->attr->map_flags);
	return text;
}

/*
 * "REQUEST: Invalid argument: WHAT". The kernel's own message precedes @what, which was found by
 * trial.
 */
static int fail(const struct failure *f, struct error *err, const char *reason, const char *what)
{
	char log[256], text[160];

	read_log(f, log, sizeof(log));
	error_set(err, f->code, "%s: %s%s%s%s%s", request(f, text, sizeof(text)),
		  error_strerror(f->code), log[0] ? ": " : "", log, what[0] ? ": " : "", what);
	error_reason(err, reason);
	return -f->code;
}

/*
 * Report that no known cause applies, and which were ruled out; or the kernel's own message, if
 * any.
 */
static int unknown(const struct failure *f, struct error *err, const char *ruled_out)
{
	char log[256], text[160];

	read_log(f, log, sizeof(log));
	if (!log[0])
		return sys_error_unknown(err, request(f, text, sizeof(text)), f->code,
					 "map-create/failed", "%s", ruled_out);
	fail(f, err, "map-create/failed", "");
	return error_hint(err, "%s", ruled_out);
}

static bool creates(const struct failure *f, union bpf_attr *attr)
{
	int fd;

	sys_why(f->sys, "diagnosis: is the map created with these attributes?");
	fd = sys_bpf(f->sys, BPF_MAP_CREATE, attr, map_attr_size(attr));
	if (fd >= 0)
		sys_close(f->sys, fd);
	return fd >= 0;
}

/*
 * --- attributes: each function resets one to the smallest map's; false: it already is ---
 */

static bool drop_flags(union bpf_attr *attr, const struct kernel_map *least)
{
	const bool had = attr->map_flags != least->map_flags;

	attr->map_flags = least->map_flags;
	attr->numa_node = 0;
	return had;
}

static bool drop_extra(union bpf_attr *attr, const struct kernel_map *least)
{
	const bool had = attr->map_extra;

	(void)least;
	attr->map_extra = 0;
	return had;
}

static bool drop_entries(union bpf_attr *attr, const struct kernel_map *least)
{
	const bool had = attr->max_entries != least->max_entries;

	attr->max_entries = least->max_entries;
	return had;
}

/* BTF types go with sizes. */
static bool drop_sizes(union bpf_attr *attr, const struct kernel_map *least)
{
	const bool had = attr->key_size != least->key_size || attr->value_size != least->value_size;

	attr->key_size = least->key_size;
	attr->value_size = least->value_size;
	if (had && !map_needs_btf(attr->map_type))
		attr->btf_fd = attr->btf_key_type_id = attr->btf_value_type_id = 0;
	return had;
}

/* Map types that require BTF get the key's type, an int, as value type. */
static bool drop_value(union bpf_attr *attr, const struct kernel_map *least)
{
	const bool had = map_needs_btf(attr->map_type) && attr->btf_key_type_id &&
			 attr->btf_value_type_id != attr->btf_key_type_id;

	(void)least;
	if (had) {
		attr->value_size = attr->key_size;
		attr->btf_value_type_id = attr->btf_key_type_id;
	}
	return had;
}

static const struct {
	bool (*drop)(union bpf_attr *attr, const struct kernel_map *least);
	const char *reason, *what, *hint;
} parts[] = {
	{ drop_flags, "map-create/flags", "the kernel accepts it without its map_flags",
	  "this kernel does not know one of the flags, or not for this map type" },
	{ drop_extra, "map-create/extra", "the kernel accepts it with map_extra 0",
	  "map_extra is for bloom filters (number of hashes, up to 15) and arenas (an address)" },
	{ drop_entries, "map-create/entries", "the kernel accepts it with another max_entries",
	  "most types need at least 1; task storage and the like allow only 0" },
	{ drop_sizes, "map-create/size", "the kernel accepts it with another key or value size",
	  "arrays have 4-byte keys; rings, queues and arenas have no key, and rings no value" },
	{ drop_value, "map-create/field", "the kernel accepts it with the key's type as value type",
	  "the value has a field not allowed in this map type; the struct behind a __uptr is at "
	  "most a page" },
};

#define NR_PARTS (sizeof(parts) / sizeof(parts[0]))

/* Less than BPF_LOCAL_STORAGE_MAX_VALUE_SIZE, so any value that is too large exceeds it. */
#define SMALL_VALUE 4096

/* Return "key" or "value" if the map lacks a required one, or NULL. */
static const char *lacks(const union bpf_attr *attr, const struct kernel_map *least)
{
	return !attr->key_size && least->key_size     ? "key" :
	       !attr->value_size && least->value_size ? "value" : NULL;
}

static bool is_ring(uint32_t type)
{
	return type == BPF_MAP_TYPE_RINGBUF || type == BPF_MAP_TYPE_USER_RINGBUF;
}

static int fail_part(const struct failure *f, size_t i, const struct kernel_map *least,
		     struct error *err)
{
	const bool large = (f->code == E2BIG || f->code == ENOMEM) &&
			   (parts[i].drop == drop_entries || parts[i].drop == drop_sizes ||
			    (parts[i].drop == drop_value && f->attr->value_size > SMALL_VALUE));
	const char *lacking = parts[i].drop == drop_sizes ? lacks(f->attr, least) : NULL;

	fail(f, err, large ? "map-create/too-large" : parts[i].reason,
	     large ? "the kernel accepts a smaller one" : parts[i].what);
	if (parts[i].drop == drop_entries && !f->attr->max_entries)
		return error_hint(err, "max_entries is missing: add __uint(max_entries, N), or "
				       "use --map=%.64s.max_entries=N", f->map->name);
	if (parts[i].drop == drop_entries && !large && is_ring(f->attr->map_type))
		return error_hint(err, "max_entries of a ring is its size in bytes: a power of "
				       "two, and a multiple of the page size, %ld",
				  sysconf(_SC_PAGESIZE));
	if (lacking && !large)
		return error_hint(err, "its %s is missing: add __type(%s, TYPE) or "
				       "__uint(%s_size, BYTES)",
				  lacking, lacking, lacking);
	return error_hint(err, "%s", large ? "use a smaller max_entries or value" :
					     parts[i].hint);
}

/*
 * Find the attribute, or combination, without which the map is created. Return false if not even
 * the smallest map of the type is created.
 */
static bool explain_parts(const struct failure *f, struct error *err)
{
	const struct kernel_map least = map_least(f->attr->map_type);
	union bpf_attr attr = *f->attr;
	bool any = false;

	for (size_t i = 0; i < NR_PARTS; i++) {
		union bpf_attr without = *f->attr;

		any |= parts[i].drop(&attr, &least);
		if (!parts[i].drop(&without, &least) || !creates(f, &without))
			continue;
		fail_part(f, i, &least, err);
		return true;
	}
	if (!any || !creates(f, &attr))
		return false;
	fail(f, err, "map-create/combination",
	     "the kernel accepts it only with minimal flags, entries and sizes");
	error_hint(err, "more than one of flags, entries and sizes does not suit this type");
	return true;
}

/* --- causes --- */

/* Return true if an array of one element can be created, so BPF_MAP_CREATE itself works. */
static bool creates_array(const struct failure *f)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = attr.value_size = 4;
	attr.max_entries = 1;
	return creates(f, &attr);
}

/* Even the smallest map of the type is refused. */
static int explain_type(const struct failure *f, struct error *err)
{
	const char *type = sys_map_type_name(f->attr->map_type);

	if (!creates_array(f))
		return unknown(f, err, "ruled out: the map, because an array of one element is "
				       "refused as well");
	fail(f, err, "map-create/type", "even the smallest map of this type is refused");
	return error_hint(err, "this kernel may not know %s, or was built without it",
			  type ? type : "this map type");
}

/* Since Linux 7.2 the kernel's own message is the cause; older kernels only return EINVAL. */
static int explain_struct_ops(const struct failure *f, struct error *err)
{
	const bool link = f->map->map_flags & BPF_F_LINK;

	if (!sys_is_before(f->sys, link ? 6 : 5, link ? 4 : 6))
		return unknown(f, err, link ?
			       "ruled out: a kernel before 6.4, which lacks .struct_ops.link; the "
			       "BTF of its struct was not checked" :
			       "ruled out: a kernel before 5.6, which lacks .struct_ops; the BTF "
			       "of its struct was not checked");
	fail(f, err, "map-create/struct-ops", "this kernel has no such struct_ops");
	return error_hint(err, link ? "section .struct_ops.link needs Linux 6.4" :
				      "section .struct_ops needs Linux 5.6");
}

static int explain_invalid(const struct failure *f, struct error *err)
{
	const struct object_map *map = f->map;

	if (map->type == BPF_MAP_TYPE_STRUCT_OPS)
		return explain_struct_ops(f, err);
	if (map_needs_btf(map->type) &&
	    (!f->attr->btf_key_type_id || !f->attr->btf_value_type_id)) {
		fail(f, err, "map-create/needs-btf", "the BTF types of its key and value are "
						     "missing");
		return error_hint(err,
				  "this map type needs BTF: __type(key, int); __type(value, ...);");
	}
	return explain_parts(f, err) ? 0 : explain_type(f, err);
}

/* Return true if this is an x86 CPU without cmpxchg16b. */
static bool lacks_cx16(const struct failure *f)
{
	char text[CPU_FLAGS_SIZE];
	const char *flags = cpu_flags_read(f->sys, text);

	return flags && !strstr(flags, " cx16");
}

/* EINVAL also means an unknown type. E2BIG means a size, never memory. */
static int explain_memory(const struct failure *f, struct error *err)
{
	if (explain_parts(f, err))
		return 0;
	if (creates_array(f)) {
		if (f->code != ENOMEM || f->attr->map_type != BPF_MAP_TYPE_ARENA || !lacks_cx16(f))
			return unknown(f, err,
				       "ruled out: its flags, entries and sizes (the smallest map "
				       "of this type is refused, too), and a lack of memory (an "
				       "array of one element works)");
		fail(f, err, "map-create/cpu", "this CPU has no cmpxchg16b (cx16)");
		return error_hint(err, "arenas need it since Linux 6.19; qemu has it with -cpu "
				       "max or -cpu qemu64,+cx16");
	}
	if (f->code == E2BIG)
		return unknown(f, err, "ruled out: the map, because an array of one element is "
				       "refused as well");
	fail(f, err, "map-create/no-memory",
	     "the kernel reports that it is out of memory, even for a small map");
	return error_hint(err, "the machine or its cgroup is out of memory: see memory.max");
}

/*
 * map_check_btf() in kernel/bpf/syscall.c: 524 and EOPNOTSUPP concern special fields in the value.
 */
static int explain_value(const struct failure *f, struct error *err)
{
	union bpf_attr attr = *f->attr;

	attr.btf_fd = attr.btf_key_type_id = attr.btf_value_type_id = 0;
	if (!f->attr->btf_value_type_id || !creates(f, &attr))
		return unknown(f, err, "ruled out: a lock, timer, list or kernel pointer in its "
				       "value (it is refused without types, too)");
	fail(f, err, "map-create/field",
	     "values in this map type cannot contain a lock, timer, list or kernel pointer");
	return error_hint(err, "hash and array maps support them, other types only some: see "
			       "bpf_spin_lock");
}

/* Programs are loaded after the maps and need more capabilities. */
static uint64_t caps_of_progs(const struct bpf_object *obj)
{
	uint64_t caps = 0;

	for (uint32_t i = 0; obj && i < obj->nr_progs; i++)
		if (obj->progs[i].kind)
			caps |= sys_prog_caps(obj->progs[i].kind->prog_type);
	return caps;
}

static int explain_permission(const struct failure *f, struct error *err)
{
	const struct sys_asked asked = {
		.room = SYS_MAP_CREATE, .call = "BPF_MAP_CREATE", .caps = SYS_CAP(CAP_BPF),
		.session_caps = caps_of_progs(f->object), .sysctl = "unprivileged_bpf_disabled",
		.nr = __NR_bpf, .request = BPF_MAP_CREATE,
	};

	return sys_denied(f->sys, &asked, f->code, err);
}

static int explain_fds(const struct failure *f, struct error *err)
{
	return kernel_fds_failed(f->sys, "BPF_MAP_CREATE", "map-create/fd-limit", f->code, err);
}

static int explain_other(const struct failure *f, struct error *err)
{
	return unknown(f, err, "the kernel gave no other reason");
}

static const struct {
	int code;
	int (*explain)(const struct failure *f, struct error *err);
} causes[] = {
	{ EPERM, explain_permission },
	{ ENOSYS, explain_permission },
	{ EMFILE, explain_fds },
	{ ENFILE, explain_fds },
	{ EINVAL, explain_invalid },
	{ EBADF, explain_invalid },	/* STRUCT_OPS without BTF */
	{ E2BIG, explain_memory },
	{ ENOMEM, explain_memory },
	{ EOPNOTSUPP, explain_value },
	{ KERNEL_ENOTSUPP, explain_value },
};

int kernel_map_failed(struct sys *sys, const struct bpf_object *obj, const struct object_map *map,
		      const union bpf_attr *attr, int code, struct error *err)
{
	const struct failure f = { sys, obj, map, attr, code };
	int (*how)(const struct failure *f, struct error *err) = explain_other;
	union bpf_attr again = *attr;

	if (!err)
		return -code;
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].code == code)
			how = causes[i].explain;
	if (how != explain_fds && code != ENOMEM && creates(&f, &again))
		unknown(&f, err, "the same call now works: the cause is gone");
	else
		how(&f, err);
	sys_error_bpf(err, BPF_MAP_CREATE, attr, map_attr_size(attr), code);
	return -code;
}

void explain_map(struct sys *sys, const void *call, struct error *err)
{
	const struct refused_map *r = call;

	kernel_map_failed(sys, r->obj, r->map, r->attr, r->code, err);
}
