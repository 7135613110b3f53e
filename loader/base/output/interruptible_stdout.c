// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A standard output whose writes can be interrupted while blocked, so that a session always ends.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader/base/output/interruptible_stdout.h"
#include "loader/core/sys/sys.h"

#define GRACE_NS 500000000ull

static int timeout_of(const struct stdout_watch *p)
{
	return p->end_ns ? sys_ms_until(p->end_ns) : -1;
}

/* Handle a signal or the end time. Return true to keep waiting for the reader. */
static bool end_session(struct stdout_watch *p, struct sys *sys, bool signalled)
{
	struct signalfd_siginfo info;

	if (!p->stop)	/* half a second has passed since the signal, or a second signal arrived */
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

static void erase_shown(struct stdout_watch *watch)
{
	watch->clear = NULL;
	sys_write(sys_linux(), watch->shown_fd, watch->erase, strlen(watch->erase));
}

void stdout_watch_show(struct stdout_watch *watch, int fd, const char *text, const char *erase)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	if (sys_poll(sys_linux(), &room, 1, 0) <= 0 || room.revents != POLLOUT)
		return;
	watch->clear = erase_shown;
	watch->erase = erase;
	watch->shown_fd = fd;
	sys_write(sys_linux(), fd, text, strlen(text));
}

/*
 * Return how many of @left bytes to write at once. A pipe that polls as writable accepts PIPE_BUF
 * bytes without blocking (pipe(7)); a regular file never blocks on a reader.
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
	struct sys *sys = sys_linux();	/* even a dry run really writes its output, untraced */
	size_t done = 0;

	if (p->is_terminal)
		stdout_watch_clear(p);
	while (!p->error && done < size) {
		ssize_t n = p->active ? wait_for_room(p, sys) : 0;

		if (!n)
			n = sys_write(sys, p->fd, buf + done, write_size(p, sys, size - done));
		if (n < 0) {
			p->error = -n;
			break;
		}
		done += n;
		if (p->active && !p->stop)	/* the reader is reading */
			p->end_ns = sys_monotonic_ns() + GRACE_NS;
	}
	errno = p->error;
	return p->error ? 0 : done;
}

FILE *interruptible_stdout(struct stdout_watch *watch)
{
	return fopencookie(watch, "w", (cookie_io_functions_t){ .write = write_some });
}
