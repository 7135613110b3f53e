// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Apply the records of a side-band event to the processes. Each record starts with struct
 * perf_event_header and, because of attr.sample_id_all, ends with the fields of attr.sample_type.
 * See enum perf_event_type in include/uapi/linux/perf_event.h:
 *
 *	COMM		u32 pid, tid; char comm[]
 *	FORK, EXIT	u32 pid, ppid, tid, ptid; u64 time
 *	MMAP2		u32 pid, tid; u64 address, length, page offset;
 *			u32 major, minor; u64 inode, generation
 *			or u8 size of the build ID, 3 bytes, u8 build ID[20];
 *			u32 prot, flags; char path[]
 *	KSYMBOL		u64 address; u32 length; u16 type, flags; char name[]
 *	LOST		u64 id, number
 */
#include <string.h>

#include <linux/perf_event.h>

#include "loader/profile/address_names/addresses_internal.h"

#define HEADER sizeof(struct perf_event_header)
#define KSYMBOL_BPF 1
#define KSYMBOL_UNREGISTER 1

static uint32_t u32(struct bytes b, size_t at)
{
	return bytes_u32(b, HEADER + at, false);
}

static uint64_t u64(struct bytes b, size_t at)
{
	return bytes_u64(b, HEADER + at, false);
}

/* Return the process of a record, read from /proc if it is new; NULL if it is not one of ours. */
static struct process *process_of(struct addresses *a, uint32_t pid)
{
	struct process *p = process_find(a, pid);

	if (p || !a->everyone || !pid || pid > INT32_MAX)
		return p;
	process_read(a, pid);
	return process_add(a, pid);
}

static void apply_comm(struct addresses *a, struct bytes record, uint16_t misc)
{
	const char *comm = bytes_string(record, HEADER + 8);
	struct process *p = process_of(a, u32(record, 0));

	if (!p || !comm)
		return;
	if (misc & PERF_RECORD_MISC_COMM_EXEC)
		process_exec(a, p, comm);
	else if (u32(record, 0) == u32(record, 4))	/* not the name of another thread */
		process_set_comm(a, p, comm);
}

static void apply_fork(struct addresses *a, struct bytes record)
{
	const uint32_t pid = u32(record, 0), parent = u32(record, 4);
	struct process *p = pid != parent ? process_of(a, parent) : NULL;

	if (p)
		process_fork(a, p, pid);
}

static void apply_exit(struct addresses *a, struct bytes record)
{
	struct process *p = process_find(a, u32(record, 0));

	if (p && u32(record, 0) == u32(record, 8))
		process_end(a, p);
}

/* Remove " (deleted)", which the kernel appends to the path of such a file. */
static size_t path_length(const char *path)
{
	static const char deleted[] = " (deleted)";
	const size_t len = strlen(path), mark = sizeof(deleted) - 1;

	return path[0] == '/' && len > mark && !strcmp(path + len - mark, deleted) ? len - mark :
										     len;
}

static void apply_mmap(struct addresses *a, struct bytes record, uint16_t misc)
{
	const char *path = bytes_string(record, HEADER + 64);
	struct process *p = path ? process_of(a, u32(record, 0)) : NULL;
	struct mapping m = { .start = u64(record, 8), .offset = u64(record, 24) };
	struct file_identity id = { 0 };

	if (!p || __builtin_add_overflow(m.start, u64(record, 16), &m.end) ||
	    (a->ended_ns && a->record_ns > a->ended_ns))
		return;
	if (!strcmp(path, "//anon"))
		path = "";
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		id.build_id_size = bytes_u8(record, HEADER + 32);
		if (id.build_id_size > sizeof(id.build_id))
			id.build_id_size = sizeof(id.build_id);
		memcpy(id.build_id, record.data + HEADER + 36, id.build_id_size);
	} else {
		id.major = u32(record, 32);
		id.minor = u32(record, 36);
		id.inode = u64(record, 40);
	}
	m.file = mapped_file_get(a, path, path_length(path), &id);
	process_map(a, p, &m);
	if (m.file)
		mapped_file_hold(a, m.file, p, &m);
	mapped_file_put(a, m.file);
}

static void apply_ksymbol(struct addresses *a, struct bytes record)
{
	const char *name = bytes_string(record, HEADER + 16);
	const uint32_t type = u32(record, 12);

	if (!name || bytes_u16(record, HEADER + 14, false) & KSYMBOL_UNREGISTER)
		return;
	a->changes++;
	kernel_names_add(&a->kernel, u64(record, 0), name,
			 (type & 0xffff) == KSYMBOL_BPF ? "bpf" : "");
}

/* The minimum size of each type of record. */
static size_t size_of(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_COMM:
		return HEADER + 9;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return HEADER + 24;
	case PERF_RECORD_MMAP2:
		return HEADER + 65;
	case PERF_RECORD_KSYMBOL:
		return HEADER + 17;
	case PERF_RECORD_LOST:
		return HEADER + 16;
	default:
		return HEADER;
	}
}

void record_apply(struct addresses *a, struct bytes record)
{
	const uint32_t type = bytes_u32(record, 0, false);
	const uint16_t misc = bytes_u16(record, 4, false);

	if (record.size < size_of(type))
		return;
	a->record_ns = bytes_u64(record, record.size - 8, false);
	switch (type) {
	case PERF_RECORD_COMM:
		apply_comm(a, record, misc);
		break;
	case PERF_RECORD_FORK:
		apply_fork(a, record);
		break;
	case PERF_RECORD_EXIT:
		apply_exit(a, record);
		break;
	case PERF_RECORD_MMAP2:
		apply_mmap(a, record, misc);
		break;
	case PERF_RECORD_KSYMBOL:
		apply_ksymbol(a, record);
		break;
	case PERF_RECORD_LOST:
		a->lost += u64(record, 8);
		break;
	}
	a->record_ns = 0;
}
