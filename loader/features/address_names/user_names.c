// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Name the address of a process: which mapping it is in, and which function of that file. */
#include <stdlib.h>
#include <string.h>

#include "loader/features/address_names/addresses_internal.h"

/*
 * Rows of maps have no time: an address may be in each file that was mapped there while samples
 * were taken, one after the other.
 */
#define ALTERNATIVES 3u

struct locations {
	struct location list[ALTERNATIVES];
	unsigned int nr;
	bool more;	/* there are others than these */
};

static void offer(struct locations *all, struct process *p, const struct life *life,
		  const struct mapping *m)
{
	if (!m || all->more)
		return;
	for (unsigned int i = 0; i < all->nr; i++)
		if (mapping_same(m, all->list[i].mapping))
			return;
	if (all->nr == ALTERNATIVES)
		all->more = true;
	else
		all->list[all->nr++] = (struct location){ p, life, m };
}

/* Search what @p maps and mapped; of several programs the last comes first. @comm NULL: any. */
static void search(struct locations *all, struct process *p, const char *comm, uint64_t address)
{
	for (uint32_t i = p->nr; i--;) {
		const struct life *life = &p->lives[i];

		if (comm && strncmp(life->comm, comm, COMM_SIZE))
			continue;
		offer(all, p, life, space_find(life->space, address));
		for (uint32_t n = life->space->nr_replaced; n--;)
			if (mapping_holds(&life->space->replaced[n], address))
				offer(all, p, life, &life->space->replaced[n]);
	}
}

static void search_all(const struct addresses *a, struct locations *all, const char *comm,
		       uint64_t address)
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct process *p = a->processes[i]; p; p = p->next)
			search(all, p, comm, address);
}

static struct locations find_mappings(struct addresses *a, const struct frame_query *q, uint64_t at)
{
	struct process *p = q->pid ? process_find(a, q->pid) : NULL;
	struct locations all = { 0 };

	if (!q->pid) {
		addresses_read_scope(a);
		if (q->comm)
			search_all(a, &all, q->comm, at);
		if (!all.nr)
			search_all(a, &all, NULL, at);
		return all;
	}
	if (p && q->comm)
		search(&all, p, q->comm, at);
	if (p && !all.nr)
		search(&all, p, NULL, at);
	/* Memory becomes executable by mprotect(2), too, which no record reports. */
	if (!all.nr && (!p || (!p->is_read && !p->has_ended)) && process_read(a, q->pid))
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

/* Return "one or two", kept; NULL: neither is known, or there is no memory. */
static const char *either(struct addresses *a, const char *one, const char *two)
{
	const char *kept;
	char *text;

	if (!one || !two || !strcmp(one, two))
		return one ? one : two;
	if (asprintf(&text, "%s or %s", one, two) < 0)
		return NULL;
	kept = strings_keep(&a->strings, text, strlen(text));
	free(text);
	return kept;
}

/* Return the name of a function, or that of the file in brackets; NULL: neither is known. */
static const char *name_of(struct addresses *a, const struct frame *frame)
{
	const char *slash = frame->file ? strrchr(frame->file, '/') : NULL;

	if (frame->symbol || !slash)
		return frame->symbol ? frame->symbol : frame->file;
	return strings_format(&a->strings, "[%.500s]", slash + 1);
}

static bool same_file(const struct frame *one, const struct frame *two)
{
	return one->file && two->file && !strcmp(one->file, two->file);
}

/* Name an address that may be in any of @all: the frame has each name, and what they share. */
static void name_each(struct addresses *a, const struct locations *all, const struct frame_query *q,
		      struct frame *frame)
{
	name_mapped(a, &all->list[0], q, frame);
	for (unsigned int i = 1; i < all->nr; i++) {
		struct frame other = { .address = q->address };

		name_mapped(a, &all->list[i], q, &other);
		if (frame->symbol || other.symbol || !same_file(frame, &other))
			frame->symbol = either(a, name_of(a, frame), name_of(a, &other));
		frame->file = either(a, frame->file, other.file);
		frame->offset = frame->offset == other.offset ? frame->offset : 0;
	}
	if (all->more)
		frame->symbol = either(a, frame->symbol, "others");
	if (all->nr > 1)
		frame->doubt = q->pid ? "the process had other code at this address, too" :
					"processes have different code at this address";
}

static const char *why_not_mapped(struct addresses *a, const struct frame_query *q)
{
	const struct process *p = q->pid ? process_find(a, q->pid) : NULL;

	if (a->lost)
		return strings_format(&a->strings,
				      "no mapping that is known has this address; the records of "
				      "%llu were lost", (unsigned long long)a->lost);
	if (p && p->is_forgotten)
		return "no mapping that is known has this address; 16384 mappings of a process "
		       "are kept, with 4 MB of paths, and 1048576 with 64 MB of all";
	if (!q->pid)
		return "no process that was seen has mapped this address";
	if (!p || !p->nr)
		return strings_format(&a->strings, "process %u is not known: it ended before its "
				      "mappings were read", q->pid);
	return "the process has no code at this address: a caller without a frame pointer is "
	       "likely";
}

/* --- stacks of build IDs --- */

/* The kernel writes 20 bytes, of which a shorter build ID has zeros at the end. */
static bool has_id(const struct mapped_file *file, const unsigned char id[20])
{
	static const unsigned char zeros[20];
	const size_t size = file->build_id_size < 20 ? file->build_id_size : 20;

	return size && !memcmp(file->build_id, id, size) && !memcmp(id + size, zeros, 20 - size);
}

/* Return the file with that build ID, among those that are open or can be opened. */
static struct mapped_file *find_id(struct addresses *a, const unsigned char id[20])
{
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct mapped_file *file = a->files[i]; file; file = file->next)
			if (has_id(file, id))
				return file;
	return NULL;
}

static void read_files(struct addresses *a, struct process *p)
{
	for (uint32_t i = 0; i < p->nr; i++) {
		const struct space *space = p->lives[i].space;

		for (uint32_t j = 0; j < space->nr; j++)
			if (space->list[j].file)
				mapped_file_read(a, &(struct location){
					.process = p, .life = &p->lives[i],
					.mapping = &space->list[j] });
	}
}

static void name_by_build_id(struct addresses *a, const struct frame_query *q,
			     struct frame *frame)
{
	struct process *p = q->pid ? process_find(a, q->pid) : NULL;
	struct mapped_file *file = find_id(a, q->build_id);
	struct mapping whole = { 0 };
	struct location l = { .mapping = &whole };

	frame->build_id = build_id_text(a, q->build_id, 20);
	frame->offset = q->address;
	if (!file && q->pid && !p && process_read(a, q->pid))
		p = process_find(a, q->pid);
	if (!file && p)
		read_files(a, p);
	for (uint32_t i = 0; i < BUCKETS && !file && !p; i++)
		for (p = a->processes[i]; p; p = p->next)
			read_files(a, p);
	if (!file)
		file = find_id(a, q->build_id);
	if (!file) {
		frame->doubt = "no file with this build ID was mapped by a process that was seen";
		return;
	}
	whole.file = file;
	l.process = process_find(a, file->pid);
	if (l.process && l.process->nr)
		l.life = &l.process->lives[l.process->nr - 1];
	frame->file = mapped_file_path(a, file);
	mapped_file_name(a, &l, q->address, q->caller, frame);
	if (!frame->symbol)
		frame->doubt = doubt_of(a, file);
}

void user_names_find(struct addresses *a, const struct frame_query *q, struct frame *frame)
{
	struct locations all;

	if (q->build_id) {
		name_by_build_id(a, q, frame);
		return;
	}
	all = find_mappings(a, q, q->address - q->caller);
	if (all.nr)
		name_each(a, &all, q, frame);
	else
		frame->doubt = why_not_mapped(a, q);
}
