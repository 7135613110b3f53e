// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Draw a progress line on the terminal while a session waits. */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include <sys/ioctl.h>

#include "loader/base/output/interruptible_stdout.h"
#include "loader/base/output/terminal.h"
#include "loader/sessions/rows/results.h"
#include "loader/sessions/parts/parts.h"

#define LINE_MS 500
#define MS UINT64_C(1000000)

/* If the window got narrower, the line may have wrapped: also erase everything below its start. */
#define LINE_END "\r\033[J"

/* If pload is in the background, the terminal belongs to the shell. */
static bool in_foreground(int fd)
{
	pid_t group = 0;

	return sys_ioctl(sys_linux(), fd, TIOCGPGRP, (unsigned long)&group) >= 0 &&
	       group == getpgrp();
}

/* The command after "--" and --trace write to the same terminal. */
int session_progress_begin(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	struct stdout_watch *watch = s->out->watch;
	struct terminal_size size;

	(void)err;
	if (!watch)
		return 0;
	watch->is_terminal = terminal_size(watch->fd, &size);
	s->progress.shown = !o->child && !o->trace && !o->dry_run &&
			    terminal_size(STDERR_FILENO, &size);
	return 0;
}

static int progress_due_ms(const struct session *s)
{
	return s->progress.shown ? sys_ms_until(s->progress.due_ns) : -1;
}

/* Return what the session counts: records if it has rings, otherwise program runs; or NULL. */
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

/* Only the program knows that a ring buffer was full, so "0 lost" would be a guess. */
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
	uint64_t n, lost, ms = (now - p->drawn_ns) / MS;
	const char *what = count(s, &n, &lost);

	print_time(line, s, now);
	if (what && p->drawn_ns && ms && n >= p->count)
		fprintf(line, ", %" PRIu64 " %s/s", (n - p->count) * 1000 / ms, what);
	if (lost || (what && knows_lost(s)))
		fprintf(line, ", %" PRIu64 " lost", lost);
	p->count = n;
}

/* Leave the cursor at the start of the line, so that it can be erased if a new width wraps it. */
static void draw(struct session *s, uint64_t now, const struct terminal_size *size)
{
	char text[256] = "", shown[sizeof(LINE_END) + sizeof(text) + 1];
	FILE *line = fmemopen(text, sizeof(text), "w");

	if (!line)
		return;
	print_line(line, s, now);
	fclose(line);
	snprintf(shown, sizeof(shown), LINE_END "%.*s\r", (int)size->columns - 1, text);
	stdout_watch_show(s->out->watch, STDERR_FILENO, shown, LINE_END);
}

static int draw_when_due(struct session *s, bool ready, struct error *err)
{
	struct progress *p = &s->progress;
	const uint64_t now = p->shown ? sys_monotonic_ns() : 0;
	struct terminal_size size;

	(void)ready;
	(void)err;
	if (!p->shown || now < p->due_ns)
		return 0;
	if (in_foreground(STDERR_FILENO) && terminal_size(STDERR_FILENO, &size)) {
		draw(s, now, &size);
		p->drawn_ns = now;
	}
	p->due_ns = now + LINE_MS * MS;
	return 0;
}

const struct session_part part_progress = {
	.at = { [STAGE_BEGUN] = session_progress_begin },
	.due_ms = progress_due_ms, .read = draw_when_due,
};
