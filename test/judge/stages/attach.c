// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Stages that attach: by an ioctl, through the PMU's number, by a link, on each CPU. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/base/text/names.h"
#include "test/judge/stages/stages.h"

/* Return the last successful bind, or any. */
static const struct seen_bind *last_bind(const struct run *run)
{
	const struct seen_bind *bind = NULL;

	for (uint32_t i = 0; i < run->seen.nr_binds; i++)
		if (!bind || !run->seen.binds[i].error)
			bind = &run->seen.binds[i];
	return bind;
}

/* Return the limit of perf_event_open(2), or a large one if there is none. */
static unsigned long long max_sample_rate(void)
{
	FILE *in = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");
	unsigned long long rate = 0;

	if (!in || fscanf(in, "%llu", &rate) != 1)
		rate = 100000;
	if (in)
		fclose(in);
	return rate;
}

static bool event_opened(struct run *run)
{
	const struct seen_event *event = NULL;

	if (!check_loaded(run))
		return false;
	for (uint32_t i = 0; i < run->seen.nr_events; i++)
		if (!event || !run->seen.events[i].error)
			event = &run->seen.events[i];
	if (!event)
		return wrong(run, "perf_event_open was not called");
	if (event->error && event->pid == -1 && event->cpu == -1)
		return wrong(run, "pid -1 with cpu -1 is never valid: all tasks are sampled on one CPU, by "
			     "an event for each CPU");
	if (event->error == EINVAL && event->attr.freq && max_sample_rate() < event->attr.sample_freq)
		return wrong(run, "the event was not opened (EINVAL): this machine samples at most %llu times a second. "
			     "The kernel lowers kernel.perf_event_max_sample_rate when samples take too long: set it "
			     "to 100000 again", max_sample_rate());
	if (event->error)
		return wrong(run, "the event was not opened: %s", run->seen.last);
	if (event->attr.type != PERF_TYPE_SOFTWARE || event->attr.config != PERF_COUNT_SW_CPU_CLOCK)
		return wrong(run, "the event has type %u and config %llu, and the CPU clock has type 1 "
			     "(PERF_TYPE_SOFTWARE) and config 0", event->attr.type,
			     (unsigned long long)event->attr.config);
	return true;
}

/*
 * Return true if a program was bound to the event, or if none was bound at all: other events only
 * probe the kernel.
 */
static bool matters(const struct run *run, const struct seen_event *event)
{
	bool any = false;

	for (uint32_t i = 0; i < run->seen.nr_binds; i++) {
		const struct seen_bind *bind = &run->seen.binds[i];

		if (!bind->error && bind->event_id == event->id)
			return true;
		any |= !bind->error;
	}
	return !any;
}

static bool event_samples(struct run *run)
{
	for (uint32_t i = 0; i < run->seen.nr_events; i++) {
		const struct perf_event_attr *attr = &run->seen.events[i].attr;

		if (run->seen.events[i].error || !matters(run, &run->seen.events[i]))
			continue;
		if (!attr->sample_period)
			return wrong(run, "the event has neither a period nor a frequency: it counts, never "
				     "samples, and never runs a program. Nothing refuses it");
		if (rate_is_too_high(attr) && !attr->freq)
			return wrong(run, "sample_freq is %llu and bit 10 (freq) is 0, so the kernel takes it "
				     "for a period: a sample each %llu ns. The judge has made it %u, for the sake "
				     "of this machine", (unsigned long long)attr->sample_freq,
				     (unsigned long long)attr->sample_freq, PERIOD_GIVEN);
		if (!attr->freq && (attr->sample_period < 1000000 || attr->sample_period > 1002002))
			return wrong(run, "bit 10 (freq) is 0, and so sample_freq, %llu, is a period: a sample each "
				     "%llu ns, which is not 999 times a second",
				     (unsigned long long)attr->sample_freq,
				     (unsigned long long)attr->sample_freq);
		if (attr->freq && attr->sample_freq != FREQUENCY_GIVEN && max_sample_rate() >= FREQUENCY_GIVEN)
			return wrong(run, "it samples %llu times a second, and the contract has %u%s",
				     (unsigned long long)attr->sample_freq, FREQUENCY_GIVEN,
				     rate_is_too_high(attr) ? "; the judge has made it that, for the sake of this "
							      "machine" : "");
		if (attr->exclude_user || attr->exclude_kernel || attr->exclude_idle)
			return wrong(run, "the event has %s set: the contract has all tasks, in user mode, in the "
				     "kernel and idle", attr->exclude_user ? "bit 4 (exclude_user)" :
				     attr->exclude_kernel ? "bit 5 (exclude_kernel)" : "bit 7 (exclude_idle)");
		if (run->seen.events[i].pid == 0)
			return wrong(run, "the event follows your own task (pid 0), which sleeps until its "
				     "input ends: pass pid -1 and a CPU");
	}
	return true;
}

static bool bound_by(struct run *run, bool link)
{
	const struct seen_bind *bind = last_bind(run);

	if (!bind)
		return wrong(run, "the program was bound to no event: %s",
			     link ? "BPF_LINK_CREATE" : "ioctl(event, PERF_EVENT_IOC_SET_BPF, program)");
	if (bind->error == EBADF && !link)
		return wrong(run, "PERF_EVENT_IOC_SET_BPF takes the descriptor of the program, not a pointer "
			     "to it: %s", run->seen.last);
	if (bind->error && bind->attach_type != BPF_PERF_EVENT && link)
		return wrong(run, "attach_type is %u (%s), and has to be 41 (BPF_PERF_EVENT)",
			     bind->attach_type, sys_attach_type_name(bind->attach_type) ?: "not known");
	if (bind->error)
		return wrong(run, "the program was not bound: %s", run->seen.last);
	if (bind->by_link != link)
		return wrong(run, "the program was bound by %s, and the method is '%s'",
			     bind->by_link ? "a link" : "an ioctl", run->stage->method);
	return true;
}

static bool bound_by_ioctl(struct run *run)
{
	return bound_by(run, false);
}

static bool bound_by_link(struct run *run)
{
	return bound_by(run, true);
}

bool check_ready(struct run *run)
{
	if (run->ready && run->bound_when_ready)
		return true;
	if (run->ready)
		return wrong(run, "your program prints 'ready' before the program is attached");
	if (WIFEXITED(run->status) && WEXITSTATUS(run->status))
		return wrong(run, "your program ended with status %d before 'ready'%s",
			     WEXITSTATUS(run->status), last_failure(run));
	if (!last_bind(run) || last_bind(run)->error)
		return check_loaded(run) &&
		       wrong(run, "your program ended and had not attached the program: open an event, and bind the "
			     "program to it%s", last_failure(run));
	return wrong(run, "your program has attached, and ended without the line 'ready': print it, flush "
		     "the output, and wait until standard input ends. What is attached is gone when the "
		     "last descriptor is closed");
}

/* Return true if a program bound like this could still run when the judge looked. */
static bool was_held(const struct run *run, const struct seen_bind *bind)
{
	const struct seen_event *event = seen_event_id(run, bind->event_id);

	return bind->link_id ? bind->link_held : !event || event->held;
}

bool check_runs(struct run *run)
{
	const struct seen_prog *prog = seen_load(run);
	const struct seen_bind *bind = last_bind(run);
	const struct seen_event *event = bind ? seen_event_id(run, bind->event_id) : NULL;

	if (bind && run->looked_ready && !was_held(run, bind))
		return wrong(run, "the program does not run any more: your program is ready and has closed the "
			     "descriptor of its %s, with which what is attached is gone. Keep it open; where "
			     "the language collects garbage, keep a reference to it",
			     bind->link_id ? "link" : "event");
	if (prog->runs)
		return true;
	if (event && !event->enabled)
		return wrong(run, "the program never ran: the event was opened with disabled=1 and never "
			     "enabled (PERF_EVENT_IOC_ENABLE)");
	return wrong(run, "the program never ran while your program was ready");
}

#define EVENTS_PAGE "book/events.md"

#define OPENED(stage) \
	{ stage ".opened", event_opened, "the event is opened", EVENTS_PAGE, \
	  { "perf_event_open has no function in libc: number 298 on x86-64, 241 on arm64.", \
	    "attr.size is the size of the struct that you pass, at least 64.", \
	    "perf_event_open(attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC (8)); offsets in attr: type 0, " \
	    "size 4, config 8, sample_freq 16, flags 40." } }
#define SAMPLES(stage) \
	{ stage ".samples", event_samples, "it samples", EVENTS_PAGE, \
	  { "A program runs with each sample, and an event samples only if it has a rate.", \
	    "sample_freq 999, and the flag freq, bit 10 of the u64 at 40.", \
	    "flags = 1 << 10 (freq) | 1 << 0 (disabled)" } }
#define RUNS(stage) \
	{ stage ".runs", check_runs, "the program runs", METHODS_PAGE, \
	  { "An event that is bound may still be disabled.", \
	    "ioctl(event, PERF_EVENT_IOC_ENABLE (0x2400), 0)", \
	    "Or open it with the flag disabled = 0, and bind it then." } }
#define BOUND_BY_IOCTL(stage) \
	{ stage ".bound", bound_by_ioctl, "the program is bound by an ioctl", METHODS_PAGE, \
	  { "PERF_EVENT_IOC_SET_BPF is 0x40042408.", "Its argument is the number of the descriptor.", \
	    "ioctl(event, 0x40042408, program)" } }

const struct stage stage_event = {
	.name = "event", .title = "Run it: an event, by ioctl",
	.task = "Open the event on a CPU, bind the program by PERF_EVENT_IOC_SET_BPF, enable it, print "
		"'ready', and wait until standard input ends.",
	.object = "base.bpf.c", .features = "CALLS", .method = "ioctl", .attaches = true,
	.until = until_runs,
	.checks = (const struct check[]){ OPENED("event"), SAMPLES("event"), BOUND_BY_IOCTL("event"),
					  READY("event"), RUNS("event"), { 0 } },
	.beyond = "pload also opens every event that perf names, for tasks, cgroups and users: "
		  "loader/core/event/, loader/core/attach/open_scope.c.",
};

/* --- through the PMU --- */

/* While the judge runs, the file has a number of its own, which it replaces when an event is opened. */
static bool pmu_was_read(struct run *run)
{
	const struct seen_event *event = run->seen.nr_events ?
					 &run->seen.events[run->seen.nr_events - 1] : NULL;

	if (!run->seen.nr_events && !run->seen.read_pmu)
		return event_opened(run);
	if (!run->seen.read_pmu)
		return wrong(run, "your program did not read /sys/bus/event_source/devices/software/type: that the "
			     "number is 1 is luck, all other PMUs have numbers of their own on each machine");
	if (run->pmu && event && !run->seen.used_pmu)
		return wrong(run, "/sys/bus/event_source/devices/software/type has %u while the judge runs, and you "
			     "open the event with type %u: pass the number that you have read", run->pmu,
			     event->type_passed);
	return true;
}

const struct stage stage_pmu = {
	.name = "pmu", .title = "The same through the PMU's number",
	.task = "With method 'pmu', read the event's type from /sys/bus/event_source/devices/software/type.",
	.object = "base.bpf.c", .features = "CALLS", .method = "pmu", .attaches = true,
	.until = until_runs,
	.checks = (const struct check[]){
		{ "pmu.read", pmu_was_read, "the PMU's number is read", EVENTS_PAGE,
		  { "A PMU is a directory in sysfs.", "Its file 'type' has a decimal number and a newline.",
		    "type = int(open('/sys/bus/event_source/devices/software/type').read())" } },
		OPENED("pmu"), SAMPLES("pmu"), BOUND_BY_IOCTL("pmu"), READY("pmu"), RUNS("pmu"), { 0 } },
	.beyond = "pload also reads the PMU's format, which says in which bits each term goes: "
		  "loader/core/event/.",
};

/* --- by a link, with a cookie --- */

static bool cookie_arrived(struct run *run)
{
	for (uint32_t i = 0; i < run->seen.nr_binds; i++) {
		const struct seen_bind *bind = &run->seen.binds[i];
		const struct seen_event *event = seen_event_id(run, bind->event_id);
		const size_t at = offsetof(union bpf_attr, link_create.perf_event.bpf_cookie);

		if (bind->error || !bind->by_link || bind->cookie == run->cookie ||
		    bind->prog_id != seen_load(run)->id)
			continue;
		if (bind->attr_size < at + sizeof(bind->cookie))
			return wrong(run, "the program gets the cookie %llu, and your program got %llu: attr ends "
				     "after %u bytes, and bpf_cookie has 8 bytes at %zu",
				     (unsigned long long)bind->cookie, (unsigned long long)run->cookie,
				     bind->attr_size, at);
		return wrong(run, "on CPU %d the program gets the cookie 0x%llx, and your program got %llu, which "
			     "is 0x%llx: it has 64 bits, and each link needs it", event ? event->cpu : -1,
			     (unsigned long long)bind->cookie, (unsigned long long)run->cookie,
			     (unsigned long long)run->cookie);
	}
	return true;
}

const struct stage stage_link = {
	.name = "link", .title = "By a link, with a cookie",
	.task = "With method 'link', bind by BPF_LINK_CREATE, and pass COOKIE.",
	.object = "base.bpf.c", .features = "CALLS COOKIE", .method = "link", .cookie = true,
	.major = 5, .minor = 15,
	.attaches = true, .until = until_runs,
	.checks = (const struct check[]){
		OPENED("link"), SAMPLES("link"),
		{ "link.bound", bound_by_link, "the program is bound by a link", METHODS_PAGE,
		  { "BPF_LINK_CREATE is command 28, and returns a descriptor: keep it open.",
		    "attach_type is BPF_PERF_EVENT, 41.",
		    "Offsets in attr: prog_fd 0, target_fd 4, attach_type 8, flags 12, bpf_cookie 16." } },
		{ "link.cookie", cookie_arrived, "the program gets the cookie", METHODS_PAGE,
		  { "The cookie has 8 bytes, and may be larger than 32 bits.",
		    "The size that you pass to bpf(2) has to include it: at least 24.",
		    "attr.link_create.perf_event.bpf_cookie is at offset 16." } },
		READY("link"), RUNS("link"), { 0 } },
	.beyond = "pload also falls back on an ioctl where the kernel has no such links, and updates links: "
		  "loader/core/attach/method.c.",
};

/* --- on each CPU --- */

static bool cpus_have_events(struct run *run)
{
	bool online[1024];

	kernel_cpus("online", online);
	for (int cpu = 0; cpu < 1024; cpu++) {
		bool found = false;

		for (uint32_t i = 0; online[cpu] && i < run->seen.nr_binds; i++) {
			const struct seen_bind *bind = &run->seen.binds[i];
			const struct seen_event *event = seen_event_id(run, bind->event_id);

			found |= !bind->error && event && event->cpu == cpu;
		}
		if (online[cpu] && !found)
			return wrong(run, "CPU %d is online and no event of it runs the program: open one for "
				     "each CPU of /sys/devices/system/cpu/online, and bind each", cpu);
	}
	return true;
}

/* Return true when the element of each online CPU has grown. */
static bool until_all_cpus(struct run *run)
{
	const int map = object_map_named(run, run->choice.array);
	const struct seen_map *seen = map < 0 ? NULL : seen_map_of(run, map);
	bool online[1024], all = seen != NULL;
	const int fd = seen ? kernel_map_fd(seen->id) : -1;

	kernel_cpus("online", online);
	for (uint32_t cpu = 0; fd >= 0 && cpu < 1024; cpu++) {
		uint64_t value = 0;

		if (online[cpu] && (!kernel_lookup(fd, &cpu, &value) || !value))
			all = false;
	}
	if (fd >= 0)
		close(fd);
	return all;
}

static bool holds_event_of(const struct run *run, int cpu)
{
	for (uint32_t i = 0; i < run->seen.nr_binds; i++) {
		const struct seen_bind *bind = &run->seen.binds[i];
		const struct seen_event *event = seen_event_id(run, bind->event_id);

		if (!bind->error && event && event->cpu == cpu && was_held(run, bind))
			return true;
	}
	return false;
}

static bool cpus_ran(struct run *run)
{
	bool online[1024];

	if (!check_runs(run))
		return false;
	kernel_cpus("online", online);
	for (int cpu = 0; run->looked_ready && cpu < 1024; cpu++)
		if (online[cpu] && !holds_event_of(run, cpu))
			return wrong(run, "the program does not run on CPU %d any more: your program has closed "
				     "the event of that CPU; keep all of them open", cpu);
	return run->enough || wrong(run, "the program ran, and not on each online CPU");
}

const struct stage stage_cpus = {
	.name = "cpus", .title = "On each CPU",
	.task = "Open the event on each online CPU, and bind the program to all of them.",
	.object = "base.bpf.c", .features = "CALLS CPUS", .method = "ioctl", .attaches = true,
	.until = until_all_cpus,
	.checks = (const struct check[]){
		OPENED("cpus"), SAMPLES("cpus"), READY("cpus"),
		{ "cpus.each", cpus_have_events, "each online CPU has its event", EVENTS_PAGE,
		  { "One call of perf_event_open is for one CPU.",
		    "The list in the file is like 0-3,6: an offline CPU has no events (ENODEV).",
		    "for each CPU: open, bind, enable; keep all descriptors" } },
		{ "cpus.runs", cpus_ran, "and the program runs on each", EVENTS_PAGE,
		  { "Each event is enabled by itself, and bound by itself.",
		    "What you do with the first descriptor has to be done with all.",
		    "for each event: ioctl(event, PERF_EVENT_IOC_ENABLE, 0)" } },
		{ 0 } },
	.beyond = "pload also follows CPUs that go offline and come back: loader/core/attach/.",
};
