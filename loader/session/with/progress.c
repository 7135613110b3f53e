// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The line of progress on a terminal while a session waits. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <sys/ioctl.h>

#include "loader/output/interruptible_stdout.h"
#include "loader/output/terminal.h"
#include "loader/session/session.h"

#define DRAW_MS 500

/* A shell that has put pload into the background has the terminal for itself. */
static bool in_foreground(void)
{
	pid_t group = 0;

	return sys_ioctl(sys_linux(), STDERR_FILENO, TIOCGPGRP, (unsigned long)&group) >= 0 &&
	       group == getpgrp();
}

/* The command after "--" and --trace write to the same terminal. */
void session_progress_begin(struct session *s)
{
	const struct options *o = s->options;
	struct terminal_size size;

	if (!s->out->watch || o->child || o->trace || o->dry_run ||
	    !terminal_size(STDERR_FILENO, &size))
		return;
	s->progress.shown = true;
	s->out->watch->shows_line = terminal_size(s->out->watch->fd, &size);
}

int session_progress_timeout_ms(const struct session *s)
{
	return s->progress.shown ? DRAW_MS : -1;
}

/* Return what the session counts, or NULL: records if it has rings, else runs of its programs. */
static const char *count(struct session *s, uint64_t *n, uint64_t *lost)
{
	const struct kernel_object *k = &s->load.kernel;
	const char *what = "runs";
	struct ring_total ring;

	*n = rings_records(s->rings);
	*lost = rings_lost(s->rings);
	if (rings_total(s->rings, 0, &ring))
		return "records";
	if (!k->object || k->stats_fd < 0 || kernel_count_runs(s->sys, &s->load.kernel, NULL))
		return NULL;
	for (uint32_t i = 0; i < k->object->nr_progs; i++) {
		*n += k->progs[i].run_cnt;
		*lost += k->progs[i].recursion_misses;
	}
	for (unsigned int i = 0; i < s->attachments.nr; i++)
		if (s->attachments.list[i].samples)
			what = "samples";
	return what;
}

static void print_time(FILE *line, const struct session *s, uint64_t now)
{
	const uint64_t end = session_end_ns(s);
	const uint64_t ns = !end ? now - s->begin_ns : end > now ? end - now : 0;

	fprintf(line, "%" PRIu64 ".%" PRIu64 " s%s", ns / 1000000000, ns / 100000000 % 10,
		end ? " left" : ", ^C ends it");
}

/* A ring buffer that was full is known to its program only: "0 lost" would be a guess. */
static bool knows_lost(const struct session *s)
{
	struct ring_total ring;

	for (unsigned int i = 0; rings_total(s->rings, i, &ring); i++)
		if (!ring.knows_lost)
			return false;
	return true;
}

static void print_line(FILE *line, struct session *s, uint64_t now)
{
	struct progress *p = &s->progress;
	uint64_t n, lost, ms = (now - p->drawn_ns) / 1000000;
	const char *what = count(s, &n, &lost);

	print_time(line, s, now);
	if (what && p->drawn_ns && n >= p->count)
		fprintf(line, ", %" PRIu64 " %s/s", (n - p->count) * 1000 / ms, what);
	if (lost || (what && knows_lost(s)))
		fprintf(line, ", %" PRIu64 " lost", lost);
	p->count = n;
}

/* The cursor stays at the beginning of the line: it can be erased if it wraps in a new width. */
void session_progress(struct session *s)
{
	const uint64_t now = s->progress.shown ? sys_monotonic_ns() : 0;
	struct terminal_size size;
	char text[256] = "";
	FILE *line;

	if (now - s->progress.drawn_ns < DRAW_MS * UINT64_C(1000000) || !in_foreground() ||
	    !terminal_size(STDERR_FILENO, &size))
		return;
	line = fmemopen(text, sizeof(text), "w");
	if (!line)
		return;
	print_line(line, s, now);
	fclose(line);
	s->progress.drawn_ns = now;
	text[size.columns < sizeof(text) ? size.columns - 1 : sizeof(text) - 2] = '\0';
	strcat(text, "\r");
	stdout_watch_erase(s->out->watch);
	s->out->watch->has_line = true;
	sys_write(sys_linux(), STDERR_FILENO, text, strlen(text));
}
