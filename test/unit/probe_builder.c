// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A BPF program that tells how often it ran, for tests on the real kernel; and the work that makes
 * events happen.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <linux/bpf_perf_event.h>

#include "test/unit/probe_builder.h"

/* Numbers of helpers: include/uapi/linux/bpf.h, __BPF_FUNC_MAPPER. */
#define FUNC_MAP_LOOKUP_ELEM 1
#define FUNC_GET_CURRENT_COMM 16
#define FUNC_GET_ATTACH_COOKIE 174

#define PSEUDO_MAP_FD 1
#define INSNS_MAX 48

struct code {
	struct bpf_insn insns[INSNS_MAX];
	unsigned int nr;
};

static void add(struct code *code, uint8_t op, uint8_t dst, uint8_t src, int16_t off, int32_t imm)
{
	code->insns[code->nr++] = (struct bpf_insn){ .code = op, .dst_reg = dst, .src_reg = src,
						     .off = off, .imm = imm };
}

#define MOV64_REG	(BPF_ALU64 | BPF_MOV | BPF_X)
#define MOV64_IMM	(BPF_ALU64 | BPF_MOV | BPF_K)
#define ADD64_IMM	(BPF_ALU64 | BPF_ADD | BPF_K)
#define LOAD64		(BPF_LDX | BPF_MEM | BPF_DW)
#define STORE64		(BPF_STX | BPF_MEM | BPF_DW)
#define ATOMIC_ADD64	(BPF_STX | 0xc0 | BPF_DW)

static void call(struct code *code, int32_t func)
{
	add(code, BPF_JMP | BPF_CALL, 0, 0, 0, func);
}

/*
 * struct probe_value *value = lookup(map, &zero);
 * struct probe_runs *at = comm is value->name ? &value->own : &value->others;
 * at->runs++; at->cookie = bpf_get_attach_cookie(ctx); at->addr = ctx->addr;
 * Not 0 is returned, which would starve other programs on the same tracepoint.
 */
static void assemble(struct code *code, int map_fd, uint32_t prog_type, bool with_cookie)
{
	unsigned int to_end;

	memset(code, 0, sizeof(*code));
	add(code, MOV64_REG, 6, 1, 0, 0);
	add(code, BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0);
	add(code, MOV64_REG, 2, 10, 0, 0);
	add(code, ADD64_IMM, 2, 0, 0, -4);
	add(code, BPF_LD | BPF_IMM | BPF_DW, 1, PSEUDO_MAP_FD, 0, map_fd);
	add(code, 0, 0, 0, 0, 0);
	call(code, FUNC_MAP_LOOKUP_ELEM);
	to_end = code->nr;
	add(code, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0, 0);
	add(code, MOV64_REG, 8, 0, 0, 0);
	add(code, MOV64_REG, 1, 10, 0, 0);
	add(code, ADD64_IMM, 1, 0, 0, -24);
	add(code, MOV64_IMM, 2, 0, 0, 16);
	call(code, FUNC_GET_CURRENT_COMM);
	add(code, LOAD64, 1, 10, -24, 0);
	add(code, LOAD64, 2, 8, offsetof(struct probe_value, name), 0);
	add(code, BPF_JMP | BPF_JEQ | BPF_X, 1, 2, 1, 0);
	add(code, ADD64_IMM, 8, 0, 0, offsetof(struct probe_value, others));
	add(code, MOV64_IMM, 1, 0, 0, 1);
	add(code, ATOMIC_ADD64, 8, 1, offsetof(struct probe_runs, runs), 0);
	if (with_cookie) {
		add(code, MOV64_REG, 1, 6, 0, 0);
		call(code, FUNC_GET_ATTACH_COOKIE);
		add(code, STORE64, 8, 0, offsetof(struct probe_runs, cookie), 0);
	}
	if (prog_type == BPF_PROG_TYPE_PERF_EVENT) {
		add(code, LOAD64, 1, 6, offsetof(struct bpf_perf_event_data, addr), 0);
		add(code, STORE64, 8, 1, offsetof(struct probe_runs, addr), 0);
	}
	code->insns[to_end].off = code->nr - to_end - 1;
	add(code, MOV64_IMM, 0, 0, 0, 1);
	add(code, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static int create_map(struct sys *sys)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = sizeof(struct probe_value);
	attr.max_entries = 1;
	return sys_bpf(sys, BPF_MAP_CREATE, &attr, sizeof(attr));
}

static int load(struct sys *sys, int map_fd, uint32_t prog_type, bool with_cookie)
{
	struct code code;
	union bpf_attr attr;

	assemble(&code, map_fd, prog_type, with_cookie);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = prog_type;
	attr.insns = (unsigned long)code.insns;
	attr.insn_cnt = code.nr;
	attr.license = (unsigned long)"GPL";
	return sys_bpf(sys, BPF_PROG_LOAD, &attr, sizeof(attr));
}

/* Puts the name of this process into the map. */
static int name_tasks(struct sys *sys, int map_fd)
{
	static char name[16];
	struct probe_value value;
	union bpf_attr attr;
	uint32_t zero = 0;

	if (!name[0])
		snprintf(name, sizeof(name), "%08x",
			 (unsigned int)(sys_monotonic_ns() ^ (uint64_t)getpid() << 20));
	prctl(PR_SET_NAME, name);
	memset(&value, 0, sizeof(value));
	memcpy(value.name, name, sizeof(value.name));
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map_fd;
	attr.key = (unsigned long)&zero;
	attr.value = (unsigned long)&value;
	return sys_bpf(sys, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr));
}

int probe_load(struct sys *sys, struct probe *probe, uint32_t prog_type, struct error *err)
{
	int ret;

	*probe = (struct probe){ .map_fd = -1, .prog_fd = -1, .has_cookie = true };
	probe->map_fd = create_map(sys);
	if (probe->map_fd < 0)
		return error_set(err, -probe->map_fd, "BPF_MAP_CREATE: %s",
				 error_strerror(-probe->map_fd));
	ret = name_tasks(sys, probe->map_fd);
	if (ret < 0)
		return error_set(err, -ret, "BPF_MAP_UPDATE_ELEM: %s", error_strerror(-ret));
	probe->prog_fd = load(sys, probe->map_fd, prog_type, true);
	if (probe->prog_fd == -EINVAL) {
		probe->has_cookie = false;
		probe->prog_fd = load(sys, probe->map_fd, prog_type, false);
	}
	if (probe->prog_fd < 0)
		return error_set(err, -probe->prog_fd, "BPF_PROG_LOAD: %s",
				 error_strerror(-probe->prog_fd));
	return 0;
}

void probe_close(struct sys *sys, struct probe *probe)
{
	sys_close_fd(sys, &probe->prog_fd);
	sys_close_fd(sys, &probe->map_fd);
}

struct probe_value probe_read(struct sys *sys, const struct probe *probe)
{
	struct probe_value value;
	union bpf_attr attr;
	uint32_t zero = 0;

	memset(&value, 0, sizeof(value));
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = probe->map_fd;
	attr.key = (unsigned long)&zero;
	attr.value = (unsigned long)&value;
	sys_bpf(sys, BPF_MAP_LOOKUP_ELEM, &attr, sizeof(attr));
	return value;
}

void probe_other_name(void)
{
	prctl(PR_SET_NAME, "another");
}

volatile uint64_t probe_watched;
void *volatile probe_page;

static uint64_t cpu_time_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

void work_clock(void)
{
	uint64_t end = cpu_time_ns() + 1000000;

	while (cpu_time_ns() < end)
		;
}

void work_fault(void)
{
	char *page = mmap(NULL, getpagesize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	if (page == MAP_FAILED)
		return;
	*(volatile char *)page = 1;
	probe_page = page;
	munmap(page, getpagesize());
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

void work_switch(void)
{
	struct timespec ts = { 0, 1 };
	long before = switches();

	/* A timer that is over before the task has left the CPU makes it stay. */
	do
		nanosleep(&ts, NULL);
	while (switches() == before);
}

void work_write(void)
{
	probe_watched++;
}
