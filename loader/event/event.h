/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Perf events: what the user wrote, what the kernel wants, and opening them over CPUs and tasks. */
#ifndef PLOAD_EVENT_EVENT_H
#define PLOAD_EVENT_EVENT_H

#include <stdbool.h>

#include <linux/perf_event.h>

#include "elf/error.h"
#include "loader/sys/sys.h"

enum event_kind {
	EVENT_HARDWARE,		/* "cycles": PERF_TYPE_HARDWARE, or events/ of the PMU that
				 * counts */
	EVENT_SOFTWARE,		/* "cpu-clock": PERF_TYPE_SOFTWARE */
	EVENT_CACHE,		/* "L1-dcache-load-misses": PERF_TYPE_HW_CACHE */
	EVENT_RAW,		/* "1:0": type:config as they stand */
	EVENT_TRACEPOINT,	/* "sched:sched_switch" */
	EVENT_BREAKPOINT,	/* "mem:0x1000/8:rw" */
	EVENT_PMU,		/* "msr/tsc/": a PMU of sysfs and its terms */
	EVENT_ALIAS,		/* "topdown-bad-spec": what some PMU may list in its events/ */
	EVENT_KPROBE,		/* "kprobe:do_exit+0x10", "kretprobe:", "ksyscall:openat" */
	EVENT_UPROBE,		/* "uprobe:/bin/sh:main+0x10", "uretprobe:" */
	EVENT_USDT,		/* "usdt:/bin/sh:PROVIDER:NAME" */
};

#define EVENT_PATH_MAX 4096	/* PATH_MAX of the kernel */
#define EVENT_NAME_MAX 256	/* a name of one file */
#define EVENT_WORD_MAX 1024	/* a symbol, the terms of a PMU */
#define EVENT_TEXT_MAX (EVENT_PATH_MAX + EVENT_WORD_MAX)

#define EVENT_PRECISE_MAX 4	/* modifier P: the most that opens of 3, 2, 1, 0 */

/* What stands behind the last ':' of an event. All 0: nothing stood there. */
struct event_modifiers {
	uint8_t exclude;	/* EVENT_EXCLUDE_*: "k" leaves out user and hypervisor ... */
	uint8_t flags;		/* EVENT_SAMPLE_READ ... */
	uint8_t precise;	/* p, pp, ppp: attr.precise_ip; or EVENT_PRECISE_MAX */
};

enum {
	EVENT_EXCLUDE_USER = 1, EVENT_EXCLUDE_KERNEL = 2, EVENT_EXCLUDE_HV = 4,
	EVENT_EXCLUDE_HOST = 8, EVENT_EXCLUDE_GUEST = 16, EVENT_EXCLUDE_IDLE = 32,
};

enum {
	EVENT_SAMPLE_READ = 1,	/* S: a sample of the leader has the counts of its group */
	EVENT_PINNED = 2,	/* D; as the next only of what leads a group or is in none */
	EVENT_EXCLUSIVE = 4,	/* e */
	EVENT_WEAK = 8,		/* W: opened one by one when the group does not fit the PMU */
};

/*
 * An event as written, checked but not yet looked up. Filled by event_parse(); plain data, no
 * ownership.
 */
struct event_spec {
	char text[EVENT_TEXT_MAX];	/* as written, without the sampling terms */
	enum event_kind kind;
	uint32_t type;			/* RAW: perf type */
	uint64_t config;		/* HARDWARE, SOFTWARE: PERF_COUNT_*; RAW: config; CACHE:
					 * id | op << 8 | result << 16 */
	char first[EVENT_NAME_MAX];	/* TRACEPOINT: category; PMU: the PMU's name; HARDWARE,
					 * SOFTWARE: the name events/ of sysfs has for it
					 * ("cpu-cycles"); KPROBE: the module or ""; USDT: the
					 * provider */
	char second[EVENT_WORD_MAX];	/* TRACEPOINT: event; PMU: terms; ALIAS: name; KPROBE,
					 * UPROBE: the symbol, "" where an address stands; USDT:
					 * name; HARDWARE, CACHE, RAW where there are several kinds
					 * of cores: the PMU of one, filled by event_list_expand() */
	bool made;			/* TRACEPOINT: of a probe, by who writes to tracefs */
	uint64_t bp_addr, bp_len;
	uint32_t bp_type;		/* HW_BREAKPOINT_* */
	bool has_period, has_freq;	/* at most one */
	uint64_t sample_period;
	uint64_t sample_freq;		/* Hz */
	struct event_modifiers modifiers;

	/* KPROBE, UPROBE, USDT */
	bool ret;			/* when the function returns */
	bool syscall;			/* KPROBE: second names a system call, not its function */
	uint64_t offset;		/* behind the symbol; without one: KPROBE the address,
					 * UPROBE the offset in the file */
	char path[EVENT_PATH_MAX];	/* UPROBE, USDT: the file as written; once resolved, as it
					 * is opened */
	/*
	 * Filled by who knows symbols, before the event is described; event_parse() leaves them
	 * empty.
	 */
	bool resolved;			/* path and the two below hold */
	uint64_t file_offset;		/* UPROBE, USDT: where the kernel puts the probe */
	uint64_t ref_ctr_offset;	/* USDT: of its semaphore in the file; 0: it has none */

	/* Where it stands among others of the command line; event_parse() leaves them 0. */
	unsigned int group;		/* of "{a,b}": 1, 2 ...; 0: in none. Neighbours */
	bool leads;			/* the first of its group */
	unsigned int choice;		/* of "a,or=b": 1, 2 ...; 0: there is no other */
	unsigned int rank;		/* in its choice: 0 is tried first, then 1 ... */
};

/*
 * event_parse() - understand perf's names: hardware and software events, "type:config", "cat:name",
 * "mem:addr[/len][:rwx]", "pmu/terms/", "kprobe:[module:]symbol[+offset]", "uprobe:path:symbol",
 * "usdt:path:provider:name", each with ":MODIFIERS", ",freq=HZ" or ",period=N" behind it. Also
 * "cat/name", as in SEC("tracepoint/cat/name"). A name that no table has becomes an ALIAS. Fails
 * with EINVAL, where "event 'text'", a hint with the grammar. docs/events.md has all of it.
 */
int event_parse(struct event_spec *spec, const char *text, struct error *err);

/*
 * event_parse_section() - the event that a section's name asks for: @prefix is its kind
 * ("tracepoint", "kprobe", "uprobe.s"), @target what follows the '/'. SEC("uprobe/PATH:SYM") is
 * "uprobe:PATH:SYM" of -e. Fails as event_parse().
 */
int event_parse_section(struct event_spec *spec, const char *prefix, const char *target,
			struct error *err);

/* Events in the order they were written. */
struct event_list {
	struct event_spec *specs;	/* owned */
	unsigned int nr;
	unsigned int nr_groups, nr_choices;	/* numbers given so far */
};

#define EVENT_LIST_MAX 16384	/* a kernel has some thousand tracepoints */

/*
 * event_list_parse() - append the events of "a,b", "{a,b}:u" (a group), "a,or=b" (b where a cannot
 * be had), "{c,d}:name" (c:name and d:name). As event_parse() otherwise. Pure: what stands for
 * several events is one spec until event_list_expand().
 * event_list_section(): those of a section's name, as event_parse_section().
 */
int event_list_parse(struct event_list *list, const char *text, struct error *err);
int event_list_section(struct event_list *list, const char *prefix, const char *target,
		       struct error *err);
void event_list_free(struct event_list *list);

/* event_list_add() - append a copy. More than EVENT_LIST_MAX are E2BIG, "event/too-many". */
int event_list_add(struct event_list *list, const struct event_spec *spec, struct error *err);

/*
 * event_list_made() - mark the tracepoints of @list which somebody has made of probes, by
 * kprobe_events or perf probe: their programs are those of probes. For who has no program for a
 * tracepoint; a glob that takes no other has them marked already.
 */
void event_list_made(struct sys *sys, struct event_list *list);

/* What a user is told while events are looked up; @arg goes to both. */
struct event_say {
	void (*note)(void *arg, const char *text);
	/* @taken is tried in place of @wanted, which cannot be had because of @why. May fail. */
	int (*instead)(void *arg, const char *wanted, const char *taken, const struct error *why,
		       struct error *err);
	void *arg;
};

/*
 * event_list_expand() - one spec for each event: tracepoints for a glob, the PMUs that list an
 * alias, those that a PMU's name is the beginning or a glob of, and each kind of cores. Of a choice
 * those that are not there at all are dropped, which is said; its first rank that is left need not
 * be 0. Fails with what event_parse() leaves open: "event/unknown", "event/no-pmu",
 * "event/no-tracefs", "event/fd-limit".
 */
int event_list_expand(struct sys *sys, struct event_list *list, const struct event_say *say,
		      struct error *err);

/*
 * event_failed_for_all() - whether @err would meet any other event as well (no memory, no
 * descriptors, a task that has ended): no reason to take an alternative.
 */
bool event_failed_for_all(const struct error *err);

/*
 * event_prog_type() - BPF_PROG_TYPE_* a program must have to run on it: TRACEPOINT, KPROBE (for
 * uprobes and USDT, too) or PERF_EVENT.
 */
uint32_t event_prog_type(const struct event_spec *spec);

/*
 * event_is_traced() - whether it is a tracing event: the program runs each time it happens and for
 * every task, also while the event is disabled, whatever CPU or pid it was opened for. The others
 * run a program when the counter overflows, and only while they are enabled.
 */
bool event_is_traced(const struct event_spec *spec);

/*
 * event_is_of_core() - whether it is one of HARDWARE, CACHE and "rHEX", which the PMU of a core
 * counts.
 */
bool event_is_of_core(const struct event_spec *spec);

/* event_is_probe() - whether it is one of KPROBE, UPROBE, USDT: made for us, not there before. */
bool event_is_probe(const struct event_spec *spec);

/* What the numbers of an event are in: events/NAME.scale and NAME.unit of its PMU. */
struct event_unit {
	char scale[64];		/* "2.3283064365386962890625e-10"; "" when there is none */
	char unit[32];		/* "Joules"; likewise */
};

/* event_unit() - of an event of a PMU; both are "" for all others, and where none is listed. */
void event_unit(struct sys *sys, const struct event_spec *spec, struct event_unit *unit);

/* --- CPUs --- */

struct cpu_list {
	int *cpus;		/* owned, ascending, no duplicates */
	unsigned int nr;
};

/* cpu_list_parse() - "0-3,5". EINVAL with the text and the grammar. Numbers up to 8192. */
int cpu_list_parse(struct cpu_list *list, const char *text, struct error *err);
void cpu_list_free(struct cpu_list *list);
bool cpu_list_has(const struct cpu_list *list, int cpu);

/* cpu_list_add() - once, in its place; -ENOMEM. cpu_list_remove() - if it is there. */
int cpu_list_add(struct cpu_list *list, int cpu);
void cpu_list_remove(struct cpu_list *list, int cpu);

/* cpu_list_read() - a list of /sys/devices/system/cpu: @which is "online" or "possible". */
int cpu_list_read(struct sys *sys, const char *which, struct cpu_list *list, struct error *err);

/* --- which events to open --- */

/* A cgroup whose tasks are meant. */
struct event_cgroup {
	char *name;		/* owned; as the user wrote it */
	int fd;			/* owned; its directory */
};

/* Whose work is meant. */
enum event_whom {
	SCOPE_ALL,		/* every task */
	SCOPE_PROCESSES,	/* -p: their threads, and those and the children to come */
	SCOPE_THREADS,		/* -t: these and no others */
	SCOPE_USER,		/* -u: the processes that a user has now, and their children to
				 * come */
	SCOPE_CGROUPS,		/* -G: whoever is in them, now or later */
	SCOPE_COMMAND,		/* a child of ours that is going to exec; from then on */
};

/* What the user asked for, as written. At most one of those that say whom. Borrowed texts. */
struct event_scope_options {
	const char *cpus;	/* -C; NULL: each that is online */
	const char *processes, *threads;	/* "12,34" */
	const char *user;	/* a number, or a name of /etc/passwd */
	const char *cgroups;	/* "a,b" */
	pid_t command;		/* 0: none */
	bool no_inherit;	/* not the threads and children to come */
};

/* Over what a program is to run, looked up. */
struct event_scope {
	enum event_whom whom;
	struct cpu_list cpus;	/* owned; each is online. Empty when tasks are asked for and no
				 * CPU list was given. Who listens (hotplug.h) keeps it true */
	pid_t *tids;		/* owned, ascending; NULL: not by task */
	unsigned int nr_tids;
	struct event_cgroup *cgroups;	/* owned; NULL: not by cgroup */
	unsigned int nr_cgroups;
	bool cpus_given;	/* the user named the CPUs */
	bool inherit;		/* threads and children to come are meant, too */
	struct event_scope_options asked;
	struct cpu_list offline;	/* owned; filled by event_scope_offline() */
};

/*
 * event_scope_init() - look up what @asked names. Fails where it is wrong: a CPU which is not
 * online (ENODEV, "scope/offline-cpu", with the online ones), a process or thread which is not
 * there (ESRCH, "scope/no-process", "scope/no-thread"), a directory which is no cgroup
 * ("scope/not-a-cgroup", "scope/no-cgroup"), a name which no user has ("scope/no-user").
 */
int event_scope_init(struct sys *sys, struct event_scope *scope,
		     const struct event_scope_options *asked, struct error *err);
void event_scope_free(struct sys *sys, struct event_scope *scope);

/* event_scope_by_task() - whether it is of tasks: neither of all nor of cgroups. */
bool event_scope_by_task(const struct event_scope *scope);

/*
 * event_scope_again() - look again which tasks there are. An event is inherited by what a thread
 * starts after it was opened; what was started between looking and opening is known to nobody.
 * Returns 0 when there is none such: each task has an event or inherits one. 1: there are others,
 * and @scope has them now, so that events have to be opened anew; or an error.
 */
int event_scope_again(struct sys *sys, struct event_scope *scope, struct error *err);

/* A process of a scope by task. */
struct event_process {
	pid_t pid;
	pid_t *tids;		/* borrowed: those of the scope, the process's first in front */
	unsigned int nr_tids;
};

struct event_processes {
	struct event_process *list;	/* owned, ascending */
	unsigned int nr;		/* at least 1 */
	pid_t *tids;		/* owned */
};

/*
 * event_processes_list() - the processes of @scope, which is by task. ESRCH when all have ended:
 * "scope/no-process". On failure @p is empty.
 */
int event_processes_list(struct sys *sys, const struct event_scope *scope,
			 struct event_processes *p, struct error *err);
void event_processes_free(struct event_processes *p);

/*
 * event_tasks_check() - that @text is "12,34"; @what they are numbers of ("process"). EINVAL.
 * event_tasks_next() - the first of them; moves *@text on, to "" behind the last.
 */
int event_tasks_check(const char *text, const char *what, struct error *err);
pid_t event_tasks_next(const char **text);

/*
 * event_scope_offline() - which CPUs are meant and not in scope->cpus: of those asked for, or of
 * all that could be there. Nothing runs on them, and a summary should say so. Not part of
 * event_scope_init(), since only who prints a summary wants it. None when tasks are asked for.
 */
int event_scope_offline(struct sys *sys, struct event_scope *scope, struct error *err);

/*
 * How an event is opened: the first half of an attachment method. Fills type, config*, bp_* and
 * leaves the rest of @attr as it is; fills @cpus with the CPUs the PMU allows (empty: any; owned by
 * the caller also on failure). Both fail with the decoded cause and a reason: "event/unknown",
 * "event/no-pmu", "event/no-tracefs" ...
 */
typedef int event_describe_fn(struct sys *sys, const struct event_spec *spec,
			      struct perf_event_attr *attr, struct cpu_list *cpus,
			      struct error *err);

event_describe_fn event_by_type;	/* a fixed PERF_TYPE_*; a tracepoint's id from tracefs */
event_describe_fn event_by_pmu;	/* type, format/, events/ and cpumask of a PMU's directory in
				 * sysfs */

/*
 * event_sampling() - complete @attr for a program: disabled, sample_period or freq from the spec,
 * else from @period / @freq (0: not given), else the default of the kind: 99 Hz for clocks and
 * hardware, period 1 for what is counted one by one (tracepoints, breakpoints, page-faults,
 * context-switches ...). A period or frequency of 0, `dummy` and `bpf-output` are refused (EINVAL,
 * "event/never-runs"): the kernel would accept the program and never run it.
 */
int event_sampling(const struct event_spec *spec, uint64_t period, uint64_t freq,
		   struct perf_event_attr *attr, struct error *err);

/* One place where the event is to be opened. */
struct event_target {
	pid_t tid;		/* -1: every task */
	int cpu;		/* -1: any CPU */
	const struct event_cgroup *cgroup;	/* borrowed from the scope; NULL: none. Then tid
						 * is -1 */
};

/*
 * event_open() - one perf event, close-on-exec; @group_fd: the leader of its group, or -1. Returns
 * the fd (owned by the caller) or fails with the cause decoded after checking it: paranoid level
 * and capability, no such PMU, offline CPU, dead task, fd limit, breakpoint slots, rate above
 * perf_event_max_sample_rate ... Reasons "perf-open/...". @spec names it in messages.
 */
int event_open(struct sys *sys, const struct event_spec *spec, struct perf_event_attr *attr,
	       const struct event_target *target, int group_fd, struct error *err);

/*
 * event_targets() - where @spec has to be opened to cover @scope: each CPU (times each thread or
 * cgroup). Of the targets of a tracing event one is enough, the first that opens. @pmu_cpus: what
 * event_describe gave. *@targets is malloc'ed. Returns how many, at least 1, or an error (no CPU
 * left: ENODEV).
 */
int event_targets(const struct event_spec *spec, const struct event_scope *scope,
		  const struct cpu_list *pmu_cpus, struct event_target **targets,
		  struct error *err);

/*
 * event_default() - the event for a program which names none: "cycles" if this machine's PMU really
 * opens and counts it, else "cpu-clock". *@why says which and why, for stderr; static string.
 */
int event_default(struct sys *sys, struct event_spec *spec, const char **why, struct error *err);

/*
 * event_recall() - what -e calls the event of @type and @config: "cycles", "cpu-clock", "msr/tsc/",
 * "r1a8"; "TYPE:CONFIG" where nothing here has a name for it. Returns @buf, cut off where @size
 * ends.
 */
const char *event_recall(struct sys *sys, uint32_t type, uint64_t config, char *buf, size_t size);

/* --- directories and files --- */

/*
 * event_each_entry() - call @entry with each name in directory @path below @dirfd, without those
 * that begin with a dot. Returns 0, -errno, or what @entry returned when that is not 0 (which ends
 * the walk).
 */
int event_each_entry(struct sys *sys, int dirfd, const char *path,
		     int (*entry)(void *arg, const char *name), void *arg);

/*
 * event_each_line() - call @line with each line of @fd from where it stands, without its newline,
 * which it may take apart. What is longer than 8 KB is cut. Returns as event_each_entry().
 * event_each_line_of(): the lines of a file.
 */
int event_each_line(struct sys *sys, int fd, int (*line)(void *arg, char *line), void *arg);
int event_each_line_of(struct sys *sys, int dirfd, const char *path,
		       int (*line)(void *arg, char *line), void *arg);

#endif
