// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Address spaces: what is mapped where, and what was mapped there before.
 *
 *	list	  |--- a.out ---|      |-- libc.so --|-- libm.so --|
 *	replaced			      |-- libz.so --|
 *
 * The kernel does not report munmap(2). Whatever a new mapping overlaps must have been unmapped
 * before; older samples still refer to the old mapping.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/address_names/addresses_internal.h"

static int compare_users(const void *a, const void *b)
{
	const struct space_user *x = a, *y = b;

	return x->uid < y->uid ? -1 : x->uid > y->uid;
}

/* Return the user, with one more space; NULL if out of memory. */
static struct space_user *take_user(struct addresses *a, uint32_t uid)
{
	struct space_user *new = calloc(1, sizeof(*new)), **at;

	if (!new)
		return NULL;
	new->uid = uid;
	at = tsearch(new, &a->users, compare_users);
	if (!at || *at != new)
		free(new);
	if (!at)
		return NULL;
	(*at)->spaces++;
	return *at;
}

static void put_user(struct addresses *a, struct space_user *user)
{
	if (--user->spaces)
		return;
	tdelete(user, &a->users, compare_users);
	free(user);
}

struct space *space_new(struct addresses *a, uint32_t uid)
{
	struct space *space = calloc(1, sizeof(*space));

	if (!space)
		return NULL;
	space->refs = 1;
	space->user = take_user(a, uid);
	if (space->user)
		return space;
	free(space);
	return NULL;
}

struct space *space_share(struct space *space)
{
	space->refs++;
	return space;
}

/* A file is charged to each of its mappings, because all the others may go away first. */
static uint64_t bytes_of(const struct mapping *m)
{
	return sizeof(*m) + mapped_file_bytes(m->file);
}

static void let_go(struct addresses *a, struct space *space, const struct mapping *list,
		   uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		space->bytes -= bytes_of(&list[i]);
		space->user->bytes -= bytes_of(&list[i]);
		mapped_file_put(a, list[i].file);
	}
	a->nr_mappings -= nr;
}

static void take(struct addresses *a, struct space *space, const struct mapping *list,
		 uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		space->bytes += bytes_of(&list[i]);
		space->user->bytes += bytes_of(&list[i]);
		if (list[i].file)
			list[i].file->refs++;
	}
	a->nr_mappings += nr;
}

void space_release(struct addresses *a, struct space *space)
{
	if (--space->refs)
		return;
	let_go(a, space, space->list, space->nr);
	let_go(a, space, space->replaced, space->nr_replaced);
	put_user(a, space->user);
	free(space->list);
	free(space->replaced);
	free(space);
}

/* Return the index of the first mapping that ends after @address. */
static uint32_t lower_bound(const struct space *space, uint64_t address)
{
	uint32_t low = 0, high = space->nr;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (space->list[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool mapping_holds(const struct mapping *m, uint64_t address)
{
	return m->start <= address && address < m->end;
}

const struct mapping *space_find(const struct space *space, uint64_t address)
{
	const uint32_t i = lower_bound(space, address);

	return i < space->nr && mapping_holds(&space->list[i], address) ? &space->list[i] : NULL;
}

bool mapping_same(const struct mapping *a, const struct mapping *b)
{
	return a->offset - a->start == b->offset - b->start && mapped_file_same(a->file, b->file);
}

/*
 * Keep @old, which @by replaces, unless it was replaced before anything was sampled; drop the
 * oldest one if there are too many.
 */
static void keep_replaced(struct addresses *a, struct space *space, const struct mapping *old,
			  const struct mapping *by)
{
	struct mapping *grown;

	if (mapping_same(old, by) || (a->record_ns && a->record_ns < a->watched_ns))
		return;
	if (space->nr_replaced == REPLACED_MAX) {
		let_go(a, space, space->replaced, 1);
		memmove(space->replaced, space->replaced + 1,
			--space->nr_replaced * sizeof(*space->replaced));
	}
	grown = array_grow(space->replaced, space->nr_replaced, sizeof(*grown));
	if (!grown)
		return;
	space->replaced = grown;
	space->replaced[space->nr_replaced++] = *old;
	take(a, space, old, 1);
}

static void *copy_of(const void *list, uint32_t nr, size_t size)
{
	uint32_t room = 1;
	void *copy;

	while (room < nr)	/* array_grow() expects this capacity */
		room *= 2;
	copy = nr ? malloc(room * size) : NULL;
	return copy ? memcpy(copy, list, nr * size) : NULL;
}

/* Return an unshared copy of a shared space. */
static bool unshare(struct addresses *a, struct space **space)
{
	struct space *copy;

	if ((*space)->refs == 1)
		return true;
	copy = space_new(a, (*space)->user->uid);
	if (!copy)
		return false;
	copy->list = copy_of((*space)->list, (*space)->nr, sizeof(*copy->list));
	copy->replaced = copy_of((*space)->replaced, (*space)->nr_replaced,
				 sizeof(*copy->replaced));
	copy->nr = copy->list ? (*space)->nr : 0;
	copy->nr_replaced = copy->replaced ? (*space)->nr_replaced : 0;
	take(a, copy, copy->list, copy->nr);
	take(a, copy, copy->replaced, copy->nr_replaced);
	space_release(a, *space);
	*space = copy;
	return true;
}

/* Make room for two more mappings. */
static bool grow(struct space *space)
{
	for (uint32_t i = 0; i < 2; i++) {
		struct mapping *grown = array_grow(space->list, space->nr + i, sizeof(*grown));

		if (!grown)
			return false;
		space->list = grown;
	}
	return true;
}

/* Replace the mappings from @first to @end with @m and what remains of the outer ones. */
static void replace(struct addresses *a, struct space *space, uint32_t first, uint32_t end,
		    const struct mapping *m)
{
	struct mapping with[3];
	uint32_t nr = 0;

	if (first < end && space->list[first].start < m->start) {
		with[nr] = space->list[first];
		with[nr++].end = m->start;
	}
	with[nr++] = *m;
	if (first < end && space->list[end - 1].end > m->end) {
		with[nr] = space->list[end - 1];
		with[nr].offset += m->end - with[nr].start;
		with[nr++].start = m->end;
	}
	take(a, space, with, nr);
	let_go(a, space, space->list + first, end - first);
	memmove(space->list + first + nr, space->list + end,
		(space->nr - end) * sizeof(*space->list));
	memcpy(space->list + first, with, nr * sizeof(*with));
	space->nr += nr - (end - first);
}

bool space_map(struct addresses *a, struct space **at, const struct mapping *m)
{
	struct space *space = *at;
	uint32_t first = lower_bound(space, m->start), end = first;

	if (m->start >= m->end)
		return true;
	if (first < space->nr && space->list[first].start <= m->start &&
	    space->list[first].end >= m->end && mapping_same(&space->list[first], m))
		return true;
	if (space->nr >= SPACE_MAX || !unshare(a, at) || !grow(*at))
		return false;
	space = *at;
	for (end = first; end < space->nr && space->list[end].start < m->end; end++)
		keep_replaced(a, space, &space->list[end], m);
	replace(a, space, first, end, m);
	return true;
}
