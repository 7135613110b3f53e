// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Denied calls: each cause in each room, and which of several causes is reported. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "loader/core/sys/refused.h"
#include "loader/explain/denied/privilege.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"

#define FIRST_USER_NS 4026531837u
#define ROOT "CapEff:\t000001ffffffffff\n"
#define NOBODY "CapEff:\t0000000000000000\n"
#define WITH_BPF "CapEff:\t0000008000000000\n"
#define FILTERED "Seccomp:\t2\n"

/* A process, and the answer of its kernel to a call with empty attributes. */
struct process {
	const char *status;
	int filter;		/* errno of a seccomp filter; 0: it lets the call through */
	bool nested;
	uint64_t memlock;
	const char *sysctl;	/* path and text; NULL: no such file */
	const char *level;
	const char *release, *lockdown, *lsm;
};

/* The kernel's own answer to a call that has no arguments to speak of. */
static long own_answer(long nr)
{
	return nr == __NR_perf_event_open ? -EINVAL : nr == __NR_bpf ? -EFAULT : -EBADF;
}

static long other(struct files *files, long nr, const unsigned long arg[6])
{
	const struct process *p = files->arg;

	switch (nr) {
	case __NR_fstat:
		((struct stat *)arg[1])->st_ino = FIRST_USER_NS - p->nested;
		return 0;
	case __NR_prlimit64:
		ck_assert_uint_eq(arg[1], RLIMIT_MEMLOCK);
		((uint64_t *)arg[3])[0] = ((uint64_t *)arg[3])[1] = p->memlock;
		return 0;
	case __NR_perf_event_open:
	case __NR_bpf:
	case __NR_ioctl:
		/* The calls are tried only in a process that has seccomp filters. */
		ck_assert_ptr_nonnull(strstr(p->status, FILTERED));
		return p->filter ? -p->filter : own_answer(nr);
	default:
		return -ENOSYS;
	}
}

static const struct sys_asked rooms[] = {
	[SYS_PERF_OPEN] = { SYS_PERF_OPEN, "perf_event_open", SYS_CAP(CAP_PERFMON), 0,
			    "perf_event_paranoid", 1, __NR_perf_event_open, 0 },
	[SYS_PROG_LOAD] = { SYS_PROG_LOAD, "BPF_PROG_LOAD", SYS_CAP(CAP_BPF) | SYS_CAP(CAP_PERFMON), 0,
			    "unprivileged_bpf_disabled", 0, __NR_bpf, BPF_PROG_LOAD },
	[SYS_MAP_CREATE] = { SYS_MAP_CREATE, "BPF_MAP_CREATE", SYS_CAP(CAP_BPF),
			     SYS_CAP(CAP_PERFMON) | SYS_CAP(CAP_NET_ADMIN),
			     "unprivileged_bpf_disabled", 0, __NR_bpf, BPF_MAP_CREATE },
	[SYS_ATTACH] = { SYS_ATTACH, "PERF_EVENT_IOC_SET_BPF", SYS_CAP(CAP_BPF), 0, NULL, 0,
			 __NR_ioctl, PERF_EVENT_IOC_SET_BPF },
	[SYS_PROBE] = { SYS_PROBE, "perf_event_open", SYS_CAP(CAP_PERFMON), 0, NULL, 0,
			__NR_perf_event_open, 0 },
	[SYS_SHOW] = { SYS_SHOW, "BPF_LINK_GET_NEXT_ID", SYS_CAP(CAP_SYS_ADMIN), 0, NULL, 0, __NR_bpf,
		       BPF_LINK_GET_NEXT_ID },
};

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define DISABLED "/proc/sys/kernel/unprivileged_bpf_disabled"

static const struct {
	const char *name;
	struct process process;
	int code;
	const char *reasons[SYS_NR_ROOMS];	/* NULL: as "denied", or not asked */
	const char *what, *hint;
} rows[] = {
	{ "seccomp", { .status = ROOT FILTERED, .filter = EPERM }, EPERM,
	  { "perf-open/seccomp", "prog-load/seccomp", "map-create/seccomp", "attach/seccomp",
	    "probe/seccomp", "show/seccomp" },
	  "a seccomp filter of this process", "SystemCallFilter" },
	{ "a filter that answers otherwise", { .status = ROOT FILTERED, .filter = EACCES }, EPERM,
	  { "perf-open/denied", "prog-load/denied", "map-create/denied", "attach/denied",
	    "probe/denied", "show/denied" }, "no cause found", "dmesg" },
	{ "a filter that lets it through", { .status = ROOT FILTERED }, EPERM,
	  { "perf-open/denied", "prog-load/denied", "map-create/denied", "attach/denied",
	    "probe/denied", "show/denied" }, "no cause found", "dmesg" },
	{ "a filter that hides the call", { .status = NOBODY FILTERED, .filter = ENOSYS }, ENOSYS,
	  { "perf-open/seccomp", "prog-load/seccomp", "map-create/seccomp", "attach/seccomp",
	    "probe/seccomp", "show/seccomp" }, "a seccomp filter", "docker" },
	{ "no such call", { .status = NOBODY }, ENOSYS,
	  { "perf-open/no-syscall", "prog-load/no-syscall", "map-create/no-syscall", NULL, NULL,
	    "show/no-syscall" }, "this kernel has no", "it was built without CONFIG_" },
	{ "another user namespace", { .status = ROOT, .nested = true }, EPERM,
	  { "perf-open/namespace", "prog-load/namespace", "map-create/namespace",
	    "attach/namespace", "probe/namespace", "show/namespace" },
	  "user namespace", "unshare --user" },
	{ "perf_event_paranoid", { .status = NOBODY, .sysctl = PARANOID, .level = "2\n" }, EACCES,
	  { "perf-open/paranoid", NULL, NULL, NULL },
	  "it requires CAP_PERFMON while kernel.perf_event_paranoid is 2",
	  "setcap cap_perfmon=ep pload; or sysctl kernel.perf_event_paranoid=1" },
	{ "perf_event_paranoid lets others",
	  { .status = NOBODY, .sysctl = PARANOID, .level = "-1\n" }, EACCES,
	  { "perf-open/denied", NULL, NULL, NULL }, "no cause found", "dmesg" },
	{ "unprivileged_bpf_disabled", { .status = NOBODY, .sysctl = DISABLED, .level = "2\n" },
	  EPERM, { NULL, "prog-load/unprivileged", "map-create/unprivileged", NULL },
	  "while kernel.unprivileged_bpf_disabled is 2", "kernel.unprivileged_bpf_disabled=0" },
	{ "no capability", { .status = NOBODY }, EPERM,
	  { "perf-open/no-capability", "prog-load/no-capability", "map-create/no-capability",
	    "attach/no-capability", "probe/no-capability", "show/no-capability" },
	  "it requires CAP_", "run as root" },
	{ "one of two capabilities", { .status = WITH_BPF }, EPERM,
	  { NULL, "prog-load/no-capability", NULL, NULL },
	  "it requires CAP_BPF and CAP_PERFMON, and this process lacks CAP_PERFMON",
	  "cap_bpf,cap_perfmon=ep" },
	{ "what the calls after it take is in the hint", { .status = NOBODY }, EPERM,
	  { NULL, NULL, "map-create/no-capability", NULL }, "it requires CAP_BPF",
	  "setcap cap_bpf,cap_perfmon,cap_net_admin=ep" },
	{ "what the process has is in the hint", { .status = WITH_BPF }, EACCES,
	  { "perf-open/no-capability", NULL }, "it requires CAP_PERFMON",
	  "setcap cap_bpf,cap_perfmon=ep" },
	{ "a level that is no number", { .status = NOBODY, .sysctl = PARANOID, .level = "high\n" },
	  EPERM, { "perf-open/no-capability", NULL, NULL, NULL }, "it requires CAP_PERFMON", "root" },
	{ "RLIMIT_MEMLOCK",
	  { .status = ROOT, .memlock = 65536, .release = "5.10.0-32-cloud-amd64\n" }, EPERM,
	  { NULL, "prog-load/memlock", "map-create/memlock", NULL }, "65536 bytes", "ulimit -l" },
	{ "RLIMIT_MEMLOCK of a kernel that does not care",
	  { .status = ROOT, .memlock = 65536, .release = "5.11.0\n" }, EPERM,
	  { NULL, "prog-load/denied", "map-create/denied", NULL }, "no cause found", "dmesg" },
	{ "RLIMIT_MEMLOCK without end",
	  { .status = ROOT, .memlock = RLIM_INFINITY, .release = "5.10.0\n" }, EPERM,
	  { NULL, "prog-load/denied", "map-create/denied", NULL }, "no cause found", "dmesg" },
	{ "lockdown", { .status = ROOT, .lockdown = "none integrity [confidentiality]\n" }, EPERM,
	  { "perf-open/lockdown", "prog-load/lockdown", "map-create/lockdown", "attach/lockdown",
	    "probe/lockdown", NULL }, "locked down", "lockdown=confidentiality" },
	{ "lockdown, the lesser",
	  { .status = ROOT, .lockdown = "none [integrity] confidentiality\n" }, EPERM,
	  { "perf-open/denied", "prog-load/denied", "map-create/denied", "attach/denied",
	    "probe/denied", "show/denied" }, "no cause found", "dmesg" },
	{ "a security module", { .status = ROOT, .lsm = "lockdown,capability,selinux\n" }, EACCES,
	  { "perf-open/lsm", "prog-load/lsm", "map-create/lsm", "attach/lsm",
	    "probe/lsm", "show/lsm" }, "a security module", "lockdown,capability,selinux" },
	{ "modules that do not look", { .status = ROOT, .lsm = "lockdown,capability,yama\n" },
	  EACCES,
	  { "perf-open/denied", "prog-load/denied", "map-create/denied", "attach/denied",
	    "probe/denied", "show/denied" }, "no cause found", "securityfs" },
	{ "what root may not either", { .status = ROOT }, EPERM,
	  { "perf-open/denied", "prog-load/denied", "map-create/denied", "attach/denied",
	    "probe/denied", "show/denied" }, "no cause found", "lockdown" },
};

static void deny(int row, enum sys_room room)
{
	const struct process *p = &rows[row].process;
	const struct fake_file table[] = {
		{ "/proc/self/ns/user", "", 0 },
		{ "/proc/self/status", p->status, 0 },
		{ "/proc/sys/kernel/osrelease", p->release ? p->release : "",
		  p->release ? 0 : ENOENT },
		{ p->sysctl ? p->sysctl : "/none", p->level, p->sysctl ? 0 : ENOENT },
		{ "/sys/kernel/security/lockdown", p->lockdown, p->lockdown ? 0 : ENOENT },
		{ "/sys/kernel/security/lsm", p->lsm, p->lsm ? 0 : ENOENT },
		{ 0 }
	};
	const char *wanted = rows[row].reasons[room];
	struct error err = { 0 };
	struct files files;

	files_init(&files, table);
	files.other = other;
	files.arg = (void *)p;
	ck_assert_int_eq(sys_denied(&files.sys, &rooms[room], rows[row].code, &err),
			 -rows[row].code);
	ck_assert_int_eq(err.code, -rows[row].code);
	ck_assert_msg(!strcmp(err.reason, wanted), "%s: %s, expected %s", rows[row].name, err.reason,
		      wanted);
	ck_assert(sys_is_denial(err.reason));
	ck_assert_msg(!strncmp(err.what, rooms[room].call, strlen(rooms[room].call)), "%s",
		      err.what);
	ck_assert_msg(strstr(err.what, rows[row].what), "%s: '%s' has no '%s'", rows[row].name,
		      err.what, rows[row].what);
	ck_assert_msg(strstr(err.hint, rows[row].hint), "%s: '%s' has no '%s'", rows[row].name,
		      err.hint, rows[row].hint);
	ck_assert_uint_eq(files.open, 0);
}

TEST_ROWS(says_why, rows)
{
	for (int room = 0; room < SYS_NR_ROOMS; room++)
		if (rows[_i].reasons[room])
			deny(_i, room);
}

TEST(costs_nothing_when_nobody_asks)
{
	struct files files;

	files_init(&files, NULL);
	ck_assert_int_eq(sys_denied(&files.sys, &rooms[0], EPERM, NULL), -EPERM);
	ck_assert_uint_eq(files.calls, 0);
	ck_assert(!sys_is_denial(NULL));
	ck_assert(!sys_is_denial("perf-open/no-pmu"));
}
