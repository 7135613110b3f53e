// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* BPF_LINK_CREATE of programs on many functions: refused flags and programs, and counted tasks. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/explain/kernel/assemble.h"
#include "test/regress/common/bound.h"
#include "test/regress/common/known.h"
#include "test/regress/common/lacks.h"
#include "test/regress/common/probed.h"

#define TIMES 5

/* The probed function. */
static __attribute__((noinline, noclone)) void multi_target(void)
{
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop" ::: "memory");
}

/* A link of @prog_fd on multi_target(), of process @pid or (0) of all. */
static int link_user(struct regress *t, int prog_fd, uint32_t flags, pid_t pid)
{
	const uint64_t offset = known_offset(multi_target);
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = BPF_TRACE_UPROBE_MULTI;
	attr.link_create.flags = flags;
	attr.link_create.uprobe_multi.path = attr_pointer("/proc/self/exe");
	attr.link_create.uprobe_multi.offsets = attr_pointer(&offset);
	attr.link_create.uprobe_multi.cnt = 1;
	attr.link_create.uprobe_multi.pid = pid;
	return sys_bpf(t->sys, BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.uprobe_multi.pid));
}

static int link_kernel_to(struct regress *t, int prog_fd, uint32_t flags, const char *function)
{
	const uint64_t names[] = { attr_pointer(function) };
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
	attr.link_create.flags = flags;
	attr.link_create.kprobe_multi.syms = attr_pointer(names);
	attr.link_create.kprobe_multi.cnt = 1;
	return sys_bpf(t->sys, BPF_LINK_CREATE, &attr,
		       ATTR_SIZE(link_create.kprobe_multi.cookies));
}

static int link_kernel(struct regress *t, int prog_fd, uint32_t flags)
{
	return link_kernel_to(t, prog_fd, flags, "bpf_fentry_test1");
}

/* The arguments of such links have flags of their own. */
static int link_own_flags(struct regress *t, int prog_fd, bool user, uint32_t flags)
{
	const uint64_t offset = known_offset(multi_target), name = attr_pointer("bpf_fentry_test1");
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = user ? BPF_TRACE_UPROBE_MULTI : BPF_TRACE_KPROBE_MULTI;
	if (user) {
		attr.link_create.uprobe_multi.path = attr_pointer("/proc/self/exe");
		attr.link_create.uprobe_multi.offsets = attr_pointer(&offset);
		attr.link_create.uprobe_multi.cnt = 1;
		attr.link_create.uprobe_multi.flags = flags;
		return sys_bpf(t->sys, BPF_LINK_CREATE, &attr,
			       ATTR_SIZE(link_create.uprobe_multi.pid));
	}
	attr.link_create.kprobe_multi.syms = attr_pointer(&name);
	attr.link_create.kprobe_multi.cnt = 1;
	attr.link_create.kprobe_multi.flags = flags;
	return sys_bpf(t->sys, BPF_LINK_CREATE, &attr,
		       ATTR_SIZE(link_create.kprobe_multi.cookies));
}

/* A kernel without such links returns EINVAL; one that was configured without them, EOPNOTSUPP. */
static bool has_no_links(const struct regress *t, bool user, int code)
{
	return code == -EOPNOTSUPP ||
	       (code == -EINVAL && t->kernel < (user ? LINUX(6, 6) : LINUX(5, 18)));
}

/* The program @prog of multi_links.bpf.c, which can be linked, or the test is skipped. */
static int load(struct regress *t, struct regress_object *o, const char *prog)
{
	const bool user = !strcmp(prog, "user_entry");
	struct error err = { 0 };
	int fd, link;

	lacks_ok(t, regress_try_load(t, o, "multi_links", prog, &err), &err, "load");
	fd = regress_prog(t, o, prog);
	link = user ? link_user(t, fd, 0, 0) : link_kernel(t, fd, 0);
	if (has_no_links(t, user, link))
		regress_skip(t, "no %s links: %s", user ? "uprobe.multi" : "kprobe.multi",
			     regress_errno(link));
	regress_ok(t, link, NULL, "a link");
	sys_close(t->sys, link);
	return fd;
}

static void unknown_flag(struct regress *t)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "0|EINVAL" }, { LINUX(6, 16), "EINVAL" },
	};
	const char *prog = t->data;
	struct regress_object o;
	const int fd = load(t, &o, prog);
	int link = !strcmp(prog, "user_entry") ? link_user(t, fd, 1U << 31, 0) :
						 link_kernel(t, fd, 1U << 31);

	regress_answer(t, "", regress_errno(link < 0 ? link : 0), rows, NR(rows));
	sys_close_fd(t->sys, &link);
	regress_unload(t, &o);
}

static void unknown_own_flag(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL" } };
	const char *prog = t->data;
	struct regress_object o;
	const int fd = load(t, &o, prog);
	int link = link_own_flags(t, fd, !strcmp(prog, "user_entry"), 1U << 31);

	regress_answer(t, "", regress_errno(link < 0 ? link : 0), rows, NR(rows));
	sys_close_fd(t->sys, &link);
	regress_unload(t, &o);
}

/*
 * In this process bpf_copy_from_user(fp - 8, 8, a variable): it may wait, and does not have to.
 * The jump is over all that precedes the return.
 */
static void code_that_sleeps(struct code *code)
{
	static uint64_t present = 1;

	code_call(code, BPF_FUNC_get_current_pid_tgid);
	code_add(code, BPF_ALU64 | BPF_RSH | BPF_K, 0, 0, 0, 32);
	code_add(code, BPF_JMP | BPF_JNE | BPF_K, 0, 0, 6, getpid());
	code_move(code, 1, 10);
	code_advance(code, 1, -8);
	code_set(code, 2, 8);
	code_set64(code, 3, 0, (uintptr_t)&present);
	code_call(code, BPF_FUNC_copy_from_user);
	code_return(code, 0);
}

/*
 * A kprobe interrupts the kernel anywhere, also where sleeping is forbidden. A kernel that accepts
 * such a program runs it, which a kernel with CONFIG_DEBUG_ATOMIC_SLEEP reports.
 */
static void sleepable(struct regress *t)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "0|EINVAL" }, { LINUX(7, 2), "EINVAL" },
	};
	struct code code = { 0 };
	struct regress_object o;
	union bpf_attr attr;
	int prog, link;

	load(t, &o, "kernel_entry");
	code_that_sleeps(&code);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_KPROBE;
	attr.expected_attach_type = BPF_TRACE_KPROBE_MULTI;
	attr.prog_flags = BPF_F_SLEEPABLE;
	attr.insns = attr_pointer(code.insns);
	attr.insn_cnt = code.nr;
	attr.license = attr_pointer("GPL");
	prog = sys_bpf(t->sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(expected_attach_type));
	if (prog == -EINVAL && t->kernel < LINUX(6, 0))
		regress_skip(t, "kprobe programs may not sleep before Linux 6.0");
	regress_ok(t, prog, NULL, "a program that may sleep");
	link = link_kernel_to(t, prog, 0, PROBED_GETPPID);
	regress_answer(t, "", regress_errno(link < 0 ? link : 0), rows, NR(rows));
	if (link >= 0)
		probed_getppid();
	sys_close_fd(t->sys, &link);
	sys_close(t->sys, prog);
	regress_unload(t, &o);
}

/* --- the file by a descriptor --- */

/* @path NULL: none; otherwise beside the descriptor. */
static int link_by_fd(struct regress *t, int prog_fd, int fd, const char *path)
{
	const uint64_t offset = known_offset(multi_target);
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = BPF_TRACE_UPROBE_MULTI;
	attr.link_create.uprobe_multi.path = attr_pointer(path);
	attr.link_create.uprobe_multi.offsets = attr_pointer(&offset);
	attr.link_create.uprobe_multi.cnt = 1;
	attr.link_create.uprobe_multi.flags = BPF_F_UPROBE_MULTI_PATH_FD;
	attr.link_create.uprobe_multi.path_fd = fd;
	return sys_bpf(t->sys, BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.uprobe_multi.path_fd));
}

/* This program as a file. An older kernel refuses the flag, or (E2BIG) the field. */
static int open_self(struct regress *t, int prog_fd)
{
	const int fd = sys_openat(t->sys, AT_FDCWD, "/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL|E2BIG" }, { LINUX(7, 2), "0" } };
	int link;

	regress_ok(t, fd, NULL, "/proc/self/exe");
	link = link_by_fd(t, prog_fd, fd, NULL);
	regress_answer(t, "the descriptor", regress_errno(link < 0 ? link : 0), rows, NR(rows));
	if (link < 0)
		regress_skip(t, "BPF_F_UPROBE_MULTI_PATH_FD came with Linux 7.2");
	sys_close(t->sys, link);
	return fd;
}

/* The variables of multi_links.bpf.c. */
struct counts {
	uint64_t entries, cookies;
};

static struct counts counts_of(struct regress *t, const struct regress_object *o)
{
	const uint32_t key = 0;
	struct counts counts;

	regress_ok(t, map_lookup(t->sys, regress_map(t, o, ".bss"), &key, &counts), NULL,
		   "variables");
	return counts;
}

static uint64_t entries_of(struct regress *t, const struct regress_object *o)
{
	return counts_of(t, o).entries;
}

/* --- cookies, and the information on a link --- */

/* The cookies of two functions add up in two halves of a number: how often each was called. */
#define COOKIE_CALLED UINT64_C(1)
#define COOKIE_OTHER (UINT64_C(1) << 32)

struct pair {
	uint64_t addrs[2], cookies[2];
};

/* Two functions of the kernel in one order or, with @swapped, the other. */
static void pair_find(struct regress *t, struct pair *p, bool swapped)
{
	static const char *const names[] = { PROBED_GETPPID, "bpf_fentry_test1" };
	static const uint64_t cookies[] = { COOKIE_CALLED, COOKIE_OTHER };

	for (int i = 0; i < 2; i++) {
		const int to = swapped ? !i : i;
		struct kernel_symbol s;

		if (kernel_symbols_find(bound_symbols(t), names[i], &s, NULL) <= 0 || !s.address)
			regress_skip(t, "/proc/kallsyms has no address of %s", names[i]);
		p->addrs[to] = s.address;
		p->cookies[to] = cookies[i];
	}
}

static int link_pair(struct regress *t, int prog_fd, const struct pair *p)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog_fd;
	attr.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
	attr.link_create.kprobe_multi.addrs = attr_pointer(p->addrs);
	attr.link_create.kprobe_multi.cookies = attr_pointer(p->cookies);
	attr.link_create.kprobe_multi.cnt = 2;
	return regress_ok(t, sys_bpf(t->sys, BPF_LINK_CREATE, &attr,
				     ATTR_SIZE(link_create.kprobe_multi.cookies)),
			  NULL, "a link of two functions");
}

/* The kernel sorts the addresses, and has to move the cookies with them. */
static void each_its_cookie(struct regress *t)
{
	struct regress_object o;
	const int fd = load(t, &o, "kernel_entry");

	for (int swapped = 0; swapped < 2; swapped++) {
		uint64_t before, called;
		struct pair pair;
		int link;

		pair_find(t, &pair, swapped);
		link = link_pair(t, fd, &pair);
		before = counts_of(t, &o).cookies;
		for (int i = 0; i < TIMES; i++)
			probed_getppid();
		called = (counts_of(t, &o).cookies - before) % COOKIE_OTHER;
		regress_expect(t, called >= TIMES, "%" PRIu64 " runs of %d have its cookie, %s",
			       called, TIMES, swapped ? "given second" : "given first");
		sys_close_fd(t->sys, &link);
	}
	regress_unload(t, &o);
}

/* BPF_OBJ_GET_INFO_BY_FD with room for @room functions, and for their cookies. 0 or -errno. */
static int ask(struct regress *t, int link, uint32_t room, struct pair *got)
{
	struct bpf_link_info info = { 0 };
	uint32_t len = sizeof(info);

	memset(got, 0, sizeof(*got));
	info.kprobe_multi.addrs = attr_pointer(got->addrs);
	info.kprobe_multi.count = room;
	/* 9fd112b1f82b: an older kernel refuses fields that it does not know. */
	if (t->kernel >= LINUX(6, 9))
		info.kprobe_multi.cookies = attr_pointer(got->cookies);
	return kernel_fd_info(t->sys, link, &info, &len);
}

static void info_of_two(struct regress *t)
{
	/* 7ac8d0d26192: the kernel has information about such a link. */
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "0|ENOSPC" }, { LINUX(6, 6), "ENOSPC" },
	};
	struct regress_object o;
	struct pair pair, got;
	const int fd = load(t, &o, "kernel_entry");
	int link;

	pair_find(t, &pair, false);
	link = link_pair(t, fd, &pair);
	regress_answer(t, "room for one", regress_errno(ask(t, link, 1, &got)), rows, NR(rows));
	regress_ok(t, ask(t, link, 2, &got), NULL, "BPF_OBJ_GET_INFO_BY_FD");
	for (int i = 0; i < 2 && t->kernel >= LINUX(6, 9); i++) {
		const int same = got.addrs[i] != pair.addrs[0];

		regress_expect(t, got.addrs[i] == pair.addrs[same], "another address: %" PRIx64,
			       got.addrs[i]);
		regress_expect(t, got.cookies[i] == pair.cookies[same], "another cookie: %" PRIx64,
			       got.cookies[i]);
	}
	sys_close_fd(t->sys, &link);
	regress_unload(t, &o);
}

/* --- of one process --- */

static void *call_target(void *arg)
{
	for (int i = 0; i < TIMES; i++)
		multi_target();
	return arg;
}

static void each_thread(struct regress *t)
{
	/* Linux 6.6 matched only the main thread, whose tid is the pid. */
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "runs|no runs" }, { LINUX(6, 10), "runs" },
	};
	struct regress_object o;
	const int fd = load(t, &o, "user_entry");
	int link = regress_ok(t, link_user(t, fd, 0, getpid()), NULL, "a link of this process");
	pthread_t thread;
	uint64_t before, runs;

	call_target(NULL);
	before = entries_of(t, &o);
	regress_expect(t, before == TIMES, "%" PRIu64 " runs of %d", before, TIMES);
	regress_expect(t, !pthread_create(&thread, NULL, call_target, NULL), "no thread");
	pthread_join(thread, NULL);
	runs = entries_of(t, &o) - before;
	regress_expect(t, !runs || runs == TIMES, "%" PRIu64 " runs of %d in a thread", runs,
		       TIMES);
	regress_answer(t, "in another thread", runs ? "runs" : "no runs", rows, NR(rows));
	sys_close_fd(t->sys, &link);
	regress_unload(t, &o);
}

/* The link keeps what it found by the descriptor, which may be closed. */
static void by_descriptor(struct regress *t)
{
	struct regress_object o;
	const int prog = load(t, &o, "user_entry");
	int fd = open_self(t, prog), link = link_by_fd(t, prog, fd, NULL);
	uint64_t runs;

	regress_ok(t, link, NULL, "a link by the descriptor");
	sys_close_fd(t->sys, &fd);
	call_target(NULL);
	runs = entries_of(t, &o);
	regress_expect(t, runs == TIMES, "%" PRIu64 " runs of %d", runs, TIMES);
	sys_close_fd(t->sys, &link);
	call_target(NULL);
	regress_expect(t, entries_of(t, &o) == runs, "it runs after its link was closed");
	regress_unload(t, &o);
}

static void by_no_descriptor(struct regress *t)
{
	static const struct regress_since ebadf[] = { { LINUX(0, 0), "EBADF" } };
	static const struct regress_since einval[] = { { LINUX(0, 0), "EINVAL" } };
	struct regress_object o;
	const int prog = load(t, &o, "user_entry");
	int fd = open_self(t, prog), dir;

	regress_answer(t, "none", regress_errno(link_by_fd(t, prog, -1, NULL)), ebadf, 1);
	regress_answer(t, "and a path", regress_errno(link_by_fd(t, prog, fd, "/proc/self/exe")), einval, 1);
	dir = sys_openat(t->sys, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	regress_answer(t, "a directory", regress_errno(link_by_fd(t, prog, dir, NULL)), ebadf, 1);
	regress_answer(t, "a program", regress_errno(link_by_fd(t, prog, prog, NULL)), ebadf, 1);
	sys_close_fd(t->sys, &dir);
	sys_close_fd(t->sys, &fd);
	regress_unload(t, &o);
}

/* A child is another process, even if both run the probed code. */
static void no_other_process(struct regress *t)
{
	struct regress_object o;
	const int fd = load(t, &o, "user_entry");
	int link = regress_ok(t, link_user(t, fd, 0, getpid()), NULL, "a link of this process");
	uint64_t runs;
	pid_t pid = fork();

	regress_expect(t, pid >= 0, "no process: %s", strerror(errno));
	if (!pid) {
		call_target(NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	runs = entries_of(t, &o);
	regress_expect(t, !runs, "%" PRIu64 " runs in a child", runs);
	sys_close_fd(t->sys, &link);
	regress_unload(t, &o);
}

static const struct regress_test tests[] = {
	{ "kprobe.multi: an unknown bit of link_create.flags", unknown_flag, "kernel_entry", 0 },
	{ "uprobe.multi: an unknown bit of link_create.flags", unknown_flag, "user_entry", 0 },
	{ "kprobe.multi: an unknown bit of its own flags", unknown_own_flag, "kernel_entry", 0 },
	{ "uprobe.multi: an unknown bit of its own flags", unknown_own_flag, "user_entry", 0 },
	{ "kprobe.multi: a program that may sleep", sleepable, NULL, 0 },
	{ "kprobe.multi: each function has its own cookie, in any order", each_its_cookie, NULL,
	  0 },
	{ "kprobe.multi: information on two functions takes room for two", info_of_two, NULL, 0 },
	{ "uprobe.multi of a process: in each of its threads", each_thread, NULL, 0 },
	{ "uprobe.multi of a process: not in its child", no_other_process, NULL, 0 },
	{ "uprobe.multi by a descriptor of the file: runs, and may close it", by_descriptor, NULL, 0 },
	{ "uprobe.multi by a descriptor: of no file, or with a path, too", by_no_descriptor, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_multi_links = {
	"multi_links", "links of programs on many functions: refusals, cookies, and whose runs count",
	tests,
	NULL, __FILE__
};
