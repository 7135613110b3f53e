/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Probes: events that are made for a session, in the kernel's code or in that of a file, by lines
 * of tracefs or through their PMU.
 */
#ifndef PLOAD_EVENT_PROBE_H
#define PLOAD_EVENT_PROBE_H

#include "loader/event/event.h"

struct probe_lines;
struct kernel_symbols;

/* What a session has made of probes. Zeroed is empty. */
struct probes {
	struct probe_lines *lines;	/* owned; NULL: nothing has been written into tracefs */
	void (*note)(void *arg, const char *text);	/* hears what the user should; may be
							 * NULL */
	void *note_arg;
	struct kernel_symbols *symbols;	/* borrowed: the kernel's, for all who ask; may be NULL */
};

/* "[MODULE:]FUNCTION" as the kernel takes it, with its '\0' */
#define PROBE_FUNCTION_MAX (EVENT_NAME_MAX + EVENT_WORD_MAX)

/*
 * How a probe is made: the first half of an attachment method, for events that are not there
 * before. Fills type and config* of @attr and leaves the rest as it is. @attr points into @spec and
 * @function: both have to stay until the event is open. A uprobe or USDT has to be resolved. Fails
 * with "probe/..." or "event/..."; see probe_failed.c.
 */
typedef int probe_describe_fn(struct sys *sys, const struct event_spec *spec,
			      struct probes *probes, char function[PROBE_FUNCTION_MAX],
			      struct perf_event_attr *attr, struct error *err);

/*
 * probe_by_tracefs() - a line in kprobe_events or uprobe_events of tracefs, which makes a
 * tracepoint. It stays until probes_remove(), whoever dies; lines of a pload that did not live to
 * remove them go away when another one makes its first.
 * Documentation/trace/kprobetrace.rst, uprobetracer.rst
 *
 * probe_by_pmu() - the PMU "kprobe" or "uprobe" of sysfs: the probe is there as long as its event.
 * Linux 4.17; ref_ctr_offset 4.20. tools/include/uapi/linux/perf_event.h: kprobe_func, uprobe_path
 */
probe_describe_fn probe_by_tracefs, probe_by_pmu;

/*
 * probe_open_failed() - whether @code of perf_event_open(2) is about the probe that @attr of
 * probe_by_pmu() asks for: then @err has the cause. Else it may be any event's.
 */
bool probe_open_failed(struct sys *sys, const struct event_spec *spec,
		       const struct perf_event_attr *attr, int code, struct error *err);

/*
 * probes_nr() - how many lines stand in tracefs. probes_remove() - take away those from the
 * @from-th on, once their events are closed. probes_end() - all of them, and the files.
 * What cannot be removed is told to probes->note: it never fails.
 */
unsigned int probes_nr(const struct probes *probes);
void probes_remove(struct sys *sys, struct probes *probes, unsigned int from);
void probes_end(struct sys *sys, struct probes *probes);

/*
 * probes_note_missed() - tell the user that @nr calls of kprobes have run no program; nothing when
 * it is 0. Those of lines are told by probes_end().
 */
void probes_note_missed(const struct probes *probes, uint64_t nr);

#endif
