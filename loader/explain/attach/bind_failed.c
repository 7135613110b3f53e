// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find out why the kernel refused to bind a program to an event, by querying both. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/calls/machine.h"
#include "loader/explain/attach/bind_failed.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/sys/fd_limit.h"
#include "loader/core/sys/refused.h"
#include "loader/base/text/names.h"
#include "loader/base/kernel/kernel_calls.h"

/* BPF_TRACE_MAX_PROGS in kernel/trace/bpf_trace.c. */
#define PROGS_MAX 64

/* BPF_LINK_CREATE accepts perf events since Linux 5.15. */
#define LINK_MAJOR 5
#define LINK_MINOR 15

/* The kernel's information about the event and the program. */
struct binding {
	struct sys *sys;
	const struct bind_call *call;
	int code;			/* positive errno */
	struct bpf_prog_info prog;	/* zeroed: unknown */
	bool is_tracing;		/* a tracing event; it runs programs of type: */
	unsigned int nr_ids;
	uint32_t ids[PROGS_MAX];
};

/* PERF_EVENT_IOC_QUERY_BPF works only for tracing events. */
static void query_both(struct binding *b)
{
	/* struct perf_event_query_bpf: ids_len, prog_cnt, and then the ids. */
	uint32_t query[2 + PROGS_MAX] = { PROGS_MAX };

	if (kernel_prog_info(b->sys, b->call->prog_fd, &b->prog) < 0)
		memset(&b->prog, 0, sizeof(b->prog));
	if (sys_ioctl(b->sys, b->call->event_fd, PERF_EVENT_IOC_QUERY_BPF,
		      (unsigned long)query) < 0)
		return;
	b->is_tracing = true;
	b->nr_ids = query[1] < PROGS_MAX ? query[1] : PROGS_MAX;
	memcpy(b->ids, query + 2, sizeof(b->ids));
}

/* Query which program is bound to the event. Return: 0 or -errno. */
static int query_event(const struct binding *b)
{
	struct task_fd_info info;

	return kernel_task_fd_query(b->sys, getpid(), b->call->event_fd, &info);
}

static int fail(const struct binding *b, struct error *err, const char *reason, const char *text)
{
	error_set(err, b->code, "%s: %s: %s", b->call->name, error_strerror(b->code), text);
	error_reason(err, reason);
	return -b->code;
}

/* Report that no known cause applies. @ruled_out: the causes, and how they were ruled out. */
static int unknown(const struct binding *b, struct error *err, const char *ruled_out)
{
	return sys_error_unknown(err, b->call->name, b->code, "attach/failed", "%s", ruled_out);
}

/*
 * bpf_get_perf_event_info() in kernel/trace/bpf_trace.c: ENOENT means an event without a program,
 * EOPNOTSUPP one with a BPF_PROG_TYPE_PERF_EVENT program.
 */
static int explain_exists(const struct binding *b, struct error *err)
{
	char text[160];
	int ret;

	for (unsigned int i = 0; i < b->nr_ids; i++) {
		if (!b->prog.id || b->ids[i] != b->prog.id)
			continue;
		fail(b, err, "attach/same-program",
		     "this program is already bound to the tracepoint, through another event");
		return error_hint(err, "a program can be bound to a tracepoint only once, no "
				       "matter how many events are open on it");
	}
	ret = query_event(b);
	if (ret >= 0 || ret == -ENOSPC || ret == -EOPNOTSUPP) {
		fail(b, err, "attach/already-bound", "a program is already bound to this event");
		return error_hint(err,
				  "an event can have only one program: open another event for the "
				  "second one");
	}
	if (ret == -ENOENT)
		return unknown(b, err, "ruled out: a program on this event, and this program on "
				       "its tracepoint");
	snprintf(text, sizeof(text),
		 "the event may have a program: BPF_TASK_FD_QUERY, which would tell, failed: %s",
		 error_strerror(-ret));
	return unknown(b, err, text);
}

static int explain_many(const struct binding *b, struct error *err)
{
	char what[96];

	if (b->nr_ids < PROGS_MAX) {
		snprintf(what, sizeof(what),
			 b->is_tracing ? "ruled out: too many programs (the tracepoint has %u)" :
					 "ruled out: too many programs on a tracepoint", b->nr_ids);
		return unknown(b, err, what);
	}
	snprintf(what, sizeof(what), "the tracepoint has the maximum number of programs, %u",
		 b->nr_ids);
	fail(b, err, "attach/too-many", what);
	return error_hint(err, "the kernel allows 64 programs per tracepoint: detach one first "
			       "(see bpftool perf)");
}

/*
 * Return true if the call works with an empty program of the same type, which means that the
 * program is at fault, not the event or the call.
 */
static bool is_program(const struct binding *b)
{
	int ret;

	return b->prog.type && bind_trial(b->sys, b->call, b->prog.type, 0, &ret) && ret == 0;
}

static int explain_access(const struct binding *b, struct error *err)
{
	if (!b->is_tracing)
		return unknown(b, err, "ruled out: a program that reads beyond a tracepoint "
				       "record (this event has none)");
	if (!is_program(b))
		return unknown(b, err, "ruled out: a program that reads beyond the tracepoint "
				       "record (an empty program is refused, too)");
	fail(b, err, "attach/beyond-record",
	     "the program reads beyond the end of this tracepoint's record");
	return error_hint(err, "compare its context struct with the tracepoint's format file in "
			       "tracefs");
}

static int explain_callchain(const struct binding *b, struct error *err)
{
	if (!b->call->precise)
		return unknown(b, err, "ruled out: reading stacks of a precise event (this event "
				       "is not precise)");
	if (!is_program(b))
		return unknown(b, err, "ruled out: a program that reads stacks (an empty program "
				       "is refused, too)");
	fail(b, err, "attach/needs-callchain",
	     "the program reads stacks, but this precise event has no call chain");
	return error_hint(err, "use an event without precise_ip");
}

/* The event accepts empty programs of this type, but not this one. */
static int explain_program(const struct binding *b, struct error *err)
{
	int ret;

	if (b->call->sleepable && bind_trial(b->sys, b->call, b->prog.type, BPF_F_SLEEPABLE, &ret)
	    && ret == -EINVAL) {
		fail(b, err, b->call->kprobe ? "attach/kprobe-program" : "attach/not-sleepable",
		     b->call->kprobe ?
		     "a kprobe cannot run a sleepable program" :
		     "this tracepoint cannot run a sleepable program");
		return error_hint(err, b->call->kprobe ?
				  "use SEC(\"kprobe/...\"), not SEC(\"uprobe.s\")" :
				  "only syscalls:sys_enter_* and sys_exit_* can; for others, use "
				  "SEC(\"tp/...\") without .s");
	}
	if (!b->call->kprobe)
		return unknown(b, err, "ruled out: the program's type (an empty program of that "
				       "type attaches) and a sleepable program");
	fail(b, err, "attach/kprobe-program",
	     "the kprobe accepts an empty program, but not what this one does");
	return error_hint(err, "a kprobe cannot run a program that writes registers; one that "
			       "calls bpf_override_return() works only at the start of a function "
			       "in error_injection/list (debugfs)");
}

/* Find by trial which type of program the event accepts; BPF_PROG_TYPE_UNSPEC: none. */
static uint32_t type_taken(const struct binding *b)
{
	static const uint32_t types[] = { BPF_PROG_TYPE_PERF_EVENT, BPF_PROG_TYPE_TRACEPOINT,
					  BPF_PROG_TYPE_KPROBE };
	int ret;

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (bind_trial(b->sys, b->call, types[i], 0, &ret) && ret == 0)
			return types[i];
	return BPF_PROG_TYPE_UNSPEC;
}

static int explain_invalid(const struct binding *b, struct error *err)
{
	const char *type = sys_prog_type_name(b->prog.type);
	uint32_t taken;
	char what[128];

	if (is_program(b))
		return explain_program(b, err);
	taken = type_taken(b);
	if (taken) {
		snprintf(what, sizeof(what), "the event runs programs of type %s, not %s",
			 sys_prog_type_name(taken), b->prog.type && type ? type : "this type");
		fail(b, err, "attach/mismatch", what);
		return error_hint(err, "sampling events run SEC(\"perf_event\"), tracepoints "
				       "SEC(\"tracepoint/...\"), probes SEC(\"kprobe/...\")");
	}
	if (b->call->nr == __NR_bpf && sys_is_before(b->sys, LINK_MAJOR, LINK_MINOR)) {
		fail(b, err, "attach/link-unsupported", "this kernel has no links for perf events");
		return error_hint(err, "they need Linux 5.15: use --attach=ioctl");
	}
	return unknown(b, err, "ruled out: the program and its type (empty programs of every type "
			       "are refused, too)");
}

static int explain_permission(const struct binding *b, struct error *err)
{
	const struct sys_asked asked = {
		.room = SYS_ATTACH, .call = b->call->name,
		.caps = sys_prog_caps(BPF_PROG_TYPE_PERF_EVENT),
		.nr = b->call->nr, .request = b->call->request,
	};

	return sys_denied(b->sys, &asked, b->code, err);
}

static int explain_fd(const struct binding *b, struct error *err)
{
	struct stat st;
	uint64_t id;
	const char *what = NULL;

	if (sys_fstat(b->sys, b->call->event_fd, &st) < 0)
		what = "the event's file descriptor is closed";
	else if (sys_fstat(b->sys, b->call->prog_fd, &st) < 0)
		what = "the program's file descriptor is closed";
	else if (sys_ioctl(b->sys, b->call->event_fd, PERF_EVENT_IOC_ID, (unsigned long)&id) < 0)
		what = "the event's file descriptor no longer refers to an event";
	else if (!b->prog.id)
		what = "the program's file descriptor no longer refers to a program";
	if (!what)
		return unknown(b, err, "ruled out: the file descriptors (they refer to an event "
				       "and a program)");
	fail(b, err, "attach/bad-fd", what);
	return error_hint(err, "other code may have closed or replaced the file descriptor");
}

static int explain_unsupported(const struct binding *b, struct error *err)
{
	if (is_program(b) || type_taken(b))
		return unknown(b, err, "ruled out: a kernel that cannot bind programs to such "
				       "events (an empty program attaches)");
	fail(b, err, "attach/unsupported", "this kernel cannot bind programs to this event");
	return error_hint(err, "it needs CONFIG_BPF_EVENTS and CONFIG_PERF_EVENTS");
}

static int explain_fds(const struct binding *b, struct error *err)
{
	fail(b, err, "attach/fd-limit", "a link needs a file descriptor, and none are left");
	fd_limit_failed(b->sys, b->code, "attach/fd-limit", 0, err);
	return -b->code;
}

/* This errno has only one meaning, so there is nothing to find out. */
static int explain_memory(const struct binding *b, struct error *err)
{
	fail(b, err, "attach/no-memory", "the kernel reports that it is out of memory");
	return error_hint(err, "this needs only a few hundred bytes: see free, and memory.events "
			       "of the cgroup");
}

static int explain_other(const struct binding *b, struct error *err)
{
	return unknown(b, err, "the kernel gave no other reason");
}

/*
 * Errors from perf_event_set_bpf_prog() in kernel/events/core.c and perf_event_attach_bpf_prog() in
 * kernel/trace/bpf_trace.c.
 */
static const struct {
	int code;
	int (*explain)(const struct binding *b, struct error *err);
} causes[] = {
	{ EEXIST, explain_exists },
	{ E2BIG, explain_many },
	{ EACCES, explain_access },
	{ EPROTO, explain_callchain },
	{ EINVAL, explain_invalid },
	{ EPERM, explain_permission },
	{ EBADF, explain_fd },
	{ EOPNOTSUPP, explain_unsupported },
	{ KERNEL_ENOTSUPP, explain_unsupported },
	{ EMFILE, explain_fds },
	{ ENFILE, explain_fds },
	{ ENOMEM, explain_memory },
};

int bind_failed(struct sys *sys, const struct bind_call *call, int code, struct error *err)
{
	struct binding b = { .sys = sys, .call = call, .code = code };
	int (*how)(const struct binding *b, struct error *err) = explain_other;
	int again;

	if (!err)
		return -code;
	query_both(&b);
	again = code == EMFILE || code == ENFILE || code == ENOMEM ? -code : bind_again(sys, call);
	if (again != -code) {
		unknown(&b, err, again ? "the same call now fails with another errno" :
					 "the same call now works: the cause is gone");
		return -code;
	}
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].code == code)
			how = causes[i].explain;
	how(&b, err);
	return -code;
}

void explain_bind(struct sys *sys, const void *failed, struct error *err)
{
	const struct refused_bind *r = failed;

	bind_failed(sys, r->call, r->code, err);
}
