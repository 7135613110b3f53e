// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's kprobe_events and uprobe_events, and the events that their lines create. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/fault/fake_kernel_parts.h"

#define ROOT "tracefs:/"
#define FIRST_ID 2000

static const char *const files[] = { ROOT "kprobe_events", ROOT "uprobe_events" };

static struct fake_line *find(struct fake_kernel *k, const char *name)
{
	for (unsigned int i = 0; i < k->nr_lines; i++)
		if (!k->lines[i]->gone && !strcmp(k->lines[i]->name, name))
			return k->lines[i];
	return NULL;
}

/* "p:GROUP/NAME PLACE": store the group and name in @name. */
static bool parse(const char *text, char name[128])
{
	const char *colon = strchr(text, ':');
	size_t len;

	if (!colon || (text[0] != 'p' && text[0] != 'r' && text[0] != '-'))
		return false;
	len = strcspn(colon + 1, " \n");
	if (!len || len >= 128 || !memchr(colon + 1, '/', len))
		return false;
	memcpy(name, colon + 1, len);
	name[len] = '\0';
	return true;
}

static long add(struct fake_kernel *k, unsigned int file, const char *text)
{
	struct fake_line *line;
	char name[128];

	if (!parse(text, name) || !strchr(text, ' '))
		return -EINVAL;
	if (k->probe_code && !(k->takes_beginnings && strstr(text, "+0x0\n")))
		return -k->probe_code;
	/* In Linux this becomes a second probe of the same event; here it is a mistake. */
	if (find(k, name))
		fake_violation(k, "call %u: a second line '%s'", k->nr_calls, name);
	line = fake_grow(NULL, 0, sizeof(*line));
	k->lines = fake_grow(k->lines, k->nr_lines, sizeof(*k->lines));
	k->lines[k->nr_lines] = line;
	line->file = file;
	line->id = FIRST_ID + k->nr_lines++;
	snprintf(line->name, sizeof(line->name), "%s", name);
	snprintf(line->text, sizeof(line->text), "%.*s\n", (int)strcspn(text, "\n"), text);
	snprintf(line->id_text, sizeof(line->id_text), "%u\n", line->id);
	line->id_file = (struct fake_path){ .path = line->name, .data = line->id_text };
	return 0;
}

void fake_kernel_add_line(struct fake_kernel *k, bool uprobe, const char *text)
{
	if (add(k, uprobe, text) < 0)
		abort();
}

unsigned int fake_kernel_nr_lines(const struct fake_kernel *k)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < k->nr_lines; i++)
		n += !k->lines[i]->gone;
	return n;
}

const char *fake_kernel_line(const struct fake_kernel *k, unsigned int n)
{
	for (unsigned int i = 0; i < k->nr_lines; i++)
		if (!k->lines[i]->gone && !n--)
			return k->lines[i]->text;
	return NULL;
}

static long take(struct fake_kernel *k, const char *text)
{
	struct fake_line *line;
	char name[128];

	if (!parse(text, name))
		return -EINVAL;
	line = find(k, name);
	if (!line)
		return -ENOENT;
	if (line->busy) {
		line->busy--;
		return -EBUSY;
	}
	for (unsigned int i = 0; i < k->nr_events; i++)
		if (k->events[i]->open && k->events[i]->attr.type == PERF_TYPE_TRACEPOINT &&
		    k->events[i]->attr.config == line->id)
			return -EBUSY;
	line->gone = true;
	return 0;
}

void fake_kernel_refuse_probes(struct fake_kernel *k, int code)
{
	k->probe_code = code;
	k->takes_beginnings = false;
}

void fake_kernel_refuse_offsets(struct fake_kernel *k, int code)
{
	k->probe_code = code;
	k->takes_beginnings = true;
}

void fake_kernel_keep_busy(struct fake_kernel *k, unsigned int tries)
{
	k->busy_lines = tries;
}

long fake_open_lines(struct fake_kernel *k, const char *path, int flags)
{
	static const char events[] = ROOT "events/";
	const size_t n = strlen(events);
	struct fake_line *line = NULL;
	struct fake_fd *fd;
	unsigned int file = 0;
	char name[128];
	int nr;

	while (file < 2 && strcmp(files[file], path))
		file++;
	if (file == 2 && !strncmp(path, events, n)) {
		snprintf(name, sizeof(name), "%s", path + n);
		if (strlen(name) > 3 && !strcmp(name + strlen(name) - 3, "/id")) {
			name[strlen(name) - 3] = '\0';
			line = find(k, name);
		}
	}
	if (file == 2 && !line)
		return 0;
	if (fake_too_old(k, FAKE_NO_PROBES))
		return -ENOENT;
	if (!(flags & O_CLOEXEC))
		fake_violation(k, "call %u: open of %s without O_CLOEXEC", k->nr_calls, path);
	if (flags & O_TRUNC)
		fake_violation(k, "call %u: open of %s takes away everybody's lines", k->nr_calls,
			       path);
	nr = fake_fd_new(k, line ? SIM_FILE : SIM_LINES, &fd);
	if (nr < 0)
		return nr;
	fd->id = file;
	fd->file = line ? &line->id_file : NULL;
	return nr;
}

long fake_read_lines(struct fake_kernel *k, struct fake_fd *fd, char *buf, size_t size)
{
	size_t len = 0;

	while (fd->pos < k->nr_lines) {
		const struct fake_line *line = k->lines[fd->pos];

		if (!line->gone && line->file == fd->id) {
			if (len + strlen(line->text) > size)
				break;
			memcpy(buf + len, line->text, strlen(line->text));
			len += strlen(line->text);
		}
		fd->pos++;
	}
	return len;
}

long fake_write(struct fake_kernel *k, const unsigned long arg[6])
{
	const struct fake_fd *fd = sim_fd_get(&k->fds, arg[0]);
	char text[4096];
	long ret;

	if (!fd)
		return -EBADF;
	if (fd->kind == SIM_PIPE)
		return fake_pipe_write(k, fd, arg[2]);
	if (fd->kind != SIM_LINES || arg[2] >= sizeof(text))
		return -EINVAL;
	memcpy(text, (const void *)arg[1], arg[2]);
	text[arg[2]] = '\0';
	ret = text[0] == '-' ? take(k, text) : add(k, fd->id, text);
	if (ret == 0 && text[0] != '-')
		k->lines[k->nr_lines - 1]->busy = k->busy_lines;
	return ret < 0 ? ret : (long)arg[2];
}

bool fake_is_probe(const struct fake_kernel *k, const struct perf_event_attr *attr)
{
	if (attr->type == FAKE_KPROBE_TYPE || attr->type == FAKE_UPROBE_TYPE)
		return true;
	return attr->type == PERF_TYPE_TRACEPOINT && attr->config >= FIRST_ID &&
	       attr->config < FIRST_ID + k->nr_lines;
}
