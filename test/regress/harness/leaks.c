// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find and remove mounts, pins, probes in tracefs and cgroups that a test has left behind. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "test/regress/harness/leaks.h"

#define MAX_DEPTH 6

/* Each name is the path, or the text that remove() takes. */
struct thing {
	const char *what;
	void (*collect)(const struct leaks *l, struct texts *names);
	int (*remove)(const char *name);
	bool of_all;		/* others on this machine create such things, too: see is_ours() */
};

/* --- mounts: "ID PATH" --- */

static void collect_mounts(const struct leaks *l, struct texts *names)
{
	FILE *file = l->place->alone || l->place->own_mounts ?
			     fopen("/proc/self/mountinfo", "re") : NULL;
	char *line = NULL, path[4096];
	size_t size = 0;
	int id;

	while (file && getline(&line, &size, file) > 0)
		if (sscanf(line, "%d %*d %*s %*s %4095s", &id, path) == 2)
			texts_add(names, "%d %s", id, path);
	free(line);
	if (file)
		fclose(file);
}

static int remove_mount(const char *name)
{
	return umount2(strchr(name, ' ') + 1, MNT_DETACH);
}

/* --- files below a directory; the contents are listed before the directory itself --- */

static void walk(const char *path, bool files, int depth, struct texts *names)
{
	DIR *dir = depth ? opendir(path) : NULL;
	const struct dirent *entry;
	char *below;

	while (dir && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    (!files && entry->d_type != DT_DIR))
			continue;
		if (asprintf(&below, "%s/%s", path, entry->d_name) < 0)
			break;
		if (entry->d_type == DT_DIR)
			walk(below, files, depth - 1, names);
		texts_add(names, "%s", below);
		free(below);
	}
	if (dir)
		closedir(dir);
}

static void collect_pins(const struct leaks *l, struct texts *names)
{
	if (l->place->own_bpffs)
		walk("/sys/fs/bpf", true, MAX_DEPTH, names);
}

static void collect_cgroups(const struct leaks *l, struct texts *names)
{
	if (l->place->cgroups[0])
		walk(l->place->cgroups, false, l->place->alone ? MAX_DEPTH : 1, names);
}

/* --- lines of probes: "FILE GROUP/NAME" --- */

static void collect_lines(const char *path, struct texts *names)
{
	FILE *file = fopen(path, "re");
	char *line = NULL, *name;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0) {
		name = strchr(line, ':');
		if (name)
			texts_add(names, "%s %.*s", path, (int)strcspn(name + 1, " \n"), name + 1);
	}
	free(line);
	if (file)
		fclose(file);
}

static void collect_kprobes(const struct leaks *l, struct texts *names)
{
	(void)l;
	collect_lines("/sys/kernel/tracing/kprobe_events", names);
}

static void collect_uprobes(const struct leaks *l, struct texts *names)
{
	(void)l;
	collect_lines("/sys/kernel/tracing/uprobe_events", names);
}

static int remove_line(const char *name)
{
	const size_t len = strcspn(name, " ");
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), "%.*s", (int)len, name);
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = dprintf(fd, "-:%s", name + len + 1) < 0 ? -1 : 0;
	close(fd);
	return ret;
}

static const struct thing things[NR_THINGS] = {
	{ "mount", collect_mounts, remove_mount, false },
	{ "pin", collect_pins, remove, false },
	{ "cgroup", collect_cgroups, rmdir, true },
	{ "line", collect_kprobes, remove_line, true },
	{ "line", collect_uprobes, remove_line, true },
};

/*
 * If other users create such things, too, ours are recognized by the pid in their names, as the
 * loader names them: "/sys/fs/cgroup/pload-compare-123", "pload/do_exit_123_..."
 */
static bool is_ours(const char *name, pid_t pid)
{
	const char *end = strrchr(name, '/');
	char number[16];
	size_t len;

	snprintf(number, sizeof(number), "%d", pid);
	len = strlen(number);
	for (const char *at = end; at && (at = strstr(at + 1, number));)
		if (strchr("-_.", at[-1]) && (!at[len] || strchr("-_.", at[len])))
			return true;
	return false;
}

static void take_away(const struct thing *thing, const char *name, struct texts *found)
{
	const int code = thing->remove(name) ? errno : 0;

	if (found->nr < 20)
		texts_add(found, "%s %s%s%s", thing->what, name,
			  code ? ", which cannot be removed: " : "", code ? strerror(code) : "");
}

static void look(const struct leaks *l, int thing, struct texts *names)
{
	*names = (struct texts){ 0 };
	things[thing].collect(l, names);
	texts_sort(names);
}

void leaks_init(struct leaks *l, struct sys *sys, const struct place *place)
{
	*l = (struct leaks){ .sys = sys, .place = place };
	for (int i = 0; i < NR_THINGS; i++)
		look(l, i, &l->before[i]);
}

void leaks_free(struct leaks *l)
{
	for (int i = 0; i < NR_THINGS; i++)
		texts_free(&l->before[i]);
}

void leaks_begin(struct leaks *l)
{
	l->ids_untold = ids_begin(l->sys, &l->ids, l->place->alone);
}

static void end_things(struct leaks *l, pid_t pid, struct texts *found)
{
	for (int i = 0; i < NR_THINGS; i++) {
		const unsigned int nr = found->nr;
		struct texts now;

		look(l, i, &now);
		for (unsigned int j = now.nr; j; j--) {
			const char *name = now.list[j - 1];

			if (!texts_have(&l->before[i], name) &&
			    (!things[i].of_all || l->place->alone || is_ours(name, pid)))
				take_away(&things[i], name, found);
		}
		/*
		 * Unless some were removed, the current names are also those before the next test.
		 */
		texts_free(&l->before[i]);
		l->before[i] = now;
		if (found->nr > nr) {
			texts_free(&l->before[i]);
			look(l, i, &l->before[i]);
		}
	}
}

void leaks_end(struct leaks *l, pid_t pid, const struct regress_shared *shared, bool made_first,
	       struct texts *kept, struct texts *made)
{
	if (made_first)
		end_things(l, pid, made);
	/*
	 * Remove pins after this, so that each program, map or link is reported with the path of
	 * its pin.
	 */
	if (!l->ids_untold)
		ids_end(l->sys, &l->ids, l->place->alone, shared, &l->late, kept);
	if (!made_first)
		end_things(l, pid, made);
}
