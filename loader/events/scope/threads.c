// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tasks of -t, -u and a command, and the cgroups of -G. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "loader/events/grammar/events.h"
#include "loader/events/scope/scope_internal.h"

/* Check that every thread exists, because later a missing one among others would go unnoticed. */
static int list_threads(struct sys *sys, const char *text, struct id_list *tids, struct error *err)
{
	int ret = id_list_parse(text, "thread", tids, err);

	for (unsigned int i = 0; !ret && i < tids->nr; i++) {
		char path[32];
		int fd;

		snprintf(path, sizeof(path), "/proc/%d/task", tids->ids[i]);
		fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0) {
			sys_close(sys, fd);
			continue;
		}
		error_set(err, ESRCH, "thread %d does not exist or has ended", tids->ids[i]);
		error_reason(err, "scope/no-thread");
		error_hint(err, "-t takes the tid of a running thread: ls /proc/PID/task");
		error_where(err, "thread %d", tids->ids[i]);
		ret = -ESRCH;
	}
	return ret;
}

/* Processes come and go; one that ended since it was found needs no event. */
static int list_user(struct sys *sys, const char *user, struct id_list *tids, struct error *err)
{
	struct id_list pids = { 0 };
	int ret = scope_user_processes(sys, user, &pids, err);

	for (unsigned int i = 0; !ret && i < pids.nr; i++) {
		ret = id_list_add_threads(sys, pids.ids[i], tids, err);
		if (ret == -ESRCH && (tids->nr || i + 1 < pids.nr)) {
			if (err)
				error_clear(err);
			ret = 0;
		}
	}
	free(pids.ids);
	return ret;
}

static int other_scope(struct sys *sys, struct event_scope *scope, bool again,
		       struct id_list *tids, struct error *err)
{
	const struct event_scope_options *asked = &scope->asked;
	int ret = 0;

	(void)again;
	if (asked->threads)
		ret = list_threads(sys, asked->threads, tids, err);
	else if (asked->user)
		ret = list_user(sys, asked->user, tids, err);
	else if (asked->cgroups)
		ret = scope_open_cgroups(sys, scope, asked->cgroups, err);
	else if (asked->command)
		ret = id_list_add(tids, asked->command) ?
			      error_set(err, ENOMEM, "no memory for a list of tasks") :
			      0;
	return ret;
}

const struct event_feature event_scopes = { .scope = other_scope };
