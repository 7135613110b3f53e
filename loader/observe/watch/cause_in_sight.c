// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Causes of a refused call that are visible without repeating it. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/magic.h>

#include "loader/observe/watch/watch_internal.h"

static void explain_pin(struct fact_refusal *r, const struct copy *copy,
			const struct fact_object *object)
{
	const char *path = (const char *)(unsigned long)copy_attr(copy)->pathname;
	char dir[PATH_MAX];
	struct statfs fs;

	if (object && object->kind == FD_EVENT) {
		snprintf(r->cause, sizeof(r->cause), "the descriptor is a perf event: a program "
			 "that PERF_EVENT_IOC_SET_BPF has bound cannot be pinned, only a link");
	} else if (path && r->code == EEXIST) {
		snprintf(r->cause, sizeof(r->cause), "the path exists already");
	} else if (path && strrchr(path, '/')) {
		snprintf(dir, sizeof(dir), "%.*s", (int)(strrchr(path, '/') - path), path);
		if (!statfs(dir, &fs) && fs.f_type != BPF_FS_MAGIC)
			snprintf(r->cause, sizeof(r->cause), "%.200s is in no bpffs", dir);
	}
	r->is_checked = r->cause[0] != '\0';
}

/* The descriptors named by calls: the first one that is not open causes EBADF. */
static void explain_fd(pid_t pid, struct fact_refusal *r, const struct copy *copy)
{
	const union bpf_attr *attr = copy->nr == __NR_bpf ? copy_attr(copy) : NULL;
	const bool links = attr && copy->arg[0] == BPF_LINK_CREATE;
	const bool binds = copy->nr == __NR_ioctl;
	const struct {
		const char *name;
		int fd;
	} fds[] = {
		{ links ? "prog_fd" : NULL, links ? attr->link_create.prog_fd : 0 },
		{ links ? "target_fd" : NULL, links ? attr->link_create.target_fd : 0 },
		{ binds ? "the event's descriptor" : NULL, copy->arg[0] },
		{ binds ? "the program's descriptor" : NULL, copy->arg[2] },
		{ attr && copy->arg[0] == BPF_PROG_LOAD && attr->prog_btf_fd ? "prog_btf_fd" : NULL,
		  attr ? (int)attr->prog_btf_fd : 0 },
		{ attr && copy->arg[0] == BPF_OBJ_PIN ? "bpf_fd" : NULL,
		  attr ? (int)attr->bpf_fd : 0 },
		{ copy->nr == __NR_perf_event_open ? "group_fd" : NULL, copy->arg[3] },
	};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]) && !r->cause[0]; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fds[i].fd);
		if (!fds[i].name ||
		    (fds[i].fd >= 0 && !faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW)))
			continue;
		snprintf(r->cause, sizeof(r->cause), "%s is %d, which is not open: a call that was "
			 "to return it was refused, or it was closed", fds[i].name, fds[i].fd);
		r->is_checked = true;
	}
}

bool cause_in_sight(pid_t pid, const struct copy *copy, const struct fact_object *object,
		    struct fact_refusal *r)
{
	const bool binds = copy->nr == __NR_ioctl && copy->arg[1] == PERF_EVENT_IOC_SET_BPF;

	if (copy->nr == __NR_bpf && copy->unreadable) {
		snprintf(r->cause, sizeof(r->cause), "the process has no readable memory at the "
			 "address of the attributes");
		r->is_checked = r->code == EFAULT;
	} else if (r->code == EBADF) {
		explain_fd(pid, r, copy);
	} else if (copy->nr == __NR_bpf && copy->arg[0] == BPF_OBJ_PIN) {
		explain_pin(r, copy, object);
	} else if (binds && r->code == EEXIST && object && object->bound) {
		snprintf(r->cause, sizeof(r->cause), "the event has a program, which was bound "
			 "before: an event takes one");
		r->is_checked = true;
	} else if (copy->nr == __NR_prlimit64 && r->code == EPERM) {
		snprintf(r->cause, sizeof(r->cause), "a hard limit is raised with "
			 "CAP_SYS_RESOURCE; since Linux 5.11 no limit of memory is needed");
		r->is_checked = true;
	} else {
		return false;
	}
	return true;
}
