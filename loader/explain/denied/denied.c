// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find out why a request is not permitted: test the causes in the order in which the kernel checks
 * them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "loader/base/calls/machine.h"
#include "loader/core/sys/refused.h"
#include "loader/explain/denied/privilege.h"

struct denial {
	struct sys *sys;
	const struct sys_asked *asked;
	int code;		/* positive errno */
	struct sys_privilege has;
	int64_t level;		/* value of asked->sysctl */
	bool has_level;
	char lockdown[64];	/* "none [integrity] confidentiality" */
	char lsm[200];		/* "lockdown,capability,selinux" */
};

bool sys_sysctl(struct sys *sys, const char *name, int64_t *value)
{
	char path[96], text[32], *end;
	int ret;

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	ret = sys_read_text(sys, AT_FDCWD, path, text, sizeof(text));
	if (ret <= 0)
		return false;
	errno = 0;
	*value = strtoll(text, &end, 10);
	return !errno && end != text && !*end;
}

/* --- names of capabilities --- */

static const struct {
	int cap;
	const char *name;
} cap_names[] = {
	{ CAP_BPF, "BPF" },
	{ CAP_PERFMON, "PERFMON" },
	{ CAP_NET_ADMIN, "NET_ADMIN" },
	{ CAP_SYS_RESOURCE, "SYS_RESOURCE" },
	{ CAP_SYS_ADMIN, "SYS_ADMIN" },
};

/* "CAP_BPF and CAP_PERFMON", or "cap_bpf,cap_perfmon" for setcap(8). */
static const char *caps_text(uint64_t caps, bool setcap, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(cap_names) / sizeof(cap_names[0]) && len < size; i++) {
		if (!(caps & SYS_CAP(cap_names[i].cap)))
			continue;
		len += snprintf(buf + len, size - len, "%s%s%s", !len ? "" : setcap ? "," : " and ",
				setcap ? "cap_" : "CAP_", cap_names[i].name);
	}
	for (char *c = buf; setcap && *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c += 'a' - 'A';
	return buf;
}

uint64_t sys_prog_caps(uint32_t prog_type)
{
	switch (prog_type) {
	case BPF_PROG_TYPE_KPROBE:
	case BPF_PROG_TYPE_TRACEPOINT:
	case BPF_PROG_TYPE_PERF_EVENT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE:
	case BPF_PROG_TYPE_TRACING:
	case BPF_PROG_TYPE_LSM:
	case BPF_PROG_TYPE_STRUCT_OPS:
	case BPF_PROG_TYPE_EXT:
		return SYS_CAP(CAP_BPF) | SYS_CAP(CAP_PERFMON);
	case BPF_PROG_TYPE_SOCKET_FILTER:
	case BPF_PROG_TYPE_SYSCALL:
		return SYS_CAP(CAP_BPF);
	default:
		return SYS_CAP(CAP_BPF) | SYS_CAP(CAP_NET_ADMIN);
	}
}

/*
 * The capabilities for the hint. setcap(8) replaces the existing ones, so include those that the
 * process already has and those that later calls need.
 */
static const char *wanted_text(const struct denial *d, char *buf, size_t size)
{
	return caps_text(d->asked->caps | d->asked->session_caps | d->has.effective, true, buf,
			 size);
}

static uint64_t missing(const struct denial *d)
{
	if (d->has.effective & SYS_CAP(CAP_SYS_ADMIN))
		return 0;
	return d->asked->caps & ~d->has.effective;
}

/* --- the causes, each with a test and a message --- */

/* If the sysctl permits the call for everybody, no capability is missing. */
static bool takes_capability(const struct denial *d)
{
	if (d->code == ENOSYS)
		return false;
	return !d->asked->sysctl || !d->has_level || d->level > d->asked->at_most;
}

/*
 * A seccomp filter sees the arguments but not the memory they point to. Repeat the call with
 * invalid arguments, which the kernel rejects before it checks permissions: a filter returns the
 * same error again, the kernel a different one. Before Linux 6.0, unprivileged bpf(2) fails with
 * EPERM in either case.
 */
static bool is_filtered(struct denial *d)
{
	const struct sys_asked *asked = d->asked;
	int ret = 0;

	if (d->has.seccomp != 2)
		return false;
	switch (asked->nr) {
	case __NR_perf_event_open:
		ret = sys_perf_event_open(d->sys, NULL, -1, -1, -1, ~0UL);
		return ret == -d->code && ret != -EINVAL;
	case __NR_bpf:
		ret = sys_bpf(d->sys, asked->request, NULL, sizeof(uint64_t));
		return ret == -d->code && (ret != -EPERM || !missing(d));
	case __NR_ioctl:
		return sys_ioctl(d->sys, -1, asked->request, 0) == -d->code;
	default:
		return false;
	}
}

static void report_filtered(const struct denial *d, struct error *err)
{
	error_set(err, d->code, "%s: %s: a seccomp filter of this process forbids the call",
		  d->asked->call, error_strerror(d->code));
	error_hint(err, "containers use such filters: see docker run --security-opt seccomp=FILE, "
			"and SystemCallFilter= of systemd");
}

static bool is_nested(struct denial *d)
{
	return d->has.nested && takes_capability(d);
}

static void report_nested(const struct denial *d, struct error *err)
{
	char caps[96];

	error_set(err, d->code, "%s: %s: it requires %s in the initial user namespace, but this "
				"process is in another one",
		  d->asked->call, error_strerror(d->code),
		  caps_text(d->asked->caps, false, caps, sizeof(caps)));
	error_hint(err, "root in a container (or unshare --user) is not root on the machine: run "
			"it outside");
}

static bool is_sysctl(struct denial *d)
{
	return d->asked->sysctl && d->has_level && takes_capability(d) && missing(d);
}

static void report_sysctl(const struct denial *d, struct error *err)
{
	char caps[96];

	error_set(err, d->code, "%s: %s: it requires %s while kernel.%s is %lld", d->asked->call,
		  error_strerror(d->code), caps_text(missing(d), false, caps, sizeof(caps)),
		  d->asked->sysctl, (long long)d->level);
	error_hint(err, "run as root, or grant pload the capabilities: setcap %s=ep pload; or "
			"sysctl kernel.%s=%lld",
		   wanted_text(d, caps, sizeof(caps)), d->asked->sysctl,
		   (long long)d->asked->at_most);
}

static bool is_incapable(struct denial *d)
{
	return takes_capability(d) && missing(d);
}

static void report_incapable(const struct denial *d, struct error *err)
{
	const uint64_t all = d->asked->caps, lacks = missing(d);
	char caps[96], lacking[96];

	caps_text(all, false, caps, sizeof(caps));
	caps_text(lacks, false, lacking, sizeof(lacking));
	error_set(err, d->code, "%s: %s: it requires %s%s%s", d->asked->call,
		  error_strerror(d->code), caps,
		  lacks == all ? "" : ", and this process lacks ", lacks == all ? "" : lacking);
	error_hint(err, "run as root, or grant pload the capabilities: setcap %s=ep pload; "
			"--dry-run needs none",
		   wanted_text(d, caps, sizeof(caps)));
}

/* Before Linux 5.11, maps and programs count against RLIMIT_MEMLOCK. */
static bool is_memlock(struct denial *d)
{
	uint64_t limit[2];

	return d->code == EPERM && sys_is_before(d->sys, 5, 11) &&
	       sys_prlimit(d->sys, RLIMIT_MEMLOCK, NULL, limit) >= 0 && limit[0] != RLIM_INFINITY;
}

static void report_memlock(const struct denial *d, struct error *err)
{
	uint64_t limit[2] = { 0, 0 };

	sys_prlimit(d->sys, RLIMIT_MEMLOCK, NULL, limit);
	error_set(err, d->code, "%s: %s: it exceeds RLIMIT_MEMLOCK (%llu bytes), which limits "
				"maps and programs on this kernel",
		  d->asked->call, error_strerror(d->code), (unsigned long long)limit[0]);
	error_hint(err, "raise it with ulimit -l unlimited; with CAP_SYS_RESOURCE, pload raises "
			"it itself");
}

/* LOCKDOWN_PERF, LOCKDOWN_KPROBES and LOCKDOWN_BPF_READ_KERNEL all belong to the stricter mode. */
static bool is_locked_down(struct denial *d)
{
	sys_read_text(d->sys, AT_FDCWD, "/sys/kernel/security/lockdown", d->lockdown,
		      sizeof(d->lockdown));
	return d->code != ENOSYS && strstr(d->lockdown, "[confidentiality]");
}

static void report_locked_down(const struct denial *d, struct error *err)
{
	error_set(err, d->code, "%s: %s: the kernel is locked down (%s)", d->asked->call,
		  error_strerror(d->code), d->lockdown);
	error_hint(err, "no capability helps: boot without lockdown=confidentiality");
}

/* Security modules with hooks for these calls or for capability checks. */
static bool is_lsm(struct denial *d)
{
	static const char *const modules[] = { "selinux", "apparmor", "bpf", "smack", "tomoyo" };

	sys_read_text(d->sys, AT_FDCWD, "/sys/kernel/security/lsm", d->lsm, sizeof(d->lsm));
	for (size_t i = 0; d->code != ENOSYS && i < sizeof(modules) / sizeof(modules[0]); i++)
		if (strstr(d->lsm, modules[i]))
			return true;
	return false;
}

static void report_lsm(const struct denial *d, struct error *err)
{
	error_set(err, d->code, "%s: %s: no capability is missing: a security module may forbid it",
		  d->asked->call, error_strerror(d->code));
	error_hint(err, "active modules: %s; see dmesg and the audit log (ausearch -m avc) for "
			"denials",
		   d->lsm);
}

/* A kernel that has the call also has its sysctl. */
static bool is_no_syscall(struct denial *d)
{
	int64_t value;

	return d->code == ENOSYS &&
	       !sys_sysctl(d->sys, d->asked->nr == __NR_perf_event_open ?
			   "perf_event_paranoid" : "unprivileged_bpf_disabled", &value);
}

static void report_no_syscall(const struct denial *d, struct error *err)
{
	const bool perf = d->asked->nr == __NR_perf_event_open;

	error_set(err, d->code, "%s: %s: this kernel has no %s", d->asked->call,
		  error_strerror(d->code), perf ? "perf events" : "bpf(2)");
	error_hint(err, "it was built without %s, or it is an emulated kernel (gVisor, WSL 1)",
		   perf ? "CONFIG_PERF_EVENTS" : "CONFIG_BPF_SYSCALL");
}

static bool is_any(struct denial *d)
{
	(void)d;
	return true;
}

static void report_any(const struct denial *d, struct error *err)
{
	error_set(err, d->code, "%s: %s: no cause found",
		  d->asked->call, error_strerror(d->code));
	error_hint(err, "ruled out: a seccomp filter, a user namespace, capabilities, and (if "
			"securityfs is mounted) LSMs and lockdown; the kernel log may have the "
			"reason: dmesg");
}

#define SESSION_REASONS(word) \
	[SYS_PERF_OPEN] = "perf-open/" word, [SYS_PROG_LOAD] = "prog-load/" word, \
	[SYS_MAP_CREATE] = "map-create/" word, [SYS_ATTACH] = "attach/" word, \
	[SYS_PROBE] = "probe/" word
#define REASONS(word) { SESSION_REASONS(word), [SYS_SHOW] = "show/" word }

static const struct {
	bool (*is)(struct denial *d);
	void (*say)(const struct denial *d, struct error *err);
	const char *reasons[SYS_NR_ROOMS];	/* NULL: cannot cause such failures */
} causes[] = {
	{ is_filtered, report_filtered, REASONS("seccomp") },
	{ is_nested, report_nested, REASONS("namespace") },
	{ is_sysctl, report_sysctl,
	  { "perf-open/paranoid", "prog-load/unprivileged", "map-create/unprivileged", NULL } },
	{ is_incapable, report_incapable, REASONS("no-capability") },
	{ is_memlock, report_memlock, { NULL, "prog-load/memlock", "map-create/memlock", NULL } },
	{ is_locked_down, report_locked_down, { SESSION_REASONS("lockdown") } },
	{ is_lsm, report_lsm, REASONS("lsm") },
	{ is_no_syscall, report_no_syscall,
	  { "perf-open/no-syscall", "prog-load/no-syscall", "map-create/no-syscall",
	    [SYS_SHOW] = "show/no-syscall" } },
	{ is_any, report_any, REASONS("denied") },
};

#define NR_CAUSES (sizeof(causes) / sizeof(causes[0]))

int sys_denied(struct sys *sys, const struct sys_asked *asked, int code, struct error *err)
{
	struct denial d = { .sys = sys, .asked = asked, .code = code };

	if (!err)
		return -code;
	sys_privilege_read(sys, &d.has);
	d.has_level = asked->sysctl && sys_sysctl(sys, asked->sysctl, &d.level);
	for (size_t i = 0; i < NR_CAUSES; i++) {
		if (!causes[i].reasons[asked->room] || !causes[i].is(&d))
			continue;
		causes[i].say(&d, err);
		error_reason(err, causes[i].reasons[asked->room]);
		break;
	}
	return -code;
}

bool sys_is_denial(const char *reason)
{
	for (size_t i = 0; reason && i < NR_CAUSES; i++)
		for (int room = 0; room < SYS_NR_ROOMS; room++)
			if (causes[i].reasons[room] && !strcmp(causes[i].reasons[room], reason))
				return true;
	return false;
}
