// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A cgroup of a test's own, in the hierarchy of version 2 or in one of version 1. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/regress/groups/scope/scope.h"

static bool write_file(const char *dir, const char *name, const char *text)
{
	const ssize_t len = strlen(text);
	char path[160];
	bool ok;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && write(fd, text, len) == len;
	if (fd >= 0)
		close(fd);
	return ok;
}

bool cgroup_move(const char *dir, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	return write_file(dir, "cgroup.procs", text);
}

/*
 * Cgroups of version 2 have perf events of their own only if some controller is enabled in the
 * root: if none is, this enables the first available one.
 */
static void ask_for_controller(struct regress *t, struct scope_cgroup *c)
{
	char path[96], asked[256] = "", there[256] = "";

	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", c->root.dir);
	sys_read_text(t->sys, AT_FDCWD, path, asked, sizeof(asked));
	snprintf(path, sizeof(path), "%s/cgroup.controllers", c->root.dir);
	sys_read_text(t->sys, AT_FDCWD, path, there, sizeof(there));
	if (strcspn(asked, "\n") || !strcspn(there, " \n"))
		return;
	snprintf(c->controller, sizeof(c->controller), "+%.*s", (int)strcspn(there, " \n"), there);
	if (!write_file(c->root.dir, "cgroup.subtree_control", c->controller))
		c->controller[0] = '\0';
}

/*
 * Returns the hierarchy of the controller, as in /proc/cgroups; 0 is cgroup2, -1: it does not
 * exist.
 */
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
	if (version == 2)
		ask_for_controller(t, c);
	snprintf(c->dir, sizeof(c->dir), "%s/pload-scope-%d", c->root.dir, getpid());
	if (mkdir(c->dir, 0755))
		regress_skip(t, "cannot create a cgroup here: %s", strerror(errno));
}

#define PAUSE_NS (500 * UINT64_C(1000000))

/*
 * A hierarchy of version 1 ends with its last mount if it has no cgroups; one that was removed a
 * moment ago may still exist. Then it is mounted once more, so that the controller is where it was.
 */
static bool is_back(void *arg)
{
	struct scope_cgroup *c = arg;

	if (hierarchy_of_perf() == c->before)
		return true;
	/* Ever more seldom: each time it has to go all over again. */
	if (sys_monotonic_ns() < c->again_ns)
		return false;
	if (!mount("cgroup", c->root.dir, "cgroup", 0, "perf_event"))
		umount(c->root.dir);
	c->pause_ns *= 2;
	c->again_ns = sys_monotonic_ns() + c->pause_ns;
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
	if (c->controller[0]) {
		c->controller[0] = '-';
		write_file(c->root.dir, "cgroup.subtree_control", c->controller);
	}
	umount(c->root.dir);
	c->pause_ns = PAUSE_NS;
	c->again_ns = sys_monotonic_ns() + c->pause_ns;
	regress_expect(t, regress_until(is_back, c), "the controller is not back where it was");
	rmdir(c->root.dir);
}
