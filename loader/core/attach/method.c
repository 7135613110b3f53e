// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The attach methods: how an event is opened and how a program is bound to it. */
#include <errno.h>
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

	(void)cookie;	/* attach_cookie_check() has rejected any cookie */
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
	{ "ioctl", OPEN_BY_KIND, event_by_type, bind_ioctl, true, false, false },
	{ "pmu", OPEN_PMU, event_by_pmu, bind_ioctl, false, false, false },
	{ "link", OPEN_BY_KIND, event_by_type, bind_link, false, true, true },
	{ "type+ioctl", OPEN_TYPE, event_by_type, bind_ioctl, false, false, false },
	{ "type+link", OPEN_TYPE, event_by_type, bind_link, false, true, true },
	{ "pmu+ioctl", OPEN_PMU, event_by_pmu, bind_ioctl, false, false, false },
	{ "pmu+link", OPEN_PMU, event_by_pmu, bind_link, false, true, true },
	{ "tracefs+ioctl", OPEN_TRACEFS, event_by_type, bind_ioctl, true, false, false },
	{ "tracefs+link", OPEN_TRACEFS, event_by_type, bind_link, true, true, true },
};

const unsigned int attach_nr_methods = 3;

const struct attach_method *attach_method_find(const char *name, struct error *err)
{
	for (size_t i = 0; i < sizeof(attach_methods) / sizeof(attach_methods[0]); i++)
		if (strcmp(attach_methods[i].name, name) == 0)
			return &attach_methods[i];
	error_set(err, EINVAL, "unknown attach method '%.64s'", name);
	error_reason(err, "attach/no-method");
	error_hint(err, "the methods are ioctl, pmu and link; or OPEN+BIND with OPEN one of type, "
			"pmu and tracefs, and BIND ioctl or link");
	return NULL;
}

int attach_method_check(const struct attach_method *method, const struct event_spec *spec,
			struct error *err)
{
	const bool probe = event_is_probe(spec), by_type = method->open == OPEN_TYPE;
	const bool fixed = !probe && spec->kind != EVENT_PMU;

	if (by_type ? fixed : method->open != OPEN_TRACEFS || probe ||
				      spec->kind == EVENT_TRACEPOINT)
		return 0;
	error_set(err, ENOTSUP, by_type ? "it has no fixed type: the kernel numbers its PMU" :
					  "tracefs has only tracepoints and probes");
	error_reason(err, "attach/no-cell");
	error_hint(err, "--attach=%s+%s", fixed ? "type" : "pmu",
		   method->is_link ? "link" : "ioctl");
	return error_where(err, "--attach=%s, event '%s'", method->name, spec->text);
}
