/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The parts of the contract that libraries do not implement: opening events and printing values.
 * For the loaders libbpf.c and skeleton.
 */
#ifndef PEER_H
#define PEER_H

#include <bpf/bpf.h>
#include <err.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_CPUS 1024

static int events[MAX_CPUS], nr_events;

/* Return an event on @cpu, or -1 for a CPU that is offline. */
static inline int open_event(const char *method, int cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK, .freq = 1,
					.sample_freq = 999, .disabled = 1 };
	FILE *type = NULL;
	int fd;

	if (!strcmp(method, "pmu")) {
		type = fopen("/sys/bus/event_source/devices/software/type", "r");
		if (!type || fscanf(type, "%u", &attr.type) != 1)
			err(1, "the type of PMU 'software'");
		fclose(type);
	}
	fd = syscall(__NR_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && errno != ENODEV)
		err(1, "perf_event_open");
	return fd;
}

/*
 * Return when standard input ends, without events that run unless they are to be @kept. @read_rings, if
 * not NULL, reads the rings: often, so that they are not full.
 */
static inline void wait_for_end(int kept, void (*read_rings)(void))
{
	struct pollfd input = { .events = POLLIN };
	char buf[4096];

	printf("ready\n");
	fflush(stdout);
	do {
		while (poll(&input, 1, read_rings ? 1 : -1) == 0)
			read_rings();
	} while (read(0, buf, sizeof(buf)) > 0);
	for (int i = 0; i < nr_events && !kept; i++)
		ioctl(events[i], PERF_EVENT_IOC_DISABLE, 0);
}

static inline void print_bytes(const void *bytes, uint32_t size)
{
	uint64_t number = 0;

	if (size <= sizeof(number)) {
		memcpy(&number, bytes, size);
		printf(" %ju", (uintmax_t)number);
		return;
	}
	printf(" ");
	for (uint32_t i = 0; i < size; i++)
		printf("%02x", ((const unsigned char *)bytes)[i]);
}

static inline int has_elements(uint32_t type)
{
	return type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_ARRAY ||
	       type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_HASH || type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

/* Print each element of a map that has elements which can be looked up. */
static inline void print_elements(int fd, const char *name, int nr_cpus)
{
	struct bpf_map_info info = { 0 };
	uint32_t len = sizeof(info), step, nr;
	unsigned char *key, *value;
	void *previous = NULL;

	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		err(1, "BPF_OBJ_GET_INFO_BY_FD");
	nr = info.type == BPF_MAP_TYPE_PERCPU_ARRAY || info.type == BPF_MAP_TYPE_PERCPU_HASH ||
	     info.type == BPF_MAP_TYPE_LRU_PERCPU_HASH ? nr_cpus : 1;
	if (!has_elements(info.type))
		return;
	step = (info.value_size + 7) / 8 * 8;
	key = calloc(1, info.key_size + 1);
	value = calloc(nr, step + 1);
	while (!bpf_map_get_next_key(fd, previous, key)) {
		previous = key;
		if (bpf_map_lookup_elem(fd, key, value))
			err(1, "BPF_MAP_LOOKUP_ELEM");
		printf("value %s", name);
		print_bytes(key, info.key_size);
		for (uint32_t i = 0; i < nr; i++)
			print_bytes(value + i * step, info.value_size);
		printf("\n");
	}
	free(key);
	free(value);
}
#endif
