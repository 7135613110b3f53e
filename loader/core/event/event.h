/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Perf events: parse the user's text, fill in a perf_event_attr, and open the event. */
#ifndef PLOAD_CORE_EVENT_EVENT_H
#define PLOAD_CORE_EVENT_EVENT_H

#include <stdbool.h>

#include <linux/perf_event.h>

#include "elf/error.h"
#include "loader/core/sys/cpus.h"
#include "loader/core/sys/sys.h"

struct event_cgroup;
struct event_scope;

/* --- an event as written --- */

enum event_kind {
	EVENT_HARDWARE,		/* "cycles": PERF_TYPE_HARDWARE, or a name in a PMU's events/ */
	EVENT_SOFTWARE,		/* "cpu-clock": PERF_TYPE_SOFTWARE */
	EVENT_CACHE,		/* "L1-dcache-load-misses": PERF_TYPE_HW_CACHE */
	EVENT_RAW,		/* "1:0": type:config, passed to the kernel unchanged */
	EVENT_TRACEPOINT,	/* "sched:sched_switch" */
	EVENT_BREAKPOINT,	/* "mem:0x1000/8:rw" */
	EVENT_PMU,		/* "msr/tsc/": a PMU in sysfs and its terms */
	EVENT_ALIAS,		/* "topdown-bad-spec": a name that a PMU may list in events/ */
	EVENT_KPROBE,		/* "kprobe:do_exit+0x10", "kretprobe:", "ksyscall:openat" */
	EVENT_UPROBE,		/* "uprobe:/bin/sh:main+0x10", "uretprobe:" */
	EVENT_USDT,		/* "usdt:/bin/sh:PROVIDER:NAME" */
};

#define EVENT_PATH_MAX 4096	/* the kernel's PATH_MAX */
#define EVENT_NAME_MAX 256	/* length of a file name */
#define EVENT_WORD_MAX 1024	/* a symbol, or the terms of a PMU */
#define EVENT_TEXT_MAX (EVENT_PATH_MAX + EVENT_WORD_MAX)

#define EVENT_PRECISE_MAX 4	/* modifier P: the largest of 3, 2, 1, 0 that works */

/* The modifiers after the last ':' of an event; all 0 if there are none. */
struct event_modifiers {
	uint8_t exclude;	/* EVENT_EXCLUDE_*: "k" excludes user and hypervisor ... */
	uint8_t flags;		/* EVENT_SAMPLE_READ ... */
	uint8_t precise;	/* p, pp, ppp: attr.precise_ip; or EVENT_PRECISE_MAX */
};

enum {
	EVENT_EXCLUDE_USER = 1, EVENT_EXCLUDE_KERNEL = 2, EVENT_EXCLUDE_HV = 4,
	EVENT_EXCLUDE_HOST = 8, EVENT_EXCLUDE_GUEST = 16, EVENT_EXCLUDE_IDLE = 32,
};

enum {
	EVENT_SAMPLE_READ = 1,	/* S: a sample of the leader reports the counts of its group */
	EVENT_PINNED = 2,	/* D; like e, only for a leader or an ungrouped event */
	EVENT_EXCLUSIVE = 4,	/* e */
	EVENT_WEAK = 8,		/* W: opened one by one if the group does not fit on the PMU */
};

/*
 * A parsed event that has not been looked up yet. It owns its strings: event_spec_free(). A copy
 * made by assignment borrows them and is not freed.
 */
struct event_spec {
	enum event_kind kind;
	struct event_modifiers modifiers;
	bool counts;			/* it is only read, without a program or samples. Set by
					 * the caller; event_parse() clears it */
	bool dynamic;			/* TRACEPOINT: created from a kprobe or uprobe */
	bool ret;			/* KPROBE, UPROBE: fires when the function returns */
	bool syscall;			/* KPROBE: the symbol is a system call's name */
	bool resolved;			/* UPROBE, USDT: path, file_offset and ref_ctr_offset are
					 * valid. Set by the symbol lookup */
	bool has_period, has_freq;	/* at most one of them */
	uint64_t sample_period;
	uint64_t sample_freq;		/* Hz */

	/* Set by event_list_parse(); event_parse() clears them. */
	bool leads;			/* it leads its group */
	unsigned int group;		/* event group "{a,b}": 1, 2 ...; 0: none */
	unsigned int alt_set;		/* alternatives "a,or=b": 1, 2 ...; 0: no alternative */
	unsigned int alt_index;		/* within the set: 0 is tried first, then 1 ... */

	char *text;			/* as written, minus the sampling terms */
	union {
		struct {
			uint64_t config;	/* PERF_COUNT_*; CACHE: id | op << 8 |
						 * result << 16; RAW: as written */
			uint32_t type;		/* RAW: perf type */
			const char *name;	/* static; HARDWARE, SOFTWARE: name in events/ in
						 * sysfs, "cpu-cycles" */
			char *pmu;		/* HARDWARE, CACHE, RAW on a machine with several
						 * kinds of cores: the PMU of one kind, set by
						 * event_list_expand(); otherwise NULL */
		} fixed;			/* HARDWARE, SOFTWARE, CACHE, RAW */
		struct {
			char *category, *name;
		} tracepoint;
		struct {
			uint64_t addr, len;
			uint32_t type;		/* HW_BREAKPOINT_* */
		} breakpoint;
		struct {
			char *name, *terms;	/* terms; "" if none */
		} pmu;
		char *alias;
		struct {
			char *module;		/* NULL: none given */
			char *symbol;		/* NULL: @offset is an address */
			uint64_t offset;	/* relative to the symbol */
		} kprobe;
		struct {
			char *path;		/* the file as written; after resolving, the path
						 * to open */
			char *provider;		/* USDT; NULL: UPROBE */
			char *symbol;		/* USDT: name of the probe; NULL: @offset is a
						 * file offset */
			uint64_t offset;	/* relative to the symbol */
			uint64_t file_offset;	/* where the kernel places the probe */
			uint64_t ref_ctr_offset;	/* file offset of a USDT probe's
							 * semaphore; 0: none */
		} uprobe;			/* UPROBE, USDT */
	};
};

/**
 * event_spec_copy() - Copy @from and its strings. Return: 0, or -ENOMEM with @to empty.
 * event_spec_free() - Free the strings and empty the spec.
 */
int event_spec_copy(struct event_spec *to, const struct event_spec *from, struct error *err);
void event_spec_free(struct event_spec *spec);

/**
 * event_spec_resolve() - Set the location of a UPROBE or USDT probe.
 * @path: the path that the kernel opens; copied.
 */
int event_spec_resolve(struct event_spec *spec, const char *path, uint64_t file_offset,
		       uint64_t ref_ctr_offset, struct error *err);

/**
 * event_parse() - Parse one event of -e; docs/events.md has the grammar. An unknown name becomes an
 * EVENT_ALIAS. Also accepts "category/name", as in SEC("tracepoint/category/name").
 *
 * event_parse_section() - Parse the event in a section name: @prefix is "tracepoint", "kprobe",
 * "uprobe.s" ..., @target is the text after the '/'.
 *
 * Both are pure functions, implemented in grammar/. Return: 0; -ENOMEM or -EINVAL
 * ("event/grammar"), with @spec empty.
 */
int event_parse(struct event_spec *spec, const char *text, struct error *err);
int event_parse_section(struct event_spec *spec, const char *prefix, const char *target,
			struct error *err);

/** event_plain() - Parse a plain event such as cycles, CATEGORY:NAME or PMU/TERMS/. (list.c) */
int event_plain(struct event_spec *spec, const char *text, struct error *err);

/** event_prog_type() - BPF_PROG_TYPE_TRACEPOINT, KPROBE (also for uprobes) or PERF_EVENT. */
uint32_t event_prog_type(const struct event_spec *spec);

/**
 * event_is_tracing() - Return true for a tracing event. Its program runs each time the event
 * occurs, for every task and CPU, even while the event is disabled. The other family, sampling
 * events, run their program when the counter overflows, only for their task and CPU, and only while
 * enabled. An event that only counts (spec->counts) is opened per task and CPU, like a sampling
 * event.
 */
bool event_is_tracing(const struct event_spec *spec);

/** event_is_core_pmu() - Return true for HARDWARE, CACHE and "rHEX": events of the core PMU. */
bool event_is_core_pmu(const struct event_spec *spec);

/** event_is_clock() - Return true for cpu-clock and task-clock, which count nanoseconds. */
bool event_is_clock(const struct event_spec *spec);

/** event_is_probe() - Return true for KPROBE, UPROBE and USDT, which must be created first. */
bool event_is_probe(const struct event_spec *spec);

/* --- from the text to an attr --- */

/**
 * event_describe_fn - Set type, config*, bp_* and the modifier bits of @attr: the first half of an
 * attach method.
 * @cpus: set to the CPUs that the PMU allows; empty: any. Owned by the caller, even on failure.
 *
 * event_by_type() - Use the fixed PERF_TYPE_*; tracepoint ids come from tracefs.
 *
 * event_by_pmu() - Use type, format/, events/ and cpumask in the PMU's sysfs directory.
 *
 * Return: 0 or -errno ("event/unknown", "event/no-pmu", "event/no-tracefs" ...).
 */
typedef int event_describe_fn(struct sys *sys, const struct event_spec *spec,
			      struct perf_event_attr *attr, struct cpu_list *cpus,
			      struct error *err);
event_describe_fn event_by_type, event_by_pmu;

/**
 * event_sampling() - Complete @attr for a program: start disabled, and set how often to sample.
 * @period: for a spec without a period or frequency; 0: not given.
 * @freq: likewise, in Hz.
 *
 * The default is 99 Hz for clocks and hardware events, and a period of 1 for discrete events
 * (tracepoints, breakpoints, page-faults, context-switches ...). Rejects a period or frequency of
 * 0, `dummy` and `bpf-output`: the kernel would accept the program but never run it. An event that
 * only counts (spec->counts) gets a read_format with its times instead; a period or frequency for
 * it is an error.
 *
 * Return: 0 or -EINVAL ("event/never-runs", "event/grammar").
 */
int event_sampling(const struct event_spec *spec, uint64_t period, uint64_t freq,
		   struct perf_event_attr *attr, struct error *err);

/**
 * event_fixed_period() - Return a sampling event's fixed period. 0: the kernel adapts it to a
 * frequency, the event also counts what it does not sample, or its group is read as one.
 */
uint64_t event_fixed_period(const struct perf_event_attr *attr);

/**
 * event_default() - Choose the event of a program that names none: "cycles" if this machine's PMU
 * can open and count it, otherwise "cpu-clock".
 * @spec: freed by the caller.
 * @why: set to a static string with the event and the reason.
 */
int event_default(struct sys *sys, struct event_spec *spec, const char **why, struct error *err);

/* --- opening --- */

/* The task and CPU of one perf_event_open(2). */
struct event_target {
	pid_t tid;		/* -1: every task; 0: this one */
	int cpu;		/* -1: any CPU */
	const struct event_cgroup *cgroup;	/* borrowed from the scope; if not NULL, tid is
						 * -1 */
};

/**
 * event_targets() - List the targets that cover @scope: each CPU combined with each thread or
 * cgroup. A tracing event needs only one of its targets, the first that opens.
 * @pmu_cpus: from the event_describe_fn.
 * @targets: malloc'ed array.
 *
 * Return: number of targets, at least 1; -ENODEV if no CPU is left ("scope/pmu-cpus"), -ENOMEM.
 */
int event_targets(const struct event_spec *spec, const struct event_scope *scope,
		  const struct cpu_list *pmu_cpus, struct event_target **targets,
		  struct error *err);

/** event_target_context() - Add the task, cgroup and CPU of @target to the context of @err. */
void event_target_context(struct error *err, const struct event_target *target);

/**
 * event_open() - Open one perf event, close-on-exec.
 * @spec: names the event in error messages.
 * @attr: precise_ip is lowered to the largest value that works.
 * @group_fd: borrowed; leader of the event group, or -1.
 *
 * On failure, open_failed.c finds the cause: paranoid level and capability, no such PMU, offline
 * CPU, dead task, limit on open files, breakpoint slots ... The error context names the event and
 * its target. See perf_event_open(2); kernel/events/core.c.
 *
 * Return: descriptor, owned by the caller, or -errno ("perf-open/...").
 */
int event_open(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
	       const struct event_target *target, int group_fd, struct error *err);

/* --- lists of events: grammar/ and catalog/ --- */

/* Events in the order in which they were written. */
struct event_list {
	struct event_spec *specs;	/* owned */
	unsigned int nr;
	unsigned int nr_groups, nr_alt_sets;	/* numbers assigned so far */
};

#define EVENT_LIST_MAX 16384	/* a kernel has some thousand tracepoints */

/**
 * event_list_parse() - Append the events of "a,b"; "{a,b}:u" (an event group); "a,or=b" (b if a is
 * not available); "{c,d}:name" (c:name and d:name). Globs stay one spec until event_list_expand().
 *
 * event_list_section() - Append the events in a section name; see event_parse_section().
 *
 * event_list_add() - Append a copy of @spec; -E2BIG above EVENT_LIST_MAX ("event/too-many").
 * event_list_cut() - Free all but the first @nr.
 */
int event_list_parse(struct event_list *list, const char *text, struct error *err);
int event_list_section(struct event_list *list, const char *prefix, const char *target,
		       struct error *err);
int event_list_add(struct event_list *list, const struct event_spec *spec, struct error *err);
void event_list_cut(struct event_list *list, unsigned int nr);
void event_list_free(struct event_list *list);

/**
 * event_list_mark_dynamic() - Set spec->dynamic of tracepoints created from probes by kprobe_events
 * or perf probe. They run kprobe programs, not tracepoint programs. Needed by callers without a
 * tracepoint program; event_list_expand() sets it itself for a glob that matches nothing else.
 */
void event_list_mark_dynamic(struct sys *sys, struct event_list *list);

/* Callbacks through which event_list_expand() reports; both receive @arg. */
struct event_expand_hooks {
	void (*note)(void *arg, const char *text);
	/* @taken replaces @wanted, which is not available; @why has the reason. May fail. */
	int (*fallback)(void *arg, const char *wanted, const char *taken, const struct error *why,
			struct error *err);
	void *arg;
};

/**
 * event_list_expand() - Replace a spec for several events with one spec each: a glob with the
 * tracepoints that match, an alias or a PMU name's prefix or glob with the PMUs that have it, and a
 * hardware event with one event per kind of cores. Alternatives that do not exist are dropped and
 * reported; the first one left need not have alt_index 0.
 *
 * Return: 0 or -errno ("event/unknown", "event/no-pmu", "event/no-tracefs", "event/fd-limit").
 */
int event_list_expand(struct sys *sys, struct event_list *list,
		      const struct event_expand_hooks *hooks, struct error *err);

/**
 * events_parse(), events_parse_section(), events_expand(), events_mark_dynamic() - Call
 * event_list_parse() and so on if the grammar is linked in. Otherwise an event is a name such as
 * cycles, CATEGORY:NAME or PMU/TERMS/. (plain/)
 */
int events_parse(struct event_list *list, const char *text, struct error *err);
int events_parse_section(struct event_list *list, const char *prefix, const char *target,
			 struct error *err);
int events_expand(struct sys *sys, struct event_list *list, const struct event_expand_hooks *hooks,
		  struct error *err);
void events_mark_dynamic(struct sys *sys, struct event_list *list);

/**
 * event_failed_for_all() - Return true if any event would fail with @err (no memory, no
 * descriptors, a task that has ended), so alternatives are not worth trying.
 */
bool event_failed_for_all(const struct error *err);

#endif
