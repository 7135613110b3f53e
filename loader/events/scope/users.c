// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The processes of -u: look up the user in /etc/passwd and each process's owner in /proc. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/each_line.h"
#include "loader/events/scope/scope_internal.h"

#define PASSWD "/etc/passwd"

struct user {
	const char *name;
	uint64_t uid;
};

/* passwd(5): name:password:uid:... Return 1 if it is the user's line. */
static int passwd_line(void *arg, char *text)
{
	struct user *user = arg;
	const size_t len = strlen(user->name);
	char *uid;

	if (strncmp(text, user->name, len) != 0 || text[len] != ':')
		return 0;
	uid = strchr(text + len + 1, ':');
	return uid && !number_parse(uid + 1, strcspn(uid + 1, ":"), &user->uid);
}

static int find_user(struct sys *sys, struct user *user, struct error *err)
{
	int ret = 0;

	if (user->name[0] && !number_parse(user->name, strlen(user->name), &user->uid) &&
	    user->uid < UINT32_MAX)	/* (uid_t)-1 is not a user */
		return 0;
	if (user->name[0] && !strchr(user->name, ':') && !strchr(user->name, '\n'))
		ret = sys_each_line_of(sys, AT_FDCWD, PASSWD, passwd_line, user);
	if (ret == 1)
		return 0;
	if (ret < 0) {
		error_set(err, -ret, "%s cannot be read: %s", PASSWD, error_strerror(-ret));
		error_reason(err, "scope/no-user");
	} else {
		ret = error_set(err, ENOENT, "no such user in %s", PASSWD);
		error_reason(err, "scope/no-user");
	}
	error_hint(err, "-u also accepts a user id: id -u NAME prints it where the name is known");
	error_where(err, "user '%.64s'", user->name);
	return ret;
}

/* proc_pid_status(5): "Uid:" real, effective, saved, file system. Return 1 at that line. */
static int status_line(void *arg, char *text)
{
	struct user *owner = arg;
	char *field;

	if (strncmp(text, "Uid:", 4) != 0)
		return 0;
	field = text + 4 + strspn(text + 4, "\t ");
	field += strcspn(field, "\t ");
	field += strspn(field, "\t ");
	return number_parse(field, strcspn(field, "\t "), &owner->uid) ? -EIO : 1;
}

struct search {
	struct sys *sys;
	uint64_t uid;
	struct id_list *pids;
};

static int add_if_owned(void *arg, const char *name)
{
	struct search *search = arg;
	struct user owner = { 0 };
	uint64_t pid;
	char path[32];
	int ret;

	if (number_parse(name, strlen(name), &pid) || pid == 0 || pid > INT32_MAX)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	ret = sys_each_line_of(search->sys, AT_FDCWD, path, status_line, &owner);
	if (ret == -ENOENT || ret == -ESRCH)	/* it has ended */
		return 0;
	if (ret < 0)
		return ret;
	return ret == 1 && owner.uid == search->uid ? id_list_add(search->pids, pid) : 0;
}

int scope_user_processes(struct sys *sys, const char *name, struct id_list *pids, struct error *err)
{
	struct user user = { .name = name };
	struct search search = { .sys = sys, .pids = pids };
	int ret = find_user(sys, &user, err);

	if (ret)
		return ret;
	search.uid = user.uid;
	ret = sys_each_entry(sys, AT_FDCWD, "/proc", add_if_owned, &search);
	if (ret < 0) {
		error_set(err, -ret, "cannot list the processes: %s", error_strerror(-ret));
		error_where(err, "/proc");
		return error_where(err, "user '%.64s'", name);
	}
	if (pids->nr)
		return 0;
	error_set(err, ESRCH, "user %llu has no processes", (unsigned long long)user.uid);
	error_reason(err, "scope/no-process");
	error_hint(err, "-u selects existing processes; for future ones, use -a and check "
			"bpf_get_current_uid_gid() in the program");
	return error_where(err, "user '%.64s'", name);
}
