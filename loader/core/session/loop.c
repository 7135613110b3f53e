// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A session's main loop: wait until one of its parts has something to read, then let all read. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include <sys/signalfd.h>

#include "loader/core/print/stop_signals.h"
#include "loader/core/session/part.h"

int session_stage(struct session *s, enum session_stage stage, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && session_parts[i]; i++)
		if (session_parts[i]->at[stage])
			ret = session_parts[i]->at[stage](s, err);
	return ret;
}

void session_stop_parts(struct session *s)
{
	for (size_t i = 0; session_parts[i]; i++)
		if (session_parts[i]->stop)
			session_parts[i]->stop(s);
}

void session_parts_detached(struct session *s)
{
	for (size_t i = 0; session_parts[i]; i++)
		if (session_parts[i]->detached)
			session_parts[i]->detached(s);
}

void session_finish_parts(struct session *s)
{
	for (size_t i = 0; session_parts[i]; i++)
		if (session_parts[i]->finish)
			session_parts[i]->finish(s);
}

void session_parts_lost(const struct session *s, struct losses *losses)
{
	for (size_t i = 0; session_parts[i]; i++)
		if (session_parts[i]->lost)
			session_parts[i]->lost(s, losses);
}

void session_parts_summary(struct session *s, struct json_object *msg)
{
	for (size_t i = 0; session_parts[i]; i++)
		if (session_parts[i]->summary)
			session_parts[i]->summary(s, msg);
}

void session_parts_print(FILE *file, struct json_object *msg)
{
	for (size_t i = 0; session_parts[i]; i++)
		if (session_parts[i]->print)
			session_parts[i]->print(file, msg);
}

void session_end_parts(struct session *s)
{
	size_t nr = 0;

	while (session_parts[nr])
		nr++;
	for (size_t i = nr; i-- > 0;)
		if (session_parts[i]->end)
			session_parts[i]->end(s);
}

uint64_t session_end_ns(const struct session *s)
{
	return s->options->seconds >= 0 ? s->begin_ns + (uint64_t)(s->options->seconds * 1e9) : 0;
}

/* Milliseconds until -d expires or a part is due; -1: no limit. */
static int timeout_of(const struct session *s)
{
	const uint64_t end = session_end_ns(s);
	int timeout = end ? sys_ms_until(end) : -1;

	for (size_t i = 0; session_parts[i]; i++) {
		const int due = session_parts[i]->due_ms ? session_parts[i]->due_ms(s) : -1;

		if (due >= 0 && (timeout < 0 || due < timeout))
			timeout = due;
	}
	return timeout;
}

static int cannot_wait(int code, struct error *err)
{
	error_set(err, code, "%s", error_strerror(code));
	error_reason(err, "output/ring");
	return error_where(err, "waiting for records");
}

/* Fill in @fds, and the part each belongs to. Return: their number. */
static unsigned int list_fds(const struct session *s, struct pollfd *fds, uint8_t *of)
{
	unsigned int nr = 0;

	for (size_t i = 0; session_parts[i]; i++) {
		const int fd = session_parts[i]->fd ? session_parts[i]->fd(s) : -1;

		if (fd < 0)
			continue;
		fds[nr] = (struct pollfd){ .fd = fd, .events = POLLIN };
		of[nr++] = i;
	}
	return nr;
}

/* Wait once. An unblocked signal interrupts poll(2); nothing is ready then. */
static int wait_once(struct session *s, struct error *err)
{
	struct pollfd fds[SESSION_PARTS_MAX];
	uint8_t of[SESSION_PARTS_MAX];
	bool ready[SESSION_PARTS_MAX] = { false };
	const unsigned int nr = list_fds(s, fds, of);
	int ret = sys_poll(s->sys, fds, nr, timeout_of(s)), flushed;

	if (ret < 0 && ret != -EINTR)
		return cannot_wait(-ret, err);
	for (unsigned int i = 0; ret > 0 && i < nr; i++)
		ready[of[i]] = fds[i].revents;
	ret = 0;
	for (size_t i = 0; !ret && session_parts[i]; i++)
		if (session_parts[i]->read)
			ret = session_parts[i]->read(s, ready[i], err);
	flushed = output_flush(s->out, ret ? NULL : err);
	return ret ? ret : flushed;
}

static bool is_over(const struct session *s)
{
	const uint64_t end = session_end_ns(s);

	return s->stopped || s->ended || (end && !s->options->dry_run && sys_monotonic_ns() >= end);
}

int session_wait(struct session *s, struct error *err)
{
	int ret;

	if (!session_waits(s))
		return 0;
	sys_stage(s->sys, "wait: until the session is over");
	ret = session_stage(s, STAGE_RUN, err);
	if (ret || s->ended)
		return ret;
	ret = rings_begin_waiting(s->rings, err);
	if (!ret)
		ret = output_flush(s->out, err);
	while (!ret && !is_over(s)) {
		ret = wait_once(s, err);
		if (s->options->dry_run)	/* simulated kernels do not write records */
			break;
	}
	stdout_watch_clear(s->out->watch);
	return ret ? ret : session_stage(s, STAGE_WAITED, err);
}

/* --- signals that end a session: they are blocked, and read from a descriptor --- */

/*
 * The terminal sends its signals to the foreground process group, which includes the command. Other
 * kernel signals, such as SIGALRM, go only to this process.
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
