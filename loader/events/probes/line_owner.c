// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The owner of a tracefs line: the line outlives its process, so its name identifies the owner. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/events/probes/probes_internal.h"

/* Field numbers in proc_pid_stat(5), counting from 1. */
enum { FIELD_STATE = 3, FIELD_STARTTIME = 22 };

struct process {
	uint32_t pid;
	char state;
	uint64_t start;
};

/*
 * /proc/PID/stat:	1234 (a name) S 1 1234 ... STARTTIME ...
 *
 * The name may contain any character, even ')', so field 3 follows the last ')'.
 */
static bool parse_stat(const char *text, struct process *p)
{
	const char *at = strrchr(text, ')');
	uint64_t pid;
	int field = FIELD_STATE - 1;

	if (!at || number_parse(text, strspn(text, "0123456789"), &pid) || pid > INT32_MAX)
		return false;
	for (; *at && field < FIELD_STARTTIME; at++) {
		if (*at != ' ')
			continue;
		field++;
		if (field == FIELD_STATE)
			p->state = at[1];
	}
	p->pid = pid;
	return field == FIELD_STARTTIME && !number_parse(at, strcspn(at, " "), &p->start);
}

static int read_process(struct sys *sys, const char *pid, struct process *p)
{
	char path[32], text[1024];
	int ret;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	ret = sys_read_text(sys, AT_FDCWD, path, text, sizeof(text));
	if (ret < 0)
		return ret;
	return parse_stat(text, p) ? 0 : -EIO;
}

static int read_namespace(struct sys *sys, uint32_t *ns)
{
	int fd = sys_openat(sys, AT_FDCWD, "/proc/self/ns/pid", O_RDONLY | O_CLOEXEC), ret;
	struct stat st;

	if (fd < 0)
		return fd;
	ret = sys_fstat(sys, fd, &st);
	*ns = st.st_ino; /* an unsigned int in the kernel: struct ns_common */
	sys_close(sys, fd);
	return ret;
}

int probe_owner_self(struct sys *sys, struct probe_owner *owner, struct error *err)
{
	struct process self;
	int ret = read_process(sys, "self", &self);

	if (ret == 0)
		ret = read_namespace(sys, &owner->ns);
	if (ret == 0) {
		owner->pid = self.pid;
		owner->start = self.start;
		return 0;
	}
	error_set(err, -ret, "cannot read the id of this process from /proc/self: %s",
		  error_strerror(-ret));
	if (own_limit_failed(sys, -ret, "pload/fd-limit", err))
		return ret;
	error_reason(err, "probe/no-proc");
	error_hint(err, "is /proc mounted? --attach=link does not need it");
	return ret;
}

/* The kernel accepts only C identifiers: is_good_name() in kernel/trace/trace.h. */
void probe_owner_name(const struct probe_owner *owner, const char *what, unsigned int set,
		      unsigned int serial, char name[PROBE_NAME_MAX])
{
	char tail[PROBE_NAME_MAX];
	size_t room, len;

	/* At most 10 + 16 + 3 * 8 digits and 5 underscores, so it fits. */
	snprintf(tail, sizeof(tail), "_%" PRIu32 "_%" PRIx64 "_%" PRIx32 "_%x_%x", owner->pid,
		 owner->start, owner->ns, set, serial);
	room = PROBE_NAME_MAX - 1 - strlen(tail);
	len = strnlen(what, room);
	for (size_t i = 0; i < len; i++)
		name[i] = isalnum((unsigned char)what[i]) ? what[i] : '_';
	if (!len || isdigit((unsigned char)name[0]))
		name[0] = '_';
	memcpy(name + (len ? len : 1), tail, strlen(tail) + 1);
}

/* Parse "_NUMBER" at the end of @name, and strip it. */
static bool take_number(char *name, int base, uint64_t *value)
{
	char *mark = strrchr(name, '_'), *end;

	if (!mark || !isxdigit((unsigned char)mark[1]))
		return false;
	errno = 0;
	*value = strtoull(mark + 1, &end, base);
	*mark = '\0';
	return !*end && !errno;
}

bool probe_owner_of(const char *name, struct probe_owner *owner)
{
	uint64_t serial, set, ns, pid;
	char text[PROBE_NAME_MAX];

	if (strlen(name) >= sizeof(text))
		return false;
	memcpy(text, name, strlen(name) + 1);
	if (!take_number(text, 16, &serial) || !take_number(text, 16, &set) ||
	    !take_number(text, 16, &ns) || !take_number(text, 16, &owner->start) ||
	    !take_number(text, 10, &pid) || !text[0] || pid > INT32_MAX || ns > UINT32_MAX)
		return false;
	owner->pid = pid;
	owner->ns = ns;
	return true;
}

bool probe_owner_gone(struct sys *sys, const struct probe_owner *self, const char *name,
		      uint32_t *pid)
{
	struct probe_owner owner;
	struct process p;
	char text[16];
	int ret;

	if (!probe_owner_of(name, &owner) || owner.ns != self->ns)
		return false;
	*pid = owner.pid;
	snprintf(text, sizeof(text), "%" PRIu32, owner.pid);
	ret = read_process(sys, text, &p);
	if (ret == -ENOENT || ret == -ESRCH)
		return true;
	/* A zombie has nothing left but its exit status; its descriptors are closed. */
	return ret == 0 && (p.start != owner.start || p.state == 'Z' || p.state == 'X');
}
