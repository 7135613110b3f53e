// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Each system call of a session fails once, on the running kernel: nothing is left, and the error
 * names the call.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/event/scope.h"
#include "test/regress/common/probed.h"
#include "test/regress/common/seam.h"
#include "test/regress/common/stress.h"

#define CALLS_MAX 200

static const int codes[] = { EINTR, EAGAIN, ENOMEM };

struct row {
	const struct stress_kind *kind;
	const char *method;
	int code;
};

/* Runs a whole session. Returns 0 or -errno, with everything closed in any case. */
static int session(struct regress *t, const struct row *row, struct seam *seam, struct error *err)
{
	const struct event_scope_options all = { 0 };
	struct stress s = { .t = t, .sys = &seam->sys, .kind = row->kind };
	int ret;

	s.prog.map_fd = s.prog.prog_fd = -1;
	stress_spec(t, row->kind, &s.spec);
	s.method = attach_method_find(row->method, NULL);
	ret = event_scope_init(s.sys, &s.scope, &all, err);
	if (ret >= 0)
		ret = firing_prog_load(s.sys, &s.prog, event_prog_type(&s.spec), 1, err);
	if (ret >= 0)
		ret = stress_try_attach(&s, err);
	stress_end(&s);
	return ret < 0 ? ret : 0;
}

/*
 * Checks that the error names the system call that failed: as its call, or in the text of a
 * diagnosis that has found another cause.
 */
static void check_said(struct regress *t, const struct seam *seam, int ret, const struct error *err)
{
	regress_expect(t, ret == err->code && err->what[0], "call %u (system call %ld): %s, and "
		       "nothing is said", seam->at, seam->failed_nr, regress_errno(ret));
	if (seam->failed_nr == __NR_perf_event_open)
		regress_expect(t, strstr(err->call, "perf_event_open(") || strstr(err->what,
			       "perf_event_open"), "call %u: '%s' names no perf_event_open",
			       seam->at, err->what);
	if (seam->failed_nr == __NR_bpf)
		regress_expect(t, strstr(err->call, "bpf(") || strstr(err->what, "BPF_"),
			       "call %u: '%s' names no command of bpf", seam->at, err->what);
	if (seam->failed_nr == __NR_ioctl)
		regress_expect(t, strstr(err->call, "ioctl(") || strstr(err->what, "PERF_EVENT_IOC"),
			       "call %u: '%s' names no ioctl", seam->at, err->what);
}

static void each_call_fails(struct regress *t)
{
	const struct row *row = t->data;
	struct ledger *ledger = ledger_new(t);
	unsigned int at = 1, failed = 0, before;
	const pid_t self = getpid();
	struct stress stays;
	struct seam seam;

	stress_begin(t, &stays, t->sys, row->kind, row->method, NULL);
	stress_attach(&stays);	/* so that the last event of its kind does not go each time */
	before = regress_nr_fds();
	do {
		struct error err = { 0 };
		int ret;

		regress_expect(t, at < CALLS_MAX, "more than %d calls in a session", CALLS_MAX);
		seam_init(&seam, t->sys, ledger, at++, row->code);
		ret = session(t, row, &seam, &err);
		failed += ret < 0;
		if (ret < 0)
			check_said(t, &seam, ret, &err);
		error_clear(&err);
		regress_expect(t, regress_nr_fds() == before, "call %u (system call %ld) fails: %d "
			       "descriptors are left", seam.at, seam.failed_nr,
			       (int)(regress_nr_fds() - before));
		/*
		 * A session that survives a failure by a fallback makes more calls than one
		 * without: the loop ends only when a session makes fewer than seam.at calls.
		 */
	} while (seam.failed_nr >= 0 || seam.calls >= seam.at);
	ledger_gone(t, ledger);
	regress_expect(t, failed > 3, "only %u calls make it fail", failed);
	stress_end(&stays);
	regress_expect(t, !probed_nr_lines_of(t->sys, &self, 1), "%u lines are left in tracefs",
		       probed_nr_lines_of(t->sys, &self, 1));
}

/* --- a load that a signal interrupted --- */

/* The kernel without the verifier: it answers the first loads as do_check() does for a signal. */
struct interrupted {
	struct sys sys;
	struct sys *next;
	unsigned int times;	/* this many loads are answered like this */
	unsigned int loads;	/* so far */
};

static long interrupt(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct interrupted *i = (struct interrupted *)sys;

	if (nr == __NR_bpf && arg[0] == BPF_PROG_LOAD && i->loads++ < i->times)
		return -EAGAIN;
	return i->next->enter(i->next, nr, arg);
}

static void load_again(struct regress *t)
{
	struct interrupted i = { .sys = { .enter = interrupt }, .next = t->sys, .times = 3 };
	struct sys *const sys = t->sys;
	struct regress_object o;

	t->sys = &i.sys;
	regress_load(t, &o, "scope", "counted");
	regress_expect(t, i.loads == i.times + 1, "%u loads", i.loads);
	regress_unload(t, &o);
	t->sys = sys;
}

/* The loader gives up after a limited number of attempts. */
static void load_no_more(struct regress *t)
{
	struct interrupted i = { .sys = { .enter = interrupt }, .next = t->sys, .times = UINT32_MAX };
	struct sys *const sys = t->sys;
	struct regress_object o;
	struct error err = { 0 };
	int ret;

	t->sys = &i.sys;
	ret = regress_try_load(t, &o, "scope", "counted", &err);
	if (ret != -EAGAIN)
		regress_ok(t, ret, &err, "load");
	regress_expect(t, ret == -EAGAIN && err.reason &&
		       !strcmp(err.reason, "prog-load/interrupted"), "%s [%s]", regress_errno(ret),
		       err.reason ? err.reason : "");
	error_clear(&err);
	regress_unload(t, &o);
	t->sys = sys;
}

static const struct regress_test tests[] = {
	{ "BPF_PROG_LOAD is tried again after EAGAIN, which is for a signal", load_again, NULL, 0 },
	{ "BPF_PROG_LOAD that is EAGAIN again and again is given up, with its reason", load_no_more,
	  NULL, 0 },
	{ 0 }
};

static void fill(struct regress_list *list)
{
	static const struct {
		int kind;
		const char *method;
	} sessions[] = {
		{ STRESS_FAULTS, "ioctl" }, { STRESS_FAULTS, "pmu" }, { STRESS_FAULTS, "link" },
		{ STRESS_TRACEPOINT, "ioctl" }, { STRESS_TRACEPOINT, "link" },
	};
	static struct row rows[NR(sessions)][NR(codes)];

	for (size_t i = 0; i < NR(sessions); i++)
		for (size_t c = 0; c < NR(codes); c++) {
			struct row *row = &rows[i][c];

			*row = (struct row){ &stress_kinds[sessions[i].kind], sessions[i].method,
					     codes[c] };
			regress_add(list, each_call_fails, row, "%s by %s, %s from each system call "
				    "once: it is told, and nothing is left", row->kind->name,
				    row->method, regress_errno(-row->code));
		}
}

const struct regress_group regress_group_faults = {
	"faults", "a system call of a session that fails", tests, fill, __FILE__
};
