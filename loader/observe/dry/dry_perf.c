// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Simulate perf events in a dry run: check the arguments as the kernel does, and open nothing. */
#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/sockios.h>

#include "loader/observe/dry/dry_internal.h"

/* Return the number of bytes that read(2) returns for such an event. */
static uint32_t read_size(uint64_t format)
{
	uint32_t nr = 1;

	nr += !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED);
	nr += !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	nr += !!(format & PERF_FORMAT_ID);
	nr += !!(format & PERF_FORMAT_LOST);
	nr += !!(format & PERF_FORMAT_GROUP);
	return nr * sizeof(uint64_t);
}

long dry_perf_event_open(struct dry *dry, const unsigned long arg[6])
{
	const struct perf_event_attr *attr = (const struct perf_event_attr *)arg[0];
	struct dry_fd *fd;
	int ret = sim_check_event(&dry->fds, arg);

	if (ret < 0)
		return ret;
	ret = dry_fd_new(dry, SIM_EVENT, &fd);
	if (ret >= 0) {
		fd->type = attr->type;
		fd->value_size = read_size(attr->read_format);
	}
	return ret;
}

/*
 * perf_event_set_bpf_prog(): which programs an event runs. A dynamic type may be that of a probe.
 */
int dry_bind(struct dry_fd *event, const struct dry_fd *prog)
{
	bool fits = prog->type == BPF_PROG_TYPE_PERF_EVENT;

	if (event->type == PERF_TYPE_TRACEPOINT)
		fits = prog->type == BPF_PROG_TYPE_TRACEPOINT || prog->type == BPF_PROG_TYPE_KPROBE;
	else if (event->type >= PERF_TYPE_MAX)
		fits = fits || prog->type == BPF_PROG_TYPE_KPROBE;
	if (!fits)
		return -EINVAL;
	if (event->bound)
		return -EEXIST;
	event->bound = true;
	return 0;
}

static long set_bpf(struct dry *dry, struct dry_fd *event, unsigned long prog_fd)
{
	int code;
	const struct dry_fd *prog = sim_fd_as(&dry->fds, prog_fd, SIM_PROG, &code);

	return prog ? dry_bind(event, prog) : code;
}

static long set_output(struct dry *dry, unsigned long fd)
{
	int code;

	return (int)fd == -1 || sim_fd_as(&dry->fds, fd, SIM_EVENT, &code) ? 0 : -EBADF;
}

/* Every network device exists: lo has index 1, and any other name index 2. */
static long device_index(struct ifreq *ifr)
{
	if (!ifr)
		return -EFAULT;
	ifr->ifr_ifindex = strncmp(ifr->ifr_name, "lo", IFNAMSIZ) ? 2 : 1;
	return 0;
}

long dry_ioctl(struct dry *dry, const unsigned long arg[6])
{
	struct dry_fd *fd = sim_fd_get(&dry->fds, arg[0]);

	if (!fd)
		return -EBADF;
	if (fd->kind == SIM_SOCKET && arg[1] == SIOCGIFINDEX)
		return device_index((struct ifreq *)arg[2]);
	if (fd->kind != SIM_EVENT)
		return -ENOTTY;
	switch (arg[1]) {
	case PERF_EVENT_IOC_ENABLE:
	case PERF_EVENT_IOC_DISABLE:
	case PERF_EVENT_IOC_RESET:
	case PERF_EVENT_IOC_REFRESH:
	case PERF_EVENT_IOC_PAUSE_OUTPUT:
	case PERF_EVENT_IOC_SET_FILTER:
	case PERF_EVENT_IOC_MODIFY_ATTRIBUTES:
		return 0;
	case PERF_EVENT_IOC_PERIOD:
		return !arg[2] ? -EFAULT : *(const uint64_t *)arg[2] ? 0 : -EINVAL;
	case PERF_EVENT_IOC_ID:
		if (!arg[2])
			return -EFAULT;
		*(uint64_t *)arg[2] = fd->id;
		return 0;
	case PERF_EVENT_IOC_SET_BPF:
		return set_bpf(dry, fd, arg[2]);
	case PERF_EVENT_IOC_SET_OUTPUT:
		return set_output(dry, arg[2]);
	default:
		return -ENOTTY;
	}
}

long dry_perf_mmap(struct dry *dry, const unsigned long arg[6])
{
	const unsigned long page = sysconf(_SC_PAGESIZE), pages = arg[1] / page;
	struct perf_event_mmap_page *first;
	long addr;

	if (!sim_is_ring(arg))
		return -EINVAL;
	addr = dry_memory(dry, arg);
	if (sys_failed(addr) || !(arg[2] & PROT_WRITE))
		return addr;
	first = (struct perf_event_mmap_page *)addr;
	first->data_offset = page;
	first->data_size = (pages - 1) * page;
	return addr;
}
