// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bpf_override_return(): a kprobe's program replaces the return value of a function that allows it.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test/regress/common/happen.h"
#include "test/regress/common/lacks.h"
#include "test/regress/common/probed.h"

/* A kernel without CONFIG_BPF_KPROBE_OVERRIDE does not know the helper. */
static void load(struct regress *t, struct regress_object *o)
{
	struct context_io io = { .size = (uint64_t)-EXDEV };
	struct error err = { 0 };

	io_ours(t, &io);
	lacks_ok(t, regress_try_load(t, o, "context", "kp_override", &err), &err, "load");
	io_put(t, o, &io);
}

static void answers(struct regress *t)
{
	struct regress_object o;
	struct happen h;
	long got;
	int code;

	load(t, &o);
	happen_attach(t, &h, BY_LINK, "kprobe:" PROBED_GETPPID, &o, "kp_override");
	errno = 0;
	got = syscall(SYS_getppid);
	code = errno;
	regress_expect(t, got == -1 && code == EXDEV, "getppid() returned %ld, %s", got,
		       strerror(code));
	happen_close(&h);
	got = syscall(SYS_getppid);
	regress_expect(t, got >= 0, "once it is detached, getppid() returned %ld", got);
	regress_unload(t, &o);
}

/* The kernel calls this one only in a test run, and has not marked it for error injection. */
static void refused(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL" } };
	struct regress_object o;
	struct happen h;
	int ret;

	load(t, &o);
	happen_open(t, &h, BY_LINK, NULL, "kprobe:bpf_fentry_test1");
	ret = compare_bind(&h.s, h.cell, &h.e, regress_prog(t, &o, "kp_override"), NULL);
	regress_answer(t, "", regress_errno(ret < 0 ? ret : 0), rows, NR(rows));
	happen_close(&h);
	regress_unload(t, &o);
}

static const struct regress_test tests[] = {
	{ "a system call returns what the program gives, until it is detached", answers, NULL, 0 },
	{ "a function without error injection takes no such program", refused, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_override = {
	"override", "bpf_override_return(): functions that a program answers for", tests,
	NULL, __FILE__
};
