/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files that create probes and explain their failures. */
#ifndef PLOAD_EVENT_PROBES_PROBES_INTERNAL_H
#define PLOAD_EVENT_PROBES_PROBES_INTERNAL_H

#include "loader/event/event_internal.h"
#include "loader/event/probe.h"
#include "loader/sys/more/kallsyms.h"

#define PROBE_GROUP "pload"
#define PROBE_NAME_MAX 64	/* MAX_EVENT_NAME_LEN of kernel/trace/trace.h, with its '\0' */

/* --- whose lines they are: probe_owner.c --- */

/*
 * The process that created a line. Its pid and start time are unique until the next boot, but only
 * within its pid namespace, so the name contains that as well.
 */
struct probe_owner {
	uint32_t pid;
	uint64_t start;		/* in clock ticks since boot: field 22 of /proc/PID/stat */
	uint32_t ns;		/* inode of its pid namespace */
};

/* probe_owner_self() - this process. "probe/no-proc". */
int probe_owner_self(struct sys *sys, struct probe_owner *owner, struct error *err);

/*
 * probe_owner_name() - a name for a line: what of @what can stand in one, and the owner. @set and
 * @serial tell lines of one process apart.
 */
void probe_owner_name(const struct probe_owner *owner, const char *what, unsigned int set,
		      unsigned int serial, char name[PROBE_NAME_MAX]);

/* probe_owner_of() - who has made a line of that @name. false: it is none of probe_owner_name(). */
bool probe_owner_of(const char *name, struct probe_owner *owner);

/*
 * probe_owner_gone() - whether @name is one of probe_owner_name() whose process runs no more. false
 * where that cannot be told: names of others, and of other pid namespaces.
 */
bool probe_owner_gone(struct sys *sys, const struct probe_owner *self, const char *name,
		      uint32_t *pid);

/* --- the files of tracefs: probe_lines.c --- */

enum probe_file { PROBE_KPROBES, PROBE_UPROBES, PROBE_NR_FILES };

/* Their names in tracefs. */
extern const char *const probe_files[PROBE_NR_FILES];

/*
 * probe_lines_open() - have tracefs and @file at hand, after taking away what others left behind.
 * "probe/no-kprobes", "probe/no-uprobes", "event/no-tracefs".
 */
int probe_lines_open(struct sys *sys, struct probes *probes, enum probe_file file,
		     struct error *err);

/* probe_lines_name() - a name for a line about @what. */
void probe_lines_name(struct probes *probes, enum probe_file file, const char *what,
		      char name[PROBE_NAME_MAX]);

/* probe_lines_add() - write @line, which makes event @name. 0, or -errno and nothing was made. */
int probe_lines_add(struct sys *sys, struct probes *probes, enum probe_file file,
		    const char *name, const char *line);

/* probe_lines_tracefs() - where the files are; borrowed. */
const struct tracefs *probe_lines_tracefs(const struct probes *probes);

/* probes_note() - tell the user. */
void probes_note(const struct probes *probes, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* --- what is probed: probe_kernel.c --- */

/*
 * probe_target() - of a KPROBE "[MODULE:]SYMBOL" into @function; of a system call the name that
 * this kernel's function has; "" for an address, and for what is no KPROBE. Refuses an offset
 * beyond the function, which the kernel would take for the next one. "probe/no-syscall",
 * "probe/offset", "probe/unresolved".
 */
int probe_target(struct sys *sys, const struct event_spec *spec, struct probes *probes,
		 char function[PROBE_FUNCTION_MAX], struct error *err);

/** probe_has_module() - Return true if module @name is loaded, or if that is not known. */
bool probe_has_module(struct sys *sys, const char *name);

#define PROBE_NO_MODULE_HINT "modprobe %s; what is no module's goes without one: kprobe:SYMBOL"

/* --- why not: probe_failed.c, probe_failed_kernel.c, probe_failed_file.c --- */

/* A refused probe. */
struct probe_failure {
	struct sys *sys;
	const struct event_spec *spec;
	struct kernel_symbols *symbols;	/* may be NULL */
	const char *function;		/* of a KPROBE */
	const char *call;		/* "perf_event_open", or a file of tracefs */
	int code;			/* positive errno */
	const struct tracefs *tracefs;	/* with line */
	const char *line;		/* what was written; NULL: by the PMU */
	const struct perf_event_attr *attr;	/* without line */
};

/*
 * probe_failed() - fill @err with the cause, checked. false: it is none of the probe's own.
 */
bool probe_failed(const struct probe_failure *f, struct error *err);

/* The part of it that is about the kernel's code, or about a file. */
bool probe_failed_kernel(const struct probe_failure *f, struct error *err);
bool probe_failed_file(const struct probe_failure *f, struct error *err);

/* probe_cause() - "CALL: ERRNO: WHAT" and a reason. */
void probe_cause(const struct probe_failure *f, struct error *err, const char *reason,
		 const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
