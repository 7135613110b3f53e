// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Access to tracefs, mounted or as a detached mount of our own. */
#include <fcntl.h>
#include <stdio.h>

#include "loader/base/calls/tracefs.h"
#include "loader/core/sys/read.h"

/* A tracepoint whose category is being looked up. */
struct search {
	struct sys *sys;
	struct tracefs tracefs;
	const char *name;
	char *category;
	size_t size;
};

static int match_category(void *arg, const char *category)
{
	const struct search *search = arg;
	char file[2 * EVENT_NAME_MAX + 16], path[sizeof(file) + 32], id[32];

	snprintf(file, sizeof(file), "events/%s/%s/id", category, search->name);
	tracefs_path(&search->tracefs, file, path, sizeof(path));
	if (sys_read_text(search->sys, search->tracefs.dir_fd, path, id, sizeof(id)) < 0)
		return 0;
	snprintf(search->category, search->size, "%s", category);
	return 1;
}

bool tracepoint_category(struct sys *sys, const char *name, char *category, size_t size)
{
	struct search search = { .sys = sys, .name = name, .category = category, .size = size };
	char path[64];
	int ret = tracefs_find(sys, &search.tracefs, NULL);

	if (ret < 0)
		return false;
	tracefs_path(&search.tracefs, "events", path, sizeof(path));
	ret = sys_each_entry(sys, search.tracefs.dir_fd, path, match_category, &search);
	tracefs_close(sys, &search.tracefs);
	return ret == 1;
}

int tracefs_find(struct sys *sys, struct tracefs *t, struct error *err)
{
	for (size_t i = 0; i < TRACEFS_MOUNTS; i++) {
		if (!tracefs_is_at(sys, tracefs_mounts[i]))
			continue;
		*t = (struct tracefs){ AT_FDCWD, tracefs_mounts[i] };
		return 0;
	}
	*t = (struct tracefs){ sys_open_detached(sys, "tracefs"), "" };
	return t->dir_fd < 0 ? tracefs_failed(sys, -t->dir_fd, err) : 0;
}

void tracefs_close(struct sys *sys, struct tracefs *t)
{
	if (t->dir_fd != AT_FDCWD)
		sys_close_fd(sys, &t->dir_fd);
}

const char *tracefs_path(const struct tracefs *t, const char *file, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s", t->root, t->root[0] ? "/" : "", file);
	return buf;
}

int tracefs_openat(struct sys *sys, const struct tracefs *t, const char *file, int flags)
{
	char path[256];

	return sys_openat(sys, t->dir_fd, tracefs_path(t, file, path, sizeof(path)), flags);
}
