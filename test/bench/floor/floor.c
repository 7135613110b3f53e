// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The floor of a session over test/bench/small.bpf.c: the same maps, BTF, program and events by raw
 * system calls, from bytes that test/bench/floor/bytes.c has written. It has no ELF and no options.
 *
 *	BPF_BTF_LOAD			the types of the object
 *	BPF_MAP_CREATE			three times: hits, .rodata, .bss
 *	BPF_MAP_UPDATE_ELEM, _FREEZE	the content of .rodata
 *	BPF_PROG_LOAD			with func_info and line_info
 *	openat, read, close		which CPUs are online
 *	perf_event_open			on each of them
 *	BPF_LINK_CREATE			for each event
 *	PERF_EVENT_IOC_ENABLE		for each event
 *	close				each link and event, then the program, the maps and the BTF
 *	write				one line
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

#define MAX_CPUS 1024

struct raw_map {
	const void *attr;		/* union bpf_attr, except for its btf_fd */
	unsigned int attr_size;
	const void *content;		/* of its only element; or NULL */
	int frozen;
};

#include "floor.inc"

#define NR_MAPS (sizeof(raw_maps) / sizeof(raw_maps[0]))
#define NR_INSNS (sizeof(raw_insns) / sizeof(raw_insns[0]))
#define ATTR_SIZE(field) (offsetof(union bpf_attr, field) + sizeof(((union bpf_attr *)0)->field))

static int check(long ret, const char *call)
{
	if (ret >= 0)
		return ret;
	perror(call);
	exit(1);
}

static int bpf(int cmd, union bpf_attr *attr, unsigned int size, const char *call)
{
	return check(syscall(__NR_bpf, cmd, attr, size), call);
}

static int load_btf(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = (uintptr_t)raw_btf_0;
	attr.btf_size = sizeof(raw_btf_0);
	return bpf(BPF_BTF_LOAD, &attr, ATTR_SIZE(btf_log_level), "BPF_BTF_LOAD");
}

static int create_map(const struct raw_map *map, int btf_fd)
{
	const uint32_t key = 0;
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	memcpy(&attr, map->attr, map->attr_size);
	attr.btf_fd = btf_fd;
	fd = bpf(BPF_MAP_CREATE, &attr, map->attr_size, "BPF_MAP_CREATE");
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)map->content;
	if (map->content)
		bpf(BPF_MAP_UPDATE_ELEM, &attr, ATTR_SIZE(flags), "BPF_MAP_UPDATE_ELEM");
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	if (map->frozen)
		bpf(BPF_MAP_FREEZE, &attr, ATTR_SIZE(map_fd), "BPF_MAP_FREEZE");
	return fd;
}

/* In raw_insns, map descriptors are indices into raw_maps. */
static int load_prog(const int *map_fds, int btf_fd)
{
	union bpf_attr attr;

	for (size_t i = 0; i < NR_INSNS; i++)
		if (raw_insns[i].code == (BPF_LD | BPF_DW | BPF_IMM) && raw_insns[i].src_reg)
			raw_insns[i].imm = map_fds[raw_insns[i].imm];
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = (uintptr_t)raw_insns;
	attr.insn_cnt = NR_INSNS;
	attr.license = (uintptr_t) "Dual BSD/GPL";
	memcpy(attr.prog_name, RAW_PROG_NAME, sizeof(RAW_PROG_NAME));
	attr.prog_btf_fd = btf_fd;
	attr.func_info = (uintptr_t)raw_func_info_0;
	attr.func_info_rec_size = sizeof(struct bpf_func_info);
	attr.func_info_cnt = sizeof(raw_func_info_0) / sizeof(struct bpf_func_info);
	attr.line_info = (uintptr_t)raw_line_info_0;
	attr.line_info_rec_size = sizeof(struct bpf_line_info);
	attr.line_info_cnt = sizeof(raw_line_info_0) / sizeof(struct bpf_line_info);
	return bpf(BPF_PROG_LOAD, &attr, ATTR_SIZE(core_relo_rec_size), "BPF_PROG_LOAD");
}

static int open_event(int cpu)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_freq = 99;
	attr.freq = 1;
	attr.sample_type = PERF_SAMPLE_ADDR;
	attr.disabled = 1;
	return check(syscall(__NR_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC),
		     "perf_event_open");
}

static int create_link(int prog_fd, int event_fd)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.target_fd = event_fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	return bpf(BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.perf_event.bpf_cookie),
		   "BPF_LINK_CREATE");
}

/* Read a list such as "0-3,5". Return: the number of CPUs. */
static unsigned int online_cpus(int *cpus)
{
	const int fd = check(open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC), "open");
	unsigned int nr = 0;
	char text[4096], *p = text;

	text[check(read(fd, text, sizeof(text) - 1), "read")] = '\0';
	close(fd);
	while (*p >= '0' && *p <= '9') {
		unsigned long first = strtoul(p, &p, 10), last = first;

		if (*p == '-')
			last = strtoul(p + 1, &p, 10);
		for (; first <= last && nr < MAX_CPUS; first++)
			cpus[nr++] = first;
		p += *p == ',';
	}
	return nr;
}

int main(void)
{
	int btf_fd, prog_fd, map_fds[NR_MAPS], cpus[MAX_CPUS], events[MAX_CPUS], links[MAX_CPUS];
	unsigned int nr;

	btf_fd = load_btf();
	for (size_t i = 0; i < NR_MAPS; i++)
		map_fds[i] = create_map(&raw_maps[i], btf_fd);
	prog_fd = load_prog(map_fds, btf_fd);
	nr = online_cpus(cpus);
	for (unsigned int i = 0; i < nr; i++)
		events[i] = open_event(cpus[i]);
	for (unsigned int i = 0; i < nr; i++)
		links[i] = create_link(prog_fd, events[i]);
	for (unsigned int i = 0; i < nr; i++)
		check(ioctl(events[i], PERF_EVENT_IOC_ENABLE, 0), "PERF_EVENT_IOC_ENABLE");
	for (unsigned int i = 0; i < nr; i++) {
		close(links[i]);
		close(events[i]);
	}
	close(prog_fd);
	for (size_t i = NR_MAPS; i-- > 0;)
		close(map_fds[i]);
	close(btf_fd);
	printf("attached by link on %u CPUs\n", nr);
	return 0;
}
