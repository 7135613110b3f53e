// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find everything pinned in the mounted BPF file systems. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/sys/read.h"
#include "loader/tools/inventory/inventory_internal.h"
#include "loader/tools/inventory/mounts.h"
#include "loader/core/event/event.h"

/* The stack has a frame per directory level. */
#define DEPTH_MAX 32

struct scan {
	struct inventory *a;
	char path[PATH_MAX];
	unsigned int depth;
	uint32_t closed;	/* files that may not be opened */
};

int inventory_kind_of_fd(struct sys *sys, int fd, enum inventory_kind *kind, uint32_t *id)
{
	/* struct bpf_map_info, bpf_prog_info and bpf_link_info all begin with { type, id }. */
	uint32_t head[2] = { 0 }, len = sizeof(head);
	char path[32], text[64];
	ssize_t n;
	int ret;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = sys_readlinkat(sys, path, text, sizeof(text) - 1);
	if (n < 0)
		return n;
	text[n] = '\0';
	if (!inventory_kind_of_name(text, kind))
		return -ENODATA;
	ret = kernel_fd_info(sys, fd, head, &len);
	*id = head[1];
	return ret;
}

static int add_pin(struct scan *w, int fd)
{
	struct inventory_pin *pin;
	enum inventory_kind kind;
	uint32_t id;

	if (inventory_kind_of_fd(w->a->sys, fd, &kind, &id) < 0)
		return 0;
	pin = inventory_grow(&w->a->pins, w->a->nr_pins, sizeof(*pin));
	if (!pin)
		return -ENOMEM;
	*pin = (struct inventory_pin){ .kind = kind, .id = id, .path = strdup(w->path) };
	w->a->nr_pins += pin->path != NULL;
	return pin->path ? 0 : -ENOMEM;
}

static int visit_dir(struct scan *w);

/* Visit w->path: a pin, a directory, or a symbolic link, whose target is visited elsewhere. */
static int visit_path(struct scan *w)
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
	ret = visit_dir(w);
	if (ret == -ENOMEM)
		return ret;
	/*
	 * ENOTDIR: a pin that may not be opened. After ENOENT it is one of the kernel's own files,
	 * maps.debug and progs.debug, or has been removed in the meantime.
	 */
	w->closed += (ret == -ENOTDIR && code != -ENOENT) || ret == -EACCES || ret == -EPERM ||
		     ret == -ELOOP;
	return 0;
}

static int visit_entry(void *arg, const char *name)
{
	struct scan *w = arg;
	const size_t len = strlen(w->path), room = sizeof(w->path) - len;
	int n = snprintf(w->path + len, room, "/%s", name), ret = 0;

	if (n > 0 && (size_t)n < room)
		ret = visit_path(w);
	w->path[len] = '\0';
	return ret;
}

static int visit_dir(struct scan *w)
{
	int ret;

	if (w->depth == DEPTH_MAX)
		return -ELOOP;
	w->depth++;
	ret = sys_each_entry(w->a->sys, AT_FDCWD, w->path, visit_entry, w);
	w->depth--;
	return ret;
}

static int visit_mount(void *arg, const char *path)
{
	struct scan *w = arg;
	const size_t len = snprintf(w->path, sizeof(w->path), "%s", path);
	int ret;

	/*
	 * Two file systems on one mount point: only the upper one is visible, and was already
	 * visited.
	 */
	for (uint32_t i = 0; i < w->a->nr_pins; i++)
		if (!strncmp(w->a->pins[i].path, w->path, len) && w->a->pins[i].path[len] == '/')
			return 0;
	ret = visit_dir(w);
	w->closed += ret == -EACCES || ret == -EPERM;
	return ret == -ENOMEM ? ret : 0;
}

int inventory_read_pins(struct inventory *a, struct error *err)
{
	struct scan *w = calloc(1, sizeof(*w));
	int ret = -ENOMEM;

	if (w) {
		w->a = a;
		ret = mounts_visit(a->sys, "bpf", visit_mount, w);
	}
	if (ret < 0 && ret != -ENOMEM)
		ret = inventory_add_unseen(a, "pins", 0, "the mounts of bpffs are not known: %s",
					   error_strerror(-ret));
	if (!ret && w->closed)
		ret = inventory_add_unseen(a, "pins", w->closed, "they may not be opened");
	free(w);
	return ret ? error_set(err, ENOMEM, "no memory for the list of pins") : 0;
}
