// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Run a command while a process with many idle threads exists. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void *sleep_for_ever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* Write a byte when all threads exist. */
static void have_threads(int nr, int out)
{
	pthread_attr_t attr;
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	while (--nr > 0)
		if (pthread_create(&thread, &attr, sleep_for_ever, NULL))
			_exit(1);
	if (write(out, "", 1) == 1)
		sleep_for_ever(NULL);
	_exit(1);
}

/* Return @text with each "PID" replaced by @pid. */
static char *with_pid(const char *text, pid_t pid)
{
	char *out = calloc(1, strlen(text) * 4 + 16), *p = out;

	while (*text) {
		if (strncmp(text, "PID", 3)) {
			*p++ = *text++;
			continue;
		}
		p += sprintf(p, "%d", pid);
		text += 3;
	}
	return out;
}

int main(int argc, char **argv)
{
	int fds[2], status = 0;
	pid_t pid, command;
	char byte;

	if (argc < 3 || pipe(fds)) {
		fprintf(stderr, "usage: threads NUMBER COMMAND..., in which PID is the process\n");
		return 2;
	}
	pid = fork();
	if (!pid)
		have_threads(atoi(argv[1]), fds[1]);
	close(fds[1]);
	if (pid < 0 || read(fds[0], &byte, 1) != 1) {
		fprintf(stderr, "threads: cannot create %s threads here\n", argv[1]);
		return 1;
	}
	for (int i = 2; i < argc; i++)
		argv[i] = with_pid(argv[i], pid);
	command = fork();
	if (!command) {
		execv(argv[2], argv + 2);
		_exit(127);
	}
	waitpid(command, &status, 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return status ? 1 : 0;
}
