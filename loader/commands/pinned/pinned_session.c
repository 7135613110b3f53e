// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read a session that is pinned in a directory. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/session/pin_session.h"
#include "loader/sessions/pins/pin_files.h"
#include "loader/core/sys/fd_limit.h"
#include "loader/commands/pinned/pinned_session.h"
#include "loader/core/event/event.h"
#include "loader/core/sys/read.h"

static ssize_t read_mark(struct sys *sys, const char *dir, char *text, size_t size)
{
	char path[PATH_MAX];
	ssize_t n;

	if (snprintf(path, sizeof(path), "%s/" SESSION_PINS_MARK, dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	n = sys_readlinkat(sys, path, text, size - 1);
	text[n > 0 ? n : 0] = '\0';
	return n;
}

static bool is_pinned_session(struct sys *sys, const char *dir)
{
	char text[sizeof(SESSION_PINS_VERSION) + 1];

	return read_mark(sys, dir, text, sizeof(text)) > 0 &&
	       !strcmp(text, SESSION_PINS_VERSION " ");
}

bool is_directory(struct sys *sys, const char *path)
{
	int fd = sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const bool is = fd >= 0;

	sys_close_fd(sys, &fd);
	return is;
}

static int check_mark(struct pinned_session *session, struct error *err)
{
	const size_t len = strlen(SESSION_PINS_VERSION);
	ssize_t n = read_mark(session->sys, session->dir, session->mark, sizeof(session->mark));
	char *object;

	if (n < 0) {
		if (n != -EINVAL && n != -ENOENT && n != -ENOTDIR) {
			error_set(err, -n, "its mark cannot be read: %s", error_strerror(-n));
			return error_reason(err, "kept/refused");
		}
		error_set(err, n == -EINVAL ? ENOENT : -n, "pload has pinned no session there");
		error_reason(err, "kept/none");
		return error_hint(err,
				  "name the directory that was given to --pin; pload show lists "
				  "what is pinned");
	}
	if (strncmp(session->mark, SESSION_PINS_VERSION " ", len + 1)) {
		error_set(err, EINVAL, "another version of pload pinned this session ('%.16s')",
			  session->mark);
		error_reason(err, "kept/version");
		return error_hint(err, "use that pload, or remove the pins: rm -r %.128s",
				  session->dir);
	}
	memmove(session->mark, session->mark + len, n + 1 - len);
	object = strstr(session->mark, SESSION_PINS_OBJECT);
	session->object = object ? object + strlen(SESSION_PINS_OBJECT) : "";
	if (object)
		*object = '\0';
	return 0;
}

/* --- pins --- */

struct reader {
	struct pinned_session *session;
	struct pinned_list *list;
	enum inventory_kind kind;
	const char *subdir;
	bool fds;
	char failed[NAME_MAX + 1];	/* name of the pin that could not be read */
};

static bool has_prog(const struct pinned_session *session, uint32_t id)
{
	for (uint32_t i = 0; i < session->progs.nr; i++)
		if (session->progs.list[i].id == id)
			return true;
	return false;
}

/* A link belongs to the session if its program does. Return 1, 0 or -errno. */
static int is_ours(struct reader *r, struct pinned_object *pin)
{
	struct bpf_link_info info = { 0 };
	uint32_t len = sizeof(info);
	enum inventory_kind kind;
	int ret = inventory_kind_of_fd(r->session->sys, pin->fd, &kind, &pin->id);

	if (ret < 0)
		return ret == -ENODATA ? 0 : ret;
	if (kind != r->kind || kind != INVENTORY_LINK)
		return kind == r->kind;
	ret = kernel_fd_info(r->session->sys, pin->fd, &info, &len);
	if (ret < 0)
		return ret;
	pin->prog_id = info.prog_id;
	return info.type == BPF_LINK_TYPE_STRUCT_OPS || has_prog(r->session, info.prog_id);
}

static int take(struct reader *r, struct pinned_object *pin)
{
	struct pinned_object *list = array_grow(r->list->list, r->list->nr, sizeof(*list));

	if (!list)
		return -ENOMEM;
	r->list->list = list;
	list[r->list->nr++] = *pin;
	return 0;
}

/*
 * Return 1 if @pin belongs to the session, and 0 if it does not, or does not exist any more. A pin
 * that cannot be read is an error (-errno): it may belong to the session, which must be complete.
 */
static int read_pin(struct reader *r, struct pinned_object *pin)
{
	struct sys *sys = r->session->sys;
	char target[8];
	int ret;

	/* pload creates no links there: what one leads to is not the session's. */
	if (sys_readlinkat(sys, pin->path, target, sizeof(target)) >= 0) {
		r->session->nr_others++;
		return 0;
	}
	pin->fd = kernel_obj_get(sys, pin->path);
	if (pin->fd == -EACCES && is_directory(sys, pin->path))
		return 0;
	if (pin->fd < 0)
		return pin->fd == -ENOENT ? 0 : pin->fd;
	ret = is_ours(r, pin);
	r->session->nr_others += !ret;
	if (ret <= 0 || !r->fds)
		sys_close_fd(sys, &pin->fd);
	return ret;
}

static int read_entry(void *arg, const char *name)
{
	struct reader *r = arg;
	struct pinned_object pin = { .fd = -1 };
	int ret = -ENOMEM;

	if (asprintf(&pin.path, "%s/%s/%s", r->session->dir, r->subdir, name) < 0)
		return ret;
	pin.name = strrchr(pin.path, '/') + 1;
	ret = read_pin(r, &pin);
	if (ret > 0 && !take(r, &pin))
		return 0;
	ret = ret > 0 ? -ENOMEM : ret;
	if (ret < 0)
		snprintf(r->failed, sizeof(r->failed), "%s", name);
	sys_close_fd(r->session->sys, &pin.fd);
	free(pin.path);
	return ret;
}

static int compare(const void *a, const void *b)
{
	const struct pinned_object *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* A missing directory counts as empty: pload was killed before it created it. */
static int read_subdir(struct reader *r, struct error *err)
{
	char path[PATH_MAX];
	int ret = -ENAMETOOLONG;

	if (snprintf(path, sizeof(path), "%s/%s", r->session->dir, r->subdir) < (int)sizeof(path)) {
		ret = pins_check_dir(r->session->sys, path, O_NOFOLLOW, err);
		if (ret < 0 && ret != -ENOENT)
			return ret;
		ret = sys_each_entry(r->session->sys, AT_FDCWD, path, read_entry, r);
	}
	if (r->list->nr)
		qsort(r->list->list, r->list->nr, sizeof(*r->list->list), compare);
	if (!ret || (ret == -ENOENT && !r->failed[0]))
		return 0;
	error_set(err, -ret, "%s", error_strerror(-ret));
	if (own_limit_failed(r->session->sys, -ret, "pload/fd-limit", err))
		return error_where(err, "%s%s%s", r->subdir, r->failed[0] ? "/" : "", r->failed);
	error_reason(err, "kept/refused");
	error_hint(err, "check the owner and the mode of the pins, and that /proc is mounted");
	return error_where(err, "%s%s%s", r->subdir, r->failed[0] ? "/" : "", r->failed);
}

int pinned_session_open(struct sys *sys, const char *dir, bool fds, struct pinned_session *session,
			struct error *err)
{
	struct reader readers[] = {
		{ session, &session->progs, INVENTORY_PROG, "progs", fds, "" },
		{ session, &session->maps, INVENTORY_MAP, "maps", fds, "" },
		{ session, &session->links, INVENTORY_LINK, "links", false, "" },
	};
	int ret;

	*session = (struct pinned_session){ .sys = sys, .dir = dir };
	ret = check_mark(session, err);
	if (!ret)
		ret = pins_check_dir(sys, dir, 0, err);
	if (ret == -ENOENT && err && !err->what[0]) {
		error_set(err, ENOENT, "'%s': %s", dir, error_strerror(ENOENT));
		error_reason(err, "pin/refused");
	}
	for (size_t i = 0; !ret && i < sizeof(readers) / sizeof(readers[0]); i++)
		ret = read_subdir(&readers[i], err);
	if (ret)
		error_where(err, "%s", dir);
	return ret;
}

static void free_list(struct sys *sys, struct pinned_list *list)
{
	for (uint32_t i = 0; i < list->nr; i++) {
		sys_close_fd(sys, &list->list[i].fd);
		free(list->list[i].path);
	}
	free(list->list);
}

void pinned_session_close(struct pinned_session *session)
{
	free_list(session->sys, &session->links);
	free_list(session->sys, &session->maps);
	free_list(session->sys, &session->progs);
	*session = (struct pinned_session){ .sys = session->sys };
}

/* Split "DIR/links/NAME" into "DIR". Return false if the path is not that of a session's pin. */
static bool session_of(const char *pin, char dir[PATH_MAX])
{
	static const char *const subdirs[] = { "/links", "/progs", "/maps" };
	char *slash;

	snprintf(dir, PATH_MAX, "%s", pin);
	slash = strrchr(dir, '/');
	*slash = '\0';
	slash = strrchr(dir, '/');
	for (size_t i = 0; slash && i < sizeof(subdirs) / sizeof(subdirs[0]); i++) {
		if (strcmp(slash, subdirs[i]))
			continue;
		*slash = '\0';
		return true;
	}
	return false;
}

/* The list of pins is ordered by directory, so the pins of one session are adjacent. */
int pinned_sessions_visit(struct sys *sys,
			  int (*each)(void *arg, const char *dir, struct error *err), void *arg,
			  struct error *err)
{
	char dir[PATH_MAX], last[PATH_MAX] = "";
	struct inventory a = { .sys = sys };
	int ret = inventory_read_pins(&a, err);

	for (uint32_t i = 0; !ret && i < a.nr_pins; i++) {
		if (!session_of(a.pins[i].path, dir) || !strcmp(dir, last) ||
		    !is_pinned_session(sys, dir))
			continue;
		strcpy(last, dir);
		ret = each(arg, dir, err);
	}
	inventory_free(&a);
	return ret;
}
