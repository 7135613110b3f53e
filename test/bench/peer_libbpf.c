// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The peer: libbpf loads an object, attaches each perf_event program on every CPU, and unloads it.
 */
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_LINKS 1024

static int open_event(int cpu)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.freq = 1;
	attr.sample_freq = 99;
	attr.disabled = 1;
	return syscall(__NR_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

int main(int argc, char **argv)
{
	struct bpf_link *links[MAX_LINKS];
	struct bpf_object *obj;
	struct bpf_program *prog;
	int nr = 0, cpus = libbpf_num_possible_cpus();

	obj = argc == 2 ? bpf_object__open_file(argv[1], NULL) : NULL;
	if (!obj || bpf_object__load(obj))
		return 1;
	bpf_object__for_each_program(prog, obj) {
		for (int cpu = 0; cpu < cpus && nr < MAX_LINKS; cpu++) {
			int fd = open_event(cpu);

			/* Enables the event, and takes ownership of it. */
			links[nr] = fd < 0 ? NULL : bpf_program__attach_perf_event(prog, fd);
			if (!links[nr++])
				return 1;
		}
	}
	while (nr > 0)
		bpf_link__destroy(links[--nr]);
	bpf_object__close(obj);
	return 0;
}
