// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tries perf events and links to them, on events of this task. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/observe/capabilities/capabilities_internal.h"
#include "loader/observe/firing/firing.h"

static int open_clock(struct sys *sys, const struct perf_event_attr *with)
{
	struct perf_event_attr attr = *with;

	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = 1000000;
	attr.disabled = 1;
	return sys_perf_event_open(sys, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Bind a program to an event by a link and call @inspect, if any, with the link. */
static int with_link(struct sys *sys, int (*inspect)(struct sys *sys, int link_fd))
{
	const struct perf_event_attr plain = { 0 };
	struct code code = { 0 };
	int prog_fd, event_fd, ret;
	union bpf_attr attr;

	code_return(&code, 1);
	prog_fd = feature_load_code(sys, &code, "perf_event");
	event_fd = prog_fd < 0 ? prog_fd : open_clock(sys, &plain);
	ret = event_fd;
	if (event_fd >= 0) {
		memset(&attr, 0, sizeof(attr));
		attr.link_create.prog_fd = prog_fd;
		attr.link_create.target_fd = event_fd;
		attr.link_create.attach_type = BPF_PERF_EVENT;
		ret = sys_bpf(sys, BPF_LINK_CREATE, &attr,
			      ATTR_SIZE(link_create.perf_event.bpf_cookie));
	}
	if (ret >= 0) {
		int link_fd = ret;

		ret = inspect ? inspect(sys, link_fd) : 0;
		sys_close(sys, link_fd);
	}
	sys_close_fd(sys, &event_fd);
	sys_close_fd(sys, &prog_fd);
	return ret;
}

int feature_try_link(struct sys *sys, const struct capability_feature *feature)
{
	(void)feature;
	return with_link(sys, NULL);
}

static int inspect_info(struct sys *sys, int link_fd)
{
	struct bpf_link_info info = { 0 };
	uint32_t len = sizeof(info);
	int ret = kernel_fd_info(sys, link_fd, &info, &len);

	return ret < 0 ? ret : info.perf_event.type ? 0 : -EINVAL;
}

int feature_try_link_info(struct sys *sys, const struct capability_feature *feature)
{
	(void)feature;
	return with_link(sys, inspect_info);
}

/* Open an event with a 1 in the field at the offset feature->arg. */
int feature_try_attr_field(struct sys *sys, const struct capability_feature *feature)
{
	struct perf_event_attr attr = { 0 };

	memcpy((char *)&attr + feature->arg, &(__u64){ 1 }, sizeof(__u64));
	return feature_close_new(sys, open_clock(sys, &attr));
}

int feature_try_sigtrap(struct sys *sys, const struct capability_feature *feature)
{
	const struct perf_event_attr attr = { .sigtrap = 1, .remove_on_exec = 1 };

	(void)feature;
	return feature_close_new(sys, open_clock(sys, &attr));
}

/*
 * Link a program to firing_function(). The feature has the name of its section, and feature->arg is
 * BPF_TRACE_UPROBE_MULTI or _SESSION.
 */
int feature_try_uprobe_multi(struct sys *sys, const struct capability_feature *feature)
{
	const unsigned long offset = firing_function_offset();
	struct code code = { 0 };
	union bpf_attr attr;
	int prog_fd, ret;

	code_return(&code, 0);
	prog_fd = feature_load_code(sys, &code, feature->name);
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = feature->arg;
	attr.link_create.uprobe_multi.path = attr_pointer(FIRING_PATH);
	attr.link_create.uprobe_multi.offsets = attr_pointer(&offset);
	attr.link_create.uprobe_multi.cnt = 1;
	attr.link_create.uprobe_multi.pid = getpid();	/* not in other processes of this program */
	ret = prog_fd < 0 ? prog_fd :
			    sys_bpf(sys, BPF_LINK_CREATE, &attr,
				    ATTR_SIZE(link_create.uprobe_multi.pid));
	sys_close_fd(sys, &prog_fd);
	return feature_close_new(sys, ret);
}
