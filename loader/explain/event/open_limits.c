// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Why perf_event_open(2) failed: errnos with a single cause each, which can be looked up. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/event/open_failed.h"
#include "loader/core/sys/fd_limit.h"
#include "loader/core/sys/read.h"
#include "loader/core/sys/refused.h"

#define EXITING 0x4	/* PF_EXITING in include/linux/sched.h */

/*
 * Return true if /proc/PID/stat shows a task that has ended: "PID (NAME) STATE PPID PGRP SESSION
 * TTY TPGID FLAGS ...". A NAME may contain any character.
 */
static bool has_ended(const char *stat)
{
	const char *rest = strrchr(stat, ')');
	unsigned int flags = 0;
	char state = 0;

	if (!rest || sscanf(rest + 1, " %c %*d %*d %*d %*d %*d %u", &state, &flags) != 2)
		return false;
	return state == 'Z' || state == 'X' || flags & EXITING;
}

int open_explain_task(const struct open_failure *f, struct error *err)
{
	char path[64], stat[512];
	int ret;

	if (f->call->tid <= 0 || f->call->flags & PERF_FLAG_PID_CGROUP)
		return open_unknown(f, err, "ruled out: a task that has ended (the event is not "
					    "for another task)");
	snprintf(path, sizeof(path), "/proc/%d/stat", f->call->tid);
	ret = sys_read_text(f->sys, AT_FDCWD, path, stat, sizeof(stat));
	if (ret != -ENOENT && ret != -ESRCH && (ret < 0 || !has_ended(stat)))
		return open_unknown(f, err, ret < 0 ?
				    "the task may have ended: cannot read its stat file in /proc" :
				    "ruled out: a task that has ended (it is running)");
	open_failed_by(f, err, "perf-open/no-task", ret >= 0 ?
		       "the task has ended, but its parent has not waited for it" :
		       "the task has ended, or is not in this pid namespace");
	return error_hint(err, "-p takes the pid of a running process");
}

int open_explain_fds(const struct open_failure *f, struct error *err)
{
	open_failed_by(f, err, NULL, f->code == EMFILE ?
		       "this process is out of file descriptors" :
		       "the machine is out of file descriptors");
	fd_limit_failed(f->sys, f->code, "perf-open/fd-limit", 0, err);
	return -f->code;
}

/* The proxy made the call, and gave up waiting for the task's user (base/proxy). */
int open_explain_wait(const struct open_failure *f, struct error *err)
{
	open_failed_by(f, err, "perf-open/waits",
		       "the kernel is waiting for this task, which its user has blocked for too "
		       "long");
	error_hint(err, "it is stuck in execve(2): leave it out, or kill it");
	return -f->code;
}

int open_explain_stack(const struct open_failure *f, struct error *err)
{
	const unsigned int frames = f->attr->sample_max_stack;
	int64_t most;

	if (!sys_sysctl(f->sys, "perf_event_max_stack", &most) || (int64_t)frames <= most)
		return open_unknown(f, err, "ruled out: more frames than "
					    "kernel.perf_event_max_stack");
	open_failed_by(f, err, "perf-open/max-stack",
		       "more frames than kernel.perf_event_max_stack");
	return error_hint(err,
			  "use fewer frames, or sysctl kernel.perf_event_max_stack=%u", frames);
}

int open_explain_version(const struct open_failure *f, struct error *err)
{
	struct perf_event_attr attr = *f->attr;

	attr.size = sizeof(attr);	/* the kernel has stored its own size */
	attr.config3 = attr.config4 = 0;
	if ((!f->attr->config3 && !f->attr->config4) ||
	    open_again(f->sys, f->call, &attr) == -E2BIG)
		return open_unknown(f, err, "ruled out: config3 and config4, which older kernels "
					    "do not know");
	open_failed_by(f, err, "perf-open/too-old",
		       "this event needs fields of perf_event_attr that this kernel does not know");
	return error_hint(err, "its struct is %u bytes long; %s", f->attr->size, f->attr->config4 ?
			  "config4 needs Linux 6.19" : "config3 needs Linux 6.3");
}

/* This errno has only one meaning, so there is nothing to find out. */
int open_explain_memory(const struct open_failure *f, struct error *err)
{
	open_failed_by(f, err, "perf-open/no-memory",
		       "the kernel reports that it is out of memory");
	return error_hint(err, "events for CPUs need per-CPU memory: use fewer events or fewer "
			       "CPUs (-C)");
}

int open_explain_other(const struct open_failure *f, struct error *err)
{
	return open_unknown(f, err, "the kernel gave no other reason");
}
