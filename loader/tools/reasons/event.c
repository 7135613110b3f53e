// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of events that are not understood, or not found. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_event[] = {
	{ "event/grammar", "what is behind -e is not an event, or not a list of them",
	  "pload reads it by the grammar of perf's -e (loader/event/spec*.c), before the kernel "
	  "is asked.",
	  "pload --help, at -e; docs/events.md.", "What the hint says." },
	{ "event/unknown", "there is no event of that name",
	  "pload knows perf's names, and asks tracefs for tracepoints and the PMUs' events/ in "
	  "sysfs.",
	  "pload list; cat /sys/kernel/tracing/available_events.",
	  "A name of the hint; modprobe the module that has the tracepoint." },
	{ "event/no-pmu", "the machine has no PMU of that name, type or with that event",
	  "pload looks in /sys/bus/event_source/devices.",
	  "ls /sys/bus/event_source/devices",
	  "A PMU of the hint; -e cpu-clock works everywhere." },
	{ "event/pmu-term", "the PMU has no such term, or the value does not fit",
	  "pload reads format/ and events/ of the PMU in sysfs; a value has to fit its bits.",
	  "grep . /sys/bus/event_source/devices/PMU/format/*", "A term and value of these." },
	{ "event/pmu-format", "the PMU's format file is one that pload cannot read",
	  "Files of format/ are config:0-7,32 and the like "
	  "(Documentation/ABI/testing/sysfs-bus-event_source-devices-format).",
	  "cat /sys/bus/event_source/devices/PMU/format/TERM",
	  "-e TYPE:CONFIG asks for the numbers themselves." },
	{ "event/no-tracefs", "the tracepoint's id cannot be read",
	  "pload reads events/CATEGORY/NAME/id of tracefs, mounted or (Linux 5.2, "
	  "CAP_SYS_ADMIN) mounted nowhere.",
	  "ls /sys/kernel/tracing /sys/kernel/debug/tracing",
	  "mount -t tracefs nodev /sys/kernel/tracing, or run as root; CONFIG_EVENT_TRACING." },
	{ "event/fd-limit", "there is no file descriptor left to look into tracefs",
	  "openat(2): EMFILE or ENFILE.",
	  "ulimit -n", "ulimit -n with a larger number." },
	{ "event/never-runs", "the kernel would take the program and never run it",
	  "perf_event_set_bpf_handler() takes any event, and programs run when a sample is due: "
	  "not on an event without period, nor on dummy, bpf-output and counters that cannot "
	  "sample.",
	  "pload --trace shows the attr.", "A period (-c) or frequency (-F); another event." },
	{ "event/ftrace", "events of ftrace are records that tracers write",
	  "perf_event_set_bpf_prog() takes tracepoints and probes; TRACE_EVENT_FL_IGNORE_ENABLE.",
	  "cat /sys/kernel/tracing/events/ftrace/function/format",
	  "kprobe:FUNCTION, or SEC(\"fentry/FUNCTION\")." },
	{ "event/dynamic", "it is a synthetic event or the like, which runs no program",
	  "perf_event_set_bpf_prog() takes tracepoints and probes; dynamic_events of tracefs says "
	  "which is what.",
	  "cat /sys/kernel/tracing/dynamic_events", "The tracepoint or probe that it is made of." },
	{ "event/unsupported", "this method cannot open this kind of event",
	  "Probes through their PMU take addresses of names, which no term of the event can say.",
	  "pload --help, at --attach.", "The hint names the method or the grammar that can." },
	{ "event/too-many", "there are more events than pload opens at once",
	  "A limit of pload's own, for patterns that match half the kernel.",
	  "pload list PATTERN | wc -l", "A narrower pattern." },
	{ "event/alternative", "events joined by or= take different programs",
	  "The first that opens is taken, and has to run the same program as the others would.",
	  "pload explain attach/mismatch has which event takes what.",
	  "Alternatives of one kind: hardware and software events, or tracepoints." },
	{ "cpu/grammar", "it is not a list of CPUs",
	  "pload reads lists as the kernel writes them.",
	  "cat /sys/devices/system/cpu/online", "Numbers and ranges: 0-3,5." },
	{ "cpu/no-sysfs", "the lists of CPUs cannot be read",
	  "/sys/devices/system/cpu/online and possible.",
	  "mount | grep sysfs", "mount -t sysfs sysfs /sys" },
	{ NULL, NULL, NULL, NULL, NULL },
};
