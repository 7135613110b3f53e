// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Attaching: the order and arguments of the calls, what is refused up front, and the cleanup when
 * call n fails.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/attach/attach.h"
#include "loader/core/attach/link_target.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"
#include "loader/core/event/scope.h"

#define PROG_FD 7
#define MANY 64	/* the first program of a query: there are as many as a tracepoint takes */
#define COOKIE 0xfedcba9876543210

/*
 * A kernel that records the calls: "open -1:0 = 100; bind 100; ...", and fails call
 * number fail_at.
 */
struct kernel {
	struct files files;	/* first: other() gets it back */
	char log[4096];
	unsigned int calls;	/* without reads of files */
	unsigned int fail_at;	/* 1 is the first */
	int fail_with;
	pid_t dead;		/* a thread that has ended */
	bool no_close_range;	/* before Linux 5.9 */
	struct perf_event_attr attr;	/* of the last event */
	uint32_t query[3];	/* programs of the tracepoint; 0: no answer */
	struct bpf_prog_info prog;	/* of PROG_FD; id 0: no answer */
	int closed_fd;
	int occupied;		/* what BPF_TASK_FD_QUERY returns */
	bool no_event;		/* the event's descriptor is something else */
	bool once;		/* the call that fails works when it is repeated */
	uint32_t takes;		/* the type of the programs that do nothing and are bound */
	struct {
		int fd;		/* of the last program that does nothing; 0: none */
		uint32_t type, flags;
	} trial;
	uint64_t cookie;	/* of the last link */
};

static void note(struct kernel *kernel, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void note(struct kernel *kernel, const char *fmt, ...)
{
	size_t len = strlen(kernel->log);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(kernel->log + len, sizeof(kernel->log) - len, fmt, ap);
	va_end(ap);
}

static long perf_open(struct kernel *kernel, const struct perf_event_attr *attr, pid_t tid, int cpu)
{
	int fd;

	if (tid == kernel->dead)
		return -ESRCH;
	kernel->attr = *attr;
	fd = files_take_fd(&kernel->files, NULL);
	note(kernel, "open %d:%d = %d; ", tid, cpu, fd);
	return fd;
}

static long perf_ioctl(struct kernel *kernel, int fd, unsigned long req, unsigned long arg)
{
	if (req == PERF_EVENT_IOC_ENABLE) {
		note(kernel, "enable %d; ", fd);
		return 0;
	}
	ck_assert_uint_eq(req, PERF_EVENT_IOC_SET_BPF);
	ck_assert_uint_eq(arg, PROG_FD);
	note(kernel, "bind %d; ", fd);
	return 0;
}

static long link_create(struct kernel *kernel, const union bpf_attr *attr, unsigned int size)
{
	int fd;

	ck_assert_uint_eq(size, offsetof(union bpf_attr, link_create.perf_event.bpf_cookie) + 8);
	ck_assert_uint_eq(attr->link_create.prog_fd, PROG_FD);
	ck_assert_uint_eq(attr->link_create.attach_type, BPF_PERF_EVENT);
	ck_assert_uint_eq(attr->link_create.flags, 0);
	kernel->cookie = attr->link_create.perf_event.bpf_cookie;
	fd = files_take_fd(&kernel->files, NULL);
	note(kernel, "link %d = %d; ", attr->link_create.target_fd, fd);
	return fd;
}

static bool is_bind(long nr, const unsigned long arg[6])
{
	return (nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_SET_BPF) ||
	       (nr == __NR_bpf && arg[0] == BPF_LINK_CREATE);
}

/* Returns true for the calls by which pload looks for the cause after a call has failed. */
static bool asks(long nr, const unsigned long arg[6])
{
	return nr == __NR_fstat || is_bind(nr, arg) ||
	       (nr == __NR_ioctl && (arg[1] == PERF_EVENT_IOC_QUERY_BPF ||
				     arg[1] == PERF_EVENT_IOC_ID)) ||
	       (nr == __NR_bpf && (arg[0] == BPF_OBJ_GET_INFO_BY_FD ||
				   arg[0] == BPF_TASK_FD_QUERY || arg[0] == BPF_PROG_LOAD));
}

static long load_trial(struct kernel *kernel, const union bpf_attr *attr)
{
	const struct bpf_insn *insns = (const struct bpf_insn *)attr->insns;

	ck_assert_uint_eq(attr->insn_cnt, 2);
	ck_assert_int_eq(insns[0].imm, 1);	/* 0 would filter the events of others */
	kernel->trial.fd = files_take_fd(&kernel->files, NULL);
	kernel->trial.type = attr->prog_type;
	kernel->trial.flags = attr->prog_flags;
	return kernel->trial.fd;
}

static long bind_again(struct kernel *kernel, long nr, const unsigned long arg[6])
{
	const int prog = nr == __NR_ioctl ? (int)arg[2] :
			 (int)((const union bpf_attr *)arg[1])->link_create.prog_fd;

	if (prog == PROG_FD ? !kernel->once :
	    kernel->trial.type != kernel->takes || kernel->trial.flags)
		return -kernel->fail_with;
	ck_assert(prog == PROG_FD || prog == kernel->trial.fd);
	return nr == __NR_ioctl ? 0 : files_take_fd(&kernel->files, NULL);
}

static long answer(struct kernel *kernel, long nr, const unsigned long arg[6])
{
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];
	uint32_t *query = (uint32_t *)arg[2];

	if (nr == __NR_fstat)
		return (int)arg[0] == kernel->closed_fd ? -EBADF : 0;
	if (is_bind(nr, arg))
		return bind_again(kernel, nr, arg);
	if (nr == __NR_bpf && arg[0] == BPF_TASK_FD_QUERY)
		return kernel->occupied;
	if (nr == __NR_bpf && arg[0] == BPF_PROG_LOAD)
		return load_trial(kernel, attr);
	if (nr == __NR_bpf) {
		if (!kernel->prog.id)
			return -EPERM;
		ck_assert_uint_eq(attr->info.bpf_fd, PROG_FD);
		memcpy((void *)attr->info.info, &kernel->prog, sizeof(kernel->prog));
		return 0;
	}
	if (arg[1] == PERF_EVENT_IOC_ID)
		return kernel->no_event ? -ENOTTY : 0;
	if (!kernel->query[0])
		return -EINVAL;
	if (kernel->query[0] == MANY) {
		query[1] = MANY;
		return 0;
	}
	for (query[1] = 0; query[1] < 3 && kernel->query[query[1]]; query[1]++)
		query[2 + query[1]] = kernel->query[query[1]];
	return 0;
}

static long kernel_other(struct files *files, long nr, const unsigned long arg[6])
{
	struct kernel *kernel = (struct kernel *)files;

	if (nr == __NR_close_range) {
		if (kernel->no_close_range)
			return -ENOSYS;
		note(kernel, "close %lu-%lu; ", arg[0], arg[1]);
		for (unsigned long fd = arg[0]; fd <= arg[1]; fd++, files->open--)
			files->fd[fd - FILES_FD_BASE].used = false;
		return 0;
	}
	if (nr == __NR_close) {
		/* Files of /sys are closed as well: those have a path. */
		if (!files->fd[arg[0] - FILES_FD_BASE].path[0])
			note(kernel, "close %lu; ", arg[0]);
		return 0;
	}
	if (nr == __NR_prlimit64 && arg[2])
		return -EPERM;
	if (nr == __NR_prlimit64) {
		memcpy((void *)arg[3], (const uint64_t[]){ 16, 16 }, 16);
		return 0;
	}
	if (kernel->fail_at && kernel->calls >= kernel->fail_at && asks(nr, arg))
		return answer(kernel, nr, arg);
	if (++kernel->calls == kernel->fail_at)
		return -kernel->fail_with;
	if (nr == __NR_perf_event_open)
		return perf_open(kernel, (const struct perf_event_attr *)arg[0], arg[1], arg[2]);
	if (nr == __NR_ioctl)
		return perf_ioctl(kernel, arg[0], arg[1], arg[2]);
	if (nr == __NR_bpf && arg[0] == BPF_PROG_DETACH) {
		note(kernel, "detach %u; ", ((const union bpf_attr *)arg[1])->target_fd);
		return 0;
	}
	ck_assert_msg(nr == __NR_bpf && arg[0] == BPF_LINK_CREATE, "system call %ld", nr);
	return link_create(kernel, (const union bpf_attr *)arg[1], arg[2]);
}

static const struct fake_file machine[] = {
	{ "/proc/40/task/40/comm", "", 0 },
	{ "/proc/40/task/41/comm", "", 0 },
	{ "/proc/40/task/42/comm", "", 0 },
	{ "/proc/sys/kernel/osrelease", "5.14.21-generic\n", 0 },
	{ "/sys/bus/event_source/devices/software/type", "1\n", 0 },
	{ "/sys/bus/event_source/devices/tracepoint/type", "2\n", 0 },
	{ "/sys/devices/system/cpu/online", "0-1\n", 0 },
	{ "/sys/devices/system/cpu/possible", "0-1\n", 0 },
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "314\n", 0 },
	{ 0 }
};

static const struct fake_file machine_of_today[] = {
	{ "/proc/kallsyms", "ffffffff81000000 T vfs_read\n", 0 },
	{ "/proc/sys/kernel/osrelease", "6.18.44\n", 0 },
	{ "/sys/bus/event_source/devices/kprobe/type", "8\n", 0 },
	{ "/sys/devices/system/cpu/online", "0-1\n", 0 },
	{ "/sys/devices/system/cpu/possible", "0-1\n", 0 },
	{ 0 }
};

static struct setting {
	struct kernel kernel;
	struct event_spec spec;
	struct event_scope scope;
	struct attach_request req;
	struct attach_set set;
	struct error err;
} s;

static void set_up(const char *method, const char *event, const char *cpus, const char *pids)
{
	const struct event_scope_options asked = { .cpus = cpus, .processes = pids };

	memset(&s, 0, sizeof(s));
	files_init(&s.kernel.files, machine);
	s.kernel.files.other = kernel_other;
	ck_assert_int_eq(event_parse(&s.spec, event, NULL), 0);
	ck_assert_int_eq(event_scope_init(&s.kernel.files.sys, &s.scope, &asked, NULL), 0);
	s.req = (struct attach_request){
		.method = attach_method_find(method, NULL), .spec = &s.spec, .scope = &s.scope,
		.prog_fd = PROG_FD,
		.prog_type = event_prog_type(&s.spec), .prog = 3,
	};
	ck_assert_ptr_nonnull(s.req.method);
}

static int attach(void)
{
	return attach_prog(&s.kernel.files.sys, &s.req, &s.set, &s.err);
}

static void tear_down(void)
{
	attach_close(&s.kernel.files.sys, &s.set);
	ck_assert_uint_eq(s.kernel.files.open, 0);
	ck_assert_uint_eq(s.set.nr, 0);
	event_scope_free(&s.kernel.files.sys, &s.scope);
	event_spec_free(&s.spec);
}

TEST_FIXTURE(NULL, tear_down)

static const struct {
	const char *method, *event, *cpus, *pid;
	const char *log;
	bool inherit;
} orders[] = {
	{ "ioctl", "cpu-clock", NULL, NULL,
	  "open -1:0 = 100; open -1:1 = 101; bind 100; bind 101; enable 100; enable 101; close "
	  "100-101; ", false },
	{ "pmu", "cpu-clock", "1", NULL, "open -1:1 = 100; bind 100; enable 100; close 100; ",
	  false },
	{ "link", "cpu-clock", NULL, NULL,
	  "open -1:0 = 100; open -1:1 = 101; link 100 = 102; link 101 = 103; enable 100; enable "
	  "101; close 102-103; close 100-101; ", false },
	{ "ioctl", "page-faults", NULL, "40",
	  "open 40:-1 = 100; open 41:-1 = 101; open 42:-1 = 102; bind 100; bind 101; bind 102; "
	  "enable 100; enable 101; enable 102; close 100-102; ", true },
	{ "ioctl", "sched:sched_switch", NULL, NULL, "open -1:0 = 100; bind 100; enable 100; close "
						     "100; ", false },
	{ "pmu", "sched:sched_switch", NULL, "40", "open 40:-1 = 100; bind 100; enable 100; close "
						   "100; ", false },
	{ "link", "sched:sched_switch", NULL, NULL,
	  "open -1:0 = 100; link 100 = 101; enable 100; close 101; close 100; ", false },
	{ "type+ioctl", "cpu-clock", "1", NULL,
	  "open -1:1 = 100; bind 100; enable 100; close 100; ", false },
	{ "type+link", "cpu-clock", "1", NULL,
	  "open -1:1 = 100; link 100 = 101; enable 100; close 101; close 100; ", false },
	{ "pmu+ioctl", "cpu-clock", "1", NULL,
	  "open -1:1 = 100; bind 100; enable 100; close 100; ", false },
	{ "pmu+link", "cpu-clock", "1", NULL,
	  "open -1:1 = 100; link 100 = 101; enable 100; close 101; close 100; ", false },
	{ "tracefs+ioctl", "sched:sched_switch", NULL, NULL,
	  "open -1:0 = 100; bind 100; enable 100; close 100; ", false },
	{ "tracefs+link", "sched:sched_switch", NULL, NULL,
	  "open -1:0 = 100; link 100 = 101; enable 100; close 101; close 100; ", false },
	{ "pmu+link", "sched:sched_switch", NULL, NULL,
	  "open -1:0 = 100; link 100 = 101; enable 100; close 101; close 100; ", false },
};

TEST_ROWS(keeps_the_order, orders)
{
	set_up(orders[_i].method, orders[_i].event, orders[_i].cpus, orders[_i].pid);
	ck_assert_msg(attach() == 0, "%s", s.err.what);
	ck_assert_uint_eq(s.kernel.attr.disabled, 1);
	ck_assert_uint_eq(s.kernel.attr.inherit, orders[_i].inherit);
	ck_assert_uint_eq(s.kernel.attr.size, sizeof(struct perf_event_attr));
	for (unsigned int i = 0; i < s.set.nr; i++)
		ck_assert_uint_eq(s.set.list[i].prog, 3);
	ck_assert_int_eq(attach_enable(&s.kernel.files.sys, &s.set, &s.err), 0);
	tear_down();
	ck_assert_str_eq(s.kernel.log, orders[_i].log);
}

TEST(closes_one_by_one_before_5_9)
{
	set_up("link", "cpu-clock", NULL, NULL);
	s.kernel.no_close_range = true;
	ck_assert_int_eq(attach(), 0);
	tear_down();
	ck_assert_str_eq(s.kernel.log, "open -1:0 = 100; open -1:1 = 101; link 100 = 102; link 101 "
				       "= 103; close 102; close 103; close 100; close 101; ");
}

/* All maps are tried, and the first error is that of the whole. */
TEST_EACH(closing_reports_a_map_that_keeps_its_program, 3)
{
	set_up("link", "cpu-clock", NULL, NULL);
	ck_assert_int_eq(attach(), 0);
	for (unsigned int i = 0; i < 2; i++)
		s.set.list[i].by_map.map_fd = 50 + (int)i;
	s.kernel.fail_at = _i ? s.kernel.calls + _i : 0;
	s.kernel.fail_with = EBUSY;
	ck_assert_int_eq(attach_close(&s.kernel.files.sys, &s.set), _i ? -EBUSY : 0);
	ck_assert_pstr_eq(strstr(s.kernel.log, "detach"),
			  _i == 1 ? "detach 51; close 102-103; close 100-101; " :
			  _i == 2 ? "detach 50; close 102-103; close 100-101; " :
				    "detach 50; detach 51; close 102-103; close 100-101; ");
}

TEST(gives_the_cookie)
{
	set_up("link", "cpu-clock", "0", NULL);
	s.req.has_cookie = true;
	s.req.cookie = COOKIE;
	ck_assert_int_eq(attach(), 0);
	ck_assert_uint_eq(s.kernel.cookie, COOKIE);
}

/*
 * Two programs: whatever call of the second fails, the first stays, and nothing of the second is
 * left.
 */
TEST_EACH(unwinds_what_it_opened, attach_nr_methods)
{
	for (unsigned int n = 1;; n++) {
		unsigned int before;
		int ret;

		set_up(attach_methods[_i].name, "cpu-clock", NULL, NULL);
		ck_assert_int_eq(attach(), 0);
		before = s.kernel.files.open;
		s.kernel.calls = 0;
		s.kernel.fail_at = n;
		s.kernel.fail_with = EIO;
		ret = attach();
		if (ret == 0) {
			ck_assert_uint_eq(n, 5);
			tear_down();
			return;
		}
		ck_assert_int_eq(ret, -EIO);
		ck_assert_int_eq(s.err.code, -EIO);
		ck_assert_msg(strstr(s.err.where, n & 1 ? "event 'cpu-clock': CPU 0" :
				     "event 'cpu-clock': CPU 1"),
			      "call %u: %s", n, s.err.where);
		ck_assert_uint_eq(s.kernel.files.open, before);
		ck_assert_uint_eq(s.set.nr, 2);
		tear_down();
	}
}

TEST(reports_enable)
{
	set_up("ioctl", "cpu-clock", NULL, NULL);
	ck_assert_int_eq(attach(), 0);
	s.kernel.fail_at = 6;
	s.kernel.fail_with = EINVAL;
	ck_assert_int_eq(attach_enable(&s.kernel.files.sys, &s.set, &s.err), -EINVAL);
	ck_assert_str_eq(s.err.reason, "attach/enable");
	ck_assert_str_eq(s.err.where, "CPU 1");
}

TEST(enables_at_once_or_undoes_all)
{
	set_up("ioctl", "cpu-clock", NULL, NULL);
	s.set.enable = true;
	ck_assert_int_eq(attach(), 0);
	ck_assert_str_eq(s.kernel.log, "open -1:0 = 100; open -1:1 = 101; bind 100; bind 101; "
				       "enable 100; enable 101; ");
	/* A program that is attached later is enabled on its own. */
	ck_assert_int_eq(attach(), 0);
	ck_assert_ptr_nonnull(strstr(s.kernel.log, "bind 102; bind 103; enable 102; enable 103; "));
	tear_down();
	set_up("ioctl", "cpu-clock", NULL, NULL);
	s.set.enable = true;
	s.kernel.fail_at = 6;
	s.kernel.fail_with = EINVAL;
	ck_assert_int_eq(attach(), -EINVAL);
	ck_assert_str_eq(s.err.reason, "attach/enable");
	ck_assert_uint_eq(s.kernel.files.open, 0);
}

TEST(names_the_task)
{
	set_up("ioctl", "page-faults", NULL, "40");
	s.kernel.fail_at = 5;
	s.kernel.fail_with = EIO;
	ck_assert_int_eq(attach(), -EIO);
	ck_assert_str_eq(s.err.where, "event 'page-faults': task 41");
	s.kernel.fail_at = 0;
	ck_assert_int_eq(attach(), 0);
	s.kernel.fail_at = s.kernel.calls + 3;
	ck_assert_int_eq(attach_enable(&s.kernel.files.sys, &s.set, &s.err), -EIO);
	ck_assert_str_eq(s.err.where, "task 42");
}

/*
 * A process whose first thread has ended lives on in the others; one event on one of them is
 * enough.
 */
TEST(traces_a_thread_that_lives)
{
	set_up("ioctl", "sched:sched_switch", NULL, "40");
	s.kernel.dead = 40;
	ck_assert_int_eq(attach(), 0);
	ck_assert_int_eq(s.err.code, 0);
	tear_down();
	ck_assert_str_eq(s.kernel.log, "open 41:-1 = 100; bind 100; close 100; ");
}

TEST_RANGE(does_without_a_thread_that_ended, 40, 43)
{
	set_up("ioctl", "cpu-clock", NULL, "40");
	s.kernel.dead = _i;
	ck_assert_int_eq(attach(), 0);
	ck_assert_uint_eq(s.set.nr, 2);
	ck_assert_int_eq(s.err.code, 0);
}

TEST(needs_a_thread_that_lives)
{
	set_up("ioctl", "cpu-clock", NULL, "40");
	s.scope.nr_tids = 1;
	s.kernel.dead = 40;
	ck_assert_int_eq(attach(), -ESRCH);
	ck_assert_str_eq(s.err.reason, "perf-open/no-task");
}

static const struct {
	const char *method, *event;
	uint32_t prog_type;
	bool cookie;
	const char *reason, *what, *hint;
} refusals[] = {
	{ "ioctl", "cpu-clock", BPF_PROG_TYPE_PERF_EVENT, true, "attach/no-cookie",
	  "--attach=ioctl cannot pass a cookie", "link" },
	{ "pmu", "cpu-clock", BPF_PROG_TYPE_PERF_EVENT, true, "attach/no-cookie",
	  "--attach=pmu cannot pass a cookie", "link" },
	{ "link", "cpu-clock", BPF_PROG_TYPE_TRACEPOINT, false, "attach/prog-type",
	  "programs of type 5", "perf_event" },
	{ "ioctl", "sched:sched_switch", BPF_PROG_TYPE_PERF_EVENT, false, "attach/prog-type",
	  "programs of type 7",
	  "tracepoint/" },
	{ "ioctl", "mem:0x1000", BPF_PROG_TYPE_KPROBE, false, "attach/prog-type",
	  "programs of type 2", "perf_event" },
	{ "ioctl", "cpu-clock,period=0", BPF_PROG_TYPE_PERF_EVENT, false, "event/never-runs",
	  "period or frequency is 0", "period" },
	{ "link", "dummy", BPF_PROG_TYPE_PERF_EVENT, false, "event/never-runs", "never fires",
	  "cpu-clock" },
};

TEST_ROWS(refuses_beforehand, refusals)
{
	set_up(refusals[_i].method, refusals[_i].event, NULL, NULL);
	s.req.prog_type = refusals[_i].prog_type;
	s.req.has_cookie = refusals[_i].cookie;
	ck_assert_int_eq(attach(), -EINVAL);
	ck_assert_str_eq(s.err.reason, refusals[_i].reason);
	ck_assert_msg(strstr(s.err.what, refusals[_i].what), "%s", s.err.what);
	ck_assert_msg(strstr(s.err.hint, refusals[_i].hint), "%s", s.err.hint);
	ck_assert_str_eq(s.kernel.log, "");
}

/*
 * Each errno, and a kernel that gives it for a reason that is none of the known ones: it refuses
 * programs that do nothing as well.
 */
static const struct {
	const char *method;
	const struct fake_file *files;
	int code;
	const char *reason, *what, *hint;
} binds[] = {
	{ "ioctl", machine_of_today, EEXIST, "attach/failed", "unknown: EEXIST, no known cause",
	  "ruled out: a program on this event" },
	{ "link", machine_of_today, EEXIST, "attach/failed", "BPF_LINK_CREATE", "ruled out" },
	{ "ioctl", machine_of_today, E2BIG, "attach/failed", "unknown: E2BIG", "too many programs" },
	{ "ioctl", machine_of_today, EACCES, "attach/failed", "unknown: EACCES", "has none" },
	{ "ioctl", machine_of_today, EPROTO, "attach/failed", "unknown: EPROTO", "is not precise" },
	{ "ioctl", machine_of_today, EINVAL, "attach/failed",
	  "PERF_EVENT_IOC_SET_BPF: Invalid argument: unknown: EINVAL, no known cause",
	  "ruled out: the program and its type" },
	{ "link", machine_of_today, EINVAL, "attach/failed", "BPF_LINK_CREATE", "its type" },
	{ "link", machine, EINVAL, "attach/link-unsupported", "no links for perf events",
	  "--attach=ioctl" },
	{ "ioctl", machine, EPERM, "attach/no-capability", "CAP_BPF and CAP_PERFMON",
	  "cap_bpf,cap_perfmon" },
	{ "ioctl", machine, 524, "attach/unsupported", "ENOTSUPP", "CONFIG_BPF_EVENTS" },
	{ "link", machine, EOPNOTSUPP, "attach/unsupported", "cannot bind programs",
	  "CONFIG_BPF_EVENTS" },
	{ "link", machine, EMFILE, "attach/fd-limit", "out of file descriptors after 1 of 2 (of 2 "
						      "CPUs)", "ulimit" },
	{ "ioctl", machine, ENFILE, "attach/fd-limit", "none are left", "fs.file-max" },
	{ "link", machine, ENOMEM, "attach/no-memory", "Cannot allocate memory", "cgroup" },
	{ "link", machine, EIO, "attach/failed", "Input/output error", "dmesg" },
};

static void explain_binding(const char *reason, const char *what, const char *hint)
{
	const bool kprobe = s.spec.kind == EVENT_KPROBE;

	s.kernel.fail_at = kprobe ? 2 : 4;
	ck_assert_msg(attach() == -s.kernel.fail_with, "%s", s.err.what);
	ck_assert_str_eq(s.err.reason, reason);
	ck_assert_msg(strstr(s.err.what, what), "%s", s.err.what);
	ck_assert_msg(strstr(s.err.hint, hint), "%s", s.err.hint);
	ck_assert_str_eq(s.err.where, kprobe ? "event 'kprobe:vfs_read': CPU 0" :
						"event 'cpu-clock': CPU 1");
	ck_assert_msg(strstr(s.err.call, s.req.method->is_link ?
					  "bpf(BPF_LINK_CREATE, {link_create={" :
					  "ioctl(101, PERF_EVENT_IOC_SET_BPF, 7)"),
		      "%s", s.err.call);
	ck_assert_uint_eq(s.kernel.files.open, 0);
	tear_down();
}

TEST_ROWS(explains_binding, binds)
{
	set_up(binds[_i].method, "cpu-clock", NULL, NULL);
	s.kernel.files.table = binds[_i].files;
	s.kernel.occupied = -ENOENT;
	s.kernel.fail_with = binds[_i].code;
	explain_binding(binds[_i].reason, binds[_i].what, binds[_i].hint);
}

/* Each cause, and the kernel that shows it; and its neighbour, where one thing is otherwise. */
static const struct {
	const char *method;
	int code;
	const char *reason, *what, *hint;
	struct bpf_prog_info prog;
	uint32_t query[3];
	uint32_t takes;
	int occupied, closed_fd;
	bool sleepable, precise, kprobe, no_event, once;
} looks[] = {
	{ "ioctl", EEXIST, "attach/already-bound", "bound to this event", "one program",
	  .prog = { .id = 5 }, .query = { 3, 4 }, .occupied = 0 },
	{ "ioctl", EEXIST, "attach/already-bound", "bound to this event", "one program",
	  .prog = { .id = 5 }, .occupied = -EOPNOTSUPP },
	{ "ioctl", EEXIST, "attach/failed", "unknown: EEXIST", "ruled out",
	  .prog = { .id = 5 }, .query = { 3, 4 }, .occupied = -ENOENT },
	{ "ioctl", EEXIST, "attach/failed", "unknown: EEXIST", "may have a program: BPF_TASK_FD",
	  .prog = { .id = 5 }, .query = { 3, 4 }, .occupied = -EPERM },
	{ "link", EEXIST, "attach/same-program", "this program is already bound", "once",
	  .prog = { .id = 5 }, .query = { 3, 5 } },
	{ "ioctl", EINVAL, "attach/mismatch",
	  "runs programs of type BPF_PROG_TYPE_PERF_EVENT, not BPF_PROG_TYPE_XDP", "SEC(",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_XDP }, .takes = BPF_PROG_TYPE_PERF_EVENT },
	{ "link", EINVAL, "attach/mismatch",
	  "runs programs of type BPF_PROG_TYPE_KPROBE, not BPF_PROG_TYPE_TRACEPOINT", "SEC(",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_TRACEPOINT }, .takes = BPF_PROG_TYPE_KPROBE },
	{ "ioctl", EINVAL, "attach/not-sleepable", "a sleepable program", "syscalls",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_TRACEPOINT }, .query = { 3, 4 },
	  .takes = BPF_PROG_TYPE_TRACEPOINT, .sleepable = true },
	{ "ioctl", EINVAL, "attach/failed", "unknown: EINVAL", "a sleepable program",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_TRACEPOINT }, .query = { 3, 4 },
	  .takes = BPF_PROG_TYPE_TRACEPOINT },
	{ "link", EINVAL, "attach/kprobe-program", "cannot run a sleepable program", "uprobe.s",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_KPROBE }, .takes = BPF_PROG_TYPE_KPROBE,
	  .sleepable = true, .kprobe = true },
	{ "link", EINVAL, "attach/kprobe-program", "not what this one does", "error_injection",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_KPROBE }, .takes = BPF_PROG_TYPE_KPROBE,
	  .kprobe = true },
	{ "link", EINVAL, "attach/failed", "unknown: EINVAL", "ruled out: the program and its type",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_KPROBE }, .kprobe = true, .sleepable = true },
	{ "ioctl", EINVAL, "attach/failed", "unknown: EINVAL", "now works",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_XDP }, .once = true },
	{ "link", EINVAL, "attach/failed", "unknown: EINVAL", "now works",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_XDP }, .once = true },
	{ "ioctl", E2BIG, "attach/too-many", "the maximum number of programs, 64", "64",
	  .prog = { .id = 5 }, .query = { MANY } },
	{ "ioctl", E2BIG, "attach/failed", "unknown: E2BIG", "the tracepoint has 3",
	  .prog = { .id = 5 }, .query = { 1, 2, 3 } },
	{ "ioctl", EACCES, "attach/beyond-record", "beyond the end", "format",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_TRACEPOINT }, .query = { 3 },
	  .takes = BPF_PROG_TYPE_TRACEPOINT },
	{ "ioctl", EACCES, "attach/failed", "unknown: EACCES", "is refused, too",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_TRACEPOINT }, .query = { 3 } },
	{ "ioctl", EPROTO, "attach/needs-callchain", "stacks", "precise_ip",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_PERF_EVENT }, .takes = BPF_PROG_TYPE_PERF_EVENT,
	  .precise = true },
	{ "ioctl", EPROTO, "attach/failed", "unknown: EPROTO", "is refused, too",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_PERF_EVENT }, .precise = true },
	{ "ioctl", EPROTO, "attach/failed", "unknown: EPROTO", "is not precise",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_PERF_EVENT }, .takes = BPF_PROG_TYPE_PERF_EVENT },
	{ "ioctl", EOPNOTSUPP, "attach/failed", "unknown: EOPNOTSUPP", "an empty program attaches",
	  .prog = { .id = 5, .type = BPF_PROG_TYPE_PERF_EVENT }, .takes = BPF_PROG_TYPE_PERF_EVENT },
	{ "ioctl", EBADF, "attach/bad-fd", "program's file descriptor is closed", "replaced",
	  .closed_fd = PROG_FD },
	{ "link", EBADF, "attach/bad-fd", "event's file descriptor is closed", "replaced",
	  .closed_fd = FILES_FD_BASE + 1 },
	{ "ioctl", EBADF, "attach/bad-fd", "no longer refers to a program", "replaced",
	  .prog = { 0 } },
	{ "ioctl", EBADF, "attach/bad-fd", "no longer refers to an event", "replaced", .prog = { .id = 5 },
	  .no_event = true },
	{ "ioctl", EBADF, "attach/failed", "unknown: EBADF", "refer to an event", .prog = { .id = 5 } },
};

TEST_ROWS(asks_event_and_program, looks)
{
	set_up(looks[_i].method, looks[_i].kprobe ? "kprobe:vfs_read" : "cpu-clock", NULL, 0);
	s.kernel.files.table = machine_of_today;
	s.kernel.fail_with = looks[_i].code;
	memcpy(s.kernel.query, looks[_i].query, sizeof(s.kernel.query));
	s.kernel.prog = looks[_i].prog;
	s.kernel.closed_fd = looks[_i].closed_fd;
	s.kernel.occupied = looks[_i].occupied;
	s.kernel.takes = looks[_i].takes;
	s.kernel.no_event = looks[_i].no_event;
	s.kernel.once = looks[_i].once;
	s.req.sleepable = looks[_i].sleepable;
	s.spec.modifiers.precise = looks[_i].precise ? 2 : 0;
	s.req.prog_type = event_prog_type(&s.spec);
	explain_binding(looks[_i].reason, looks[_i].what, looks[_i].hint);
}

TEST_EACH(costs_three_calls_an_event, attach_nr_methods)
{
	set_up(attach_methods[_i].name, "cpu-clock", NULL, NULL);
	s.kernel.files.calls = 0;
	ck_assert_int_eq(attach(), 0);
	ck_assert_int_eq(attach_enable(&s.kernel.files.sys, &s.set, NULL), 0);
	ck_assert_uint_eq(s.kernel.calls, 6);
	/* Method pmu opens three files in addition: type, cpumask and cpus. */
	if (strcmp(attach_methods[_i].name, "pmu") != 0)
		ck_assert_uint_eq(s.kernel.files.calls, 6);
}

TEST(names_the_methods)
{
	struct error err = { 0 };

	for (unsigned int i = 0; i < attach_nr_methods; i++)
		ck_assert_ptr_eq(attach_method_find(attach_methods[i].name, NULL),
				 &attach_methods[i]);
	ck_assert_ptr_null(attach_method_find("perf_event_ioctl", &err));
	ck_assert_int_eq(err.code, -EINVAL);
	ck_assert_str_eq(err.reason, "attach/no-method");
	ck_assert_msg(strstr(err.hint, "ioctl, pmu and link"), "%s", err.hint);
	ck_assert_ptr_null(attach_method_find("type", NULL));
	ck_assert_ptr_null(attach_method_find("type+", NULL));
	ck_assert_ptr_null(attach_method_find("ioctl+link", NULL));
}

TEST(refuses_what_a_cell_cannot_open)
{
	set_up("tracefs+link", "cpu-clock", NULL, NULL);
	ck_assert_int_eq(attach(), -ENOTSUP);
	ck_assert_str_eq(s.err.reason, "attach/no-cell");
	ck_assert_str_eq(s.err.hint, "--attach=type+link");
	ck_assert_str_eq(s.kernel.log, "");
}

static const struct {
	const char *method, *event, *cpus, *pid;
	uint64_t period, cookie;
	const char *notes;	/* words of each, in order */
} notes[] = {
	{ "ioctl", "cpu-clock", NULL, NULL, 0, 0, "" },
	{ "ioctl", "cpu-clock", "0", "40", 1000, 0, "" },
	{ "ioctl", "sched:sched_switch", NULL, NULL, 0, 0, "" },
	{ "ioctl", "sched:sched_switch", NULL, "40", 0, 0, "-p" },
	{ "ioctl", "sched:sched_switch", "0", "40", 5, 0, "-p -C each" },
	{ "ioctl", "sched:sched_switch,period=1", NULL, NULL, 0, 0, "" },
	{ "ioctl", "cpu-clock,freq=9", NULL, NULL, 5, 0, "own" },
	{ "link", "cpu-clock", NULL, "40", 0, 9, "cookie" },
	{ "link", "cpu-clock", NULL, NULL, 0, 9, "" },
};

static void take_note(void *arg, const char *text)
{
	static const struct { const char *text, *word; } words[] = {
		{ "-p says", "-p" }, { "-C says", "-C" }, { "every time", "each" },
		{ "its own period", "own" },
		{ "cookie 0", "cookie" },
	};
	char *seen = arg;

	for (int i = 0; i < NR(words); i++)
		if (strstr(text, words[i].text)) {
			strcat(seen, seen[0] ? " " : "");
			strcat(seen, words[i].word);
			return;
		}
	strcat(seen, "?");
}

/* A frequency is noted as a period is. */
TEST_EACH(notes_surprises, 2 * NR(notes))
{
	const int row = _i / 2;
	char seen[256] = "";

	set_up(notes[row].method, notes[row].event, notes[row].cpus, notes[row].pid);
	*(_i % 2 ? &s.req.freq : &s.req.period) = notes[row].period;
	s.req.cookie = notes[row].cookie;
	attach_notes(&s.req, take_note, seen);
	ck_assert_str_eq(seen, notes[row].notes);
}

/* The result of BPF_PROG_ATTACH on a kernel without links to maps. */
static long prog_attach_answer;

static long older_kernel(struct sys *sys, long nr, const unsigned long arg[6])
{
	(void)sys;
	if (nr != __NR_bpf)
		return -ENOSYS;
	return arg[0] == BPF_PROG_ATTACH ? prog_attach_answer : -EINVAL;
}

/* A program that BPF_PROG_ATTACH refused is no attachment; the rest of the set is unchanged. */
TEST(an_older_map_takes_the_program_or_leaves_the_set)
{
	struct sys sys = { .enter = older_kernel };
	const struct target_options where = { 0 };
	const struct target_request req = {
		.target = link_target_find(BPF_PROG_TYPE_SK_MSG, BPF_SK_MSG_VERDICT),
		.options = &where, .map = "sockets", .map_fd = 5, .prog_fd = PROG_FD, .prog = 3,
		.attach_type = BPF_SK_MSG_VERDICT,
	};
	struct attach_set set = { 0 };
	struct error err = { 0 };

	ck_assert_int_eq(req.target->kind, TARGET_MAP);
	ck_assert_int_eq(link_target_bind(&sys, &req, &set, &err), 0);
	ck_assert_uint_eq(set.nr, 1);
	ck_assert_int_eq(set.list[0].by_map.map_fd, 5);
	ck_assert_int_eq(set.list[0].link_fd, -1);
	prog_attach_answer = -EPERM;
	ck_assert_int_eq(link_target_bind(&sys, &req, &set, &err), -EPERM);
	ck_assert_uint_eq(set.nr, 1);
	free(set.list);
	error_clear(&err);
}
