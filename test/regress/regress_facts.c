// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What pload says about attached programs, held against the running kernel: when they run, for
 * whom, and what ends them. Each fact is a TAP line. A fact of the kernel that no longer holds is a
 * failure: the documents and notes are to be mended.
 */
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/attach/attach.h"
#include "loader/sys/denied.h"
#include "test/unit/probe_builder.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))
#define UNITS 20
#define COOKIE 0xc0ffee0123456789

/* What a fact works with, and what came of it. */
struct bench {
	struct sys *sys;
	struct event_spec spec;
	struct event_scope scope;
	struct probe probe, second;
	struct attach_set set;
	struct error err;
	bool skipped;
	char text[600];	/* why it is skipped or does not hold; empty: it holds */
};

static bool fails(struct bench *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* States that the fact does not hold. Returns false, for `return fails(...)`. */
static bool fails(struct bench *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(b->text, sizeof(b->text), fmt, ap);
	va_end(ap);
	return false;
}

/* What the setting-up came to. A refusal by the machine is a skip. */
static bool set_up_ok(struct bench *b, int ret)
{
	static const char *const lacking[] = {
		"perf-open/no-event", "perf-open/no-breakpoint-slot", "attach/unsupported",
		"attach/link-unsupported",
		"event/no-tracefs",
	};

	if (ret >= 0)
		return true;
	b->skipped = ret == -EPERM || ret == -EACCES || sys_is_denial(b->err.reason);
	for (size_t i = 0; i < NR(lacking); i++)
		b->skipped |= b->err.reason && strcmp(b->err.reason, lacking[i]) == 0;
	return fails(b, "%s%s%s", b->err.where, b->err.where[0] ? ": " : "", b->err.what);
}

static bool prepare(struct bench *b, const char *event, const char *cpus, pid_t pid)
{
	struct event_scope_options asked = { .cpus = cpus };
	int ret = event_parse(&b->spec, event, &b->err);
	static char pids[16];	/* the scope looks at it again */

	snprintf(pids, sizeof(pids), "%d", pid);
	asked.processes = pid ? pids : NULL;
	if (ret == 0)
		ret = event_scope_init(b->sys, &b->scope, &asked, &b->err);
	if (ret == 0)
		ret = probe_load(b->sys, &b->probe, event_prog_type(&b->spec), &b->err);
	if (ret == 0)
		ret = probe_load(b->sys, &b->second, event_prog_type(&b->spec), &b->err);
	return set_up_ok(b, ret);
}

static bool attach(struct bench *b, const char *method, uint64_t cookie)
{
	struct attach_request req = {
		.method = attach_method_find(method, NULL), .spec = &b->spec, .scope = &b->scope,
		.has_cookie = cookie, .cookie = cookie, .prog_fd = b->probe.prog_fd,
		.prog_type = event_prog_type(&b->spec),
	};

	return set_up_ok(b, attach_prog(b->sys, &req, &b->set, &b->err));
}

static bool enable(struct bench *b)
{
	return set_up_ok(b, attach_enable(b->sys, &b->set, &b->err));
}

/* Does the work, and returns how often the program ran during it: for us, or for others. */
static uint64_t runs_during(struct bench *b, void (*work)(void), bool others)
{
	struct probe_value before = probe_read(b->sys, &b->probe), after;

	for (int i = 0; i < UNITS; i++)
		work();
	after = probe_read(b->sys, &b->probe);
	return others ? after.others.runs - before.others.runs : after.own.runs - before.own.runs;
}

static bool expect_none(struct bench *b, void (*work)(void), const char *when)
{
	uint64_t runs = runs_during(b, work, false);

	return runs == 0 || fails(b, "%llu runs %s", (unsigned long long)runs, when);
}

static bool expect_runs(struct bench *b, void (*work)(void), const char *when)
{
	uint64_t runs = runs_during(b, work, false);

	return runs >= UNITS ||
		fails(b, "%llu runs instead of %d %s", (unsigned long long)runs, UNITS, when);
}

static int bind_by(struct bench *b, const char *method, struct attachment *a, int prog_fd)
{
	return attach_method_find(method, NULL)->bind(b->sys, a, prog_fd, 0, &b->err);
}

/* A child that does the work once told to, and ends. */
struct child {
	pid_t pid;
	int go_fd;
};

static bool child_start(struct bench *b, struct child *child, void (*work)(void))
{
	int fds[2], ready[2];
	char c;

	if (pipe(fds) < 0 || pipe(ready) < 0)
		return fails(b, "no pipe");
	child->pid = fork();
	if (child->pid == 0) {
		close(fds[1]);
		/* It has copies of our fds, which would keep all of it alive. */
		attach_close(b->sys, &b->set);
		probe_other_name();
		if (write(ready[1], "", 1) == 1 && read(fds[0], &c, 1) == 1)
			for (int i = 0; i < UNITS; i++)
				work();
		_exit(0);
	}
	close(fds[0]);
	close(ready[1]);
	child->go_fd = fds[1];
	/* Until it has another name, what happens in it is taken for ours. */
	if (child->pid > 0 && read(ready[0], &c, 1) != 1)
		perror("read");
	close(ready[0]);
	return child->pid > 0 || fails(b, "no process");
}

static void child_finish(struct child *child, bool work)
{
	if (work && write(child->go_fd, "", 1) != 1)
		perror("write");
	close(child->go_fd);
	waitpid(child->pid, NULL, 0);
}

/* --- the facts --- */

static bool nt_needs_enabling(struct bench *b)
{
	return prepare(b, "page-faults", NULL, 0) && attach(b, "ioctl", 0) &&
	       expect_none(b, work_fault, "while disabled") && enable(b) &&
	       expect_runs(b, work_fault, "once enabled");
}

static bool nt_needs_enabling_by_link(struct bench *b)
{
	return prepare(b, "page-faults", NULL, 0) && attach(b, "link", 0) &&
	       expect_none(b, work_fault, "while disabled") && enable(b) &&
	       expect_runs(b, work_fault, "once enabled");
}

static bool t_runs_disabled(struct bench *b)
{
	int ret;

	if (!prepare(b, "sched:sched_switch", NULL, 0) || !attach(b, "ioctl", 0) ||
	    !expect_runs(b, work_switch, "while disabled") || !enable(b))
		return false;
	ret = sys_ioctl(b->sys, b->set.list[0].event_fd, PERF_EVENT_IOC_DISABLE, 0);
	return ret == 0 ? expect_runs(b, work_switch, "once disabled again") :
		fails(b, "PERF_EVENT_IOC_DISABLE: %d", ret);
}

/* Around attach_prog(), which refuses it. */
static bool counting_never_runs(struct bench *b)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
					.config = PERF_COUNT_SW_PAGE_FAULTS };
	struct attachment a = { .event_fd = -1, .link_fd = -1 };
	uint64_t count = 0;
	bool ok = false;

	if (!prepare(b, "page-faults", NULL, 0))
		return false;
	a.event_fd = event_open(b->sys, &b->spec, &attr, &(struct event_target){ .cpu = -1 }, -1,
				&b->err);
	if (set_up_ok(b, a.event_fd) && set_up_ok(b, bind_by(b, "ioctl", &a, b->probe.prog_fd)))
		ok = expect_none(b, work_fault, "of a counting event");
	if (ok &&
	    (sys_read(b->sys, a.event_fd, &count, sizeof(count)) != sizeof(count) || count < UNITS))
		ok = fails(b, "it counted %llu", (unsigned long long)count);
	sys_close_fd(b->sys, &a.event_fd);
	return ok;
}

static bool counting_is_refused(struct bench *b)
{
	if (!prepare(b, "page-faults,period=0", NULL, 0))
		return false;
	if (attach(b, "ioctl", 0))
		return fails(b, "it was attached");
	b->skipped = false;
	b->text[0] = '\0';
	return (b->err.reason && strcmp(b->err.reason, "event/never-runs") == 0) ||
		fails(b, "%s", b->err.what);
}

/* Attaches on one CPU and makes it happen on another. */
static bool on_another_cpu(struct bench *b, const char *event, void (*work)(void), bool runs)
{
	cpu_set_t all, here;
	bool ok = false;
	char cpu[16];
	int other;

	if (sched_getaffinity(0, sizeof(all), &all) || CPU_COUNT(&all) < 2) {
		b->skipped = true;
		return fails(b, "it takes two CPUs");
	}
	for (other = 0; !CPU_ISSET(other, &all); other++)
		;
	snprintf(cpu, sizeof(cpu), "%d", other);
	here = all;
	CPU_CLR(other, &here);
	sched_setaffinity(0, sizeof(here), &here);
	if (prepare(b, event, cpu, 0) && attach(b, "ioctl", 0) && enable(b))
		ok = runs ? expect_runs(b, work, "on another CPU") :
			expect_none(b, work, "on another CPU");
	sched_setaffinity(0, sizeof(all), &all);
	return ok;
}

static bool t_ignores_cpu(struct bench *b)
{
	return on_another_cpu(b, "sched:sched_switch", work_switch, true);
}

static bool nt_respects_cpu(struct bench *b)
{
	return on_another_cpu(b, "page-faults", work_fault, false);
}

/* Attaches to a child and makes it happen here. */
static bool for_another_task(struct bench *b, const char *event, void (*work)(void), bool runs)
{
	struct child child;
	bool ok = false;

	if (!child_start(b, &child, work))
		return false;
	if (prepare(b, event, NULL, child.pid) && attach(b, "ioctl", 0) && enable(b))
		ok = runs ? expect_runs(b, work, "for another task") :
			expect_none(b, work, "for another task");
	child_finish(&child, ok && !runs);
	if (ok && !runs && probe_read(b->sys, &b->probe).others.runs < UNITS)
		ok = fails(b, "it did not run for the task it was attached to");
	return ok;
}

static bool t_ignores_pid(struct bench *b)
{
	return for_another_task(b, "sched:sched_switch", work_switch, true);
}

static bool nt_respects_pid(struct bench *b)
{
	return for_another_task(b, "page-faults", work_fault, false);
}

/*
 * Events of parent and child may be swapped when one follows the other on a CPU, so that no cookie
 * is certain from then on.
 */
static bool children_are_covered(struct bench *b)
{
	struct probe_value value;
	struct child child;

	if (!prepare(b, "page-faults", NULL, getpid()) || !attach(b, "link", COOKIE) ||
	    !enable(b) ||
	    !expect_runs(b, work_fault, "for the process itself"))
		return false;
	value = probe_read(b->sys, &b->probe);
	if (b->probe.has_cookie && value.own.cookie != COOKIE)
		return fails(b, "cookie 0x%llx for the process",
			     (unsigned long long)value.own.cookie);
	if (!child_start(b, &child, work_fault))
		return false;
	child_finish(&child, true);
	value = probe_read(b->sys, &b->probe);
	if (value.others.runs < UNITS)
		return fails(b, "%llu runs for a child", (unsigned long long)value.others.runs);
	return value.others.cookie == 0 || value.others.cookie == COOKIE ||
	       fails(b, "cookie 0x%llx for a child", (unsigned long long)value.others.cookie);
}

/* The second program is refused, whichever way the first one came. */
static bool second_is_refused(struct bench *b)
{
	static const char *const ways[][2] = {
		{ "ioctl", "ioctl" }, { "ioctl", "link" }, { "link", "ioctl" }, { "link", "link" }
	};

	if (!prepare(b, "page-faults", "0", 0))
		return false;
	for (size_t i = 0; i < NR(ways); i++) {
		struct attachment again = { .link_fd = -1 };
		int ret;

		if (!attach(b, ways[i][0], 0))
			return false;
		again.event_fd = b->set.list[0].event_fd;
		ret = bind_by(b, ways[i][1], &again, b->second.prog_fd);
		sys_close_fd(b->sys, &again.link_fd);
		if (ret < 0 && ret != -EEXIST && !set_up_ok(b, ret) && b->skipped)
			return false;
		if (ret != -EEXIST)
			return fails(b, "%s after %s: %d", ways[i][1], ways[i][0], ret);
		attach_close(b->sys, &b->set);
	}
	return true;
}

static bool closing_the_link_detaches(struct bench *b)
{
	uint64_t before, after;
	struct attachment *a;

	if (!prepare(b, "page-faults", NULL, getpid()) || !attach(b, "link", 0) || !enable(b) ||
	    !expect_runs(b, work_fault, "before"))
		return false;
	a = &b->set.list[0];
	sys_close_fd(b->sys, &a->link_fd);
	if (sys_read(b->sys, a->event_fd, &before, sizeof(before)) != sizeof(before) ||
	    !expect_none(b, work_fault, "after the link was closed"))
		return false;
	if (sys_read(b->sys, a->event_fd, &after, sizeof(after)) != sizeof(after) ||
	    after < before + UNITS)
		return fails(b, "the event did not go on counting");
	return set_up_ok(b, bind_by(b, "ioctl", a, b->probe.prog_fd)) &&
		expect_runs(b, work_fault, "bound again");
}

static bool link_keeps_the_event(struct bench *b)
{
	if (!prepare(b, "page-faults", NULL, 0) || !attach(b, "link", 0) || !enable(b))
		return false;
	for (unsigned int i = 0; i < b->set.nr; i++)
		sys_close_fd(b->sys, &b->set.list[i].event_fd);
	return expect_runs(b, work_fault, "with the event's fd closed");
}

static bool program_fd_may_close(struct bench *b)
{
	if (!prepare(b, "page-faults", NULL, 0) || !attach(b, "ioctl", 0) || !enable(b))
		return false;
	sys_close_fd(b->sys, &b->probe.prog_fd);
	return expect_runs(b, work_fault, "with the program's fd closed");
}

/* ctx->addr: PERF_SAMPLE_ADDR is what makes the kernel fill it in. */
static bool address_of_breakpoint(struct bench *b)
{
	char event[64];
	uint64_t addr;

	snprintf(event, sizeof(event), "mem:%p/8:w", (void *)&probe_watched);
	if (!prepare(b, event, NULL, getpid()) || !attach(b, "ioctl", 0) || !enable(b) ||
	    !expect_runs(b, work_write, "at the breakpoint"))
		return false;
	addr = probe_read(b->sys, &b->probe).own.addr;
	return addr == (uintptr_t)&probe_watched ||
		fails(b, "ctx->addr is 0x%llx", (unsigned long long)addr);
}

static bool address_of_clock(struct bench *b)
{
	uint64_t end = sys_monotonic_ns() + 60 * UINT64_C(1000000000);
	struct probe_value value;

	if (!prepare(b, "cpu-clock,freq=1000", NULL, getpid()) || !attach(b, "ioctl", 0) ||
	    !enable(b))
		return false;
	do {
		work_clock();
		value = probe_read(b->sys, &b->probe);
	} while (value.own.runs < 5 && sys_monotonic_ns() < end);
	if (value.own.runs < 5)
		return fails(b, "it did not run");
	return value.own.addr == 0 ||
		fails(b, "ctx->addr is 0x%llx", (unsigned long long)value.own.addr);
}

static bool stops_for_children(struct bench *b)
{
	struct child child;
	uint64_t before;

	if (!prepare(b, "page-faults", NULL, getpid()) || !attach(b, "link", 0) || !enable(b) ||
	    !child_start(b, &child, work_fault))
		return false;
	/* The child has faults of its own as soon as it is there. */
	attach_close(b->sys, &b->set);
	before = probe_read(b->sys, &b->probe).others.runs;
	child_finish(&child, true);
	return probe_read(b->sys, &b->probe).others.runs == before ||
		fails(b, "it ran for a child after it was closed");
}

static const struct {
	const char *text;
	bool (*holds)(struct bench *b);
} facts[] = {
	{ "a sampled event runs its program once it is enabled (ioctl)", nt_needs_enabling },
	{ "a sampled event runs its program once it is enabled (link)", nt_needs_enabling_by_link },
	{ "a tracepoint runs its program while it is disabled, too", t_runs_disabled },
	{ "a counting event takes a program and never runs it", counting_never_runs },
	{ "a program on a counting event is refused beforehand", counting_is_refused },
	{ "a tracepoint ignores the CPU it was opened on", t_ignores_cpu },
	{ "a sampled event respects the CPU it was opened on", nt_respects_cpu },
	{ "a tracepoint ignores the task it was opened for", t_ignores_pid },
	{ "a sampled event respects the task it was opened for", nt_respects_pid },
	{ "a sampled event of a process covers its children, with its cookie or 0",
	  children_are_covered },
	{ "closing ends it for children, too", stops_for_children },
	{ "a second program is EEXIST, for each order of ioctl and link", second_is_refused },
	{ "closing the link stops the program, and the event counts on and takes another",
	  closing_the_link_detaches },
	{ "a link keeps its event when the event's fd is closed", link_keeps_the_event },
	{ "the program's fd may be closed", program_fd_may_close },
	{ "ctx->addr of a breakpoint is the address", address_of_breakpoint },
	{ "ctx->addr of a clock is 0", address_of_clock },
};

static bool check(unsigned int number, struct sys *sys)
{
	struct bench b = { .sys = sys, .probe = { -1, -1, false }, .second = { -1, -1, false } };
	bool holds = facts[number].holds(&b), ok = holds || b.skipped;

	printf("%s %u - facts: %s", ok ? "ok" : "not ok", number + 1, facts[number].text);
	if (!holds)
		printf(b.skipped ? " # SKIP %s" : "\n# %s", b.text);
	putchar('\n');
	fflush(stdout);
	attach_close(sys, &b.set);
	probe_close(sys, &b.probe);
	probe_close(sys, &b.second);
	event_scope_free(b.sys, &b.scope);
	error_clear(&b.err);
	return ok;
}

int main(void)
{
	unsigned int failed = 0;

	printf("1..%zu\n", NR(facts));
	fflush(stdout);
	for (unsigned int i = 0; i < NR(facts); i++)
		failed += !check(i, sys_linux());
	return failed != 0;
}
