/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internal to this room: names of events, and the features' hooks. */
#ifndef PLOAD_CORE_EVENT_STEPS_H
#define PLOAD_CORE_EVENT_STEPS_H

#include <string.h>

#include "elf/error.h"
#include "loader/core/event/event.h"
#include "loader/core/event/pmu.h"
#include "loader/core/event/scope.h"
#include "loader/core/sys/fd_limit.h"
#include "loader/core/sys/number.h"
#include "loader/core/sys/read.h"
#include "loader/core/sys/tables.h"

/* --- names: names.c; those of caches: events/grammar/events.h --- */

#define PERF_NAME_SYSFS 3

/* A hardware or software event. */
struct perf_name {
	const char *name;
	const char *alias;	/* or NULL */
	enum event_kind kind;
	uint64_t config;	/* PERF_COUNT_HW_*, PERF_COUNT_SW_* */
	/*
	 * HARDWARE: names in the PMU's events/, which differ on x86, arm64 and s390x. All but the
	 * first may be NULL.
	 */
	const char *sysfs[PERF_NAME_SYSFS];
};

/**
 * perf_name_find() - Find a row by name or alias.
 * perf_name_by_sysfs() - Find a row by its first name in sysfs.
 * perf_name_by_config() - Return the name of the row with @kind and @config.
 * perf_name_at() - Return row @i.
 *
 * Return: NULL if there is none.
 */
const struct perf_name *perf_name_find(const char *text, size_t len);
const struct perf_name *perf_name_by_sysfs(const char *name);
const char *perf_name_by_config(enum event_kind kind, uint64_t config);
const struct perf_name *perf_name_at(unsigned int i);

/* --- texts: grammar/text.c, pmu_terms.c, sampling.c --- */

/** event_parse_raw() - Parse "r1a8" or "r0x1a8". Return: 0, -EINVAL or -ERANGE. */
int event_parse_raw(const char *text, size_t len, uint64_t *config);

/**
 * event_is_word() - Return true if @text can name a file: letters, digits, '_', '-', '.', not
 * beginning with '.'.
 * event_is_pattern() - The same, with '*', '?', "[a-c]", "[!a]".
 */
#define EVENT_WORD_CHARS "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-."

static inline bool event_is_word(const char *text, size_t len)
{
	return len && text[0] != '.' && strspn(text, EVENT_WORD_CHARS) >= len;
}

static inline bool event_is_pattern(const char *text, size_t len)
{
	return len && text[0] != '.' && strspn(text, EVENT_WORD_CHARS "*?[]!^") >= len;
}

/* Numbers of tasks. Zeroed is empty. */
struct id_list {
	pid_t *ids;		/* owned */
	unsigned int nr;
};

/**
 * id_list_add() - Append @id. Return: 0, -ENOMEM, or -E2BIG above what any kernel allows.
 * id_list_parse() - Append the ids in "12,34". @what: "process" or "thread", for the error.
 * id_list_add_threads() - Append the threads of a process. -ESRCH: it has ended.
 * scope_list_tasks() - List the tasks of @scope as of now, sorted.
 * @again: a process that has ended is not an error.
 * @tids: freed by the caller, even on failure.
 */
int id_list_add(struct id_list *list, pid_t id);
int id_list_parse(const char *text, const char *what, struct id_list *list, struct error *err);
int id_list_add_threads(struct sys *sys, pid_t pid, struct id_list *tids, struct error *err);
int scope_list_tasks(struct sys *sys, struct event_scope *scope, bool again, struct id_list *tids,
		     struct error *err);

/* The arguments of one perf_event_open(2). All borrowed. */
struct event_call {
	const struct event_spec *spec;
	const struct perf_event_attr *attr;
	pid_t tid;		/* with PERF_FLAG_PID_CGROUP, the cgroup's descriptor */
	int cpu, group_fd;
	unsigned long flags;
	const struct event_cgroup *cgroup;	/* NULL: none */
};

/* FAILED_EVENT: the call and its positive errno. */
struct refused_event {
	const struct event_call *call;
	int code;
};

/* --- hooks of features --- */

/*
 * NULL: no hook. Of the hooks that replace a plain form (parse, parse_section, choose_default,
 * term_of_core, describe) only the first one is called; otherwise all are.
 */
struct event_feature {
	int (*parse)(struct event_list *list, const char *text, struct error *err);
	int (*parse_section)(struct event_list *list, const char *prefix, const char *target,
			     struct error *err);
	int (*expand)(struct sys *sys, struct event_list *list,
		      const struct event_expand_hooks *hooks, struct error *err);
	/* Mark tracepoints that are probes. */
	void (*mark_dynamic)(struct sys *sys, struct event_list *list);
	/*
	 * Describe an event of a kind unknown to the core, by PMU or by fixed type, and the
	 * modifiers of any event. Return: 0, 1 for one of the core's kinds, or -errno.
	 */
	int (*describe)(struct sys *sys, const struct event_spec *spec, bool of_sysfs,
			struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err);
	/* Choose the event of a program that names none. */
	int (*choose_default)(struct sys *sys, struct event_spec *spec, const char **why,
			      struct error *err);
	/* Apply a term of a core PMU that sysfs does not list. Return: 0 or -EINVAL. */
	int (*term_of_core)(const char *text, size_t len, uint32_t *type, uint64_t *config);
	/* List the tasks or open the cgroups of @scope. Return: 0 or -errno. */
	int (*scope)(struct sys *sys, struct event_scope *scope, bool again, struct id_list *tids,
		     struct error *err);
};

int event_describe_other(struct sys *sys, const struct event_spec *spec, bool of_sysfs,
			 struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err);
int event_term_of_core(const char *text, size_t len, uint32_t *type, uint64_t *config);
int scope_by_feature(struct sys *sys, struct event_scope *scope, bool again, struct id_list *tids,
		     struct error *err);

/* --- the plain form: list.c --- */

/**
 * event_list_plain() - Append an event that event_plain() parses.
 * event_list_room() - Make room for one more event, at specs[nr].
 */
int event_list_plain(struct event_list *list, const char *text, struct error *err);
int event_list_room(struct event_list *list, struct error *err);

#endif
