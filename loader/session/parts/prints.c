// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Show in the session what its programs print: bpf_printk() and their streams. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/print/printk/program_lines.h"
#include "loader/session/part.h"

/* Nothing announces that a stream has text: programs that write to one are asked so often. */
#define STREAMS_MS 100

struct prints {
	struct printk *printk;		/* owned; NULL: no program calls bpf_printk() */
	bool streams;			/* programs write to their streams */
};

/* bpf_stream_printk() calls bpf_stream_vprintk(), which has had another name in between. */
static bool writes_streams(const struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_externs; i++)
		if (!strncmp(obj->externs[i].name, "bpf_stream_", strlen("bpf_stream_")))
			return true;
	return false;
}

static int begin_prints(struct session *s, struct error *err)
{
	struct error why = { 0 };

	s->prints = calloc(1, sizeof(*s->prints));
	if (!s->prints)
		return error_set(err, ENOMEM, "no memory for what programs print");
	s->prints->streams = writes_streams(&s->load.object);
	if (!s->load.prints)
		return 0;
	s->prints->printk = printk_open(s->sys, program_lines(s->out), &s->load.kernel, &why);
	if (!s->prints->printk)
		note(s->out, "what programs print with bpf_printk() is not shown: %s; it is in "
		     "trace_pipe of the tracefs", why.what);
	error_clear(&why);
	return 0;
}

static int prints_fd(const struct session *s)
{
	return s->prints && s->prints->printk ? printk_fd(s->prints->printk) : -1;
}

static int prints_due_ms(const struct session *s)
{
	return s->prints && s->prints->streams ? STREAMS_MS : -1;
}

static int drain_prints(struct session *s, struct error *err)
{
	struct prints *p = s->prints;
	int ret = 0;

	if (!p || s->options->dry_run)
		return 0;
	if (p->printk)
		ret = printk_read(p->printk, err);
	if (!ret && p->streams)
		ret = streams_read(s->sys, program_lines(s->out), &s->load.kernel, err);
	return ret;
}

static int read_prints(struct session *s, bool ready, struct error *err)
{
	(void)ready;
	return drain_prints(s, err);
}

static void prints_lost(const struct session *s, struct losses *losses)
{
	if (s->prints && s->prints->printk)
		losses->printk_lost = printk_lost(s->prints->printk);
}

static void end_prints(struct session *s)
{
	if (s->prints && s->prints->printk)
		printk_close(s->prints->printk);
	free(s->prints);
	s->prints = NULL;
}

const struct session_part part_prints = {
	.at = { [STAGE_LOADED] = begin_prints, [STAGE_DRAIN] = drain_prints },
	.fd = prints_fd, .due_ms = prints_due_ms, .read = read_prints, .lost = prints_lost,
	.end = end_prints,
};
