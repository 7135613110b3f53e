// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of commands behind "--" that do not start. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_command[] = {
	{ "command/not-found", "the command is nowhere",
	  "execve(2), of its path or of each directory in PATH: ENOENT, which is also said of a "
	  "file whose interpreter is not there. Exit status 127.",
	  "command -v NAME; head -n 1 FILE.", "Its path: -- ./NAME." },
	{ "command/cannot-run", "the command is there, and cannot be executed",
	  "execve(2): EACCES, ENOEXEC and others. Exit status 126.",
	  "ls -l FILE; file FILE; findmnt -T FILE (noexec).",
	  "chmod +x; or -- sh FILE where it is words without #!." },
	{ "command/no-child", "there is no process for the command, or nobody tells of its end",
	  "clone(2), pipe2(2) and pidfd_open(2): EAGAIN at RLIMIT_NPROC or pids.max, EMFILE, "
	  "ENOMEM.",
	  "ulimit -u -n; pids.max of the cgroup.", "Raise the limit." },
	{ NULL, NULL, NULL, NULL, NULL },
};
