// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Why perf_event_open(2) failed. An errno can have many causes. Each is checked, usually by opening
 * the event again with something left out.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "loader/explain/event/open_failed.h"
#include "loader/core/sys/refused.h"
#include "loader/explain/denied/privilege.h"

int open_fail(int code, struct error *err, const char *reason, const char *what)
{
	error_set(err, code, "perf_event_open: %s: %s", error_strerror(code), what);
	error_reason(err, reason);
	return -code;
}

int open_failed_by(const struct open_failure *f, struct error *err, const char *reason,
		   const char *what)
{
	return open_fail(f->code, err, reason, what);
}

int open_unknown(const struct open_failure *f, struct error *err, const char *ruled_out)
{
	return sys_error_unknown(err, "perf_event_open", f->code, "perf-open/failed", "%s",
				 ruled_out);
}

int open_again(struct sys *sys, const struct event_call *call, const struct perf_event_attr *attr)
{
	struct perf_event_attr copy = *attr;	/* E2BIG makes the kernel write to it */
	int fd;

	copy.disabled = 1;
	sys_why(sys, "diagnosis: does the event open with these attributes?");
	fd = sys_perf_event_open(sys, &copy, call->tid, call->cpu, call->group_fd, call->flags);
	if (fd < 0)
		return fd;
	sys_close(sys, fd);
	return 0;
}

/* Return true if @call opens with @attr instead of its own; close it again. */
static bool event_opens(struct sys *sys, const struct event_call *call,
			const struct perf_event_attr *attr)
{
	return open_again(sys, call, attr) == 0;
}

bool open_takes_dummy(const struct open_failure *f)
{
	struct event_call call = *f->call;
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER0,
					.config = PERF_COUNT_SW_DUMMY };

	call.group_fd = -1;
	attr.exclude_user = f->attr->exclude_user;
	attr.exclude_kernel = f->attr->exclude_kernel;
	attr.exclude_hv = f->attr->exclude_hv;
	return event_opens(f->sys, &call, &attr);
}

/* --- not permitted --- */

/*
 * The highest perf_event_paranoid at which perf_allow_kernel(), _cpu() or _tracepoint() permits it.
 */
static int64_t paranoid_limit(const struct event_call *call)
{
	if (call->attr->type == PERF_TYPE_TRACEPOINT &&
	    call->attr->sample_type & PERF_SAMPLE_RAW)
		return -1;
	if (call->tid < 0 || call->flags & PERF_FLAG_PID_CGROUP)
		return 0;
	return call->attr->exclude_kernel ? 2 : 1;
}

static int explain_permission(const struct open_failure *f, struct error *err)
{
	const struct sys_asked asked = {
		.room = SYS_PERF_OPEN, .call = "perf_event_open", .caps = SYS_CAP(CAP_PERFMON),
		.sysctl = "perf_event_paranoid", .at_most = paranoid_limit(f->call),
		.nr = __NR_perf_event_open,
	};
	struct event_call own = *f->call;

	if (f->call->tid > 0 && !(f->call->flags & PERF_FLAG_PID_CGROUP)) {
		own.tid = 0;
		if (event_opens(f->sys, &own, f->attr)) {
			open_failed_by(f, err, "perf-open/not-traceable",
			     "this process may observe itself, but not that task");
			return error_hint(err, "it belongs to another user or may not be traced: "
					       "use CAP_PERFMON, or run as its user");
		}
	}
	return sys_denied(f->sys, &asked, f->code, err);
}

/* --- an attribute without which the event opens --- */

struct part {
	const char *name;	/* "it opens without ..." */
	/* Clear the attribute. Return false if it was not set. */
	bool (*drop)(struct event_call *call, struct perf_event_attr *attr);
	const char *reason, *what, *hint;
};

static bool drop_group(struct event_call *call, struct perf_event_attr *attr)
{
	const bool had = call->group_fd >= 0;

	(void)attr;
	call->group_fd = -1;
	return had;
}

static bool drop_excludes(struct event_call *call, struct perf_event_attr *attr)
{
	const bool had = attr->exclude_user || attr->exclude_kernel || attr->exclude_hv ||
			 attr->exclude_idle || attr->exclude_host || attr->exclude_guest;

	(void)call;
	attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = attr->exclude_idle =
		attr->exclude_host = attr->exclude_guest = 0;
	return had;
}

static bool drop_precise(struct event_call *call, struct perf_event_attr *attr)
{
	const bool had = attr->precise_ip;

	(void)call;
	attr->precise_ip = 0;
	return had;
}

static bool drop_sampling(struct event_call *call, struct perf_event_attr *attr)
{
	const bool had = attr->sample_period;

	(void)call;
	attr->sample_period = attr->freq = attr->sample_type = attr->precise_ip = 0;
	return had;
}

static bool drop_inherit(struct event_call *call, struct perf_event_attr *attr)
{
	const bool had = attr->inherit;

	(void)call;
	attr->inherit = attr->inherit_thread = attr->inherit_stat = 0;
	return had;
}

static bool drop_cgroup(struct event_call *call, struct perf_event_attr *attr)
{
	const bool had = call->flags & PERF_FLAG_PID_CGROUP;

	(void)attr;
	if (had)
		call->tid = -1;
	call->flags &= ~(unsigned long)PERF_FLAG_PID_CGROUP;
	return had;
}

static bool drop_task(struct event_call *call, struct perf_event_attr *attr)
{
	const bool had = call->tid >= 0 && !(call->flags & PERF_FLAG_PID_CGROUP);

	(void)attr;
	if (had)
		call->tid = -1;
	if (had && call->cpu < 0)
		call->cpu = 0;
	return had;
}

/* The number of a PMU in the upper half of config: PERF_PMU_TYPE_SHIFT. */
static bool drop_extended_type(struct event_call *call, struct perf_event_attr *attr)
{
	const bool had = (attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE) &&
			 attr->config >> PERF_PMU_TYPE_SHIFT;

	(void)call;
	attr->config = had ? (uint32_t)attr->config : attr->config;
	return had;
}

static bool drop_guests(struct event_call *call, struct perf_event_attr *attr)
{
	const bool had = !attr->exclude_guest;

	(void)call;
	attr->exclude_guest = 1;
	return had;
}

/*
 * Causes in perf_event_open(), in pmu->event_init(), and in perf_install_in_context().
 */
static const struct part parts[] = {
	{ "its group", drop_group, "perf-open/group", "it does not fit on the PMU with this group",
	  "a group uses one PMU, for one task and CPU, and cannot have more events than the PMU "
	  "has counters" },
	{ "a modifier as :u or :k", drop_excludes, "perf-open/no-filter",
	  "its PMU cannot distinguish user from kernel, host from guest",
	  "leave out modifiers such as :u, :k and :G: it counts everything" },
	{ "precise_ip", drop_precise, "perf-open/precise",
	  "its PMU does not support samples that precise",
	  "use fewer p after the event; caps/max_precise of the PMU in sysfs has the maximum" },
	{ "inherit", drop_inherit, "perf-open/inherit", "it cannot be inherited by children",
	  "leave children out with --no-inherit" },
	{ "sampling", drop_sampling, "perf-open/no-sampling",
	  "its PMU can count but not sample, so a program would never run",
	  "a program can read the count instead: bpf_perf_event_read_value()" },
	{ "the cgroup", drop_cgroup, "perf-open/cgroup", "it cannot be limited to this cgroup",
	  "this needs CONFIG_CGROUP_PERF and a directory in cgroup2 or the perf_event hierarchy" },
	{ "the task", drop_task, "perf-open/no-tasks", "its PMU counts per CPU, not per task",
	  "an uncore PMU cannot distinguish tasks: leave out -p, or compare pids in the program" },
	{ "the number of its PMU", drop_extended_type, "perf-open/no-extended-type",
	  "this kernel does not find its PMU by number",
	  "PMUs of Arm are found so from Linux 6.6 on; with a single kind of cores, "
	  "--attach=type+ioctl or type+link opens it without the number" },
	{ "counting guests", drop_guests, "perf-open/guests",
	  "a running virtual machine has exclusive use of the PMU (mediated vPMU)",
	  "exclude guests with the modifier :H" },
};

#define NR_PARTS (sizeof(parts) / sizeof(parts[0]))

/* "precise_ip 3 ... 2 opens" */
static void hint_precise(const struct open_failure *f, struct error *err)
{
	struct perf_event_attr attr = *f->attr;

	while (--attr.precise_ip)
		if (event_opens(f->sys, f->call, &attr))
			break;
	error_hint(err, "it opens with precise_ip %u, but %u was requested: use fewer p after the "
			"event",
		   attr.precise_ip, f->attr->precise_ip);
}

/*
 * No single attribute is to blame: drop them one after another and report the combination that
 * opens.
 */
static bool explain_together(const struct open_failure *f, struct error *err)
{
	struct event_call call = *f->call;
	struct perf_event_attr attr = *f->attr;
	char what[256] = "";
	size_t len = 0;

	for (size_t i = 0; i < NR_PARTS; i++) {
		if (!parts[i].drop(&call, &attr))
			continue;
		len += snprintf(what + len, sizeof(what) - len, "%s%s",
				len ? ", " : "it opens without ", parts[i].name);
		if (!event_opens(f->sys, &call, &attr))
			continue;
		open_failed_by(f, err, "perf-open/combination", what);
		error_hint(err, "its PMU does not support this combination");
		return true;
	}
	return false;
}

/*
 * If the event opens without some attribute or combination, explain that in @err and return true.
 */
static bool explain_parts(const struct open_failure *f, struct error *err)
{
	for (size_t i = 0; i < NR_PARTS; i++) {
		struct event_call call = *f->call;
		struct perf_event_attr attr = *f->attr;

		if (!parts[i].drop(&call, &attr) || !event_opens(f->sys, &call, &attr))
			continue;
		open_failed_by(f, err, parts[i].reason, parts[i].what);
		error_hint(err, "%s", parts[i].hint);
		if (parts[i].drop == drop_precise)
			hint_precise(f, err);
		return true;
	}
	return explain_together(f, err);
}

/* --- no PMU accepts the event --- */

static int is_core_pmu(struct sys *sys, void *arg, const char *pmu)
{
	uint32_t type;

	(void)arg;
	/* The core PMU is the one registered as RAW, or the one that lists cycles. */
	return (pmu_type(sys, pmu, &type, NULL) == 0 && type == PERF_TYPE_RAW) ||
	       pmu_has_event(sys, pmu, "cpu-cycles");
}

static bool is_hardware(const struct open_failure *f)
{
	return f->attr->type == PERF_TYPE_HARDWARE || f->attr->type == PERF_TYPE_HW_CACHE ||
	       f->attr->type == PERF_TYPE_RAW;
}

static bool opens_without_cgroup(const struct open_failure *f, const struct perf_event_attr *attr)
{
	struct event_call call = *f->call;
	struct perf_event_attr own = *attr;

	call.group_fd = -1;
	return drop_cgroup(&call, &own) && event_opens(f->sys, &call, &own);
}

/*
 * perf_cgroup_connect() in kernel/events/core.c: no event opens for a cgroup whose hierarchy lacks
 * the perf_event controller.
 */
static bool explain_controller(const struct open_failure *f, struct error *err)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER0,
					.config = PERF_COUNT_SW_DUMMY };
	int fd;

	if (f->code != ENOENT || !f->call->cgroup)
		return false;
	sys_why(f->sys, "diagnosis: does any event open for the cgroup?");
	fd = sys_perf_event_open(f->sys, &attr, f->call->tid, f->call->cpu, -1, f->call->flags);
	if (fd == -ENOENT && !opens_without_cgroup(f, &attr))
		return false;
	if (fd != -ENOENT) {
		sys_close_fd(f->sys, &fd);
		return false;
	}
	error_set(err, ENOENT, "this cgroup's hierarchy has no perf_event controller");
	error_reason(err, "scope/no-controller");
	/* cgroup_calc_subtree_ss_mask(): cgroup2 enables it along with any other controller. */
	error_hint(err, "use a cgroup in the hierarchy listed for perf_event in /proc/cgroups; 0 "
			"is cgroup2, which enables it once any controller is written to the "
			"root's cgroup.subtree_control, as in echo +pids");
	return true;
}

/* ENOENT, ENODEV, EOPNOTSUPP: no PMU accepted the event. */
static int explain_missing(const struct open_failure *f, struct error *err)
{
	char pmu[EVENT_NAME_MAX], what[EVENT_NAME_MAX + 64];

	if (explain_controller(f, err) || explain_parts(f, err))
		return 0;
	if (!open_takes_dummy(f))
		return open_unknown(f, err, OPEN_NOT_THE_EVENT);
	if (is_hardware(f) && pmu_find(f->sys, is_core_pmu, NULL, pmu, NULL) == 0) {
		snprintf(what, sizeof(what), "this machine has no hardware PMU that counts %.255s",
			 f->call->spec->text);
		open_failed_by(f, err, "perf-open/no-pmu", what);
		return error_hint(
			err, "virtual machines often have none: -e cpu-clock works everywhere");
	}
	open_failed_by(f, err, "perf-open/no-event", "no PMU on this machine accepts this event");
	pmu_hint(f->sys, err);
	return 0;
}

static int explain_cpu(const struct open_failure *f, struct error *err)
{
	struct cpu_list online;
	char text[256];
	bool offline;

	if (f->call->cpu < 0 || cpu_list_read(f->sys, "online", &online, NULL))
		return explain_missing(f, err);
	offline = !cpu_list_has(&online, f->call->cpu);
	cpu_list_text(&online, text, sizeof(text));
	cpu_list_free(&online);
	if (!offline)
		return explain_missing(f, err);
	open_failed_by(f, err, "perf-open/offline-cpu", "the CPU is not online");
	return error_hint(err, "online are %s", text);
}

static bool explain_rate(const struct open_failure *f, struct error *err)
{
	int64_t rate;
	char what[128];

	if (!f->attr->freq || !sys_sysctl(f->sys, "perf_event_max_sample_rate", &rate) ||
	    rate < 0 || f->attr->sample_freq <= (uint64_t)rate)
		return false;
	snprintf(what, sizeof(what), "%llu Hz is above kernel.perf_event_max_sample_rate, %lld",
		 (unsigned long long)f->attr->sample_freq, (long long)rate);
	open_failed_by(f, err, "perf-open/rate", what);
	error_hint(err, "sample at %lld Hz or less", (long long)rate);
	return true;
}

static int explain_invalid(const struct open_failure *f, struct error *err)
{
	if (explain_rate(f, err))
		return 0;
	if (f->attr->type == PERF_TYPE_BREAKPOINT)
		return open_breakpoint_failed(f, err);
	if (explain_parts(f, err))
		return 0;
	if (!open_takes_dummy(f))
		return open_unknown(f, err, OPEN_NOT_THE_EVENT);
	open_failed_by(f, err, "perf-open/config", "its PMU does not accept this config");
	return error_hint(err, "it does not open by itself as a counter, either: check the "
			       "numbers against the PMU's format/ in sysfs");
}

static int explain_space(const struct open_failure *f, struct error *err)
{
	if (f->attr->type == PERF_TYPE_BREAKPOINT)
		return open_breakpoint_failed(f, err);
	if (explain_parts(f, err))
		return 0;
	if (!open_takes_dummy(f))
		return open_unknown(f, err, OPEN_NOT_THE_EVENT);
	open_failed_by(f, err, "perf-open/no-space",
		       "its PMU reports that it has no room for another event");
	return error_hint(err, "stop another user of this PMU");
}

static int explain_busy(const struct open_failure *f, struct error *err)
{
	if (explain_parts(f, err))
		return 0;
	if (!open_takes_dummy(f))
		return open_unknown(f, err, OPEN_NOT_THE_EVENT);
	open_failed_by(f, err, "perf-open/busy",
		       "its PMU reports that another user has exclusive use of it");
	return error_hint(err, "stop the other user: the NMI watchdog (kernel.nmi_watchdog), "
			       "oprofile, another perf");
}

static const struct {
	int code;
	int (*explain)(const struct open_failure *f, struct error *err);
} causes[] = {
	{ EACCES, explain_permission },
	{ EPERM, explain_permission },
	{ ENOSYS, explain_permission },
	{ ENOENT, explain_missing },
	{ EOPNOTSUPP, explain_missing },
	{ KERNEL_ENOTSUPP, explain_missing },
	{ ENXIO, explain_missing },
	{ ENODEV, explain_cpu },
	{ ESRCH, open_explain_task },
	{ EMFILE, open_explain_fds },
	{ ENFILE, open_explain_fds },
	{ ENOSPC, explain_space },
	{ EINVAL, explain_invalid },
	{ EOVERFLOW, open_explain_stack },
	{ EBUSY, explain_busy },
	{ ENOMEM, open_explain_memory },
	{ E2BIG, open_explain_version },
	{ ETIME, open_explain_wait },
};

int event_open_failed(struct sys *sys, const struct event_call *call, int code, struct error *err)
{
	const struct open_failure f = { sys, call, call->attr, code };
	int (*how)(const struct open_failure *f, struct error *err) = open_explain_other;
	struct perf_event_attr attr = *call->attr;
	int again;

	if (!err)
		return -code;
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].code == code)
			how = causes[i].explain;
	again = how == open_explain_fds || how == open_explain_memory || how == open_explain_wait ?
		-code : open_again(sys, call, &attr);
	if (again != -code)
		open_unknown(&f, err, again ? "the same call now fails with another errno" :
					      "the same call now works: the cause is gone");
	else if (!event_is_probe(call->spec) ||
	    !probe_open_failed(sys, call->spec, call->attr, code, err))
		how(&f, err);
	sys_error_perf_event_open(err, call->attr, call->tid, call->cpu, call->group_fd,
				  call->flags, code);
	return -code;
}

void explain_event(struct sys *sys, const void *failed, struct error *err)
{
	const struct refused_event *r = failed;

	event_open_failed(sys, r->call, r->code, err);
}
