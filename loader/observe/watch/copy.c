// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Copy what a call of another process passes: its attributes, and the memory they point to. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

#include "loader/observe/trace/trace_bpf.h"
#include "loader/observe/watch/copy.h"

size_t copy_memory(pid_t pid, uint64_t from, void *to, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)(uintptr_t)from, size };
	const ssize_t n = size ? process_vm_readv(pid, &local, 1, &remote, 1, 0) : 0;

	return n < 0 ? 0 : n;
}

/* --- parts --- */

/* Return space for a part, zeroed and terminated; NULL: none left. */
static void *add_part(struct copy *copy, uint64_t from, size_t size)
{
	struct copied_part *part = &copy->parts[copy->nr_parts];

	if (copy->nr_parts == COPY_PARTS || size > COPY_MAX - copy->size)
		return NULL;
	part->bytes = calloc(1, size + 1);
	if (!part->bytes)
		return NULL;
	part->from = from;
	part->size = size;
	copy->nr_parts++;
	copy->size += size;
	return part->bytes;
}

static void drop_part(struct copy *copy)
{
	free(copy->parts[--copy->nr_parts].bytes);
	copy->size -= copy->parts[copy->nr_parts].size;
}

/* Return a copy of exactly @size bytes, or NULL. */
static void *copy_part(struct copy *copy, uint64_t from, uint64_t size)
{
	void *bytes = from && size && size <= COPY_MAX ? add_part(copy, from, size) : NULL;

	if (!bytes || copy_memory(copy->pid, from, bytes, size) == size)
		return bytes;
	drop_part(copy);
	return NULL;
}

/* The same for a string. The page after it may not exist. Longer strings are truncated. */
static void *copy_string(struct copy *copy, uint64_t from)
{
	char *text = from ? add_part(copy, from, PATH_MAX) : NULL;
	const size_t page = 4096;
	size_t n = 0, got = 1;

	while (text && got && n < PATH_MAX && !memchr(text, '\0', n)) {
		const size_t left = page - (from + n) % page;

		got = copy_memory(copy->pid, from + n, text + n,
				  left < PATH_MAX - n ? left : PATH_MAX - n);
		n += got;
	}
	if (text && !n) {
		drop_part(copy);
		return NULL;
	}
	return text;
}

#define POINTER(p) ((uint64_t)(unsigned long)(p))

/* --- bpf(2) --- */

/* Replace those pointers in @table that point to strings. */
static void copy_strings(struct copy *copy, const struct trace_field *table, union bpf_attr *attr,
			 size_t size)
{
	uint64_t from;

	for (; table && table->name; table++) {
		if (table->kind != TRACE_STRING || table->off + table->width > size)
			continue;
		memcpy(&from, (char *)attr + table->off, sizeof(from));
		from = POINTER(copy_string(copy, from));
		memcpy((char *)attr + table->off, &from, sizeof(from));
	}
}

static void copy_prog(struct copy *copy, union bpf_attr *attr)
{
	attr->insns = POINTER(copy_part(copy, attr->insns,
					(uint64_t)attr->insn_cnt * sizeof(struct bpf_insn)));
	attr->line_info = POINTER(copy_part(copy, attr->line_info, (uint64_t)attr->line_info_cnt *
							   attr->line_info_rec_size));
	attr->func_info = POINTER(copy_part(copy, attr->func_info, (uint64_t)attr->func_info_cnt *
							   attr->func_info_rec_size));
}

static void copy_element(struct copy *copy, const struct fd_names *names, union bpf_attr *attr)
{
	const struct passed p = passed_by_call(names, copy->nr, copy->arg);

	if (p.key)
		attr->key = POINTER(copy_part(copy, POINTER(p.key), p.key_size));
	if (p.value)
		attr->value = POINTER(copy_part(copy, POINTER(p.value), p.value_size));
}

static void copy_bpf(struct copy *copy, const struct fd_names *names)
{
	const unsigned long cmd = copy->arg[0] & ~(unsigned long)BPF_COMMON_ATTRS;
	const struct trace_command *command = trace_command_find(cmd);
	const size_t size = copy->arg[2] < sizeof(union bpf_attr) ? copy->arg[2] :
								     sizeof(union bpf_attr);
	/* Copy the whole union, of which the caller passes only a part. */
	union bpf_attr *attr = add_part(copy, copy->arg[1], sizeof(*attr));

	copy->arg[0] = (uint32_t)copy->arg[0];
	copy->arg[2] = (uint32_t)copy->arg[2];
	copy->unreadable = !attr || copy_memory(copy->pid, copy->arg[1], attr, size) != size;
	copy->arg[1] = copy->unreadable ? 0 : POINTER(attr);
	if (copy->arg[0] != cmd)
		copy->arg[3] = POINTER(copy_part(copy, copy->arg[3],
						 sizeof(struct bpf_common_attr)));
	if (copy->arg[0] != cmd && !copy->arg[3])
		copy->arg[0] = cmd;
	if (copy->unreadable || !command)
		return;
	copy_strings(copy, command->args, attr, size);
	if (cmd == BPF_LINK_CREATE && (attr->link_create.attach_type == BPF_TRACE_UPROBE_MULTI ||
				       attr->link_create.attach_type == BPF_TRACE_UPROBE_SESSION))
		attr->link_create.uprobe_multi.path =
			POINTER(copy_string(copy, attr->link_create.uprobe_multi.path));
	if (cmd == BPF_PROG_LOAD)
		copy_prog(copy, attr);
	else if (cmd == BPF_BTF_LOAD)
		attr->btf = POINTER(copy_part(copy, attr->btf, attr->btf_size));
	else if (copy->arg[0] == BPF_MAP_UPDATE_ELEM)
		copy_element(copy, names, attr);
}

/* --- other calls --- */

/* The size is at most that of the struct; 0 means the first version. */
static void copy_event_attr(struct copy *copy)
{
	struct perf_event_attr *attr = add_part(copy, copy->arg[0], sizeof(*attr));
	const uint64_t from = copy->arg[0];
	uint32_t size = 0;

	copy->arg[0] = 0;
	copy->unreadable = true;
	if (!attr || copy_memory(copy->pid, from + offsetof(struct perf_event_attr, size), &size,
				 sizeof(size)) != sizeof(size))
		return;
	size = size ? size : PERF_ATTR_SIZE_VER0;
	size = size < sizeof(*attr) ? size : sizeof(*attr);
	if (copy_memory(copy->pid, from, attr, size) != size)
		return;
	copy->unreadable = false;
	copy->arg[0] = POINTER(attr);
}

static void copy_ioctl(struct copy *copy)
{
	copy->arg[1] = (uint32_t)copy->arg[1];
	switch (copy->arg[1]) {
	case PERF_EVENT_IOC_PERIOD:
	case PERF_EVENT_IOC_ID:
		copy->arg[2] = POINTER(copy_part(copy, copy->arg[2], sizeof(uint64_t)));
		break;
	case PERF_EVENT_IOC_SET_FILTER:
		copy->arg[2] = POINTER(copy_string(copy, copy->arg[2]));
		break;
	case PERF_EVENT_IOC_QUERY_BPF:
		copy->arg[2] = POINTER(copy_part(copy, copy->arg[2],
						 sizeof(struct perf_event_query_bpf)));
		break;
	}
}

#define LIMITS_SIZE (2 * sizeof(uint64_t))

struct copy *copy_call(pid_t pid, const struct fd_names *names, long nr,
		       const unsigned long arg[6])
{
	struct copy *copy = calloc(1, sizeof(*copy));

	if (!copy)
		return NULL;
	copy->pid = pid;
	copy->nr = nr;
	memcpy(copy->theirs, arg, sizeof(copy->theirs));
	memcpy(copy->arg, arg, sizeof(copy->arg));
	if (nr == __NR_bpf)
		copy_bpf(copy, names);
	else if (nr == __NR_perf_event_open)
		copy_event_attr(copy);
	else if (nr == __NR_ioctl)
		copy_ioctl(copy);
	else if (nr == __NR_prlimit64) {
		copy->arg[2] = POINTER(copy_part(copy, copy->arg[2], LIMITS_SIZE));
		copy->arg[3] = POINTER(copy_part(copy, copy->arg[3], LIMITS_SIZE));
	}
	return copy;
}

/* --- results --- */

/* Other members of the union may have changed since: keep them as they were. */
static void copy_bpf_results(struct copy *copy)
{
	const struct trace_command *command = trace_command_find(copy->arg[0]);
	const size_t size = copy->arg[2] < sizeof(union bpf_attr) ? copy->arg[2] :
								     sizeof(union bpf_attr);
	union bpf_attr now;

	if (!command || !command->result || copy->unreadable ||
	    copy_memory(copy->pid, copy->theirs[1], &now, size) != size)
		return;
	for (const struct trace_field *f = command->result; f->name; f++)
		if (f->kind != TRACE_STRING && f->kind != TRACE_PTR && f->off + f->width <= size)
			memcpy((char *)copy->arg[1] + f->off, (char *)&now + f->off, f->width);
}

void copy_results(struct copy *copy)
{
	if (copy->nr == __NR_bpf)
		copy_bpf_results(copy);
	else if (copy->nr == __NR_ioctl && copy->arg[2] &&
		 (copy->arg[1] == PERF_EVENT_IOC_ID || copy->arg[1] == PERF_EVENT_IOC_QUERY_BPF))
		copy_memory(copy->pid, copy->theirs[2], (void *)copy->arg[2],
			    copy->parts[0].size);
	else if (copy->nr == __NR_prlimit64 && copy->arg[3])
		copy_memory(copy->pid, copy->theirs[3], (void *)copy->arg[3], LIMITS_SIZE);
}

/* --- addresses --- */

static const struct copied_part *part_at(const struct copy *copy, uint64_t address)
{
	for (unsigned int i = 0; i < copy->nr_parts; i++)
		if (POINTER(copy->parts[i].bytes) == address)
			return &copy->parts[i];
	return NULL;
}

void copy_print(FILE *out, const struct copy *copy, const char *text, size_t len)
{
	const char *end = text + len, *at = text, *number;
	bool shown = !copy->unreadable;

	while (at < end && (number = memmem(at, end - at, "0x", 2))) {
		char *after;
		const uint64_t address = strtoull(number, &after, 16);
		const struct copied_part *part = part_at(copy, address);

		fwrite(at, 1, number - at, out);
		if (part)
			fprintf(out, "0x%" PRIx64, part->from);
		else
			fwrite(number, 1, after - number, out);
		at = after;
	}
	/* If the attributes cannot be read, print their address. */
	number = shown ? NULL : memmem(at, end - at, "NULL", 4);
	if (number) {
		fwrite(at, 1, number - at, out);
		fprintf(out, "0x%lx", copy->theirs[copy->nr == __NR_bpf]);
		at = number + 4;
	}
	fwrite(at, 1, end - at, out);
}

void copy_free(struct copy *copy)
{
	for (unsigned int i = 0; copy && i < copy->nr_parts; i++)
		free(copy->parts[i].bytes);
	free(copy);
}
