// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Single facts about programs on events, which do not fit a table. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/event/scope.h"
#include "loader/compare/measure/lifetime/lifetime.h"
#include "test/regress/common/kinds.h"

static const struct kind page_faults = { "page-faults", "page-faults,period=1", KIND_COUNTED };
static const struct kind breakpoint = { "breakpoint", "mem:%w/8:w", KIND_COUNTED };
static const struct kind tracepoint = { "tracepoint", "syscalls:sys_enter_getppid",
					KIND_TRACEPOINT };
static const struct kind kprobe = { "kprobe", "kprobe:%g", KIND_KPROBE };
static const struct kind uprobe = { "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE };
static const struct kind uretprobe = {
	"uretprobe", "uretprobe:" FIRING_PATH ":%u", KIND_URETPROBE
};

#define UNITS 20

/* An event of this thread and its program. */
struct bench {
	struct event_spec spec;
	struct compare_subject s;
	struct compare_event e;
	const struct compare_cell *cell;
	struct firing_prog prog;
};

static void bench_begin(struct regress *t, struct bench *b, const struct kind *kind,
			unsigned int cell, int32_t retval)
{
	struct error err = { 0 };

	memset(b, 0, sizeof(*b));
	kind_begin(t, kind, &b->spec, &b->s);
	b->cell = &b->s.cells[cell];
	b->e.a = (struct attachment){ .event_fd = -1, .link_fd = -1 };
	regress_ok(t, firing_prog_load(t->sys, &b->prog, event_prog_type(&b->spec), retval, &err),
		   &err, "the program");
}

static void bench_open(struct regress *t, struct bench *b, void (*change)(struct perf_event_attr *))
{
	struct error err = { 0 };

	regress_ok(t, compare_open_as(&b->s, b->cell, change, &b->e, &err), &err, "event");
}

static void bench_bind(struct regress *t, struct bench *b)
{
	struct error err = { 0 };

	regress_ok(t, compare_bind(&b->s, b->cell, &b->e, b->prog.prog_fd, &err), &err, "binding");
}

static void bench_enable(struct regress *t, struct bench *b)
{
	struct error err = { 0 };

	regress_ok(t, compare_enable(&b->s, &b->e, &err), &err, "enabling");
}

static void bench_end(struct regress *t, struct bench *b)
{
	compare_close(&b->s, &b->e);
	firing_prog_close(t->sys, &b->prog);
	kind_end(&b->s);
}

static struct firing_value value_of(struct regress *t, const struct bench *b)
{
	struct firing_value value;

	regress_ok(t, firing_prog_read(t->sys, &b->prog, &value), NULL, "runs");
	return value;
}

/* Runs here while the work is done. */
static unsigned long long runs_of_work(struct regress *t, const struct bench *b)
{
	const uint64_t before = value_of(t, b).own.runs;

	for (int i = 0; i < UNITS; i++)
		b->s.work->unit();
	return value_of(t, b).own.runs - before;
}

/* --- opening --- */

static void of_nobody(struct regress *t)
{
	static const struct regress_since einval[] = { { LINUX(0, 0), "EINVAL" } };
	struct error err = { 0 };
	struct bench b;

	bench_begin(t, &b, t->data, 0, 1);
	bench_open(t, &b, NULL);
	b.s.target = (struct event_target){ .tid = -1, .cpu = -1 };
	regress_answer(t, "", regress_errno(event_open(t->sys, &b.spec, &b.e.attr, &b.s.target, -1,
						       &err)), einval, NR(einval));
	error_clear(&err);
	bench_end(t, &b);
}

static void no_user(struct perf_event_attr *attr)
{
	attr->exclude_user = 1;
}

static void neither(struct perf_event_attr *attr)
{
	attr->exclude_user = 1;
	attr->exclude_kernel = 1;
}

static void excludes(struct regress *t)
{
	const struct kind *kind = t->data;
	unsigned long long runs;
	struct bench b;

	bench_begin(t, &b, kind, 0, 1);
	/*
	 * A sampling event's work happens in user mode, which no_user() excludes. A tracing event's
	 * program runs although both modes are excluded.
	 */
	bench_open(t, &b, kind->is == KIND_COUNTED ? no_user : neither);
	bench_bind(t, &b);
	bench_enable(t, &b);
	runs = runs_of_work(t, &b);
	bench_end(t, &b);
	if (kind->is == KIND_COUNTED)
		regress_expect(t, !runs, "%llu runs", runs);
	else
		regress_expect(t, runs == UNITS, "%llu of %d runs", runs, UNITS);
}

/* --- binding --- */

struct way {
	const struct kind *kind;
	unsigned int cell;
};

static void bound_while_enabled(struct regress *t)
{
	const struct way *way = t->data;
	unsigned long long runs;
	struct bench b;

	bench_begin(t, &b, way->kind, way->cell, 1);
	bench_open(t, &b, NULL);
	bench_enable(t, &b);
	regress_expect(t, !runs_of_work(t, &b), "it runs unbound");
	bench_bind(t, &b);
	runs = runs_of_work(t, &b);
	regress_expect(t, runs >= UNITS, "%llu runs", runs);
	bench_end(t, &b);
}

/* The kernel would accept the program (binding), and never run it. */
static void counting_is_refused(struct regress *t)
{
	const struct event_scope_options asked = { 0 };
	const char *methods[] = { "ioctl", "pmu", "link" };
	struct event_scope scope = { 0 };
	struct event_spec spec;
	struct firing_prog prog;
	struct error err = { 0 };

	regress_event(t, &spec, "page-faults,period=0");
	regress_ok(t, event_scope_init(t->sys, &scope, &asked, &err), &err, "scope");
	regress_ok(t, firing_prog_load(t->sys, &prog, event_prog_type(&spec), 1, &err), &err,
		   "program");
	for (size_t i = 0; i < NR(methods); i++) {
		struct attach_request req = {
			.method = attach_method_find(methods[i], NULL), .spec = &spec,
			.scope = &scope, .prog_fd = prog.prog_fd, .prog_type = prog.prog_type,
		};
		struct attach_set set = { 0 };
		int ret = attach_prog(t->sys, &req, &set, &err);

		regress_expect(t, ret < 0 && err.reason && !strcmp(err.reason, "event/never-runs"),
			       "by %s: %d, %s", methods[i], ret, err.what);
		error_clear(&err);
	}
	firing_prog_close(t->sys, &prog);
	event_scope_free(t->sys, &scope);
}

/* --- the limit of overflows, and the signal at its end --- */

/*
 * Since f11f10bfa1ca a program runs before anything else is done: overflows that it drops do not
 * count towards PERF_EVENT_IOC_REFRESH, and send no SIGTRAP.
 */
#define ASKED_FIRST LINUX(6, 10)

static void refresh(struct regress *t)
{
	static const struct regress_since kept[] = { { LINUX(0, 0), "it ends" } };
	static const struct regress_since dropped[] = { { LINUX(0, 0), "it ends" },
							{ ASKED_FIRST, "it goes on" } };
	const int32_t retval = *(const int32_t *)t->data;
	struct bench b;
	uint64_t runs;

	bench_begin(t, &b, &breakpoint, 0, retval);
	bench_open(t, &b, NULL);
	bench_bind(t, &b);
	regress_ok(t, sys_ioctl(t->sys, b.e.a.event_fd, PERF_EVENT_IOC_REFRESH, 3), NULL,
		   "refresh");
	runs = runs_of_work(t, &b);
	bench_end(t, &b);
	/* An interrupt disables the event, which may come a little later. */
	regress_expect(t, runs >= 3, "%llu runs", (unsigned long long)runs);
	regress_answer(t, "", runs == UNITS ? "it goes on" : "it ends", retval ? kept : dropped,
		       retval ? NR(kept) : NR(dropped));
}

static volatile sig_atomic_t traps;

static void on_trap(int signal)
{
	(void)signal;
	traps++;
}

static void send_trap(struct perf_event_attr *attr)
{
	attr->sigtrap = 1;
	attr->remove_on_exec = 1;
}

static void sigtrap(struct regress *t)
{
	/* Before 97ba62b27867, its bit is one of those that must be 0. */
	static const struct regress_since opens[] = { { LINUX(0, 0), "EINVAL|E2BIG" },
						      { LINUX(5, 13), "0" } };
	static const struct regress_since kept[] = { { LINUX(0, 0), "signals" } };
	static const struct regress_since dropped[] = { { LINUX(0, 0), "signals" },
							{ ASKED_FIRST, "no signal" } };
	const int32_t retval = *(const int32_t *)t->data;
	const struct sigaction action = { .sa_handler = on_trap };
	struct bench b;
	struct error err = { 0 };
	uint64_t runs;
	int ret;

	regress_expect(t, !sigaction(SIGTRAP, &action, NULL), "sigaction: %m");
	/*
	 * A breakpoint does not work here: where it is reported before the access, as on arm64, so
	 * is the signal, and when its handler returns, the access triggers both again, for ever.
	 */
	bench_begin(t, &b, &page_faults, 0, retval);
	ret = compare_open_as(&b.s, b.cell, send_trap, &b.e, &err);
	regress_answer(t, "opening", regress_errno(ret), opens, NR(opens));
	error_clear(&err);
	if (ret) {
		bench_end(t, &b);
		return;
	}
	bench_bind(t, &b);
	bench_enable(t, &b);
	runs = runs_of_work(t, &b);
	bench_end(t, &b);
	regress_expect(t, runs >= UNITS, "%llu runs", (unsigned long long)runs);
	regress_answer(t, "", traps ? "signals" : "no signal", retval ? kept : dropped,
		       retval ? NR(kept) : NR(dropped));
}

/* --- children --- */

/*
 * The child process that does the work. It closes its copies of the parent's descriptors, which
 * would keep the attachment alive after the parent has closed it.
 */
struct heir {
	struct peer peer;
	struct bench *bench;
	struct attach_set *set;		/* NULL: the bench's event */
};

static void child_works(struct peer *self, void *arg)
{
	const struct peer_message word = { 0 };
	struct heir *heir = arg;

	if (heir->set)
		attach_close(self->sys, heir->set);
	sys_close_fd(self->sys, &heir->bench->e.a.event_fd);
	sys_close_fd(self->sys, &heir->bench->e.a.link_fd);
	peer_report(self, &word);
	while (peer_wait(self)) {
		for (int i = 0; i < UNITS; i++)
			heir->bench->s.work->unit();
		peer_report(self, &word);
	}
	_exit(0);
}

/* The process attaches to itself as pload -p does, which includes the tasks that it starts. */
static void attach_to_self(struct regress *t, struct bench *b, struct event_scope *scope,
			   struct attach_set *set)
{
	struct attach_request req = { .spec = &b->spec, .scope = scope,
				      .prog_fd = b->prog.prog_fd,
				      .prog_type = b->prog.prog_type,
				      .method = attach_method_find(t->data, NULL) };
	struct error err = { 0 };
	char pid[16];
	const struct event_scope_options asked = { .processes = pid };

	snprintf(pid, sizeof(pid), "%d", getpid());
	req.has_cookie = req.method->takes_cookie;
	req.cookie = req.has_cookie ? KIND_COOKIE : 0;
	regress_ok(t, event_scope_init(t->sys, scope, &asked, &err), &err, "scope");
	regress_ok(t, attach_prog(t->sys, &req, set, &err), &err, "attaching");
	regress_ok(t, attach_enable(t->sys, set, &err), &err, "enabling");
}

static void begin_child(struct regress *t, struct heir *heir)
{
	struct peer_message word;
	struct error err = { 0 };

	regress_ok(t, peer_begin(&heir->peer, t->sys, child_works, heir, &err), &err, "a child");
	regress_ok(t, peer_receive(&heir->peer, &word, &err), &err, "a child");
}

static void let_work(struct regress *t, struct heir *heir)
{
	struct peer_message word;
	struct error err = { 0 };

	peer_send(&heir->peer, 'w');
	regress_ok(t, peer_receive(&heir->peer, &word, &err), &err, "a child");
}

/*
 * Events of parent and child may be swapped when one follows the other on a CPU, and an inherited
 * one has the program and, depending on the kernel, not the cookie.
 */
static void covers_children(struct regress *t)
{
	struct event_scope scope;
	struct attach_set set = { 0 };
	struct firing_value value;
	struct bench b;
	struct heir heir = { .bench = &b, .set = &set };

	bench_begin(t, &b, &page_faults, 0, 1);
	attach_to_self(t, &b, &scope, &set);
	regress_expect(t, runs_of_work(t, &b) >= UNITS, "it does not run for the process");
	value = value_of(t, &b);
	if (b.prog.has_cookie)
		regress_expect(t, value.own.cookie == (set.list[0].link_fd < 0 ? 0 : KIND_COOKIE),
			       "cookie 0x%llx", (unsigned long long)value.own.cookie);
	begin_child(t, &heir);
	let_work(t, &heir);
	peer_end(&heir.peer, false);
	value = value_of(t, &b);
	regress_expect(t, value.others.runs >= UNITS, "%llu runs for a child",
		       (unsigned long long)value.others.runs);
	regress_expect(t, !value.others.cookie || value.others.cookie == KIND_COOKIE,
		       "cookie 0x%llx for a child", (unsigned long long)value.others.cookie);
	attach_close(t->sys, &set);
	event_scope_free(t->sys, &scope);
	bench_end(t, &b);
}

static void ends_for_children(struct regress *t)
{
	struct event_scope scope;
	struct attach_set set = { 0 };
	struct bench b;
	struct heir heir = { .bench = &b, .set = &set };
	uint64_t before;

	bench_begin(t, &b, &page_faults, 0, 1);
	attach_to_self(t, &b, &scope, &set);
	begin_child(t, &heir);
	let_work(t, &heir);
	before = value_of(t, &b).others.runs;
	regress_expect(t, before >= UNITS, "%llu runs for a child", (unsigned long long)before);
	attach_close(t->sys, &set);
	before = value_of(t, &b).others.runs;
	let_work(t, &heir);
	regress_expect(t, value_of(t, &b).others.runs == before, "it runs for a child");
	peer_end(&heir.peer, false);
	event_scope_free(t->sys, &scope);
	bench_end(t, &b);
}

static void inherit(struct perf_event_attr *attr)
{
	attr->inherit = 1;
}

/*
 * The child's own probe is on the same function. Until 4d756095d399 a uretprobe informed every
 * consumer of a return, even if the consumer's filter had refused the entry; since then each return
 * records the consumers that took the entry.
 */
static void return_in_a_child(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "runs" },
						     { LINUX(6, 13), "no runs" } };
	struct bench b;
	struct heir heir = { .bench = &b };
	bool runs;

	bench_begin(t, &b, &uretprobe, 2, 1);
	bench_open(t, &b, inherit);
	bench_bind(t, &b);
	bench_enable(t, &b);
	begin_child(t, &heir);
	let_work(t, &heir);
	runs = value_of(t, &b).others.runs;
	peer_end(&heir.peer, false);
	bench_end(t, &b);
	regress_answer(t, "", runs ? "runs" : "no runs", rows, NR(rows));
}

static const struct way ways[] = {
	{ &page_faults, 0 }, { &page_faults, 1 }, { &tracepoint, 0 }, { &tracepoint, 1 },
	{ &uprobe, 0 }, { &uprobe, 3 },
};

static const int32_t zero = 0, one = 1;

static const struct regress_test tests[] = {
	{ "page-faults: neither of a task nor of a CPU is EINVAL", of_nobody, &page_faults, 0 },
	{ "breakpoint: neither of a task nor of a CPU is EINVAL", of_nobody, &breakpoint, 0 },
	{ "tracepoint: neither of a task nor of a CPU is EINVAL", of_nobody, &tracepoint, 0 },
	{ "kprobe: neither of a task nor of a CPU is EINVAL", of_nobody, &kprobe, 0 },
	{ "uprobe: neither of a task nor of a CPU is EINVAL", of_nobody, &uprobe, 0 },
	{ "page-faults: with exclude_user no runs for the user's", excludes, &page_faults, 0 },
	{ "breakpoint: with exclude_user no runs for the user's", excludes, &breakpoint, 0 },
	{ "tracepoint: runs whatever is excluded", excludes, &tracepoint, 0 },
	{ "kprobe: runs whatever is excluded", excludes, &kprobe, 0 },
	{ "uprobe: runs whatever is excluded", excludes, &uprobe, 0 },
	{ "page-faults by ioctl: bound while enabled it runs from then on", bound_while_enabled,
	  &ways[0], 0 },
	{ "page-faults by link: bound while enabled it runs from then on", bound_while_enabled,
	  &ways[1], 0 },
	{ "tracepoint by ioctl: bound while enabled it runs from then on", bound_while_enabled,
	  &ways[2], 0 },
	{ "tracepoint by link: bound while enabled it runs from then on", bound_while_enabled,
	  &ways[3], 0 },
	{ "uprobe by tracefs+ioctl: bound while enabled it runs from then on", bound_while_enabled,
	  &ways[4], 0 },
	{ "uprobe by pmu+link: bound while enabled it runs from then on", bound_while_enabled,
	  &ways[5], 0 },
	{ "the loader refuses a program on an event that only counts", counting_is_refused, NULL,
	  0 },
	{ "PERF_EVENT_IOC_REFRESH of 3, the program returns 1: it ends", refresh, &one, 0 },
	{ "PERF_EVENT_IOC_REFRESH of 3, the program returns 0", refresh, &zero, 0 },
	{ "attr.sigtrap, the program returns 1: signals", sigtrap, &one, 0 },
	{ "attr.sigtrap, the program returns 0", sigtrap, &zero, 0 },
	{ "by ioctl: a process's event covers its children", covers_children, "ioctl", 0 },
	{ "by pmu: a process's event covers its children", covers_children, "pmu", 0 },
	{ "by link: a process's event covers its children, with the cookie or 0", covers_children,
	  "link", 0 },
	{ "by ioctl: closed, it ends for children, too", ends_for_children, "ioctl", 0 },
	{ "by link: closed, it ends for children, too", ends_for_children, "link", 0 },
	{ "uretprobe by pmu+ioctl: a child that inherits it returns", return_in_a_child, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_facts = {
	"facts", "single facts about programs on events", tests, NULL, __FILE__
};
