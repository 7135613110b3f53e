// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rules of perf_event_open(2) that a simulated kernel keeps, and those of an event's ring. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/observe/simulated/simulated.h"

#define KNOWN_FLAGS \
	(PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC)

/* The checks of perf_copy_attr() and perf_event_open() in kernel/events/core.c, in their order. */
int sim_check_event(const struct sim_fds *fds, const unsigned long arg[6])
{
	const struct perf_event_attr *attr = (const struct perf_event_attr *)arg[0];
	const int pid = arg[1], cpu = arg[2], group_fd = arg[3];
	int code;

	if (arg[4] & ~KNOWN_FLAGS)
		return -EINVAL;
	if (!attr)
		return -EFAULT;
	if ((attr->size && attr->size < PERF_ATTR_SIZE_VER0) || attr->size > sysconf(_SC_PAGESIZE))
		return -E2BIG;
	if (attr->sample_type >= PERF_SAMPLE_MAX || attr->read_format >= PERF_FORMAT_MAX)
		return -EINVAL;
	if (!attr->freq && attr->sample_period >> 63)
		return -EINVAL;
	if ((arg[4] & PERF_FLAG_PID_CGROUP) && (pid == -1 || cpu == -1))
		return -EINVAL;
	if (group_fd != -1 && !sim_fd_as(fds, group_fd, SIM_EVENT, &code))
		return -EBADF;
	if (pid == -1 && cpu == -1)
		return -EINVAL;
	return cpu < -1 ? -EINVAL : 0;
}

/* perf_mmap() */
bool sim_is_ring(const unsigned long arg[6])
{
	const unsigned long page = sysconf(_SC_PAGESIZE), pages = arg[1] / page;

	return arg[3] & MAP_SHARED && arg[1] % page == 0 && pages && !arg[5] &&
	       (pages == 1 || !((pages - 1) & (pages - 2)));
}
