// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Directories and files that only this test can see. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/regress/common/own_dir.h"

void own_dir_make(struct regress *t, struct own_dir *dir, const char *fs)
{
	own_dir_mount(t, dir, fs, NULL);
}

/* Mount a private /tmp once per process, so that nothing is left there however the test ends. */
static void own_tmp(struct regress *t)
{
	static bool is_ours;

	if (is_ours)
		return;
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		regress_skip(t, "cannot create a mount namespace here: %s", strerror(errno));
	if (mount("tmpfs", "/tmp", "tmpfs", 0, NULL))
		regress_skip(t, "no tmpfs can be mounted on /tmp: %s", strerror(errno));
	is_ours = true;
}

/*
 * Cgroups are visible in every mount of their hierarchy. Remove those of tests that were killed:
 * their names contain the pid, and the kernel does not remove those in use.
 */
static void remove_left(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;
	pid_t pid;

	while (dir && (entry = readdir(dir)))
		if (sscanf(entry->d_name, "pload-%*[a-z]-%d", &pid) == 1 && pid > 0 &&
		    kill(pid, 0) && errno == ESRCH)
			unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
	if (dir)
		closedir(dir);
}

void own_dir_mount(struct regress *t, struct own_dir *dir, const char *fs, const char *options)
{
	own_tmp(t);
	strcpy(dir->dir, "/tmp/pload-XXXXXX");
	if (!mkdtemp(dir->dir))
		regress_skip(t, "cannot create a directory in /tmp: %s", strerror(errno));
	if (mount(fs, dir->dir, fs, 0, options))
		regress_skip(t, "no %s can be mounted here: %s", fs, strerror(errno));
	if (!strncmp(fs, "cgroup", strlen("cgroup")))
		remove_left(dir->dir);
}

void own_dir_end(struct own_dir *dir)
{
	umount2(dir->dir, MNT_DETACH);
	rmdir(dir->dir);
}

void own_dir_file(struct regress *t, const struct own_dir *dir, const char *name, char path[96])
{
	const int from = regress_file(t, name);
	struct stat st;
	off_t at = 0;
	int to;

	snprintf(path, 96, "%s/%s", dir->dir, name);
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	regress_expect(t, to >= 0 && !fstat(from, &st), "%s: %s", path, strerror(errno));
	while (at < st.st_size)
		if (sendfile(to, from, &at, st.st_size - at) <= 0)
			regress_fail(t, "%s: %s", path, strerror(errno));
	close(to);
	close(from);
}
