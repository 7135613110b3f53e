// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Name an address of the kernel or of a process. Answers are cached, because stacks repeat
 * addresses.
 */
#include <stdlib.h>
#include <string.h>

#include "loader/profile/address_names/addresses_internal.h"

#define ANSWERS 65536u
#define READ_AGAIN_NS 1000000ull
#define STRINGS_MAX (64u << 20)	/* bytes of names before they are dropped */

struct answer {
	uint64_t address, changes;
	uint32_t pid;
	bool kernel, caller;
	char comm[COMM_SIZE];
	uint64_t until_ns;	/* 0: it stays valid */
	struct frame frame;
};

static struct answer *answer_to(const struct addresses *a, const struct answer *asked)
{
	uint64_t h = asked->address * 0x9e3779b97f4a7c15ull;

	h ^= (uint64_t)asked->pid * 0xc2b2ae3d27d4eb4full + asked->caller;
	return &a->answers[(h ^ h >> 29) % ANSWERS];
}

/* Return how long the answer is valid. */
static uint64_t find(struct addresses *a, const struct frame_query *query, struct frame *frame)
{
	const uint64_t now = sys_monotonic_ns();

	if (now - a->read_ns > READ_AGAIN_NS)
		addresses_read(a);
	a->answer_expires = false;
	*frame = (struct frame){ .address = query->address };
	if (query->kernel)
		kernel_names_find(a, query, frame);
	else
		user_names_find(a, query, frame);
	return a->answer_expires ? now + ASK_AGAIN_NS : 0;
}

static void name(struct frame_namer *namer, const struct frame_query *query, struct frame *frame)
{
	struct addresses *a = (struct addresses *)namer;
	struct answer asked, *known;

	memset(&asked, 0, sizeof(asked));	/* it is compared as bytes */
	asked.address = query->address;
	asked.pid = query->kernel ? 0 : query->pid;
	asked.kernel = query->kernel;
	asked.caller = query->caller;
	if (query->comm && !query->kernel)
		strncpy(asked.comm, query->comm, COMM_SIZE - 1);
	known = answer_to(a, &asked);
	asked.changes = a->changes + 1;
	if (!memcmp(known, &asked, offsetof(struct answer, until_ns)) &&
	    (!known->until_ns || sys_monotonic_ns() < known->until_ns)) {
		*frame = known->frame;
		return;
	}
	asked.until_ns = find(a, query, frame);
	*known = asked;
	known->changes = a->changes + 1;
	known->frame = *frame;
}

static void forget(struct frame_namer *namer)
{
	struct addresses *a = (struct addresses *)namer;

	if (a->strings.bytes < STRINGS_MAX)
		return;
	mapped_files_forget_names(a);
	memset(a->answers, 0, ANSWERS * sizeof(*a->answers));
	strings_free(&a->strings);
}

struct addresses *addresses_new(struct sys *sys)
{
	struct addresses *a = calloc(1, sizeof(*a));
	struct answer *answers = calloc(ANSWERS, sizeof(*answers));
	struct wall *wall = wall_new(sys);

	if (!a || !answers || !wall) {
		free(a);
		free(answers);
		wall_free(wall);
		return NULL;
	}
	a->namer.name = name;
	a->namer.forget = forget;
	a->sys = sys;
	a->answers = answers;
	a->wall = wall;
	return a;
}

void addresses_free(struct addresses *a)
{
	if (!a)
		return;
	side_band_close(a);
	processes_free(a);
	mapped_files_free(a);
	wall_free(a->wall);
	kernel_names_free(&a->kernel);
	strings_free(&a->strings);
	free(a->answers);
	free(a);
}

int addresses_watch(struct addresses *a, const struct event_scope *scope, struct error *err)
{
	const int ret = side_band_open(a, scope, err);

	a->watched_ns = sys_monotonic_ns();
	return ret;
}

void addresses_of_scope(struct addresses *a, const struct event_scope *scope)
{
	a->unread = scope;
}

void addresses_read_scope(struct addresses *a)
{
	const struct event_scope *scope = a->unread;

	a->unread = NULL;
	if (scope)
		side_band_read_present(a, scope, NULL);
}

int addresses_fd(const struct addresses *a)
{
	return side_band_fd(a->band);
}

void addresses_read(struct addresses *a)
{
	side_band_read(a);
	a->read_ns = sys_monotonic_ns();
}

struct frame_namer *addresses_namer(struct addresses *a)
{
	return &a->namer;
}

void addresses_end_at(struct addresses *a, uint64_t end_ns, int signal_fd)
{
	wall_end_at(a->wall, end_ns, signal_fd);
}

void addresses_end(struct addresses *a)
{
	if (a->unread && event_scope_by_task(a->unread))	/* they may be gone soon */
		addresses_read_scope(a);
	if (!a->ended_ns)
		a->ended_ns = sys_monotonic_ns();
	wall_end(a->wall);
}
