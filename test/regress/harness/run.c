// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One test in a process of its own: however it ends, the others go on. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/regress/harness/run.h"

/* What a test may print; after that its writes fail. */
#define MAX_OUTPUT (64 << 10)

#define SECOND UINT64_C(1000000000)

#define LOOK_NS (SECOND / 4)

/*
 * Watchdogs of the kernel complain when something has taken 20 seconds and more: of a virtual
 * machine that was not run by its host as well as of a kernel that hangs. In the first case we have
 * stood still, too: by so much in one piece, within the time that a watchdog looks back.
 */
#define HOLE_NS SECOND
#define LOOK_BACK_NS (60 * SECOND)

int runner_init(struct runner *r, struct sys *sys, const struct place *place,
		unsigned int seconds)
{
	sigset_t set;

	*r = (struct runner){ .seconds = seconds, .leaks = { .sys = sys, .place = place } };
	r->shared = mmap(NULL, sizeof(*r->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	r->output_fd = memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (r->shared == MAP_FAILED || r->output_fd < 0 || ftruncate(r->output_fd, MAX_OUTPUT) ||
	    fcntl(r->output_fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK))
		return -errno;
	r->sys = watch_sys(sys, r->shared);
	children_begin();
	kmsg_open(&r->kmsg, regress_kmsg());
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &r->before);
	signal(SIGPIPE, SIG_IGN);
	/* What has lost its parent becomes ours, and so it is found. */
	return prctl(PR_SET_CHILD_SUBREAPER, 1) ? -errno : 0;
}

void runner_free(struct runner *r)
{
	if (r->shared && r->shared != MAP_FAILED)
		munmap(r->shared, sizeof(*r->shared));
	if (r->output_fd >= 0)
		close(r->output_fd);
	kmsg_close(&r->kmsg);
}

/* --- in the process of the test --- */

static unsigned int running_kernel(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;

	if (!uname(&name))
		sscanf(name.release, "%u.%u", &major, &minor);
	return LINUX(major, minor);
}

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

static _Noreturn void run_here(struct runner *r, const struct regress_test *test, void *room,
			       pid_t parent)
{
	struct regress t = { .sys = r->sys, .data = test->data, .room = room,
			     .kernel = running_kernel(), .shared = r->shared };
	struct descriptors before;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	redirect(r);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &r->before, NULL);
	descriptors_read(&before);
	test->run(&t);
	descriptors_check(&t, &before);
	r->shared->state = REGRESS_PASSED;
	/* By exit(): a sanitizer looks for memory that is lost. */
	exit(0);
}

/* --- in the one that waits --- */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

/* One of the signals that are blocked, after at most @ns. SIGCHLD is not lost, as it is blocked. */
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
	/* Nobody reads what we say. */
	if (!r->signal && ferror(stdout))
		r->signal = SIGPIPE;
	return r->signal;
}

/*
 * Waits for @pid; false: it had to be killed. Looks up so often that a machine that stands still is
 * noticed.
 */
static bool wait_for(struct runner *r, pid_t pid, uint64_t end, int *status)
{
	for (;;) {
		const uint64_t now = now_ns();

		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		r->timed_out = now >= end;
		if (r->timed_out || r->signal)
			break;
		wait_signal(r, end - now < LOOK_NS ? end - now : LOOK_NS);
		if (now_ns() - now > LOOK_NS + HOLE_NS)
			r->hole = now_ns();
	}
	kill(-pid, SIGKILL);
	waitpid(pid, status, 0);
	return false;
}

static void fail(struct regress_shared *shared, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void fail(struct regress_shared *shared, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(shared->why, sizeof(shared->why), fmt, ap);
	va_end(ap);
	shared->state = REGRESS_FAILED;
}

/* How the process ended says more than what the test had said by then. */
static void judge(struct runner *r, unsigned int seconds, int status)
{
	struct regress_shared *shared = r->shared;

	if (r->signal && WIFSIGNALED(status)) {
		snprintf(shared->why, sizeof(shared->why), "not finished: %s",
			 strsignal(r->signal));
		shared->state = REGRESS_SKIPPED;
	} else if (r->timed_out)
		fail(shared, "it has not ended within %u seconds", seconds);
	else if (WIFSIGNALED(status))
		fail(shared, "it was killed by signal %d (%s)", WTERMSIG(status),
		     strsignal(WTERMSIG(status)));
	else if (shared->state == REGRESS_UNSAID)
		fail(shared, "it ended with status %d before it was through", WEXITSTATUS(status));
	else if (shared->state == REGRESS_PASSED && WEXITSTATUS(status))
		fail(shared, "it passed, and then ended with status %d", WEXITSTATUS(status));
}

static void note(struct regress_shared *shared, const char *what, const struct texts *texts)
{
	const size_t size = sizeof(shared->notes);
	size_t len = strnlen(shared->notes, size - 1);

	for (unsigned int i = 0; i < texts->nr && len < size - 1; i++) {
		snprintf(shared->notes + len, size - len, "%s: %s\n", what, texts->list[i]);
		len += strlen(shared->notes + len);
	}
}

/* What is left is a failure, or more to say of one. */
static void report_leaks(struct regress_shared *shared, const struct texts *found, bool orderly)
{
	note(shared, "left behind", found);
	if (found->nr && orderly)
		fail(shared, "it left something behind: %s%s", found->list[0],
		     found->nr > 1 ? ", and more" : "");
}

/* What the kernel has said of itself meanwhile. */
static void report_kmsg(struct runner *r, bool orderly)
{
	const bool stood_still = r->hole && now_ns() - r->hole < LOOK_BACK_NS;
	struct texts found = { 0 };
	const enum kmsg_kind kind = kmsg_read(&r->kmsg, &found);

	note(r->shared, "dmesg", &found);
	if (kind == KMSG_STALL && stood_still)
		r->nr_stalls++;
	else if (kind != KMSG_NOTHING && orderly)
		fail(r->shared, "the kernel said: %s", found.list[0]);
	texts_free(&found);
}

static void clean_up(struct runner *r, pid_t pid)
{
	const bool orderly = r->shared->state != REGRESS_FAILED && !r->signal;
	struct texts found = { 0 };

	if (pid && !orderly)
		kill(-pid, SIGKILL);
	children_end(orderly, &found);
	leaks_end(&r->leaks, pid, r->shared, &found);
	report_leaks(r->shared, &found, orderly);
	if (r->shared->nr_made > REGRESS_MADE && !r->leaks.place->alone)
		r->unwatched += r->shared->nr_made - REGRESS_MADE;
	report_kmsg(r, r->shared->state != REGRESS_FAILED && !r->signal);
	texts_free(&found);
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

void runner_run(struct runner *r, const struct regress_test *test, void *room)
{
	const unsigned int seconds = test->seconds ? test->seconds : r->seconds;
	const uint64_t begin = now_ns();
	const pid_t self = getpid();
	int status = 0;
	pid_t pid;

	memset(r->shared, 0, sizeof(*r->shared));
	r->timed_out = false;
	lseek(r->output_fd, 0, SEEK_SET);
	leaks_begin(&r->leaks);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		run_here(r, test, room, self);
	if (pid < 0) {
		fail(r->shared, "no process for it: %s", strerror(errno));
		clean_up(r, 0);
	} else {
		setpgid(pid, pid);
		wait_for(r, pid, begin + seconds * SECOND, &status);
		judge(r, seconds, status);
		clean_up(r, pid);
	}
	take_output(r);
	r->ns = now_ns() - begin;
}
