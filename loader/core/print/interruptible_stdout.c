// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A standard output whose blocked writes can be interrupted, so that a session always ends. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader/core/print/interruptible_stdout.h"
#include "loader/core/sys/sys.h"

#define GRACE_NS 500000000ull

#define SIGNAL(signo) (UINT64_C(1) << ((signo) - 1))

/* Signals that stop or continue a process, or that are ignored, unless it has a handler. */
#define HARMLESS (SIGNAL(SIGCHLD) | SIGNAL(SIGCONT) | SIGNAL(SIGSTOP) | SIGNAL(SIGTSTP) | \
		  SIGNAL(SIGTTIN) | SIGNAL(SIGTTOU) | SIGNAL(SIGURG) | SIGNAL(SIGWINCH))

/* The kernel sends them for faults of the process, blocked or not; sanitizers handle them. */
#define FAULTS (SIGNAL(SIGILL) | SIGNAL(SIGTRAP) | SIGNAL(SIGBUS) | SIGNAL(SIGFPE) | \
		SIGNAL(SIGSEGV) | SIGNAL(SIGSYS))

/* write(2) sends them and returns EPIPE or EFBIG as well. */
#define OF_WRITES (SIGNAL(SIGPIPE) | SIGNAL(SIGXFSZ))

int signals_block(struct sys *sys, uint64_t *before, struct error *err)
{
	int ret = sys_sigprocmask(sys, SIG_BLOCK, ~(HARMLESS | FAULTS), before);

	if (ret < 0) {
		error_set(err, -ret, "%s", error_strerror(-ret));
		error_reason(err, "pload/signals");
		error_where(err, "blocking signals");
	}
	return ret;
}

int stop_signals_open(struct sys *sys, struct error *err)
{
	int ret = signals_block(sys, NULL, err);

	if (ret < 0)
		return ret;
	ret = sys_signalfd(sys, ~(HARMLESS | FAULTS | OF_WRITES), SFD_CLOEXEC);
	if (ret < 0) {
		error_set(err, -ret, "%s", error_strerror(-ret));
		error_reason(err, "pload/signals");
		return error_where(err, "waiting for signals");
	}
	return ret;
}

bool stop_signal_came(struct sys *sys, int signal_fd)
{
	struct pollfd fd = { .fd = signal_fd, .events = POLLIN };

	return sys_poll(sys, &fd, 1, 0) > 0 && fd.revents & POLLIN;
}

static int timeout_of(const struct stdout_watch *p)
{
	return p->end_ns ? sys_ms_until(p->end_ns) : -1;
}

/* Handle a signal or the end time. Return true if waiting for the reader can continue. */
static bool end_session(struct stdout_watch *p, struct sys *sys, bool signalled)
{
	struct signalfd_siginfo info;

	if (!p->stop)	/* the half second after a signal is over, or a second signal came */
		return false;
	if (signalled)
		sys_read(sys, p->signal_fd, &info, sizeof(info));
	p->stop(p->arg);
	p->end_ns = signalled ? sys_monotonic_ns() + GRACE_NS : 0;
	if (signalled)
		p->stop = NULL;
	return true;
}

/* Wait until the descriptor is writable. Return 0 or -errno. */
static int wait_for_room(struct stdout_watch *p, struct sys *sys)
{
	for (;;) {
		struct pollfd fds[] = { { .fd = p->fd, .events = POLLOUT },
					{ .fd = p->signal_fd, .events = POLLIN } };
		int ret = sys_poll(sys, fds, 2, timeout_of(p));

		if (ret < 0 && ret != -EINTR)
			return ret;
		if (ret > 0 && fds[0].revents)
			return 0;
		if (ret >= 0 && !end_session(p, sys, fds[1].revents))
			return -EINTR;
	}
}

void stdout_watch_show(struct stdout_watch *watch, int fd, const char *text, const char *erase)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	if (sys_poll(sys_linux(), &room, 1, 0) <= 0 || room.revents != POLLOUT)
		return;
	watch->erase = erase;
	watch->shown_fd = fd;
	sys_write(sys_linux(), fd, text, strlen(text));
}

void stdout_watch_erase(struct stdout_watch *watch)
{
	if (!watch || !watch->erase)
		return;
	sys_write(sys_linux(), watch->shown_fd, watch->erase, strlen(watch->erase));
	watch->erase = NULL;
}

/*
 * Return how many of @left bytes to write at once. A pipe that polls as writable takes PIPE_BUF
 * bytes without blocking (pipe(7)); a regular file has no reader to wait for.
 */
static size_t write_size(struct stdout_watch *p, struct sys *sys, size_t left)
{
	struct stat st;

	if (!p->active || left <= PIPE_BUF)
		return left;
	if (!p->most)
		p->most = sys_fstat(sys, p->fd, &st) >= 0 && S_ISREG(st.st_mode) ? SIZE_MAX :
										   PIPE_BUF;
	return left < p->most ? left : p->most;
}

/* See fopencookie(3): return the number of bytes written, or 0 with errno set. */
static ssize_t write_some(void *cookie, const char *buf, size_t size)
{
	struct stdout_watch *p = cookie;
	struct sys *sys = sys_linux();	/* output is real in a dry run too, and not traced */
	size_t done = 0;

	if (p->is_terminal)
		stdout_watch_erase(p);
	while (!p->error && done < size) {
		ssize_t n = p->active ? wait_for_room(p, sys) : 0;

		if (!n)
			n = sys_write(sys, p->fd, buf + done, write_size(p, sys, size - done));
		if (n < 0) {
			p->error = -n;
			break;
		}
		done += n;
		if (p->active && !p->stop)	/* the reader does read */
			p->end_ns = sys_monotonic_ns() + GRACE_NS;
	}
	errno = p->error;
	return p->error ? 0 : done;
}

void stdout_watch_begin(struct stdout_watch *watch, int signal_fd, void (*stop)(void *arg),
			void *arg)
{
	if (watch)
		*watch = (struct stdout_watch){
			.fd = watch->fd, .error = watch->error, .active = true,
			.signal_fd = signal_fd, .stop = stop, .arg = arg,
		};
}

FILE *interruptible_stdout(struct stdout_watch *watch)
{
	return fopencookie(watch, "w", (cookie_io_functions_t){ .write = write_some });
}
