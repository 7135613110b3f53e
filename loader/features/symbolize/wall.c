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
#include <unistd.h>

#include "elf/error.h"
#include "loader/features/symbolize/wall.h"
#include "loader/sys/calls/processes.h"
#include "loader/sys/calls/sockets.h"
#include "loader/sys/text/names.h"

#define HELD_MAX 64u	/* requests to hold a file that were not answered yet */
#define PURSES 64u
#define SHORT_NS 1000000ull	/* a wait that is not looked into */
#define DIE_MS 50	/* a process that is killed ends in less than one */

/* The time that a user has left. */
struct purse {
	uint32_t user;
	bool is_used;
	uint64_t left_ns, seen_ns;
	uint64_t end_ns;	/* that was waited after the end of the session */
};

struct wall {
	struct sys *sys;	/* borrowed */
	pid_t pid;		/* of the reader; 0: none runs */
	int fd;			/* owned; the connection to it, or -1 */
	uint64_t held[HELD_MAX];	/* files that the reader was to hold, oldest first */
	unsigned int nr_held;
	pid_t stuck[WALL_STUCK_MAX];	/* killed, and not known to have ended */
	unsigned int nr_stuck;
	bool has_ended;		/* the session */
	uint64_t end_ns;	/* when it ends, or ended; 0: not known */
	int signal_fd;		/* borrowed */
	uint64_t waited_ns;	/* after the end of the session */
	uint64_t no_cpu_ns;	/* that the reader was ready without a CPU, when last asked */
	struct purse purses[PURSES];
	uint32_t nr_killed;	/* readers */
	uint64_t blamed;
	char doubt[160];
	struct symbol_answer ignored;	/* the answer to SYMBOL_HOLD */
};

struct wall *wall_new(struct sys *sys)
{
	struct wall *w = calloc(1, sizeof(*w));

	if (w)
		*w = (struct wall){ .sys = sys, .fd = -1, .signal_fd = -1 };
	return w;
}

void wall_end_at(struct wall *w, uint64_t end_ns, int signal_fd)
{
	w->end_ns = end_ns;
	w->signal_fd = signal_fd;
}

/* Nothing is sampled any more that it could disturb, and there is a second left. */
static void hurry(struct wall *w)
{
	if (w->pid)
		sys_set_nice(w->sys, w->pid, -20);
}

void wall_end(struct wall *w)
{
	if (w->has_ended)
		return;
	w->end_ns = sys_monotonic_ns();
	w->has_ended = true;
	hurry(w);
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
	return w->nr_killed + 1;
}

pid_t wall_reader(const struct wall *w)
{
	return w->pid;
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

/* Forget the readers that have ended. */
static void reap(struct wall *w)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < w->nr_stuck; i++) {
		siginfo_t info;

		memset(&info, 0, sizeof(info));
		if (!sys_waitid(w->sys, w->stuck[i], &info, WEXITED | WNOHANG | __WALL) &&
		    !info.si_pid)
			w->stuck[nr++] = w->stuck[i];
	}
	w->nr_stuck = nr;
}

/*
 * Kill the reader, whatever it does. It is not waited for: while a file system does not answer, the
 * kernel does not end a process, which has nothing of the session then but this number.
 */
static void kill_reader(struct wall *w)
{
	if (!w->pid)
		return;
	sys_kill(w->sys, w->pid, SIGKILL);
	w->stuck[w->nr_stuck++] = w->pid;
	w->pid = 0;
	w->nr_held = 0;
	w->nr_killed++;
	sys_close_fd(w->sys, &w->fd);
	reap(w);
}

static int start_reader(struct wall *w)
{
	const pid_t self = getpid();
	int ends[2], ret;

	if (w->pid)
		return 0;
	reap(w);
	if (w->nr_stuck == WALL_STUCK_MAX)
		return doubt(w, EBUSY, "no more files are read: %d processes that read symbols do "
			     "not end, as a file system does not answer them", WALL_STUCK_MAX);
	ret = sys_socketpair(w->sys, ends);
	if (ret < 0)
		return doubt(w, -ret, "no process to read symbols could be started: socketpair: %s",
			     error_strerror(-ret));
	w->pid = sys_fork(w->sys, 0);
	if (!w->pid)
		reader_run(ends[1], self);
	sys_close(w->sys, ends[1]);
	if (w->pid > 0) {
		w->fd = ends[0];
		w->no_cpu_ns = 0;
		if (w->has_ended)
			hurry(w);
		return 0;
	}
	ret = w->pid;
	w->pid = 0;
	sys_close(w->sys, ends[0]);
	return doubt(w, -ret, "no process to read symbols could be started: clone: %s",
		     error_strerror(-ret));
}

void wall_free(struct wall *w)
{
	if (!w)
		return;
	kill_reader(w);
	for (int i = 0; i < DIE_MS && w->nr_stuck; i++) {
		reap(w);
		if (w->nr_stuck)
			sys_poll(w->sys, NULL, 0, 1);
	}
	free(w);
}

/* --- time --- */

static bool is_trusted(uint32_t user)
{
	return !user || user == geteuid();
}

/* Return the purse of @user; if there are too many, in place of the one that lacks the least. */
static struct purse *purse_of(struct wall *w, uint32_t user, uint64_t now)
{
	struct purse *best = &w->purses[0], *p;

	for (p = w->purses; p < w->purses + PURSES; p++) {
		if (p->is_used && p->user == user)
			break;
		if (best->is_used && (!p->is_used || p->left_ns > best->left_ns))
			best = p;
	}
	if (p == w->purses + PURSES) {
		p = best;
		*p = (struct purse){
			.user = user, .is_used = true, .left_ns = WALL_USER_NS, .seen_ns = now,
		};
	}
	p->left_ns += (now - p->seen_ns) / WALL_USER_SHARE;
	if (p->left_ns > WALL_USER_NS)
		p->left_ns = WALL_USER_NS;
	p->seen_ns = now;
	return p;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t left(uint64_t max, uint64_t used)
{
	return used < max ? max - used : 0;
}

/* Set *@until_ns to when waiting for a file of @p ends. Return 0, or -ECANCELED at once. */
static int set_limit(struct wall *w, const struct purse *p, uint64_t spent, uint64_t now,
		     uint64_t *until_ns)
{
	const uint64_t all = left(WALL_END_NS, w->waited_ns);
	const uint64_t share = is_trusted(p->user) ? all : left(WALL_END_USER_NS, p->end_ns);
	const uint64_t one = less(all, share);
	const uint64_t purse = is_trusted(p->user) ? WALL_FILE_NS : p->left_ns;
	uint64_t time = less(left(WALL_FILE_NS, spent), purse);

	if (w->end_ns && now >= w->end_ns)
		wall_end(w);
	if (!purse)
		return doubt(w, ECANCELED, "no more files of user %u are read now: they took "
			     "longer than %llu s", p->user, WALL_USER_NS / 1000000000);
	if (w->has_ended && !one)
		return doubt(w, ECANCELED, "reading symbols took longer than %s after the end of "
			     "the session", all ? "its user's share of a second" : "a second");
	if (w->has_ended)
		time = less(time, one);
	else if (w->end_ns)
		time = less(time, w->end_ns - now + one);
	*until_ns = now + time;
	return 0;
}

/*
 * Return how long the reader was ready and had no CPU since this was asked last, but no more than
 * @max: on a busy machine that is not its fault.
 *
 *	/proc/PID/schedstat	time on a CPU, time ready without one, in ns
 */
static uint64_t refund(struct wall *w, uint64_t max)
{
	char path[40], text[80], *rest;
	uint64_t all, since;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", w->pid);
	if (!w->pid || sys_read_text(w->sys, AT_FDCWD, path, text, sizeof(text)) < 0)
		return 0;
	strtoull(text, &rest, 10);
	all = strtoull(rest, NULL, 10);
	since = all > w->no_cpu_ns ? all - w->no_cpu_ns : 0;
	w->no_cpu_ns = all;
	return less(since, max);
}

/* Count the time that was waited since @from, of which @refunded is no fault of the reader. */
static void count(struct wall *w, struct purse *p, uint64_t *spent, uint64_t from,
		  uint64_t refunded)
{
	const uint64_t now = sys_monotonic_ns();
	uint64_t time = left(now - from, refunded);

	if (time > SHORT_NS && !w->has_ended)
		time -= refund(w, time);
	*spent += time;
	p->left_ns = left(p->left_ns, time);
	if (w->end_ns && now >= w->end_ns) {
		const uint64_t after = less(time, now - w->end_ns);

		w->waited_ns += after;
		p->end_ns += after;
	}
}

/* --- messages --- */

/* The end of a wait, and how far it was put off as the reader had no CPU. */
struct limit {
	uint64_t until_ns, put_off_ns;
};

/* Return true if the limit is reached. */
static bool is_over(struct wall *w, struct limit *limit)
{
	uint64_t more;

	if (sys_monotonic_ns() < limit->until_ns)
		return false;
	if (w->has_ended)
		return true;
	more = refund(w, left(WALL_BUSY_NS, limit->put_off_ns));
	limit->put_off_ns += more;
	limit->until_ns += more;
	return sys_monotonic_ns() >= limit->until_ns;
}

/* Wait until the reader answers, a signal comes, or the limit. */
static int wait_for_answer(struct wall *w, struct limit *limit)
{
	struct pollfd fds[] = { { .fd = w->fd, .events = POLLIN },
				{ .fd = w->has_ended ? -1 : w->signal_fd, .events = POLLIN } };

	while (!is_over(w, limit)) {
		const int ret = sys_poll(w->sys, fds, 2, sys_ms_until(limit->until_ns));

		if (ret < 0 && ret != -EINTR)
			return ret;
		if (ret > 0 && fds[0].revents)
			return 0;
		if (ret > 0 && fds[1].revents) {
			fds[1].fd = -1;
			wall_end(w);
			limit->until_ns = less(limit->until_ns, sys_monotonic_ns() +
					       left(WALL_END_NS, w->waited_ns));
		}
	}
	return -ETIME;
}

static int read_answer(struct wall *w, struct symbol_answer *answer)
{
	const ssize_t size = sys_read(w->sys, w->fd, answer, sizeof(*answer));

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

/* A reader that has ended before it was asked is replaced: no file is to blame. */
static int send_request(struct wall *w, const struct symbol_request *request)
{
	const size_t size = symbol_request_size(request);
	ssize_t ret = sys_send(w->sys, w->fd, request, size, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (ret == -EPIPE && !w->nr_held) {
		kill_reader(w);
		ret = start_reader(w);
		if (!ret)
			ret = sys_send(w->sys, w->fd, request, size, MSG_DONTWAIT | MSG_NOSIGNAL);
	}
	return ret < 0 ? ret : 0;
}

static bool has_answer(struct wall *w)
{
	struct pollfd fd = { .fd = w->fd, .events = POLLIN };

	return sys_poll(w->sys, &fd, 1, 0) > 0;
}

bool wall_hold(struct wall *w, const struct symbol_request *request)
{
	if (w->has_ended)
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
	struct limit limit = { .until_ns = sys_monotonic_ns() + timeout_ms * 1000000ull };

	while (w->nr_held && !wait_for_answer(w, &limit))
		if (take_held(w)) {
			kill_reader(w);
			return;
		}
}

/* Send the request and receive its answer, after those to earlier ones. */
static int exchange(struct wall *w, const struct symbol_request *request,
		    struct symbol_answer *answer, struct limit *limit)
{
	int ret = send_request(w, request);
	bool sent = !ret;

	if (ret == -EAGAIN)	/* the reader has not read earlier ones */
		ret = 0;
	while (!ret && (w->nr_held || !sent)) {
		ret = wait_for_answer(w, limit);
		if (!ret)
			ret = w->nr_held ? take_held(w) : -EPIPE;
		if (!ret && !sent) {
			ret = send_request(w, request);
			sent = !ret;
			ret = ret == -EAGAIN ? 0 : ret;
		}
	}
	if (!ret)
		ret = wait_for_answer(w, limit);
	if (!ret)
		ret = read_answer(w, answer);
	if (!ret && answer->file != request->file)
		ret = -EPIPE;
	return ret == -ECONNRESET ? -EPIPE : ret;
}

/* The reader has failed: find out at which file. */
static int failed(struct wall *w, int ret, uint64_t spent)
{
	const bool holding = w->nr_held;

	w->blamed = holding ? w->held[0] : 0;
	kill_reader(w);
	if (ret == -EPIPE)
		doubt(w, EPIPE, "reading its symbols ended the process that reads them: they are "
		      "not read again");
	else if (ret != -ETIME)
		doubt(w, -ret, "its symbols were not read: %s", error_strerror(-ret));
	else if (spent >= WALL_FILE_NS || !w->has_ended)
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
	struct purse *p = purse_of(w, user, now);
	struct limit limit = { .put_off_ns = 0 };
	int ret = set_limit(w, p, *spent_ns, now, &limit.until_ns);

	if (!ret)
		ret = start_reader(w);
	if (ret)
		return ret;
	ret = exchange(w, request, answer, &limit);
	count(w, p, spent_ns, now, limit.put_off_ns);
	return ret ? failed(w, ret, *spent_ns) : 0;
}
