// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Current and past processes, and the programs that each of them executed.
 *
 *	pid 12	life "sh": space of its parent, shared	(fork)
 *		life "ls": its own space		(execve)
 */
#include <stdlib.h>
#include <string.h>

#include "loader/base/proxy/patience.h"
#include "loader/profile/address_names/addresses_internal.h"

#define PROCESSES_MAX 65536u
#define MAPPINGS_MAX (1u << 20)
#define LIVES_MAX 64u
#define FILES_MAX 65536u
#define FILE_BYTES_MAX (64u << 20)
#define SPACE_BYTES_MAX (4u << 20)	/* for one process, including its mappings */
#define USER_BYTES_MAX (12u << 20)	/* for all of a user's: fewer files than FILES_MAX */

/* A mapping may split another one and replace others, which are kept. */
#define MAPPINGS_OF_ONE 4u

struct process *process_find(const struct addresses *a, uint32_t pid)
{
	struct process *p = a->processes[pid % BUCKETS];

	while (p && p->pid != pid)
		p = p->next;
	return p;
}

static void forget_lives(struct addresses *a, struct process *p, uint32_t nr)
{
	if (!nr)
		return;
	for (uint32_t i = 0; i < nr; i++)
		space_release(a, p->lives[i].space);
	p->nr -= nr;
	memmove(p->lives, p->lives + nr, p->nr * sizeof(*p->lives));
	p->is_forgotten = true;
	a->changes++;
}

static void free_process(struct addresses *a, struct process *p)
{
	forget_lives(a, p, p->nr);
	free(p->lives);
	free(p);
}

/* Remove @p from the list of ended processes; *@at is the link to it. */
static void unlist(struct addresses *a, struct process **at, struct process *p)
{
	*at = p->next_ended;
	if (a->last_ended == &p->next_ended)
		a->last_ended = at;
	p->is_listed = false;
}

/* Free an ended process, to which *@listed points. */
static void forget_listed(struct addresses *a, struct process **listed)
{
	struct process *p = *listed, **at;

	unlist(a, listed, p);
	if (!p->has_ended)	/* another process has its pid now */
		return;
	for (at = &a->processes[p->pid % BUCKETS]; *at != p; at = &(*at)->next)
		;
	*at = p->next;
	free_process(a, p);
	a->nr_processes--;
}

/* Drop the process that ended first, except for @keep. Return false if there is none. */
static bool forget_ended(struct addresses *a, const struct process *keep)
{
	struct process **at = &a->ended;

	if (*at == keep && *at)
		at = &(*at)->next_ended;
	if (!*at)
		return false;
	forget_listed(a, at);
	return true;
}

/*
 * Return true if there is room for the user of @p's current life. To make room, drop the user's
 * processes that ended first until half the limit is free, so that the list is not searched for
 * every mapping. Root and pload's user may use the whole limit.
 */
static bool user_has_room(struct addresses *a, const struct process *p)
{
	const struct space_user *user = p->lives[p->nr - 1].space->user;
	struct process **at = &a->ended, *ended;

	if (user->bytes <= USER_BYTES_MAX || patience_trusts(user->uid))
		return true;
	while ((ended = *at) && user->bytes > USER_BYTES_MAX / 2)
		if (ended != p && ended->nr && ended->lives[ended->nr - 1].space->user == user)
			forget_listed(a, at);
		else
			at = &ended->next_ended;
	return user->bytes <= USER_BYTES_MAX;
}

static uint32_t mappings_of(const struct process *p)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < p->nr; i++)
		nr += p->lives[i].space->nr;
	return nr;
}

/*
 * Drop the mappings of the process with the most, except for @keep: they are read again from
 * /proc/PID/maps when one of its addresses is looked up. Return false if there is none.
 */
static bool forget_largest(struct addresses *a, const struct process *keep)
{
	struct process *largest = NULL;
	uint32_t most = 0;

	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct process *p = a->processes[i]; p; p = p->next)
			if (p != keep && mappings_of(p) > most) {
				largest = p;
				most = mappings_of(p);
			}
	if (!largest)
		return false;
	forget_lives(a, largest, largest->nr);
	largest->is_read = false;
	return true;
}

/* Drop processes until another one fits, and another mapping of @keep, or return false. */
static bool make_room(struct addresses *a, const struct process *keep)
{
	while (a->nr_processes >= PROCESSES_MAX)
		if (!forget_ended(a, keep))
			return false;
	while (a->nr_mappings + MAPPINGS_OF_ONE > MAPPINGS_MAX || a->nr_files > FILES_MAX ||
	       a->file_bytes > FILE_BYTES_MAX)
		if (!forget_ended(a, keep) && !forget_largest(a, keep))
			return false;
	return true;
}

/* Add a process; @keep is not dropped to make room. */
static struct process *add(struct addresses *a, uint32_t pid, const struct process *keep)
{
	struct process *p = process_find(a, pid), **at = &a->processes[pid % BUCKETS];

	if (p)
		return p;
	if (!make_room(a, keep))
		a->dropped++;
	else
		p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->pid = pid;
	p->next = *at;
	*at = p;
	a->nr_processes++;
	a->changes++;
	return p;
}

struct process *process_add(struct addresses *a, uint32_t pid)
{
	return add(a, pid, NULL);
}

/* All earlier lives of a process together may have as many mappings as one life. */
static void bound_lives(struct addresses *a, struct process *p)
{
	uint32_t mappings = 0, from = p->nr;
	uint64_t bytes = 0;

	while (from && p->nr - from < LIVES_MAX - 1) {
		mappings += p->lives[from - 1].space->nr;
		bytes += p->lives[from - 1].space->bytes;
		if (mappings > SPACE_MAX || bytes > SPACE_BYTES_MAX)
			break;
		from--;
	}
	forget_lives(a, p, from);
}

/* Add a life, which takes ownership of @space; NULL if out of memory. */
static struct life *add_life(struct addresses *a, struct process *p, struct space *space,
			     const struct owner *owner)
{
	struct life *grown = NULL;

	p->has_ended = false;
	p->is_read = false;
	a->changes++;
	if (!space)
		return NULL;
	bound_lives(a, p);
	grown = array_grow(p->lives, p->nr, sizeof(*grown));
	if (!grown) {
		space_release(a, space);
		return NULL;
	}
	p->lives = grown;
	p->lives[p->nr] = (struct life){ .space = space, .owner = *owner };
	return &p->lives[p->nr++];
}

/* Add a life without mappings; NULL if out of memory. */
static struct life *add_program(struct addresses *a, struct process *p)
{
	struct owner owner = { .uid = UINT32_MAX, .inner_pid = p->pid };

	if (p->nr)
		owner = p->lives[p->nr - 1].owner;
	process_identify(a, p->pid, &owner);
	return add_life(a, p, space_new(a, owner.uid), &owner);
}

/* Return the current life, adding one if there is none; NULL if out of memory. */
static struct life *present_life(struct addresses *a, struct process *p)
{
	return p->nr ? &p->lives[p->nr - 1] : add_program(a, p);
}

bool process_map(struct addresses *a, struct process *p, const struct mapping *m)
{
	struct life *life = present_life(a, p);

	a->changes++;
	if (life && life->space->bytes <= SPACE_BYTES_MAX && user_has_room(a, p) &&
	    make_room(a, p) && space_map(a, &life->space, m))
		return true;
	p->is_forgotten = true;
	a->dropped++;
	return false;
}

void process_set_comm(struct addresses *a, struct process *p, const char *comm)
{
	struct life *life = present_life(a, p);

	if (!life)
		return;
	a->changes++;
	memset(life->comm, 0, COMM_SIZE);
	memcpy(life->comm, comm, strnlen(comm, COMM_SIZE - 1));
}

/* A program is not charged for the cost of an earlier one with the same pid. */
static void begin_program(struct process *p)
{
	p->nr_reads = 0;
	p->jit_given_up = false;
	p->jit_spent_ns = p->no_jit_until_ns = 0;
}

void process_exec(struct addresses *a, struct process *p, const char *comm)
{
	if (!add_program(a, p))
		return;
	begin_program(p);
	process_set_comm(a, p, comm);
}

/*
 * A child has the user and files of its parent, but its own pid in a PID namespace. New namespaces
 * take effect on names when it executes a program.
 */
static void inherit(struct addresses *a, struct life *life, const struct process *p,
		    const struct process *parent, const struct life *from)
{
	memcpy(life->comm, from->comm, COMM_SIZE);
	life->owner.inner_pid = p->pid;
	if (from->owner.inner_pid != parent->pid)
		process_identify(a, p->pid, &life->owner);
}

void process_fork(struct addresses *a, struct process *parent, uint32_t pid)
{
	struct process *p = add(a, pid, parent);
	const struct life *from;
	struct life *life;

	if (!p || !parent->nr || p == parent)
		return;
	from = &parent->lives[parent->nr - 1];
	p->parent = parent->pid;
	begin_program(p);
	life = add_life(a, p, space_share(from->space), &from->owner);
	if (life)
		inherit(a, life, p, parent, from);
}

void process_end(struct addresses *a, struct process *p)
{
	p->has_ended = true;
	if (p->is_listed)
		return;
	if (!a->ended)
		a->last_ended = &a->ended;
	p->is_listed = true;
	p->next_ended = NULL;
	*a->last_ended = p;
	a->last_ended = &p->next_ended;
}

void processes_free(struct addresses *a)
{
	for (uint32_t i = 0; i < BUCKETS; i++) {
		struct process *p = a->processes[i], *next;

		for (; p; p = next) {
			next = p->next;
			free_process(a, p);
		}
		a->processes[i] = NULL;
	}
}
