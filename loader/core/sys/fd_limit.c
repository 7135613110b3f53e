// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The limit on open files (RLIMIT_NOFILE): raise it, and explain when it is reached. */
#include <errno.h>
#include <sys/resource.h>

#include "loader/core/sys/fd_limit.h"

/*
 * First to the hard limit, then beyond it, then again if the session's other parts took the room.
 */
#define RAISES_MAX 4

bool fd_limit_raise(struct sys *sys, struct fd_limit *limit, uint64_t more)
{
	uint64_t old[2], new[2];

	if (limit->nr_raised == RAISES_MAX || sys_prlimit(sys, RLIMIT_NOFILE, NULL, old) < 0)
		return false;
	limit->hard = old[1];
	limit->to = old[0];
	if (!limit->nr_raised)
		limit->from = old[0];
	new[0] = new[1] = old[1];
	if (old[0] >= old[1])
		new[0] = new[1] = old[1] + more;
	if (new[0] <= old[0] || sys_prlimit(sys, RLIMIT_NOFILE, new, NULL) < 0)
		return false;
	limit->to = new[0];
	limit->hard = new[1];
	limit->nr_raised++;
	return true;
}

bool fd_limit_failed(struct sys *sys, int code, const char *reason, uint64_t needed,
		     struct error *err)
{
	uint64_t limit[2];

	if (code != EMFILE && code != ENFILE)
		return false;
	if (reason)
		error_reason(err, reason);
	if (code == ENFILE || sys_prlimit(sys, RLIMIT_NOFILE, NULL, limit) < 0)
		error_hint(err, "each map, program, event and link needs a file descriptor, and "
				"the machine has run out of them: raise fs.file-max");
	else if (needed)
		error_hint(err, "the limit is %llu (hard: %llu), and raising it needs "
				"CAP_SYS_RESOURCE: ulimit -n %llu as root, or select fewer CPUs, "
				"threads or cgroups",
			   (unsigned long long)limit[0], (unsigned long long)limit[1],
			   (unsigned long long)needed);
	else
		error_hint(err, "each map, program, event and link needs a file descriptor, and "
				"the limit is %llu (hard: %llu): raise it with ulimit -n, or "
				"select fewer CPUs, threads or cgroups",
			   (unsigned long long)limit[0], (unsigned long long)limit[1]);
	return true;
}

bool own_limit_failed(struct sys *sys, int code, const char *reason, struct error *err)
{
	if (code != ENOMEM)
		return fd_limit_failed(sys, code, reason, 0, err);
	error_reason(err, "pload/no-memory");
	error_hint(err, "the machine, or its cgroup (memory.max), is out of memory: free");
	return true;
}
