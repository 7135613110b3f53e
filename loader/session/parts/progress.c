// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Draw on the terminal while a session waits: a line of progress, or the tables of --top. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/ioctl.h>

#include "loader/print/interruptible_stdout.h"
#include "loader/print/message.h"
#include "loader/features/profile/profile.h"
#include "loader/features/profile/stacks.h"
#include "loader/print/terminal.h"
#include "loader/print/results.h"
#include "loader/session/parts/parts.h"

#define LINE_MS 500
#define TOP_MS 1000
#define MS UINT64_C(1000000)

/* A narrower window may have wrapped the line: erase all below its beginning, too. */
#define LINE_END "\r\033[J"

/* The alternate screen of xterm, without a cursor, and with lines that do not wrap. */
#define SCREEN_BEGIN "\033[?1049h\033[?25l\033[?7l"
#define SCREEN_END "\033[?7h\033[?25h\033[?1049l"

/* A shell that has put pload into the background has the terminal for itself. */
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
	s->progress.shown = !o->child && !o->trace && !o->dry_run;
	s->progress.top = o->top && s->progress.shown && watch->is_terminal &&
			  s->load.kernel.object && s->out->format->digest;
	s->progress.shown &= s->progress.top || terminal_size(STDERR_FILENO, &size);
	if (o->top && !s->progress.top)
		note(s->out, "--top updates a terminal, with --format=text, and not beside a "
			     "command after '--': the tables are printed at the end");
	return 0;
}

static int progress_due_ms(const struct session *s)
{
	return s->progress.shown ? sys_ms_until(s->progress.due_ns) : -1;
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
	uint64_t n, lost, ms = (now - p->drawn_ns) / MS;
	const char *what = count(s, &n, &lost);

	print_time(line, s, now);
	if (what && p->drawn_ns && ms && n >= p->count)
		fprintf(line, ", %" PRIu64 " %s/s", (n - p->count) * 1000 / ms, what);
	if (lost || (what && knows_lost(s)))
		fprintf(line, ", %" PRIu64 " lost", lost);
	p->count = n;
}

/* Count the stacks of rows as they are now in @profile; the end of the session counts them anew. */
static int count_stacks(struct session *s, struct output *out, struct profile *profile)
{
	void *const counted = s->stacks->count_arg;
	int ret;

	out->only_stacks = true;
	s->stacks->count_arg = profile;
	s->stacks->is_preview = true;
	ret = output_maps(s->sys, out, &s->load.kernel, &s->load.possible, NULL);
	s->stacks->is_preview = false;
	s->stacks->count_arg = counted;
	return ret;
}

/* Print the functions of the stacks: those of rows as they are now, and of the records so far. */
static int print_functions(struct session *s, struct output *out)
{
	struct profile *rows = profile_new();
	int ret = rows ? count_stacks(s, out, rows) : -ENOMEM;

	if (!ret && profile_weight(s->profile))
		ret = profile_print_functions(out->file, s->profile, out->rows);
	if (!ret && profile_weight(rows))
		ret = profile_print_functions(out->file, rows, out->rows);
	else if (!ret && !profile_weight(s->profile))
		fputs("the profile is empty: no row or record has a stack yet\n", out->file);
	profile_free(rows);
	return ret;
}

/* Print the first functions of the stacks, or without stacks the first rows of the maps. */
static int print_tables(FILE *file, struct session *s, unsigned int rows)
{
	struct output out = *s->out;

	out.file = file;
	out.format = output_format_find("text", NULL);
	out.written = (struct output_room){ 0 };
	out.rows = out.rows && out.rows < rows ? out.rows : rows;
	out.note = NULL;
	return s->profile ? print_functions(s, &out) :
			    output_maps(s->sys, &out, &s->load.kernel, &s->load.possible, NULL);
}

/* Copy the lines that fit into @size, each cut at the right edge: a character has a column. */
static void print_screen(FILE *file, const char *text, const struct terminal_size *size)
{
	unsigned int column = 0, row = 0;

	fputs("\033[H", file);
	for (; *text && row < size->rows; text++) {
		const bool begins = (*text & 0xc0) != 0x80;	/* a character of UTF-8 */

		if (*text == '\n') {
			fputs(++row < size->rows ? "\033[K\n" : "\033[K", file);
			column = 0;
			continue;
		}
		column += begins;
		if (column <= size->columns)
			putc(*text, file);
	}
	fputs("\033[J", file);
}

/* Draw the line of progress, and below it the functions or maps. */
static int draw_top(FILE *screen, struct session *s, uint64_t now, const struct terminal_size *size)
{
	char *text = NULL;
	size_t n;
	FILE *memory = open_memstream(&text, &n);
	int ret;

	if (!memory)
		return -ENOMEM;
	print_line(memory, s, now);
	putc('\n', memory);
	ret = print_tables(memory, s, size->rows);
	if (fclose(memory))
		ret = -ENOMEM;
	if (!s->out->watch->erase)
		fputs(SCREEN_BEGIN, screen);
	if (!ret)
		print_screen(screen, text, size);
	free(text);
	return ret;
}

/* The cursor stays at the beginning of the line: it can be erased if it wraps in a new width. */
static int draw_line(FILE *screen, struct session *s, uint64_t now,
		     const struct terminal_size *size)
{
	char text[256] = "";
	FILE *line = fmemopen(text, sizeof(text), "w");

	if (!line)
		return -ENOMEM;
	print_line(line, s, now);
	fclose(line);
	fprintf(screen, LINE_END "%.*s\r", (int)size->columns - 1, text);
	return 0;
}

static void draw(struct session *s, int fd, uint64_t now, const struct terminal_size *size)
{
	char *text = NULL;
	size_t n;
	FILE *screen = open_memstream(&text, &n);
	int ret;

	if (!screen)
		return;
	ret = s->progress.top ? draw_top(screen, s, now, size) : draw_line(screen, s, now, size);
	if (!fclose(screen) && !ret)
		stdout_watch_show(s->out->watch, fd, text, s->progress.top ? SCREEN_END : LINE_END);
	free(text);
}

static int draw_when_due(struct session *s, bool ready, struct error *err)
{
	struct progress *p = &s->progress;
	const uint64_t now = p->shown ? sys_monotonic_ns() : 0;
	const int fd = p->top ? s->out->watch->fd : STDERR_FILENO;
	const uint32_t every = !p->top ? LINE_MS : s->options->interval_ms ?: TOP_MS;
	struct terminal_size size;
	uint64_t took;

	(void)ready;
	(void)err;
	if (!p->shown || now < p->due_ns)
		return 0;
	if (in_foreground(fd) && terminal_size(fd, &size)) {
		draw(s, fd, now, &size);
		p->drawn_ns = now;
	}
	/* Large maps take long to read: records must not wait for that all the time. */
	took = sys_monotonic_ns() - now;
	p->due_ns = now + took + (took * 4 > every * MS ? took * 4 : every * MS);
	return 0;
}

const struct session_part part_progress = {
	.at = { [STAGE_BEGUN] = session_progress_begin },
	.due_ms = progress_due_ms, .read = draw_when_due,
};
