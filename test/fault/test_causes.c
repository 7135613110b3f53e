// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A cause is printed only when it was checked: each call that an explainer is for fails with each
 * errno, for a reason that no explainer knows, always or once. The fake kernel otherwise works, so
 * that the condition of nearly each cause is false.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sys/names.h"
#include "loader/sys/refused.h"
#include "test/fault/fake_session.h"
#include "test/unit/common/suite.h"

/* The last errno of include/uapi/asm-generic/errno.h, and ENOTSUPP. */
#define ERRNO_LAST EHWPOISON
#define NR_ERRNOS (ERRNO_LAST + 1)

/* Before the fake kernel: the calls of one kind are refused. */
struct refuser {
	struct sys sys;	/* first: the seam hands it back */
	struct sys *kernel;
	long nr;
	unsigned long request;	/* of ioctl, or the command of bpf; 0: any */
	int code;	/* positive errno */
	bool once;
	unsigned int refused;
};

static long refuse(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct refuser *r = (struct refuser *)sys;
	const unsigned long request = nr == __NR_bpf ? arg[0] : arg[1];

	if (nr == r->nr && (!r->request || request == r->request) && !(r->once && r->refused)) {
		r->refused++;
		return -r->code;
	}
	return r->kernel->enter(r->kernel, nr, arg);
}

static const struct explainer {
	const char *object, *args;
	long nr;
	unsigned long request;
	const char *unknown;	/* the reason if nothing applies */
} explainers[] = {
	{ "ip_count", "-e cpu-clock -d 0 prog.o", __NR_perf_event_open, 0, "perf-open/failed" },
	{ "ip_count", "-e cpu-clock:u -F 99 -p 40 -d 0 prog.o", __NR_perf_event_open, 0,
	  "perf-open/failed" },
	{ "ip_count", "-e cpu-clock -G a -d 0 prog.o", __NR_perf_event_open, 0,
	  "perf-open/failed" },
	{ "ip_count", "-e cycles -d 0 prog.o", __NR_perf_event_open, 0, "perf-open/failed" },
	{ "ip_count", "-e mem:0x1000/4:w -d 0 prog.o", __NR_perf_event_open, 0,
	  "perf-open/failed" },
	{ "ip_count", "-e cpu-clock -d 0 prog.o", __NR_ioctl, PERF_EVENT_IOC_SET_BPF,
	  "attach/failed" },
	{ "ip_count", "--attach=link -e cpu-clock -d 0 prog.o", __NR_bpf, BPF_LINK_CREATE,
	  "attach/failed" },
	{ "kprobe", "--attach=link -e kprobe:vfs_read -d 0 prog.o", __NR_bpf, BPF_LINK_CREATE,
	  "attach/failed" },
	{ "ip_count", "-e cpu-clock -d 0 prog.o", __NR_bpf, BPF_MAP_CREATE, "map-create/failed" },
	{ "event_output", "-d 0 prog.o", __NR_bpf, BPF_MAP_CREATE, "map-create/failed" },
	{ "ip_count", "-e cpu-clock -d 0 prog.o", __NR_bpf, BPF_PROG_LOAD, "prog-load/refused" },
	{ "xdp_output", "--attach=link --dev=lo -d 0 prog.o", __NR_bpf, BPF_LINK_CREATE,
	  "attach/failed" },
	{ "sock_bytes", "--attach=link --cgroup=/sys/fs/cgroup -d 0 prog.o", __NR_bpf,
	  BPF_LINK_CREATE, "attach/failed" },
};

/*
 * Causes whose condition is true if a call is always refused with the errno: it has one meaning,
 * which the message attributes to the kernel, or no program and no map of any kind is taken.
 */
static const struct {
	int code;
	const char *reason;
} true_of_all[] = {
	{ EMFILE, "/fd-limit" }, { ENFILE, "/fd-limit" }, { ENOMEM, "/no-memory" },
	{ EAGAIN, "prog-load/interrupted" }, { EINTR, "prog-load/interrupted" },
	{ EOPNOTSUPP, "attach/unsupported" }, { KERNEL_ENOTSUPP, "attach/unsupported" },
};

static bool is_true_of_all(const struct error *err)
{
	for (int i = 0; i < NR(true_of_all); i++)
		if (err->code == -true_of_all[i].code && strstr(err->reason, true_of_all[i].reason))
			return true;
	return false;
}

/* A cause that nothing but the errno shows is stated as a possibility, or as what was reported. */
static bool is_stated_as_such(const struct error *err)
{
	return strstr(err->what, " may ") || strstr(err->what, "the kernel reports");
}

static struct fake_session s;
static struct refuser refuser;

static void run(const struct explainer *x, int code, bool once)
{
	static const char *const stats[] = { "/proc/40/stat", "/proc/41/stat", "/proc/42/stat" };

	fake_session_object(&s, x->object);
	s.paths[1] = (struct fake_path){ .path = "/proc/net/dev", .data = "a\n    lo: 0 0\n" };
	s.paths[2] = (struct fake_path){ .path = "/proc/sys/kernel/osrelease",
					 .data = "6.18.0\n" };
	for (unsigned int i = 0; i < 3; i++)
		s.paths[3 + i] = (struct fake_path){
			.path = stats[i], .data = "40 (x) S 1 40 40 0 -1 4194304 0\n" };
	fake_session_begin(&s);
	refuser = (struct refuser){ .sys.enter = refuse, .kernel = s.sys, .nr = x->nr,
				    .request = x->request, .code = code, .once = once };
	s.sys = &refuser.sys;
	fake_session_run(&s, x->args);
}

/* @errno_index: an errno from 1 on, or 0 for ENOTSUPP. */
static int errno_of(int errno_index)
{
	return errno_index ? errno_index : KERNEL_ENOTSUPP;
}

static void check_unknown(const struct explainer *x, int code)
{
	const char *name = sys_errno_name(code);
	char text[64];

	snprintf(text, sizeof(text), "unknown: %s, nothing of what is known applies",
		 name ? name : "errno");
	ck_assert_msg(!strcmp(s.err.reason, x->unknown) &&
		      (!name || strstr(s.err.what, text)) && s.err.hint[0],
		      "%s, %s: cause was not checked: %s [%s] (%s)", x->args, error_strerror(code),
		      s.err.what, s.err.reason, s.err.hint);
}

TEST_EACH(refused_always, NR(explainers) * NR_ERRNOS)
{
	const struct explainer *x = &explainers[_i / NR_ERRNOS];
	const int code = errno_of(_i % NR_ERRNOS);

	run(x, code, false);
	ck_assert_msg(refuser.refused, "%s: the call is not made", x->args);
	ck_assert_msg(s.ret < 0 && s.err.reason, "%s, %s: %d %s", x->args, error_strerror(code),
		      s.ret, s.err.what);
	if (!sys_is_denial(s.err.reason) && !is_true_of_all(&s.err) && !is_stated_as_such(&s.err))
		check_unknown(x, code);
	fake_session_end(&s);
}

TEST_EACH(refused_once, NR(explainers) * NR_ERRNOS)
{
	const struct explainer *x = &explainers[_i / NR_ERRNOS];
	const int code = errno_of(_i % NR_ERRNOS);

	run(x, code, true);
	ck_assert_uint_eq(refuser.refused, 1);
	/* There are no hardware events, so that the second call fails as well. */
	if (s.ret == -ENOENT && !strcmp(s.err.reason, "perf-open/no-pmu"))
		ck_assert_ptr_nonnull(strstr(x->args, "-e cycles"));
	else if (s.ret < 0 && !sys_is_denial(s.err.reason) && !is_true_of_all(&s.err) &&
		 !is_stated_as_such(&s.err))
		check_unknown(x, code);
	fake_session_end(&s);
}
