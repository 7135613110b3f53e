// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Show what the session's programs print with bpf_printk() and to their streams. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/printk_text/program_lines.h"
#include "loader/sessions/parts/parts.h"

/* There is no notification that a stream has text, so poll the streams at this interval. */
#define STREAMS_MS 100

struct program_output {
	struct printk *printk;		/* owned; NULL: no program calls bpf_printk() */
	bool streams;			/* programs write to their streams */
};

/* bpf_stream_printk() calls bpf_stream_vprintk(), which temporarily had another name. */
static bool writes_streams(const struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_externs; i++)
		if (!strncmp(obj->externs[i].name, "bpf_stream_", strlen("bpf_stream_")))
			return true;
	return false;
}

static int begin_program_output(struct session *s, struct error *err)
{
	struct error why = { 0 };

	s->printed = calloc(1, sizeof(*s->printed));
	if (!s->printed)
		return error_set(err, ENOMEM, "no memory for the output of programs");
	s->printed->streams = writes_streams(&s->load.object);
	if (!s->load.calls_printk)
		return 0;
	s->printed->printk = printk_open(s->sys, program_lines(s->out), &s->load.kernel, &why);
	if (!s->printed->printk)
		note(s->out,
		     "cannot show bpf_printk() output: %s; see trace_pipe in tracefs", why.what);
	error_clear(&why);
	return 0;
}

static int program_output_fd(const struct session *s)
{
	return s->printed && s->printed->printk ? printk_fd(s->printed->printk) : -1;
}

static int program_output_due_ms(const struct session *s)
{
	return s->printed && s->printed->streams ? STREAMS_MS : -1;
}

static int drain_program_output(struct session *s, struct error *err)
{
	struct program_output *p = s->printed;
	int ret = 0;

	if (!p || s->options->dry_run)
		return 0;
	if (p->printk)
		ret = printk_read(p->printk, err);
	if (!ret && p->streams)
		ret = streams_read(s->sys, program_lines(s->out), &s->load.kernel, err);
	return ret;
}

static int read_program_output(struct session *s, bool ready, struct error *err)
{
	(void)ready;
	return drain_program_output(s, err);
}

static void program_output_lost(const struct session *s, struct losses *losses)
{
	if (s->printed && s->printed->printk)
		losses->printk_lost = printk_lost(s->printed->printk);
}

static void end_program_output(struct session *s)
{
	if (s->printed && s->printed->printk)
		printk_close(s->printed->printk);
	free(s->printed);
	s->printed = NULL;
}

const struct session_part part_program_output = {
	.at = { [STAGE_LOADED] = begin_program_output, [STAGE_DRAIN] = drain_program_output },
	.fd = program_output_fd, .due_ms = program_output_due_ms, .read = read_program_output,
	.lost = program_output_lost, .end = end_program_output,
};
