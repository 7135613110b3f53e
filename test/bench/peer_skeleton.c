// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The peer: a light skeleton, into which bpftool(8) has put a relocated object and a BPF program
 * that makes the calls to load it. It attaches like peer_libbpf.c.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "small.lskel.h"	/* from bpftool gen skeleton -L, in build/bench */

#define MAX_CPUS 1024

static int attach(int prog_fd, int cpu, int *event_fd)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK, .freq = 1,
					.sample_freq = 99, .disabled = 1 };
	int link_fd;

	*event_fd = syscall(__NR_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	link_fd = *event_fd < 0 ? -1 : skel_link_create(prog_fd, *event_fd, BPF_PERF_EVENT);
	return link_fd < 0 || ioctl(*event_fd, PERF_EVENT_IOC_ENABLE, 0) ? -1 : link_fd;
}

int main(void)
{
	const int cpus = sysconf(_SC_NPROCESSORS_CONF);
	int links[MAX_CPUS], events[MAX_CPUS];
	struct small_bpf *skel = small_bpf__open_and_load();

	if (!skel)
		return 1;
	for (int cpu = 0; cpu < cpus && cpu < MAX_CPUS; cpu++) {
		links[cpu] = attach(skel->progs.sample.prog_fd, cpu, &events[cpu]);
		if (links[cpu] < 0)
			return 1;
	}
	for (int cpu = 0; cpu < cpus && cpu < MAX_CPUS; cpu++) {
		close(links[cpu]);
		close(events[cpu]);
	}
	small_bpf__destroy(skel);
	return 0;
}
