// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Name the address of a process: which mapping it is in, and which function of that file. */
#include <stdlib.h>
#include <string.h>

#include "loader/features/addresses/addresses_internal.h"
#include "loader/features/symbols/process_files.h"
#include "loader/sys/number.h"
#include "loader/sys/read.h"

/* The mapping that an address is taken to be in. */
struct match {
	struct process *process;
	const struct mapping *mapping;	/* NULL: none */
	bool disagree;			/* another one has other code there */
};

static void offer(struct match *match, struct process *p, const struct mapping *m)
{
	if (!m)
		return;
	if (match->mapping) {
		match->disagree |= !mapping_same(m, match->mapping);
		return;
	}
	match->process = p;
	match->mapping = m;
}

/* Search what @p maps and mapped; of several programs the last comes first. @comm NULL: any. */
static void search(struct match *match, struct process *p, const char *comm, uint64_t address)
{
	for (uint32_t i = p->nr; i--;) {
		const struct life *life = &p->lives[i];

		if (comm && strncmp(life->comm, comm, COMM_SIZE))
			continue;
		offer(match, p, space_find(life->space, address));
		offer(match, p, space_find_replaced(life->space, address));
	}
}

static void search_all(const struct addresses *a, struct match *match, const char *comm,
		       uint64_t address)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct process *p = a->processes[i]; p; p = p->next)
			search(match, p, comm, address);
}

static struct match find_mapping(struct addresses *a, const struct frame_query *q, uint64_t at)
{
	struct process *p = q->pid ? process_find(a, q->pid) : NULL;
	struct match match = { 0 };

	if (!q->pid) {
		if (q->comm)
			search_all(a, &match, q->comm, at);
		if (!match.mapping)
			search_all(a, &match, NULL, at);
		return match;
	}
	if (p && q->comm)
		search(&match, p, q->comm, at);
	if (p && !match.mapping)
		search(&match, p, NULL, at);
	/* Memory becomes executable by mprotect(2), too, which no record reports. */
	if (!match.mapping && (!p || (!p->is_read && !p->has_ended)) && process_read(a, q->pid))
		search(&match, process_find(a, q->pid), NULL, at);
	return match;
}

/* --- JIT compilers --- */

#define JIT_AGAIN_NS 1000000000ull

/* "NSpid:	2345	12": the last is the number in the innermost PID namespace. */
static int find_inner_pid(void *arg, char *line)
{
	const char *last = strrchr(line, '\t');
	uint64_t pid;

	if (strncmp(line, "NSpid:", 6))
		return 0;
	if (last && !number_parse(last + 1, strlen(last + 1), &pid))
		*(uint32_t *)arg = pid;
	return 1;
}

/* Return the functions that the process has reported in its perf-PID.map, or NULL. */
static struct code *jit_of(struct addresses *a, struct process *p)
{
	char path[EVENT_PATH_MAX], name[64], root[32] = "";
	const uint64_t now = sys_monotonic_ns();
	uint32_t inner = p->pid;
	int fd;

	if (p->jit_ns && now - p->jit_ns < JIT_AGAIN_NS && (!p->jit || code_is_loaded(p->jit)))
		return p->jit;
	p->jit_ns = now;
	snprintf(path, sizeof(path), "/proc/%u/status", p->pid);
	sys_each_line_of(a->sys, AT_FDCWD, path, find_inner_pid, &inner);
	if (process_root(a->sys, p->pid, root, NULL))
		root[0] = '\0';
	snprintf(name, sizeof(name), "/tmp/perf-%u.map", inner);
	if (process_path(a->sys, root, name, path))
		return p->jit;
	fd = sys_openat(a->sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd >= 0)
		p->jit = code_open_perf_map(a, strings_format(&a->strings, "%s", path), fd);
	return p->jit;
}

static bool find_jit(struct addresses *a, struct process *p, const struct frame_query *q,
		     struct frame *frame)
{
	struct code *code = jit_of(a, p);
	uint64_t start;
	const char *name = code ? code_find(a, code, q->address - q->caller, &start) : NULL;

	if (code && !name)
		frame->doubt = code_doubt(code);
	if (!name)
		return false;
	frame->symbol = name;
	frame->offset = q->address - start;
	frame->file = strings_format(&a->strings, "/tmp/perf-%u.map", p->pid);
	frame->doubt = NULL;
	return true;
}

/* --- from a mapping to a name --- */

static void find_symbol(struct addresses *a, struct code *code, uint64_t offset, bool caller,
			struct frame *frame)
{
	uint64_t address, start;

	frame->offset = offset;
	if (!code || !code_address(code, offset - caller, &address))
		return;
	frame->offset = address + caller;
	frame->symbol = code_find(a, code, address, &start);
	if (frame->symbol)
		frame->offset = address + caller - start;
}

static void name_mapped(struct addresses *a, const struct match *match,
			const struct frame_query *q, struct frame *frame)
{
	const struct mapping *m = match->mapping;
	const uint64_t offset = q->address - m->start + m->offset;
	struct code *code;

	if (!m->file) {
		frame->doubt = "there are more mapped files than are kept";
		return;
	}
	code = mapped_file_code(a, match->process, m);
	frame->file = m->file->id.path[0] ? m->file->id.path : "[anon]";
	frame->build_id = m->file->build_id;
	find_symbol(a, code, offset, q->caller, frame);
	if (!frame->symbol && find_jit(a, match->process, q, frame))
		return;
	if (!frame->symbol && !frame->doubt)
		frame->doubt = m->file->doubt;
	if (match->disagree)
		frame->doubt = q->pid ? "the process had other code at this address, too" :
					"processes have different code at this address";
}

static const char *why_not_mapped(struct addresses *a, const struct frame_query *q)
{
	const struct process *p = q->pid ? process_find(a, q->pid) : NULL;

	if (a->lost || a->dropped)
		return strings_format(&a->strings,
				      "no mapping that is known has this address; the records of "
				      "%llu were lost",
				      (unsigned long long)(a->lost + a->dropped));
	if (!q->pid)
		return "no process that was seen has mapped this address";
	if (!p || !p->nr)
		return strings_format(&a->strings, "process %u is not known: it ended before its "
				      "mappings were read", q->pid);
	return "the process has no code at this address: a caller without a frame pointer is "
	       "likely";
}

/* --- stacks of build IDs --- */

/* Return the file with that build ID, among those that are open or can be opened. */
static const struct mapped_file *find_id(struct addresses *a, const char *id)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (const struct mapped_file *file = a->files[i]; file; file = file->next)
			if (file->build_id == id)
				return file;
	return NULL;
}

static void open_files(struct addresses *a, const struct process *p)
{
	for (uint32_t i = 0; i < p->nr; i++) {
		const struct space *space = p->lives[i].space;

		for (uint32_t j = 0; j < space->nr; j++)
			if (space->list[j].file)
				mapped_file_code(a, p, &space->list[j]);
	}
}

static void name_by_build_id(struct addresses *a, const struct frame_query *q,
			     struct frame *frame)
{
	struct process *p = q->pid ? process_find(a, q->pid) : NULL;
	const struct mapped_file *file;
	struct mapping whole = { 0 };

	frame->build_id = build_id_text(a, q->build_id, BUILD_ID_MAX);
	frame->offset = q->address;
	file = find_id(a, frame->build_id);
	if (!file && q->pid && !p && process_read(a, q->pid))
		p = process_find(a, q->pid);
	if (!file && p)
		open_files(a, p);
	for (uint32_t i = 0; i < BUCKETS && !file && !p; i++)
		for (p = a->processes[i]; p; p = p->next)
			open_files(a, p);
	if (!file)
		file = find_id(a, frame->build_id);
	if (!file) {
		frame->doubt = "no file with this build ID was mapped by a process that was seen";
		return;
	}
	frame->file = file->id.path;
	whole.file = (struct mapped_file *)file;
	find_symbol(a, mapped_file_code(a, p, &whole), q->address, q->caller, frame);
	if (!frame->symbol)
		frame->doubt = file->doubt;
}

void user_names_find(struct addresses *a, const struct frame_query *q, struct frame *frame)
{
	struct match match;

	if (q->build_id) {
		name_by_build_id(a, q, frame);
		return;
	}
	match = find_mapping(a, q, q->address - q->caller);
	if (match.mapping)
		name_mapped(a, &match, q, frame);
	else
		frame->doubt = why_not_mapped(a, q);
}
