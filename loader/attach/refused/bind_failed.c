// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Decode why the kernel refused to bind a program to an event: query both. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/attach/attach_internal.h"
#include "loader/kernel/kernel.h"
#include "loader/sys/fd_limit.h"
#include "loader/sys/refused.h"
#include "loader/sys/names.h"
#include "loader/sys/more/privilege.h"

/* BPF_TRACE_MAX_PROGS of kernel/trace/bpf_trace.c. */
#define PROGS_MAX 64

/* BPF_LINK_CREATE takes perf events since Linux 5.15. */
#define LINK_MAJOR 5
#define LINK_MINOR 15

/* Information of the kernel about the event and the program. */
struct binding {
	struct sys *sys;
	const struct bind_call *call;
	int code;			/* positive errno */
	struct bpf_prog_info prog;	/* zeroed: unknown */
	bool is_tracing;		/* a tracing event, whose programs are: */
	unsigned int nr_ids;
	uint32_t ids[PROGS_MAX];
};

/* PERF_EVENT_IOC_QUERY_BPF works for tracing events only. */
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

static int fail(const struct binding *b, struct error *err, const char *reason, const char *text)
{
	error_set(err, b->code, "%s: %s: %s", b->call->name, error_strerror(b->code), text);
	error_reason(err, reason);
	return -b->code;
}

static int explain_exists(const struct binding *b, struct error *err)
{
	for (unsigned int i = 0; i < b->nr_ids; i++) {
		if (!b->prog.id || b->ids[i] != b->prog.id)
			continue;
		fail(b, err, "attach/same-program",
		     "this program is bound to the tracepoint already, by another event");
		return error_hint(err, "a tracepoint takes a program once, however many events are "
				       "opened on it");
	}
	fail(b, err, "attach/already-bound", "a program is bound to this event");
	return error_hint(err, "an event takes one program: open another event for the second");
}

static int explain_many(const struct binding *b, struct error *err)
{
	char what[96];

	snprintf(what, sizeof(what), "the tracepoint has as many programs as it takes, %u",
		 b->nr_ids ? b->nr_ids : PROGS_MAX);
	fail(b, err, "attach/too-many", what);
	return error_hint(err, "the kernel binds 64 programs to one tracepoint: detach another one "
			       "first (bpftool perf)");
}

static int explain_access(const struct binding *b, struct error *err)
{
	fail(b, err, "attach/beyond-record",
	     "the program reads beyond the end of this tracepoint's record");
	return error_hint(err, "compare its context struct with the tracepoint's format file in "
			       "tracefs");
}

static int explain_callchain(const struct binding *b, struct error *err)
{
	fail(b, err, "attach/needs-callchain",
	     "the program reads stacks, and this precise event has no call chain");
	return error_hint(err, "use an event without precise_ip");
}

/* The type is right, but the program does what a kprobe must not. The errno does not tell which. */
static int explain_kprobe(const struct binding *b, struct error *err)
{
	fail(b, err, "attach/kprobe-program",
	     "a kprobe runs no program that sleeps or writes registers, and one that calls "
	     "bpf_override_return() only at the start of a function with error injection");
	return error_hint(err, "SEC(\"kprobe/...\"), not SEC(\"uprobe.s\"); the functions are in "
			       "error_injection/list of debugfs");
}

/* The type is right: trace events of system calls alone may fault (Linux 7.2). */
static int explain_tracepoint(const struct binding *b, struct error *err)
{
	fail(b, err, "attach/not-sleepable", "this tracepoint runs no program that may sleep");
	return error_hint(err, "sys_enter_* and sys_exit_* of syscalls do; for others, "
			       "SEC(\"tp/...\") without the .s");
}

static int explain_invalid(const struct binding *b, struct error *err)
{
	const char *type = sys_prog_type_name(b->prog.type);
	char what[128];

	if (b->call->nr == __NR_bpf && sys_is_before(b->sys, LINK_MAJOR, LINK_MINOR)) {
		fail(b, err, "attach/link-unsupported", "this kernel has no links to perf events");
		return error_hint(err, "they came with Linux 5.15: use --attach=ioctl");
	}
	if (b->call->kprobe && b->prog.type == BPF_PROG_TYPE_KPROBE)
		return explain_kprobe(b, err);
	if (b->is_tracing && b->prog.type == BPF_PROG_TYPE_TRACEPOINT)
		return explain_tracepoint(b, err);
	snprintf(what, sizeof(what), "the event does not take a program of this type%s%s%s",
		 b->prog.type && type ? " (" : "", b->prog.type && type ? type : "",
		 b->prog.type && type ? ")" : "");
	fail(b, err, "attach/mismatch", what);
	return error_hint(err, "SEC(\"perf_event\") runs on sampling events, "
			       "SEC(\"tracepoint/...\") on tracepoints");
}

static int explain_permission(const struct binding *b, struct error *err)
{
	const struct sys_asked asked = {
		.room = SYS_ATTACH, .call = b->call->name,
		.caps = SYS_CAP(CAP_BPF) | SYS_CAP(CAP_PERFMON),
		.nr = b->call->nr, .request = b->call->request,
	};

	return sys_denied(b->sys, &asked, b->code, err);
}

static int explain_fd(const struct binding *b, struct error *err)
{
	struct stat st;
	const bool event = sys_fstat(b->sys, b->call->event_fd, &st) == 0,
		   prog = sys_fstat(b->sys, b->call->prog_fd, &st) == 0;

	fail(b, err, "attach/bad-fd",
	     !event ? "the event's file descriptor is closed" :
	     !prog ? "the program's file descriptor is closed" :
		     "the kernel does not take this as a perf event or program");
	return error_hint(err, "other code may have closed or replaced the file descriptor");
}

static int explain_unsupported(const struct binding *b, struct error *err)
{
	fail(b, err, "attach/unsupported", "this kernel binds no programs to such events");
	return error_hint(err, "it needs CONFIG_BPF_EVENTS and CONFIG_PERF_EVENTS");
}

static int explain_fds(const struct binding *b, struct error *err)
{
	fail(b, err, "attach/fd-limit", "a link takes a file descriptor, and there are no more");
	fd_limit_failed(b->sys, b->code, "attach/fd-limit", 0, err);
	return -b->code;
}

static int explain_memory(const struct binding *b, struct error *err)
{
	fail(b, err, "attach/no-memory", "the kernel has no memory for it");
	return error_hint(err, "it needs a few hundred bytes: the machine or this cgroup has none "
			       "left");
}

static int explain_other(const struct binding *b, struct error *err)
{
	error_set(err, b->code, "%s: %s", b->call->name, error_strerror(b->code));
	error_reason(err, "attach/failed");
	return error_hint(err, "the kernel log may have more: dmesg");
}

/*
 * Errors of perf_event_set_bpf_prog() in kernel/events/core.c and perf_event_attach_bpf_prog() in
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

	if (!err)
		return -code;
	query_both(&b);
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].code == code)
			how = causes[i].explain;
	how(&b, err);
	return -code;
}
