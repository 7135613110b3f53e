// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Signals that end a session: they are blocked, and read from a descriptor. */
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>

#include "loader/print/interruptible_stdout.h"
#include "loader/session/part.h"

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

static int take_signal(struct session *s, bool ready, struct error *err)
{
	struct signalfd_siginfo info;
	ssize_t ret;

	if (!ready)
		return 0;
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
	return take_signal(s, stop_signal_came(s->sys, s->signal_fd), err);
}

static int signals_fd(const struct session *s)
{
	return s->signal_fd;
}

static void end_signals(struct session *s)
{
	if (s->out->watch)
		s->out->watch->active = false;
	sys_close_fd(s->sys, &s->signal_fd);
}

const struct session_part part_signals = {
	.fd = signals_fd, .read = take_signal, .end = end_signals,
};
