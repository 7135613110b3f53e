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
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &r->before);
	/* What has lost its parent becomes ours, and so it is found. */
	return prctl(PR_SET_CHILD_SUBREAPER, 1) ? -errno : 0;
}

void runner_free(struct runner *r)
{
	if (r->shared && r->shared != MAP_FAILED)
		munmap(r->shared, sizeof(*r->shared));
	if (r->output_fd >= 0)
		close(r->output_fd);
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
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

/* One of the signals that are blocked, after at most @ns. SIGCHLD is not lost, as it is blocked. */
static void wait_signal(struct runner *r, uint64_t ns)
{
	const struct timespec patience = { ns / 1000000000, ns % 1000000000 };
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
	return r->signal;
}

/* Waits for @pid; false: it had to be killed. */
static bool wait_for(struct runner *r, pid_t pid, uint64_t end, int *status)
{
	for (;;) {
		const uint64_t now = now_ns();

		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		r->timed_out = now >= end;
		if (r->timed_out || r->signal)
			break;
		wait_signal(r, end - now < 1000000000 ? end - now : 1000000000);
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

	if (r->timed_out)
		fail(shared, "it has not ended within %u seconds", seconds);
	else if (r->signal && WIFSIGNALED(status))
		fail(shared, "it was ended, because signal %d (%s) has come", r->signal,
		     strsignal(r->signal));
	else if (WIFSIGNALED(status))
		fail(shared, "it was killed by signal %d (%s)", WTERMSIG(status),
		     strsignal(WTERMSIG(status)));
	else if (shared->state == REGRESS_UNSAID)
		fail(shared, "it ended with status %d before it was through", WEXITSTATUS(status));
	else if (shared->state == REGRESS_PASSED && WEXITSTATUS(status))
		fail(shared, "it passed, and then ended with status %d", WEXITSTATUS(status));
}

/* What is left is a failure, or more to say of one. */
static void report_leaks(struct regress_shared *shared, const struct texts *found)
{
	const size_t size = sizeof(shared->notes);
	size_t len = strnlen(shared->notes, size - 1);

	for (unsigned int i = 0; i < found->nr && len < size - 1; i++) {
		snprintf(shared->notes + len, size - len, "left behind: %s\n", found->list[i]);
		len += strlen(shared->notes + len);
	}
	if (found->nr && shared->state != REGRESS_FAILED)
		fail(shared, "it left something behind: %s%s", found->list[0],
		     found->nr > 1 ? ", and more" : "");
}

static void clean_up(struct runner *r, pid_t pid)
{
	const bool orderly = r->shared->state != REGRESS_FAILED;
	struct texts found = { 0 };

	if (pid && !orderly)
		kill(-pid, SIGKILL);
	children_end(orderly, &found);
	leaks_end(&r->leaks, pid, r->shared, &found);
	report_leaks(r->shared, &found);
	texts_free(&found);
}

static void take_output(struct runner *r)
{
	off_t len = lseek(r->output_fd, 0, SEEK_CUR);
	ssize_t got;

	if (len > (off_t)sizeof(r->output) - 1)
		len = sizeof(r->output) - 1;
	got = len > 0 ? pread(r->output_fd, r->output, len, 0) : 0;
	r->output[got > 0 ? got : 0] = '\0';
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
		wait_for(r, pid, begin + seconds * UINT64_C(1000000000), &status);
		judge(r, seconds, status);
		clean_up(r, pid);
	}
	take_output(r);
	r->ns = now_ns() - begin;
}
