// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload commands in a test: their object, and why they end early. */
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "test/regress/common/command.h"

int command_use(struct regress *t, const char *name)
{
	static char path[32];
	char file[64];
	int fd;

	snprintf(file, sizeof(file), "%s.bpf.o", name);
	fd = regress_file(t, file);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	command_object = path;
	return fd;
}

void command_refused(struct regress *t, const char *line)
{
	const char *end = strrchr(line, ']'), *begin = end ? strrchr(line, '[') : NULL;
	char reason[64] = "";
	struct error err = { 0 };

	if (begin)
		snprintf(reason, sizeof(reason), "%.*s", (int)(end - begin - 1), begin + 1);
	err.reason = reason;
	if (begin && (regress_lacks(&err) || !strcmp(reason, "scope/no-controller")))
		regress_skip(t, "%s", line);
	regress_fail(t, "%s", line);
}

void command_ok(struct regress *t, const struct command_said *said)
{
	char line[512];

	if (said->ret >= 0)
		return;
	snprintf(line, sizeof(line), "%.200s: %.200s [%s]", said->err.where, said->err.what,
		 said->err.reason ? said->err.reason : "");
	command_refused(t, line);
}

void command_name(char name[16])
{
	snprintf(name, 16, "regress%d", getpid());
	prctl(PR_SET_NAME, name);
}
