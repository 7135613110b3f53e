// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes the grammar of events, and how they are opened with a hostile sysfs and tracefs. The input
 * is a line as after -e, and lines of "FILE=CONTENTS", which are below both the PMUs and tracefs.
 */
#include <errno.h>
#include <string.h>

#include "loader/core/event/steps.h"
#include "test/fuzz/seeds.h"
#include "test/fuzz/target.h"

#define DEVICES "/sys/bus/event_source/devices"
#define TRACING "/sys/kernel/tracing"
#define FD_BASE 10
#define FD_MAX 8
#define PATH_MAX_HERE 512

struct open_file {
	bool used;
	char path[PATH_MAX_HERE];	/* "cpu/type"; "" for the directory of all */
	size_t at;	/* position: of a file in its bytes, of a directory in the input */
};

struct machine {
	struct sys sys;	/* first: struct sys is converted back to it */
	struct bytes files;
	int nr_open;
	struct open_file fd[FD_MAX];
};

/* Get the next line of the input from *@at, without its newline; false: no more. */
static bool next_line(struct bytes b, size_t *at, struct bytes *line)
{
	const char *text = (const char *)b.data + *at, *end;

	if (*at >= b.size)
		return false;
	end = memchr(text, '\n', b.size - *at);
	*line = (struct bytes){ b.data + *at, end ? (size_t)(end - text) : b.size - *at };
	*at += line->size + 1;
	return true;
}

/*
 * Returns true if @line is about @path; @behind is then the rest of the line: contents after a '='
 * or the name of a file in it after a '/', as @mark asks.
 */
static bool is_of(struct bytes line, const char *path, char mark, struct bytes *behind)
{
	const size_t len = strlen(path), skip = len ? len + 1 : mark == '=' ? line.size + 1 : 0;

	if (line.size < skip || memcmp(line.data, path, len) || (len && line.data[len] != mark))
		return false;
	*behind = (struct bytes){ line.data + skip, line.size - skip };
	return true;
}

static bool find(const struct machine *m, const char *path, char mark, struct bytes *behind)
{
	struct bytes line;
	size_t at = 0;

	while (next_line(m->files, &at, &line))
		if (is_of(line, path, mark, behind))
			return true;
	return false;
}

static long on_open(struct machine *m, const char *path)
{
	struct bytes behind;

	if (!strncmp(path, DEVICES, strlen(DEVICES)))
		path += strlen(DEVICES);
	else if (!strncmp(path, TRACING, strlen(TRACING)))
		path += strlen(TRACING);
	else
		return -ENOENT;
	path += *path == '/';
	if (strlen(path) >= PATH_MAX_HERE)
		return -ENAMETOOLONG;
	if (!find(m, path, '=', &behind) && !find(m, path, '/', &behind))
		return -ENOENT;
	for (int i = 0; i < FD_MAX; i++) {
		if (m->fd[i].used)
			continue;
		m->fd[i] = (struct open_file){ .used = true };
		strcpy(m->fd[i].path, path);
		m->nr_open++;
		return FD_BASE + i;
	}
	return -EMFILE;
}

static long on_read(struct machine *m, struct open_file *f, char *buf, size_t size)
{
	struct bytes text;

	if (!find(m, f->path, '=', &text))
		return -EISDIR;
	text.data += f->at;
	text.size -= f->at;
	if (size > text.size)
		size = text.size;
	memcpy(buf, text.data, size);
	f->at += size;
	return size;
}

/* One entry per line: names may be repeated, and be anything that is a valid name. */
static long on_getdents(struct machine *m, struct open_file *f, char *buf, size_t size)
{
	struct bytes line, behind;
	uint16_t len;
	size_t name;

	while (next_line(m->files, &f->at, &line)) {
		if (!is_of(line, f->path, '/', &behind))
			continue;
		for (name = 0; name < behind.size && name < 255; name++)
			if (!behind.data[name] || strchr("/=", behind.data[name]))
				break;
		if (!name)
			continue;
		len = (19 + name + 1 + 7) & ~7;
		promise(len <= size);
		memset(buf, 0, len);
		memcpy(buf + 16, &len, sizeof(len));
		memcpy(buf + 19, behind.data, name);
		return len;
	}
	return 0;
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct machine *m = (struct machine *)sys;
	const unsigned long i = arg[0] - FD_BASE;
	struct open_file *f = i < FD_MAX && m->fd[i].used ? &m->fd[i] : NULL;

	if (nr == __NR_openat && (int)arg[0] == AT_FDCWD)
		return on_open(m, (const char *)arg[1]);
	if (nr == __NR_read && f)
		return on_read(m, f, (char *)arg[1], arg[2]);
	if (nr == __NR_getdents64 && f)
		return on_getdents(m, f, (char *)arg[1], arg[2]);
	if (nr == __NR_close) {
		promise(f);
		f->used = false;
		m->nr_open--;
		return 0;
	}
	return -ENOSYS;
}

static void say_note(void *arg, const char *text)
{
	(void)arg;
	promise(text[0]);
}

static int say_instead(void *arg, const char *wanted, const char *taken, const struct error *why,
		       struct error *err)
{
	(void)arg;
	(void)err;
	promise(wanted && taken && why->code < 0 && why->what[0]);
	return 0;
}

/* Check what event.h promises about the order of a list: groups and alternatives. */
static void walk_list(const struct event_list *list, bool expanded)
{
	for (unsigned int i = 0; i < list->nr; i++) {
		const struct event_spec *spec = &list->specs[i];
		const struct event_spec *before = i ? spec - 1 : NULL;

		promise(spec->kind <= EVENT_USDT);
		promise(spec->group <= list->nr_groups && spec->alt_set <= list->nr_alt_sets);
		promise(!spec->has_freq || !spec->has_period);
		promise(spec->alt_set || !spec->alt_index);
		promise(spec->group || !spec->leads);
		promise(spec->modifiers.precise <= EVENT_PRECISE_MAX);
		if (spec->group && (!before || before->group != spec->group))
			promise(spec->leads);
		if (spec->alt_set && before && before->alt_set == spec->alt_set)
			promise(spec->alt_index == before->alt_index || spec->alt_index > before->alt_index);
		promise(!expanded || spec->kind != EVENT_ALIAS || spec->alt_index);
	}
}

static void describe(struct machine *m, const struct event_spec *spec)
{
	static event_describe_fn *const ways[] = { event_by_type, event_by_pmu };

	for (int i = 0; i < 2; i++) {
		struct perf_event_attr attr = { .size = sizeof(attr) };
		struct cpu_list cpus = { 0 };
		struct error err = { 0 };

		walk_error(ways[i](&m->sys, spec, &attr, &cpus, &err), &err);
		for (unsigned int c = 1; c < cpus.nr; c++)
			promise(cpus.cpus[c] > cpus.cpus[c - 1]);
		cpu_list_free(&cpus);
		promise(!m->nr_open);
	}
}

static void use(struct machine *m, const char *text)
{
	const struct event_expand_hooks say = { say_note, say_instead, NULL };
	struct event_list list = { 0 };
	struct error err = { 0 };

	if (walk_error(event_list_parse(&list, text, &err), &err)) {
		walk_list(&list, false);
		if (walk_error(event_list_expand(&m->sys, &list, &say, &err), &err)) {
			walk_list(&list, true);
			for (unsigned int i = 0; i < list.nr && i < 16; i++)
				describe(m, &list.specs[i]);
		}
	}
	event_list_free(&list);
	promise(!m->nr_open);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes all = { data, size }, line = { 0 };
	struct machine m = { .sys.enter = enter };
	size_t at = 0;
	char *text;

	if (!next_line(all, &at, &line) || memchr(line.data, '\0', line.size))
		return -1;
	if (at > size)
		at = size;
	m.files = (struct bytes){ data + at, size - at };
	text = strndup((const char *)line.data, line.size);
	if (!text)
		abort();
	use(&m, text);
	free(text);
	return 0;
}
