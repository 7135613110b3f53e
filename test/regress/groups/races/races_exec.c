// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tasks that execute another program, which is this one again with one thing to do. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/compare/measure/lifetime/lifetime.h"
#include "loader/base/calls/processes.h"
#include "test/regress/groups/races/races.h"
#include "test/regress/common/stress.h"

#define UNITS 20
#define EXECUTED "PLOAD_REGRESS_EXECUTED"

struct row {
	const struct stress_kind *kind;
	const char *method;
};

static void work(void)
{
	for (int i = 0; i < UNITS; i++) {
		struct event_spec spec;

		getppid();
		if (!event_parse(&spec, "page-faults", NULL)) {
			firing_work_find(&spec)->unit();
			event_spec_free(&spec);
		}
	}
}

/* This runs before main(): the one thing that this program does when it is executed by itself. */
__attribute__((constructor)) static void executed(void)
{
	const char *what = getenv(EXECUTED);

	if (!what)
		return;
	if (!strcmp(what, "work"))
		work();
	_exit(strcmp(what, "count") ? 0 : regress_nr_fds());
}

static void execute(struct sys *sys, const char *what)
{
	char variable[64], *argv[] = { "executed", NULL }, *envp[] = { variable, NULL };

	snprintf(variable, sizeof(variable), EXECUTED "=%s", what);
	sys_execve(sys, "/proc/self/exe", argv, envp);
	sys_exit_group(sys, 127);
}

/* --- a process that works, executes this program, which works, and ends --- */

static void work_then_execute(struct peer *self, void *arg)
{
	struct peer_message word = { 0 };

	(void)arg;
	peer_wait(self);
	work();
	peer_report(self, &word);
	peer_wait(self);
	execute(self->sys, "work");
}

static void begin(struct regress *t, struct peer *peer)
{
	struct error err = { 0 };

	regress_ok(t, peer_begin(peer, t->sys, work_then_execute, NULL, &err), &err,
		   "another process");
}

static void tell(struct regress *t, struct peer *peer)
{
	struct peer_message word;
	struct error err = { 0 };

	peer_send(peer, 'w');
	regress_ok(t, peer_receive(peer, &word, &err), &err, "another process");
}

/* It executes, works and ends. */
static void tell_and_end(struct regress *t, struct peer *peer)
{
	siginfo_t info = { 0 };
	int ret;

	peer_send(peer, 'x');
	do
		ret = sys_waitid(t->sys, peer->pid, &info, WEXITED | WNOWAIT);
	while (ret == -EINTR);
	regress_expect(t, info.si_code == CLD_EXITED && info.si_status == 0,
		       "it could not execute this program again (%d)", info.si_status);
	peer_end(peer, false);
}

/* --- the tests --- */

static void goes_on(struct regress *t)
{
	const struct row *row = t->data;
	char pid[16];
	const struct event_scope_options asked = { .processes = pid };
	unsigned long long runs;
	struct peer peer;
	struct stress s;

	begin(t, &peer);
	snprintf(pid, sizeof(pid), "%d", peer.pid);
	stress_begin(t, &s, t->sys, row->kind, row->method, &asked);
	regress_ok(t, firing_prog_watch(t->sys, &s.prog, peer.pid), NULL, "watching a process");
	stress_attach(&s);
	tell(t, &peer);
	runs = stress_runs(&s);
	regress_expect(t, row->kind->exact ? runs == UNITS : runs >= UNITS,
		       "%llu of %u runs before it executes another program", runs, UNITS);
	tell_and_end(t, &peer);
	runs = stress_runs(&s) - runs;
	regress_expect(t, row->kind->exact ? runs == UNITS : runs >= UNITS,
		       "%llu of %u runs in the program it has executed", runs, UNITS);
	stress_end(&s);
}

/* An event with enable_on_exec counts nothing before the exec. */
static void begins_with_exec(struct regress *t)
{
	const struct row *row = t->data;
	struct event_scope_options asked = { 0 };
	struct error err = { 0 };
	struct peer peer;
	struct stress s;
	int ret;

	begin(t, &peer);
	asked.command = peer.pid;
	stress_begin(t, &s, t->sys, row->kind, row->method, &asked);
	ret = attach_prog(t->sys, &(struct attach_request){
			.method = s.method, .spec = &s.spec, .scope = &s.scope, .on_exec = true,
			.prog_fd = s.prog.prog_fd, .prog_type = s.prog.prog_type }, &s.set, &err);
	stress_ok(&s, ret, &err, row->method);
	stress_ok(&s, attach_enable(t->sys, &s.set, &err), &err, "enable");
	tell(t, &peer);
	regress_expect(t, stress_all(&s) == 0, "%llu runs before it executes another program",
		       (unsigned long long)stress_all(&s));
	tell_and_end(t, &peer);
	regress_expect(t, stress_all(&s) >= UNITS, "%llu of %u runs in the program it has executed",
		       (unsigned long long)stress_all(&s), UNITS);
	stress_end(&s);
}

static void remove_on_exec(struct perf_event_attr *attr)
{
	attr->remove_on_exec = 1;
}

static void ends_with_exec(struct regress *t)
{
	/* remove_on_exec: 2e498d0a74e5 */
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "EINVAL" }, { LINUX(5, 13), "0" }
	};
	struct compare_subject s = { .sys = t->sys };
	struct event_spec spec;
	struct compare_event e;
	struct firing_value value;
	struct error err = { 0 };
	struct peer peer;
	uint64_t runs;
	int ret;

	begin(t, &peer);
	stress_spec(t, &stress_kinds[STRESS_FAULTS], &spec);
	s.spec = &spec;
	compare_begin(&s);
	s.target.tid = peer.pid;
	ret = compare_open_as(&s, &s.cells[0], remove_on_exec, &e, &err);
	regress_answer(t, "", regress_errno(ret), rows, NR(rows));
	if (ret >= 0) {
		regress_ok(t, compare_bind(&s, &s.cells[0], &e, s.prog.prog_fd, &err), &err, "bind");
		regress_ok(t, compare_enable(&s, &e, &err), &err, "enable");
		tell(t, &peer);
		regress_ok(t, firing_prog_read(t->sys, &s.prog, &value), NULL, "reading the count");
		runs = value.others.runs;
		regress_expect(t, runs >= UNITS, "%llu of %u runs before", (unsigned long long)runs,
			       UNITS);
		tell_and_end(t, &peer);
		regress_ok(t, firing_prog_read(t->sys, &s.prog, &value), NULL, "reading the count");
		/* The exec itself still touches pages of the new stack. */
		regress_expect(t, value.others.runs - runs < UNITS,
			       "%llu runs in the program it has executed",
			       (unsigned long long)(value.others.runs - runs));
	} else {
		peer_end(&peer, true);
	}
	compare_close(&s, &e);
	compare_end(&s);
	error_clear(&err);
}

/* --- descriptors --- */

static int count_executed(struct regress *t)
{
	siginfo_t info = { 0 };
	pid_t pid = sys_fork(t->sys, SIGCHLD);
	int ret;

	regress_ok(t, pid, NULL, "another process");
	if (!pid)
		execute(t->sys, "count");
	do
		ret = sys_waitid(t->sys, pid, &info, WEXITED);
	while (ret == -EINTR);
	regress_expect(t, info.si_code == CLD_EXITED, "what was executed was killed");
	return info.si_status;
}

static void closes_on_exec(struct regress *t)
{
	const struct row *row = t->data;
	const int before = count_executed(t);
	struct stress s;
	int after;

	stress_begin(t, &s, t->sys, row->kind, row->method, NULL);
	stress_attach(&s);
	after = count_executed(t);
	regress_expect(t, after == before, "%d descriptors reach a program that is executed",
		       after - before);
	stress_end(&s);
}

void races_exec(struct regress_list *list)
{
	static struct row rows[STRESS_NR_KINDS][8];

	for (int kind = 0; kind < STRESS_NR_KINDS; kind++) {
		/* Opened as page faults are, or as a uprobe is. */
		if (kind == STRESS_CLOCK || kind == STRESS_BREAKPOINT || kind == STRESS_KPROBE)
			continue;
		for (unsigned int m = 0; m < attach_nr_methods && m < NR(rows[0]); m++) {
			struct row *row = &rows[kind][m];

			*row = (struct row){ &stress_kinds[kind], attach_methods[m].name };
			regress_add(list, closes_on_exec, row, "%s by %s, no descriptor of it "
				    "reaches a program that is executed", row->kind->name,
				    row->method);
			if (kind != STRESS_FAULTS && kind != STRESS_TRACEPOINT)
				continue;
			regress_add(list, goes_on, row, "%s by %s, goes on when the task executes "
				    "another program", row->kind->name, row->method);
			if (kind == STRESS_FAULTS)
				regress_add(list, begins_with_exec, row, "%s by %s, enable_on_exec: "
					    "begins with the exec", row->kind->name, row->method);
		}
	}
	regress_add(list, ends_with_exec, NULL, "remove_on_exec: ends with the exec");
}
