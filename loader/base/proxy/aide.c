// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Start an aide, wait for its answers, and kill it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/base/calls/processes.h"
#include "loader/base/calls/sockets.h"
#include "loader/base/proxy/aide.h"

#define DIE_MS 50	/* killed processes usually end within 1 ms */

/* Forget the aides that have ended. */
static void reap(struct aide *p)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < p->nr_stuck; i++) {
		siginfo_t info;

		memset(&info, 0, sizeof(info));
		if (!sys_waitid(p->sys, p->stuck[i], &info, WEXITED | WNOHANG | __WALL) &&
		    !info.si_pid)
			p->stuck[nr++] = p->stuck[i];
	}
	p->nr_stuck = nr;
}

void aide_kill(struct aide *p)
{
	if (!p->pid)
		return;
	sys_kill(p->sys, p->pid, SIGKILL);
	p->stuck[p->nr_stuck++] = p->pid;
	p->pid = 0;
	p->nr_killed++;
	sys_close_fd(p->sys, &p->fd);
	reap(p);
}

void aide_free(struct aide *p)
{
	aide_kill(p);
	for (int i = 0; i < DIE_MS && p->nr_stuck; i++) {
		reap(p);
		if (p->nr_stuck)
			sys_poll(p->sys, NULL, 0, 1);
	}
}

void aide_hurry(struct aide *p)
{
	if (p->pid)
		sys_set_nice(p->sys, p->pid, -20);
}

int aide_start(struct aide *p, void (*run)(int fd, pid_t parent, void *arg), void *arg)
{
	const pid_t self = getpid();
	int ends[2], ret;

	if (p->pid)
		return 0;
	reap(p);
	if (p->nr_stuck == AIDES_STUCK_MAX)
		return -EBUSY;
	ret = sys_socketpair(p->sys, ends);
	if (ret < 0)
		return ret;
	ret = sys_fork(p->sys, 0);
	if (!ret)
		run(ends[1], self, arg);
	sys_close(p->sys, ends[1]);
	if (ret < 0) {
		sys_close(p->sys, ends[0]);
		return ret;
	}
	p->pid = ret;
	p->fd = ends[0];
	p->no_cpu_ns = 0;
	if (p->patience->has_ended)
		aide_hurry(p);
	return 0;
}

/*
 * Return how long since the last call the aide was runnable but had no CPU, at most @max: on a busy
 * machine that is not the user's fault.
 *
 *	/proc/PID/schedstat	time on a CPU, time waiting for one, in ns
 */
static uint64_t refund(struct aide *p, uint64_t max)
{
	char path[40], text[80], *rest;
	uint64_t all, since;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", p->pid);
	if (!p->pid || sys_read_text(p->sys, AT_FDCWD, path, text, sizeof(text)) < 0)
		return 0;
	strtoull(text, &rest, 10);
	all = strtoull(rest, NULL, 10);
	since = all > p->no_cpu_ns ? all - p->no_cpu_ns : 0;
	p->no_cpu_ns = all;
	return time_less(since, max);
}

#define SHORT_NS 1000000ull	/* shorter waits are counted without reading schedstat */

uint64_t aide_time(struct aide *p, uint64_t from_ns, const struct aide_limit *limit)
{
	const uint64_t time = time_left(sys_monotonic_ns() - from_ns, limit->put_off_ns);

	return time > SHORT_NS && !p->patience->has_ended ? time - refund(p, time) : time;
}

/* Return true if the limit is reached. */
static bool is_over(struct aide *p, struct aide_limit *limit)
{
	uint64_t more;

	if (sys_monotonic_ns() < limit->until_ns)
		return false;
	if (p->patience->has_ended)
		return true;
	more = refund(p, time_left(AIDE_BUSY_NS, limit->put_off_ns));
	limit->put_off_ns += more;
	limit->until_ns += more;
	return sys_monotonic_ns() >= limit->until_ns;
}

int aide_wait(struct aide *p, struct aide_limit *limit)
{
	struct patience *patience = p->patience;
	struct pollfd fds[] = {
		{ .fd = p->fd, .events = POLLIN },
		{ .fd = patience->has_ended ? -1 : patience->signal_fd, .events = POLLIN },
	};

	while (!is_over(p, limit)) {
		const int ret = sys_poll(p->sys, fds, 2, sys_ms_until(limit->until_ns));

		if (ret < 0 && ret != -EINTR)
			return ret;
		if (ret > 0 && fds[0].revents)
			return 0;
		if (ret > 0 && fds[1].revents) {
			fds[1].fd = -1;
			patience_end(patience);
			aide_hurry(p);
			limit->until_ns = time_less(limit->until_ns, sys_monotonic_ns() +
						    time_left(PATIENCE_END_NS,
							      patience->waited_ns));
		}
	}
	return -ETIME;
}
