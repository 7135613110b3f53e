// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is pinned, in each bpffs that is mounted here. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "loader/attached/parts.h"
#include "loader/event/event.h"

#define MOUNTS "/proc/self/mounts"
#define MOUNTS_SIZE_MAX (16u << 20)

/* Directories in directories; the stack holds one step of the walk for each. */
#define DEPTH_MAX 32

struct walk {
	struct attached *a;
	char path[PATH_MAX];
	unsigned int depth;
	uint32_t closed;	/* what may not be opened */
};

int attached_kind_of(struct sys *sys, int fd, enum attached_kind *kind, uint32_t *id)
{
	char path[32], text[64];
	uint32_t head[2] = { 0 }, len = sizeof(head);	/* type and id begin the info of all three */
	ssize_t n;
	int ret;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = sys_readlinkat(sys, path, text, sizeof(text) - 1);
	if (n < 0)
		return n;
	text[n] = '\0';
	if (!attached_kind_named(text, kind))
		return -ENODATA;
	ret = kernel_fd_info(sys, fd, head, &len);
	*id = head[1];
	return ret;
}

static int add_pin(struct walk *w, int fd)
{
	struct attached_pin *pin;
	enum attached_kind kind;
	uint32_t id;

	if (attached_kind_of(w->a->sys, fd, &kind, &id) < 0)
		return 0;
	pin = attached_grow(&w->a->pins, w->a->nr_pins, sizeof(*pin));
	if (!pin)
		return -ENOMEM;
	*pin = (struct attached_pin){ .kind = kind, .id = id, .path = strdup(w->path) };
	w->a->nr_pins += pin->path != NULL;
	return pin->path ? 0 : -ENOMEM;
}

static int look_into(struct walk *w);

/* What w->path is: a pin, a directory, or a symbolic link to what is looked at elsewhere. */
static int look_at(struct walk *w)
{
	char text[8];
	int fd, ret, code;

	if (sys_readlinkat(w->a->sys, w->path, text, sizeof(text)) >= 0)
		return 0;
	code = fd = kernel_obj_get(w->a->sys, w->path);
	if (fd >= 0) {
		ret = add_pin(w, fd);
		sys_close_fd(w->a->sys, &fd);
		return ret;
	}
	ret = look_into(w);
	if (ret == -ENOMEM)
		return ret;
	/*
	 * One that may not be opened is no directory either; what has gone is not missed. What the
	 * kernel says ENOENT of is its own: maps.debug and progs.debug, which show what there is.
	 */
	w->closed += (ret == -ENOTDIR && code != -ENOENT) || ret == -EACCES || ret == -EPERM ||
		     ret == -ELOOP;
	return 0;
}

static int look_at_entry(void *arg, const char *name)
{
	struct walk *w = arg;
	const size_t len = strlen(w->path), room = sizeof(w->path) - len;
	int n = snprintf(w->path + len, room, "/%s", name), ret = 0;

	if (n > 0 && (size_t)n < room)
		ret = look_at(w);
	w->path[len] = '\0';
	return ret;
}

static int look_into(struct walk *w)
{
	int ret;

	if (w->depth == DEPTH_MAX)
		return -ELOOP;
	w->depth++;
	ret = event_each_entry(w->a->sys, AT_FDCWD, w->path, look_at_entry, w);
	w->depth--;
	return ret;
}

/* --- where bpffs is mounted --- */

/* "/a\040b" -> "/a b": seq_path() in fs/seq_file.c. Ends at a blank. */
static void unescape(char out[PATH_MAX], const char *text)
{
	size_t n = 0;

	while (*text && *text != ' ' && n < PATH_MAX - 1) {
		unsigned int c;

		if (*text == '\\' && sscanf(text + 1, "%3o", &c) == 1) {
			out[n++] = c;
			text += 4;
		} else {
			out[n++] = *text++;
		}
	}
	out[n] = '\0';
}

static int look_at_mount(struct walk *w, const char *line)
{
	const char *where = strchr(line, ' ');
	const char *type = where ? strchr(where + 1, ' ') : NULL;
	size_t len;
	int ret;

	if (!type || strncmp(type, " bpf ", 5))
		return 0;
	unescape(w->path, where + 1);
	len = strlen(w->path);
	for (uint32_t i = 0; i < w->a->nr_pins; i++)	/* mounted over another: seen already */
		if (!strncmp(w->a->pins[i].path, w->path, len) && w->a->pins[i].path[len] == '/')
			return 0;
	ret = look_into(w);
	w->closed += ret == -EACCES || ret == -EPERM;
	return ret == -ENOMEM ? ret : 0;
}

/* The whole file, with a NUL behind it; owned. NULL with *@ret. */
static char *read_mounts(struct sys *sys, int *ret)
{
	int fd = sys_openat(sys, AT_FDCWD, MOUNTS, O_RDONLY | O_CLOEXEC);
	size_t used = 0, room = 0;
	char *text = NULL;
	ssize_t n = fd;

	while (fd >= 0) {
		if (used + 1 >= room) {
			char *more = room < MOUNTS_SIZE_MAX ? realloc(text, 2 * room + 4096) : NULL;

			n = -ENOMEM;
			if (!more)
				break;
			text = more;
			room = 2 * room + 4096;
		}
		n = sys_read(sys, fd, text + used, room - used - 1);
		if (n <= 0)
			break;
		used += n;
	}
	sys_close_fd(sys, &fd);
	*ret = n < 0 ? n : 0;
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[used] = '\0';
	return text;
}

int attached_pins(struct attached *a, struct error *err)
{
	struct walk *w = calloc(1, sizeof(*w));
	char *text = NULL;
	int ret = -ENOMEM;

	if (w)
		text = read_mounts(a->sys, &ret);
	if (w)
		w->a = a;
	if (!text && ret != -ENOMEM)
		ret = attached_not_seen(a, "pins", 0, MOUNTS ": %s", error_strerror(-ret));
	for (char *line = text, *next; !ret && line && *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		ret = look_at_mount(w, line);
	}
	if (!ret && w->closed)
		ret = attached_not_seen(a, "pins", w->closed, "they may not be opened");
	free(text);
	free(w);
	return ret ? error_set(err, ENOMEM, "no memory for what is pinned") : 0;
}
