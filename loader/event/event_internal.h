/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of this folder share and nobody else needs: names, numbers, directories, PMUs. */
#ifndef PLOAD_EVENT_EVENT_INTERNAL_H
#define PLOAD_EVENT_EVENT_INTERNAL_H

#include "elf/error.h"
#include "loader/event/event.h"

#define EVENT_NAME_SYSFS 3

/* A hardware or software event as perf names it. */
struct event_name {
	const char *name;
	const char *alias;	/* may be NULL */
	enum event_kind kind;
	uint64_t config;	/* PERF_COUNT_HW_*, PERF_COUNT_SW_* */
	/*
	 * Hardware: what the PMUs call it in their events/ directory: x86, arm64 and s390x each
	 * have a spelling of their own. May be NULL from the second on.
	 */
	const char *sysfs[EVENT_NAME_SYSFS];
};

/* event_name_find() - by name or alias; NULL: there is none of that name. */
const struct event_name *event_name_find(const char *text, size_t len);

#define EVENT_CACHE_NAME 48

/*
 * event_cache_find() - the config of a cache event, in any of perf's spellings: a cache, and what
 * is done with it, as in "L1-dcache-load-misses", "LLC-loads", "iTLB-misses". -EINVAL: it is none.
 * include/uapi/linux/perf_event.h, enum perf_hw_cache_id
 */
int event_cache_find(const char *text, size_t len, uint64_t *config);

/* event_cache_name() - the name of the @i'th that a cache can have, into @name; false: no more. */
bool event_cache_name(unsigned int i, char name[EVENT_CACHE_NAME]);

/* event_name_sysfs() - the row whose first name in sysfs is @name; NULL: none. */
const struct event_name *event_name_sysfs(const char *name);

/* event_name_of() - the name of the row that has @kind and @config; NULL: none. */
const char *event_name_of(enum event_kind kind, uint64_t config);

/* event_each_name() - call @call with each name of the tables; @alias is another one, or NULL. */
void event_each_name(void (*call)(void *arg, const char *name, const char *alias), void *arg);

/* nearest_offer_events() - offer each name and alias of the tables. */
void nearest_offer_events(struct nearest *near);

/*
 * event_number() - an unsigned number, decimal or 0x hexadecimal, all of @len bytes. -EINVAL, or
 * -ERANGE beyond 64 bits.
 */
int event_number(const char *text, size_t len, uint64_t *value);

/* event_number_of() - the same to a base of up to 36, without 0x. */
int event_number_of(const char *text, size_t len, unsigned int base, uint64_t *value);

/* event_raw() - "r1a8" or "r0x1a8": the number. -EINVAL: it is none; -ERANGE. */
int event_raw(const char *text, size_t len, uint64_t *config);

/*
 * event_word() - whether it can be the name of one file: letters, digits, '_', '-', '.', and no '.'
 * in front.
 */
bool event_word(const char *text, size_t len);

/*
 * event_pattern() - the same with the signs of a pattern: '*', '?', "[a-c]", "[!a]".
 * event_is_glob(): whether it has one. event_glob(): whether @pattern takes the whole of @name.
 */
bool event_pattern(const char *text, size_t len);
bool event_is_glob(const char *text);
bool event_glob(const char *pattern, const char *name);

/*
 * event_unknown() - say that there is no event called @name, and which are near: of the tables and
 * of all PMUs. Returns -ENOENT, "event/unknown".
 */
int event_unknown(struct sys *sys, const char *name, struct error *err);

/* event_modify() - the bits of @attr that the modifiers stand for. */
void event_modify(const struct event_modifiers *m, struct perf_event_attr *attr);

/*
 * event_probe_unsupported() - say that probes are not opened this way. Returns -ENOTSUP.
 */
int event_probe_unsupported(const struct event_spec *spec, struct error *err);

/*
 * event_open_detached() - a file system of @type that no path leads to: it needs no mount point,
 * changes nothing for others, and is gone with its fd. Returns a directory (owned) or -errno.
 */
int event_open_detached(struct sys *sys, const char *type);

/* A tracefs: where it is mounted, or one of our own that is mounted nowhere. */
struct tracefs {
	int dir_fd;		/* owned; AT_FDCWD where it is mounted */
	const char *root;	/* the mount's path, static; "" below dir_fd */
};

/* tracefs_find() - fails with "event/no-tracefs". tracefs_close() also after a failure. */
int tracefs_find(struct sys *sys, struct tracefs *t, struct error *err);
void tracefs_close(struct sys *sys, struct tracefs *t);

/* tracefs_path() - the path of @file in it, below dir_fd, in @buf. tracefs_openat() opens it. */
const char *tracefs_path(const struct tracefs *t, const char *file, char *buf, size_t size);
int tracefs_openat(struct sys *sys, const struct tracefs *t, const char *file, int flags);

/*
 * event_tracepoint_id() - the id of tracepoint @category:@name, for attr.config.
 * "event/no-tracefs", "event/unknown".
 */
int event_tracepoint_id(struct sys *sys, const char *category, const char *name, uint64_t *id,
			struct error *err);

/*
 * pmu_read() - the line in @file ("type", "format/event") of @pmu's directory, into @text. Its
 * length or -errno. Documentation/ABI/testing/sysfs-bus-event_source-devices-*
 */
int pmu_read(struct sys *sys, const char *pmu, const char *file, char *text, size_t size);

/*
 * event_fd_limit() - whether @code (positive) says that there are no more descriptors; then @err,
 * which is set, gets "event/fd-limit" and the numbers.
 */
bool event_fd_limit(struct sys *sys, int code, struct error *err);

/*
 * pmu_each_file() - event_each_entry() of @dir ("format", "events") in @pmu's directory.
 * pmu_is_event(): whether a file of events/ is an event; beside "energy-pkg" stand
 * "energy-pkg.unit" and others that say more of it.
 */
int pmu_each_file(struct sys *sys, const char *pmu, const char *dir,
		  int (*call)(void *arg, const char *name), void *arg);
bool pmu_is_event(const char *file);

/*
 * pmu_names() - "a, b, c": what is in @dir ("format", "events") of @pmu's directory. Returns @buf.
 */
const char *pmu_names(struct sys *sys, const char *pmu, const char *dir, char *buf, size_t size);

/*
 * pmu_unreadable() - say that @file of @pmu's directory cannot be read, as @code (positive) says.
 * Returns -@code. "event/pmu-format", "event/fd-limit".
 */
int pmu_unreadable(struct sys *sys, const char *pmu, const char *file, int code,
		   struct error *err);

/*
 * pmu_type() - attr.type of the PMU called @pmu. ENOENT, with the PMUs there are: "event/no-pmu".
 */
int pmu_type(struct sys *sys, const char *pmu, uint32_t *type, struct error *err);

/*
 * pmu_find() - the PMU for which @match says 1, into @pmu; @match gets the PMU's name. Returns 1
 * (found), 0 or an error; "cpu" is asked first, as machines with several kinds of cores have PMUs
 * beside it which list the same events.
 */
int pmu_find(struct sys *sys, int (*match)(struct sys *sys, void *arg, const char *pmu), void *arg,
	     char pmu[EVENT_NAME_MAX], struct error *err);

/* pmu_cpus() - the CPUs @pmu wants to be opened on: its cpumask or cpus. Empty: any. */
int pmu_cpus(struct sys *sys, const char *pmu, struct cpu_list *cpus, struct error *err);

/*
 * pmu_is_core() - whether @pmu is that of the processor's cores, or of one kind of them: 1 or 0.
 * tools/perf/util/pmu.c, is_pmu_core(): it is called "cpu" (or cpum_cf), or has "cpus".
 */
int pmu_is_core(struct sys *sys, const char *pmu);

/* pmu_each() - call @call with each PMU's name. Returns 0, what @call returned, or an error. */
int pmu_each(struct sys *sys, int (*call)(void *arg, const char *pmu), void *arg,
	     struct error *err);

/* pmu_has_event() - whether events/@name is there: 1 or 0. */
int pmu_has_event(struct sys *sys, const char *pmu, const char *name);

/* pmu_hint() - put a hint into @err which names the PMUs of this machine. */
void pmu_hint(struct sys *sys, struct error *err);

/*
 * pmu_terms() - put "name=value,name,..." into @attr as the PMU's format/ says; a name of events/
 * stands for its terms, and so do "rHEX" and, of the PMU of a core, the names of cycles and caches,
 * which change attr.type. Later terms win. Fails with EINVAL: a term the PMU does not have (its
 * terms in the hint), a value which does not fit.
 */
int pmu_terms(struct sys *sys, const char *pmu, const char *terms, struct perf_event_attr *attr,
	      struct error *err);

/* One perf_event_open(2). All borrowed. */
struct event_call {
	const struct event_spec *spec;
	const struct perf_event_attr *attr;
	pid_t tid;		/* with PERF_FLAG_PID_CGROUP the cgroup's descriptor */
	int cpu, group_fd;
	unsigned long flags;
};

/*
 * event_open_failed() - why the kernel answered @call with @code (positive): what the errno may
 * mean is checked, mostly by opening the event once more without something. Fills @err, where
 * "event 'x': CPU 0: task 7", reasons "perf-open/..."; returns -@code. open_breakpoint_failed():
 * the part of it about breakpoints, without the place.
 */
int event_open_failed(struct sys *sys, const struct event_call *call, int code, struct error *err);
int open_breakpoint_failed(struct sys *sys, const struct event_call *call, int code,
			   struct error *err);

/* open_fail() - "perf_event_open: STRERROR: WHAT" and a reason. Returns -@code. */
int open_fail(int code, struct error *err, const char *reason, const char *what);

/* event_opens() - whether @call opens with @attr instead; what it opened is closed again. */
bool event_opens(struct sys *sys, const struct event_call *call,
		 const struct perf_event_attr *attr);

/* cpu_list_text() - the list as "0-3,5". Returns @buf, cut off where @size ends. */
const char *cpu_list_text(const struct cpu_list *list, char *buf, size_t size);

#endif
