/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Kprobes, uprobes and USDT probes: create them for a session, by tracefs or by their PMU. */
#ifndef PLOAD_EVENTS_PROBES_PROBES_H
#define PLOAD_EVENTS_PROBES_PROBES_H

#include "loader/core/event/probe.h"

/**
 * probe_describe_fn - Create a probe and fill type and config* of @attr: the first half of an
 * attachment method for probes. A uprobe or USDT probe has to be resolved.
 * @function: @attr points into it and into @spec; both must live until the event is open.
 *
 * probe_by_tracefs() - Append a line to kprobe_events or uprobe_events, which creates a tracepoint:
 *
 *	p:pload/NAME [MODULE:]SYMBOL[+OFFSET]		kprobe
 *	r:pload/NAME SYMBOL				kretprobe
 *	p:pload/NAME /bin/sh:0x1234[(0x5678)]		uprobe[, offset of the USDT semaphore]
 *	-:pload/NAME					removes it
 *
 * The line stays until probes_remove(), even if pload is killed; the next pload that creates one
 * removes the lines of those that are dead. Documentation/trace/kprobetrace.rst, uprobetracer.rst
 *
 * probe_by_pmu() - Use PMU "kprobe" or "uprobe" of sysfs: the probe lives as long as its event.
 * attr.kprobe_func or uprobe_path points to the name, attr.probe_offset is added. Linux 4.17;
 * ref_ctr_offset 4.20.
 *
 * Return: 0 or -errno ("probe/...", "event/...").
 */
typedef int probe_describe_fn(struct sys *sys, const struct event_spec *spec,
			      struct probes *probes, char function[PROBE_FUNCTION_MAX],
			      struct perf_event_attr *attr, struct error *err);
probe_describe_fn probe_by_tracefs, probe_by_pmu;

/** probe_describe() - Return one of them. */
static inline probe_describe_fn *probe_describe(bool by_tracefs)
{
	return by_tracefs ? probe_by_tracefs : probe_by_pmu;
}

/**
 * probes_remove() - Remove the lines from the @from-th on, once their events are closed.
 * probes_end() - Remove all of them and close the files.
 *
 * A line that cannot be removed is reported by probes->note.
 */
void probes_remove(struct sys *sys, struct probes *probes, unsigned int from);
void probes_end(struct sys *sys, struct probes *probes);

/**
 * probes_note_missed() - Report @nr calls of kprobes that ran no program; nothing if it is 0.
 * probes_end() reports those of lines in tracefs.
 */
void probes_note_missed(const struct probes *probes, uint64_t nr);

#endif
