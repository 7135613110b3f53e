// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ways to attach many times, and the locations for them on this machine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/compare/scale/scale_internal.h"
#include "loader/events/catalog/catalog.h"
#include "loader/objects/multi/multi.h"

#define LOCATIONS_MAX 2000	/* in the kernel; no more are listed */

const struct scale_way scale_ways[SCALE_NR_WAYS] = {
	{ SCALE_SOFTWARE, "type+ioctl", false, SCALE_IOCTL },
	{ SCALE_SOFTWARE, "type+link", false, SCALE_LINK },
	{ SCALE_CPUS, "type+ioctl", false, SCALE_IOCTL },
	{ SCALE_CPUS, "type+link", false, SCALE_LINK },
	{ SCALE_TASKS, "type+ioctl", false, SCALE_IOCTL },
	{ SCALE_TASKS, "type+link", false, SCALE_LINK },
	{ SCALE_TRACEPOINT, "tracefs+ioctl", false, SCALE_IOCTL },
	{ SCALE_TRACEPOINT, "tracefs+link", false, SCALE_LINK },
	{ SCALE_TRACEPOINT, "raw", false, SCALE_RAW },
	{ SCALE_KPROBE, "tracefs+ioctl", true, SCALE_IOCTL },
	{ SCALE_KPROBE, "tracefs+link", true, SCALE_LINK },
	{ SCALE_KPROBE, "pmu+ioctl", false, SCALE_IOCTL },
	{ SCALE_KPROBE, "pmu+link", false, SCALE_LINK },
	{ SCALE_KPROBE, "multi", false, SCALE_MULTI },
	{ SCALE_UPROBE, "tracefs+ioctl", true, SCALE_IOCTL },
	{ SCALE_UPROBE, "tracefs+link", true, SCALE_LINK },
	{ SCALE_UPROBE, "pmu+ioctl", false, SCALE_IOCTL },
	{ SCALE_UPROBE, "pmu+link", false, SCALE_LINK },
	{ SCALE_UPROBE, "multi", false, SCALE_MULTI },
	{ SCALE_USDT, "pmu+ioctl", false, SCALE_IOCTL },
	{ SCALE_USDT, "pmu+link", false, SCALE_LINK },
	{ SCALE_USDT, "multi", false, SCALE_MULTI },
};

static const struct {
	const char *name, *what;
} kinds[SCALE_NR_KINDS] = {
	[SCALE_SOFTWARE] = { "software", "page-faults events of one task, which all sample" },
	[SCALE_CPUS] = { "cpus", "a cpu-clock event on each CPU" },
	[SCALE_TASKS] = { "tasks", "a page-faults event for each task" },
	[SCALE_TRACEPOINT] = { "tracepoint", "as many tracepoints, of which one is hit" },
	[SCALE_KPROBE] = { "kprobe", "as many functions of the kernel, of which one is hit" },
	[SCALE_UPROBE] = { "uprobe", "as many functions of one file, of which one is hit" },
	[SCALE_USDT] = { "usdt", "as many locations with semaphores, of which one is hit" },
};

const char *scale_kind_name(unsigned int kind)
{
	return kind < SCALE_NR_KINDS ? kinds[kind].name : NULL;
}

const char *scale_kind_what(enum scale_kind kind)
{
	return kinds[kind].what;
}

/* --- tracepoints --- */

#define FIRST_TRACEPOINT "task:task_rename"

/*
 * Categories of events that are not tracepoints, that occur all the time, or that change how the
 * kernel works while they are in use.
 */
static const char *const skipped[] = {
	"alarmtimer", "bpf_test_run", "bpf_trace", "cgroup", "exceptions", "ftrace", "hrtimer",
	"initcall", "ipi", "irq", "irq_matrix", "irq_vectors", "kmem", "lock", "maple_tree",
	"mmap", "mmap_lock", "msr", "napi", "net", "netlink", "nmi", "page_isolation", "pagemap",
	"percpu", "power", "preemptirq", "printk", "qdisc", "raw_syscalls", "rcu", "rseq", "sched",
	"skb", "sock", "syscalls", "task", "tcp", "timer", "timer_migration", "tlb", "vmalloc",
	"workqueue", "x86_fpu", "xdp",
};

static bool is_skipped(const char *name)
{
	const size_t len = strcspn(name, ":");

	for (size_t i = 0; i < sizeof(skipped) / sizeof(skipped[0]); i++)
		if (strlen(skipped[i]) == len && !strncmp(name, skipped[i], len))
			return true;
	return false;
}

static int add_tracepoint(void *arg, const struct event_row *row)
{
	struct event_list *list = arg;

	if (strcmp(row->group, "tracepoint") || is_skipped(row->name))
		return 0;
	if (event_list_parse(list, row->name, NULL) < 0)
		return -ENOMEM;
	return list->nr >= LOCATIONS_MAX;
}

static int find_tracepoints(struct scale_locations *l, struct error *err)
{
	const struct event_visitor visitor = { .event = add_tracepoint, .arg = &l->tracepoints };
	int ret = event_list_parse(&l->tracepoints, FIRST_TRACEPOINT, err);

	if (!ret)
		ret = event_catalog(l->sys, &visitor, err);
	return ret < 0 ? ret : (int)l->tracepoints.nr;
}

/* --- functions of the kernel --- */

/* System calls exist on every kernel, and most are rarely called. */
static bool is_syscall(const char *name)
{
	static const char *const prefixes[] = {
		"__x64_sys_", "__ia32_sys_", "__ia32_compat_sys_", "__arm64_sys_",
		"__arm64_compat_sys_", "__s390x_sys_", "__s390_sys_", "__riscv_sys_", "__do_sys_",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* Return true if getppid() calls this function. A function may have several names. */
static bool is_getppid(const char *name)
{
	static const char end[] = "_sys_getppid";
	const size_t len = strlen(name);

	return is_syscall(name) && strncmp(name, "__ia32", 6) && len >= sizeof(end) - 1 &&
	       !strcmp(name + len - (sizeof(end) - 1), end);
}

static int add_name(struct scale_locations *l, const char *of)
{
	char *name;

	if (!is_syscall(of))
		return 0;
	name = strdup(of);
	if (!name)
		return -ENOMEM;
	l->functions[l->nr_functions++] = name;
	if (is_getppid(name)) {
		l->functions[l->nr_functions - 1] = l->functions[0];
		l->functions[0] = name;
	}
	return l->nr_functions == LOCATIONS_MAX;
}

static int add_traceable(void *arg, const struct traceable_function *t)
{
	return t->module[0] ? 0 : add_name(arg, t->name);
}

static int add_listed(void *arg, const struct event_row *row)
{
	return add_name(arg, row->name);
}

static void free_functions(struct scale_locations *l)
{
	for (unsigned int i = 0; i < l->nr_functions; i++)
		free(l->functions[i]);
	free(l->functions);
	l->functions = NULL;
	l->nr_functions = 0;
}

/*
 * A multi link takes only functions that ftrace can trace, and the list of those may be
 * unavailable.
 */
static int find_functions(struct scale_locations *l, struct error *err)
{
	const struct event_visitor visitor = { .event = add_listed, .arg = l };
	int ret;

	l->functions = calloc(LOCATIONS_MAX, sizeof(*l->functions));
	if (!l->functions)
		return error_set(err, ENOMEM, "no memory for names of functions");
	ret = traceable_functions_each(l->sys, add_traceable, l);
	if (ret < 0)
		ret = event_catalog_functions(l->sys, "", &visitor, err);
	if (ret >= 0 && l->nr_functions && is_getppid(l->functions[0]))
		return l->nr_functions;
	free_functions(l);
	if (ret < 0)
		return ret;
	error_set(err, ENOENT, "the function of getppid() is not in /proc/kallsyms");
	return error_hint(err, "probes are tried at functions of system calls");
}

int scale_locations_add(struct scale_locations *l, enum scale_kind kind, struct error *err)
{
	int ret;

	switch (kind) {
	case SCALE_CPUS:
		if (!l->cpus.nr) {
			ret = cpu_list_read(l->sys, "online", &l->cpus, err);
			if (ret < 0)
				return ret;
		}
		return l->cpus.nr;
	case SCALE_TRACEPOINT:
		return l->tracepoints.nr ? (int)l->tracepoints.nr : find_tracepoints(l, err);
	case SCALE_KPROBE:
		return l->nr_functions ? (int)l->nr_functions : find_functions(l, err);
	default:
		return SCALE_MOST;
	}
}

void scale_locations_free(struct scale_locations *l)
{
	free_functions(l);
	event_list_free(&l->tracepoints);
	cpu_list_free(&l->cpus);
}
