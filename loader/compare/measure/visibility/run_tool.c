// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Run another program of the system, and search its JSON output. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/compare/measure/visibility/run_tool.h"
#include "loader/base/calls/processes.h"
#include "loader/base/json/parse_json.h"

#define OUTPUT_MS 5000
#define TEXT_MAX (4u << 20)
#define NOT_RUN 127

/* The tool runs with pload's privileges, so nothing from the user's environment is run. */
static const char *const dirs[] = { "/usr/sbin", "/usr/bin", "/sbin", "/bin" };
static char *const environment[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", NULL };

bool tool_find(struct sys *sys, const char *name, char *path, size_t size)
{
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		int fd = snprintf(path, size, "%s/%s", dirs[i], name) >= (int)size ? -1 :
			 sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			continue;
		sys_close(sys, fd);
		return true;
	}
	return false;
}

/* In the child. It never returns. */
static void run_tool(struct sys *sys, const char *path, char *const argv[], int out_fd)
{
	int null_fd = sys_openat(sys, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC);

	/* This process reads its output; its errors are not for the user. A signal ends it. */
	sys_sigprocmask(sys, SIG_SETMASK, 0, NULL);
	if (sys_dup3(sys, null_fd, STDIN_FILENO, 0) >= 0 &&
	    sys_dup3(sys, null_fd, STDERR_FILENO, 0) >= 0 &&
	    sys_dup3(sys, out_fd, STDOUT_FILENO, 0) >= 0)
		sys_execve(sys, path, argv, environment);
	sys_exit_group(sys, NOT_RUN);
}

/* Read until the end of file. -ETIMEDOUT, -E2BIG, -ENOMEM, or the error of read(). */
static int read_all(struct sys *sys, int fd, char **text)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	size_t size = 0, room = 0;
	ssize_t n;

	for (;;) {
		if (room - size < 2) {
			char *more = room < TEXT_MAX ? realloc(*text, room + (64u << 10)) : NULL;

			if (!more)
				return room < TEXT_MAX ? -ENOMEM : -E2BIG;
			*text = more;
			room += 64u << 10;
		}
		n = sys_poll(sys, &poll_fd, 1, OUTPUT_MS);
		if (n == -EINTR)
			continue;
		if (n > 0)
			n = sys_read(sys, fd, *text + size, room - size - 1);
		else
			n = n ? n : -ETIMEDOUT;
		if (n < 0)
			return n;
		size += n;
		(*text)[size] = '\0';
		if (!n)
			return 0;
	}
}

int tool_run(struct sys *sys, const char *path, char *const argv[], char **text, struct error *err)
{
	siginfo_t info = { 0 };
	int fds[2], ret, ended;
	pid_t pid;

	*text = NULL;
	ret = sys_pipe(sys, fds);
	if (ret < 0)
		return error_set(err, -ret, "pipe2: %s", error_strerror(-ret));
	pid = sys_fork(sys, SIGCHLD);
	if (pid == 0)
		run_tool(sys, path, argv, fds[1]);
	sys_close(sys, fds[1]);
	ret = pid < 0 ? pid : read_all(sys, fds[0], text);
	sys_close(sys, fds[0]);
	if (pid > 0) {
		if (ret < 0)
			sys_kill(sys, pid, SIGKILL);
		do
			ended = sys_waitid(sys, pid, &info, WEXITED);
		while (ended == -EINTR);
	}
	if (ret < 0)
		return error_set(err, -ret, "%s: %s", path, error_strerror(-ret));
	if (info.si_code != CLD_EXITED || info.si_status)
		return error_set(err, ECHILD, "%s has exited with %s %d", path,
				 info.si_code == CLD_EXITED ? "status" : "signal", info.si_status);
	return 0;
}

static bool has_number(struct json_object *o, const char *key, int64_t number)
{
	struct json_object *member;

	return !key || (json_object_object_get_ex(o, key, &member) &&
			json_object_get_int64(member) == number);
}

int tool_lists(const char *text, const char *key, int64_t number, const char *key2,
	       int64_t number2)
{
	struct json_object *list = NULL;
	struct error err = { 0 };
	int found;

	if (text)
		json_parse(text, strlen(text), &list, &err);
	error_clear(&err);
	found = json_object_is_type(list, json_type_array) ? 0 : -EBADMSG;

	for (size_t i = 0; !found && i < json_object_array_length(list); i++) {
		struct json_object *o = json_object_array_get_idx(list, i);

		found = has_number(o, key, number) && has_number(o, key2, number2);
	}
	json_object_put(list);
	return found;
}
