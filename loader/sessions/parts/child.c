// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The command after "--": a child that waits until everything is attached. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "loader/core/print/output.h"
#include "loader/core/session/part.h"
#include "loader/base/text/names.h"
#include "loader/core/value/value.h"
#include "loader/core/session/session.h"
#include "loader/base/calls/processes.h"
#include "loader/base/text/names.h"

/* The default of PATH: confstr(3), _CS_PATH. */
#define DEFAULT_PATH "/bin:/usr/bin"

/*
 * Try execve(2) in each directory of PATH, as execvp(3) does. Return: -EACCES if the command exists
 * in one of them but may not be executed, otherwise -ENOENT; any other error immediately.
 */
static int exec_in_path(struct sys *sys, char *const *argv)
{
	const char *path = getenv("PATH"), *end;
	char file[PATH_MAX];
	int ret, code = -ENOENT;

	for (path = path ? path : DEFAULT_PATH;; path = end + 1) {
		end = strchrnul(path, ':');
		/* An empty directory in PATH is the current one. */
		if (snprintf(file, sizeof(file), "%.*s%s%s", (int)(end - path), path,
			     end > path ? "/" : "", argv[0]) >= (int)sizeof(file))
			ret = -ENAMETOOLONG;
		else
			ret = sys_execve(sys, file, argv, environ);
		if (ret != -ENOENT && ret != -ENOTDIR && ret != -EACCES && ret != -ENAMETOOLONG)
			return ret;
		if (ret == -EACCES || code == -ENOENT)
			code = ret;
		if (!*end)
			return code == -EACCES ? code : -ENOENT;
	}
}

void child_become(struct sys *sys, char *const *argv, int go_fd, int exec_fd)
{
	char go;
	int code;

	/* End of file: the loader failed or was killed. */
	if (sys_read(sys, go_fd, &go, sizeof(go)) != sizeof(go)) {
		sys_exit_group(sys, 0);
		return;
	}
	code = strchr(argv[0], '/') ? sys_execve(sys, argv[0], argv, environ) :
				      exec_in_path(sys, argv);
	sys_write(sys, exec_fd, &code, sizeof(code));
	sys_exit_group(sys, EXIT_NOT_FOUND);
}

static int no_child(struct error *err, int code, const char *what)
{
	error_set(err, code, "%s: %s", what, error_strerror(code));
	error_reason(err, "command/no-child");
	if (code == EAGAIN || code == EMFILE || code == ENFILE || code == ENOMEM)
		error_hint(err, "ulimit -n and -u limit descriptors and processes");
	return -code;
}

/* Before Linux 5.3 there is no pidfd: use SIGCHLD, which is also sent when the child stops. */
static int watch(struct sys *sys, struct child *child, struct error *err)
{
	const uint64_t set = 1ull << (SIGCHLD - 1);
	int fd = sys_pidfd_open(sys, child->pid, 0);

	if (fd == -ENOSYS) {
		fd = sys_sigprocmask(sys, SIG_BLOCK, set, NULL);
		if (fd >= 0)
			fd = sys_signalfd(sys, set, SFD_CLOEXEC | SFD_NONBLOCK);
	}
	if (fd < 0)
		return no_child(err, -fd, "waiting for it to end");
	child->end_fd = fd;
	return 0;
}

int child_begin(struct sys *sys, struct output *out, struct child *child, char *const *argv,
		struct error *err)
{
	int go[2], exec_pipe[2], ret;

	*child = CHILD_NONE;
	child->out = out;
	child->argv = argv;
	ret = sys_pipe(sys, go);
	if (ret >= 0) {
		ret = sys_pipe(sys, exec_pipe);
		if (ret < 0) {
			sys_close(sys, go[0]);
			sys_close(sys, go[1]);
		}
	}
	if (ret < 0) {
		no_child(err, -ret, "pipe2");
		return error_where(err, "command '%s'", argv[0]);
	}
	child->pid = sys_fork(sys, SIGCHLD);
	if (child->pid == 0) {
		sys_close(sys, go[1]);
		if (out->owns_stdout)
			sys_dup3(sys, STDERR_FILENO, STDOUT_FILENO, 0);
		child_become(sys, argv, go[0], exec_pipe[1]);
	}
	sys_close(sys, go[0]);
	sys_close(sys, exec_pipe[1]);
	child->go_fd = go[1];
	child->exec_fd = exec_pipe[0];
	if (child->pid < 0) {
		ret = no_child(err, -child->pid, "clone");
		child->pid = 0;
	} else {
		ret = watch(sys, child, err);
	}
	if (ret < 0) {
		child_end(sys, child, 0, -1);
		error_where(err, "command '%s'", argv[0]);
	}
	return ret;
}

int child_exec_failed(struct sys *sys, const char *name, int code, int *exit_code,
		      struct error *err)
{
	int fd;

	error_set(err, code, "execve: %s", error_strerror(code));
	*exit_code = code == ENOENT || code == ENOTDIR ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
	error_reason(err, *exit_code == EXIT_NOT_FOUND ? "command/not-found" :
							       "command/cannot-run");
	if (code == ENOEXEC)
		error_hint(err, "it is not ELF and does not start with #!: -- sh %s", name);
	else if (code == EACCES)
		error_hint(err, "the file is not executable: check its mode (ls -l), and whether "
				"its file system is mounted noexec");
	else if (code != ENOENT)
		error_hint(err, "see the list of errors in execve(2)");
	else if (!strchr(name, '/'))
		error_hint(err, "it is not in PATH: use its path, as in -- ./%s",
			   name);
	else
		error_hint(err, "no such file");
	fd = code == ENOENT && strchr(name, '/') ?
		     sys_openat(sys, AT_FDCWD, name, O_RDONLY | O_CLOEXEC) : -1;
	if (fd >= 0)
		error_hint(err, "the file exists, but the interpreter in its #! line or ELF "
				"header does not");
	sys_close_fd(sys, &fd);
	return error_where(err, "command '%s'", name);
}

int child_start(struct sys *sys, struct child *child, struct error *err)
{
	const char go = 'g';
	ssize_t n = sys_write(sys, child->go_fd, &go, sizeof(go));
	int code = 0;

	child->runs = n > 0;
	if (n > 0) {
		do {
			n = sys_read(sys, child->exec_fd, &code, sizeof(code));
		} while (n == -EINTR);
	}
	if (n < 0) {
		no_child(err, -n, "starting it");
		return error_where(err, "command '%s'", child->argv[0]);
	}
	sys_close_fd(sys, &child->go_fd);
	sys_close_fd(sys, &child->exec_fd);
	if (n == sizeof(code) && code < 0) {
		child->runs = false;
		return child_exec_failed(sys, child->argv[0], -code, &child->exit_code, err);
	}
	child->started = true;
	return 0;
}

int child_reap(struct sys *sys, struct child *child)
{
	struct signalfd_siginfo signal;
	siginfo_t info;
	int ret;

	memset(&info, 0, sizeof(info));
	ret = sys_waitid(sys, child->pid, &info, WEXITED | WNOHANG);
	if (ret >= 0 && !info.si_pid) {
		sys_read(sys, child->end_fd, &signal, sizeof(signal));	/* the child was stopped */
		return 0;
	}
	child->ended = true;
	if (ret < 0) {
		/* ECHILD: SIGCHLD was ignored when we started, so the kernel keeps no status. */
		note(child->out, "command '%s' ended with an unknown status: waitid: %s",
		     child->argv[0], error_strerror(-ret));
		child->exit_code = EXIT_NOT_KNOWN;
		return 1;
	}
	if (info.si_code != CLD_EXITED)
		child->signo = info.si_status;
	else if (child->started)
		child->exit_code = info.si_status;
	return 1;
}

/* Wait for it to end. A signal in the meantime, such as a second ^C, kills it. */
static void wait_for(struct sys *sys, struct child *child, int signal_fd)
{
	struct signalfd_siginfo signal;

	while (!child->ended) {
		struct pollfd fds[] = { { .fd = child->end_fd, .events = POLLIN },
					{ .fd = signal_fd, .events = POLLIN } };
		int ret = sys_poll(sys, fds, 2, -1);

		if (ret < 0 && ret != -EINTR)
			return;
		if (ret > 0 && fds[0].revents && child_reap(sys, child))
			return;
		if (ret > 0 && fds[1].revents) {
			sys_read(sys, signal_fd, &signal, sizeof(signal));
			sys_kill(sys, child->pid, SIGKILL);
		}
	}
}

/* Wait without polling: it has not executed the command, and exits immediately. */
static void wait_blocking(struct sys *sys, struct child *child)
{
	siginfo_t info;
	int ret;

	do {
		ret = sys_waitid(sys, child->pid, &info, WEXITED);
	} while (ret == -EINTR);
	child->ended = true;
}

void child_end(struct sys *sys, struct child *child, int signo, int signal_fd)
{
	sys_close_fd(sys, &child->go_fd);
	sys_close_fd(sys, &child->exec_fd);
	if (child->pid && !child->ended && child->runs) {
		if (signo && sys_kill(sys, child->pid, signo) >= 0)
			note(child->out, "waiting for command '%s' after sending it %s; ^C kills "
					 "it",
			     child->argv[0], sys_signal_name(signo));
		wait_for(sys, child, signal_fd);
	} else if (child->pid && !child->ended) {
		wait_blocking(sys, child);
	}
	sys_close_fd(sys, &child->end_fd);
}

static int begin_child(struct session *s, struct error *err)
{
	char *const *argv = s->options->child;

	return argv ? child_begin(s->sys, s->out, &s->child, argv, err) : 0;
}

static int child_fd(const struct session *s)
{
	return s->child.end_fd;
}

static int read_child(struct session *s, bool ready, struct error *err)
{
	(void)err;
	if (ready && child_reap(s->sys, &s->child))
		s->ended = true;
	return 0;
}

static int start_child(struct session *s, struct error *err)
{
	if (s->child.pid && session_waits(s))
		return child_start(s->sys, &s->child, err);
	if (s->child.pid)
		note(s->out, "with -d 0, the command is not run");
	return 0;
}

static void finish_child(struct session *s)
{
	child_end(s->sys, &s->child, s->from_terminal ? 0 : SIGTERM, s->signal_fd);
}

/* The exit status of the command after "--". */
static struct json_object *command(const struct session *s)
{
	struct json_object *c = json_object_new_object();
	const struct child *child = &s->child;
	const char *name = sys_signal_name(child->signo);

	value_add_string(c, "name", child->argv[0]);
	value_add_int(c, "pid", child->pid);
	if (!child->signo)
		value_add_int(c, "exit_code", child->exit_code);
	else if (name)
		value_add_string(c, "signal", name);
	else
		value_add_int(c, "signal", child->signo);
	return c;
}

static void add_command(struct session *s, struct json_object *msg)
{
	if (s->child.started)
		value_add(msg, "command", command(s));
}

const struct session_part part_child = {
	.summary = add_command,
	.at = { [STAGE_SCOPE] = begin_child, [STAGE_READY] = start_child },
	.fd = child_fd, .read = read_child, .finish = finish_child,
};
