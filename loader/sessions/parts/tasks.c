// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tasks of -p and -t: the session ends when the last one ends. */
#include <errno.h>

#include "loader/core/event/scope.h"
#include "loader/core/session/part.h"

/*
 * Watch the tasks one by one: when the last one has ended, all have. This needs a pidfd (Linux 5.3;
 * for threads 6.9).
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
		     "this kernel has no pidfd to watch %s %d: end the session with ^C or -d",
		     threads ? "thread" : "process", id);
		s->watched = "";
		return;
	}
	s->ended = true;
}

static int begin_tasks(struct session *s, struct error *err)
{
	const struct event_scope_options *asked = &s->options->scope;

	(void)err;
	s->watched = s->scope.tasks == TASK_SCOPE_PROCESSES ? asked->processes :
		     s->scope.tasks == TASK_SCOPE_THREADS   ? asked->threads :
							NULL;
	if (s->watched)
		watch_next(s);
	return 0;
}

static int tasks_fd(const struct session *s)
{
	return s->end_fd;
}

static int read_tasks(struct session *s, bool ready, struct error *err)
{
	(void)err;
	if (!ready)
		return 0;
	sys_close_fd(s->sys, &s->end_fd);
	watch_next(s);
	return 0;
}

static void end_tasks(struct session *s)
{
	sys_close_fd(s->sys, &s->end_fd);
}

const struct session_part part_tasks = {
	.at = { [STAGE_BEGUN] = begin_tasks },
	.fd = tasks_fd, .read = read_tasks, .end = end_tasks,
};
