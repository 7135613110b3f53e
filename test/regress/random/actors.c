// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Perform the steps of a life as system calls, in separate processes. It needs libc, but nothing
 * from this project.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/futex.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "test/regress/random/actors.h"

#define BPFFS "/sys/fs/bpf"
#define TRACEFS "/sys/kernel/tracing"

/*
 * Addresses that are the same in every process, also after execve(2): breakpoints and page faults
 * have them. Programs of page faults count from VARIABLE(0) on; the beginning of that page is
 * touched first, so that a variable is written without a fault.
 */
#if defined(__x86_64__)
#define IS_X86 true
#define AREA 0x200000000000UL	/* AddressSanitizer leaves it to the program */
#else
#define IS_X86 false
#define AREA 0x2000000000UL
#endif
#define VARS (AREA + 0x100000)
#define VARIABLE(n) (VARS + 128 + 64 * (unsigned long)(n))
#define PAGES (VARS + 0x100000)
#define PAGES_SIZE 0x100000UL

/* Descriptors of all processes. Those of steps are FDS to FDS + NR_FDS - 1. */
enum { FDS = 100, SHARED_FD = 200, RUNS_FD, TASKS_FD, SEND_FD, RECEIVE_FD, GUARD_FD };

enum { IDLE, COMMAND, DONE };

struct box {
	uint32_t turn;		/* a futex */
	pid_t pid;
	struct op op;
	struct answer answer;
	uint32_t id;		/* of the object created by the step */
	pid_t child;
};

struct shared {
	struct box boxes[NR_PROCS];
	uint32_t uprobe_type, tracepoint_id, nr_progs;
	uint64_t offset;	/* of fired() in this file */
	int cpu;
	bool has_cookies;
	char self[32];		/* the file of the uprobe, for the kernel, which reads it again in fork() */
};

_Static_assert(sizeof(struct shared) <= 0x100000, "AREA is too small");

static long plain(long nr, long a, long b, long c, long d, long e)
{
	return syscall(nr, a, b, c, d, e, 0);
}

long (*actors_enter)(long nr, long a, long b, long c, long d, long e) = plain;

static long bpf(int command, union bpf_attr *attr)
{
	return actors_enter(__NR_bpf, command, (long)attr, sizeof(*attr), 0, 0);
}

/* Uprobes are at this function. */
__attribute__((noinline, noclone)) void actors_fired(void)
{
	__asm__ volatile("" ::: "memory");
}

/* --- programs --- */

#define INSN(op, dst, src, offset, number) \
	(struct bpf_insn){ .code = op, .dst_reg = dst, .src_reg = src, .off = offset, .imm = number }
#define MAP_FD(dst, fd) INSN(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)
#define NUMBER(dst, n) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, dst, 0, 0, (int32_t)(n)), INSN(0, 0, 0, 0, (int32_t)((n) >> 32))
#define MOVE(dst, src) INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define SET(dst, n) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, n)
#define ADD(dst, n) INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, n)
#define CALL(helper) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define STORE(dst, off, src) INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define EXIT INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/*
 * In a process of ours it adds 1 to runs[{ number, cookie }], and returns what it should; in others
 * it returns 1, so that their events count.
 */
static long load(enum prog_type type, uint32_t number, int map, bool cookies, int returns)
{
	static const uint32_t types[] = { BPF_PROG_TYPE_TRACEPOINT, BPF_PROG_TYPE_KPROBE,
					  BPF_PROG_TYPE_PERF_EVENT };
	const struct bpf_insn begin[] = { MOVE(6, 1) };
	const struct bpf_insn use[] = { MAP_FD(1, map) };
	/* Each of these leaves the address alone when it is in range, or returns 1. */
	const struct bpf_insn in_range[] = {
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 2, 6, offsetof(struct bpf_perf_event_data, addr), 0),
		NUMBER(3, VARIABLE(0)),
		INSN(BPF_JMP | BPF_JLT | BPF_X, 2, 3, 3, 0),
		NUMBER(3, PAGES + PAGES_SIZE),
		INSN(BPF_JMP | BPF_JLT | BPF_X, 2, 3, 2, 0),
		SET(0, 1), EXIT,
	};
	const struct bpf_insn is_ours[] = {
		CALL(BPF_FUNC_get_current_pid_tgid),
		INSN(BPF_ALU64 | BPF_RSH | BPF_K, 0, 0, 0, 32),
		STORE(10, -8, 0),
		MAP_FD(1, TASKS_FD), MOVE(2, 10), ADD(2, -8),
		CALL(BPF_FUNC_map_lookup_elem),
		INSN(BPF_JMP | BPF_JNE | BPF_K, 0, 0, 2, 0),
		SET(0, 1), EXIT,
	};
	const struct bpf_insn cookie[] = { MOVE(1, 6), CALL(174 /* BPF_FUNC_get_attach_cookie */) };
	const struct bpf_insn no_cookie[] = { SET(0, 0) };
	const struct bpf_insn count[] = {
		STORE(10, -16, 0), SET(1, (int32_t)number), STORE(10, -24, 1),
		MAP_FD(1, RUNS_FD), MOVE(2, 10), ADD(2, -24),
		CALL(BPF_FUNC_map_lookup_elem),
		INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3, 0),
		SET(1, 1), INSN(BPF_STX | 0xc0 /* BPF_ATOMIC */ | BPF_DW, 0, 1, 0, BPF_ADD),
		INSN(BPF_JMP | BPF_JA, 0, 0, 10, 0),
		SET(1, 1), STORE(10, -32, 1),
		MAP_FD(1, RUNS_FD), MOVE(2, 10), ADD(2, -24), MOVE(3, 10), ADD(3, -32), SET(4, 0),
		CALL(BPF_FUNC_map_update_elem),
		SET(0, returns), EXIT,
	};
	struct bpf_insn insns[80];
	union bpf_attr attr;
	uint32_t nr = 0;

#define APPEND(part) (memcpy(&insns[nr], part, sizeof(part)), nr += sizeof(part) / sizeof(part[0]))
	APPEND(begin);
	if (map >= 0)
		APPEND(use);
	if (type == FOR_SAMPLES)
		APPEND(in_range);
	APPEND(is_ours);
	if (cookies)
		APPEND(cookie);
	else
		APPEND(no_cookie);
	APPEND(count);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = types[type];
	attr.insns = (unsigned long)insns;
	attr.insn_cnt = nr;
	attr.license = (unsigned long)"GPL";
	return bpf(BPF_PROG_LOAD, &attr);
}

static long new_map(uint32_t type, uint32_t key_size, uint32_t entries)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = key_size;
	attr.value_size = 8;
	attr.max_entries = entries;
	return bpf(BPF_MAP_CREATE, &attr);
}

static uint32_t id_of(int fd)
{
	uint32_t info[64] = { 0 };	/* type, id, ... */
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info_len = sizeof(info);
	attr.info.info = (unsigned long)info;
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) ? 0 : info[1];
}

/* --- steps, in the process that performs them. They return -1 with errno. --- */

static struct shared *shared = (struct shared *)AREA;

static int fd_of(int fd)
{
	return fd < 0 ? -1 : FDS + fd;
}

/* Move the descriptor to the number that the step names. */
static long become(const struct op *op, long fd)
{
	if (fd < 0)
		return -1;
	dup3(fd, fd_of(op->fd), op->fd >= FIRST_CLOEXEC ? O_CLOEXEC : 0);
	close(fd);
	return 0;
}

static long created(struct box *box, long fd)
{
	if (fd < 0)
		return -1;
	box->id = id_of(fd);
	return become(&box->op, fd);
}

static void attr_of(const struct op *op, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->sample_period = op->n;
	attr->disabled = !!(op->flags & DISABLED);
	attr->inherit = !!(op->flags & INHERIT);
	switch (op->what) {
	case TRACEPOINT:
		attr->type = PERF_TYPE_TRACEPOINT;
		attr->config = shared->tracepoint_id;
		break;
	case UPROBE:
	case URETPROBE:
		attr->type = shared->uprobe_type;
		attr->config = op->what == URETPROBE;
		attr->config1 = (unsigned long)shared->self;
		attr->config2 = shared->offset;
		break;
	case PAGE_FAULTS:
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_PAGE_FAULTS;
		break;
	default:
		attr->type = PERF_TYPE_BREAKPOINT;
		attr->bp_type = HW_BREAKPOINT_W;
		attr->bp_len = HW_BREAKPOINT_LEN_8;
		attr->bp_addr = VARIABLE(0);
	}
}

/* One that no process has stands for a process that has ended. */
static pid_t pid_of(int who)
{
	return shared->boxes[who].pid ? shared->boxes[who].pid : INT32_MAX;
}

static long event_open(const struct op *op)
{
	struct perf_event_attr attr;

	attr_of(op, &attr);
	return actors_enter(__NR_perf_event_open, (long)&attr, op->other < 0 ? -1 : pid_of(op->other),
			   op->other < 0 ? shared->cpu : -1, fd_of(op->fd2), PERF_FLAG_FD_CLOEXEC);
}

static long event_ioctl(const struct op *op, unsigned long request, long arg)
{
	return actors_enter(__NR_ioctl, fd_of(op->fd), request, arg, 0, 0);
}

static long modify(const struct op *op)
{
	struct op opened = *op;
	struct perf_event_attr attr;

	opened.what = BREAKPOINT;
	attr_of(&opened, &attr);
	attr.bp_addr = VARIABLE(op->what);
	return event_ioctl(op, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, (long)&attr);
}

static long link_create(const struct op *op)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = fd_of(op->other);
	attr.link_create.target_fd = fd_of(op->fd2);
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = op->n;
	return bpf(BPF_LINK_CREATE, &attr);
}

static long link_change(const struct op *op)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	if (op->code == OP_LINK_DETACH) {
		attr.link_detach.link_fd = fd_of(op->fd);
		return bpf(BPF_LINK_DETACH, &attr);
	}
	attr.link_update.link_fd = fd_of(op->fd);
	attr.link_update.new_prog_fd = fd_of(op->fd2);
	return bpf(BPF_LINK_UPDATE, &attr);
}

/* The id after @name in /proc/self/fdinfo; 0: it has none. */
static uint32_t fdinfo_id(int fd, const char *name)
{
	char path[64], text[2048], *at;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	at = strstr(text, name);
	return at ? strtoul(at + strlen(name), NULL, 10) : 0;
}

/* enum bpf_perf_event_type, and with it BPF_LINK_TYPE_PERF_EVENT: Linux 6.6. */
static int link_event_type(const uint32_t *info, const uint64_t *wide)
{
	switch (info[4]) {
	case 1:
		return UPROBE;
	case 2:
		return URETPROBE;
	case 5:
		return TRACEPOINT;
	default:	/* PERF_TYPE_* */
		return (uint32_t)wide[4] == PERF_TYPE_BREAKPOINT ? BREAKPOINT : PAGE_FAULTS;
	}
}

/* An id is reported as such; the other process knows whose it is. */
static long info(const struct op *op, struct answer *a)
{
	const int fd = fd_of(op->fd);
	union { uint32_t info[64]; uint64_t wide[32]; } u = { { 0 } };
	uint32_t link = fdinfo_id(fd, "link_id:\t"), prog = fdinfo_id(fd, "prog_id:\t"),
		 map = fdinfo_id(fd, "map_id:\t");
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info_len = sizeof(u);
	attr.info.info = (unsigned long)&u;
	if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr))
		return -1;
	/* If the two sources disagree, the id is 0, which no object has. */
	if (link) {
		answer_add(a, IS_LINK, 0, 0, link == u.info[1] ? link : 0);
		answer_add(a, OF_PROG, 0, 0, prog == u.info[2] ? prog : 0);
		if (u.info[4])
			answer_add(a, LINK_EVENT_TYPE, 0, 0, link_event_type(u.info, u.wide));
		answer_add(a, COOKIE, 0, 0, u.wide[5]);
	} else if (prog) {
		const struct bpf_prog_info *of_prog = (void *)&u;

		answer_add(a, IS_PROG, 0, 0, prog == of_prog->id ? prog : 0);
		answer_add(a, PROG_TYPE, 0, 0, of_prog->type == BPF_PROG_TYPE_TRACEPOINT ?
			   FOR_TRACEPOINT : of_prog->type == BPF_PROG_TYPE_KPROBE ? FOR_PROBE : FOR_SAMPLES);
		answer_add(a, NR_PROG_MAPS, 0, 0, of_prog->nr_map_ids - 2);
	} else {
		answer_add(a, IS_MAP, 0, 0, map == u.info[1] ? map : 0);
	}
	return 0;
}

static long task_query(const struct op *op, struct answer *a)
{
	union bpf_attr attr;
	char name[64];

	memset(&attr, 0, sizeof(attr));
	attr.task_fd_query.pid = pid_of(op->other);
	attr.task_fd_query.fd = fd_of(op->fd);
	attr.task_fd_query.buf = (unsigned long)name;
	attr.task_fd_query.buf_len = sizeof(name);
	if (bpf(BPF_TASK_FD_QUERY, &attr))
		return -1;
	answer_add(a, IS_PROG, 0, 0, attr.task_fd_query.prog_id);
	return 0;
}

static long query_bpf(const struct op *op, struct answer *a)
{
	struct { uint32_t room, nr, ids[64]; } q = { .room = 64 };

	if (event_ioctl(op, PERF_EVENT_IOC_QUERY_BPF, (long)&q))
		return -1;
	for (uint32_t i = 0; i < q.nr && i < 64; i++)
		answer_add(a, BOUND, 0, q.ids[i], 1);
	return 0;
}

/* --- descriptors, pins, processes --- */

static struct msghdr *message(struct cmsghdr *room, size_t size)
{
	static char byte;
	static struct iovec io = { &byte, 1 };
	static struct msghdr m;

	m = (struct msghdr){ .msg_iov = &io, .msg_iovlen = 1, .msg_control = room,
			     .msg_controllen = size };
	return &m;
}

static long send_fd(int fd)
{
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))] = { 0 };
	struct cmsghdr *c = (struct cmsghdr *)room;

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(SEND_FD, message(c, sizeof(room)), MSG_DONTWAIT) < 0 ? -1 : 0;
}

static long receive_fd(void)
{
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))] = { 0 };
	struct cmsghdr *c = (struct cmsghdr *)room;
	int fd;

	if (recvmsg(RECEIVE_FD, message(c, sizeof(room)), MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0)
		return -1;
	memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return c->cmsg_len == CMSG_LEN(sizeof(int)) ? fd : -1;
}

static long get_fd(const struct op *op)
{
	const long pidfd = actors_enter(__NR_pidfd_open, pid_of(op->other), 0, 0, 0, 0);
	long fd, err;

	if (pidfd < 0)
		return -1;
	fd = actors_enter(__NR_pidfd_getfd, pidfd, fd_of(op->fd2), 0, 0, 0);
	err = errno;
	close(pidfd);
	errno = err;
	return become(op, fd);
}

static void pin_path(char *path, size_t size, int name)
{
	snprintf(path, size, BPFFS "/life-%d", name);
}

static long pin(const struct op *op)
{
	char path[64];
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	pin_path(path, sizeof(path), op->what);
	attr.pathname = (unsigned long)path;
	if (op->code == OP_UNPIN)
		return actors_enter(__NR_unlinkat, AT_FDCWD, (long)path, 0, 0, 0);
	if (op->code == OP_OBJ_GET)
		return become(op, bpf(BPF_OBJ_GET, &attr));
	attr.bpf_fd = fd_of(op->fd);
	return bpf(BPF_OBJ_PIN, &attr);
}

static _Noreturn void act(int who);

/* The child becomes a child of the observing process. */
static long fork_actor(struct box *box)
{
	const int child = box->op.other;	/* box has the next step when the child runs */
	const long flags = CLONE_PARENT | SIGCHLD;
	/* s390x has the stack first: CONFIG_CLONE_BACKWARDS2. */
#ifdef __s390x__
	const long pid = actors_enter(__NR_clone, 0, flags, 0, 0, 0);
#else
	const long pid = actors_enter(__NR_clone, flags, 0, 0, 0, 0);
#endif

	if (!pid)
		act(child);
	box->child = pid;
	return pid < 0 ? -1 : 0;
}

static long exec_actor(int who)
{
	char number[16];
	char *const argv[] = { "random-life", "--random-actor", number, NULL };

	snprintf(number, sizeof(number), "%d", who);
	return actors_enter(__NR_execve, (long)"/proc/self/exe", (long)argv, (long)environ, 0, 0);
}

static long fire(const struct op *op)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	char name[16];

	if (op->what == PAGE_FAULTS)
		madvise((void *)PAGES, PAGES_SIZE, MADV_DONTNEED);
	*(volatile uint64_t *)VARS = 1;
	for (uint32_t i = 0; i < op->n; i++) {
		if (op->what == TRACEPOINT) {
			snprintf(name, sizeof(name), "life%u", i);
			prctl(PR_SET_NAME, name);
		} else if (op->what == PAGE_FAULTS) {
			*(volatile char *)(PAGES + i % (PAGES_SIZE / page) * page) = 1;
		} else if (op->what == BREAKPOINT) {
			*(volatile uint64_t *)VARIABLE(op->fd) = i;
		} else {
			actors_fired();
		}
	}
	return 0;
}

/* --- one process --- */

static long make(struct box *box)
{
	const struct op *op = &box->op;
	struct answer *a = &box->answer;
	uint64_t count;
	long ret;

	switch (op->code) {
	case OP_MAP_CREATE:
		return created(box, new_map(BPF_MAP_TYPE_ARRAY, 4, 1));
	case OP_PROG_LOAD:
		return created(box, load(op->what, shared->nr_progs, fd_of(op->fd2),
					 shared->has_cookies, !!(op->flags & RETURNS_1)));
	case OP_OPEN:
		return become(op, event_open(op));
	case OP_SET_BPF:
		return event_ioctl(op, PERF_EVENT_IOC_SET_BPF, fd_of(op->fd2));
	case OP_LINK_CREATE:
		return created(box, link_create(op));
	case OP_LINK_UPDATE:
	case OP_LINK_DETACH:
		return link_change(op);
	case OP_ENABLE:
		return event_ioctl(op, PERF_EVENT_IOC_ENABLE, !!(op->flags & GROUP));
	case OP_DISABLE:
		return event_ioctl(op, PERF_EVENT_IOC_DISABLE, !!(op->flags & GROUP));
	case OP_RESET:
		return event_ioctl(op, PERF_EVENT_IOC_RESET, !!(op->flags & GROUP));
	case OP_REFRESH:
		return event_ioctl(op, PERF_EVENT_IOC_REFRESH, op->n);
	case OP_PERIOD:
		count = op->n;
		return event_ioctl(op, PERF_EVENT_IOC_PERIOD, (long)&count);
	case OP_MODIFY:
		return modify(op);
	case OP_SET_OUTPUT:
		return event_ioctl(op, PERF_EVENT_IOC_SET_OUTPUT, fd_of(op->fd2));
	case OP_READ:
		ret = actors_enter(__NR_read, fd_of(op->fd), (long)&count, sizeof(count), 0, 0);
		if (ret >= 0)
			answer_add(a, COUNT, 0, 0, ret == sizeof(count) ? count : UINT64_MAX);
		return ret < 0 ? -1 : 0;
	case OP_INFO:
		return info(op, a);
	case OP_TASK_QUERY:
		return task_query(op, a);
	case OP_QUERY_BPF:
		return query_bpf(op, a);
	case OP_DUP:
		return dup3(fd_of(op->fd2), fd_of(op->fd),
			    op->fd >= FIRST_CLOEXEC ? O_CLOEXEC : 0) < 0 ? -1 : 0;
	case OP_SEND:
		return send_fd(fd_of(op->fd));
	case OP_RECEIVE:
		return become(op, receive_fd());
	case OP_GETFD:
		return get_fd(op);
	case OP_CLOSE:
		return actors_enter(__NR_close, fd_of(op->fd), 0, 0, 0, 0);
	case OP_PIN:
	case OP_UNPIN:
	case OP_OBJ_GET:
		return pin(op);
	case OP_TASK_DISABLE:
		return actors_enter(__NR_prctl, PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0);
	case OP_TASK_ENABLE:
		return actors_enter(__NR_prctl, PR_TASK_PERF_EVENTS_ENABLE, 0, 0, 0, 0);
	case OP_FORK:
		return fork_actor(box);
	case OP_EXEC:
		return exec_actor(box - shared->boxes);
	case OP_FIRE:
		return fire(op);
	default:
		return 0;
	}
}

static void turn(struct box *box, uint32_t whose)
{
	__atomic_store_n(&box->turn, whose, __ATOMIC_SEQ_CST);
	syscall(__NR_futex, &box->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Wait until it is @whose turn; false: it took longer than a second. */
static bool await(struct box *box, uint32_t whose)
{
	const struct timespec second = { 1, 0 };
	const uint32_t now = __atomic_load_n(&box->turn, __ATOMIC_SEQ_CST);

	if (now == whose)
		return true;
	syscall(__NR_futex, &box->turn, FUTEX_WAIT, now, &second, NULL, 0);
	return __atomic_load_n(&box->turn, __ATOMIC_SEQ_CST) == whose;
}

/*
 * An event that no child inherits, so that the kernel does not exchange the events of parent and
 * child when it switches from one to the other, which it does only if all are inherited.
 */
static void guard(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
					.config = PERF_COUNT_SW_DUMMY };
	const long fd = syscall(__NR_perf_event_open, &attr, 0, -1, -1, 0);

	dup3(fd, GUARD_FD, O_CLOEXEC);
	close(fd);
}

/* @value: or the next key, which BPF_MAP_GET_NEXT_KEY writes. */
static long use_map(int command, int map, const uint64_t *key, uint64_t *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	attr.key = (unsigned long)key;
	attr.value = (unsigned long)value;
	return syscall(__NR_bpf, command, &attr, sizeof(attr));
}

static void count_in(pid_t pid)
{
	uint64_t key = (uint32_t)pid, value = 1;

	use_map(BPF_MAP_UPDATE_ELEM, TASKS_FD, &key, &value);
}

static void act_on(struct box *box)
{
	const struct timespec moment = { 0, 1000 };

	box->answer.nr = 0;
	box->answer.err = make(box) ? errno : 0;
	/* After a sleep an event has been taken off the CPU, and has begun a new period. */
	if (box->op.code == OP_PERIOD)
		nanosleep(&moment, NULL);
	turn(box, DONE);
}

static _Noreturn void act(int who)
{
	struct box *box = &shared->boxes[who];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	guard();
	for (;;) {
		while (!await(box, COMMAND))
			;
		if (box->op.code == OP_EXIT)
			_exit(0);
		act_on(box);
	}
}

/* Map what all processes have at the same address. */
static bool map_area(void)
{
	const int how = MAP_FIXED | MAP_ANONYMOUS;

	return mmap((void *)AREA, 0x200000, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, SHARED_FD,
		    0) != MAP_FAILED &&
	       mmap((void *)PAGES, PAGES_SIZE, PROT_READ | PROT_WRITE, how | MAP_PRIVATE, -1, 0) !=
		       MAP_FAILED &&
	       (madvise((void *)PAGES, PAGES_SIZE, MADV_NOHUGEPAGE), true);
}

void actors_main(int argc, char **argv)
{
	struct box *box;

	if (argc != 3 || strcmp(argv[1], "--random-actor") || !map_area())
		return;
	box = &shared->boxes[atoi(argv[2])];
	box->answer.err = 0;
	guard();
	turn(box, DONE);
	act(box - shared->boxes);
}

/* --- the observing process --- */

static int find_offset(struct dl_phdr_info *info, size_t size, void *arg)
{
	const uint64_t at = (unsigned long)actors_fired - info->dlpi_addr;
	uint64_t *offset = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type == PT_LOAD && at >= ph->p_vaddr && at - ph->p_vaddr < ph->p_filesz)
			*offset = at - ph->p_vaddr + ph->p_offset;
	}
	return 1;	/* the first is this program */
}

static uint32_t number_of(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[32] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return strtoul(text, NULL, 10);
}

static void move_fd(int fd, int to)
{
	dup3(fd, to, 0);
	close(fd);
}

static const char *prepare_area(void)
{
	const long fd = syscall(__NR_memfd_create, "life", 0);
	int pair[2];

	if (fd < 0 || ftruncate(fd, 0x200000))
		return "memfd_create(2)";
	move_fd(fd, SHARED_FD);
	if (!map_area())
		return "memory at a fixed address";
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		return "socketpair(2)";
	move_fd(pair[0], SEND_FD);
	move_fd(pair[1], RECEIVE_FD);
	return NULL;
}

static void choose_cpu(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	for (shared->cpu = 0; shared->cpu < CPU_SETSIZE - 1 && !CPU_ISSET(shared->cpu, &set);)
		shared->cpu++;
}

/* Return whether an event of the type exists and happens in this process. */
static bool happens(enum event_type type)
{
	const struct op open = { .code = OP_OPEN, .fd2 = -1, .other = 0, .what = type, .n = 1 };
	const struct op work = { .code = OP_FIRE, .what = type, .n = 3 };
	uint64_t count = 0;
	int fd;

	/* arm64 does not step over a breakpoint that has a program. */
	if (type == BREAKPOINT && !IS_X86)
		return false;
	fd = event_open(&open);
	if (fd < 0)
		return false;
	fire(&work);
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		count = 0;
	/* The tracepoint stays registered: the last event of it would leave after a grace period. */
	if (type != TRACEPOINT)
		close(fd);
	return type == PAGE_FAULTS ? count >= 3 : count == 3;
}

/* An emulator may report to one breakpoint what happens to two. */
static bool happens_to_two(void)
{
	const struct op open = { .code = OP_OPEN, .fd2 = -1, .other = 0, .what = BREAKPOINT, .n = 1 };
	const int fd = event_open(&open);
	const bool both = fd >= 0 && happens(BREAKPOINT);
	uint64_t count = 0;

	if (read(fd, &count, sizeof(count)) != sizeof(count))
		count = 0;
	close(fd);
	return both && count == 3;
}

static const char *find_out(struct world *w)
{
	static const struct { const char *name, *path; } types[] = {
		{ "tracepoint", TRACEFS "/events/task/task_rename/id" },
		{ "uprobe", "/sys/bus/event_source/devices/uprobe/type" },
	};
	long fd;

	shared->boxes[0].pid = getpid();
	dl_iterate_phdr(find_offset, &shared->offset);
	strcpy(shared->self, "/proc/self/exe");
	shared->tracepoint_id = number_of(types[0].path);
	shared->uprobe_type = number_of(types[1].path);
	for (int type = 0; type < NR_TYPES; type++)
		w->has[type] = happens(type);
	w->one_breakpoint = !happens_to_two();
	if (!shared->tracepoint_id)
		w->has[TRACEPOINT] = false;
	if (!shared->uprobe_type || !shared->offset)
		w->has[UPROBE] = w->has[URETPROBE] = false;
	for (int cookies = 1; cookies >= 0; cookies--) {
		fd = load(FOR_TRACEPOINT, 0, -1, cookies, 1);
		if (fd < 0)
			continue;
		close(fd);
		w->has_cookies = shared->has_cookies = cookies;
		return NULL;
	}
	return "a program that uses maps";
}

const char *actors_begin(struct world *w)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	const char *lacks;

	memset(w, 0, sizeof(*w));
	setrlimit(RLIMIT_MEMLOCK, &unlimited);	/* before Linux 5.11 maps and programs are charged to it */
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return "a mount namespace";
	if (mount("bpf", BPFFS, "bpf", 0, NULL))
		return "bpffs";
	if (access(TRACEFS "/events", F_OK))
		mount("tracefs", TRACEFS, "tracefs", 0, NULL);
	lacks = prepare_area();
	if (lacks)
		return lacks;
	choose_cpu();
	w->shared = shared;
	w->runs_fd = new_map(BPF_MAP_TYPE_HASH, 16, 256);
	w->tasks_fd = new_map(BPF_MAP_TYPE_HASH, 8, 64);
	if (w->runs_fd < 0 || w->tasks_fd < 0)
		return "maps";
	move_fd(w->runs_fd, RUNS_FD);
	move_fd(w->tasks_fd, TASKS_FD);
	return find_out(w);
}

void actors_start(struct world *w)
{
	struct box *box = &shared->boxes[0];
	cpu_set_t one;
	pid_t pid;

	memset(w->nr, 0, sizeof(w->nr));
	memset(shared->boxes, 0, sizeof(shared->boxes));
	pid = fork();
	if (!pid) {
		CPU_ZERO(&one);
		CPU_SET(shared->cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		act(0);
	}
	box->pid = pid;
	count_in(pid);
}

static void ended(int who)
{
	const uint64_t key = (uint32_t)shared->boxes[who].pid;

	waitpid(shared->boxes[who].pid, NULL, 0);
	use_map(BPF_MAP_DELETE_ELEM, TASKS_FD, &key, NULL);
	shared->boxes[who].pid = 0;
	shared->boxes[who].turn = IDLE;
}

static int kill_actor(int who, int *err)
{
	*err = kill(pid_of(who), SIGKILL) ? errno : 0;
	if (!*err)
		ended(who);
	return 0;
}

void actors_stop(struct world *w)
{
	struct answer a = { 0 };
	char path[64];
	long fd;
	int err;

	for (int who = 0; who < NR_PROCS; who++)
		if (shared->boxes[who].pid > 0 && !waitpid(shared->boxes[who].pid, NULL, WNOHANG))
			kill_actor(who, &err);
	for (int i = 0; i < NR_PINS; i++) {
		pin_path(path, sizeof(path), i);
		unlink(path);
	}
	while (fd = receive_fd(), fd >= 0)
		close(fd);
	actors_runs(w, &a);
}

/* Replace the kernel's id by the object's number; -1: the id is none of ours. */
static int number_of_id(const struct world *w, enum kind kind, uint64_t id)
{
	for (unsigned int i = 0; i < w->nr[kind]; i++)
		if (w->ids[kind][i] == id)
			return i;
	return -1;
}

static void translate(const struct world *w, struct answer *a)
{
	static const enum kind kinds[NR_FACTS_WHAT] = { [IS_PROG] = PROG, [IS_MAP] = MAP,
							[IS_LINK] = LINK, [OF_PROG] = PROG };
	unsigned int kept = 0;

	for (unsigned int i = 0; i < a->nr; i++) {
		struct fact fact = a->facts[i];

		if (kinds[fact.what])
			fact.value = number_of_id(w, kinds[fact.what], fact.value);
		if (fact.what == BOUND) {
			const int object = number_of_id(w, PROG, fact.key);

			if (object < 0)
				continue;	/* of another user of the tracepoint */
			fact.object = object;
			fact.key = 0;
		}
		a->facts[kept++] = fact;
	}
	a->nr = kept;
}

static const char *wait_for(int who)
{
	struct box *box = &shared->boxes[who];
	static char text[64];
	int status;

	while (!await(box, DONE)) {
		if (waitpid(box->pid, &status, WNOHANG) != box->pid)
			continue;
		box->pid = 0;
		snprintf(text, sizeof(text), "the process died with status %#x", status);
		return text;
	}
	return NULL;
}

static void keep_new(struct world *w, const struct box *box)
{
	static const enum kind kinds[NR_OPS] = { [OP_MAP_CREATE] = MAP, [OP_PROG_LOAD] = PROG,
						 [OP_LINK_CREATE] = LINK };
	const enum kind kind = kinds[box->op.code];

	if (kind && !box->answer.err && w->nr[kind] < NR_OBJECTS)
		w->ids[kind][w->nr[kind]++] = box->id;
	if (box->op.code == OP_FORK && !box->answer.err) {
		shared->boxes[box->op.other].pid = box->child;
		count_in(box->child);
	}
}

const char *actors_do(struct world *w, const struct op *op, struct answer *a)
{
	struct box *box = &shared->boxes[op->who];
	const char *wrong;

	*a = (struct answer){ 0 };
	if (op->code == OP_KILL) {
		kill_actor(op->other, &a->err);
		return NULL;
	}
	box->op = *op;
	box->id = 0;
	shared->nr_progs = w->nr[PROG];
	turn(box, COMMAND);
	if (op->code == OP_EXIT) {
		ended(op->who);
		return NULL;
	}
	wrong = wait_for(op->who);
	if (wrong)
		return wrong;
	turn(box, IDLE);
	*a = box->answer;
	keep_new(w, box);
	translate(w, a);
	return NULL;
}

bool actors_exists(struct world *w, enum kind kind, int object)
{
	static const int commands[] = { [PROG] = BPF_PROG_GET_FD_BY_ID, [MAP] = BPF_MAP_GET_FD_BY_ID,
					[LINK] = BPF_LINK_GET_FD_BY_ID };
	union bpf_attr attr;
	long fd;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = w->ids[kind][object];
	fd = bpf(commands[kind], &attr);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENOENT;
}

void actors_runs(struct world *w, struct answer *a)
{
	uint64_t key[2], value;

	(void)w;
	while (!use_map(BPF_MAP_GET_NEXT_KEY, RUNS_FD, NULL, key)) {
		use_map(BPF_MAP_LOOKUP_ELEM, RUNS_FD, key, &value);
		answer_add(a, RUNS, key[0], key[1], value);
		use_map(BPF_MAP_DELETE_ELEM, RUNS_FD, key, NULL);
	}
}
