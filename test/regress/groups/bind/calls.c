// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The system calls that the loader makes, and their order: seen in the calls themselves, and in
 * their effects.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/stress.h"
#include "loader/base/kernel/kernel_calls.h"

#define UNITS 20
#define CALLS_MAX 512

/* linked.bpf.c returns 7654321 plus 5000 for each of its six calls of add(). */
#define LINKED_RETURNS 7684321

/* --- the order --- */

enum step { STEP_NONE, STEP_OPEN, STEP_BIND, STEP_ENABLE, STEP_CLOSE_LINK, STEP_CLOSE_EVENT };

static const char *const step_names[] = {
	"", "opened", "bound", "enabled", "link closed", "event closed"
};

/* The roles of descriptors, and the steps so far. */
struct watch {
	struct sys sys;
	struct sys *next;
	bool is_event[CALLS_MAX], is_link[CALLS_MAX];
	enum step steps[CALLS_MAX];
	unsigned int nr;
};

static void add_step(struct watch *w, enum step step)
{
	if (step && w->nr < CALLS_MAX)
		w->steps[w->nr++] = step;
}

static void note_close(struct watch *w, unsigned long first, unsigned long last)
{
	for (unsigned long fd = first; fd <= last && fd < CALLS_MAX; fd++) {
		add_step(w, w->is_link[fd] ? STEP_CLOSE_LINK :
			    w->is_event[fd] ? STEP_CLOSE_EVENT : STEP_NONE);
		w->is_link[fd] = w->is_event[fd] = false;
	}
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct watch *w = (struct watch *)sys;
	const long ret = w->next->enter(w->next, nr, arg);

	if (ret < 0)
		return ret;
	if (nr == __NR_perf_event_open && ret < CALLS_MAX) {
		w->is_event[ret] = true;
		add_step(w, STEP_OPEN);
	} else if (nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_SET_BPF) {
		add_step(w, STEP_BIND);
	} else if (nr == __NR_bpf && arg[0] == BPF_LINK_CREATE && ret < CALLS_MAX) {
		w->is_link[ret] = true;
		add_step(w, STEP_BIND);
	} else if (nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_ENABLE) {
		add_step(w, STEP_ENABLE);
	} else if (nr == __NR_close) {
		note_close(w, arg[0], arg[0]);
	} else if (nr == __NR_close_range) {
		note_close(w, arg[0], arg[1]);
	}
	return ret;
}

/* Each kind of step for all events, then the next kind; and each as often as necessary. */
static void in_order(struct regress *t)
{
	const bool is_link = !strcmp(t->data, "link");
	unsigned int done[STEP_CLOSE_EVENT + 1] = { 0 };
	struct watch w = { .sys = { .enter = enter }, .next = t->sys };
	struct stress s;
	unsigned int nr;

	stress_begin(t, &s, &w.sys, &stress_kinds[STRESS_FAULTS], t->data, NULL);
	stress_attach(&s);
	nr = s.set.nr;
	stress_close(&s);
	for (unsigned int i = 0, before = 0; i < w.nr; before = w.steps[i++]) {
		regress_expect(t, w.steps[i] >= before, "one is %s after another was %s",
			       step_names[w.steps[i]], step_names[before]);
		done[w.steps[i]]++;
	}
	for (int step = STEP_OPEN; step <= STEP_CLOSE_EVENT; step++)
		regress_expect(t, done[step] == (step == STEP_CLOSE_LINK && !is_link ? 0 : nr),
			       "%u of %u are %s", done[step], nr, step_names[step]);
	stress_end(&s);
}

/* --- enabling --- */

static struct attach_request request_of(struct stress *s)
{
	return (struct attach_request){ .method = s->method, .spec = &s->spec, .scope = &s->scope,
					.prog_fd = s->prog.prog_fd,
					.prog_type = s->prog.prog_type };
}

static uint64_t runs_of(struct stress *s, unsigned int units)
{
	const uint64_t before = stress_runs(s);

	for (unsigned int i = 0; i < units; i++)
		s->work->unit();
	return stress_runs(s) - before;
}

static void nothing_runs_before(struct regress *t)
{
	struct attach_request req;
	struct error err = { 0 };
	struct stress s;
	uint64_t runs;

	stress_begin_self(t, &s, STRESS_FAULTS, t->data);
	req = request_of(&s);
	stress_ok(&s, attach_prog(t->sys, &req, &s.set, &err), &err, t->data);
	runs = runs_of(&s, UNITS);
	regress_expect(t, !runs, "%llu runs before it is enabled", (unsigned long long)runs);
	regress_ok(t, attach_enable(t->sys, &s.set, &err), &err, "enable");
	runs = runs_of(&s, UNITS);
	regress_expect(t, runs >= UNITS, "%llu of %d runs", (unsigned long long)runs, UNITS);
	stress_end(&s);
}

/* --- how often --- */

static void each_fifth(struct regress *t)
{
	struct stress s;
	uint64_t runs;

	stress_begin_self(t, &s, STRESS_BREAKPOINT, t->data);
	s.spec.has_period = true;
	s.spec.sample_period = 5;
	stress_attach(&s);
	runs = runs_of(&s, 20 * UNITS);
	regress_expect(t, runs == 4 * UNITS, "%llu of %d runs", (unsigned long long)runs,
		       4 * UNITS);
	stress_end(&s);
}

/* The program never runs more often than requested, however long that takes; and it does run. */
static void at_most_so_often(struct regress *t)
{
	const uint64_t begun = sys_monotonic_ns();
	struct stress s;
	uint64_t runs = 0, most;

	stress_begin_self(t, &s, STRESS_CLOCK, t->data);
	s.spec.has_period = false;
	s.spec.has_freq = true;
	s.spec.sample_freq = 200;
	stress_attach(&s);
	for (int i = 0; i < 1000 && (i < 50 || !runs); i++)
		runs += runs_of(&s, 1);
	stress_close(&s);
	/* The kernel begins with a guess, and needs some samples to find the period. */
	most = (sys_monotonic_ns() - begun) * 2 * s.spec.sample_freq / 1000000000 + 100;
	regress_expect(t, runs && runs <= most, "%llu runs, of which there are at most %llu",
		       (unsigned long long)runs, (unsigned long long)most);
	stress_end(&s);
}

/* --- where it happens --- */

static void only_user(struct regress *t)
{
	struct stress s;
	uint64_t runs;

	stress_begin_self(t, &s, STRESS_FAULTS, t->data);
	s.spec.modifiers.exclude = EVENT_EXCLUDE_KERNEL | EVENT_EXCLUDE_HV;	/* ":u" */
	stress_attach(&s);
	runs = runs_of(&s, UNITS);
	regress_expect(t, runs >= UNITS, "%llu of %d runs in user mode", (unsigned long long)runs,
		       UNITS);
	stress_close(&s);
	s.spec.modifiers.exclude = EVENT_EXCLUDE_USER | EVENT_EXCLUDE_HV;	/* ":k" */
	stress_attach(&s);
	runs = runs_of(&s, UNITS);
	regress_expect(t, runs < UNITS, "%llu runs for %d times in user mode",
		       (unsigned long long)runs, UNITS);
	stress_end(&s);
}

/* --- groups --- */

/* The events of a group count only while the leader is enabled. */
static void group_is_one(struct regress *t)
{
	struct event_spec first;
	struct attach_request reqs[2];
	struct error err = { 0 };
	struct stress s;
	uint64_t runs;

	stress_begin_self(t, &s, STRESS_FAULTS, t->data);
	first = s.spec;
	first.group = s.spec.group = 1;
	first.leads = true;
	reqs[0] = request_of(&s);
	reqs[0].spec = &first;
	reqs[1] = request_of(&s);
	reqs[1].member = true;
	stress_ok(&s, attach_events(t->sys, reqs, NR(reqs), &s.set, &err), &err, t->data);
	regress_expect(t, s.set.nr == 2, "%u events of a group of two", s.set.nr);
	runs = runs_of(&s, UNITS);
	regress_expect(t, !runs, "%llu runs before it is enabled", (unsigned long long)runs);
	regress_ok(t, sys_ioctl(t->sys, s.set.list[0].event_fd, PERF_EVENT_IOC_ENABLE,
				PERF_IOC_FLAG_GROUP), NULL, "enabling the leader");
	runs = runs_of(&s, UNITS);
	regress_expect(t, runs >= 2 * UNITS, "%llu of %d runs", (unsigned long long)runs,
		       2 * UNITS);
	regress_ok(t, sys_ioctl(t->sys, s.set.list[0].event_fd, PERF_EVENT_IOC_DISABLE,
				PERF_IOC_FLAG_GROUP), NULL, "disabling the leader");
	runs = runs_of(&s, UNITS);
	regress_expect(t, !runs, "%llu runs of a disabled group", (unsigned long long)runs);
	stress_end(&s);
}

/* --- children --- */

/*
 * If the event were inherited, the end of a child would remove the program from the parent's event.
 * When both have equal events, perf_event_context_sched_out() may have swapped the contexts, and
 * the child would end with the parent's. So the parent has one more event.
 */
static void child_takes_nothing(struct regress *t)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
					.config = PERF_COUNT_SW_DUMMY };
	char self[16];
	const struct event_scope_options asked = { .processes = self };
	struct stress s;
	uint64_t runs;
	int other;
	pid_t pid;

	snprintf(self, sizeof(self), "%d", getpid());
	stress_begin(t, &s, t->sys, &stress_kinds[STRESS_TRACEPOINT], t->data, &asked);
	stress_attach(&s);
	other = sys_perf_event_open(t->sys, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	regress_ok(t, other, NULL, "another event");
	pid = fork();
	regress_expect(t, pid >= 0, "no process: %s", strerror(errno));
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	runs = runs_of(&s, UNITS);
	regress_expect(t, runs == UNITS, "%llu of %d runs when a child has ended",
		       (unsigned long long)runs, UNITS);
	sys_close(t->sys, other);
	stress_end(&s);
}

/* --- returns --- */

static __attribute__((noinline)) void ends_here(void)
{
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop" ::: "memory");
	_exit(0);
}

/*
 * Return how often the program runs for a process that calls a function and never returns from it.
 */
static uint64_t runs_without_return(struct regress *t, struct stress *s)
{
	const uint64_t before = stress_all(s);
	pid_t pid = fork();

	regress_expect(t, pid >= 0, "no process: %s", strerror(errno));
	if (!pid)
		ends_here();
	waitpid(pid, NULL, 0);
	return stress_all(s) - before;
}

static void return_is_no_entry(struct regress *t)
{
	struct stress s;
	uint64_t runs;

	for (int ret = 0; ret < 2; ret++) {
		stress_begin(t, &s, t->sys, &stress_kinds[STRESS_UPROBE], t->data, NULL);
		s.spec.ret = ret;
		stress_attach(&s);
		runs = runs_of(&s, UNITS);
		regress_expect(t, runs == UNITS, "%llu of %d runs", (unsigned long long)runs,
			       UNITS);
		stress_close(&s);
		/* Both functions are in the same segment of the file. */
		s.spec.uprobe.file_offset += (uintptr_t)ends_here - (uintptr_t)firing_function;
		stress_attach(&s);
		runs = runs_without_return(t, &s);
		regress_expect(t, runs == !ret, "%llu runs at the %s of a function that does not "
			       "return", (unsigned long long)runs, ret ? "return" : "entry");
		stress_end(&s);
	}
}

/* --- PMUs --- */

static long number_of_pmu(const char *name)
{
	char path[96];
	long number = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	f = fopen(path, "re");
	if (f && fscanf(f, "%ld", &number) != 1)
		number = -1;
	if (f)
		fclose(f);
	return number;
}

/* A PMU that sysfs lists is found, and its events are opened with the number in its file "type". */
static void number_is_of_sysfs(struct regress *t)
{
	static const struct {
		int kind;
		const char *pmu;
	} rows[] = {
		{ STRESS_FAULTS, "software" }, { STRESS_BREAKPOINT, "breakpoint" },
		{ STRESS_TRACEPOINT, "tracepoint" },
	};
	bool any = false;

	for (size_t i = 0; i < NR(rows); i++) {
		const long number = number_of_pmu(rows[i].pmu);
		struct perf_event_attr attr = { .size = sizeof(attr) };
		struct cpu_list cpus = { 0 };
		struct event_spec spec;
		struct error err = { 0 };
		int ret;

		if (number < 0)
			continue;
		any = true;
		stress_spec(t, &stress_kinds[rows[i].kind], &spec);
		ret = event_by_pmu(t->sys, &spec, &attr, &cpus, &err);
		regress_denied(t, rows[i].pmu, regress_errno(ret));
		regress_expect(t, ret == 0 && attr.type == number, "PMU %s has number %ld: %s, %u",
			       rows[i].pmu, number, ret ? err.what : "found", attr.type);
		cpu_list_free(&cpus);
	}
	if (!any)
		regress_skip(t, "no PMU is listed in /sys/bus/event_source/devices");
}

/* --- objects --- */

static void constants_are_frozen(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EPERM" } };
	const uint32_t key = 0;
	struct regress_object o;
	char value[4096] = "";
	bool any = false;

	regress_load(t, &o, "scope", "counted");
	for (uint32_t i = 0; i < o.loading.object.nr_maps; i++) {
		const struct object_map *map = &o.loading.object.maps[i];
		const int fd = o.loading.kernel.maps[i].fd;

		if (!map->read_only || fd < 0 || map->data_size > sizeof(value))
			continue;
		any = true;
		regress_answer(t, "", regress_errno(map_update(t->sys, fd, &key, value, BPF_ANY)),
			       rows, NR(rows));
	}
	regress_expect(t, any, "the object has no constants");
	regress_unload(t, &o);
}

/* Linux 6.0 (8c7dcb84e3b7) lets programs of uprobes sleep, if they have BPF_F_SLEEPABLE. */
static void may_sleep(struct regress *t)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "EINVAL" }, { LINUX(6, 0), "0" }
	};
	struct regress_object o;
	struct error err = { 0 };

	regress_answer(t, "", regress_errno(regress_try_load(t, &o, "sleeps", NULL, &err)), rows,
		       NR(rows));
	error_clear(&err);
	regress_unload(t, &o);
}

static uint32_t number_in(struct regress *t, const struct regress_object *o, const char *map,
			  const void *key)
{
	uint32_t value = 0;

	regress_ok(t, map_lookup(t->sys, regress_map(t, o, map), key, &value), NULL, map);
	return value;
}

/* Every function, map and variable is the intended one. */
static void is_linked(struct regress *t)
{
	static const unsigned char packet[64];
	const struct test_input in = { .data = packet, .size = sizeof(packet) };
	const uint32_t three = 3;
	const uint64_t seven = 7;
	struct regress_object o;
	struct error err = { 0 };
	uint32_t retval = 0;

	regress_load(t, &o, "linked", NULL);
	regress_ok(t, kernel_test_run(t->sys, &o.loading.kernel, 0, &in, &retval, &err), &err,
		   "BPF_PROG_TEST_RUN");
	regress_expect(t, retval == LINKED_RETURNS, "it returns %u, expected %u", retval,
		       LINKED_RETURNS);
	regress_expect(t, number_in(t, &o, "first", &three) == 1 &&
		       number_in(t, &o, "second", &seven) == 2, "it has written %u and %u",
		       number_in(t, &o, "first", &three), number_in(t, &o, "second", &seven));
	regress_unload(t, &o);
}

static void fill(struct regress_list *list)
{
	static const struct {
		regress_run *run;
		const char *what;
	} runs[] = {
		{ in_order, "all are opened, then bound, then enabled; links end before events" },
		{ nothing_runs_before, "nothing runs before it is enabled" },
		{ each_fifth, "a period of 5 is a run each fifth time" },
		{ at_most_so_often, "a frequency is no period" },
		{ only_user, ":u is user mode, and :k is not" },
		{ child_takes_nothing, "a tracepoint of a process goes on when a child ends" },
		{ return_is_no_entry, "a return probe runs at the return, and at no entry" },
		{ group_is_one, "a group is enabled and disabled by who leads it" },
	};

	for (unsigned int m = 0; m < attach_nr_methods; m++)
		for (size_t i = 0; i < NR(runs); i++)
			regress_add(list, runs[i].run, attach_methods[m].name, "by %s, %s",
				    attach_methods[m].name, runs[i].what);
	regress_add(list, number_is_of_sysfs, NULL, "a PMU has the number that sysfs says");
	regress_add(list, may_sleep, NULL,
		    "a program that sleeps is loaded as one since Linux 6.0");
	regress_add(list, is_linked, NULL,
		    "functions, maps and variables are those a program means");
	regress_add(list, constants_are_frozen, NULL, "constants of an object may not be written");
}

const struct regress_group regress_group_calls = {
	"calls", "what the loader asks the kernel for, and in which order", NULL, fill, __FILE__
};
