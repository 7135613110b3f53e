// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Write lines to kprobe_events and uprobe_events in tracefs, and remove lines: our own, and those
 * of a pload that was killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/base/calls/tracefs.h"
#include "loader/base/text/each_line.h"
#include "loader/events/probes/probes_internal.h"

/* A line is busy until every process has closed its events: retry for a second. */
#define REMOVE_TRIES 100
#define REMOVE_PAUSE_MS 10

struct line {
	enum probe_file file;
	char name[PROBE_NAME_MAX];
};

struct probe_lines {
	struct tracefs tracefs;
	int fds[PROBE_NR_FILES];	/* owned; open while there are lines to remove */
	struct probe_owner self;
	unsigned int serial;
	struct line *list; /* owned */
	unsigned int nr;
};

const char *const probe_files[PROBE_NR_FILES] = { "kprobe_events", "uprobe_events" };

static __attribute__((format(printf, 2, 3))) void note(const struct probes *probes,
						       const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!probes->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	probes->note(probes->note_arg, text);
}

/*
 * Remove a line. Return: 0 or -errno; -EBUSY if it is still in use. Other errors are retried once,
 * because a line that is not removed outlives this process.
 */
static int remove_line(struct sys *sys, int fd, const char *name)
{
	char text[PROBE_NAME_MAX + 16];
	size_t len = snprintf(text, sizeof(text), "-:" PROBE_GROUP "/%s\n", name);
	int ret = 0;

	for (int i = 0; i < REMOVE_TRIES; i++) {
		ret = sys_write(sys, fd, text, len);
		if (ret >= 0 || ret == -ENOENT)
			return 0;
		if (ret == -EBUSY)
			sys_poll(sys, NULL, 0, REMOVE_PAUSE_MS);
		else if (i > 0)
			break;
	}
	return ret;
}

/* --- lines of processes that have ended --- */

struct sweep {
	struct sys *sys;
	struct probes *probes;
	char (*names)[PROBE_NAME_MAX]; /* owned */
	unsigned int nr;
	uint32_t pid;	/* owner of the first one */
};

/* Collect "p:pload/NAME ..." and "r10:pload/NAME ..." of processes that have ended. */
static int look_at_line(void *arg, char *line)
{
	struct sweep *sweep = arg;
	const size_t group = strlen(":" PROBE_GROUP "/");
	char *name = strchr(line, ':'), (*names)[PROBE_NAME_MAX];
	uint32_t pid;

	if (!name || strncmp(name, ":" PROBE_GROUP "/", group))
		return 0;
	name += group;
	name[strcspn(name, " ")] = '\0';
	if (!probe_owner_gone(sweep->sys, &sweep->probes->lines->self, name, &pid))
		return 0;
	names = array_grow(sweep->names, sweep->nr, sizeof(*names));
	if (!names)
		return -ENOMEM;
	if (!sweep->nr)
		sweep->pid = pid;
	sweep->names = names;
	memcpy(names[sweep->nr++], name, strlen(name) + 1);
	return 0;
}

/*
 * Collect the lines before removing any, because a removal shifts the lines after it in the file. A
 * line stays if another process still has its event open.
 */
static int sweep_file(struct sys *sys, struct probes *probes, enum probe_file file, int fd)
{
	struct sweep sweep = { .sys = sys, .probes = probes };
	unsigned int removed = 0;
	int ret = sys_each_line(sys, fd, look_at_line, &sweep);

	for (unsigned int i = 0; ret == 0 && i < sweep.nr; i++) {
		if (remove_line(sys, fd, sweep.names[i]) == 0)
			removed++;
		else
			note(probes, "'" PROBE_GROUP "/%s' in %s belongs to a pload that has "
						     "ended but is still in use, so it stays",
						     sweep.names[i], probe_files[file]);
	}
	if (removed)
		note(probes, "removed %u line%s from %s that pload %u%s left behind when it was "
			     "killed: '" PROBE_GROUP "/%s'%s",
		     removed, removed == 1 ? "" : "s", probe_files[file], sweep.pid,
		     removed == 1 ? "" : " or another", sweep.names[0], removed == 1 ? "" : " ...");
	free(sweep.names);
	return ret;
}

/* --- the files --- */

static int no_file(struct sys *sys, enum probe_file file, int code, const struct tracefs *t,
		   struct error *err)
{
	const bool kprobes = file == PROBE_KPROBES;
	int fd = tracefs_openat(sys, t, probe_files[file], O_PATH | O_CLOEXEC);
	const bool missing = code == ENOENT && fd == -ENOENT;
	char path[64];

	sys_close_fd(sys, &fd);
	if (missing) {
		error_set(err, ENOENT, "this kernel's tracefs has no %s, so it cannot create %s",
			  probe_files[file], kprobes ? "kprobes" : "uprobes");
		error_reason(err, kprobes ? "probe/no-kprobes" : "probe/no-uprobes");
		return error_hint(err, "the kernel was built without CONFIG_%s_EVENTS",
				  kprobes ? "KPROBE" : "UPROBE");
	}
	error_set(err, code, "%s cannot be written: %s",
		  tracefs_path(t, probe_files[file], path, sizeof(path)), error_strerror(code));
	if (own_limit_failed(sys, code, "event/fd-limit", err))
		return -code;
	error_reason(err, "event/no-tracefs");
	if (code == EACCES || code == EPERM)
		error_hint(err, "writing it requires CAP_DAC_OVERRIDE (root has it) and a kernel "
				"that is not locked down");
	return -code;
}

/* Open the file for reading as well, to find lines of processes that have ended. */
static int open_file(struct sys *sys, struct probes *probes, enum probe_file file)
{
	struct probe_lines *lines = probes->lines;
	int fd = tracefs_openat(sys, &lines->tracefs, probe_files[file],
				O_RDWR | O_APPEND | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return fd;
	ret = sweep_file(sys, probes, file, fd);
	if (ret == 0)
		lines->fds[file] = fd;
	else
		sys_close(sys, fd);
	return ret;
}

static int begin(struct sys *sys, struct probes *probes, struct error *err)
{
	struct probe_lines *lines = calloc(1, sizeof(*lines));
	int ret;

	if (!lines)
		return error_set(err, ENOMEM, "no memory for tracefs lines");
	for (int i = 0; i < PROBE_NR_FILES; i++)
		lines->fds[i] = -1;
	ret = probe_owner_self(sys, &lines->self, err);
	if (ret == 0)
		ret = tracefs_find(sys, &lines->tracefs, err);
	if (ret == 0)
		probes->lines = lines;
	else
		free(lines);
	return ret;
}

int probe_lines_open(struct sys *sys, struct probes *probes, enum probe_file file,
		     struct error *err)
{
	const bool first = !probes->lines;
	int ret = first ? begin(sys, probes, err) : 0;

	if (ret < 0 || probes->lines->fds[file] >= 0)
		return ret;
	ret = open_file(sys, probes, file);
	if (ret < 0)
		return no_file(sys, file, -ret, &probes->lines->tracefs, err);
	/* The first call also removes such lines from the other file. */
	for (int i = 0; first && i < PROBE_NR_FILES; i++) {
		if (probes->lines->fds[i] >= 0 || open_file(sys, probes, i) < 0)
			continue;
		sys_close_fd(sys, &probes->lines->fds[i]);
	}
	return 0;
}

const struct tracefs *probe_lines_tracefs(const struct probes *probes)
{
	return &probes->lines->tracefs;
}

/*
 * Names must be unique: the kernel adds a line with an existing name to that event as a second
 * probe. The descriptor in the name distinguishes several struct probes of one process.
 */
void probe_lines_name(struct probes *probes, enum probe_file file, const char *what,
		      char name[PROBE_NAME_MAX])
{
	struct probe_lines *lines = probes->lines;

	probe_owner_name(&lines->self, what, lines->fds[file], lines->serial++, name);
}

int probe_lines_add(struct sys *sys, struct probes *probes, enum probe_file file, const char *name,
		    const char *line)
{
	struct probe_lines *lines = probes->lines;
	struct line *list = array_grow(lines->list, lines->nr, sizeof(*list));
	int ret;

	if (!list)
		return -ENOMEM;
	lines->list = list;
	list[lines->nr].file = file;
	memcpy(list[lines->nr].name, name, strlen(name) + 1);
	ret = sys_write(sys, lines->fds[file], line, strlen(line));
	if (ret < 0)
		return ret;
	probes->nr = ++lines->nr;
	return 0;
}

/* --- missed calls --- */

void probes_note_missed(const struct probes *probes, uint64_t nr)
{
	if (nr)
		note(probes, "%" PRIu64 " call%s of functions with kprobes %s missed: "
		     "the kernel tracks a limited number of returns at a time, and runs no program "
		     "for a probe hit inside another one",
		     nr, nr == 1 ? "" : "s", nr == 1 ? "was" : "were");
}

struct profile {
	const struct probe_lines *lines;
	uint64_t missed;
};

/* A line of kprobe_profile is "  NAME   HITS   MISSED". */
static int look_at_profile(void *arg, char *text)
{
	struct profile *p = arg;
	char name[PROBE_NAME_MAX];
	uint64_t missed;

	if (sscanf(text, " %63s %*u %" SCNu64, name, &missed) != 2 || !missed)
		return 0;
	for (unsigned int i = 0; i < p->lines->nr; i++)
		if (p->lines->list[i].file == PROBE_KPROBES &&
		    !strcmp(p->lines->list[i].name, name))
			p->missed += missed;
	return 0;
}

/* Add up the missed calls in kprobe_profile, which lists a kprobe until its line is removed. */
static void note_missed(struct sys *sys, const struct probes *probes)
{
	struct profile p = { .lines = probes->lines };
	unsigned int i = 0;
	int fd;

	while (i < p.lines->nr && p.lines->list[i].file != PROBE_KPROBES)
		i++;
	if (i == p.lines->nr)
		return;
	fd = tracefs_openat(sys, &p.lines->tracefs, "kprobe_profile", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	sys_each_line(sys, fd, look_at_profile, &p);
	sys_close(sys, fd);
	probes_note_missed(probes, p.missed);
}

void probes_remove(struct sys *sys, struct probes *probes, unsigned int from)
{
	struct probe_lines *lines = probes->lines;

	for (; lines && lines->nr > from; lines->nr--) {
		const struct line *line = &lines->list[lines->nr - 1];
		int ret = remove_line(sys, lines->fds[line->file], line->name);

		if (ret < 0)
			note(probes, "'" PROBE_GROUP "/%s' stays in %s: %s; the next pload removes "
				     "it, or echo '-:" PROBE_GROUP "/%s' >>%s",
			     line->name, probe_files[line->file], error_strerror(-ret),
			     line->name, probe_files[line->file]);
	}
	probes->nr = lines ? lines->nr : 0;
}

void probes_end(struct sys *sys, struct probes *probes)
{
	struct probe_lines *lines = probes->lines;

	if (!lines)
		return;
	note_missed(sys, probes);
	probes_remove(sys, probes, 0);
	for (int i = 0; i < PROBE_NR_FILES; i++)
		sys_close_fd(sys, &lines->fds[i]);
	tracefs_close(sys, &lines->tracefs);
	free(lines->list);
	free(lines);
	probes->lines = NULL;
	probes->nr = 0;
}
