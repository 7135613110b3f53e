// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Count how often the kernel throttles the sampling events of a session, and how much they sample.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include <linux/perf_event.h>

#include "loader/sessions/parts/parts.h"

/*
 * An event that takes more samples per tick than perf_event_max_sample_rate allows is stopped until
 * the next tick: __perf_event_account_interrupt() in kernel/events/core.c. Only records in the
 * event's ring report this. Samples are not written there if the program returns 0.
 */
#define DATA_PAGES 4
#define READ_MS 200	/* two 32-byte records per tick fill the ring in 256 ticks */

struct throttles {
	struct perf_event_mmap_page **pages;	/* owned mappings, one per event */
	struct throttled *counts;		/* owned; the counts of the same events */
	unsigned int nr;
	size_t page_size;
	bool mapped;
	struct due_samples *due;		/* owned; by program; NULL until the session ends */
	uint64_t last_pid;	/* the machine's last pid when the session began; 0: unknown */
	const struct attachment *stopped;	/* the first clock that never ran; NULL: none */
	unsigned int nr_stopped;
};

/* The ring of an event on a CPU. Without it, throttling of this event is unknown. */
static void map_ring(struct session *s, const struct attachment *a)
{
	struct throttles *t = s->throttles;
	const size_t size = (DATA_PAGES + 1) * t->page_size;
	const long addr = sys_mmap(s->sys, size, PROT_READ | PROT_WRITE, MAP_SHARED, a->event_fd,
				   0);

	if (sys_failed(addr))
		return;
	t->counts[t->nr] = (struct throttled){ .event = s->plan.list[a->prog].spec.text,
					       .cpu = a->target.cpu };
	t->pages[t->nr++] = (void *)addr;
	t->mapped = true;
}

static void not_known(struct session *s, const char *what, int code)
{
	note(s->out, "cannot tell how many samples the kernel drops: %s: %s", what,
	     error_strerror(-code));
}

/* The last field of /proc/loadavg is the pid of the newest task on the machine. */
static uint64_t last_pid(struct session *s)
{
	char line[128] = "";
	const char *last;
	const int ret = sys_read_text(s->sys, AT_FDCWD, "/proc/loadavg", line, sizeof(line));

	if (ret < 0 && ret != -ENOENT)	/* not mounted: then much else is unknown, too */
		not_known(s, "/proc/loadavg", ret);
	if (ret < 0)
		return 0;
	last = strrchr(line, ' ');
	return last ? strtoull(last, NULL, 10) : 0;
}

static int begin_throttles(struct session *s, struct error *err)
{
	struct throttles *t = calloc(1, sizeof(*t));
	unsigned int nr = 0;

	for (unsigned int i = 0; i < s->attachments.nr; i++)
		nr += s->attachments.list[i].samples;
	s->throttles = t;
	if (t) {
		t->pages = calloc(nr + 1, sizeof(*t->pages));
		t->counts = calloc(nr + 1, sizeof(*t->counts));
	}
	if (!t || !t->pages || !t->counts)
		return error_set(err, ENOMEM, "no memory for the rings of %u events", nr);
	t->last_pid = nr && s->scope.inherit ? last_pid(s) : 0;
	t->page_size = sysconf(_SC_PAGESIZE);
	/*
	 * The kernel does not allow a ring for an event that is inherited and not bound to a CPU.
	 */
	for (unsigned int i = 0; i < s->attachments.nr; i++)
		if (s->attachments.list[i].samples && s->attachments.list[i].target.cpu >= 0)
			map_ring(s, &s->attachments.list[i]);
	return 0;
}

static void read_ring(struct perf_event_mmap_page *page, size_t page_size,
		      struct throttled *count)
{
	const uint64_t size = DATA_PAGES * page_size;
	const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	const unsigned char *data = (const unsigned char *)page + page_size;
	struct perf_event_header header;

	for (uint64_t at = page->data_tail; head - at >= sizeof(header) && head - at <= size;
	     at += header.size) {
		memcpy(&header, data + (at & (size - 1)), sizeof(header));
		if (header.size < sizeof(header) || header.size % 8)
			break;
		count->begun += header.type == PERF_RECORD_THROTTLE;
		count->ended += header.type == PERF_RECORD_UNTHROTTLE;
	}
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

static void read_all(struct session *s)
{
	struct throttles *t = s->throttles;

	for (unsigned int i = 0; t && t->mapped && i < t->nr; i++)
		read_ring(t->pages[i], t->page_size, &t->counts[i]);
}

static int read_throttles(struct session *s, bool ready, struct error *err)
{
	(void)ready;
	(void)err;
	read_all(s);
	return 0;
}

static int throttles_due_ms(const struct session *s)
{
	return s->throttles && s->throttles->mapped ? READ_MS : -1;
}

/* A CPU's clock always counts: if it counted nothing, it was never enabled. */
static void check_enabled(struct throttles *t, const struct attachment *a, bool clock,
			  uint64_t count)
{
	if (!clock || count || a->target.tid >= 0 || a->target.cgroup)
		return;
	if (!t->nr_stopped++)
		t->stopped = a;
}

/* Add the count of @a, in periods. Return false if unknown. */
static bool add_due(struct session *s, const struct attachment *a, struct due_samples *due)
{
	const struct event_spec *spec = &s->plan.list[a->prog].spec;
	const bool clock = event_is_clock(spec);
	uint64_t count = 0;
	ssize_t n;

	if (!a->samples || !a->period)
		return false;
	n = sys_read(s->sys, a->event_fd, &count, sizeof(count));
	if (n < 0)
		not_known(s, spec->text, n);
	due->at_least += count / a->period;
	due->clock |= clock;
	if (n != sizeof(count))		/* 0: a pinned event that lost its counter */
		return false;
	check_enabled(s->throttles, a, clock, count);
	return true;
}

/*
 * A new task starts with a whole period, and the partial period at its end is counted, too. So
 * subtract the number of tasks started since, and the event's own on each CPU.
 */
static bool take_off_tasks(struct session *s, unsigned int nr_events, uint64_t *due)
{
	const uint64_t before = s->throttles->last_pid, now = s->scope.inherit ? last_pid(s) : 0;
	uint64_t tasks = nr_events;

	if (s->scope.inherit && (!before || now < before))
		return false;
	tasks += now - before;
	*due -= *due < tasks ? *due : tasks;
	return true;
}

static void note_stopped(struct session *s, const struct throttles *t)
{
	char more[32] = "";

	if (t->nr_stopped > 1)
		snprintf(more, sizeof(more), " and %u more", t->nr_stopped - 1);
	note(s->out, "event '%s' counted nothing on CPU %d%s, as if the kernel had not enabled it "
		     "there",
		     s->plan.list[t->stopped->prog].spec.text, t->stopped->target.cpu, more);
}

static void read_due(struct session *s)
{
	const struct bpf_object *obj = s->load.kernel.object;
	struct due_samples *due = obj ? calloc(obj->nr_progs + 1, sizeof(*due)) : NULL;

	for (uint32_t i = 0; due && i < obj->nr_progs; i++) {
		unsigned int nr = 0;
		bool known = true;

		for (unsigned int k = 0; known && k < s->attachments.nr; k++) {
			if (s->plan.list[s->attachments.list[k].prog].prog != i)
				continue;
			known = add_due(s, &s->attachments.list[k], &due[i]);
			nr++;
		}
		due[i].known = known && nr && take_off_tasks(s, nr, &due[i].at_least);
	}
	s->throttles->due = due;
	if (s->throttles->nr_stopped)
		note_stopped(s, s->throttles);
}

static void stop_throttles(struct session *s)
{
	struct throttles *t = s->throttles;

	if (t && !t->due && !s->options->dry_run)
		read_due(s);
	read_all(s);
	for (unsigned int i = 0; t && t->mapped && i < t->nr; i++)
		sys_munmap(s->sys, t->pages[i], (DATA_PAGES + 1) * t->page_size);
	if (t)
		t->mapped = false;
}

static void throttles_lost(const struct session *s, struct losses *losses)
{
	const struct throttles *t = s->throttles;

	if (!t)
		return;
	losses->due = t->due;
	losses->nr_throttled = t->nr;
	losses->throttled = t->nr ? t->counts : NULL;
}

static void end_throttles(struct session *s)
{
	if (!s->throttles)
		return;
	stop_throttles(s);
	free(s->throttles->pages);
	free(s->throttles->counts);
	free(s->throttles->due);
	free(s->throttles);
	s->throttles = NULL;
}

const struct session_part part_throttles = {
	.at = { [STAGE_BEGUN] = begin_throttles },
	.due_ms = throttles_due_ms, .read = read_throttles, .stop = stop_throttles,
	.lost = throttles_lost, .end = end_throttles,
};
