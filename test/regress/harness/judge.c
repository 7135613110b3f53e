// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Determine the state of a test that has ended, from its exit status, from what it left behind, and
 * from the kernel's messages.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/hw_breakpoint.h>

#include "test/regress/harness/facts.h"
#include "test/regress/harness/run.h"

/*
 * The kernel's watchdogs complain if something takes 20 seconds or more. That happens if the kernel
 * hangs, but also if a virtual machine was not run by its host. In the second case, this process
 * did not run either, for as long at a stretch, within the time that the watchdog covers.
 */
#define LOOK_BACK_NS (60 * UINT64_C(1000000000))

void runner_fail(struct regress_shared *shared, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(shared->why, sizeof(shared->why), fmt, ap);
	va_end(ap);
	shared->state = REGRESS_FAILED;
}

static volatile long watched;

static int open_breakpoint(struct sys *sys, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_BREAKPOINT, .bp_type = HW_BREAKPOINT_W,
		.bp_addr = (unsigned long)&watched, .bp_len = sizeof(watched), .sample_period = 1,
	};

	return sys_perf_event_open(sys, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/*
 * On some virtual machines, a breakpoint can be opened and enabled, but never triggers. A
 * breakpoint that only counts, without a program, shows whether the machine is the cause.
 */
bool breakpoints_fire(struct sys *sys)
{
	const int fd = open_breakpoint(sys, 0, -1);
	uint64_t count = 0;

	if (fd < 0)
		return true;
	for (int i = 0; i < 20; i++)
		watched = i;
	if (sys_read(sys, fd, &count, sizeof(count)) != sizeof(count))
		count = 1;
	sys_close(sys, fd);
	return count;
}

/* A debugger or another program uses some of them, for a task or a CPU. */
static bool breakpoints_are_held(struct sys *sys)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	bool held = false;

	for (int cpu = 0; cpu < cpus && !held; cpu++) {
		int fds[DEBUG_REGISTERS], nr = 0, ret = 0;

		while (nr < DEBUG_REGISTERS && (ret = open_breakpoint(sys, -1, cpu)) >= 0)
			fds[nr++] = ret;
		held = ret == -ENOSPC;
		while (nr)
			sys_close(sys, fds[--nr]);
	}
	return held;
}

#define NEVER_FIRES "this machine never triggers a hardware breakpoint"

void regress_needs_breakpoint(struct regress *t)
{
	if (!breakpoints_fire(t->sys))
		regress_skip(t, NEVER_FIRES);
}

static void skip(struct regress_shared *shared, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void skip(struct regress_shared *shared, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(shared->why, sizeof(shared->why), fmt, ap);
	va_end(ap);
	shared->state = REGRESS_SKIPPED;
}

/*
 * A failed test is skipped if this machine or its other users are the cause. Only failures reported
 * by the test and timeouts are excused, never a process that was killed by a signal or exited
 * early, as it does if a sanitizer finds an error.
 */
static void excuse(struct runner *r, struct regress_shared *shared)
{
	if (shared->others_on) {
		skip(shared, "others have %u of the 64 programs that a tracepoint takes",
		     shared->others_on);
	} else if (shared->others_hold_breakpoints ||
		   (shared->lacked_breakpoint && breakpoints_are_held(r->sys))) {
		skip(shared, "others hold debug registers of this machine");
	} else if (shared->opened_breakpoint && !breakpoints_fire(r->sys)) {
		r->never_fires = true;
		skip(shared, NEVER_FIRES);
	}
}

unsigned int runner_rests(const struct runner *r)
{
	return r->shared->used & r->broken & ~r->shared->states;
}

/* How the process ended takes precedence over the state that the test had reported by then. */
void runner_judge(struct runner *r, unsigned int seconds, int status)
{
	struct regress_shared *shared = r->shared;
	const bool reported = shared->state == REGRESS_FAILED && !WIFSIGNALED(status);

	/* A process killed by SIGILL executed an instruction that really is illegal. */
	if (!WIFSIGNALED(status))
		r->nr_illegal += shared->nr_illegal;
	if (r->signal && WIFSIGNALED(status)) {
		snprintf(shared->why, sizeof(shared->why), "not finished: %s",
			 strsignal(r->signal));
		shared->state = REGRESS_SKIPPED;
	} else if (r->timed_out)
		runner_fail(shared, "it has not ended within %u seconds", seconds);
	else if (WIFSIGNALED(status))
		runner_fail(shared, "it was killed by signal %d (%s)", WTERMSIG(status),
		     strsignal(WTERMSIG(status)));
	else if (shared->state == REGRESS_UNSAID)
		runner_fail(shared, "it ended with status %d before it was through", WEXITSTATUS(status));
	else if (shared->state == REGRESS_PASSED && WEXITSTATUS(status))
		runner_fail(shared, "it passed, and then ended with status %d", WEXITSTATUS(status));
	if (reported || (r->timed_out && shared->state == REGRESS_FAILED))
		excuse(r, shared);
	r->reported = reported && shared->state == REGRESS_FAILED;
	if (shared->state != REGRESS_FAILED)
		return;
	r->nr_rests += runner_rests(r) && r->timed_out;
	if (runner_rests(r) && (reported || r->timed_out))
		skip(shared, "it rests on what fails here (group basics): %s",
		     facts_first(runner_rests(r)));
	else
		r->broken |= shared->states;
}

static void add_note(struct regress_shared *shared, const char *what, const struct texts *texts)
{
	const size_t size = sizeof(shared->notes);
	size_t len = strnlen(shared->notes, size - 1);

	for (unsigned int i = 0; i < texts->nr && len < size - 1; i++) {
		snprintf(shared->notes + len, size - len, "%s: %s\n", what, texts->list[i]);
		len += strlen(shared->notes + len);
	}
}

/* A leak fails a test that was fine until then; for any other test it is a note. */
void runner_leaks(struct regress_shared *shared, const struct texts *found, bool orderly)
{
	add_note(shared, "left behind", found);
	if (found->nr && orderly)
		runner_fail(shared, "it left something behind: %s%s", found->list[0],
		     found->nr > 1 ? ", and more" : "");
}

/* An error that the kernel reported during the test fails the test, or is a note. */
void runner_kmsg(struct runner *r, bool orderly)
{
	const bool stood_still = r->hole && sys_monotonic_ns() - r->hole < LOOK_BACK_NS;
	struct texts found = { 0 };
	const enum kmsg_kind kind = kmsg_read(&r->kmsg, &found);

	add_note(r->shared, "dmesg", &found);
	if (kind == KMSG_STALL && stood_still)
		r->nr_stalls++;
	else if (kind == KMSG_KNOWN)
		r->nr_known++;
	else if (kind == KMSG_OTHERS)
		r->nr_others++;
	else if (kind != KMSG_NOTHING && orderly)
		runner_fail(r->shared, "the kernel said: %s",
			    found.list[r->kmsg.worst_at < found.nr ? r->kmsg.worst_at : 0]);
	texts_free(&found);
}
