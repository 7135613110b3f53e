// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The methods: how an event is opened, and how a program is bound to it. One row each. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/attach/point.h"

/* BPF_LINK_CREATE takes perf events since Linux 5.15. */
#define LINK_MAJOR 5
#define LINK_MINOR 15

/*
 * The answers of perf_event_set_bpf_prog() in kernel/events/core.c and perf_event_attach_bpf_prog()
 * in bpf_trace.c.
 */
static const struct cause {
	int code;
	const char *reason;
	const char *what;
	const char *hint;
} causes[] = {
	{ EEXIST, "attach/already-bound",
	  "a program is bound to this event, or this program to the same tracepoint",
	  "an event takes one program, and a tracepoint the same program once: "
	  "attach each program once" },
	{ E2BIG, "attach/too-many", "the tracepoint has as many programs as it takes",
	  "the kernel binds 64 programs to one tracepoint: detach another one first" },
	{ EACCES, "attach/beyond-record",
	  "the program reads beyond the end of this tracepoint's record",
	  "compare its context struct with the tracepoint's format file in tracefs" },
	{ EPROTO, "attach/needs-callchain",
	  "the program takes stacks, and this precise event has no call chain",
	  "use an event without precise_ip" },
	{ EINVAL, "attach/mismatch", "the event does not take a program of this type",
	  "SEC(\"perf_event\") goes on counted events, SEC(\"tracepoint/...\") on tracepoints" },
	{ EPERM, "attach/no-capability", "binding a program is not permitted",
	  "run as root, or with CAP_BPF and CAP_PERFMON" },
	{ EBADF, "attach/bad-fd", "the kernel does not take this as a perf event or program",
	  "another thing may have closed or replaced its file descriptor" },
	{ EOPNOTSUPP, "attach/unsupported", "this kernel binds no programs to such events",
	  "it needs CONFIG_BPF_EVENTS and CONFIG_PERF_EVENTS" },
	{ KERNEL_ENOTSUPP, "attach/unsupported", "this kernel binds no programs to such events",
	  "it needs CONFIG_BPF_EVENTS and CONFIG_PERF_EVENTS" },
};

static int bind_failed(const char *call, int code, struct error *err)
{
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		if (causes[i].code != code)
			continue;
		error_set(err, code, "%s: %s: %s", call, error_strerror(code), causes[i].what);
		error_reason(err, causes[i].reason);
		error_hint(err, "%s", causes[i].hint);
		return -code;
	}
	error_set(err, code, "%s: %s", call, error_strerror(code));
	error_reason(err, "attach/failed");
	return -code;
}

static int bind_ioctl(struct sys *sys, struct attachment *a, int prog_fd, uint64_t cookie,
		      struct error *err)
{
	int ret = sys_ioctl(sys, a->event_fd, PERF_EVENT_IOC_SET_BPF, prog_fd);

	(void)cookie;	/* this way has none: attach_prog() refuses a request that gives one */
	return ret < 0 ? bind_failed("PERF_EVENT_IOC_SET_BPF", -ret, err) : 0;
}

static int bind_link(struct sys *sys, struct attachment *a, int prog_fd, uint64_t cookie,
		     struct error *err)
{
	unsigned int size =
		offsetof(union bpf_attr, link_create.perf_event.bpf_cookie) + sizeof(cookie);
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.target_fd = a->event_fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = cookie;
	fd = sys_bpf(sys, BPF_LINK_CREATE, &attr, size);
	if (fd >= 0) {
		a->link_fd = fd;
		return 0;
	}
	if (fd == -EINVAL && kernel_is_before(sys, LINK_MAJOR, LINK_MINOR)) {
		error_set(err, EINVAL,
			  "BPF_LINK_CREATE: %s: this kernel has no links to perf events",
			  error_strerror(EINVAL));
		error_reason(err, "attach/link-unsupported");
		error_hint(err, "they came with Linux 5.15: use --attach=ioctl");
		return -EINVAL;
	}
	return bind_failed("BPF_LINK_CREATE", -fd, err);
}

const struct attach_method attach_methods[] = {
	{ "ioctl", "open by a fixed type, bind by PERF_EVENT_IOC_SET_BPF", event_by_type,
	  bind_ioctl, false, false },
	{ "pmu", "open through the PMU's directory in sysfs, bind by PERF_EVENT_IOC_SET_BPF",
	  event_by_pmu, bind_ioctl, false, false },
	{ "link", "open by a fixed type, bind by BPF_LINK_CREATE, which can carry a cookie",
	  event_by_type, bind_link, true, true },
};

const unsigned int attach_nr_methods = sizeof(attach_methods) / sizeof(attach_methods[0]);

const struct attach_method *attach_method_find(const char *name, struct error *err)
{
	char names[128] = "";
	size_t len = 0;

	for (unsigned int i = 0; i < attach_nr_methods; i++)
		if (strcmp(attach_methods[i].name, name) == 0)
			return &attach_methods[i];
	for (unsigned int i = 0; i < attach_nr_methods && len < sizeof(names); i++)
		len += snprintf(names + len, sizeof(names) - len, "%s%s", i ? ", " : "",
				attach_methods[i].name);
	error_set(err, EINVAL, "there is no attachment method '%.64s'", name);
	error_reason(err, "attach/no-method");
	error_hint(err, "the methods are %s", names);
	return NULL;
}
