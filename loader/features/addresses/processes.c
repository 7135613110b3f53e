// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The processes that are or were, and the programs that each of them has executed.
 *
 *	pid 12	life "sh": space of its parent, shared	(fork)
 *		life "ls": its own space		(execve)
 */
#include <stdlib.h>
#include <string.h>

#include "loader/features/addresses/addresses_internal.h"

#define PROCESSES_MAX 65536u
#define MAPPINGS_MAX (1u << 20)
#define LIVES_MAX 64u

struct process *process_find(const struct addresses *a, uint32_t pid)
{
	struct process *p = a->processes[pid % BUCKETS];

	while (p && p->pid != pid)
		p = p->next;
	return p;
}

static void free_process(struct addresses *a, struct process *p)
{
	for (uint32_t i = 0; i < p->nr; i++)
		space_release(a, p->lives[i].space);
	free(p->lives);
	free(p);
}

/* Forget the process that ended first. */
static bool forget_one(struct addresses *a)
{
	struct process *p = a->ended, **at;

	if (!p)
		return false;
	a->ended = p->next_ended;
	if (!a->ended)
		a->last_ended = &a->ended;
	p->is_listed = false;
	if (!p->has_ended)	/* another process has its number now */
		return true;
	for (at = &a->processes[p->pid % BUCKETS]; *at != p; at = &(*at)->next)
		;
	*at = p->next;
	free_process(a, p);
	a->nr_processes--;
	a->changes++;
	return true;
}

bool processes_make_room(struct addresses *a)
{
	while (a->nr_mappings + 2 > MAPPINGS_MAX || a->nr_processes >= PROCESSES_MAX)
		if (!forget_one(a))
			return false;
	return true;
}

struct process *process_add(struct addresses *a, uint32_t pid)
{
	struct process *p = process_find(a, pid), **at = &a->processes[pid % BUCKETS];

	if (p)
		return p;
	if (!processes_make_room(a))
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

/* Add a life with @space, which the life owns afterwards; NULL: no memory. */
static struct life *add_life(struct addresses *a, struct process *p, struct space *space)
{
	struct life *grown = NULL;

	p->has_ended = false;
	p->is_read = false;
	p->jit = NULL;
	p->jit_ns = 0;
	a->changes++;
	if (!space)
		return NULL;
	if (p->nr == LIVES_MAX) {
		space_release(a, p->lives[0].space);
		memmove(p->lives, p->lives + 1, --p->nr * sizeof(*p->lives));
	}
	grown = array_grow(p->lives, p->nr, sizeof(*grown));
	if (!grown) {
		space_release(a, space);
		return NULL;
	}
	p->lives = grown;
	p->lives[p->nr] = (struct life){ .space = space };
	return &p->lives[p->nr++];
}

struct space **process_space(struct addresses *a, struct process *p)
{
	if (!p->nr && !add_life(a, p, space_new()))
		return NULL;
	a->changes++;
	return &p->lives[p->nr - 1].space;
}

void process_set_comm(struct addresses *a, struct process *p, const char *comm)
{
	struct life *life;

	if (!process_space(a, p))
		return;
	life = &p->lives[p->nr - 1];
	memset(life->comm, 0, COMM_SIZE);
	memcpy(life->comm, comm, strnlen(comm, COMM_SIZE - 1));
}

void process_exec(struct addresses *a, struct process *p, const char *comm)
{
	if (add_life(a, p, space_new()))
		process_set_comm(a, p, comm);
}

void process_fork(struct addresses *a, struct process *parent, uint32_t pid)
{
	struct process *p = process_add(a, pid);
	const struct life *from;
	struct life *life;

	if (!p || !parent->nr || p == parent)
		return;
	from = &parent->lives[parent->nr - 1];
	p->parent = parent->pid;
	life = add_life(a, p, space_share(from->space));
	if (life)
		memcpy(life->comm, from->comm, COMM_SIZE);
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
