// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The fake kernel's child: it waits for a pipe, executes a command or not, and exits. Its siblings
 * are sessions that report through a pipe each, until the child has exited.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "test/fault/fake_kernel_parts.h"

#define CHILD 4242

enum { GO, SAID, SESSIONS };	/* the pipes, in the order in which they are created */

void fake_kernel_child(struct fake_kernel *k, const struct fake_child *child)
{
	k->child = *child;
}

const struct fake_child *fake_kernel_the_child(const struct fake_kernel *k)
{
	return &k->child;
}

void fake_kernel_sessions(struct fake_kernel *k, const char *messages)
{
	k->messages = messages;
}

long fake_clone(struct fake_kernel *k, const unsigned long arg[6])
{
	if (arg[0] != SIGCHLD && arg[1] != SIGCHLD)
		fake_violation(k, "call %u: nobody is notified when the child exits", k->nr_calls);
	if (k->child.state != FAKE_CHILD_NONE && k->messages)
		return CHILD + ++k->nr_sessions;
	if (k->child.state != FAKE_CHILD_NONE)
		fake_violation(k, "call %u: a second child", k->nr_calls);
	k->child.state = FAKE_CHILD_WAITS;
	return CHILD;
}

static void end(struct fake_kernel *k, int code, int status)
{
	k->child.state = FAKE_CHILD_ENDED;
	k->child.code = code;
	k->child.status = status;
	fake_kernel_signal(k, SIGCHLD);
}

long fake_pipe2(struct fake_kernel *k, const unsigned long arg[6])
{
	int *fds = (int *)arg[0];
	struct fake_fd *fd;

	if (!(arg[1] & O_CLOEXEC))
		fake_violation(k, "call %u: a pipe that the command would get", k->nr_calls);
	if (k->child.state == FAKE_CHILD_REAPED && !k->messages) {	/* the next one, of -r */
		k->child.state = FAKE_CHILD_NONE;
		k->nr_pipes = 0;
	}
	for (int i = 0; i < 2; i++) {
		fds[i] = fake_fd_new(k, SIM_PIPE, &fd);
		if (fds[i] < 0)
			return fds[i];
		fd->pos = k->nr_pipes;
		fd->writes = i;
	}
	k->nr_pipes++;
	return 0;
}

/*
 * The child's copies are not in the ledger: its state determines whether its end of a pipe is open.
 */
void fake_pipe_close(struct fake_kernel *k, const struct fake_fd *fd)
{
	if (fd->pos == GO && fd->writes && k->child.state == FAKE_CHILD_WAITS)
		end(k, CLD_EXITED, 0);
}

long fake_pipe_write(struct fake_kernel *k, const struct fake_fd *fd, size_t size)
{
	if (fd->pos != GO || !fd->writes)
		return -EBADF;
	if (k->child.state != FAKE_CHILD_WAITS)
		return -EPIPE;
	if (k->child.exec_error)
		end(k, CLD_EXITED, 127);
	else
		k->child.state = FAKE_CHILD_RUNS;
	return size;
}

static bool has_ended(const struct fake_kernel *k)
{
	return k->child.state == FAKE_CHILD_ENDED || k->child.state == FAKE_CHILD_REAPED;
}

/* An empty line when it is attached, the messages when the child has exited, and end of file. */
static long read_session(struct fake_kernel *k, struct fake_fd *fd, char *buf, size_t size)
{
	const char *text = fd->id ? k->messages + fd->id - 1 : "\n";

	if (fd->id && !has_ended(k))
		return -EAGAIN;
	size = strnlen(text, size);
	memcpy(buf, text, size);
	fd->id += size;
	return size;
}

bool fake_pipe_ready(const struct fake_kernel *k, const struct fake_fd *fd)
{
	return fd->pos >= SESSIONS && !fd->writes && (!fd->id || has_ended(k));
}

long fake_pipe_read(struct fake_kernel *k, struct fake_fd *fd, void *buf, size_t size)
{
	const int code = -k->child.exec_error;

	if (k->messages && fd->pos >= SESSIONS && !fd->writes)
		return read_session(k, fd, buf, size);
	if (fd->pos != SAID || fd->writes || size < sizeof(code))
		return -EBADF;
	if (k->child.state == FAKE_CHILD_WAITS) {
		fake_violation(k, "call %u: waits for a child that waits", k->nr_calls);
		return 0;
	}
	if (!code)
		return 0;
	memcpy(buf, &code, sizeof(code));
	return sizeof(code);
}

/* Time passes: a running command exits, unless it is one that stays. */
void fake_child_runs(struct fake_kernel *k)
{
	if (k->child.state == FAKE_CHILD_RUNS && !k->child.stays)
		end(k, k->child.code ? k->child.code : CLD_EXITED, k->child.status);
}

bool fake_child_ready(const struct fake_kernel *k, pid_t pid)
{
	return pid == CHILD && k->child.state == FAKE_CHILD_ENDED;
}

long fake_waitid(struct fake_kernel *k, const unsigned long arg[6])
{
	siginfo_t *info = (siginfo_t *)arg[2];

	if (arg[0] == P_PID && arg[1] > CHILD && arg[1] <= CHILD + k->nr_sessions)
		return 0;
	if (arg[0] != P_PID || arg[1] != CHILD || k->child.state == FAKE_CHILD_NONE ||
	    k->child.state == FAKE_CHILD_REAPED)
		return -ECHILD;
	if (k->child.state != FAKE_CHILD_ENDED && !(arg[3] & WNOHANG)) {
		fake_violation(k, "call %u: waits for a child that does not end", k->nr_calls);
		return -EINTR;
	}
	if (k->child.state != FAKE_CHILD_ENDED)
		return 0;
	info->si_pid = CHILD;
	info->si_code = k->child.code;
	info->si_status = k->child.status;
	k->child.state = FAKE_CHILD_REAPED;
	return 0;
}

void fake_kernel_key(struct fake_kernel *k)
{
	k->from_terminal = true;
	fake_kernel_signal(k, SIGINT);
	if (k->child.state == FAKE_CHILD_RUNS && !k->child.deaf)
		end(k, CLD_KILLED, SIGINT);
}

long fake_kill(struct fake_kernel *k, const unsigned long arg[6])
{
	if (arg[0] != CHILD || k->child.state == FAKE_CHILD_REAPED ||
	    k->child.state == FAKE_CHILD_NONE) {
		fake_violation(k, "call %u: a signal for %d, which is nobody", k->nr_calls,
			       (int)arg[0]);
		return -ESRCH;
	}
	k->child.signalled = arg[1];
	if (k->child.state == FAKE_CHILD_RUNS && (!k->child.deaf || arg[1] == SIGKILL))
		end(k, CLD_KILLED, arg[1]);
	return 0;
}
