// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One test in a process of its own: however it ends, the others go on. */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/regress/harness/parts.h"

static unsigned int running_kernel(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;

	if (!uname(&name))
		sscanf(name.release, "%u.%u", &major, &minor);
	return LINUX(major, minor);
}

static _Noreturn void run_here(struct sys *sys, const struct regress_test *test, void *room,
			       struct regress_shared *shared)
{
	struct regress t = { .sys = sys, .data = test->data, .room = room,
			     .kernel = running_kernel(), .shared = shared };

	test->run(&t);
	shared->state = REGRESS_PASSED;
	/* By exit(): a sanitizer looks for memory that is lost. */
	exit(0);
}

/* Whatever is left of it; those that have gone elsewhere are found as our children. */
static void kill_rest(pid_t group)
{
	kill(-group, SIGKILL);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/* Waits for @pid; false: it had to be killed. SIGCHLD is blocked, and so is not lost. */
static bool wait_for(pid_t pid, unsigned int seconds, int *status)
{
	struct timespec now, end;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	for (;;) {
		const struct timespec second = { 1, 0 };

		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec >= end.tv_sec)
			break;
		sigtimedwait(&set, NULL, &second);
	}
	kill(-pid, SIGKILL);
	waitpid(pid, status, 0);
	return false;
}

void *room_begin(const struct regress_list *list)
{
	void *room = NULL;

	if (list->share)
		room = mmap(NULL, list->share, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);
	if (room == MAP_FAILED)
		err(1, "no memory for what tests share");
	return room;
}

void room_end(const struct regress_list *list, void *room)
{
	if (room)
		munmap(room, list->share);
}

void run_test(struct sys *sys, const struct regress_test *test, void *room, unsigned int seconds,
	      struct regress_shared *shared)
{
	sigset_t set, old;
	int status = 0;
	bool in_time;
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		sigprocmask(SIG_SETMASK, &old, NULL);
		run_here(sys, test, room, shared);
	}
	if (pid > 0) {
		setpgid(pid, pid);
		in_time = wait_for(pid, test->seconds ? test->seconds : seconds, &status);
		kill_rest(pid);
		if (!in_time)
			snprintf(shared->why, sizeof(shared->why), "it has not ended in time");
		else if (WIFSIGNALED(status))
			snprintf(shared->why, sizeof(shared->why), "it was killed by signal %d (%s)",
				 WTERMSIG(status), strsignal(WTERMSIG(status)));
		else if (shared->state == REGRESS_UNSAID ||
			 (shared->state == REGRESS_PASSED && WEXITSTATUS(status)))
			snprintf(shared->why, sizeof(shared->why), "it ended with status %d",
				 WEXITSTATUS(status));
		if (!in_time || WIFSIGNALED(status) || shared->state == REGRESS_UNSAID ||
		    (shared->state == REGRESS_PASSED && WEXITSTATUS(status)))
			shared->state = REGRESS_FAILED;
	} else {
		snprintf(shared->why, sizeof(shared->why), "no process: %s", strerror(errno));
		shared->state = REGRESS_FAILED;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
}
