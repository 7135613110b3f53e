// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload pin remove: remove a pinned session or one pin. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "loader/commands/pinned/pinned_session.h"
#include "loader/commands/pinned/remove.h"
#include "loader/core/print/stop_signals.h"
#include "loader/core/session/pin_session.h"
#include "loader/core/sys/fd_limit.h"

/* --- session --- */

static int unlink_failed(struct removal *d, const char *path, int code, struct error *err)
{
	error_set(err, code, "unlink '%s': %s", path, error_strerror(code));
	if (own_limit_failed(d->sys, code, "pload/fd-limit", err))
		return -code;
	error_reason(err, "detach/refused");
	return error_hint(err, "check the owner and the mode of the directory");
}

/* A pin that does not exist any more counts as removed. */
static int remove_pin(struct removal *d, struct pinned_object *pin, struct error *err)
{
	int ret = sys_unlinkat(d->sys, pin->path);

	if (ret < 0 && ret != -ENOENT)
		return unlink_failed(d, pin->path, -ret, err);
	pin->removed = true;
	return 0;
}

static int remove_list(struct removal *d, struct pinned_list *list, uint32_t *nr, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < list->nr; i++) {
		ret = remove_pin(d, &list->list[i], err);
		*nr += !ret;
	}
	return ret;
}

/* Remove @dir if it is empty; otherwise report that it remains because it contains other files. */
static void remove_dir(struct removal *d, const char *dir, const char *subdir)
{
	char path[PATH_MAX];
	int ret;

	if (snprintf(path, sizeof(path), "%s%s%s", dir, subdir[0] ? "/" : "", subdir) >=
	    (int)sizeof(path))
		return;
	ret = sys_rmdir(d->sys, path);
	d->stays |= ret < 0 && ret != -ENOENT;
}

/*
 * Remove links first, so that no program runs while the rest is removed. Remove the mark after all
 * pins, just before the directories: if the kernel refuses a step, the rest is still a session that
 * can be detached.
 */
static int remove_session(struct removal *d, struct pinned_session *session, struct error *err)
{
	char mark[PATH_MAX];
	int ret = remove_list(d, &session->links, &d->nr_links, err);

	if (!ret)
		ret = remove_list(d, &session->progs, &d->nr_progs, err);
	if (!ret)
		ret = remove_list(d, &session->maps, &d->nr_maps, err);
	if (ret)
		return error_where(err, "%s", session->dir);
	snprintf(mark, sizeof(mark), "%s/" SESSION_PINS_MARK, session->dir);
	sys_unlinkat(d->sys, mark);
	remove_dir(d, session->dir, "links");
	remove_dir(d, session->dir, "progs");
	remove_dir(d, session->dir, "maps");
	remove_dir(d, session->dir, "");
	return 0;
}

static int remove_session_in(struct removal *d, const char *dir, struct error *err)
{
	struct pinned_session session;
	uint64_t before;
	int ret = pinned_session_open(d->sys, dir, false, &session, err);

	if (!ret)
		ret = signals_block(d->sys, &before, err);
	if (!ret) {	/* a signal ends the command before or after it, not within */
		ret = remove_session(d, &session, err);
		sys_sigprocmask(d->sys, SIG_SETMASK, before, NULL);
	}
	for (uint32_t i = 0; !ret && i < session.links.nr; i++)
		ret = removal_expect(d, session.links.list[i].id,
				    session.links.list[i].prog_id, err);
	d->nr_others = session.nr_others;
	pinned_session_close(&session);
	return ret;
}

/* --- one pin, which is removed even if pload did not create it --- */

static int remove_one_pin(struct removal *d, const char *path, struct error *err)
{
	int fd = kernel_obj_get(d->sys, path), ret;
	enum inventory_kind kind;
	uint32_t id;

	if (fd < 0) {
		error_set(err, -fd, "BPF_OBJ_GET: %s", error_strerror(-fd));
		error_reason(err, "detach/no-pin");
		kernel_obj_get_call(err, path, -fd);
		error_hint(err,
			   "name a directory of --pin, which pload pin list prints, or a pin");
		return error_where(err, "%s", path);
	}
	ret = inventory_kind_of_fd(d->sys, fd, &kind, &id);
	sys_close_fd(d->sys, &fd);
	if (!ret)
		ret = sys_unlinkat(d->sys, path);
	if (ret < 0) {
		unlink_failed(d, path, -ret, err);
		return error_where(err, "%s", path);
	}
	d->nr_links += kind == INVENTORY_LINK;
	d->nr_progs += kind == INVENTORY_PROG;
	d->nr_maps += kind == INVENTORY_MAP;
	return kind == INVENTORY_LINK ? removal_expect(d, id, 0, err) : 0;
}

/* --- all sessions --- */

static int remove_of_all(void *arg, const char *dir, struct error *err)
{
	struct removal *d = arg;
	int ret = remove_session_in(d, dir, err);

	if (ret == -EPERM && err->reason && !strcmp(err->reason, "pin/foreign")) {
		note(d->out, "%s is left alone: %s", dir, err->what);
		error_clear(err);
		d->failed = true;
		return 0;
	}
	d->any = true;
	return ret ? ret : removal_finish(d, dir, err);
}

static int remove_all(struct removal *d, struct error *err)
{
	const int ret = pinned_sessions_visit(d->sys, remove_of_all, d, err);

	if (ret || d->any)
		return ret;
	error_set(err, ENOENT, "no session of pload was found in any bpffs");
	error_reason(err, "kept/none");
	return error_hint(err, "pload pin list prints them");
}

/* --- command --- */

static int remove_one(struct removal *d, const char *what, struct error *err)
{
	char path[PATH_MAX];
	int ret, n;

	if (!strcmp(what, "all"))
		return remove_all(d, err);
	n = snprintf(path, sizeof(path), "%s", what);
	while (n > 1 && n < (int)sizeof(path) && path[n - 1] == '/')
		path[--n] = '\0';
	ret = is_directory(d->sys, path) ? remove_session_in(d, path, err) :
					   remove_one_pin(d, path, err);
	return ret ? ret : removal_finish(d, path, err);
}

int remove_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct removal d = { .sys = sys, .out = out };
	int ret = 0;

	for (unsigned int i = 0; !ret && i < o->nr_objects; i++)
		ret = remove_one(&d, o->objects[i], err);
	removal_free(&d);
	if (!ret)
		ret = output_flush(out, err);
	return ret ? ret : d.failed;
}

int remove_check(const struct options *o, struct error *err)
{
	if (o->nr_objects)
		return 0;
	error_set(err, EINVAL, "nothing to remove is named");
	return error_hint(err, "name a directory of --pin, a pin, or all");
}
