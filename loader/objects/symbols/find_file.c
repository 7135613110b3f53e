// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the file of a program or library by name: a file mapped by process -p, a program in PATH, or
 * a library of the dynamic linker, in this order.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/objects/symbols/symbols_internal.h"

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int too_long(const char *name, int code, struct error *err)
{
	error_set(err, code, "the path of '%.80s' %s", name,
		  code == ELOOP ? "has too many symbolic links" : "is too long");
	return error_reason(err, "symbols/no-file");
}

/* Return true if @path is an executable file. */
static bool is_program(struct sys *sys, const char *path)
{
	int fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	bool ok;

	if (fd < 0)
		return false;
	ok = sys_fstat(sys, fd, &st) >= 0 && S_ISREG(st.st_mode) && (st.st_mode & 0111);
	sys_close_fd(sys, &fd);
	return ok;
}

/* Find a program in PATH, like a shell. */
static bool find_program(struct symbols *s, const char *root, const char *name,
			 char path[EVENT_PATH_MAX])
{
	const char *dir = s->search, *end;
	char joined[EVENT_PATH_MAX];

	for (; dir && *dir; dir = *end ? end + 1 : end) {
		end = dir + strcspn(dir, ":");
		if (dir[0] == '/' &&
		    (size_t)snprintf(joined, sizeof(joined), "%.*s/%s", (int)(end - dir), dir,
				     name) < sizeof(joined) &&
		    !process_path(s->sys, root, joined, path) && is_program(s->sys, path))
			return true;
	}
	return false;
}

/* A search in the mappings of a process. */
struct search {
	const char *name;
	char path[EVENT_PATH_MAX];	/* in the mount namespace of the process */
	bool deleted;
	uint64_t start, end;
};

static int match_mapping(void *arg, const struct process_mapping *m)
{
	struct search *search = arg;
	const char *base = path_base(m->path);

	if (strcmp(base, search->name) && !is_library(base, search->name))
		return 0;
	snprintf(search->path, sizeof(search->path), "%s", m->path);
	search->deleted = m->deleted;
	search->start = m->start;
	search->end = m->end;
	return 1;
}

/*
 * Return 1 if the process has mapped the file, whatever the dynamic linker would find now. A file
 * that was replaced since then is only accessible through /proc/PID/map_files.
 */
static int find_mapped(struct symbols *s, const char *root, const char *name, pid_t pid,
		       struct symbol_locations *locations, struct error *err)
{
	struct search search = { .name = name };
	int ret = process_each_mapping(s->sys, pid, match_mapping, &search, err);

	if (ret <= 0)
		return ret;
	if (search.deleted) {
		snprintf(locations->path, sizeof(locations->path), "/proc/%d/map_files/%llx-%llx",
			 pid, (unsigned long long)search.start, (unsigned long long)search.end);
		symbol_locations_note(locations,
				      "process %d runs %.128s, which has been replaced since: new "
				      "processes run another file",
				      pid, search.path);
		return 1;
	}
	ret = process_path(s->sys, root, search.path, locations->path);
	return ret ? too_long(name, -ret, err) : 1;
}

static int not_found(struct symbols *s, const char *name, pid_t pid, struct error *err)
{
	if (pid)
		error_set(err, ENOENT,
			  "process %d has not mapped '%.128s', and its mount namespace has no "
			  "program or library with that name",
			  pid, name);
	else
		error_set(err, ENOENT,
			  "no program '%.128s'%s and no library with that name", name,
			  s->search ? " in PATH" : "");
	error_hint(err,
		   "write the path of the file, as in /usr/bin/%.64s; ldconfig -p lists the "
		   "library names",
		   name);
	return error_reason(err, "symbols/no-file");
}

/* Find a name without '/'. */
static int find_name(struct symbols *s, const char *root, const char *name, pid_t pid,
		     struct symbol_locations *locations, struct error *err)
{
	char library[EVENT_PATH_MAX];
	bool others = false;
	int ret = 0;

	if (pid)
		ret = find_mapped(s, root, name, pid, locations, err);
	if (ret)
		return ret < 0 ? ret : 0;
	if (!strstr(name, ".so") && find_program(s, root, name, locations->path))
		return 0;
	ret = find_library(s, root, name, library, &others, err);
	if (ret <= 0)
		return ret ? ret : not_found(s, name, pid, err);
	if (others)
		symbol_locations_note(
			locations,
			"'%.64s' is %.128s here; other processors have files with that name, too",
			name, library);
	ret = process_path(s->sys, root, library, locations->path);
	return ret ? too_long(name, -ret, err) : 0;
}

int find_file(struct symbols *s, const char *name, pid_t pid, struct symbol_locations *locations,
	      struct error *err)
{
	char root[32] = "";
	int ret = pid ? process_root(s->sys, pid, root, err) : 0;

	if (ret)
		return ret;
	if (!strchr(name, '/'))
		return find_name(s, root, name, pid, locations, err);
	ret = process_path(s->sys, name[0] == '/' ? root : "", name, locations->path);
	return ret ? too_long(name, -ret, err) : 0;
}
