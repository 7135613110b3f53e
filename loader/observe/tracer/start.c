// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Start a tracer, and the command that it traces:
 *
 *	pload, which the shell waits for	passes signals on, ends as the command does
 *	  |- the command			the child of pload, as it would be of the shell
 *	  `- the tracer				in a session of its own: no ^C and no ^Z reaches it
 */
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/session/child.h"
#include "loader/observe/tracer/tracer.h"

/* The pipes between the three. All are closed by execve(2). */
struct pipes {
	int pid[2];	/* to the tracer: the pid of the command */
	int go[2];	/* to the command: it is traced, and may start */
	int exec[2];	/* to the tracer: the error of installing the filter, then of execve(2) */
	int done[2];	/* to pload: a byte when the command has begun, and one when it has ended;
			 * the end: all is printed */
};

static const int passed_on[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM,
				 SIGCONT };

/* Signal handlers take no argument, so this is global: the process that gets the signals. */
static volatile pid_t receiver;
static volatile bool in_our_group;

/*
 * The command is in the same process group, so it gets the terminal's signals (SI_KERNEL) anyway.
 */
static void pass_on(int signo, siginfo_t *info, void *context)
{
	const int saved = errno;

	(void)context;
	if ((info->si_code != SI_KERNEL || !in_our_group) && receiver > 0)
		kill(receiver, signo);
	errno = saved;
}

static void handle(const int *signals, size_t nr, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART };

	for (size_t i = 0; i < nr; i++)
		sigaction(signals[i], &action, NULL);
}

static void end_as(int status)
{
	const struct rlimit none = { 0, 0 };
	sigset_t set;

	if (!WIFSIGNALED(status))
		_exit(WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &none);	/* if there is a core, it is the command's */
	signal(WTERMSIG(status), SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, WTERMSIG(status));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(WTERMSIG(status));
	_exit(128 + WTERMSIG(status));
}

/*
 * Wait for the command. When it stops, stop as well, so that a shell with job control takes over.
 */
static int wait_for_command(pid_t command)
{
	int status;

	for (;;) {
		const pid_t got = waitpid(command, &status, WUNTRACED);

		if (got < 0 && errno != EINTR)
			return -1;
		if (got == command && !WIFSTOPPED(status))
			return status;
		if (got == command) {
			raise(SIGSTOP);
			kill(command, SIGCONT);
		}
	}
}

/*
 * Wait until the command has ended and the tracer has printed everything. @command: 0: there is
 * none.
 */
static void be_front(struct pipes *p, pid_t tracer, pid_t command)
{
	int status = 0, of_tracer = 0;
	unsigned int bytes = 0;
	ssize_t n;

	receiver = command ? command : tracer;
	in_our_group = command != 0;
	handle(passed_on, sizeof(passed_on) / sizeof(passed_on[0]), pass_on);
	signal(SIGTSTP, command ? SIG_IGN : SIG_DFL);
	if (command)
		status = wait_for_command(command);
	for (char c; (n = read(p->done[0], &c, 1)) > 0 || (n < 0 && errno == EINTR);)
		bytes += n > 0;
	if (bytes && command) {
		if (bytes == 1 && waitpid(tracer, &of_tracer, 0) == tracer &&
		    WIFSIGNALED(of_tracer))
			dprintf(STDERR_FILENO, "pload: the tracer was killed by signal %d: the "
				"calls after that are not known, and bpf(2) and "
				"perf_event_open(2) failed with ENOSYS\n", WTERMSIG(of_tracer));
		end_as(status);
	}
	waitpid(tracer, &of_tracer, 0);
	end_as(of_tracer);
}

static void be_command(struct pipes *p, pid_t tracer, char *const *argv)
{
	bool no_privileges;
	int ret;

	close(p->go[1]);
	close(p->done[1]);
	prctl(PR_SET_PTRACER, tracer, 0, 0, 0);	/* Yama: it is not our ancestor */
	ret = filter_install(&no_privileges);
	ret = ret ? ret : no_privileges;
	if (write(p->exec[1], &ret, sizeof(ret)) != sizeof(ret) || ret < 0)
		_exit(1);
	child_become(sys_linux(), argv, p->go[0], p->exec[1]);
	_exit(1);
}

static bool open_pipes(struct pipes *p)
{
	return !pipe2(p->pid, O_CLOEXEC) && !pipe2(p->go, O_CLOEXEC) &&
	       !pipe2(p->exec, O_CLOEXEC) && !pipe2(p->done, O_CLOEXEC);
}

/* No signal sent to the process group of the command may end or stop the tracer. */
static void become_tracer(struct tracer *t, struct pipes *p)
{
	static const int ignored[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU,
				       SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM };

	setsid();
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	close(p->done[0]);
	t->done_fd = p->done[1];
	t->status = -1;
}

/* Explain why PTRACE_SEIZE failed. */
static int seize_failed(pid_t pid, int code, struct error *err)
{
	const long tracer = proc_number(pid, "TracerPid:");
	char scope = '0';
	int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, &scope, 1) != 1)
		scope = '0';
	if (fd >= 0)
		close(fd);
	error_set(err, code, "process %d: ptrace: %s", pid, error_strerror(code));
	if (code == ESRCH) {
		error_reason(err, "watch/no-process");
		return error_hint(err, "no process has this number");
	}
	error_reason(err, "watch/denied");
	if (tracer > 0) {
		error_reason(err, "watch/traced");
		error_hint(err, "process %ld traces it already, as strace or a debugger does: a "
				"task has one tracer", tracer);
	} else if (scope > '1') {
		error_hint(err, "/proc/sys/kernel/yama/ptrace_scope is %c: %s", scope, scope > '2' ?
			   "nobody can trace" : "this requires CAP_SYS_PTRACE");
	} else if (proc_number(pid, "Kthread:") == 1) {
		error_hint(err, "it is a thread of the kernel");
	} else {
		error_hint(err, "tracing another user's process, or one with more "
				"capabilities, requires CAP_SYS_PTRACE; the seccomp filter of a "
				"container can forbid it, too");
	}
	return -code;
}

static int no_process(struct error *err)
{
	error_set(err, errno, "no process or pipe for the tracer: %s", error_strerror(errno));
	return error_reason(err, "command/no-child");
}

/* Trace the command, let it start, and wait until it has called execve(2). */
static int begin(struct tracer *t, struct pipes *p, char *const *argv, int *exit_code,
		 struct error *err)
{
	int code = 0;

	close(p->go[0]);
	close(p->exec[1]);
	close(p->pid[1]);
	if (read(p->pid[0], &t->first, sizeof(t->first)) != sizeof(t->first) || t->first <= 0 ||
	    read(p->exec[0], &code, sizeof(code)) != sizeof(code)) {
		errno = EAGAIN;
		return no_process(err);
	}
	if (code < 0) {
		error_set(err, -code, "seccomp: %s", error_strerror(-code));
		error_reason(err, "watch/denied");
		return error_hint(err, "a filter of seccomp(2) stops the command at its calls: a "
				       "container may forbid one, and pload has none for this "
				       "architecture if the error is ENOSYS");
	}
	t->no_privileges = code == 1;
	t->by_filter = true;
	if (tracer_seize(t, t->first, err) < 0)
		return seize_failed(t->first, err ? -err->code : EPERM, err);
	if (write(p->go[1], "g", 1) != 1)
		return no_process(err);
	close(p->go[1]);
	while (!t->executed && t->status < 0 && tracer_step(t))
		;
	if (!t->executed && read(p->exec[0], &code, sizeof(code)) == sizeof(code) && code < 0)
		return child_exec_failed(sys_linux(), argv[0], -code, exit_code, err);
	close(p->exec[0]);
	return 0;
}

int tracer_start(struct tracer *t, char *const *argv, int *exit_code, struct error *err)
{
	struct pipes p;
	pid_t tracer, command;

	fflush(NULL);
	if (!open_pipes(&p) || (tracer = fork()) < 0)
		return no_process(err);
	if (!tracer) {
		become_tracer(t, &p);
		return begin(t, &p, argv, exit_code, err);
	}
	command = fork();
	if (!command)
		be_command(&p, tracer, argv);
	if (write(p.pid[1], &command, sizeof(command)) != sizeof(command))
		_exit(1);
	for (int *end = (int[]){ p.pid[0], p.pid[1], p.go[0], p.go[1], p.exec[0], p.exec[1],
				 p.done[1], -1 }; *end >= 0; end++)
		close(*end);
	be_front(&p, tracer, command > 0 ? command : 0);
	return 0;
}

/* --- a process that runs already --- */

static struct tracer *attached;

/* On ^C, which pload passes on, interrupt a task, so that waitpid(2) returns. */
static void detach(int signo, siginfo_t *info, void *context)
{
	const int saved = errno;

	(void)signo;
	(void)info;
	(void)context;
	attached->detaching = true;
	if (attached->nr_tasks)
		ptrace(PTRACE_INTERRUPT, attached->tasks[0].pid, 0, 0);
	errno = saved;
}

/* Read the directory again to find threads that were created meanwhile. */
static int seize_threads(struct tracer *t, pid_t pid, struct error *err)
{
	unsigned int before;
	struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	do {
		before = t->nr_tasks;
		dir = opendir(path);
		while (dir && (entry = readdir(dir))) {
			const pid_t tid = atoi(entry->d_name);
			bool known = tid <= 0;

			for (unsigned int i = 0; i < t->nr_tasks; i++)
				known |= t->tasks[i].pid == tid;
			if (!known && !tracer_seize(t, tid, err))
				ptrace(PTRACE_INTERRUPT, tid, 0, 0);
		}
		if (dir)
			closedir(dir);
	} while (t->nr_tasks > before);
	return 0;
}

int tracer_attach(struct tracer *t, pid_t pid, struct error *err)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct pipes p;
	pid_t tracer;

	fflush(NULL);
	if (!open_pipes(&p) || (tracer = fork()) < 0)
		return no_process(err);
	if (tracer) {
		close(p.done[1]);
		be_front(&p, tracer, 0);
	}
	become_tracer(t, &p);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	attached = t;
	handle(ends, sizeof(ends) / sizeof(ends[0]), detach);
	t->first = pid;
	if (tracer_seize(t, pid, err) < 0)
		return seize_failed(pid, -err->code, err);
	ptrace(PTRACE_INTERRUPT, pid, 0, 0);
	t->executed = true;
	seize_threads(t, pid, err);
	return 0;
}
