// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Release thousands of programs without releasing too many at once. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "test/bench/release.h"

#define MAX_PROGS 4096

/* A workqueue runs at least 256 work items at once on a CPU; two steps stay well below that. */
#define STEP 64

static int kept[MAX_PROGS];
static unsigned int nr_kept;

void release_prepare(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

void release_keep(long fd)
{
	const int saved = errno;

	if (fd >= 0 && nr_kept < MAX_PROGS)
		kept[nr_kept++] = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	errno = saved;
}

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

/* Create a map with one element, and store its id in @id. */
static int make_map(unsigned int *id)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4,
				.max_entries = 1 };
	struct bpf_map_info info = { 0 };
	int fd = bpf(BPF_MAP_CREATE, &attr);

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (unsigned long)&info;
	if (fd >= 0 && bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) < 0) {
		close(fd);
		return -1;
	}
	*id = info.id;
	return fd;
}

/* Load a program that uses the map. */
static int make_prog(int map_fd)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD,
		  .imm = map_fd },
		{ 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
				.insns = (unsigned long)insns,
				.insn_cnt = sizeof(insns) / sizeof(insns[0]),
				.license = (unsigned long)"GPL" };

	return bpf(BPF_PROG_LOAD, &attr);
}

static int has_gone(unsigned int map_id)
{
	union bpf_attr attr = { .map_id = map_id };
	int fd = bpf(BPF_MAP_GET_FD_BY_ID, &attr);

	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == ENOENT;
}

/*
 * A map that only one program uses is freed by the work item that frees the program. That is queued
 * after those of all programs closed before, and a queue starts its items in order.
 */
static int wait_for_freeing(void)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	unsigned int id = 0;
	int map_fd = make_map(&id), prog_fd = map_fd < 0 ? -1 : make_prog(map_fd);

	if (prog_fd < 0)
		return -1;
	close(map_fd);
	close(prog_fd);
	for (int i = 0; i < 60000; i++) {
		if (has_gone(id))
			return 0;
		nanosleep(&moment, NULL);
	}
	fprintf(stderr, "bench: the kernel has not freed programs for a minute: no more of them\n");
	return -1;
}

int release_all(void)
{
	while (nr_kept) {
		for (int n = 0; n < STEP && nr_kept; n++)
			close(kept[--nr_kept]);
		if (wait_for_freeing() < 0)
			return -1;
	}
	return 0;
}
