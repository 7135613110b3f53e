/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The PMUs of this machine: their directories under /sys/bus/event_source/devices. */
#ifndef PLOAD_CORE_EVENT_PMU_H
#define PLOAD_CORE_EVENT_PMU_H

#include "loader/core/sys/sys.h"
#include "elf/error.h"
#include <stdbool.h>
#include "loader/core/event/event.h"

/*
 * One directory per PMU (Documentation/ABI/testing/sysfs-bus-event_source-devices-*):
 *
 *	cpu/type		4			attr.type
 *	cpu/format/event	config:0-7,32-35	bits of attr that term event= fills
 *	cpu/events/cpu-cycles	event=0x3c		the terms that an event name stands for
 *	uncore_imc_0/cpumask	0,28			CPUs on which to open the event
 *	cpu_atom/cpus		16-23			likewise, for one kind of cores
 */

/**
 * pmu_read() - Read the line of @file ("type", "format/event") in the directory of @pmu.
 * Return: its length, or -errno.
 */
int pmu_read(struct sys *sys, const char *pmu, const char *file, char *text, size_t size);

/**
 * pmu_no_sysfs() - If sysfs is not mounted, report that rather than a missing PMU. Return: true if
 * so ("event/no-sysfs").
 */
bool pmu_no_sysfs(struct sys *sys, struct error *err);

/**
 * pmu_unreadable() - Report that pmu_read() of @file failed with @code (positive).
 * Return: -@code ("event/pmu-format", "event/fd-limit").
 */
int pmu_unreadable(struct sys *sys, const char *pmu, const char *file, int code,
		   struct error *err);

/**
 * * pmu_type() - Read attr.type of @pmu. Return: 0 or -errno; for -ENOENT the hint lists the
 * existing PMUs.
 */
int pmu_type(struct sys *sys, const char *pmu, uint32_t *type, struct error *err);

/** pmu_cpus() - Read the CPUs on which events of @pmu must be opened; empty: any. */
int pmu_cpus(struct sys *sys, const char *pmu, struct cpu_list *cpus, struct error *err);

/**
 * pmu_is_core() - Return 1 if @pmu belongs to the cores or one kind of cores: it is named "cpu" or
 * "cpum_cf", or has a file "cpus" (tools/perf/util/pmu.c, is_pmu_core()).
 */
int pmu_is_core(struct sys *sys, const char *pmu);

/**
 * pmu_each() - Call @call with each PMU's name until it returns a nonzero value; return that.
 */
int pmu_each(struct sys *sys, int (*call)(void *arg, const char *pmu), void *arg,
	     struct error *err);

/**
 * pmu_find() - Find the first PMU for which @match returns 1, and copy its name to @pmu. "cpu"
 * comes first: on a machine with several kinds of cores, other PMUs list the same events. Return: 1
 * if found, 0, or -errno.
 */
int pmu_find(struct sys *sys, int (*match)(struct sys *sys, void *arg, const char *pmu), void *arg,
	     char pmu[EVENT_NAME_MAX], struct error *err);

/**
 * pmu_each_file() - Call sys_each_entry() on @dir ("format", "events") of @pmu.
 * pmu_has_event() - Return 1 if events/@name exists.
 */
int pmu_each_file(struct sys *sys, const char *pmu, const char *dir,
		  int (*call)(void *arg, const char *name), void *arg);
int pmu_has_event(struct sys *sys, const char *pmu, const char *name);

/**
 * pmu_names() - Format the entries of @dir ("format", "events") as "a, b, c" into @buf. Return:
 * @buf.
 * pmu_hint() - Set a hint in @err that lists this machine's PMUs.
 */
const char *pmu_names(struct sys *sys, const char *pmu, const char *dir, char *buf, size_t size);
void pmu_hint(struct sys *sys, struct error *err);

/**
 * pmu_terms() - Encode "name=value,name,..." in the bits of @attr assigned by format/ of @pmu.
 *
 * A name in events/ stands for its terms. "rHEX" and, for core PMUs, names such as cycles are
 * terms, too, and change attr.type. Later terms override earlier ones.
 *
 * Return: 0 or -EINVAL: the PMU has no such term, or the value does not fit.
 */
int pmu_terms(struct sys *sys, const char *pmu, const char *terms, struct perf_event_attr *attr,
	      struct error *err);

/* --- tracepoints: tracefs.c --- */

/* The paths where tracefs may be mounted. */
#define TRACEFS_MOUNTS 2
extern const char *const tracefs_mounts[TRACEFS_MOUNTS];

/** tracefs_is_at() - Return true if tracefs is mounted at @root; used when a file was not found. */
bool tracefs_is_at(struct sys *sys, const char *root);

/**
 * * tracefs_failed() - Explain why tracefs cannot be read with the positive @code. Return: -@code.
 */
int tracefs_failed(struct sys *sys, int code, struct error *err);

/**
 * tracepoint_id() - Read the id of tracepoint @category:@name for attr.config. Return: 0 or -errno
 * ("event/no-tracefs", "event/unknown").
 */
int tracepoint_id(struct sys *sys, const char *category, const char *name, uint64_t *id,
		  struct error *err);

#endif
