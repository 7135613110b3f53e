// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Repeat a refused bind call, with the same program or an empty one. */
#include <string.h>

#include "loader/explain/attach/bind_failed.h"
#include "loader/core/kernel/attr.h"
#include "loader/explain/kernel/refused.h"

static int bind_prog(struct sys *sys, const struct bind_call *call, int prog_fd)
{
	union bpf_attr attr;
	int fd;

	sys_why(sys, "diagnosis: is the call refused with %s",
		prog_fd == call->prog_fd ? "the same program again?" : "this program, too?");
	if (call->nr != __NR_bpf)
		return sys_ioctl(sys, call->event_fd, call->request, prog_fd);
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.target_fd = call->event_fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	fd = sys_bpf(sys, BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.perf_event.bpf_cookie));
	if (fd < 0)
		return fd;
	sys_close(sys, fd);
	return 0;
}

int bind_again(struct sys *sys, const struct bind_call *call)
{
	return bind_prog(sys, call, call->prog_fd);
}

bool bind_trial(struct sys *sys, const struct bind_call *call, uint32_t type, uint32_t prog_flags,
		int *ret)
{
	const int fd = kernel_load_trial(sys, type, 0, prog_flags);

	if (fd < 0)
		return false;
	*ret = bind_prog(sys, call, fd);
	sys_close(sys, fd);
	return true;
}
