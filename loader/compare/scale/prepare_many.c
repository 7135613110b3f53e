// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prepare a process that will attach many times: programs, functions to probe, tasks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "loader/base/calls/processes.h"
#include "loader/compare/scale/scale_internal.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/sys/refused.h"
#include "loader/explain/kernel/assemble.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x10	/* Linux 6.3 */
#endif

bool scale_many_is_user(const struct scale_many *m)
{
	return m->way->kind == SCALE_UPROBE || m->way->kind == SCALE_USDT;
}

/* --- functions to probe --- */

/* Instructions that any probe can be placed on, and a return. */
extern const char scale_code[], scale_code_end[];
__asm__(".pushsection .rodata\n"
	"scale_code:\n"
	"nop\n\tnop\n\tnop\n\tnop\n\t"
#if defined(__s390x__)
	"br %r14\n"
#else
	"ret\n"
#endif
	"scale_code_end:\n"
	".popsection\n");

/* The semaphores of USDT probes are on separate pages. */
size_t scale_many_semaphores_at(const struct scale_many *m)
{
	const size_t page = getpagesize();

	return ((m->number + 1) * SCALE_STRIDE + page - 1) / page * page;
}

static int fill_file(struct scale_many *m, size_t size)
{
	char *code;

	if (ftruncate(m->file_fd, size))
		return -errno;
	code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, m->file_fd, 0);
	if (code == MAP_FAILED)
		return -errno;
	for (unsigned int i = 0; i <= m->number; i++)
		memcpy(code + (size_t)i * SCALE_STRIDE, scale_code, scale_code_end - scale_code);
	munmap(code, size);
	return 0;
}

/* Create a file in memory, and map its functions and semaphores. */
static int create_functions(struct scale_many *m, struct error *err)
{
	const size_t at = scale_many_semaphores_at(m),
		     size = at + (m->number + 1) * sizeof(uint16_t);
	void *code = MAP_FAILED, *semaphores = MAP_FAILED;
	int ret;

	m->file_fd = memfd_create("functions", MFD_CLOEXEC | MFD_EXEC);
	if (m->file_fd < 0 && errno == EINVAL)
		m->file_fd = memfd_create("functions", MFD_CLOEXEC);
	ret = m->file_fd < 0 ? -errno : fill_file(m, size);
	if (!ret) {
		code = mmap(NULL, at, PROT_READ | PROT_EXEC, MAP_PRIVATE, m->file_fd, 0);
		semaphores = mmap(NULL, size - at, PROT_READ | PROT_WRITE, MAP_PRIVATE, m->file_fd,
				  at);
	}
	if (!ret && (code == MAP_FAILED || semaphores == MAP_FAILED))
		ret = -errno;
	if (ret)
		return error_set(err, -ret, "a file of functions in memory: %s",
				 error_strerror(-ret));
	m->function = (void (*)(void))code;
	snprintf(m->path, sizeof(m->path), "/proc/self/fd/%d", m->file_fd);
	return 0;
}

/* --- tasks to attach to --- */

static void sleep_until_closed(struct sys *sys, const int fds[2])
{
	char byte;

	sys_close(sys, fds[1]);
	sys_read(sys, fds[0], &byte, 1);
	sys_exit_group(sys, 0);
}

static int create_tasks(struct scale_many *m, struct error *err)
{
	int fds[2], ret = sys_pipe(m->next, fds);

	m->tasks = calloc(m->number, sizeof(*m->tasks));
	if (ret < 0 || !m->tasks)
		return error_set(err, ret < 0 ? -ret : ENOMEM, "no pipe for tasks");
	m->tasks_fd = fds[1];
	for (unsigned int i = 0; i < m->number; i++) {
		ret = sys_fork(m->next, SIGCHLD);
		if (ret == 0)
			sleep_until_closed(m->next, fds);
		if (ret < 0)
			return error_set(err, -ret, "task %u: %s", i, error_strerror(-ret));
		m->tasks[i] = ret;
	}
	sys_close(m->next, fds[0]);
	return 0;
}

/* --- programs --- */

static uint32_t prog_type(const struct scale_many *m)
{
	if (m->way->bind == SCALE_RAW)
		return BPF_PROG_TYPE_RAW_TRACEPOINT;
	if (m->way->kind < SCALE_TRACEPOINT)
		return BPF_PROG_TYPE_PERF_EVENT;
	return m->way->kind == SCALE_TRACEPOINT ? BPF_PROG_TYPE_TRACEPOINT : BPF_PROG_TYPE_KPROBE;
}

uint32_t scale_many_attach_type(const struct scale_many *m)
{
	if (m->way->bind != SCALE_MULTI)
		return 0;
	return scale_many_is_user(m) ? BPF_TRACE_UPROBE_MULTI : BPF_TRACE_KPROBE_MULTI;
}

/*
 * Count the run and return 1: with 0, other events at the same location would not be counted.
 *
 *	lock *(u64 *)value += 1;
 *	return 1;
 */
static int load_prog(struct scale_many *m)
{
	static const char name[] = WAITS_COMM;
	struct code code = { .nr = 0 };
	union bpf_attr attr;

	code_set64(&code, 1, BPF_PSEUDO_MAP_VALUE, (uint32_t)m->map_fd);
	code_set(&code, 2, 1);
	code_add(&code, BPF_STX | BPF_ATOMIC | BPF_DW, 1, 2, 0, BPF_ADD);
	code_return(&code, 1);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = prog_type(m);
	attr.expected_attach_type = scale_many_attach_type(m);
	attr.insns = attr_pointer(code.insns);
	attr.insn_cnt = code.nr;
	attr.license = attr_pointer("GPL");
	for (size_t i = 0; name[i]; i++)	/* no kernel name contains '-' */
		attr.prog_name[i] = name[i] == '-' ? '_' : name[i];
	return sys_bpf(m->next, BPF_PROG_LOAD, &attr, ATTR_SIZE(expected_attach_type));
}

static int refused(const struct scale_many *m, enum sys_room room, const char *call, int cmd,
		   int ret, struct error *err)
{
	const struct sys_asked asked = {
		.room = room, .call = call, .caps = sys_prog_caps(prog_type(m)),
		.nr = __NR_bpf, .request = cmd,
	};

	if (ret == -EPERM || ret == -EACCES || ret == -ENOSYS)
		return sys_denied(m->next, &asked, -ret, err);
	return error_set(err, -ret, "%s: %s", call, error_strerror(-ret));
}

static int load_progs(struct scale_many *m, struct error *err)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = sizeof(uint64_t);
	attr.max_entries = 1;
	m->map_fd = sys_bpf(m->next, BPF_MAP_CREATE, &attr, ATTR_SIZE(max_entries));
	if (m->map_fd == -EPERM && sys_raise_memlock(m->next))
		m->map_fd = sys_bpf(m->next, BPF_MAP_CREATE, &attr, ATTR_SIZE(max_entries));
	if (m->map_fd < 0)
		return refused(m, SYS_MAP_CREATE, "BPF_MAP_CREATE", BPF_MAP_CREATE, m->map_fd, err);
	for (int i = 0; i < 2; i++) {
		m->prog_fds[i] = load_prog(m);
		if (m->prog_fds[i] < 0)
			return refused(m, SYS_PROG_LOAD, "BPF_PROG_LOAD", BPF_PROG_LOAD,
				       m->prog_fds[i], err);
	}
	return 0;
}

static long count_call(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct scale_many *m = (struct scale_many *)sys;

	m->calls++;
	return m->next->enter(m->next, nr, arg);
}

int scale_many_prepare(struct scale_many *m, struct error *err)
{
	const uint64_t files = m->number + 64;
	uint64_t limit[2] = { 0 };
	int ret = 0;

	m->sys = (struct sys){ .enter = count_call };
	m->map_fd = m->prog_fds[0] = m->prog_fds[1] = m->file_fd = m->tasks_fd = -1;
	m->list = calloc(m->number + 1, sizeof(*m->list));
	if (!m->list)
		return error_set(err, ENOMEM, "no memory for %u attachments", m->number);
	prctl(PR_SET_NAME, WAITS_COMM);
	sys_prlimit(m->next, RLIMIT_NOFILE, NULL, limit);
	limit[0] = limit[0] < 2 * files ? 2 * files : limit[0];
	limit[1] = limit[1] < limit[0] ? limit[0] : limit[1];
	sys_prlimit(m->next, RLIMIT_NOFILE, limit, NULL);
	if (m->way->kind == SCALE_TASKS)
		ret = create_tasks(m, err);
	if (!ret && scale_many_is_user(m))
		ret = create_functions(m, err);
	return ret ? ret : load_progs(m, err);
}
