// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Errors of opening an event: each errno, each cause that is checked, and the message. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include <linux/hw_breakpoint.h>

#include "loader/explain/event/open_failed.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"

/* Attributes and arguments that a PMU may reject, and that an event of these tests may have. */
enum part {
	GROUP = 1 << 0,
	EXCLUDES = 1 << 1,
	PRECISE = 1 << 2,
	INHERIT = 1 << 3,
	SAMPLING = 1 << 4,
	CGROUP = 1 << 5,
	TASK = 1 << 6,
	CONFIG = 1 << 7,	/* nothing helps */
	OTHER_TASK = 1 << 8,
	RAW = 1 << 9,
	GUESTS = 1 << 10,
	FOURTH = 1 << 11,	/* config4 */
	DEEP = 1 << 12,		/* sample_max_stack 128 */
	ALL = 1 << 13,		/* the dummy event has it, too */
	EXTENDED = 1 << 15,	/* the number of a PMU in the upper half of config */
	PLAIN = 1 << 14,	/* a breakpoint that is not for 4 aligned bytes to be written */
};

#define LEADER FILES_FD_BASE
#define TASK_ID 77
#define CGROUP_FD (FILES_FD_BASE + 40)

/* A kernel that fails with code while the event has one of the parts it does not take. */
struct open_kernel {
	int code;
	unsigned int refuses;
	unsigned int precise;		/* the most that opens */
	unsigned int slots[2];		/* breakpoints that are free, by CPU */
	bool once;			/* the call that fails works when it is repeated */
};

#define NO(code_, refuses_) { .code = (code_), .refuses = (refuses_) }

static unsigned int parts_of(const struct open_kernel *kernel, const unsigned long arg[6])
{
	const struct perf_event_attr *attr = (const struct perf_event_attr *)arg[0];
	const int tid = arg[1];
	unsigned int has = ALL;

	if (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY)
		return has;
	has |= CONFIG;
	if (attr->bp_type && (attr->bp_type != HW_BREAKPOINT_W || attr->bp_len != 4 ||
			      attr->bp_addr % 4096))
		has |= PLAIN;
	if (attr->type == PERF_TYPE_HW_CACHE && attr->config >> PERF_PMU_TYPE_SHIFT)
		has |= EXTENDED;
	if (attr->sample_max_stack)
		has |= DEEP;
	if ((int)arg[3] >= 0)
		has |= GROUP;
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_guest)
		has |= EXCLUDES;
	if (!attr->exclude_guest)
		has |= GUESTS;
	if (attr->config4)
		has |= FOURTH;
	if (attr->precise_ip > kernel->precise)
		has |= PRECISE;
	if (attr->inherit)
		has |= INHERIT;
	if (attr->sample_period)
		has |= SAMPLING;
	if (arg[4] & PERF_FLAG_PID_CGROUP)
		has |= CGROUP;
	else if (tid >= 0)
		has |= TASK;
	if (tid > 0)
		has |= OTHER_TASK;
	return has;
}

static long breakpoint(struct files *files, struct open_kernel *kernel, int cpu)
{
	if (cpu < 0)
		return -ENOSPC;
	ck_assert(cpu == 0 || cpu == 1);
	if (!kernel->slots[cpu])
		return -ENOSPC;
	kernel->slots[cpu]--;
	return files_take_fd(files, NULL);
}

static long open_other(struct files *files, long nr, const unsigned long arg[6])
{
	struct open_kernel *kernel = files->arg;
	uint64_t *limit = (uint64_t *)arg[3];

	if (nr == __NR_prlimit64) {
		ck_assert_uint_eq(arg[1], RLIMIT_NOFILE);
		limit[0] = 16;
		limit[1] = 4096;
		return 0;
	}
	if (nr != __NR_perf_event_open)
		return -ENOSYS;
	ck_assert(arg[4] & PERF_FLAG_FD_CLOEXEC);
	if (kernel->once)
		return files_take_fd(files, NULL);
	if (kernel->code == ENOSPC && ((const struct perf_event_attr *)arg[0])->bp_type)
		return breakpoint(files, kernel, arg[2]);
	return parts_of(kernel, arg) & kernel->refuses ? -kernel->code : files_take_fd(files, NULL);
}

static const struct fake_file nothing[] = { { 0 } };

static const struct fake_file machine[] = {
	{ "/proc/77/stat", "77 (a) b) Z 1 77 77 0 -1 4194316 0\n", 0 },
	{ "/proc/self/status", "Name:\tx\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n",
	  0 },
	{ "/proc/sys/kernel/perf_event_max_sample_rate", "1000\n", 0 },
	{ "/proc/sys/kernel/perf_event_max_stack", "127\n", 0 },
	{ "/proc/sys/kernel/perf_event_paranoid", "4\n", 0 },
	{ "/sys/bus/event_source/devices/msr/type", "10\n", 0 },
	{ "/sys/devices/system/cpu/online", "0-1\n", 0 },
	{ 0 }
};

static const struct fake_file machine_of_root[] = {
	{ "/proc/self/status", "Name:\tx\nCapEff:\t0000004000000000\n", 0 },
	{ "/proc/sys/kernel/perf_event_paranoid", "2\n", 0 },
	{ "/sys/bus/event_source/devices/cpu/type", "4\n", 0 },
	{ "/sys/devices/system/cpu/online", "0-1\n", 0 },
	{ 0 }
};

/*
 * A process without privileges where perf_event_paranoid is 0: everybody may count CPUs. At level 1
 * everybody may count only their own tasks, including what the kernel does for them.
 */
static const struct fake_file machine_for_all[] = {
	{ "/proc/self/status", "CapEff:\t0000000000000000\n", 0 },
	{ "/proc/sys/kernel/perf_event_paranoid", "0\n", 0 },
	{ 0 }
};

/* The states of a task that the kernel does not find. */
static const struct fake_file machine_running[] = {
	{ "/proc/77/stat", "77 (x) S 1 77 77 0 -1 4194304 0\n", 0 }, { 0 }
};

static const struct fake_file machine_exiting[] = {
	{ "/proc/77/stat", "77 (x) R 1 77 77 0 -1 4194308 0\n", 0 }, { 0 }
};

static const struct fake_file machine_hidden[] = {
	{ "/proc/77/stat", NULL, EACCES }, { 0 }
};

static const struct {
	const char *text;
	struct open_kernel kernel;
	const struct fake_file *files;
	unsigned int has;	/* besides what the text says */
	int cpu;
	const char *reason, *what, *hint;
} opens[] = {
	{ "cpu-clock", NO(EACCES, CONFIG), machine, 0, 0, "perf-open/paranoid",
	  "CAP_PERFMON while kernel.perf_event_paranoid is 4", "perf_event_paranoid=0" },
	{ "cpu-clock", NO(EACCES, CONFIG), machine, TASK, -1, "perf-open/paranoid",
	  "it requires CAP_PERFMON while kernel.perf_event_paranoid is", "perf_event_paranoid=1" },
	{ "cpu-clock", NO(EACCES, CONFIG), machine, TASK | EXCLUDES, -1, "perf-open/paranoid",
	  "it requires CAP_PERFMON while kernel.perf_event_paranoid is", "perf_event_paranoid=2" },
	{ "cpu-clock", NO(EPERM, CONFIG), nothing, 0, 0, "perf-open/no-capability",
	  "it requires CAP_PERFMON", "root" },
	{ "cpu-clock", NO(EACCES, CONFIG), machine_for_all, 0, 0, "perf-open/denied",
	  "no cause found", "dmesg" },
	{ "sched:sched_switch", NO(EPERM, CONFIG), machine_for_all, RAW, 0, "perf-open/paranoid",
	  "perf_event_paranoid is 0", "perf_event_paranoid=-1" },
	{ "cpu-clock", NO(EPERM, CONFIG), machine_of_root, 0, 0, "perf-open/denied",
	  "no cause found", "securityfs" },
	{ "cpu-clock", NO(EACCES, OTHER_TASK), machine, TASK, -1, "perf-open/not-traceable",
	  "this process may observe itself, but not that task", "CAP_PERFMON" },

	{ "cycles", NO(ENOENT, CONFIG), machine, 0, 0, "perf-open/no-pmu",
	  "no hardware PMU that counts cycles", "-e cpu-clock" },
	{ "cycles", NO(EOPNOTSUPP, CONFIG), machine, 0, 0, "perf-open/no-pmu", "no hardware PMU",
	  "-e cpu-clock" },
	{ "ref-cycles", NO(ENOENT, CONFIG), machine_of_root, 0, 0, "perf-open/no-event",
	  "no PMU on this machine accepts this event", "cpu" },
	{ "99:0", NO(ENOENT, CONFIG), machine, 0, 0, "perf-open/no-event", "no PMU on this machine accepts this event",
	  "msr" },
	{ "99:0", NO(524, CONFIG), machine, 0, 0, "perf-open/no-event", "ENOTSUPP", "msr" },
	{ "99:0", NO(ENXIO, CONFIG), machine, 0, 0, "perf-open/no-event", "No such device", "msr" },

	/* Opened again without: works. */
	{ "3:0x400000000", NO(ENOENT, EXTENDED), machine, 0, 0, "perf-open/no-extended-type",
	  "does not find its PMU by number", "--attach=type+ioctl" },
	{ "3:0x40000ffff", NO(ENOENT, CONFIG), machine, 0, 0, "perf-open/no-pmu",
	  "no hardware PMU", "-e cpu-clock" },
	{ "10:0", NO(EINVAL, SAMPLING), machine, 0, 0, "perf-open/no-sampling", "never run",
	  "bpf_perf_event_read" },
	{ "10:0", NO(EOPNOTSUPP, SAMPLING), machine, 0, 0, "perf-open/no-sampling", "never run",
	  "bpf_perf_event_read" },
	{ "10:0", NO(EINVAL, EXCLUDES), machine, EXCLUDES, 0, "perf-open/no-filter",
	  "cannot distinguish user from kernel", ":u" },
	{ "cycles", { .code = EOPNOTSUPP, .refuses = PRECISE, .precise = 2 }, machine, PRECISE, 0,
	  "perf-open/precise",
	  "samples that precise", "it opens with precise_ip 2, but 3 was requested: use fewer" },
	{ "cycles", NO(EOPNOTSUPP, PRECISE), machine, PRECISE, 0, "perf-open/precise",
	  "samples that precise", "opens with precise_ip 0" },
	{ "cycles", NO(EINVAL, INHERIT), machine, INHERIT | TASK, -1, "perf-open/inherit",
	  "inherited", "--no-inherit" },
	{ "cycles", NO(EINVAL, GROUP), machine, GROUP, 0, "perf-open/group", "it does not fit on the PMU with this group",
	  "one PMU" },
	{ "cycles", NO(EINVAL, CGROUP), machine, CGROUP, 1, "perf-open/cgroup", "this cgroup",
	  "CONFIG_CGROUP_PERF" },
	{ "10:0", NO(EINVAL, TASK), machine, TASK, -1, "perf-open/no-tasks", "its PMU counts per CPU, not per task",
	  "-p" },
	{ "cycles", NO(EOPNOTSUPP, GUESTS), machine, 0, 0, "perf-open/guests",
	  "a running virtual machine has exclusive use of the PMU", ":H" },
	{ "10:0", NO(EINVAL, SAMPLING | TASK), machine, TASK | EXCLUDES, -1,
	  "perf-open/combination", "without a modifier as :u or :k, sampling, the task",
	  "its PMU does not support this combination" },
	{ "cpu-clock,freq=1000", NO(EINVAL, CONFIG), machine, 0, 0, "perf-open/config",
	  "its PMU does not accept this config", "format/" },
	{ "4:1", NO(EINVAL, CONFIG), machine, TASK, -1, "perf-open/config",
	  "its PMU does not accept this config", "format/" },
	{ "cpu-clock,freq=1001", NO(EINVAL, CONFIG), machine, 0, 0, "perf-open/rate",
	  "1001 Hz is above", "1000 Hz" },

	{ "cpu-clock", NO(ENODEV, CONFIG), machine, 0, 5, "perf-open/offline-cpu", "not online",
	  "0-1" },
	{ "cycles", NO(ENODEV, CONFIG), machine, 0, 1, "perf-open/no-pmu", "no hardware PMU",
	  "-e cpu-clock" },
	{ "cpu-clock", NO(ESRCH, CONFIG), machine_of_root, TASK, -1, "perf-open/no-task",
	  "the task has ended, or is not in this pid namespace", "-p" },
	{ "cpu-clock", NO(ESRCH, CONFIG), machine, TASK, -1, "perf-open/no-task",
	  "has not waited for it", "-p" },
	{ "cpu-clock", NO(ESRCH, CONFIG), machine_exiting, TASK, -1, "perf-open/no-task",
	  "has not waited for it", "-p" },
	{ "cpu-clock", NO(ESRCH, CONFIG), machine_running, TASK, -1, "perf-open/failed",
	  "unknown: ESRCH", "ruled out: a task that has ended (it is running)" },
	{ "cpu-clock", NO(ESRCH, CONFIG), machine_hidden, TASK, -1, "perf-open/failed",
	  "unknown: ESRCH", "the task may have ended: cannot read its stat file in /proc" },
	{ "cpu-clock", NO(ESRCH, CONFIG), machine, 0, 0, "perf-open/failed", "unknown: ESRCH",
	  "ruled out: a task that has ended (the event is not for" },
	{ "cycles", NO(ESRCH, CONFIG), machine, CGROUP, 0, "perf-open/failed", "unknown: ESRCH",
	  "ruled out: a task that has ended (the event is not for" },
	{ "cpu-clock", NO(ETIME, CONFIG), machine, TASK, -1, "perf-open/waits",
	  "the kernel is waiting for this task, which its user has", "leave it out" },
	{ "cpu-clock", NO(EMFILE, CONFIG), machine, 0, 0, "perf-open/fd-limit", "file descriptor",
	  "limit is 16 (hard: 4096)" },
	{ "cpu-clock", NO(ENFILE, CONFIG), machine, 0, 0, "perf-open/fd-limit",
	  "the machine is out of file descriptors", "fs.file-max" },
	{ "cycles", NO(ENOSPC, CONFIG), machine, 0, 0, "perf-open/no-space", "no room",
	  "another user" },
	{ "cycles", NO(ENOSPC, GROUP), machine, GROUP, 0, "perf-open/group", "it does not fit on the PMU with this group",
	  "one PMU" },
	{ "cycles", NO(EBUSY, CONFIG), machine, 0, 0, "perf-open/busy", "another user",
	  "nmi_watchdog" },
	{ "cycles", NO(ENOSYS, CONFIG), nothing, 0, 0, "perf-open/no-syscall", "no perf events",
	  "CONFIG_PERF_EVENTS" },
	{ "cycles", NO(ENOSYS, CONFIG), machine, 0, 0, "perf-open/denied", "no cause found",
	  "ruled out" },
	{ "cycles", NO(E2BIG, CONFIG), machine, 0, 0, "perf-open/failed", "unknown: E2BIG",
	  "config3 and config4" },
	{ "cycles", NO(E2BIG, CONFIG), machine, FOURTH, 0, "perf-open/failed", "unknown: E2BIG",
	  "config3 and config4" },
	{ "cycles", NO(E2BIG, FOURTH), machine, FOURTH, 0, "perf-open/too-old", "this event needs fields of perf_event_attr that this kernel",
	  "config4 needs Linux 6.19" },
	{ "cycles", NO(EOVERFLOW, DEEP), machine, DEEP, 0, "perf-open/max-stack", "more frames",
	  "perf_event_max_stack=128" },
	{ "cycles", NO(EOVERFLOW, CONFIG), machine, 0, 0, "perf-open/failed", "unknown: EOVERFLOW",
	  "more frames" },
	{ "cycles", NO(EOVERFLOW, DEEP), nothing, DEEP, 0, "perf-open/failed", "unknown: EOVERFLOW",
	  "more frames" },
	{ "cycles", NO(ENOMEM, CONFIG), machine, 0, 0, "perf-open/no-memory", "the kernel reports that it is out of memory", "-C" },
	{ "cycles", NO(EIO, CONFIG), machine, 0, 0, "perf-open/failed", "Input/output error",
	  "dmesg" },

	/* A kernel that refuses everything, and one that no longer does. */
	{ "cycles", NO(ENOENT, ALL), machine, 0, 0, "perf-open/failed", "unknown: ENOENT",
	  "the dummy event" },
	{ "cycles", NO(ENODEV, ALL), machine, 0, 1, "perf-open/failed", "unknown: ENODEV",
	  "the dummy event" },
	{ "99:0", NO(EOPNOTSUPP, ALL), machine, 0, 0, "perf-open/failed", "unknown: EOPNOTSUPP",
	  "the dummy event" },
	{ "4:1", NO(EINVAL, ALL), machine, TASK, -1, "perf-open/failed",
	  "perf_event_open: Invalid argument: unknown: EINVAL, no known cause applies",
	  "ruled out: the event (the dummy event, which every kernel" },
	{ "cycles", NO(ENOSPC, ALL), machine, 0, 0, "perf-open/failed", "unknown: ENOSPC",
	  "the dummy event" },
	{ "cycles", NO(EBUSY, ALL), machine, 0, 0, "perf-open/failed", "unknown: EBUSY",
	  "the dummy event" },
	{ "mem:0x1000/3:w", NO(EINVAL, ALL), machine, 0, 0, "perf-open/failed", "unknown: EINVAL",
	  "ruled out: length, address and access (an aligned 4-byte" },
	{ "4:1", { .code = EINVAL, .once = true }, machine, TASK, -1, "perf-open/failed",
	  "unknown: EINVAL", "the same call now works: the cause is gone" },
	{ "mem:0x1000", { .code = ENOSPC, .slots = { 1, 1 } }, machine, TASK, -1,
	  "perf-open/failed", "unknown: ENOSPC", "CPU 0 has 1 free, CPU 1 has 1 free" },

	{ "mem:0x1000", { .code = ENOSPC, .slots = { 0, 3 } }, machine, 0, 0,
	  "perf-open/no-breakpoint-slot", "all breakpoint registers of the CPU are in use", "CPU 0 has 0 free, CPU 1 has 3 "
								  "free" },
	{ "mem:0x1000", { .code = ENOSPC, .slots = { 1, 0 } }, machine, TASK, -1,
	  "perf-open/no-breakpoint-slot", "a breakpoint for a task needs a register on every CPU, and", "CPU 0 has 1 free, CPU 1 has 0 "
								  "free" },
	{ "mem:0x1000/3:w", NO(EINVAL, PLAIN), machine, 0, 0, "perf-open/breakpoint",
	  "power of two", "the length must be 1, 2, 4 or 8, and the address a multiple" },
	{ "mem:0x1002/4:w", NO(EINVAL, PLAIN), machine, 0, 0, "perf-open/breakpoint",
	  "multiple of its length", "the length must be 1, 2, 4 or 8, and the address a multiple" },
	{ "mem:0x1000/4:r", NO(EINVAL, PLAIN), machine, 0, 0, "perf-open/breakpoint",
	  "this processor cannot watch only reads", "rw" },
};

/* Fills in the arguments of event_open() for the event @text with the parts @has of the row. */
static void describe(struct files *files, const char *text, unsigned int has, int cpu,
		     struct event_spec *spec, struct perf_event_attr *attr, struct event_call *call)
{
	static const struct fake_file tracefs[] = {
		{ "/sys/kernel/tracing/events/sched/sched_switch/id", "314\n", 0 }, { 0 }
	};
	struct cpu_list cpus;

	files_init(files, tracefs);
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	ck_assert_int_eq(event_parse(spec, text, NULL), 0);
	ck_assert_int_eq(event_by_type(&files->sys, spec, attr, &cpus, NULL), 0);
	ck_assert_int_eq(event_sampling(spec, 0, 0, attr, NULL), 0);
	attr->exclude_kernel = !!(has & EXCLUDES);
	attr->precise_ip = has & PRECISE ? 3 : 0;
	attr->inherit = !!(has & INHERIT);
	attr->config4 = !!(has & FOURTH);
	attr->sample_max_stack = has & DEEP ? 128 : 0;
	attr->sample_type |= has & RAW ? PERF_SAMPLE_RAW : 0;
	*call = (struct event_call){
		.spec = spec, .attr = attr, .cpu = cpu,
		.tid = has & CGROUP ? CGROUP_FD : has & TASK ? TASK_ID : -1,
		.group_fd = has & GROUP ? LEADER : -1,
		.flags = PERF_FLAG_FD_CLOEXEC | (has & CGROUP ? PERF_FLAG_PID_CGROUP : 0),
	};
}

TEST_ROWS(explains_failures, opens)
{
	struct open_kernel kernel = opens[_i].kernel;
	struct perf_event_attr attr;
	struct error err = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct event_call call;
	struct files files;

	describe(&files, opens[_i].text, opens[_i].has, opens[_i].cpu, &spec, &attr, &call);
	files_init(&files, opens[_i].files);
	files.other = open_other;
	files.arg = &kernel;
	ck_assert_int_eq(event_open_failed(&files.sys, &call, kernel.code, &err), -kernel.code);
	ck_assert_int_eq(err.code, -kernel.code);
	ck_assert_pstr_eq(err.reason, opens[_i].reason);
	ck_assert_msg(strstr(err.what, opens[_i].what), "'%s' has no '%s'", err.what,
		      opens[_i].what);
	ck_assert_msg(strstr(err.hint, opens[_i].hint), "'%s' has no '%s'", err.hint,
		      opens[_i].hint);
	ck_assert_msg(!strncmp(err.call, "perf_event_open({type=", 22), "%s", err.call);
	ck_assert_uint_eq(files.open, 0);
}

static int open_clock(struct files *files, struct error *err)
{
	struct perf_event_attr attr;
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct event_call call;
	struct files other;

	describe(&other, "cpu-clock", 0, 0, &spec, &attr, &call);
	return event_open(&files->sys, &spec, &attr,
			  &(struct event_target){ .tid = -1, .cpu = 0 }, -1, err);
}

TEST(opens_with_one_call)
{
	struct open_kernel kernel = { .code = 0 };
	struct error err = { 0 };
	struct files files;
	int fd;

	files_init(&files, nothing);
	files.other = open_other;
	files.arg = &kernel;
	fd = open_clock(&files, &err);
	ck_assert_int_ge(fd, FILES_FD_BASE);
	ck_assert_uint_eq(files.calls, 1);
	/* A caller without a struct error costs one call: nobody would read the cause. */
	kernel = (struct open_kernel)NO(EACCES, CONFIG);
	ck_assert_int_eq(open_clock(&files, NULL), -EACCES);
	ck_assert_uint_eq(files.calls, 2);
	ck_assert_int_eq(open_clock(&files, &err), -EACCES);
	ck_assert_str_eq(err.call, "perf_event_open({type=PERF_TYPE_SOFTWARE, size=144, "
				   "config=PERF_COUNT_SW_CPU_CLOCK, sample_freq=99, "
				   "sample_type=PERF_SAMPLE_ADDR, disabled=1, freq=1}, "
				   "-1, 0, -1, PERF_FLAG_FD_CLOEXEC) = -EACCES");
}
