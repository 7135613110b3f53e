// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the counts of events without a program and of events in maps. */
#include <errno.h>
#include <stdlib.h>

#include "loader/sessions/counting/counts.h"

struct counts *counts_of(struct session *s)
{
	if (!s->counts)
		s->counts = calloc(1, sizeof(*s->counts));
	return s->counts;
}

/* Return the index of the row for @like, adding one if necessary; -1 if out of memory. */
static int find_row(struct counts *c, const struct count_row *like)
{
	struct count_row *rows;

	for (unsigned int i = c->nr_rows; i-- > 0;)
		if (c->rows[i].key == like->key && c->rows[i].cgroup == like->cgroup)
			return i;
	rows = array_grow(c->rows, c->nr_rows, sizeof(*rows));
	if (!rows)
		return -1;
	c->rows = rows;
	rows[c->nr_rows] = *like;
	return c->nr_rows++;
}

/* Return the counts with id @number, assigning an id if it is 0. NULL if out of memory. */
static struct counted *find_counted(struct counts *c, unsigned int *number,
				    const struct count_row *row)
{
	struct counted *list;
	int index;

	if (*number)
		return &c->list[*number - 1];
	index = find_row(c, row);
	if (index < 0)
		return NULL;
	list = array_grow(c->list, c->nr, sizeof(*list));
	if (!list)
		return NULL;
	c->list = list;
	c->list[c->nr] = (struct counted){ .row = index };
	*number = ++c->nr;
	return &c->list[*number - 1];
}

/*
 * read(2) on a pinned event that lost its counter returns 0 (end of file): it no longer counts, and
 * its count is gone (perf_read() in kernel/events/core.c).
 */
static int read_one(struct sys *sys, int fd, struct count *count)
{
	struct count now;
	const ssize_t n = sys_read(sys, fd, &now, sizeof(now));

	if (n == sizeof(now))
		*count = now;
	return n == sizeof(now) ? 0 : n < 0 ? n : -EIO;
}

/* A later reading may succeed: only a failure of the last one is an error. */
static void failed(struct session *s, const struct count_row *row, int cpu, int code)
{
	const bool pinned = code == -EIO && row->spec->modifiers.flags & EVENT_PINNED;
	struct error *err = &s->counts->failed;

	if (err->code)
		return;
	error_set(err, -code, pinned ? "it is pinned and lost its hardware counter" :
				       "read: %s", error_strerror(-code));
	error_reason(err, "output/counter");
	if (pinned)
		error_hint(err, "leave out the modifier D, or count fewer events");
	if (cpu >= 0)
		error_where(err, "CPU %d", cpu);
	error_where(err, "event '%s'", row->spec->text);
	note(s->out, "%s: count unknown: %s", err->where, err->what);
}

static bool no_memory(struct session *s)
{
	note(s->out, "no memory for the event counts");
	if (s->counts && !s->counts->failed.code)
		error_set(&s->counts->failed, ENOMEM, "no memory for the event counts");
	return false;
}

/* Read one descriptor. Return false if out of memory. */
static bool read_counted(struct session *s, int fd, int cpu, unsigned int *number,
			 const struct count_row *row)
{
	struct counts *c = counts_of(s);
	struct counted *counted = c ? find_counted(c, number, row) : NULL;
	int ret;

	if (!counted)
		return no_memory(s);
	counted->cpu = cpu;	/* its PMU may have moved the event */
	ret = read_one(s->sys, fd, &counted->now);
	if (ret < 0)
		failed(s, row, cpu, ret);
	return true;
}

/* The locations of a uprobe are counted together. */
static const struct plan_entry *key_of(const struct session *s, uint32_t entry)
{
	while (entry && plan_same_uprobe(&s->plan.list[entry]))
		entry--;
	return &s->plan.list[entry];
}

static const char *map_name(const struct session *s, int map_fd)
{
	for (uint32_t i = 0; i < s->load.object.nr_maps; i++)
		if (s->load.kernel.maps[i].fd == map_fd)
			return s->load.object.maps[i].name;
	return NULL;
}

void session_read_counts(struct session *s)
{
	bool ok = true;

	if (s->options->dry_run)	/* simulated kernels do not count */
		return;
	if (s->counts)
		error_clear(&s->counts->failed);
	for (unsigned int i = 0; ok && i < s->attachments.nr && s->plan.nr; i++) {
		struct attachment *a = &s->attachments.list[i];
		const struct plan_entry *entry = &s->plan.list[a->prog];
		struct count_row row = { .spec = &entry->spec, .cgroup = a->target.cgroup };

		if (a->event_fd < 0 || entry->target || !entry->spec.counts)
			continue;
		row.key = key_of(s, a->prog);
		ok = read_counted(s, a->event_fd, a->target.cpu, &a->count, &row);
	}
	for (unsigned int i = 0; ok && i < s->counters.nr; i++) {
		struct counter *counter = &s->counters.list[i];
		struct count_row row = { .cgroup = NULL };
		int map_fd;

		row.spec = row.key = counter_event(counter, &map_fd);
		row.map = map_name(s, map_fd);
		if (counter->fd >= 0)
			ok = read_counted(s, counter->fd, counter->cpu, &counter->count, &row);
	}
}

int counts_refuse(struct session *s, const struct plan_entry *entry, const struct error *why,
		  struct error *err)
{
	const struct count_row row = { .key = entry, .spec = &entry->spec };
	struct counts *c = counts_of(s);
	const int index = c ? find_row(c, &row) : -1;

	if (index < 0)
		return error_set(err, ENOMEM, "no memory for the event counts");
	error_copy(&c->rows[index].why, why);
	return 0;
}

void session_free_counts(struct session *s)
{
	struct counts *c = s->counts;

	if (!c)
		return;
	free(c->rows);
	free(c->list);
	free(c);
	s->counts = NULL;
}
