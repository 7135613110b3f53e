// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compares the open descriptors before a test with those after it. */
/* A failure is reported with the line of the test. */
#define REGRESS_KEEPS_LINE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/harness/leaks.h"

void descriptors_read(struct descriptors *d)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;

	memset(d, 0, sizeof(*d));
	while (dir && (entry = readdir(dir))) {
		const unsigned int fd = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fd < 8 * sizeof(d->open) && (int)fd != dirfd(dir))
			d->open[fd / 8] |= 1 << fd % 8;
	}
	if (dir)
		closedir(dir);
}

unsigned int regress_nr_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr;
}

void descriptors_check(struct regress *t, const struct descriptors *before)
{
	struct descriptors now;
	char path[64], what[128];

	descriptors_read(&now);
	for (unsigned int fd = 0; fd < 8 * sizeof(now.open); fd++) {
		const bool was = before->open[fd / 8] >> fd % 8 & 1;
		const bool is = now.open[fd / 8] >> fd % 8 & 1;
		ssize_t len;

		if (was == is)
			continue;
		regress_at(t, NULL, 0); /* no line of the test is to blame */
		regress_expect(t, is, "it closed descriptor %u, which it had not opened", fd);
		snprintf(path, sizeof(path), "/proc/self/fd/%u", fd);
		len = readlink(path, what, sizeof(what) - 1);
		what[len > 0 ? len : 0] = '\0';
		regress_fail(t, "it left descriptor %u open: %s", fd, what);
	}
}
