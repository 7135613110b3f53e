// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The decorator that prints what passes: a line per call, made in memory and written at once. */
#include <stdlib.h>

#include "elf/error.h"
#include "loader/sys/sys.h"
#include "loader/sys/trace.h"
#include "loader/sys/trace_call.h"

struct trace {
	struct sys sys;		/* first: enter() gets a pointer to it */
	struct sys *next;
	FILE *out;
	FILE *line;		/* into text */
	char *text;
	size_t size;
};

static void print_args(FILE *out, const struct trace_call *call, long nr,
		       const unsigned long arg[6])
{
	if (call) {
		fprintf(out, "%s(", call->name);
		call->args(out, arg);
	} else {
		fprintf(out, "syscall_%ld(0x%lx, 0x%lx, 0x%lx, 0x%lx, 0x%lx, 0x%lx", nr,
			arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	}
	fputs(") = ", out);
}

static void print_result(FILE *out, const struct trace_call *call, const unsigned long arg[6],
			 long ret)
{
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
	fputc('\n', out);
}

/* Arguments are printed before the call, because the kernel writes over some of them. */
static long trace_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct trace *trace = (struct trace *)sys;
	const struct trace_call *call = trace_call_find(nr);
	long ret, len;

	rewind(trace->line);
	print_args(trace->line, call, nr, arg);
	ret = trace->next->enter(trace->next, nr, arg);
	if (nr == __NR_clone && ret == 0)	/* the other process says what came of it */
		return ret;
	print_result(trace->line, call, arg, ret);
	len = ftell(trace->line);
	if (fflush(trace->line) == 0 && len > 0) {
		fwrite(trace->text, 1, len, trace->out);
		fflush(trace->out);
	}
	return ret;
}

struct sys *sys_trace(struct sys *next, FILE *out)
{
	struct trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->sys.enter = trace_enter;
	trace->next = next;
	trace->out = out;
	trace->line = open_memstream(&trace->text, &trace->size);
	if (!trace->line) {
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
	fclose(trace->line);
	free(trace->text);
	free(trace);
}
