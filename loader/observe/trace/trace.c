// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trace calls: a struct sys that prints each call of another one, one per line. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/error.h"
#include "loader/base/text/text_stream.h"
#include "loader/observe/trace/annotate/annotate.h"
#include "loader/core/sys/sys.h"
#include "loader/observe/trace/trace_internal.h"
#include "loader/observe/trace/trace_call.h"
#include "loader/core/value/value.h"

struct trace {
	struct sys sys;		/* first: enter() gets a pointer to it */
	struct sys *next;
	FILE *out;
	enum trace_form form;
	struct text_stream line;	/* of the current call: its arguments, then its result */
	struct json_object *notes;	/* owned; JSON: output since the last call; NULL: none */
	struct fd_names names;
	uint64_t own_calls, *nr_calls;
	pid_t pid;		/* 0: this process and its copies */
	char stage[128];
	char why[256], last_why[256];	/* of the next call, or ""; the last one printed */
	struct sys_source source;	/* of the next call; .file is NULL if unknown */
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

/* Print the value that the call returns. */
static void print_value(FILE *out, const struct trace_call *call, long ret)
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
}

void sys_call_result(FILE *out, long nr, const unsigned long arg[6], long ret)
{
	const struct trace_call *call = trace_call_find(nr);

	print_value(out, call, ret);
	if (call && call->result)
		call->result(out, arg, ret);
}

/* --- remarks --- */

/* Text from a file, such as a name, must be escaped before it reaches a terminal. */
static void print_remark(struct trace *trace, const char *begin, const char *text)
{
	fputs(begin, trace->out);
	text_print(trace->out, text, strlen(text), 0);
	fputc('\n', trace->out);
}

static void trace_remark(struct sys *sys, const struct sys_remark *remark)
{
	struct trace *trace = (struct trace *)sys;
	const bool json = trace->form == TRACE_JSON;

	switch (remark->kind) {
	case SYS_STAGE:
		snprintf(trace->stage, sizeof(trace->stage), "%s", remark->text);
		if (!json)
			print_remark(trace, "\n## ", remark->text);
		break;
	case SYS_WHY:
		snprintf(trace->why, sizeof(trace->why), "%s", remark->text);
		break;
	case SYS_NOTE:
		if (!json) {
			print_remark(trace, "#   ", remark->text);
			break;
		}
		if (!trace->notes)
			trace->notes = json_object_new_array();
		value_append(trace->notes, json_object_new_string(remark->text));
		break;
	case SYS_SOURCE:
		trace->source = remark->source;
		break;
	}
}

/* --- calls --- */

/* One call, after printing its arguments and before its result. */
struct traced {
	long nr;
	const unsigned long *arg;
	const struct trace_call *call;
	const char *name;	/* "syscall_500" if the trace does not know it */
	const char *args, *result;	/* as printed by --trace=calls */
	const char *why;	/* or "" */
	bool begins;		/* it may not return, and then has no result */
	struct passed passed;
	long ret;
};

/* The line of --trace; "made" has the name of a descriptor that the call returns, or is NULL. */
static char *call_text(struct trace *trace, const struct traced *t, const struct fd_entry **made)
{
	struct text_stream line;
	char number[32];

	if (!text_stream_open(&line))
		return NULL;
	fprintf(line.file, "%s(", t->name);
	tokens_annotate(line.file, t->args, fd_positions(t->nr, t->arg), &trace->names);
	fputs(") = ", line.file);
	fd_names_update(&trace->names, t->nr, t->arg, t->ret, t->why);
	*made = fd_returns(t->nr, t->arg) && !sys_failed(t->ret) ?
			fd_names_find(&trace->names, t->ret) : NULL;
	snprintf(number, sizeof(number), "%ld", t->ret);
	if (*made)
		fprintf(line.file, "%s <%s>%s", number, (*made)->name,
			t->result + strlen(number));
	else
		fputs(t->result, line.file);
	return text_stream_close(&line);
}

static void print_text(struct trace *trace, const struct traced *t, FILE *to)
{
	const struct fd_entry *made;
	char *text = call_text(trace, t, &made);

	if (strcmp(t->why, trace->last_why)) {
		if (*t->why)
			fprintf(to, "# %s\n", t->why);
		snprintf(trace->last_why, sizeof(trace->last_why), "%s", t->why);
	}
	fprintf(to, "%s\n", text ? text : "(no memory to print this call)");
	free(text);
	if (trace->form == TRACE_INSNS)
		passed_print_insns(to, &t->passed);
	passed_print_bytes(to, &t->passed);
}

/* docs/trace.md describes the members. */
static void print_json(struct trace *trace, const struct traced *t, FILE *to)
{
	struct json_object *all = json_object_new_object();
	const struct fd_entry *made = NULL;
	const char *returned = strstr(t->result, " => "), *json;
	char *text = call_text(trace, t, &made), address[32];

	value_add_uint(all, "step", *trace->nr_calls);
	value_add_int(all, "pid", trace->pid ? trace->pid : getpid());
	value_add_string(all, "stage", trace->stage);
	value_add_string(all, "call", t->name);
	value_add_string(all, "text", text ? text : "(no memory to print this call)");
	free(text);
	value_add(all, "args", tokens_json(t->args));
	if (sys_failed(t->ret)) {
		value_add_string(all, "errno", sys_errno_name(-t->ret) ?: "?");
	} else if (t->call && t->call->gives_address) {
		snprintf(address, sizeof(address), "0x%lx", (unsigned long)t->ret);
		value_add_string(all, "address", address);
	} else if (!t->begins) {
		value_add_int(all, "result", t->ret);
	}
	if (returned)
		value_add(all, "returned", tokens_json(returned + strlen(" => ")));
	if (*t->why)
		value_add_string(all, "why", t->why);
	if (made)
		value_add_string(all, "name", made->name);
	if (trace->source.file) {
		value_add_string(all, "file", trace->source.file);
		value_add_int(all, "line", trace->source.line);
		value_add_string(all, "function", trace->source.function);
	}
	passed_json(all, &t->passed);
	value_add(all, "notes", trace->notes ? trace->notes : json_object_new_array());
	trace->notes = NULL;
	json = value_is_complete(all) ? value_json(all, NULL) : NULL;
	fprintf(to, "%s\n", json ? json : "(no memory to print this call)");
	json_object_put(all);
}

static void print_call(struct trace *trace, const struct traced *t, FILE *to)
{
	++*trace->nr_calls;
	switch (trace->form) {
	case TRACE_CALLS:
		fprintf(to, "%s(%s) = %s\n", t->name, t->args, t->result);
		break;
	case TRACE_TEXT:
	case TRACE_INSNS:
		print_text(trace, t, to);
		break;
	case TRACE_JSON:
		print_json(trace, t, to);
		break;
	}
}

/* The line consists of two texts, arguments and result, each terminated by '\0'. */
static void finish_call(struct trace *trace, struct traced *t, size_t args_len)
{
	struct text_stream whole;
	char *text;

	if (trace->line.failed || !text_stream_open(&whole)) {
		fputs("(no memory to print this call)\n", trace->out);
		return;
	}
	t->args = trace->line.text;
	t->result = trace->line.text + args_len;
	print_call(trace, t, whole.file);
	text = text_stream_close(&whole);
	fputs(text ? text : "(no memory to print this call)\n", trace->out);
	free(text);
}

/* A call that replaces or ends the process: print an object before it, without a result. */
static void print_begin(struct trace *trace, struct traced *t, size_t args_len)
{
	if (trace->form != TRACE_JSON || (t->nr != __NR_execve && t->nr != __NR_exit_group))
		return;
	fputs("?", trace->line.file);
	fputc('\0', trace->line.file);
	fflush(trace->line.file);
	t->begins = true;
	finish_call(trace, t, args_len);
	fflush(trace->out);
	t->begins = false;
	trace->line.len = args_len;
}

/* Print the arguments before the call: the kernel overwrites some of them. */
static long trace_enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct trace *trace = (struct trace *)sys;
	struct text_stream *line = &trace->line;
	struct traced t = { .nr = nr, .arg = arg, .call = trace_call_find(nr), .why = trace->why };
	char name[32];
	size_t args_len;

	snprintf(name, sizeof(name), "syscall_%ld", nr);
	t.name = t.call ? t.call->name : name;
	fflush(line->file);	/* a child inherits the text of clone(2) */
	line->len = 0;
	line->failed = false;
	sys_call_args(line->file, nr, arg);
	fputc('\0', line->file);
	fflush(line->file);
	args_len = line->len;
	if (trace->form != TRACE_CALLS) {
		t.passed = passed_by_call(&trace->names, nr, arg);
		if (!trace->why[0] && purpose_of_call(&trace->names, nr, arg))
			t.why = purpose_of_call(&trace->names, nr, arg);
	}
	print_begin(trace, &t, args_len);
	t.ret = trace->next->enter(trace->next, nr, arg);
	if (nr == __NR_clone && t.ret == 0)	/* the parent prints the result */
		return t.ret;
	sys_call_result(line->file, nr, arg, t.ret);
	fputc('\0', line->file);
	fflush(line->file);
	finish_call(trace, &t, args_len);
	fflush(trace->out);
	trace->why[0] = '\0';
	trace->source.file = NULL;
	return t.ret;
}

struct sys *sys_trace(struct sys *next, FILE *out, enum trace_form form)
{
	struct trace *trace = calloc(1, sizeof(*trace));

	if (!trace)
		return NULL;
	trace->sys.enter = trace_enter;
	if (form != TRACE_CALLS)
		trace->sys.remark = trace_remark;
	trace->sys.free = sys_trace_free;
	trace->next = next;
	trace->sys.patience = next->patience;
	trace->out = out;
	trace->form = form;
	trace->nr_calls = &trace->own_calls;
	if (!text_stream_open(&trace->line)) {
		free(trace);
		return NULL;
	}
	return &trace->sys;
}

struct sys *sys_trace_process(struct sys *next, FILE *out, enum trace_form form,
			      const struct trace_process *process)
{
	struct trace *trace = (struct trace *)sys_trace(next, out, form);
	const struct trace *parent = (const struct trace *)process->parent;

	if (!trace)
		return NULL;
	trace->pid = process->pid;
	trace->nr_calls = process->nr_calls;
	if (parent) {
		fd_names_copy(&trace->names, &parent->names);
		strcpy(trace->stage, parent->stage);
	}
	return &trace->sys;
}

struct fd_names *sys_trace_names(struct sys *sys)
{
	return &((struct trace *)sys)->names;
}

void sys_trace_free(struct sys *sys)
{
	struct trace *trace = (struct trace *)sys;

	if (!trace)
		return;
	free(text_stream_close(&trace->line));
	json_object_put(trace->notes);
	fd_names_free(&trace->names);
	free(trace);
}
