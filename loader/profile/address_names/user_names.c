// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Name an address in a process: find its mapping, and the function in that file. */
#include <stdlib.h>
#include <string.h>

#include "loader/profile/address_names/addresses_internal.h"

/*
 * Map elements have no timestamp: an address may belong to any file that was mapped there while
 * samples were taken. Take the latest.
 */
struct found {
	struct location location;
	bool more;	/* there was other code at the address, too */
};

static void offer(struct found *found, struct process *p, const struct life *life,
		  const struct mapping *m)
{
	if (!m)
		return;
	if (!found->location.mapping)
		found->location = (struct location){ p, life, m };
	else
		found->more |= !mapping_same(m, found->location.mapping);
}

/* Search the current and past mappings of @p, last program first. @comm NULL: any. */
static void search(struct found *found, struct process *p, const char *comm, uint64_t address)
{
	for (uint32_t i = p->nr; i--;) {
		const struct life *life = &p->lives[i];

		if (comm && strncmp(life->comm, comm, COMM_SIZE))
			continue;
		offer(found, p, life, space_find(life->space, address));
		for (uint32_t n = life->space->nr_replaced; n--;)
			if (mapping_holds(&life->space->replaced[n], address))
				offer(found, p, life, &life->space->replaced[n]);
	}
}

static void search_all(const struct addresses *a, struct found *found, const char *comm,
		       uint64_t address)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct process *p = a->processes[i]; p; p = p->next)
			search(found, p, comm, address);
}

static struct found find_mappings(struct addresses *a, const struct frame_query *q, uint64_t at)
{
	struct process *p = q->pid ? process_find(a, q->pid) : NULL;
	struct found all = { .more = false };

	if (!q->pid) {
		addresses_read_scope(a);
		if (q->comm)
			search_all(a, &all, q->comm, at);
		if (!all.location.mapping)
			search_all(a, &all, NULL, at);
		return all;
	}
	if (p && q->comm)
		search(&all, p, q->comm, at);
	if (p && !all.location.mapping)
		search(&all, p, NULL, at);
	/* Memory can also become executable through mprotect(2), which no record reports. */
	if (!all.location.mapping && (!p || (!p->is_read && !p->has_ended)) &&
	    process_read(a, q->pid))
		search(&all, process_find(a, q->pid), NULL, at);
	return all;
}

/* --- from a mapping to a name --- */

/* Return file->doubt, kept; NULL: none. */
static const char *doubt_of(struct addresses *a, const struct mapped_file *file)
{
	return file->doubt ? strings_keep(&a->strings, file->doubt, strlen(file->doubt)) : NULL;
}

static void name_mapped(struct addresses *a, const struct location *l, const struct frame_query *q,
			struct frame *frame)
{
	const struct mapping *m = l->mapping;
	struct mapped_file *file = m->file;

	if (!file) {
		frame->doubt = "there was no memory to keep the path of its file";
		return;
	}
	frame->file = mapped_file_path(a, file);
	if (!mapped_file_name(a, l, q->address - m->start + m->offset, q->caller, frame) &&
	    mapped_file_jit(a, l, q->address, q->caller, frame))
		return;
	if (!frame->symbol && !frame->doubt)
		frame->doubt = doubt_of(a, file);
}

static const char *why_not_mapped(struct addresses *a, const struct frame_query *q)
{
	const struct process *p = q->pid ? process_find(a, q->pid) : NULL;

	if (a->lost)
		return strings_format(&a->strings,
				      "no known mapping contains this address; the records of %llu "
				      "were lost", (unsigned long long)a->lost);
	if (p && p->is_forgotten)
		return "no known mapping contains this address; pload keeps 16384 mappings per "
		       "process with 4 MB of paths, 12 MB per user, and 1048576 with 64 MB in "
		       "total";
	if (!q->pid)
		return "no process seen so far has mapped this address";
	if (p && p->waits)
		return strings_format(&a->strings, "the mappings of process %u were not read: the "
						   "kernel waited too long for its user", q->pid);
	if (!p || !p->nr)
		return strings_format(&a->strings, "process %u is not known: it exited before its "
						   "mappings were read", q->pid);
	return "the process has no code at this address: probably a caller without frame pointers";
}

void user_names_find(struct addresses *a, const struct frame_query *q, struct frame *frame)
{
	const struct found found = find_mappings(a, q, q->address - q->caller);

	if (!found.location.mapping) {
		frame->doubt = why_not_mapped(a, q);
		return;
	}
	name_mapped(a, &found.location, q, frame);
	if (found.more)
		frame->doubt = q->pid ? "the process also had other code at this address" :
					"processes have different code at this address";
}
