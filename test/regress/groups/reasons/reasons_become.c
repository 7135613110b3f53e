// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ways to lose privileges and resources: as nobody, as root of a user namespace, by a seccomp
 * filter, without a capability, and at a limit.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "loader/base/calls/machine.h"
#include "loader/core/sys/refused.h"
#include "loader/explain/denied/privilege.h"
#include "test/regress/groups/reasons/reasons.h"

#define NOBODY 65534

bool attempt_skip(struct attempt *t, const char *why)
{
	snprintf(t->skip, sizeof(t->skip), "%s", why);
	return false;
}

static bool keep_caps(struct attempt *t, uint64_t caps)
{
	struct {
		uint32_t version;
		int pid;
	} head = { 0x20080522, 0 };	/* _LINUX_CAPABILITY_VERSION_3 */
	uint32_t data[6] = { caps, caps, 0, caps >> 32, caps >> 32, 0 };

	return syscall(SYS_capset, &head, data) == 0 || attempt_skip(t, "capset() is refused");
}

bool become_nobody(struct attempt *t)
{
	if (geteuid() || setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
		return attempt_skip(t, "it takes root to become nobody");
	prctl(PR_SET_DUMPABLE, 1);	/* as after an exec: /proc/self is its own */
	return true;
}

bool become_namespaced(struct attempt *t)
{
	return unshare(CLONE_NEWUSER) == 0 || attempt_skip(t, "cannot create a user namespace here");
}

static bool filter(struct attempt *t, int nr, long request)
{
	/* nr is the first word of struct seccomp_data; of the second argument the lower half. */
	const uint32_t at = 16 + 8 * (nr == SYS_ioctl) +
			    4 * (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	struct sock_filter code[] = {
		{ BPF_LD | BPF_W | BPF_ABS, 0, 0, 0 },
		{ BPF_JMP | BPF_JEQ | BPF_K, 0, 3, nr },
		{ BPF_LD | BPF_W | BPF_ABS, 0, 0, at },
		{ BPF_JMP | (request < 0 ? BPF_JGE : BPF_JEQ) | BPF_K, 0, 1,
		  request < 0 ? 0 : request },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM },
		{ BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW },
	};
	const struct sock_fprog prog = { NR(code), code };

	return (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
		!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0)) ||
	       attempt_skip(t, "this kernel has no seccomp filters");
}

bool filter_bpf(struct attempt *t)
{
	return filter(t, SYS_bpf, -1);
}

bool filter_prog_load(struct attempt *t)
{
	return filter(t, SYS_bpf, BPF_PROG_LOAD);
}

bool filter_iter_create(struct attempt *t)
{
	return filter(t, SYS_bpf, BPF_ITER_CREATE);
}

bool filter_perf(struct attempt *t)
{
	return filter(t, SYS_perf_event_open, -1);
}

bool filter_ioctl(struct attempt *t)
{
	return filter(t, SYS_ioctl, PERF_EVENT_IOC_SET_BPF);
}

bool lack_perfmon(struct attempt *t)
{
	struct sys_privilege has;

	sys_privilege_read(t->sys, &has);
	if (!(has.effective & SYS_CAP(CAP_BPF)))
		return attempt_skip(t, "this process has no CAP_BPF");
	return keep_caps(t, SYS_CAP(CAP_BPF));
}

/* This gives up CAP_SYS_RESOURCE, as the loader raises the limit if it may. */
bool lack_descriptors(struct attempt *t)
{
	const int next = dup(0);
	const struct rlimit limit = { next, next };
	struct sys_privilege has;

	close(next);
	sys_privilege_read(t->sys, &has);
	return keep_caps(t, has.effective & ~SYS_CAP(CAP_SYS_RESOURCE)) &&
	       (!setrlimit(RLIMIT_NOFILE, &limit) || attempt_skip(t, "the limit cannot be set"));
}

bool lack_memlock(struct attempt *t)
{
	const struct rlimit limit = { 0, 0 };

	if (!sys_is_before(t->sys, 5, 11))
		return attempt_skip(t, "this kernel charges nothing to RLIMIT_MEMLOCK");
	return keep_caps(t, SYS_CAP(CAP_SYS_ADMIN)) &&
	       (!setrlimit(RLIMIT_MEMLOCK, &limit) || attempt_skip(t, "the limit cannot be set"));
}

bool become_self(struct attempt *t)
{
	(void)t;
	return true;
}

bool become_watcher(struct attempt *t)
{
	int64_t level;

	if (!sys_sysctl(t->sys, "perf_event_paranoid", &level) || level < 1)
		return attempt_skip(t, "kernel.perf_event_paranoid lets anybody");
	return become_nobody(t);
}

bool become_unprivileged(struct attempt *t)
{
	int64_t level;

	if (!sys_sysctl(t->sys, "unprivileged_bpf_disabled", &level) || level < 1)
		return attempt_skip(t, "kernel.unprivileged_bpf_disabled lets anybody");
	return become_nobody(t);
}
