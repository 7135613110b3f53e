// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The two families of perf events: a tracing event runs its program each time it occurs; a sampling
 * event runs it at a rate given by the event, the command line, or the kind of event.
 */
#include <errno.h>
#include <string.h>

#include "loader/core/event/steps.h"

bool event_is_probe(const struct event_spec *spec)
{
	return spec->kind == EVENT_KPROBE || spec->kind == EVENT_UPROBE || spec->kind == EVENT_USDT;
}

bool event_is_tracing(const struct event_spec *spec)
{
	if (spec->counts)
		return false;
	return spec->kind == EVENT_TRACEPOINT || event_is_probe(spec) ||
	       (spec->kind == EVENT_RAW && spec->fixed.type == PERF_TYPE_TRACEPOINT) ||
	       (spec->kind == EVENT_PMU && strcmp(spec->pmu.name, "tracepoint") == 0);
}

uint32_t event_prog_type(const struct event_spec *spec)
{
	if (event_is_probe(spec) || spec->dynamic)
		return BPF_PROG_TYPE_KPROBE;
	return event_is_tracing(spec) ? BPF_PROG_TYPE_TRACEPOINT : BPF_PROG_TYPE_PERF_EVENT;
}

bool event_is_core_pmu(const struct event_spec *spec)
{
	return spec->kind == EVENT_HARDWARE || spec->kind == EVENT_CACHE ||
	       (spec->kind == EVENT_RAW && spec->fixed.type == PERF_TYPE_RAW);
}

bool event_is_clock(const struct event_spec *spec)
{
	return spec->kind == EVENT_SOFTWARE && (spec->fixed.config == PERF_COUNT_SW_CPU_CLOCK ||
						spec->fixed.config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Not a divisor of the timer rate, so that samples do not run in lockstep with timer interrupts. */
#define DEFAULT_FREQ 99

static bool is_software(const struct perf_event_attr *attr, uint64_t config)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == config;
}

/* Return true for discrete events, as opposed to cycles or nanoseconds. */
static bool counts_single(const struct event_spec *spec, const struct perf_event_attr *attr)
{
	if (event_is_tracing(spec) || spec->kind == EVENT_BREAKPOINT)
		return true;
	return attr->type == PERF_TYPE_SOFTWARE && !is_software(attr, PERF_COUNT_SW_CPU_CLOCK) &&
	       !is_software(attr, PERF_COUNT_SW_TASK_CLOCK);
}

static int never_runs(const struct event_spec *spec, const char *what, const char *hint,
		      struct error *err)
{
	error_set(err, EINVAL, "%s: the kernel would accept the program but never run it", what);
	error_reason(err, "event/never-runs");
	error_hint(err, "%s", hint);
	error_where(err, "event '%s'", spec->text);
	return -EINVAL;
}

/* Make read(2) return the count and how long it was enabled and on the PMU. */
static int counting(const struct event_spec *spec, struct perf_event_attr *attr, struct error *err)
{
	attr->disabled = 1;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!spec->has_period && !spec->has_freq)
		return 0;
	error_set(err, EINVAL, "it has a period or frequency, but takes no samples");
	error_reason(err, "event/grammar");
	error_hint(err, "leave it out: the event only counts");
	return error_where(err, "event '%s'", spec->text);
}

int event_sampling(const struct event_spec *spec, uint64_t period, uint64_t freq,
		   struct perf_event_attr *attr, struct error *err)
{
	bool use_freq;

	if (spec->counts)
		return counting(spec, attr, err);
	if (is_software(attr, PERF_COUNT_SW_DUMMY) || is_software(attr, PERF_COUNT_SW_BPF_OUTPUT))
		return never_runs(spec, "this event never fires",
				  "use one that does, such as -e cpu-clock", err);
	if (spec->has_period || spec->has_freq) {
		period = spec->sample_period;
		freq = spec->sample_freq;
		if (!period && !freq)
			return never_runs(spec, "the period or frequency is 0, so it only counts",
					  "use a period of 1 or more, or leave it out", err);
	} else if (period && freq) {
		error_set(err, EINVAL, "both a period and a frequency given");
		error_reason(err, "event/grammar");
		return error_hint(err, "use -c or -F, not both");
	} else if (!period && !freq) {
		period = counts_single(spec, attr);
		freq = period ? 0 : DEFAULT_FREQ;
	}
	use_freq = freq != 0;
	attr->disabled = 1;
	attr->freq = use_freq;
	if (use_freq)
		attr->sample_freq = freq;
	else
		attr->sample_period = period;
	/*
	 * No ring is mapped, so records need no fields, with one exception: since Linux 6.2, the
	 * kernel sets ctx->addr only if the sample includes it (kernel/events/core.c,
	 * perf_prepare_sample).
	 */
	if (!event_is_tracing(spec))
		attr->sample_type |= PERF_SAMPLE_ADDR;
	return 0;
}

/* A clock's timer period is fixed and at least 10 us (kernel/events/core.c, perf_swevent_*). */
#define CLOCK_PERIOD_MIN 10000

uint64_t event_fixed_period(const struct perf_event_attr *attr)
{
	const bool clock = is_software(attr, PERF_COUNT_SW_CPU_CLOCK) ||
			   is_software(attr, PERF_COUNT_SW_TASK_CLOCK);
	uint64_t period = attr->sample_period;

	if (attr->read_format)	/* for an event group, read(2) returns all counts */
		return 0;
	if (!clock || !period)
		return attr->freq ? 0 : period;
	/* Its count includes time in spaces that it does not sample. */
	if (attr->exclude_user || attr->exclude_kernel || attr->exclude_idle)
		return 0;
	if (attr->freq)
		period = 1000000000 / attr->sample_freq;
	return period > CLOCK_PERIOD_MIN ? period : CLOCK_PERIOD_MIN;
}
