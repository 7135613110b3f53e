// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * perf_event_open(2), and why it failed: nothing is asked before, and each cause is checked after.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "loader/event/scope.h"
#include "loader/sys/privilege.h"

/* One call that failed, for those who explain it. */
struct failure {
	struct sys *sys;
	const struct event_spec *spec;
	const struct perf_event_attr *attr;
	pid_t tid;
	int cpu;
	int code;	/* positive errno */
};

static int fail(const struct failure *f, struct error *err, const char *reason, const char *what)
{
	error_set(err, f->code, "perf_event_open: %s: %s", error_strerror(f->code), what);
	error_reason(err, reason);
	return -f->code;
}

static bool read_number(struct sys *sys, const char *path, int64_t *value)
{
	char text[32];
	int ret = sys_read_text(sys, AT_FDCWD, path, text, sizeof(text));
	bool negative = ret > 0 && text[0] == '-';
	uint64_t number;

	if (ret <= 0 || event_number(text + negative, ret - negative, &number) ||
	    number > INT64_MAX)
		return false;
	*value = negative ? -(int64_t)number : (int64_t)number;
	return true;
}

static int explain_permission(const struct failure *f, struct error *err)
{
	int64_t paranoid;
	char what[128];

	if (sys_capable(f->sys, CAP_PERFMON) || sys_capable(f->sys, CAP_SYS_ADMIN)) {
		fail(f, err, "perf-open/refused",
		     "the capability is there, so that something else forbids it");
		return error_hint(
			err, "a security module, a container's seccomp filter, kernel lockdown%s",
			f->tid > 0 ? ", or the task may not be traced by this one" : "");
	}
	snprintf(what, sizeof(what), "it takes CAP_PERFMON");
	if (read_number(f->sys, "/proc/sys/kernel/perf_event_paranoid", &paranoid))
		snprintf(what, sizeof(what),
			 "it takes CAP_PERFMON where kernel.perf_event_paranoid is %lld",
			 (long long)paranoid);
	fail(f, err, "perf-open/no-capability", what);
	return error_hint(
		err,
		"run as root, or give pload the capabilities: setcap cap_perfmon,cap_bpf=ep pload");
}

/* Whether the same event opens when it only counts: then it is sampling that its PMU cannot do. */
static bool opens_counting(const struct failure *f)
{
	struct perf_event_attr attr = *f->attr;
	int fd;

	if (!attr.sample_period)
		return false;
	attr.sample_period = 0;
	attr.freq = 0;
	attr.sample_type = 0;
	fd = sys_perf_event_open(f->sys, &attr, f->tid, f->cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		sys_close(f->sys, fd);
	return fd >= 0;
}

static int explain_sampling(const struct failure *f, struct error *err)
{
	fail(f, err, "perf-open/no-sampling",
	     "its PMU counts and cannot sample, so that a program would never run");
	return error_hint(err, "a program can read it instead: bpf_perf_event_read_value()");
}

static int is_core_pmu(struct sys *sys, void *arg, const char *pmu)
{
	uint32_t type;

	(void)arg;
	/* The PMU of a processor's cores is the one registered as RAW, or lists the cycles. */
	return (pmu_type(sys, pmu, &type, NULL) == 0 && type == PERF_TYPE_RAW) ||
	       pmu_has_event(sys, pmu, "cpu-cycles");
}

static bool is_hardware(const struct failure *f)
{
	return f->attr->type == PERF_TYPE_HARDWARE || f->attr->type == PERF_TYPE_HW_CACHE ||
	       f->attr->type == PERF_TYPE_RAW;
}

/* ENOENT, ENODEV, EOPNOTSUPP: nobody took the event. */
static int explain_missing(const struct failure *f, struct error *err)
{
	char pmu[EVENT_NAME_MAX], what[EVENT_NAME_MAX + 64];

	if (opens_counting(f))
		return explain_sampling(f, err);
	if (is_hardware(f) && pmu_find(f->sys, is_core_pmu, NULL, pmu, NULL) <= 0) {
		snprintf(what, sizeof(what), "this machine has no hardware PMU that counts %.255s",
			 f->spec->text);
		fail(f, err, "perf-open/no-pmu", what);
		return error_hint(
			err, "virtual machines often have none: -e cpu-clock works everywhere");
	}
	fail(f, err, "perf-open/no-event", "no PMU of this machine takes this event");
	pmu_hint(f->sys, err);
	return 0;
}

static int explain_cpu(const struct failure *f, struct error *err)
{
	struct cpu_list online;
	char text[256];
	bool offline;

	if (f->cpu < 0 || cpu_list_read(f->sys, "online", &online, NULL))
		return explain_missing(f, err);
	offline = !cpu_list_has(&online, f->cpu);
	cpu_list_text(&online, text, sizeof(text));
	cpu_list_free(&online);
	if (!offline)
		return explain_missing(f, err);
	fail(f, err, "perf-open/offline-cpu", "the CPU is not online");
	return error_hint(err, "online are %s", text);
}

static int explain_task(const struct failure *f, struct error *err)
{
	fail(f, err, "perf-open/no-task",
	     "the task has ended, or this pid namespace has no such task");
	return error_hint(err, "-p takes the pid of a running process");
}

static int explain_fds(const struct failure *f, struct error *err)
{
	uint64_t limit[2];

	if (f->code == EMFILE && sys_prlimit(f->sys, RLIMIT_NOFILE, NULL, limit) >= 0) {
		fail(f, err, "perf-open/fd-limit",
		     "each CPU and thread takes a file descriptor, and there are no more");
		return error_hint(
			err,
			"the limit is %llu (hard: %llu): ulimit -n, or name fewer CPUs with -C",
			(unsigned long long)limit[0], (unsigned long long)limit[1]);
	}
	fail(f, err, "perf-open/fd-limit", "the machine has no more file descriptors");
	return error_hint(err, "raise fs.file-max");
}

static int explain_space(const struct failure *f, struct error *err)
{
	if (f->attr->type != PERF_TYPE_BREAKPOINT) {
		fail(f, err, "perf-open/no-space", "the PMU has no room for another event");
		return error_hint(err, "close another user of this PMU");
	}
	fail(f, err, "perf-open/no-breakpoint-slot", "every breakpoint register is in use");
	return error_hint(err, "x86 has 4 for each CPU; debuggers and perf use them too");
}

static int explain_breakpoint(const struct failure *f, struct error *err)
{
	const char *what = "the processor does not take this breakpoint";

	if (!f->attr->bp_len)
		what = "it has no length: write mem:ADDR[/LEN][:rwx]";
	else if (f->attr->bp_len & (f->attr->bp_len - 1))
		what = "its length is not a power of two";
	else if (f->attr->bp_addr % f->attr->bp_len)
		what = "its address is not a multiple of its length";
	else if (f->attr->bp_type == 1)
		what = "x86 cannot watch reads alone";
	fail(f, err, "perf-open/breakpoint", what);
	return error_hint(
		err,
		"lengths are 1, 2, 4 and 8, addresses their multiples; on x86 accesses are w, rw, "
		"and x (8 bytes)");
}

static int explain_invalid(const struct failure *f, struct error *err)
{
	int64_t rate;
	char what[128];

	if (f->attr->freq &&
	    read_number(f->sys, "/proc/sys/kernel/perf_event_max_sample_rate", &rate) &&
	    f->attr->sample_freq > (uint64_t)rate) {
		snprintf(what, sizeof(what),
			 "%llu Hz is above kernel.perf_event_max_sample_rate, %lld",
			 (unsigned long long)f->attr->sample_freq, (long long)rate);
		fail(f, err, "perf-open/rate", what);
		return error_hint(err, "sample at %lld Hz or less", (long long)rate);
	}
	if (f->attr->type == PERF_TYPE_BREAKPOINT)
		return explain_breakpoint(f, err);
	if (opens_counting(f))
		return explain_sampling(f, err);
	fail(f, err, "perf-open/invalid", "the kernel does not take these arguments together");
	if (f->tid > 0)
		return error_hint(
			err,
			"a PMU outside of the cores cannot count single tasks: try without -p");
	return error_hint(
		err, "the PMU may not know this config, or the period may be out of its range");
}

static int explain_version(const struct failure *f, struct error *err)
{
	if (f->code == ENOSYS) {
		fail(f, err, "perf-open/no-perf", "this kernel has no perf events");
		return error_hint(
			err,
			"it was built without CONFIG_PERF_EVENTS, or a seccomp filter hides them");
	}
	fail(f, err, "perf-open/too-old",
	     "this kernel knows fewer fields of perf_event_attr than this event needs");
	return error_hint(err, "config3 came with Linux 6.3");
}

static int explain_busy(const struct failure *f, struct error *err)
{
	fail(f, err, "perf-open/busy", "another user has the PMU to itself");
	return error_hint(
		err,
		"stop the other user: the NMI watchdog (kernel.nmi_watchdog), oprofile, "
		"another perf");
}

static int explain_other(const struct failure *f, struct error *err)
{
	fail(f, err, "perf-open/failed", "the kernel gave no other reason");
	return error_hint(err, "the kernel's log may say more: dmesg");
}

static const struct {
	int code;
	int (*explain)(const struct failure *f, struct error *err);
} causes[] = {
	{ EACCES, explain_permission },
	{ EPERM, explain_permission },
	{ ENOENT, explain_missing },
	{ EOPNOTSUPP, explain_missing },
	{ KERNEL_ENOTSUPP, explain_missing },
	{ ENXIO, explain_missing },
	{ ENODEV, explain_cpu },
	{ ESRCH, explain_task },
	{ EMFILE, explain_fds },
	{ ENFILE, explain_fds },
	{ ENOSPC, explain_space },
	{ EINVAL, explain_invalid },
	{ EBUSY, explain_busy },
	{ ENOSYS, explain_version },
	{ E2BIG, explain_version },
};

static void explain(const struct failure *f, struct error *err)
{
	int (*how)(const struct failure *f, struct error *err) = explain_other;

	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].code == f->code)
			how = causes[i].explain;
	how(f, err);
	if (f->tid > 0)
		error_where(err, "task %d", f->tid);
	if (f->cpu >= 0)
		error_where(err, "CPU %d", f->cpu);
	error_where(err, "event '%s'", f->spec->text);
}

int event_open(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
	       const struct event_target *target, int group_fd, struct error *err)
{
	const unsigned long flags = PERF_FLAG_FD_CLOEXEC | (target->cgroup ? PERF_FLAG_PID_CGROUP : 0);
	int fd = sys_perf_event_open(sys, attr, target->cgroup ? target->cgroup->fd : target->tid,
				     target->cpu, group_fd, flags);
	struct failure failure = { sys, spec, attr, target->tid, target->cpu, -fd };

	if (fd == -ENOENT && target->cgroup && scope_has_no_controller(sys, target, err))
		error_where(err, "event '%s'", spec->text);
	else if (fd < 0 && err)
		explain(&failure, err);
	return fd;
}
