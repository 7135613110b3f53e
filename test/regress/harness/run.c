// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Run one test in a process of its own: however it ends, the others still run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/explain/denied/privilege.h"
#include "test/regress/harness/run.h"

/* A test may print this many bytes; further writes fail. */
#define MAX_OUTPUT (64 << 10)

#define SECOND UINT64_C(1000000000)

#define LOOK_NS (SECOND / 4)
/*
 * How long a test may run whose result is already known, see facts.h. This many of them get more
 * time.
 */
#define RESTS_NS (5 * SECOND)
#define RESTS_LATER_NS SECOND
#define NR_RESTS 4
#define HOLE_NS SECOND		/* a longer pause is remembered: see judge.c */

/*
 * Return whether this is root on the machine itself: in a namespace or container, capabilities for
 * BPF may be missing.
 */
static bool is_root(struct sys *sys)
{
	const uint64_t asked_for = UINT64_C(1) << CAP_SYS_ADMIN | UINT64_C(1) << CAP_BPF |
				   UINT64_C(1) << CAP_PERFMON;
	struct sys_privilege has;

	sys_privilege_read(sys, &has);
	return geteuid() == 0 && !has.nested && (has.effective & asked_for) == asked_for;
}

/* Called if a test's objects are not freed in time: are they waiting for a grace period? */
static bool is_late(void *runner, bool held)
{
	struct runner *r = runner;
	const bool late = !held || kmsg_is_late(&r->kmsg);

	r->nr_late += late;
	return late;
}

int runner_init(struct runner *r, struct sys *sys, const struct place *place,
		unsigned int seconds)
{
	sigset_t set;

	*r = (struct runner){ .seconds = seconds, .lock_fd = -1 };
	r->shared = mmap(NULL, sizeof(*r->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	r->output_fd = memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (r->shared == MAP_FAILED || r->output_fd < 0 || ftruncate(r->output_fd, MAX_OUTPUT) ||
	    fcntl(r->output_fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK))
		return -errno;
	r->sys = watch_sys(sys, r->shared);
	r->root = is_root(sys);
	leaks_init(&r->leaks, sys, place);
	r->leaks.late = (struct leaks_late){ is_late, r };
	children_begin();
	kmsg_open(&r->kmsg, regress_kmsg());
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &r->before);
	signal(SIGPIPE, SIG_IGN);
	/* Children of a test that has exited become ours, so that children_end() finds them. */
	return prctl(PR_SET_CHILD_SUBREAPER, 1) ? -errno : 0;
}

void runner_free(struct runner *r)
{
	if (r->shared && r->shared != MAP_FAILED)
		munmap(r->shared, sizeof(*r->shared));
	if (r->output_fd >= 0)
		close(r->output_fd);
	kmsg_close(&r->kmsg);
	leaks_free(&r->leaks);
}

unsigned int runner_kernel(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;

	if (!uname(&name))
		sscanf(name.release, "%u.%u", &major, &minor);
	return LINUX(major, minor);
}

/* --- in the process of the test --- */

static void redirect(const struct runner *r)
{
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	if (nothing > STDERR_FILENO)
		close(nothing);
	dup2(r->output_fd, STDOUT_FILENO);
	dup2(r->output_fd, STDERR_FILENO);
}

static bool names_breakpoint(const struct regress_test *test)
{
	return strstr(test->name, "breakpoint");
}

/*
 * Tests from the rows of a table share a measurement: if an earlier test made it and was refused,
 * this test was refused, too.
 */
static void share_lacks(struct runner *r, const struct regress_test *test, const void *room)
{
	struct regress_shared *shared = r->shared;

	if (room && room != r->used_in)
		r->used = 0;
	r->used_in = room;
	r->used |= shared->used;
	if (room)
		shared->used |= r->used;
	if (names_breakpoint(test))
		shared->opened_breakpoint = shared->lacked_breakpoint = true;
	if (shared->others_hold_breakpoints)
		r->held = room;
	else if (room && room == r->held && names_breakpoint(test))
		shared->others_hold_breakpoints = true;
	if (shared->others_on) {
		r->crowded = room;
		r->others_on = shared->others_on;
	} else if (room && room == r->crowded) {
		shared->others_on = r->others_on;
	}
}

static _Noreturn void run_here(struct runner *r, const struct regress_test *test, void *room,
			       pid_t parent)
{
	struct regress t = { .sys = r->sys, .data = test->data, .room = room,
			     .kernel = runner_kernel(), .root = r->root, .shared = r->shared };
	struct descriptors before;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (r->lock_fd >= 0)
		close(r->lock_fd);
	redirect(r);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &r->before, NULL);
	illegal_begin(r->shared);
	/* Do not use the seam, which would treat it as an event of the test. */
	if (names_breakpoint(test) && (r->never_fires || !breakpoints_fire(sys_linux())))
		regress_hurry();
	descriptors_read(&before);
	test->run(&t);
	descriptors_check(&t, &before);
	r->shared->state = REGRESS_PASSED;
	/*
	 * exit() rather than _exit(): LeakSanitizer checks for leaks in a function called by
	 * exit().
	 */
	exit(0);
}

/* --- in the process that waits --- */

/* Return the CPU time used so far by all children. */
static uint64_t used_ns(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage))
		return 0;
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * SECOND +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

/* Wait at most @ns for one of the blocked signals. SIGCHLD is not lost, because it is blocked. */
static void wait_signal(struct runner *r, uint64_t ns)
{
	const struct timespec patience = { ns / SECOND, ns % SECOND };
	sigset_t set;
	int signal;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	signal = sigtimedwait(&set, NULL, &patience);
	if (signal > 0 && signal != SIGCHLD && !r->signal)
		r->signal = signal;
}

bool runner_stopped(struct runner *r)
{
	wait_signal(r, 0);
	/* Nobody reads our output any more. */
	if (!r->signal && ferror(stdout))
		r->signal = SIGPIPE;
	return r->signal;
}

/* Return when the test's time is up. The time shrinks once the test rests on a false fact. */
static uint64_t end_of(const struct runner *r, uint64_t begin, uint64_t patience)
{
	const uint64_t rests = r->nr_rests < NR_RESTS ? RESTS_NS : RESTS_LATER_NS;

	return begin + (runner_rests(r) && patience > rests ? rests : patience);
}

/*
 * Wait for @pid; false: it had to be killed. Wake up often enough to notice if the machine was
 * paused.
 */
static bool wait_for(struct runner *r, pid_t pid, uint64_t begin, uint64_t patience, int *status)
{
	for (;;) {
		const uint64_t now = sys_monotonic_ns();
		const uint64_t end = end_of(r, begin, patience);

		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		r->timed_out = now >= end;
		if (r->timed_out || r->signal)
			break;
		wait_signal(r, end - now < LOOK_NS ? end - now : LOOK_NS);
		if (sys_monotonic_ns() - now > LOOK_NS + HOLE_NS)
			r->hole = sys_monotonic_ns();
	}
	kill(-pid, SIGKILL);
	waitpid(pid, status, 0);
	return false;
}

/*
 * A test that was skipped halfway had no chance to clean up. But what is left after its process and
 * pins are gone is a leak anyway. A failed test is not blamed for anything else.
 */
static void clean_up(struct runner *r, pid_t pid)
{
	const bool passed = r->shared->state == REGRESS_PASSED && !r->signal;
	const bool skipped = r->shared->state == REGRESS_SKIPPED && !r->signal;
	struct texts kept = { 0 }, made = { 0 };

	if (pid && !passed)
		kill(-pid, SIGKILL);
	children_end(passed, &kept);
	leaks_end(&r->leaks, pid, r->shared, skipped, &kept, passed ? &kept : &made);
	runner_leaks(r->shared, &made, false);
	runner_leaks(r->shared, &kept, passed || skipped);
	if (r->shared->nr_made > REGRESS_MADE && !r->leaks.place->alone)
		r->unwatched += r->shared->nr_made - REGRESS_MADE;
	runner_kmsg(r, r->shared->state != REGRESS_FAILED && !r->signal);
	texts_free(&kept);
	texts_free(&made);
}

static void take_output(struct runner *r)
{
	const off_t len = lseek(r->output_fd, 0, SEEK_CUR), most = sizeof(r->output) - 128;
	const ssize_t got = len > 0 ? pread(r->output_fd, r->output, len < most ? len : most, 0) : 0;
	char *end = r->output + (got > 0 ? got : 0);

	*end = '\0';
	if (len > most)
		snprintf(end, 128, "\n(and %lld bytes more)\n", (long long)(len - most));
}

/* A machine may have no room for a process now, but have some a moment later. */
static pid_t fork_patiently(void)
{
	pid_t pid = fork();

	for (int i = 0; i < 20 && pid < 0 && errno == EAGAIN; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = SECOND / 10 }, NULL);
		pid = fork();
	}
	return pid;
}

bool runner_run(struct runner *r, const struct regress_test *test, void *room)
{
	const unsigned int seconds = test->seconds ? test->seconds : r->seconds;
	const uint64_t begin = sys_monotonic_ns(), used = used_ns();
	const pid_t self = getpid();
	int status = 0;
	pid_t pid;

	memset(r->shared, 0, sizeof(*r->shared));
	r->shared->broken = r->broken;
	r->timed_out = false;
	lseek(r->output_fd, 0, SEEK_SET);
	leaks_begin(&r->leaks);
	fflush(NULL);
	pid = fork_patiently();
	if (pid == 0)
		run_here(r, test, room, self);
	if (pid < 0) {
		r->error = errno;
		return false;
	}
	setpgid(pid, pid);
	wait_for(r, pid, begin, seconds * SECOND, &status);
	share_lacks(r, test, room);
	runner_judge(r, seconds, status);
	clean_up(r, pid);
	take_output(r);
	r->ns = sys_monotonic_ns() - begin;
	r->cpu_ns = used_ns() - used;
	return true;
}
