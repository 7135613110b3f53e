// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Wait for the end of a session: a signal, the time of -d, or the end of the watched tasks. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

#include "loader/event/scope.h"
#include "loader/output/interruptible_stdout.h"
#include "loader/session/session.h"

/* epoll_wait(2) takes an int of milliseconds: wait an hour at most. */
#define LONG_MS 3600000
#define LONG_NS 3600000000000ull

uint64_t session_end_ns(const struct session *s)
{
	return s->options->seconds >= 0 ? s->begin_ns + (uint64_t)(s->options->seconds * 1e9) : 0;
}

/*
 * Watch one task after the other: when the last one has ended, all have. This takes a pidfd (Linux
 * 5.3, for a thread 6.9).
 */
static void watch_next(struct session *s)
{
	const bool threads = s->scope.tasks == TASK_SCOPE_THREADS;

	while (s->watched[0]) {
		const pid_t id = event_tasks_next(&s->watched);
		int fd = sys_pidfd_open(s->sys, id, threads ? PIDFD_THREAD : 0);

		if (fd >= 0) {
			s->end_fd = fd;
			return;
		}
		if (fd == -ESRCH)	/* ended already */
			continue;
		note(s->out,
		     "this kernel has no pidfd to watch %s %d: the session ends by ^C or -d",
		     threads ? "thread" : "process", id);
		s->watched = "";
		return;
	}
	s->ended = true;
}

void session_watch(struct session *s)
{
	const struct event_scope_options *asked = &s->options->scope;

	s->watched = s->scope.tasks == TASK_SCOPE_PROCESSES ? asked->processes :
		     s->scope.tasks == TASK_SCOPE_THREADS   ? asked->threads :
							NULL;
	if (s->watched)
		watch_next(s);
}

/* Milliseconds until -d is over, rounded up so that the last wait is not a busy one. */
static int timeout_of(const struct session *s)
{
	const uint64_t end = session_end_ns(s), now = end ? sys_monotonic_ns() : 0;

	if (s->options->dry_run || (end && now >= end))
		return 0;
	if (!end)
		return -1;
	return end - now > LONG_NS ? LONG_MS : (end - now + 999999) / 1000000;
}

/*
 * The terminal sends its signals to the foreground process group, which includes the command.
 * Others of the kernel, such as SIGALRM, are for this process alone.
 */
static bool is_of_terminal(const struct signalfd_siginfo *info)
{
	return info->ssi_code == SI_KERNEL &&
	       (info->ssi_signo == SIGINT || info->ssi_signo == SIGQUIT ||
		info->ssi_signo == SIGHUP);
}

static int take_signal(struct session *s, struct error *err)
{
	struct signalfd_siginfo info;
	ssize_t ret;

	s->ended = s->interrupted = true;
	if (!s->child.pid)
		return 0;
	memset(&info, 0, sizeof(info));
	ret = sys_read(s->sys, s->signal_fd, &info, sizeof(info));
	s->from_terminal = is_of_terminal(&info);
	if (ret >= 0)
		return 0;
	error_set(err, -ret, "%s", error_strerror(-ret));
	error_reason(err, "pload/signals");
	error_hint(err, "run it again");
	return error_where(err, "reading a signal");
}

int session_check_end(struct session *s, struct error *err)
{
	const uint64_t end = session_end_ns(s);

	if (s->options->dry_run)
		return 0;
	if (end && sys_monotonic_ns() >= end)
		s->ended = true;
	if (s->ended || s->signal_fd < 0)
		return 0;
	return stop_signal_came(s->sys, s->signal_fd) ? take_signal(s, err) : 0;
}

/* Return the shorter of two timeouts, of which -1 is none. */
static int sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* The descriptors that a session waits for besides those of rings. */
enum { ON_SIGNAL, ON_END, ON_CHILD, ON_HOTPLUG, ON_STACKS, ON_PRINTS, NR_ON };

static int watch_all(struct session *s, struct error *err)
{
	const int fds[NR_ON] = {
		[ON_SIGNAL] = s->signal_fd,
		[ON_END] = s->end_fd,
		[ON_CHILD] = s->child.end_fd,
		[ON_HOTPLUG] = session_hotplug_fd(s),
		[ON_STACKS] = session_stacks_fd(s),
		[ON_PRINTS] = session_prints_fd(s),
	};
	int ret = 0;

	for (unsigned int i = 0; !ret && i < NR_ON; i++)
		ret = rings_watch(s->rings, fds[i], i, err);
	return ret;
}

static int wait_once(struct session *s, struct error *err)
{
	int timeout, ready, ret;

	session_progress(s);
	timeout = timeout_of(s);
	timeout = sooner(timeout, session_hotplug_timeout_ms(s));
	timeout = sooner(timeout, session_prints_timeout_ms(s));
	timeout = sooner(timeout, session_interval_timeout_ms(s));
	timeout = sooner(timeout, session_throttles_timeout_ms(s));
	timeout = sooner(timeout, session_progress_timeout_ms(s));
	ready = rings_wait(s->rings, timeout, err);
	if (ready < 0)
		return ready;
	session_throttles_read(s);
	ret = session_prints_read(s, err);
	if (!ret && ready & 1 << ON_SIGNAL)
		ret = take_signal(s, err);
	if (ready & 1 << ON_END) {
		sys_close_fd(s->sys, &s->end_fd);
		watch_next(s);
		if (!ret)
			ret = rings_watch(s->rings, s->end_fd, ON_END, err);
	}
	if (ready & 1 << ON_CHILD && child_reap(s->sys, &s->child))
		s->ended = true;
	if (ready & 1 << ON_HOTPLUG || !session_hotplug_timeout_ms(s))
		session_hotplug_read(s);
	if (ready & 1 << ON_STACKS)
		session_stacks_read(s);
	return ret ? ret : session_interval(s, err);
}

int session_wait(struct session *s, struct error *err)
{
	const uint64_t end = session_end_ns(s);
	int ret = 0;

	if (!session_waits(s))
		return 0;
	ret = session_iterate(s, err);
	if (ret || (!s->child.pid && session_has_iterated(s)))
		return ret;
	ret = watch_all(s, err);
	while (!ret && !s->stopped && !s->ended) {
		if (end && !s->options->dry_run && sys_monotonic_ns() >= end)
			break;
		ret = wait_once(s, err);
		if (s->options->dry_run)	/* a simulated kernel writes no records */
			break;
	}
	stdout_watch_erase(s->out->watch);
	if (!ret)	/* the summary lists the CPUs that are offline now */
		session_hotplug_read(s);
	return ret;
}
