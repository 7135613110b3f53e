// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trace calls: a struct sys that prints each call of another one, a line at a time. */
#include <stdlib.h>

#include "elf/error.h"
#include "loader/sys/text/text_stream.h"
#include "loader/sys/trace/call_text.h"
#include "loader/sys/sys.h"
#include "loader/sys/trace/trace_internal.h"
#include "loader/sys/trace/trace_call.h"

struct trace {
	struct sys sys;		/* first: enter() gets a pointer to it */
	struct sys *next;
	FILE *out;
	struct text_stream line;
};

const char *sys_call_name(long nr)
{
	const struct trace_call *call = trace_call_find(nr);

	return call ? call->name : NULL;
}

void sys_call_args(FILE *out, long nr, const unsigned long arg[6])
{
	const struct trace_call *call = trace_call_find(nr);

	if (call)
		trace_call_args(out, call, arg);
	else
		fprintf(out, "0x%lx, 0x%lx, 0x%lx, 0x%lx, 0x%lx, 0x%lx", arg[0], arg[1], arg[2],
			arg[3], arg[4], arg[5]);
}

void sys_call_result(FILE *out, long nr, const unsigned long arg[6], long ret)
{
	const struct trace_call *call = trace_call_find(nr);

	if (sys_failed(ret)) {
		fputs("-1 ", out);
		trace_enum(out, sys_errno_name(-ret), -ret);
		fprintf(out, " (%s)", error_strerror(-ret));
	} else if (call && call->gives_address) {
		trace_pointer(out, ret);
	} else {
		fprintf(out, "%ld", ret);
	}
	if (call && call->result)
		call->result(out, arg, ret);
}

static void print_call(FILE *out, long nr, const unsigned long arg[6])
{
	const char *name = sys_call_name(nr);

	if (name)
		fprintf(out, "%s(", name);
	else
		fprintf(out, "syscall_%ld(", nr);
	sys_call_args(out, nr, arg);
	fputs(") = ", out);
}

/* Print the arguments before the call: the kernel overwrites some of them. */
static long trace_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct trace *trace = (struct trace *)sys;
	struct text_stream *line = &trace->line;
	long ret;

	fflush(line->file);	/* a child has left the text of clone(2) */
	line->len = 0;
	line->failed = false;
	print_call(line->file, nr, arg);
	ret = trace->next->enter(trace->next, nr, arg);
	if (nr == __NR_clone && ret == 0)	/* the parent prints the result */
		return ret;
	sys_call_result(line->file, nr, arg, ret);
	fputc('\n', line->file);
	fflush(line->file);
	if (line->failed)
		fputs("(no memory to print this call)\n", trace->out);
	else
		fwrite(line->text, 1, line->len, trace->out);
	fflush(trace->out);
	return ret;
}

struct sys *sys_trace(struct sys *next, FILE *out)
{
	struct trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->sys.enter = trace_enter;
	trace->sys.free = sys_trace_free;
	trace->next = next;
	trace->out = out;
	if (!text_stream_open(&trace->line)) {
		free(trace);
		return NULL;
	}
	return &trace->sys;
}

void sys_trace_free(struct sys *sys)
{
	struct trace *trace = (struct trace *)sys;

	if (!trace)
		return;
	free(text_stream_close(&trace->line));
	free(trace);
}
