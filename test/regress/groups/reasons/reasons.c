// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reasons provoked on the running kernel: each in a child that has given up privileges, has used up
 * a resource, or asks for something that does not exist. The tests check the code, the error
 * context, the call with its arguments, and the hint. Failures that no machine can be brought to
 * are in test/fault.
 */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/sys/refused.h"
#include "loader/explain/denied/privilege.h"
#include "test/regress/common/command.h"
#include "test/regress/groups/reasons/reasons.h"

static const struct row {
	const char *name;
	become_fn *become;
	act_fn *act;		/* NULL: what follows */
	const char *args;	/* of a command, with "OBJ/NAME" last or not at all; or */
	const char *event, *method;
	const char *reason;
	const char *where, *call, *hint;	/* parts; NULL: not looked at */
} rows[] = {
	{ "nobody loads", become_unprivileged, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL, NULL,
	  "map-create/unprivileged", "map 'hits'", "bpf(BPF_MAP_CREATE, {map_type=", "setcap" },
	{ "nobody opens", become_watcher, NULL, NULL, "cpu-clock", "ioctl", "perf-open/paranoid",
	  "event 'cpu-clock': CPU 0", "perf_event_open({type=PERF_TYPE_SOFTWARE",
	  "kernel.perf_event_paranoid=0" },
	{ "nobody opens somebody else's", become_self, not_mine, NULL, NULL, NULL,
	  "perf-open/not-traceable", "event 'page-faults:u': task ", "perf_event_open(",
	  "belongs to another user" },
	{ "CAP_BPF alone", lack_perfmon, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL, NULL,
	  "prog-load/no-capability", "prog 'ip_count'", "bpf(BPF_PROG_LOAD, {prog_type=",
	  "cap_perfmon" },
	{ "root of a namespace loads", become_namespaced, NULL, "-e cpu-clock -d 0 OBJ/ip_count",
	  NULL, NULL, "map-create/namespace", "map 'hits'", "bpf(BPF_MAP_CREATE", "container" },
	{ "root of a namespace opens", become_namespaced, NULL, NULL, "cpu-clock", "pmu",
	  "perf-open/namespace", "CPU 0", "perf_event_open(", "container" },
	{ "seccomp: bpf", filter_bpf, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL, NULL,
	  "map-create/seccomp", "map 'hits'", "bpf(BPF_MAP_CREATE", "SystemCallFilter" },
	{ "seccomp: BPF_PROG_LOAD", filter_prog_load, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL,
	  NULL, "prog-load/seccomp", "prog 'ip_count'", "bpf(BPF_PROG_LOAD", "docker" },
	{ "nobody shows", become_nobody, NULL, "show", NULL, NULL, "show/no-capability",
	  "show", NULL, "setcap cap_sys_admin=ep" },
	{ "seccomp: show", filter_bpf, NULL, "show", NULL, NULL, "show/seccomp", "show", NULL,
	  "SystemCallFilter" },
	{ "seccomp: show progs", filter_bpf, NULL, "show progs", NULL, NULL, "show/seccomp", "show",
	  NULL, "docker" },
	{ "seccomp: perf_event_open", filter_perf, NULL, NULL, "cpu-clock", "ioctl",
	  "perf-open/seccomp", "CPU 0", "perf_event_open(", "docker" },
	{ "seccomp: PERF_EVENT_IOC_SET_BPF", filter_ioctl, NULL, NULL, "cpu-clock", "ioctl",
	  "attach/seccomp", "event 'cpu-clock'", "ioctl(", "docker" },
	{ "seccomp: BPF_ITER_CREATE", filter_iter_create, NULL,
	  "--attach=link --prog=processes OBJ/points", NULL, NULL, "output/iterator",
	  "prog 'processes'", "bpf(BPF_ITER_CREATE, {iter_create={link_fd=", NULL },
	{ "RLIMIT_NOFILE", lack_descriptors, NULL, NULL, "cpu-clock", "ioctl",
	  "perf-open/fd-limit", "event 'cpu-clock'", "= -EMFILE", "ulimit -n" },
	{ "RLIMIT_MEMLOCK", lack_memlock, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL, NULL,
	  "map-create/memlock", "map 'hits'", "= -EPERM", "ulimit -l" },
	{ "breakpoints used up", become_self, use_up_breakpoints, NULL, NULL, NULL,
	  "perf-open/no-breakpoint-slot", "event 'mem:0x", "bp_addr=", NULL },
	{ "a second program by ioctl", become_self, second_by_ioctl, NULL, NULL, NULL,
	  "attach/already-bound", NULL, "= -EEXIST", "another event" },
	{ "a second program by link", become_self, second_by_link, NULL, NULL, NULL,
	  "attach/already-bound", NULL, "bpf(BPF_LINK_CREATE, {link_create={", "another event" },
	{ "a program twice on a tracepoint", become_self, same_program, NULL, NULL, NULL,
	  "attach/same-program", "event 'sched:sched_switch'", "= -EEXIST", "once" },
	{ "more programs than a tracepoint takes", become_self, too_many_programs, NULL, NULL, NULL,
	  "attach/too-many", "event 'sched:sched_kthread_stop'", "= -E2BIG", "64 programs" },
	{ "another type by ioctl", become_self, other_type_by_ioctl, NULL, NULL, NULL,
	  "attach/mismatch", NULL, "= -EINVAL", "SEC(\"perf_event\")" },
	{ "another type by link", become_self, other_type_by_link, NULL, NULL, NULL,
	  "attach/mismatch", NULL, "attach_type=BPF_PERF_EVENT", "SEC(\"perf_event\")" },
	{ "a program that sleeps, on a kprobe", become_self, NULL,
	  "-d 0 -e kprobe:do_sys_openat2 OBJ/sleeps", NULL, NULL, "attach/kprobe-program",
	  "event 'kprobe:do_sys_openat2'", "= -EINVAL", "SEC(\"kprobe/...\")" },
	{ "a link with flags", become_self, link_with_flags, NULL, NULL, NULL, "attach/failed",
	  "event 'cpu-clock'", "flags=BPF_F_ALLOW_OVERRIDE", "ruled out: the program" },
	{ "a device without its own XDP", become_self, NULL,
	  "--attach=link --dev=lo --xdp-mode=native --prog=xdp_both OBJ/xdp_output", NULL, NULL,
	  "attach/unsupported", "lo (xdp)", "bpf(BPF_LINK_CREATE", "--xdp-mode=generic" },
	{ "no PMU", become_self, NULL, NULL, "cycles", "ioctl", "perf-open/no-pmu", "event 'cycles'",
	  "config=PERF_COUNT_HW_CPU_CYCLES", "cpu-clock works everywhere" },
	{ "no PMU of that name", become_self, NULL, NULL, "nopmu/x=1/", "pmu", "event/no-pmu", NULL,
	  NULL, "PMUs on this machine" },
	{ "a term too wide", become_self, NULL, NULL, "power/event=0x100/", "pmu", "event/pmu-term",
	  "power/event=0x100/", NULL, NULL },
	{ "no such tracepoint", become_self, NULL, NULL, "sched:sched_swich", "ioctl",
	  "event/unknown", "sched_swich", NULL, "sched_switch" },
	{ "no such CPU", become_self, NULL, "-C 8191 -e cpu-clock OBJ/ip_count", NULL, NULL,
	  "scope/offline-cpu", "8191", NULL, "online" },
};

/* --- a row --- */

/* The object that a command is about, as command_use(): -1 without one. */
static int use_object(struct regress *t, const struct row *row)
{
	const char *object = row->args ? strstr(row->args, "OBJ/") : NULL;

	return object ? command_use(t, object + strlen("OBJ/")) : -1;
}

static void run_command(struct attempt *t, const char *args)
{
	const char *object = strstr(args, "OBJ/");
	struct command_said s;

	if (!object) {
		t->err = command_say("%s", args).err;
		return;
	}
	if (access(command_object, R_OK)) {
		attempt_skip(t, "who it has become cannot read the object");
		return;
	}
	s = command_say("%.*s OBJ", (int)(object - args), args);
	t->err = s.err;
}

static void try(const struct row *row, struct attempt *t)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct opened a;

	setrlimit(RLIMIT_MEMLOCK, &unlimited);	/* before Linux 5.11 it would come first */
	if (row->event && !opened_prepare(t, &a, row->event, NULL))
		return;
	if (!row->become(t))
		return;
	if (row->act)
		row->act(t);
	else if (row->args)
		run_command(t, row->args);
	else if (opened_attach(t, &a, row->method) == 0)
		attempt_skip(t, "this machine has it");
}

/*
 * Skips a row if the machine lacks something, so that the attempt does not get as far as its
 * failure.
 */
static void forgive(const struct row *row, struct attempt *a)
{
	static const char *const lacking[] = {
		"perf-open/no-event", "attach/unsupported", "attach/link-unsupported",
		"event/no-tracefs", "event/no-pmu", "event/no-sysfs", "prog-load/too-old",
		"types/no-btf", "probe/no-kprobes", "cpu/no-sysfs",
	};
	const char *reason = a->err.reason;
	struct sys_privilege has;

	if (!reason || !strcmp(reason, row->reason))
		return;
	for (size_t i = 0; i < NR(lacking); i++)
		if (!strcmp(reason, lacking[i]))
			snprintf(a->skip, sizeof(a->skip), "%.199s", a->err.what);
	/*
	 * A process without privileges from the beginning is refused before the attempt gets to its
	 * failure.
	 */
	sys_privilege_read(a->sys, &has);
	if ((row->become == become_self || !(has.effective & SYS_CAP(CAP_SYS_ADMIN))) &&
	    sys_is_denial(reason))
		snprintf(a->skip, sizeof(a->skip), "%.199s", a->err.what);
}

/* Makes the attempt in a child, as lost privileges and used-up resources cannot be given back. */
static void in_child(struct regress *t, struct attempt *a)
{
	const struct row *row = t->data;
	int fds[2];
	pid_t pid;
	bool ok;

	if (pipe(fds) || (pid = fork()) < 0)
		regress_fail(t, "no pipe or no process: %s", strerror(errno));
	if (pid == 0) {
		close(fds[0]);
		try(row, a);
		_exit(write(fds[1], a, sizeof(*a)) != sizeof(*a));
	}
	close(fds[1]);
	ok = read(fds[0], a, sizeof(*a)) == sizeof(*a);
	close(fds[0]);
	waitpid(pid, NULL, 0);
	regress_expect(t, ok, "the child has ended without a word");
	a->err.log = NULL;	/* the child's, like its kernel */
	a->sys = t->sys;
	forgive(row, a);
}

static bool says(const char *text, const char *part)
{
	return !part || strstr(text, part);
}

static void test(struct regress *t)
{
	const struct row *row = t->data;
	struct attempt a = { .sys = t->sys };
	const struct error *e = &a.err;
	const int object = use_object(t, row);

	in_child(t, &a);
	if (a.skip[0])
		regress_skip(t, "%s", a.skip);
	regress_note(t, "reason: %s", e->reason ? e->reason : "none");
	regress_note(t, "where: %s", e->where);
	regress_note(t, "what: %s", e->what);
	regress_note(t, "call: %s", e->call);
	regress_note(t, "hint: %s", e->hint);
	regress_expect(t, e->code < 0, "it is not refused");
	/* The process lacks a privilege that the row has not taken away. */
	if (!t->root && e->reason && strcmp(e->reason, row->reason) && sys_is_denial(e->reason))
		regress_skip(t, "%s", e->what);
	/* ... or what the loader asks to find the reason is refused. */
	if (!t->root && strstr(e->hint, "Operation not permitted"))
		regress_skip(t, "%s", e->hint);
	regress_expect(t, e->reason && !strcmp(e->reason, row->reason), "the reason is %s: %s",
		       e->reason ? e->reason : "none", e->what);
	regress_expect(t, e->what[0] && says(e->where, row->where), "the place is '%s'", e->where);
	regress_expect(t, says(e->call, row->call), "the call is '%s'", e->call);
	regress_expect(t, says(e->hint, row->hint), "the hint is '%s'", e->hint);
	if (object >= 0)
		close(object);
}

static void fill(struct regress_list *list)
{
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, test, &rows[i], "%s: %s", rows[i].name, rows[i].reason);
}

const struct regress_group regress_group_reasons = {
	"reasons", "refusals: the reason, the place, the call and the hint", NULL, fill, __FILE__
};
