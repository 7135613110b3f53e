// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The attachment methods: how an event is opened and how a program is bound to it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/core/attach/steps.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/sys/refused.h"

static void bind_refused(struct sys *sys, const struct bind_call *call, int code,
			 struct error *err)
{
	error_set(err, code, "%s: %s", call->name, error_strerror(code));
	error_reason(err, "attach/failed");
	explain_failure(sys, FAILED_BIND, &(struct refused_bind){ call, code }, err);
}

static int bind_ioctl(struct sys *sys, struct attachment *a, int prog_fd, uint64_t cookie,
		      struct error *err)
{
	const struct bind_call call = { "PERF_EVENT_IOC_SET_BPF", a->event_fd, prog_fd,
					__NR_ioctl, PERF_EVENT_IOC_SET_BPF, a->is_kprobe,
					a->sleepable, a->precise };
	int ret = sys_ioctl(sys, a->event_fd, PERF_EVENT_IOC_SET_BPF, prog_fd);

	(void)cookie;	/* attach_cookie_check() has refused one */
	if (ret >= 0)
		return 0;
	bind_refused(sys, &call, -ret, err);
	sys_error_ioctl(err, a->event_fd, PERF_EVENT_IOC_SET_BPF, prog_fd, -ret);
	return ret;
}

static int bind_link(struct sys *sys, struct attachment *a, int prog_fd, uint64_t cookie,
		     struct error *err)
{
	const struct bind_call call = { "BPF_LINK_CREATE", a->event_fd, prog_fd, __NR_bpf,
					BPF_LINK_CREATE, a->is_kprobe, a->sleepable,
					a->precise };
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.target_fd = a->event_fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = cookie;
	fd = sys_bpf(sys, BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.perf_event.bpf_cookie));
	if (fd < 0) {
		bind_refused(sys, &call, -fd, err);
		sys_error_bpf(err, BPF_LINK_CREATE, &attr,
			      ATTR_SIZE(link_create.perf_event.bpf_cookie), -fd);
		return fd;
	}
	a->link_fd = fd;
	return 0;
}

const struct attach_method attach_methods[] = {
	{ "ioctl", "Open events by a fixed type and probes by tracefs; bind by "
	  "PERF_EVENT_IOC_SET_BPF.",
	  event_by_type, bind_ioctl, true, false, false },
	{ "pmu", "Open events and probes by the PMU's directory in sysfs; bind by "
	  "PERF_EVENT_IOC_SET_BPF.",
	  event_by_pmu, bind_ioctl, false, false, false },
	{ "link", "Open events by a fixed type and probes by PMU; bind by BPF_LINK_CREATE, with a "
	  "cookie.",
	  event_by_type, bind_link, false, true, true },
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
