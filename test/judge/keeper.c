// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The judge is two processes: one judges, and the other, the keeper, waits for it. If one of them
 * is killed, the other removes what the run has left: cgroups, and a folder, which is empty outside
 * of the first one's mount namespace.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test/judge/watch.h"

#define GRACE_SECONDS 5

/* Pass on each signal. After one, kill a child that does not exit in time. */
static int wait_for(pid_t child)
{
	const struct timespec grace = { .tv_sec = GRACE_SECONDS };
	bool signalled = false;
	sigset_t signals;
	int status;

	sigprocmask(SIG_BLOCK, NULL, &signals);
	while (waitpid(child, &status, WNOHANG) != child) {
		const int signal = signalled ? sigtimedwait(&signals, NULL, &grace) :
					       sigwaitinfo(&signals, NULL);

		if (signal == SIGCHLD || (signal < 0 && errno == EINTR))
			continue;
		kill(child, signal < 0 ? SIGKILL : signal);
		signalled = true;
	}
	return status;
}

/* Try again for two seconds: the processes of a killed judge do not exit at once. */
static void remove_what_is_left(const struct run *run)
{
	for (int i = 0; i < 100; i++) {
		const bool folder = rmdir(run->dir) && errno != ENOENT;

		if (remove_groups(run) && !folder)
			break;
		usleep(20000);
	}
}

/* main() has blocked the signals. */
int keep(struct run *run, int (*judge)(struct run *run))
{
	const pid_t keeper = getpid();
	const pid_t child = fork();
	int status;

	if (child < 0)
		return wrong(run, "fork: %s", strerror(errno)), -1;
	if (child == 0) {
		/* If the keeper is killed, end as after SIGTERM, and remove everything here. */
		prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
		if (getppid() != keeper)
			raise(SIGTERM);
		status = judge(run);
		remove_what_is_left(run);
		exit(status);
	}
	status = wait_for(child);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	remove_what_is_left(run);
	return wrong(run, "the judge was ended by signal %d (%s)", WTERMSIG(status),
		     strsignal(WTERMSIG(status))), -1;
}
