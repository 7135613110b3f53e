// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* SIGKILL at each system call of a process that attaches: nothing of it stays. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/probed.h"
#include "test/regress/groups/races/races.h"
#include "test/regress/common/seam.h"

#define CALLS_MAX 1000	/* of one session; it makes far fewer, unless tracefs has many lines of others */

struct row {
	const struct stress_kind *kind;
	const char *method;
	bool pins;		/* its link, as the last thing */
	unsigned int step;	/* from one call to the next: a probe takes long to go */
};

struct victims {
	struct ledger *ledger;
	struct stress stays;	/* on the same event, which so does not go with each of them */
	char pin[64];
	pid_t pids[CALLS_MAX];
	unsigned int nr;
};

/* One whole session, in a process of its own. It exits with 0 unless it is killed. */
static _Noreturn void session(struct regress *t, const struct row *row, struct victims *v,
			      unsigned int at)
{
	const struct event_scope_options all = { 0 };
	struct stress s = { .t = t, .kind = row->kind };
	struct error err = { 0 };
	struct seam seam;

	seam_init(&seam, t->sys, v->ledger, at, 0);
	s.sys = &seam.sys;
	stress_spec(t, row->kind, &s.spec);
	s.work = firing_work_find(&s.spec);
	s.method = attach_method_find(row->method, NULL);
	regress_ok(t, event_scope_init(s.sys, &s.scope, &all, &err), &err, "scope");
	regress_ok(t, firing_prog_load(s.sys, &s.prog, event_prog_type(&s.spec), 1, &err), &err,
		   "program");
	stress_attach(&s);
	if (row->pins)
		regress_ok(t, kernel_pin(s.sys, s.set.list[0].link_fd, v->pin), NULL, "pin");
	s.work->unit();
	stress_end(&s);
	_exit(0);
}

/*
 * Runs a session in a child, which is killed at its call @at. Returns whether it was: false if the
 * session makes fewer calls.
 */
static bool run_one(struct regress *t, const struct row *row, struct victims *v, unsigned int at)
{
	pid_t pid = fork();
	int status;

	regress_expect(t, pid >= 0, "no process: %s", strerror(errno));
	if (!pid)
		session(t, row, v, at);
	v->pids[v->nr++] = pid;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	/* A child that has failed has reported why, in shared memory. */
	if (WIFEXITED(status) && WEXITSTATUS(status))
		_exit(WEXITSTATUS(status));
	return WIFSIGNALED(status);
}

static void kill_at_each(struct regress *t)
{
	const struct row *row = t->data;
	struct victims v = { .ledger = ledger_new(t) };
	unsigned int at = 1;
	bool killed;
	int dir_fd = -1;

	stress_begin(t, &v.stays, t->sys, row->kind, row->method, NULL);
	stress_attach(&v.stays);
	if (row->pins) {
		dir_fd = sys_open_detached(t->sys, "bpf");
		if (dir_fd < 0)
			regress_skip(t, "cannot create a bpffs here: %s", regress_errno(dir_fd));
		snprintf(v.pin, sizeof(v.pin), "/proc/self/fd/%d/link", dir_fd);
	}
	do {
		regress_expect(t, at < CALLS_MAX, "more than %d calls in a session", CALLS_MAX);
		killed = run_one(t, row, &v, at);
		if (row->pins && sys_unlinkat(t->sys, v.pin) == 0)
			regress_note(t, "killed at call %u: it was pinned", at);
		at += killed ? row->step : 1;
	} while (killed);
	ledger_gone(t, v.ledger);
	sys_close_fd(t->sys, &dir_fd);
	/* The last session, which was not killed, has removed the lines of those before it. */
	regress_expect(t, at > 10, "only %u calls in a session", at);
	regress_expect(t, !probed_nr_lines_of(t->sys, v.pids, v.nr), "%u lines are left in tracefs",
		       probed_nr_lines_of(t->sys, v.pids, v.nr));
	stress_end(&v.stays);
}

void races_kill(struct regress_list *list)
{
	static const struct row rows[] = {
		{ &stress_kinds[STRESS_FAULTS], "ioctl", false, 1 },
		{ &stress_kinds[STRESS_FAULTS], "pmu", false, 1 },
		{ &stress_kinds[STRESS_FAULTS], "link", false, 1 },
		{ &stress_kinds[STRESS_FAULTS], "link", true, 1 },
		{ &stress_kinds[STRESS_TRACEPOINT], "ioctl", false, 1 },
		{ &stress_kinds[STRESS_TRACEPOINT], "link", true, 1 },
		{ &stress_kinds[STRESS_UPROBE], "ioctl", false, 3 },
		{ &stress_kinds[STRESS_UPROBE], "link", true, 3 },
	};

	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, kill_at_each, &rows[i], "%s by %s%s, SIGKILL at each%s system "
			    "call leaves nothing", rows[i].kind->name, rows[i].method,
			    rows[i].pins ? ", pinned" : "", rows[i].step > 1 ? " third" : "");
}
