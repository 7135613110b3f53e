// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Commands of bpf(2) for links and tokens, called directly instead of through the loader. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/base/kernel/kernel_calls.h"
#include "loader/explain/kernel/assemble.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"
#include "test/regress/common/own_dir.h"

#define TIMES 10

static void answers(struct regress *t, const char *key, int ret, const char *want)
{
	const struct regress_since rows[] = { { LINUX(0, 0), want } };

	regress_answer(t, key, regress_errno(ret < 0 ? ret : 0), rows, 1);
}

/* --- BPF_RAW_TRACEPOINT_OPEN --- */

static int raw_open(struct regress *t, int prog, const char *name)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = attr_pointer(name);
	attr.raw_tracepoint.prog_fd = prog;
	return sys_bpf(t->sys, BPF_RAW_TRACEPOINT_OPEN, &attr, ATTR_SIZE(raw_tracepoint.prog_fd));
}

/* task_rename comes before the thread has the new name, which here is the old one. */
static uint64_t runs_of_rename(struct regress *t, const struct regress_object *o)
{
	const struct context_io before = io_get(t, o);

	for (int i = 0; i < TIMES; i++)
		prctl(PR_SET_NAME, before.comm);
	return io_get(t, o).runs - before.runs;
}

static void raw_tracepoint(struct regress *t)
{
	struct context_io io = { 0 };
	struct regress_object o;
	uint64_t runs;
	int link;

	io_ours(t, &io);
	regress_load(t, &o, "context", "raw_see");
	io_put(t, &o, &io);
	link = regress_ok(t, raw_open(t, regress_prog(t, &o, "raw_see"), "task_rename"), NULL, "BPF_RAW_TRACEPOINT_OPEN");
	runs = runs_of_rename(t, &o);
	regress_expect(t, runs == TIMES, "%" PRIu64 " runs of %d", runs, TIMES);
	sys_close(t->sys, link);
	runs = runs_of_rename(t, &o);
	regress_expect(t, !runs, "%" PRIu64 " runs when it is closed", runs);
	regress_unload(t, &o);
}

static void raw_refused(struct regress *t)
{
	struct regress_object o, other;

	regress_load(t, &o, "context", "raw_see");
	regress_load(t, &other, "context", "pe_see");
	answers(t, "no tracepoint", raw_open(t, regress_prog(t, &o, "raw_see"), "pload_has_none"), "ENOENT");
	answers(t, "no program", raw_open(t, -1, "task_rename"), "EBADF");
	answers(t, "unreadable", raw_open(t, regress_prog(t, &o, "raw_see"), (const char *)8), "EFAULT");
	answers(t, "perf_event", raw_open(t, regress_prog(t, &other, "pe_see"), "task_rename"), "EINVAL");
	regress_unload(t, &other);
	regress_unload(t, &o);
}

/* --- BPF_LINK_UPDATE with BPF_F_REPLACE --- */

static int update(struct regress *t, int link, int prog, uint32_t flags, int old)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_update.link_fd = link;
	attr.link_update.new_prog_fd = prog;
	attr.link_update.flags = flags;
	attr.link_update.old_prog_fd = old;
	return sys_bpf(t->sys, BPF_LINK_UPDATE, &attr, ATTR_SIZE(link_update.old_prog_fd));
}

/* bpf_perf_link_lops has no update_prog. */
static void of_event(struct regress *t)
{
	struct regress_object o;
	struct happen h;
	int prog;

	known_ready();
	regress_load(t, &o, "context", "pe_see");
	prog = regress_prog(t, &o, "pe_see");
	happen_attach(t, &h, BY_LINK, "page-faults:u,period=1", &o, "pe_see");
	answers(t, "another program", update(t, h.e.a.link_fd, prog, 0, 0), "EINVAL");
	answers(t, "BPF_F_REPLACE", update(t, h.e.a.link_fd, prog, BPF_F_REPLACE, prog), "EINVAL");
	happen_touch(t, TIMES);
	regress_expect(t, io_get(t, &o).runs >= TIMES, "the program does not run any more");
	happen_close(&h);
	regress_unload(t, &o);
}

static int lookup_prog(struct regress *t)
{
	struct code code = { 0 };
	union bpf_attr attr;
	int fd;

	code_return(&code, 1);	/* SK_PASS */
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SK_LOOKUP;
	attr.expected_attach_type = BPF_SK_LOOKUP;
	attr.insns = attr_pointer(code.insns);
	attr.insn_cnt = code.nr;
	attr.license = attr_pointer("GPL");
	fd = sys_bpf(t->sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(expected_attach_type));
	regress_denied(t, "", regress_errno(fd < 0 ? fd : 0));
	return regress_ok(t, fd, NULL, "a program");
}

static uint32_t prog_of(struct regress *t, int link)
{
	struct bpf_link_info info = { 0 };
	uint32_t len = sizeof(info);

	regress_ok(t, kernel_fd_info(t->sys, link, &info, &len), NULL, "information on the link");
	return info.prog_id;
}

static uint32_t id_of(struct regress *t, int prog)
{
	struct bpf_prog_info info = { 0 };

	regress_ok(t, kernel_prog_info(t->sys, prog, &info), NULL, "information on the program");
	return info.id;
}

/* In a network namespace of its own, where the link holds the program that its last update gave it. */
static void of_netns(struct regress *t)
{
	int progs[3], netns, link;
	union bpf_attr attr;

	if (unshare(CLONE_NEWNET))
		regress_skip(t, "no network namespace: %s", strerror(errno));
	netns = regress_ok(t, sys_openat(t->sys, AT_FDCWD, "/proc/self/ns/net", O_RDONLY | O_CLOEXEC), NULL, "the namespace");
	for (int i = 0; i < 3; i++)
		progs[i] = lookup_prog(t);
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = progs[0];
	attr.link_create.target_fd = netns;
	attr.link_create.attach_type = BPF_SK_LOOKUP;
	link = regress_ok(t, sys_bpf(t->sys, BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.flags)), NULL, "a link");
	answers(t, "of another program", update(t, link, progs[2], BPF_F_REPLACE, progs[1]), "EPERM");
	answers(t, "of none", update(t, link, progs[2], BPF_F_REPLACE, -1), "EBADF");
	answers(t, "without the flag", update(t, link, progs[2], 0, progs[0]), "EINVAL");
	answers(t, "an unknown flag", update(t, link, progs[2], BPF_F_REPLACE << 1, progs[0]), "EINVAL");
	regress_expect(t, prog_of(t, link) == id_of(t, progs[0]), "a refused update has changed its program");
	answers(t, "of its program", update(t, link, progs[2], BPF_F_REPLACE, progs[0]), "0");
	regress_expect(t, prog_of(t, link) == id_of(t, progs[2]), "it has another program than the new one");
	answers(t, "of the one before", update(t, link, progs[1], BPF_F_REPLACE, progs[0]), "EPERM");
	sys_close(t->sys, link);
	for (int i = 0; i < 3; i++)
		sys_close(t->sys, progs[i]);
	sys_close(t->sys, netns);
}

/* --- BPF_TOKEN_CREATE --- */

static int token(struct regress *t, int bpffs, uint32_t flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.token_create.flags = flags;
	attr.token_create.bpffs_fd = bpffs;
	return sys_bpf(t->sys, BPF_TOKEN_CREATE, &attr, ATTR_SIZE(token_create.bpffs_fd));
}

/* 35f96de04127, 6.9: a token is for user namespaces other than the first. What one permits is tested by compare. */
static void no_token(struct regress *t)
{
	static const struct {
		const char *what;
		struct regress_since rows[2];
	} rows[] = {
		{ "not of the first namespace", { { LINUX(0, 0), "EINVAL" }, { LINUX(6, 9), "EOPNOTSUPP" } } },
		{ "an unknown flag", { { LINUX(0, 0), "EINVAL" }, { LINUX(6, 9), "EINVAL" } } },
		{ "no descriptor", { { LINUX(0, 0), "EINVAL" }, { LINUX(6, 9), "EBADF" } } },
		{ "no bpffs", { { LINUX(0, 0), "EINVAL" }, { LINUX(6, 9), "EINVAL" } } },
		{ "not its root", { { LINUX(0, 0), "EINVAL" }, { LINUX(6, 9), "EINVAL" } } },
	};
	struct own_dir bpffs;
	int fds[3], got[NR(rows)];

	own_dir_make(t, &bpffs, "bpf");
	fds[0] = sys_openat(t->sys, AT_FDCWD, bpffs.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fds[1] = sys_openat(t->sys, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fds[2] = sys_openat(t->sys, fds[0], "maps.debug", O_RDONLY | O_CLOEXEC);
	got[0] = token(t, fds[0], 0);
	got[1] = token(t, fds[0], 1);
	got[2] = token(t, -1, 0);
	got[3] = token(t, fds[1], 0);
	got[4] = fds[2] < 0 ? -EINVAL : token(t, fds[2], 0);
	for (int i = 0; i < 3; i++)
		sys_close_fd(t->sys, &fds[i]);
	own_dir_end(&bpffs);
	for (size_t i = 0; i < NR(rows); i++)
		regress_answer(t, rows[i].what, regress_errno(got[i]), rows[i].rows, 2);
}

static const struct regress_test tests[] = {
	{ "BPF_RAW_TRACEPOINT_OPEN: runs each time, and stops when it is closed", raw_tracepoint },
	{ "BPF_RAW_TRACEPOINT_OPEN: ENOENT, EBADF, EFAULT, EINVAL for another type", raw_refused },
	{ "BPF_LINK_UPDATE of an event's link: EINVAL, and the program goes on", of_event },
	{ "BPF_F_REPLACE replaces the program that the link has, and no other", of_netns },
	{ "BPF_TOKEN_CREATE: not in the first user namespace, and of a bpffs's root only", no_token },
	{ 0 }
};

const struct regress_group regress_group_commands = {
	"commands", "commands of bpf(2) for links and tokens, without a loader between", tests, NULL, __FILE__
};
