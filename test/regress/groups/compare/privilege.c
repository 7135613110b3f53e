// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Privileges for attaching: which step is refused to which user, by kernel, with
 * perf_event_paranoid at 2.
 */
#include <stdio.h>

#include "test/regress/groups/compare/sections.h"

static const struct kind kinds[] = {
	{ "page-faults", "page-faults,period=1", KIND_COUNTED },
	{ "breakpoint", "mem:%w/8:w", KIND_COUNTED },
	{ "tracepoint", "syscalls:sys_enter_getppid", KIND_TRACEPOINT },
	{ "kprobe", "kprobe:%g", KIND_KPROBE },
	{ "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE },
};

#define ALWAYS(word) { { LINUX(0, 0), word } }

/*
 * Only root can use tracefs, whose directory has mode 0700. The answer is EPERM where none is
 * mounted, as the loader then tries to mount one.
 */
#define FIND "EACCES|EPERM"
#define FIND_FIRST "find EACCES|find EPERM"

/* The rules for step "find" of @subject, which are the same for all subjects. */
#define FINDS(subject) \
	{ subject "-find", KIND_COUNTED, CELLS_ALL, ALWAYS("ok") }, \
	{ subject "-find", KIND_TRACEPOINT, CELLS_ALL, ALWAYS(FIND) }, \
	{ subject "-find", KIND_PROBES, CELLS_TYPE, ALWAYS(FIND) }, \
	{ subject "-find", KIND_PROBES, CELLS_PMU, ALWAYS("ok") }

/* The kernel checks no privileges for an open event: not in SET_BPF, LINK_CREATE or mmap. */
#define HANDLES(subject) \
	{ subject "-bind", KIND_ALL, CELLS_ALL, ALWAYS("ok") }, \
	{ subject "-enable", KIND_ALL, CELLS_ALL, ALWAYS("ok") }, \
	{ subject "-mmap", KIND_ALL, CELLS_ALL, ALWAYS("ok") }

/* A process that lacks one of the two capabilities, or both, cannot load a program. */
#define LOADS_NOTHING(subject) \
	{ subject, KIND_COUNTED, CELLS_ALL, ALWAYS("load EPERM") }, \
	{ subject, KIND_TRACEPOINT, CELLS_ALL, ALWAYS(FIND_FIRST) }, \
	{ subject, KIND_PROBES, CELLS_TYPE, ALWAYS(FIND_FIRST) }, \
	{ subject, KIND_PROBES, CELLS_PMU, ALWAYS("load EPERM") }, \
	FINDS(subject), \
	{ subject "-load", KIND_ALL, CELLS_ALL, ALWAYS("EPERM") }, \
	HANDLES(subject)

/* At level 2 no unprivileged process may sample the kernel: perf_allow_kernel(). */
#define OPENS_NOTHING(subject) { subject "-open", KIND_ALL, CELLS_ALL, ALWAYS("EACCES") }

/*
 * perfmon_capable() opens all events but one: since ba677dbe77af a uprobe of the PMU requires
 * CAP_SYS_ADMIN. Stable series got that in the midst of them (5.10.223 lacks it, 5.10.262 has it):
 * perf_uprobe_event_init().
 */
#define ADMINS LINUX(6, 16)
#define OPENS(subject) \
	{ subject "-open", KIND_UPROBES, CELLS_PMU, \
	  { { LINUX(0, 0), "EACCES|ok" }, { ADMINS, "EACCES" } } }, \
	{ subject "-open", KIND_ALL, CELLS_ALL, ALWAYS("ok") }

static const struct section_rule rules[] = {
	LOADS_NOTHING("none"), OPENS_NOTHING("none"),
	LOADS_NOTHING("bpf"), OPENS_NOTHING("bpf"),
	LOADS_NOTHING("perfmon"), OPENS("perfmon"),
	LOADS_NOTHING("userns"), OPENS_NOTHING("userns"),
	{ "both", KIND_COUNTED, CELLS_ALL, ALWAYS("runs") },
	{ "both", KIND_TRACEPOINT, CELLS_ALL, ALWAYS(FIND_FIRST) },
	{ "both", KIND_PROBES, CELLS_TYPE, ALWAYS(FIND_FIRST) },
	{ "both", KIND_KPROBES, CELLS_PMU, ALWAYS("runs") },
	{ "both", KIND_UPROBES, CELLS_PMU,
	  { { LINUX(0, 0), "open EACCES|runs" }, { ADMINS, "open EACCES" } } },
	FINDS("both"), OPENS("both"), HANDLES("both"),
	{ "both-load", KIND_ALL, CELLS_ALL, ALWAYS("ok") },
	{ "sys-admin", KIND_COUNTED, CELLS_ALL, ALWAYS("runs") },
	{ "sys-admin", KIND_TRACEPOINT, CELLS_ALL, ALWAYS(FIND_FIRST) },
	{ "sys-admin", KIND_PROBES, CELLS_TYPE, ALWAYS(FIND_FIRST) },
	{ "sys-admin", KIND_PROBES, CELLS_PMU, ALWAYS("runs") },
	FINDS("sys-admin"), HANDLES("sys-admin"),
	{ "sys-admin-load", KIND_ALL, CELLS_ALL, ALWAYS("ok") },
	{ "sys-admin-open", KIND_ALL, CELLS_ALL, ALWAYS("ok") },
	{ "dropped-enable", KIND_ALL, CELLS_ALL, ALWAYS("ok") },
	{ "dropped-mmap", KIND_ALL, CELLS_ALL, ALWAYS("ok") },
	/*
	 * With unprivileged_bpf_disabled every command of bpf(2) required CAP_BPF, until
	 * c8644cd0efe7 allowed those that need a descriptor.
	 */
	{ "dropped-read", KIND_ALL, CELLS_ALL,
	  { { LINUX(0, 0), "EPERM" }, { LINUX(5, 19), "ok" } } },
	{ 0 }
};

static struct kind_sysctl paranoid, unprivileged;

static void before(struct regress *t)
{
	if (!kind_sysctl_begin(&paranoid, "/proc/sys/kernel/perf_event_paranoid", "2"))
		regress_skip(t, "perf_event_paranoid cannot be set to 2");
	/* Once it is 1 it stays so; where it is 0, answers are others'. */
	if (!kind_sysctl_begin(&unprivileged, "/proc/sys/kernel/unprivileged_bpf_disabled", "2") &&
	    !kind_sysctl_begin(&unprivileged, "/proc/sys/kernel/unprivileged_bpf_disabled", "1")) {
		kind_sysctl_end(&paranoid);
		regress_skip(t, "unprivileged_bpf_disabled is 0 and cannot be changed");
	}
}

static void after(void)
{
	kind_sysctl_end(&paranoid);
	kind_sysctl_end(&unprivileged);
}

static const struct section_table table = {
	compare_privilege, kinds, NR(kinds), rules, before, after,
};

static void run(struct regress *t)
{
	static const char *const steps[] = { "find", "load", "open", "bind", "enable", "mmap" };
	const struct section_case *c = t->data;
	const char *why;
	char id[32];

	sections_expect(t);
	for (size_t i = 0; i < NR(steps); i++) {
		snprintf(id, sizeof(id), "%s-%s", c->fact->row, steps[i]);
		sections_assert(t, &table, c->kind, id, steps[i], &why);
	}
}

/*
 * All steps of one subject; or, without steps, one row about a process that has dropped its
 * privileges.
 */
static const struct section_fact facts[] = {
	{ "none", "nobody with no capability", run },
	{ "bpf", "nobody with CAP_BPF", run },
	{ "perfmon", "nobody with CAP_PERFMON", run },
	{ "both", "nobody with CAP_BPF and CAP_PERFMON", run },
	{ "sys-admin", "nobody with CAP_SYS_ADMIN", run },
	{ "userns", "root in a user namespace of nobody's", run },
	{ "dropped-enable", "attached, then nobody: enables it" },
	{ "dropped-mmap", "attached, then nobody: maps its ring" },
	{ "dropped-read", "attached, then nobody: reads the map" },
};

static void fill(struct regress_list *list)
{
	static struct section_case cases[NR(facts) * NR(kinds)];

	sections_fill(list, &table, facts, NR(facts), cases);
}

const struct regress_group regress_group_privilege = {
	"privilege", "which step of attaching is refused to whom", NULL, fill, __FILE__
};
