// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Start a reader, ask it, and kill it when it takes too long:
 *
 *	session	--request-->	reader	opens, reads, parses, demangles
 *		<--answer---		or hangs, and ends by SIGKILL
 *
 * Answers come in the order of the requests. The session does not wait for those to SYMBOL_HOLD:
 * they are read before the next answer that it waits for.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "loader/profile/symbolize/wall.h"
#include "loader/base/calls/processes.h"
#include "loader/base/calls/sockets.h"
#include "loader/base/text/names.h"

#define HELD_MAX 64u	/* requests to keep a file open that are unanswered */

struct wall {
	struct sys *sys;	/* borrowed */
	struct aide aide;	/* the reader */
	struct patience own, *patience;	/* own: for users without a session's */
	uint64_t held[HELD_MAX];	/* files that the reader should keep open, oldest first */
	unsigned int nr_held;
	uint64_t blamed;
	char doubt[160];
	struct symbol_answer ignored;	/* the answer to SYMBOL_HOLD */
};

struct wall *wall_new(struct sys *sys)
{
	struct wall *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->sys = sys;
	w->own.signal_fd = -1;
	w->patience = sys->patience ? sys->patience : &w->own;
	w->aide = (struct aide){ .sys = sys, .patience = w->patience, .fd = -1 };
	return w;
}

void wall_end_at(struct wall *w, uint64_t end_ns, int signal_fd)
{
	w->patience->end_ns = end_ns;
	w->patience->signal_fd = signal_fd;
}

/*
 * Sampling has ended, so the session and the reader can no longer disturb it: give what is left to
 * do priority over other processes, such as the sampled ones.
 */
void wall_end(struct wall *w)
{
	if (w->patience->has_ended)
		return;
	patience_end(w->patience);
	sys_set_nice(w->sys, 0, -20);
	aide_hurry(&w->aide);
}

const char *wall_doubt(const struct wall *w)
{
	return w->doubt;
}

uint64_t wall_blamed(const struct wall *w)
{
	return w->blamed;
}

uint32_t wall_generation(const struct wall *w)
{
	return w->aide.nr_killed + 1;
}

pid_t wall_reader(const struct wall *w)
{
	return w->aide.pid;
}

__attribute__((format(printf, 3, 4)))
static int doubt(struct wall *w, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w->doubt, sizeof(w->doubt), fmt, ap);
	va_end(ap);
	return -code;
}

/* --- the reader --- */

static void kill_reader(struct wall *w)
{
	aide_kill(&w->aide);
	w->nr_held = 0;
}

static int start_reader(struct wall *w)
{
	const int ret = aide_start(&w->aide, reader_run, NULL);

	if (ret == -EBUSY)
		return doubt(w, EBUSY, "no more files are read: %d processes that read symbols are "
				       "stuck, waiting for a file system that does not answer",
			     AIDES_STUCK_MAX);
	return ret ? doubt(w, -ret, "no process to read symbols could be started: %s",
			   error_strerror(-ret)) : 0;
}

void wall_free(struct wall *w)
{
	if (!w)
		return;
	aide_free(&w->aide);
	free(w);
}

/* --- time --- */

/*
 * Set *@until_ns to the time until which to wait for a file of @purse. Return 0, or -ECANCELED at
 * once.
 */
static int set_limit(struct wall *w, const struct purse *purse, uint64_t spent, uint64_t now,
		     uint64_t *until_ns)
{
	struct patience *p = w->patience;

	if (p->end_ns && now >= p->end_ns)
		wall_end(w);
	if (!patience_limit(p, purse, time_left(WALL_FILE_NS, spent), now, until_ns))
		return 0;
	if (patience_spent(purse))
		return doubt(w, ECANCELED, "no more files of user %u are read now: they took "
			     "longer than %llu s", purse->user, PATIENCE_USER_NS / 1000000000);
	return doubt(w, ECANCELED, "reading symbols took longer than %s after the end of the "
		     "session",
		     p->waited_ns < PATIENCE_END_NS ? "its user's share of a second" :
						      "a second");
}

/* --- messages --- */

static int read_answer(struct wall *w, struct symbol_answer *answer)
{
	const ssize_t size = sys_read(w->sys, w->aide.fd, answer, sizeof(*answer));

	return size > 0 && symbol_answer_is_valid(answer, size) ? 0 : -EPIPE;
}

/* Take the answer to the oldest SYMBOL_HOLD. */
static int take_held(struct wall *w)
{
	const int ret = read_answer(w, &w->ignored);

	if (!ret)
		memmove(w->held, w->held + 1, --w->nr_held * sizeof(*w->held));
	return ret;
}

/* If a reader ends before it was asked anything, replace it: no file is to blame. */
static int send_request(struct wall *w, const struct symbol_request *request)
{
	const size_t size = symbol_request_size(request);
	ssize_t ret = sys_send(w->sys, w->aide.fd, request, size, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (ret == -EPIPE && !w->nr_held) {
		kill_reader(w);
		ret = start_reader(w);
		if (!ret)
			ret = sys_send(w->sys, w->aide.fd, request, size,
				       MSG_DONTWAIT | MSG_NOSIGNAL);
	}
	return ret < 0 ? ret : 0;
}

static bool has_answer(struct wall *w)
{
	struct pollfd fd = { .fd = w->aide.fd, .events = POLLIN };

	return sys_poll(w->sys, &fd, 1, 0) > 0;
}

bool wall_hold(struct wall *w, const struct symbol_request *request)
{
	if (w->patience->has_ended)
		return false;
	while (w->nr_held && has_answer(w))
		if (take_held(w))
			kill_reader(w);
	if (w->nr_held == HELD_MAX || start_reader(w) || send_request(w, request))
		return false;
	w->held[w->nr_held++] = request->file;
	return true;
}

void wall_settle(struct wall *w, int timeout_ms)
{
	struct aide_limit limit = { .until_ns = sys_monotonic_ns() + timeout_ms * 1000000ull };

	while (w->nr_held && !aide_wait(&w->aide, &limit))
		if (take_held(w)) {
			kill_reader(w);
			return;
		}
}

/* Send the request and receive its answer, which follows those to earlier ones. */
static int exchange(struct wall *w, const struct symbol_request *request,
		    struct symbol_answer *answer, struct aide_limit *limit)
{
	int ret = send_request(w, request);
	bool sent = !ret;

	if (ret == -EAGAIN)	/* the reader has not read the earlier ones */
		ret = 0;
	while (!ret && (w->nr_held || !sent)) {
		ret = aide_wait(&w->aide, limit);
		if (!ret)
			ret = w->nr_held ? take_held(w) : -EPIPE;
		if (!ret && !sent) {
			ret = send_request(w, request);
			sent = !ret;
			ret = ret == -EAGAIN ? 0 : ret;
		}
	}
	if (!ret)
		ret = aide_wait(&w->aide, limit);
	if (!ret)
		ret = read_answer(w, answer);
	if (!ret && answer->file != request->file)
		ret = -EPIPE;
	return ret == -ECONNRESET ? -EPIPE : ret;
}

/* The reader failed: find out on which file. */
static int failed(struct wall *w, int ret, uint64_t spent)
{
	const bool holding = w->nr_held;

	w->blamed = holding ? w->held[0] : 0;
	kill_reader(w);
	if (ret == -EPIPE)
		doubt(w, EPIPE, "the process that read its symbols died: they are not read "
				"again");
	else if (ret != -ETIME)
		doubt(w, -ret, "its symbols were not read: %s", error_strerror(-ret));
	else if (spent >= WALL_FILE_NS || !w->patience->has_ended)
		doubt(w, ETIME, "its symbols took longer than %llu s: they are not read again",
		      WALL_FILE_NS / 1000000000);
	else
		doubt(w, ETIME, "its symbols took too long after the end of the session");
	return holding ? -EAGAIN : ret;
}

int wall_ask(struct wall *w, uint32_t user, const struct symbol_request *request,
	     struct symbol_answer *answer, uint64_t *spent_ns)
{
	const uint64_t now = sys_monotonic_ns();
	struct purse *purse = patience_purse(w->patience, user, now);
	struct aide_limit limit = { .put_off_ns = 0 };
	int ret = set_limit(w, purse, *spent_ns, now, &limit.until_ns);
	uint64_t time;

	if (!ret)
		ret = start_reader(w);
	if (ret)
		return ret;
	ret = exchange(w, request, answer, &limit);
	time = aide_time(&w->aide, now, &limit);
	*spent_ns += time;
	patience_count(w->patience, purse, time, sys_monotonic_ns());
	return ret ? failed(w, ret, *spent_ns) : 0;
}
