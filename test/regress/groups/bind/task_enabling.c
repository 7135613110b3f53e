// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * prctl(PR_TASK_PERF_EVENTS_DISABLE, _ENABLE): all events that a thread has opened, and their
 * programs.
 */
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "loader/compare/measure/lifetime/lifetime.h"
#include "loader/core/kernel/attr.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/kinds.h"
#include "test/regress/common/known.h"
#include "test/regress/common/probed.h"

#define TIMES 20

static void call(struct regress *t, int option)
{
	regress_expect(t, !prctl(option, 0, 0, 0, 0), "prctl: %m");
}

/* A program counts page faults of known_store() only, and tracing events of this thread only. */
static void load(struct regress *t, struct regress_object *o, const char *prog)
{
	struct context_io io = { .answer = 1 };

	known_ready();
	if (!strcmp(prog, "pe_see")) {
		io.low = (uintptr_t)known_store_at;
		io.high = io.low + 1;
	} else {
		io_ours(t, &io);
	}
	regress_load(t, o, "context", prog);
	io_put(t, o, &io);
}

static uint64_t runs_of(struct regress *t, const struct regress_object *o)
{
	return io_get(t, o).runs;
}

/* --- by each method --- */

static uint64_t runs_of_touch(const struct happen *h, const struct regress_object *o)
{
	const uint64_t before = runs_of(h->t, o);

	happen_touch(h->t, TIMES);
	return runs_of(h->t, o) - before;
}

static void stops(struct regress *t)
{
	const enum happen_how *how = t->data;
	struct regress_object o;
	struct happen h;
	uint64_t runs, count;

	load(t, &o, "pe_see");
	happen_attach(t, &h, *how, "page-faults:u,period=1", &o, "pe_see");
	runs = runs_of_touch(&h, &o);
	regress_expect(t, runs >= TIMES, "%llu runs before", (unsigned long long)runs);
	call(t, PR_TASK_PERF_EVENTS_DISABLE);
	count = happen_count(&h);
	runs = runs_of_touch(&h, &o);
	regress_expect(t, !runs && happen_count(&h) == count, "disabled: %llu runs, and it counts %llu after %llu",
		       (unsigned long long)runs, (unsigned long long)happen_count(&h), (unsigned long long)count);
	call(t, PR_TASK_PERF_EVENTS_ENABLE);
	runs = runs_of_touch(&h, &o);
	count = happen_count(&h) - count;
	regress_expect(t, runs >= TIMES && runs <= count, "enabled: %llu runs, and it counts %llu more",
		       (unsigned long long)runs, (unsigned long long)count);
	happen_close(&h);
	regress_unload(t, &o);
}

static volatile uint64_t watched;

/* Only these writes hit the breakpoint. */
static void breakpoint_is_exact(struct regress *t)
{
	const enum happen_how *how = t->data;
	struct context_io io = { .answer = 1 };
	struct regress_object o;
	struct happen h;
	char text[64];

	snprintf(text, sizeof(text), "mem:%p/8:w,period=1", (void *)&watched);
	regress_load(t, &o, "context", "pe_see");
	io_put(t, &o, &io);
	happen_attach(t, &h, *how, text, &o, "pe_see");
	for (int step = 0; step < 3; step++) {
		if (step)
			call(t, step == 1 ? PR_TASK_PERF_EVENTS_DISABLE : PR_TASK_PERF_EVENTS_ENABLE);
		for (int i = 0; i < TIMES; i++)
			watched++;
	}
	io = io_get(t, &o);
	regress_expect(t, io.runs == 2 * TIMES && happen_count(&h) == 2 * TIMES, "%llu runs and a count of %llu, not %d",
		       (unsigned long long)io.runs, (unsigned long long)happen_count(&h), 2 * TIMES);
	happen_close(&h);
	regress_unload(t, &o);
}

/* trace_call_bpf() is called whether or not the event counts. */
static void tracing_goes_on(struct regress *t)
{
	const enum happen_how *how = t->data;
	const bool uprobe = *how == BY_PMU || *how == BY_PMU_LINK;
	struct regress_object o;
	struct happen h;
	uint64_t runs, count;

	load(t, &o, uprobe ? "kp_see" : "tp_exit");
	if (uprobe)
		happen_open_uprobe(t, &h, *how, known_spin, false);
	else
		happen_open(t, &h, *how, NULL, "syscalls:sys_exit_getppid");
	happen_bind(&h, &o, uprobe ? "kp_see" : "tp_exit", 0);
	call(t, PR_TASK_PERF_EVENTS_DISABLE);
	for (int i = 0; i < TIMES; i++)
		uprobe ? known_spin(1) : (void)getppid();
	runs = runs_of(t, &o);
	count = happen_count(&h);
	regress_expect(t, runs == TIMES && !count, "%llu of %d runs, and a count of %llu", (unsigned long long)runs, TIMES,
		       (unsigned long long)count);
	call(t, PR_TASK_PERF_EVENTS_ENABLE);
	for (int i = 0; i < TIMES; i++)
		uprobe ? known_spin(1) : (void)getppid();
	runs = runs_of(t, &o);
	count = happen_count(&h);
	regress_expect(t, runs == 2 * TIMES && count == TIMES, "enabled: %llu runs, and a count of %llu",
		       (unsigned long long)runs, (unsigned long long)count);
	happen_close(&h);
	regress_unload(t, &o);
}

/* --- whose event it is --- */

/* An event of page faults with a program, of any task or CPU. */
struct owned {
	struct regress *t;
	struct regress_object o;
	pid_t tid;
	int cpu, fd, link;
	bool inherit;
	struct peer peer;
};

static void open_event(struct owned *w, pid_t tid, int cpu, bool disabled)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER0,
					.config = PERF_COUNT_SW_PAGE_FAULTS, .sample_period = 1, .exclude_kernel = 1,
					.disabled = disabled, .inherit = w->inherit };

	w->fd = sys_perf_event_open(w->t->sys, &attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	regress_denied(w->t, "", regress_errno(w->fd));
	regress_ok(w->t, w->fd, NULL, "perf_event_open");
}

static void bind_ioctl(struct owned *w)
{
	regress_ok(w->t, sys_ioctl(w->t->sys, w->fd, PERF_EVENT_IOC_SET_BPF, regress_prog(w->t, &w->o, "pe_see")), NULL,
		   "PERF_EVENT_IOC_SET_BPF");
}

static void bind_link(struct owned *w)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = regress_prog(w->t, &w->o, "pe_see");
	attr.link_create.target_fd = w->fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	w->link = sys_bpf(w->t->sys, BPF_LINK_CREATE, &attr, ATTR_SIZE(link_create.flags));
	if (w->link == -EINVAL && w->t->kernel < LINUX(5, 15))
		regress_skip(w->t, "links of events came with Linux 5.15");
	regress_ok(w->t, w->link, NULL, "BPF_LINK_CREATE");
}

static void begin(struct regress *t, struct owned *w)
{
	*w = (struct owned){ .t = t, .fd = -1, .link = -1 };
	load(t, &w->o, "pe_see");
}

static void end(struct owned *w)
{
	sys_close_fd(w->t->sys, &w->link);
	sys_close_fd(w->t->sys, &w->fd);
	regress_unload(w->t, &w->o);
}

static void expect(struct owned *w, bool runs, const char *when)
{
	const uint64_t before = runs_of(w->t, &w->o);
	uint64_t ran;

	happen_touch(w->t, TIMES);
	ran = runs_of(w->t, &w->o) - before;
	regress_expect(w->t, runs ? ran >= TIMES : !ran, "%llu runs %s", (unsigned long long)ran, when);
}

static void never_enabled(struct regress *t)
{
	struct owned w;

	begin(t, &w);
	open_event(&w, 0, -1, true);
	bind_ioctl(&w);
	expect(&w, false, "before");
	call(t, PR_TASK_PERF_EVENTS_ENABLE);
	expect(&w, true, "when it is enabled");
	end(&w);
}

/*
 * perf_event_release_kernel() removes an event from its owner's list when its last holder is gone.
 */
static void link_holds(struct regress *t)
{
	struct owned w;

	begin(t, &w);
	open_event(&w, 0, -1, false);
	bind_link(&w);
	sys_close_fd(t->sys, &w.fd);
	expect(&w, true, "by the link");
	call(t, PR_TASK_PERF_EVENTS_DISABLE);
	expect(&w, false, "when it is disabled");
	call(t, PR_TASK_PERF_EVENTS_ENABLE);
	expect(&w, true, "when it is enabled again");
	end(&w);
}

static void of_cpu(struct regress *t)
{
	struct owned w;
	int cpus[2];

	begin(t, &w);
	kind_two_cpus(t, cpus);
	kind_move_to(t, cpus[1]);
	open_event(&w, -1, cpus[1], false);
	bind_ioctl(&w);
	expect(&w, true, "on its CPU");
	call(t, PR_TASK_PERF_EVENTS_DISABLE);
	expect(&w, false, "when it is disabled");
	call(t, PR_TASK_PERF_EVENTS_ENABLE);
	expect(&w, true, "when it is enabled again");
	end(&w);
}

/* --- other tasks --- */

/* 't': touch pages; 'd', 'e': the calls, on what this process has. */
static void obey(struct peer *self, void *arg)
{
	const struct peer_message word = { 0 };
	struct owned *w = arg;
	char what;

	while ((what = peer_wait(self))) {
		if (what == 't')
			happen_touch(w->t, TIMES);
		else
			prctl(what == 'd' ? PR_TASK_PERF_EVENTS_DISABLE : PR_TASK_PERF_EVENTS_ENABLE, 0, 0, 0, 0);
		peer_report(self, &word);
	}
	_exit(0);
}

static void hire(struct owned *w)
{
	struct error err = { 0 };

	regress_ok(w->t, peer_begin(&w->peer, w->t->sys, obey, w, &err), &err, "a child");
}

/* Returns the runs while the child does that. */
static uint64_t runs_of_child(struct owned *w, char what)
{
	const uint64_t before = runs_of(w->t, &w->o);
	struct peer_message word;
	struct error err = { 0 };

	peer_send(&w->peer, what);
	regress_ok(w->t, peer_receive(&w->peer, &word, &err), &err, "a child");
	return runs_of(w->t, &w->o) - before;
}

static void expect_child(struct owned *w, bool runs, const char *when)
{
	const uint64_t ran = runs_of_child(w, 't');

	regress_expect(w->t, runs ? ran >= TIMES : !ran, "%llu runs of the child %s", (unsigned long long)ran, when);
}

static void of_child(struct regress *t)
{
	struct owned w;

	begin(t, &w);
	hire(&w);
	open_event(&w, w.peer.pid, -1, false);
	bind_ioctl(&w);
	expect_child(&w, true, "before");
	runs_of_child(&w, 'd');
	expect_child(&w, true, "that is not the event's owner, and called it");
	call(t, PR_TASK_PERF_EVENTS_DISABLE);
	expect_child(&w, false, "when its event is disabled");
	call(t, PR_TASK_PERF_EVENTS_ENABLE);
	expect_child(&w, true, "when its event is enabled again");
	peer_end(&w.peer, false);
	end(&w);
}

static void inherited(struct regress *t)
{
	struct owned w;

	begin(t, &w);
	w.inherit = true;
	open_event(&w, 0, -1, false);
	bind_ioctl(&w);
	hire(&w);
	expect_child(&w, true, "before");
	call(t, PR_TASK_PERF_EVENTS_DISABLE);
	expect_child(&w, false, "when it is disabled");
	expect(&w, false, "when it is disabled");
	call(t, PR_TASK_PERF_EVENTS_ENABLE);
	expect_child(&w, true, "when it is enabled again");
	peer_end(&w.peer, false);
	end(&w);
}

/* The child has the descriptor, but did not open it. */
static void child_owns_nothing(struct regress *t)
{
	struct owned w;

	begin(t, &w);
	open_event(&w, 0, -1, false);
	bind_ioctl(&w);
	hire(&w);
	runs_of_child(&w, 'd');
	expect(&w, true, "after a child has called it");
	peer_end(&w.peer, false);
	end(&w);
}

static void *open_in_thread(void *arg)
{
	struct owned *w = arg;

	open_event(w, w->tid, -1, false);
	while (w->tid)
		usleep(1000);
	return NULL;
}

/*
 * perf_event_list belongs to a task, not to a process; the thread that opened the event continues.
 */
static void thread_owns(struct regress *t)
{
	pthread_t thread;
	struct owned w;

	begin(t, &w);
	w.tid = gettid();
	regress_expect(t, !pthread_create(&thread, NULL, open_in_thread, &w), "no thread");
	while (*(volatile int *)&w.fd < 0)
		usleep(1000);
	bind_ioctl(&w);
	call(t, PR_TASK_PERF_EVENTS_DISABLE);
	expect(&w, true, "of an event that another thread has opened");
	*(volatile pid_t *)&w.tid = 0;
	pthread_join(thread, NULL);
	end(&w);
}

static const enum happen_how by_ioctl = BY_IOCTL, by_pmu = BY_PMU, by_link = BY_LINK;

static const struct regress_test tests[] = {
	{ "by ioctl: _DISABLE stops the program, and _ENABLE lets it go on", stops, &by_ioctl },
	{ "by pmu: _DISABLE stops the program, and _ENABLE lets it go on", stops, &by_pmu },
	{ "by link: _DISABLE stops the program, and _ENABLE lets it go on", stops, &by_link },
	{ "breakpoint by ioctl: runs and count are those of the time between", breakpoint_is_exact, &by_ioctl },
	{ "breakpoint by link: runs and count are those of the time between", breakpoint_is_exact, &by_link },
	{ "tracepoint: its program runs on, and its count stands", tracing_goes_on, &by_ioctl },
	{ "uprobe by pmu: its program runs on, and its count stands", tracing_goes_on, &by_pmu },
	{ "_ENABLE begins an event that was never enabled", never_enabled },
	{ "the event closed, its link keeps it among those of the thread", link_holds },
	{ "an event of a CPU stops, too", of_cpu },
	{ "an event of a child stops by its owner's call, and not by the child's", of_child },
	{ "an inherited event stops for children, too", inherited },
	{ "a child's call leaves the events of its parent alone", child_owns_nothing },
	{ "an event that another thread has opened goes on", thread_owns },
	{ 0 }
};

const struct regress_group regress_group_task_enabling = {
	"task_enabling", "PR_TASK_PERF_EVENTS_DISABLE and _ENABLE: all events that a thread has opened", tests, NULL,
	__FILE__
};
