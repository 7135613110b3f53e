// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A cgroup of a test's own, in the hierarchy of version 2 or in one of version 1. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/regress/groups/scope.h"

bool cgroup_move(const char *dir, pid_t pid)
{
	char path[160], text[16];
	int fd, n = snprintf(text, sizeof(text), "%d", pid);
	bool ok;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && write(fd, text, n) == n;
	if (fd >= 0)
		close(fd);
	return ok;
}

/* Which hierarchy the controller is in, as in /proc/cgroups; 0 is cgroup2, -1: it is not there. */
static int hierarchy_of_perf(void)
{
	FILE *f = fopen("/proc/cgroups", "re");
	char line[128];
	int found = -1;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "perf_event %d", &found) == 1)
			break;
	if (f)
		fclose(f);
	return found;
}

void cgroup_make(struct regress *t, struct scope_cgroup *c, int version)
{
	c->before = hierarchy_of_perf();
	if (version == 2)
		own_dir_make(t, &c->root, "cgroup2");
	else
		own_dir_mount(t, &c->root, "cgroup", "perf_event");
	snprintf(c->dir, sizeof(c->dir), "%s/pload-scope-%d", c->root.dir, getpid());
	if (mkdir(c->dir, 0755))
		regress_skip(t, "no cgroup can be made here: %s", strerror(errno));
}

/*
 * A hierarchy of version 1 goes with its last mount when nobody is in it; a cgroup that was removed
 * a moment ago may still be. Then it is mounted once more, so that the controller is where it was.
 */
static bool is_back(void *arg)
{
	struct scope_cgroup *c = arg;

	if (hierarchy_of_perf() == c->before)
		return true;
	/* Seldom: each time it has to go all over again. */
	if (++c->tries % 500 == 0 && !mount("cgroup", c->root.dir, "cgroup", 0, "perf_event"))
		umount(c->root.dir);
	return false;
}

/* It is empty when the last of them is reaped, which the kernel may notice a moment later. */
static bool is_removed(void *arg)
{
	return !rmdir(((struct scope_cgroup *)arg)->dir) || errno != EBUSY;
}

void cgroup_end(struct regress *t, struct scope_cgroup *c)
{
	regress_expect(t, regress_until(is_removed, c), "the cgroup cannot be removed");
	umount(c->root.dir);
	regress_expect(t, regress_until(is_back, c), "the controller is not back where it was");
	rmdir(c->root.dir);
}
