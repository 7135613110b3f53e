// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Query the kernel by id: maps, programs and links exist, whoever has descriptors for them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test/judge/judge.h"

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

static int by_id(int cmd, uint32_t id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_id = id;
	return bpf(cmd, &attr);
}

int kernel_map_fd(uint32_t id)
{
	return by_id(BPF_MAP_GET_FD_BY_ID, id);
}

int kernel_prog_fd(uint32_t id)
{
	return by_id(BPF_PROG_GET_FD_BY_ID, id);
}

int kernel_link_fd(uint32_t id)
{
	return by_id(BPF_LINK_GET_FD_BY_ID, id);
}

bool kernel_info(int fd, void *info, uint32_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	memset(info, 0, size);
	attr.info.bpf_fd = fd;
	attr.info.info_len = size;
	attr.info.info = (uintptr_t)info;
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) == 0;
}

uint64_t kernel_runs(uint32_t prog_id)
{
	const int fd = kernel_prog_fd(prog_id);
	struct bpf_prog_info info = { 0 };

	if (fd < 0)
		return 0;
	kernel_info(fd, &info, sizeof(info));
	close(fd);
	return info.run_cnt;
}

/* bpf_map_show_fdinfo() of kernel/bpf/syscall.c; no info has it. */
bool kernel_is_frozen(int fd)
{
	char path[64], line[128];
	unsigned int frozen = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	in = fopen(path, "re");
	while (in && fgets(line, sizeof(line), in))
		sscanf(line, "frozen: %u", &frozen);
	if (in)
		fclose(in);
	return frozen;
}

bool kernel_pin_map(const struct bpf_map_info *map, const char *path)
{
	union bpf_attr attr;
	bool pinned;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = map->type;
	attr.key_size = map->key_size;
	attr.value_size = map->value_size;
	attr.max_entries = map->max_entries;
	memcpy(attr.map_name, map->name, sizeof(attr.map_name));
	fd = bpf(BPF_MAP_CREATE, &attr);
	memset(&attr, 0, sizeof(attr));
	attr.bpf_fd = fd;
	attr.pathname = (uintptr_t)path;
	pinned = fd >= 0 && bpf(BPF_OBJ_PIN, &attr) == 0;
	if (fd >= 0)
		close(fd);
	return pinned;
}

bool kernel_lookup(int map_fd, const void *key, void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map_fd;
	attr.key = (uintptr_t)key;
	attr.value = (uintptr_t)value;
	return bpf(BPF_MAP_LOOKUP_ELEM, &attr) == 0;
}

/* Return true if something of the run exists, and describe it. */
static bool exists(const struct run *run, char *what, size_t size)
{
	const struct seen *seen = &run->seen;
	int fd = -1;

	for (uint32_t i = 0; i < seen->nr_binds && fd < 0; i++)
		if (seen->binds[i].link_id && (fd = kernel_link_fd(seen->binds[i].link_id)) >= 0)
			snprintf(what, size, "link %u", seen->binds[i].link_id);
	for (uint32_t i = 0; i < seen->nr_progs && fd < 0; i++)
		if (seen->progs[i].id && (fd = kernel_prog_fd(seen->progs[i].id)) >= 0)
			snprintf(what, size, "program %u", seen->progs[i].id);
	for (uint32_t i = 0; i < seen->nr_maps && fd < 0; i++)
		if (seen->maps[i].id && (fd = kernel_map_fd(seen->maps[i].id)) >= 0)
			snprintf(what, size, "map '%s'", seen->maps[i].info.name);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The kernel frees them after a grace period of RCU, which is long on a busy machine. */
bool kernel_gone(const struct run *run, char *what, size_t size)
{
	for (int i = 0; i < 750; i++) {
		if (!exists(run, what, size))
			return true;
		usleep(20000);
	}
	return false;
}

unsigned int kernel_cpus(const char *which, bool cpus[1024])
{
	char path[64];
	unsigned int first, last, nr = 0;
	FILE *in;

	memset(cpus, 0, 1024);
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", which);
	in = fopen(path, "re");
	if (!in)
		return 0;
	while (fscanf(in, "%u", &first) == 1) {
		last = first;
		if (fscanf(in, "-%u", &last) < 0)
			last = first;
		for (; first <= last && first < 1024; first++, nr++)
			cpus[first] = true;
		if (fgetc(in) == EOF)
			break;
	}
	fclose(in);
	return nr;
}
