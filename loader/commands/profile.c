// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload profile: find profile.bpf.o, run a session with it, and print the profile.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "loader/commands/commands.h"
#include "loader/core/print/message.h"
#include "loader/core/session/session.h"

#define OBJECT "profile.bpf.o"
#define DEFAULT_FREQ 999

/* The object relative to ./pload, to build/ARCH/pload, and to an installed pload. */
static const char *const folders[] = { "build/progs", "progs", "../lib/pload/progs" };

/* @flags: O_NOFOLLOW, or 0 */
static int status_of(struct sys *sys, const char *path, int flags, struct stat *st)
{
	int fd = sys_openat(sys, AT_FDCWD, path, O_PATH | O_CLOEXEC | flags);
	const int ret = fd < 0 ? fd : sys_fstat(sys, fd, st);

	sys_close_fd(sys, &fd);
	return ret;
}

/*
 * In a directory such as /tmp, in which pload may lie, others create folders, too: each part of
 * @path from @part on must belong to root, to the user or to @owner, who could change pload itself.
 */
static int check_owners(struct sys *sys, char *path, char *part, uid_t owner, struct error *err)
{
	struct stat st;
	int ret = 0;

	for (char *end; !ret && *part; part = end + (*end == '/')) {
		const char next = *(end = strchrnul(part, '/'));

		*end = '\0';
		ret = status_of(sys, path, O_NOFOLLOW, &st);
		if (!ret && ((st.st_uid && st.st_uid != geteuid() && st.st_uid != owner) ||
			     (!S_ISLNK(st.st_mode) && st.st_mode & S_IWOTH))) {
			ret = error_set(err, EPERM,
					"'%s' is another user's, who could replace " OBJECT, path);
			error_reason(err, "object/foreign");
			error_hint(err, "pload OBJECT -- COMMAND takes the object from anywhere");
		}
		*end = next;
	}
	return ret;
}

/* Find the object relative to this program, where make or a package put it. */
static int find_object(char path[PATH_MAX], struct error *err)
{
	struct sys *sys = sys_linux(); /* a simulated kernel has no path of this program */
	char dir[PATH_MAX / 2], *slash;
	const ssize_t len = sys_readlinkat(sys, "/proc/self/exe", dir, sizeof(dir) - 1);
	struct stat st;
	int ret = len < 0 ? len : status_of(sys, "/proc/self/exe", 0, &st);

	if (ret < 0)
		return error_set(err, -ret, "/proc/self/exe: %s", error_strerror(-ret));
	dir[len] = '\0';
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		char *part = path + snprintf(path, PATH_MAX, "%s/", dir);

		snprintf(part, PATH_MAX - (part - path), "%s/" OBJECT, folders[i]);
		part += strncmp(part, "../", 3) ? 0 : 3;
		ret = check_owners(sys, path, part, st.st_uid, err);
		if (ret != -ENOENT)
			return ret;
	}
	error_set(err, ENOENT, "neither %s, %s nor %s below it has " OBJECT, folders[0], folders[1],
		  folders[2]);
	error_reason(err, "object/no-file");
	error_hint(err, "make objects builds it; pload OBJECT -- COMMAND takes it from anywhere");
	return error_where(err, "%s", dir);
}

static int run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct options session = *o;
	char path[PATH_MAX], *object = path;
	int ret = find_object(path, err);

	if (ret)
		return ret;
	session.objects = &object;
	session.nr_objects = 1;
	return session_run(sys, &session, out, err);
}

static int check(struct options *o, struct error *err)
{
	const char *word = o->nr_objects ? o->objects[0] : NULL;

	if (word) {
		error_set(err, EINVAL, "'%s': pload profile uses its own object", word);
		if (strspn(word, "0123456789,") == strlen(word))
			return error_hint(err, "a process is given by -p: pload profile -p %s",
					  word);
		return error_hint(err,
				  "a command goes after '--': pload profile -- %s; pload "
				  "OBJECT attaches another object",
				  word);
	}
	if (options_check_session(o, err) < 0)
		return -EINVAL;
	if (!o->period && !o->freq && !o->events.nr)
		o->freq = DEFAULT_FREQ;
	o->only_profile = true;
	return 0;
}

static const struct option_group *const groups[] = {
	&options_scope,	  &options_events,	 &options_output,   &options_attaching,
	&options_loading, &options_kernel_types, &options_learning, NULL,
};

const struct command command_profile = {
	.name = "profile",
	.summary =
		"Sample call stacks: show where a command or the CPUs spend their time.",
	.arguments = "[-- COMMAND [ARGUMENT...]]",
	.runs_child = true,
	.formats = profile_output_formats,
	.about = "Sample a command, tasks (-p, -u ...) or all CPUs 999 times a second, and print\n"
		 "the hottest functions by self and total time, and the call tree.\n"
		 "--format=flamegraph -o out.html draws a flame graph for a browser. This is a\n"
		 "session with profile.bpf.o and takes the options of one; see pload-profile(7).\n",
	.examples =
		"    pload profile -- make -j2        # a command and its children\n"
		"    pload profile -p 42 -d 10        # a process, for ten seconds\n"
		"    pload profile -a -d 1            # all CPUs\n"
		"    pload profile --format=flamegraph -o out.html -- make  # a flame graph\n",
	.groups = groups,
	.check = check,
	.run = run,
};
