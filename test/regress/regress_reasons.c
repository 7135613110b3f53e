// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reasons provoked on the running kernel: each in a child that has become somebody who may not, has
 * used something up, or asks for what is not there. The code is looked at, the place, the call as
 * it was made, and the hint. What no machine can be brought to stands in test/fault.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "loader/attach/attach.h"
#include "loader/cmd/command.h"
#include "loader/cmd/note.h"
#include "loader/sys/denied.h"
#include "loader/sys/privilege.h"
#include "test/unit/probe_builder.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))
#define NOBODY 65534

/* note() is main.c's, which these tests do not link. */
void note(const char *fmt, ...)
{
	(void)fmt;
}

/* What a row works with. The child fills it, and it comes back through a pipe. */
struct trial {
	struct sys *sys;
	struct error err;
	char skip[200];	/* why it cannot be tried here */
};

/* Says why this machine cannot be brought to it; false, for `return skip(...)`. */
static bool skip(struct trial *t, const char *why)
{
	snprintf(t->skip, sizeof(t->skip), "%s", why);
	return false;
}

/* --- who one may become --- */

static bool keep_caps(struct trial *t, uint64_t caps)
{
	struct {
		uint32_t version;
		int pid;
	} head = { 0x20080522, 0 };	/* _LINUX_CAPABILITY_VERSION_3 */
	uint32_t data[6] = { caps, caps, 0, caps >> 32, caps >> 32, 0 };

	return syscall(SYS_capset, &head, data) == 0 || skip(t, "capset() is refused");
}

static bool become_nobody(struct trial *t)
{
	if (geteuid() || setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
		return skip(t, "it takes root to become nobody");
	prctl(PR_SET_DUMPABLE, 1);	/* as after an exec: /proc/self is its own */
	return true;
}

static bool enter_namespace(struct trial *t)
{
	return unshare(CLONE_NEWUSER) == 0 || skip(t, "no user namespace can be made here");
}

static bool filter(struct trial *t, int nr, long request)
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
	       skip(t, "this kernel has no seccomp filters");
}

static bool filter_bpf(struct trial *t)
{
	return filter(t, SYS_bpf, -1);
}

static bool filter_prog_load(struct trial *t)
{
	return filter(t, SYS_bpf, BPF_PROG_LOAD);
}

static bool filter_iter_create(struct trial *t)
{
	return filter(t, SYS_bpf, BPF_ITER_CREATE);
}

static bool filter_perf(struct trial *t)
{
	return filter(t, SYS_perf_event_open, -1);
}

static bool filter_ioctl(struct trial *t)
{
	return filter(t, SYS_ioctl, PERF_EVENT_IOC_SET_BPF);
}

static bool lack_perfmon(struct trial *t)
{
	struct sys_privilege has;

	sys_privilege_read(t->sys, &has);
	if (!(has.effective & SYS_CAP(CAP_BPF)))
		return skip(t, "this process has no CAP_BPF");
	return keep_caps(t, SYS_CAP(CAP_BPF));
}

/* Who may raise the limit is not refused. */
static bool lack_descriptors(struct trial *t)
{
	const int next = dup(0);
	const struct rlimit limit = { next, next };
	struct sys_privilege has;

	close(next);
	sys_privilege_read(t->sys, &has);
	return keep_caps(t, has.effective & ~SYS_CAP(CAP_SYS_RESOURCE)) &&
	       (!setrlimit(RLIMIT_NOFILE, &limit) || skip(t, "the limit cannot be set"));
}

static bool lack_memlock(struct trial *t)
{
	const struct rlimit limit = { 0, 0 };

	if (!sys_is_before(t->sys, 5, 11))
		return skip(t, "this kernel charges nothing to RLIMIT_MEMLOCK");
	return keep_caps(t, SYS_CAP(CAP_SYS_ADMIN)) &&
	       (!setrlimit(RLIMIT_MEMLOCK, &limit) || skip(t, "the limit cannot be set"));
}

static bool as_i_am(struct trial *t)
{
	(void)t;
	return true;
}

static bool paranoid(struct trial *t)
{
	int64_t level;

	if (!sys_sysctl(t->sys, "perf_event_paranoid", &level) || level < 1)
		return skip(t, "kernel.perf_event_paranoid lets anybody");
	return become_nobody(t);
}

static bool unprivileged(struct trial *t)
{
	int64_t level;

	if (!sys_sysctl(t->sys, "unprivileged_bpf_disabled", &level) || level < 1)
		return skip(t, "kernel.unprivileged_bpf_disabled lets anybody");
	return become_nobody(t);
}

/* --- what is tried --- */

static const char *points;	/* an object with programs for each attach point */

/* One command, its arguments with blanks between; "OBJ/" is where objects are. */
static void run_command(struct trial *t, const char *args)
{
	const char *dir = getenv("PROGS") ? getenv("PROGS") : "build/progs";
	char text[256], path[512], *argv[16] = { "pload" }, *p = text;
	struct options o;
	int argc = 1;

	snprintf(text, sizeof(text), "%s", args);
	while (argc < 15 && p) {
		argv[argc] = strsep(&p, " ");
		if (!strcmp(argv[argc], "POINTS") && points)
			argv[argc] = (char *)points;
		if (!strncmp(argv[argc], "OBJ/", 4)) {
			snprintf(path, sizeof(path), "%s/%s.bpf.o", dir, argv[argc] + 4);
			argv[argc] = path;
			if (access(path, R_OK)) {
				skip(t, "who it has become cannot read the objects");
				return;
			}
		}
		argc++;
	}
	argv[argc] = NULL;
	if (!options_parse(&o, argc, argv, &t->err)) {
		FILE *nowhere = fopen("/dev/null", "w");

		o.command->run(t->sys, &o, &(struct output){ .file = nowhere, .format = o.format },
			       &t->err);
	}
}

/* An event with a program that has been loaded before. */
struct attempt {
	struct event_spec spec;
	struct event_scope scope;
	struct attach_set set;
	struct probe probe;
};

static bool prepare(struct trial *t, struct attempt *a, const char *event, const char *pid)
{
	memset(a, 0, sizeof(*a));
	if (event_parse(&a->spec, event, &t->err) ||
	    event_scope_init(t->sys, &a->scope, &(struct event_scope_options){ .processes = pid },
			     &t->err))
		return false;
	if (probe_load(t->sys, &a->probe, event_prog_type(&a->spec), &t->err)) {
		memset(&t->err, 0, sizeof(t->err));
		return skip(t, "no program can be loaded here");
	}
	return true;
}

static int attach(struct trial *t, struct attempt *a, const char *method)
{
	const struct attach_request req = {
		.method = attach_method_find(method, NULL), .spec = &a->spec, .scope = &a->scope,
		.prog_fd = a->probe.prog_fd, .prog_type = event_prog_type(&a->spec),
	};

	return attach_prog(t->sys, &req, &a->set, &t->err);
}

/* Whether it is attached; why not is a skip, as it is not what is to be shown. */
static bool attached(struct trial *t, struct attempt *a, const char *method)
{
	if (attach(t, a, method) == 0)
		return true;
	snprintf(t->skip, sizeof(t->skip), "%.199s", t->err.what);
	return false;
}

static void bind_second(struct trial *t, const char *method, uint32_t type, const char *event)
{
	struct attempt first;
	struct probe second;

	if (prepare(t, &first, event, NULL) && attached(t, &first, method) &&
	    !probe_load(t->sys, &second, type, &t->err))
		attach_method_find(method, NULL)->bind(t->sys, &first.set.list[0], second.prog_fd,
						       0, &t->err);
}

static void second_by_ioctl(struct trial *t)
{
	bind_second(t, "ioctl", BPF_PROG_TYPE_PERF_EVENT, "cpu-clock");
}

static void second_by_link(struct trial *t)
{
	bind_second(t, "link", BPF_PROG_TYPE_PERF_EVENT, "cpu-clock");
}

static void same_program(struct trial *t)
{
	struct attempt a;

	if (prepare(t, &a, "sched:sched_switch", NULL) && attached(t, &a, "ioctl"))
		attach(t, &a, "ioctl");
}

static void other_type(struct trial *t, const char *method)
{
	struct attempt a;
	struct attachment event = { .event_fd = -1, .link_fd = -1 };
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 1000000,
					.type = PERF_TYPE_SOFTWARE };
	const struct event_target all = { .tid = -1 };
	struct probe traced;

	if (!prepare(t, &a, "cpu-clock", NULL) ||
	    probe_load(t->sys, &traced, BPF_PROG_TYPE_TRACEPOINT, &t->err))
		return;
	event.event_fd = event_open(t->sys, &a.spec, &attr, &all, -1, &t->err);
	if (event.event_fd >= 0)
		attach_method_find(method, NULL)->bind(t->sys, &event, traced.prog_fd, 0, &t->err);
}

static void other_type_by_ioctl(struct trial *t)
{
	other_type(t, "ioctl");
}

static void other_type_by_link(struct trial *t)
{
	other_type(t, "link");
}

/* Programs of two instructions, as many as it takes and one more. */
static void too_many_programs(struct trial *t)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1 }, { .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = { .prog_type = BPF_PROG_TYPE_TRACEPOINT, .insn_cnt = NR(insns) };
	struct attempt a;
	int ret = 0;

	load.insns = (uintptr_t)insns;
	load.license = (uintptr_t)"GPL";
	if (!prepare(t, &a, "sched:sched_kthread_stop", NULL))
		return;
	for (int i = 0; !ret && i < 65; i++) {
		sys_close_fd(t->sys, &a.probe.prog_fd);
		a.probe.prog_fd = sys_bpf(t->sys, BPF_PROG_LOAD, &load, sizeof(load));
		if (a.probe.prog_fd < 0) {
			skip(t, "so many programs cannot be loaded");
			return;
		}
		ret = attach(t, &a, "ioctl");
	}
	attach_close(t->sys, &a.set);
}

/* Where each is free there are few; other users may have some of them. */
static void breakpoints(struct trial *t)
{
	static uint64_t watched[20];

	for (size_t i = 0; i < NR(watched); i++) {
		char event[64], pid[16];
		struct attempt a;

		snprintf(event, sizeof(event), "mem:%p/8:w", (void *)&watched[i]);
		snprintf(pid, sizeof(pid), "%d", getpid());
		if (!prepare(t, &a, event, pid) || attach(t, &a, "ioctl"))
			return;
	}
	skip(t, "this machine has breakpoints without end");
}

/* Of another user, by one who may watch himself. */
static void not_mine(struct trial *t)
{
	char pid[16];
	struct attempt a;

	snprintf(pid, sizeof(pid), "%d", getppid());
	if (prepare(t, &a, "page-faults:u", pid) && become_nobody(t))
		attach(t, &a, "ioctl");
}

/* The call that goes to the kernel is another one than was made. */
static long with_flags(struct sys *sys, long nr, const unsigned long arg[6])
{
	union bpf_attr *attr = (union bpf_attr *)arg[1];

	(void)sys;
	if (nr == __NR_bpf && arg[0] == BPF_LINK_CREATE)
		attr->link_create.flags = 1;
	return sys_linux()->enter(sys_linux(), nr, arg);
}

static void link_with_flags(struct trial *t)
{
	struct sys flags = { .enter = with_flags };
	struct attempt a;

	t->sys = &flags;
	if (prepare(t, &a, "cpu-clock", NULL))
		attach(t, &a, "link");
}

static const struct row {
	const char *name;
	bool (*become)(struct trial *t);
	void (*act)(struct trial *t);	/* NULL: what follows */
	const char *args;		/* of a command; or */
	const char *event, *method;
	const char *reason;
	const char *where, *call, *hint;	/* parts; NULL: not looked at */
} rows[] = {
	{ "nobody loads", unprivileged, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL, NULL,
	  "map-create/unprivileged", "map 'hits'", "bpf(BPF_MAP_CREATE, {map_type=", "setcap" },
	{ "nobody opens", paranoid, NULL, NULL, "cpu-clock", "ioctl", "perf-open/paranoid",
	  "event 'cpu-clock': CPU 0", "perf_event_open({type=PERF_TYPE_SOFTWARE",
	  "kernel.perf_event_paranoid=0" },
	{ "nobody opens somebody else's", as_i_am, not_mine, NULL, NULL, NULL,
	  "perf-open/not-traceable", "event 'page-faults:u': task ", "perf_event_open(",
	  "another user's" },
	{ "CAP_BPF alone", lack_perfmon, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL, NULL,
	  "prog-load/no-capability", "prog 'ip_count'", "bpf(BPF_PROG_LOAD, {prog_type=",
	  "cap_perfmon" },
	{ "root of a namespace loads", enter_namespace, NULL, "-e cpu-clock -d 0 OBJ/ip_count",
	  NULL, NULL, "map-create/namespace", "map 'hits'", "bpf(BPF_MAP_CREATE", "container" },
	{ "root of a namespace opens", enter_namespace, NULL, NULL, "cpu-clock", "pmu",
	  "perf-open/namespace", "CPU 0", "perf_event_open(", "container" },
	{ "seccomp: bpf", filter_bpf, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL, NULL,
	  "map-create/seccomp", "map 'hits'", "bpf(BPF_MAP_CREATE", "SystemCallFilter" },
	{ "seccomp: BPF_PROG_LOAD", filter_prog_load, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL,
	  NULL, "prog-load/seccomp", "prog 'ip_count'", "bpf(BPF_PROG_LOAD", "docker" },
	{ "seccomp: perf_event_open", filter_perf, NULL, NULL, "cpu-clock", "ioctl",
	  "perf-open/seccomp", "CPU 0", "perf_event_open(", "docker" },
	{ "seccomp: PERF_EVENT_IOC_SET_BPF", filter_ioctl, NULL, NULL, "cpu-clock", "ioctl",
	  "attach/seccomp", "event 'cpu-clock'", "ioctl(", "docker" },
	{ "seccomp: BPF_ITER_CREATE", filter_iter_create, NULL,
	  "--attach=link --prog=processes POINTS", NULL, NULL, "output/iterator",
	  "prog 'processes'", "bpf(BPF_ITER_CREATE, {iter_create={link_fd=", NULL },
	{ "RLIMIT_NOFILE", lack_descriptors, NULL, NULL, "cpu-clock", "ioctl",
	  "perf-open/fd-limit", "event 'cpu-clock'", "= -EMFILE", "ulimit -n" },
	{ "RLIMIT_MEMLOCK", lack_memlock, NULL, "-e cpu-clock -d 0 OBJ/ip_count", NULL, NULL,
	  "map-create/memlock", "map 'hits'", "= -EPERM", "ulimit -l" },
	{ "breakpoints used up", as_i_am, breakpoints, NULL, NULL, NULL,
	  "perf-open/no-breakpoint-slot", "event 'mem:0x", "bp_addr=", NULL },
	{ "a second program by ioctl", as_i_am, second_by_ioctl, NULL, NULL, NULL,
	  "attach/already-bound", NULL, "= -EEXIST", "another event" },
	{ "a second program by link", as_i_am, second_by_link, NULL, NULL, NULL,
	  "attach/already-bound", NULL, "bpf(BPF_LINK_CREATE, {link_create={", "another event" },
	{ "a program twice on a tracepoint", as_i_am, same_program, NULL, NULL, NULL,
	  "attach/same-program", "event 'sched:sched_switch'", "= -EEXIST", "once" },
	{ "more programs than a tracepoint takes", as_i_am, too_many_programs, NULL, NULL, NULL,
	  "attach/too-many", "event 'sched:sched_kthread_stop'", "= -E2BIG", "64 programs" },
	{ "another type by ioctl", as_i_am, other_type_by_ioctl, NULL, NULL, NULL,
	  "attach/mismatch", NULL, "= -EINVAL", "SEC(\"perf_event\")" },
	{ "another type by link", as_i_am, other_type_by_link, NULL, NULL, NULL,
	  "attach/mismatch", NULL, "attach_type=BPF_PERF_EVENT", "SEC(\"perf_event\")" },
	{ "a link with flags", as_i_am, link_with_flags, NULL, NULL, NULL, "attach/mismatch",
	  "event 'cpu-clock'", "flags=BPF_F_ALLOW_OVERRIDE", NULL },
	{ "a device without its own XDP", as_i_am, NULL,
	  "--attach=link --dev=lo --xdp-mode=native --prog=xdp_both OBJ/xdp_output", NULL, NULL,
	  "attach/unsupported", "lo (xdp)", "bpf(BPF_LINK_CREATE", "--xdp-mode=generic" },
	{ "no PMU", as_i_am, NULL, NULL, "cycles", "ioctl", "perf-open/no-pmu", "event 'cycles'",
	  "config=PERF_COUNT_HW_CPU_CYCLES", "cpu-clock works everywhere" },
	{ "no PMU of that name", as_i_am, NULL, NULL, "nopmu/x=1/", "pmu", "event/no-pmu", NULL,
	  NULL, "the PMUs of this machine" },
	{ "a term too wide", as_i_am, NULL, NULL, "power/event=0x100/", "pmu", "event/pmu-term",
	  "power/event=0x100/", NULL, NULL },
	{ "no such tracepoint", as_i_am, NULL, NULL, "sched:sched_swich", "ioctl",
	  "event/unknown", "sched_swich", NULL, "sched_switch" },
	{ "no such CPU", as_i_am, NULL, "-C 8191 -e cpu-clock OBJ/ip_count", NULL, NULL,
	  "scope/offline-cpu", "8191", NULL, "online" },
};

/* --- a row --- */

static void try(const struct row *row, struct trial *t)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct attempt a;

	setrlimit(RLIMIT_MEMLOCK, &unlimited);	/* before Linux 5.11 it would come first */
	if (row->event && !prepare(t, &a, row->event, NULL))
		return;
	if (!row->become(t))
		return;
	if (row->act)
		row->act(t);
	else if (row->args)
		run_command(t, row->args);
	else if (attach(t, &a, row->method) == 0)
		skip(t, "this machine has it");
}

/* What the machine lacks, so that the row cannot get to what it is about. */
static void forgive(const struct row *row, struct trial *t)
{
	static const char *const lacking[] = {
		"perf-open/no-event", "attach/unsupported", "attach/link-unsupported",
		"event/no-tracefs", "event/no-pmu",
	};
	const char *reason = t->err.reason;
	struct sys_privilege has;

	if (!reason || !strcmp(reason, row->reason))
		return;
	for (size_t i = 0; i < NR(lacking); i++)
		if (!strcmp(reason, lacking[i]))
			snprintf(t->skip, sizeof(t->skip), "%.199s", t->err.what);
	/* Who is nobody to begin with is refused before anything else. */
	sys_privilege_read(t->sys, &has);
	if ((row->become == as_i_am || !(has.effective & SYS_CAP(CAP_SYS_ADMIN))) &&
	    sys_is_denial(reason))
		snprintf(t->skip, sizeof(t->skip), "%.199s", t->err.what);
}

/* In a child, which keeps what it has become and what it has used up. */
static bool in_child(const struct row *row, struct trial *t)
{
	int fds[2];
	pid_t pid;
	bool ok;

	if (pipe(fds) || (pid = fork()) < 0)
		return false;
	if (pid == 0) {
		close(fds[0]);
		try(row, t);
		_exit(write(fds[1], t, sizeof(*t)) != sizeof(*t));
	}
	close(fds[1]);
	ok = read(fds[0], t, sizeof(*t)) == sizeof(*t);
	close(fds[0]);
	waitpid(pid, NULL, 0);
	t->err.log = NULL;	/* the child's, like its kernel */
	t->sys = sys_linux();
	forgive(row, t);
	return ok;
}

static bool says(const char *text, const char *part)
{
	return !part || strstr(text, part);
}

static bool print(unsigned int number, const struct row *row, const struct trial *t)
{
	const struct error *e = &t->err;
	const bool ok = !t->skip[0] && e->reason && !strcmp(e->reason, row->reason) &&
		e->code < 0 &&
			e->what[0] && says(e->where, row->where) && says(e->call, row->call) &&
			says(e->hint, row->hint);

	printf("%s %u - reasons: %s: %s", ok || t->skip[0] ? "ok" : "not ok", number, row->name,
	       row->reason);
	printf(t->skip[0] ? " # SKIP %s\n" : "\n", t->skip);
	if (!ok && !t->skip[0])
		printf("# %s\n# where: %s\n# what: %s\n# call: %s\n# hint: %s\n",
		       e->reason ? e->reason : "no reason", e->where, e->what, e->call, e->hint);
	fflush(stdout);
	return ok || t->skip[0];
}

int main(int argc, char **argv)
{
	unsigned int failed = 0;

	points = argc > 1 ? argv[1] : NULL;

	printf("1..%zu\n", NR(rows));
	fflush(stdout);
	for (size_t i = 0; i < NR(rows); i++) {
		struct trial t = { .sys = sys_linux() };

		if (!in_child(&rows[i], &t))
			snprintf(t.err.what, sizeof(t.err.what), "the child ended without a word");
		failed += !print(i + 1, &rows[i], &t);
	}
	return failed != 0;
}
