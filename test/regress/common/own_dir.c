// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Directories and files that only this test sees. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/regress/common/own_dir.h"

void own_dir_make(struct regress *t, struct own_dir *place, const char *fs)
{
	int code;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		regress_skip(t, "no mount namespace can be made here: %s", strerror(errno));
	strcpy(place->dir, "/tmp/pload-XXXXXX");
	if (!mkdtemp(place->dir))
		regress_skip(t, "no directory can be made in /tmp: %s", strerror(errno));
	if (!mount(fs, place->dir, fs, 0, NULL))
		return;
	code = errno;
	rmdir(place->dir);
	regress_skip(t, "no %s can be mounted here: %s", fs, strerror(code));
}

void own_dir_end(struct own_dir *place)
{
	umount2(place->dir, MNT_DETACH);
	rmdir(place->dir);
}

void own_dir_file(struct regress *t, const struct own_dir *place, const char *name, char path[96])
{
	const int from = regress_file(t, name);
	struct stat st;
	off_t at = 0;
	int to;

	snprintf(path, 96, "%s/%s", place->dir, name);
	to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	regress_expect(t, to >= 0 && !fstat(from, &st), "%s: %s", path, strerror(errno));
	while (at < st.st_size)
		if (sendfile(to, from, &at, st.st_size - at) <= 0)
			regress_fail(t, "%s: %s", path, strerror(errno));
	close(to);
	close(from);
}
