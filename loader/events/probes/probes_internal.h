/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files that create probes and explain their failures. */
#ifndef PLOAD_EVENTS_PROBES_PROBES_INTERNAL_H
#define PLOAD_EVENTS_PROBES_PROBES_INTERNAL_H

#include "loader/base/calls/tracefs.h"
#include "loader/core/event/steps.h"
#include "loader/events/probes/probes.h"
#include "loader/base/text/kallsyms.h"

#define PROBE_GROUP "pload"
#define PROBE_NAME_MAX 64	/* MAX_EVENT_NAME_LEN in kernel/trace/trace.h, including '\0' */

/* --- owners of tracefs lines: line_owner.c --- */

/*
 * The process that created a line. Its pid and start time are unique until the next boot, but only
 * within its pid namespace, so the name also contains that.
 */
struct probe_owner {
	uint32_t pid;
	uint64_t start;		/* in clock ticks since boot: field 22 of /proc/PID/stat */
	uint32_t ns;		/* inode of its pid namespace */
};

/** probe_owner_self() - Describe this process. Return: 0 or -errno ("probe/no-proc"). */
int probe_owner_self(struct sys *sys, struct probe_owner *owner, struct error *err);

/**
 * probe_owner_name() - Compose the name of a line from @what and its owner:
 *
 *	vfs_read_1234_1a2b3c_effffffc_5_0	@what, pid, start, ns, @set, @serial
 *
 * @what: a symbol or file name; '_' replaces any character not allowed in C identifiers.
 * @set, @serial: distinguish the lines of a process.
 */
void probe_owner_name(const struct probe_owner *owner, const char *what, unsigned int set,
		      unsigned int serial, char name[PROBE_NAME_MAX]);

/** probe_owner_of() - Parse @name. Return: false if probe_owner_name() did not compose it. */
bool probe_owner_of(const char *name, struct probe_owner *owner);

/**
 * probe_owner_gone() - Return true if the process that created line @name has ended.
 * @pid: set to the pid of that process.
 *
 * Returns false for names not composed by probe_owner_name(), and for processes in other pid
 * namespaces, which cannot be looked up.
 */
bool probe_owner_gone(struct sys *sys, const struct probe_owner *self, const char *name,
		      uint32_t *pid);

/* --- the files of tracefs: tracefs_lines.c --- */

enum probe_file { PROBE_KPROBES, PROBE_UPROBES, PROBE_NR_FILES };

/* Their names in tracefs. */
extern const char *const probe_files[PROBE_NR_FILES];

/**
 * probe_lines_open() - Open tracefs and @file unless already open, and remove the lines of
 * processes that have ended.
 *
 * Return: 0 or -errno ("probe/no-kprobes", "probe/no-uprobes", "event/no-tracefs").
 */
int probe_lines_open(struct sys *sys, struct probes *probes, enum probe_file file,
		     struct error *err);

/** probe_lines_name() - Compose the name of a new line for the symbol or file @what. */
void probe_lines_name(struct probes *probes, enum probe_file file, const char *what,
		      char name[PROBE_NAME_MAX]);

/** probe_lines_add() - Write @line, which creates event @name. Return: 0, or -errno of write(2). */
int probe_lines_add(struct sys *sys, struct probes *probes, enum probe_file file,
		    const char *name, const char *line);

/** probe_lines_tracefs() - Return the tracefs mount (borrowed). */
const struct tracefs *probe_lines_tracefs(const struct probes *probes);

/* --- the function of a kprobe: kprobe_function.c --- */

/**
 * probe_target() - Find the function of a kprobe, and reject an offset past its end, where the
 * kernel would probe the next function.
 * @function: set to "[MODULE:]SYMBOL"; for a system call, to the name of its function, such as
 * "__x64_sys_openat"; to "" for an address, a uprobe or a USDT probe.
 *
 * Return: 0 or -errno ("probe/no-syscall", "probe/offset", "probe/unresolved").
 */
int probe_target(struct sys *sys, const struct event_spec *spec, struct probes *probes,
		 char function[PROBE_FUNCTION_MAX], struct error *err);

/**
 * probe_syscall_meant() - Find the system call meant by @name, which is not a symbol: "sys_write",
 * "write", or the function of another architecture.
 * @function: set to this kernel's function, "__x64_sys_write".
 *
 * Return: the name of the system call, within @name; NULL if there is none.
 */
const char *probe_syscall_meant(struct kernel_symbols *k, const char *name,
				char function[PROBE_FUNCTION_MAX]);

/** probe_has_module() - Return true if module @name is loaded, or if that is unknown. */
bool probe_has_module(struct sys *sys, const char *name);

#define PROBE_NO_ADDRESS_HINT "addresses change with every boot: see /proc/kallsyms"
#define PROBE_NO_MODULE_HINT \
	"load it with modprobe %s; functions of the kernel itself have no module: kprobe:SYMBOL"

/* --- causes of failures: probe_failed.c, kprobe_failed.c, uprobe_failed.c --- */

/* A probe that the kernel refused. All pointers are borrowed. */
struct probe_failure {
	struct sys *sys;
	const struct event_spec *spec;
	struct kernel_symbols *symbols;	/* may be NULL */
	const char *function;		/* function of a KPROBE */
	const char *call;		/* "perf_event_open", or a tracefs file */
	int code;			/* positive errno */
	const struct tracefs *tracefs;	/* set if line is set */
	const char *line;		/* the line written; NULL: created through the PMU */
	const struct perf_event_attr *attr;	/* set if line is NULL */
};

/**
 * probe_failed() - Find the cause of @f and fill @err.
 * probe_failed_kernel() - Find causes specific to kprobes.
 * probe_failed_file() - Find causes specific to uprobes and USDT probes.
 *
 * Return: false if no cause related to probes applies.
 */
bool probe_failed(const struct probe_failure *f, struct error *err);
bool probe_failed_kernel(const struct probe_failure *f, struct error *err);
bool probe_failed_file(const struct probe_failure *f, struct error *err);

/* An exported function that every kernel has, which is neither blacklisted nor notrace. */
#define PROBE_TRIAL "vfs_fsync"

/**
 * probe_try() - Open a kprobe through the PMU, and close it.
 * @function: "" if @offset is an address
 *
 * Return: 0 or -errno; also -ENOENT before Linux 4.17, which has no such PMU.
 */
int probe_try(struct sys *sys, const char *function, uint64_t offset);

/** probe_cause() - Set @err to "CALL: ERRNO: " plus the formatted text, with @reason. */
void probe_cause(const struct probe_failure *f, struct error *err, const char *reason,
		 const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
