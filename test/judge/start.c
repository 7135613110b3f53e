// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Start a loader as the child of an init in new namespaces. Both are traced from the beginning. The
 * init exits after the last process of the loader, traced or not. When the init ends, the kernel
 * kills all processes of the loader; when the judge ends, it kills the init (PTRACE_O_EXITKILL).
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/sched.h>

#include "test/judge/watch.h"

#define OPTIONS (PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | \
		 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | \
		 PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)

static void become_loader(const struct run *run)
{
	char cookie[32];
	const char *args[64];
	sigset_t none;
	int n = 0;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* A shell without job control starts background commands with some signals ignored. */
	for (const int *sig = (int[]){ SIGPIPE, SIGINT, SIGQUIT, SIGTERM, SIGHUP, 0 }; *sig; sig++)
		signal(*sig, SIG_DFL);
	setsid();
	for (char **arg = run->command; *arg && n < 58; arg++)
		args[n++] = *arg;
	snprintf(cookie, sizeof(cookie), "%llu", (unsigned long long)run->cookie);
	args[n++] = run->path;
	args[n++] = run->failing && run->failing->method ? run->failing->method : run->stage->method;
	args[n++] = cookie;
	if (run->stage->pin)
		args[n++] = run->pin;
	args[n] = NULL;
	execvp(args[0], (char *const *)args);
	fprintf(stderr, "judge: %s: %s%s%s\n", args[0], strerror(errno),
		!strchr(args[0], '/') && access(args[0], F_OK) == 0 ? "; here it is ./" : "",
		!strchr(args[0], '/') && access(args[0], F_OK) == 0 ? args[0] : "");
	_exit(127);
}

/* Only the loader may hold its pipes. (close_range(2) is of Linux 5.9; the judge has few files.) */
static void close_from(int first)
{
	for (int fd = first; fd < 256; fd++)
		close(fd);
}

/*
 * The init of the namespaces. It is as confined as the loader, because the loader can control it.
 * @fds: standard input, output and error of the loader; @judge: a socket to the judge.
 */
static void be_init(const struct run *run, const int fds[3], int judge)
{
	int error;
	char go;

	for (int i = 0; i < 3; i++)
		dup2(fds[i], i);
	dup2(judge, 3);
	close_from(4);
	error = confine() && judge_filter_install(run->failing, !strcmp(run->stage->method, "pmu")) ? 0 : errno;
	if (write(3, &error, sizeof(error)) != sizeof(error) || error || read(3, &go, 1) != 1)
		_exit(0);
	close(3);
	if (fork() == 0)
		become_loader(run);
	close_from(0);
	while (wait(NULL) > 0)
		;
	_exit(0);
}

/* Wait until the init is ready, and trace it and everything that it starts. */
static bool trace(struct watch *watch, int init)
{
	int error;

	if (read(init, &error, sizeof(error)) != sizeof(error))
		error = ECHILD;
	if (error)
		return wrong(watch->run, "the loader cannot be confined to namespaces of its own: %s",
			     strerror(error));
	if (ptrace(PTRACE_SEIZE, watch->init, 0, OPTIONS) < 0)
		return wrong(watch->run, "ptrace: %s: the judge watches system calls and cannot run "
			     "under a debugger or strace itself", strerror(errno));
	task_of(watch, watch->init);
	limit_memory_and_processes(watch->run, watch->init);
	return write(init, "", 1) == 1;
}

bool start_loader(struct watch *watch, struct pipes *pipes)
{
	struct clone_args args = { .flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS,
				   .exit_signal = SIGCHLD };
	int in[2], out[2], err[2], sockets[2];
	sigset_t signals;
	bool traced;

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return wrong(watch->run, "pipe: %s", strerror(errno));
	/* main() has blocked the signals that would end the judge: read them, too. */
	sigprocmask(SIG_BLOCK, NULL, &signals);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	watch->init = syscall(__NR_clone3, &args, sizeof(args));
	if (watch->init < 0)
		return wrong(watch->run, "a process in new namespaces cannot be started: %s",
			     strerror(errno));
	if (watch->init == 0)
		be_init(watch->run, (const int[]){ in[0], out[1], err[1] }, sockets[1]);
	for (const int *fd = (int[]){ in[0], out[1], err[1], sockets[1], -1 }; *fd >= 0; fd++)
		close(*fd);
	*pipes = (struct pipes){ in[1], out[0], err[0],
				 signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK) };
	traced = trace(watch, sockets[0]);
	close(sockets[0]);
	if (!traced)
		kill(watch->init, SIGKILL);
	return traced;
}
