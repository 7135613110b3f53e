// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload detach: remove a pinned session or one pin, or detach a link by its id. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "loader/cmd/command.h"
#include "loader/cmd/pinned/detach.h"
#include "loader/print/interruptible_stdout.h"
#include "loader/session/pin_session.h"
#include "loader/sys/fd_limit.h"
#include "loader/sys/number.h"

/* --- session --- */

static int unlink_failed(struct detach *d, const char *path, int code, struct error *err)
{
	error_set(err, code, "unlink '%s': %s", path, error_strerror(code));
	if (own_limit_failed(d->sys, code, "pload/fd-limit", err))
		return -code;
	error_reason(err, "detach/refused");
	return error_hint(err, "check the owner and the mode of the directory");
}

/* A pin that does not exist any more counts as removed. */
static int remove_pin(struct detach *d, struct pinned_object *pin, struct error *err)
{
	int ret = sys_unlinkat(d->sys, pin->path);

	if (ret < 0 && ret != -ENOENT)
		return unlink_failed(d, pin->path, -ret, err);
	pin->removed = true;
	return 0;
}

static int remove_list(struct detach *d, struct pinned_list *list, uint32_t *nr, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < list->nr; i++) {
		ret = remove_pin(d, &list->list[i], err);
		*nr += !ret;
	}
	return ret;
}

/* Remove @dir if it is empty; else report that it remains, since others have files in it. */
static void remove_dir(struct detach *d, const char *dir, const char *subdir)
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
static int remove_session(struct detach *d, struct pinned_session *session, struct error *err)
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

static int detach_session(struct detach *d, const char *dir, struct error *err)
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
		ret = detach_expect(d, session.links.list[i].id,
				    session.links.list[i].prog_id, err);
	d->nr_others = session.nr_others;
	pinned_session_close(&session);
	return ret;
}

/* --- one pin, which is removed even if pload did not create it --- */

static int detach_pin(struct detach *d, const char *path, struct error *err)
{
	int fd = kernel_obj_get(d->sys, path), ret;
	enum inventory_kind kind;
	uint32_t id;

	if (fd < 0) {
		error_set(err, -fd, "BPF_OBJ_GET: %s", error_strerror(-fd));
		error_reason(err, "detach/no-pin");
		kernel_obj_get_call(err, path, -fd);
		error_hint(err,
			   "name a directory of --pin, a pin, or the id of a link; pload show "
			   "lists them");
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
	return kind == INVENTORY_LINK ? detach_expect(d, id, 0, err) : 0;
}

/* --- link by id --- */

static int detach_id(struct detach *d, uint32_t id, struct error *err)
{
	int fd = kernel_fd_by_id(d->sys, BPF_LINK_GET_FD_BY_ID, id), ret;

	if (fd < 0) {
		error_set(err, -fd, "BPF_LINK_GET_FD_BY_ID: %s", error_strerror(-fd));
		if (fd == -ENOENT) {
			error_reason(err, "detach/no-link");
			error_hint(err, "no link has this id; pload show links lists all links");
		} else if (fd == -EPERM) {
			error_reason(err, "detach/no-capability");
			error_hint(err, "opening a link by its id requires CAP_SYS_ADMIN; a pin "
					"is removed by its path");
		}
		return error_where(err, "link %u", id);
	}
	ret = kernel_link_detach(d->sys, fd);
	sys_close_fd(d->sys, &fd);
	d->nr_detached += !ret;
	return ret ? detach_link_failed(d, id, -ret, err) : 0;
}

/* --- all sessions --- */

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
static int detach_all(struct detach *d, struct error *err)
{
	char dir[PATH_MAX], last[PATH_MAX] = "";
	struct inventory a = { .sys = d->sys };
	int ret = inventory_read_pins(&a, err);

	for (uint32_t i = 0; !ret && i < a.nr_pins; i++) {
		if (!session_of(a.pins[i].path, dir) || !strcmp(dir, last) ||
		    !is_pinned_session(d->sys, dir))
			continue;
		strcpy(last, dir);
		ret = detach_session(d, dir, err);
		if (ret == -EPERM && err->reason && !strcmp(err->reason, "pin/foreign")) {
			note(d->out, "%s is left alone: %s", dir, err->what);
			error_clear(err);
			d->failed = true;
			ret = 0;
			continue;
		}
		if (!ret)
			ret = detach_finish(d, dir, err);
		d->any = true;
	}
	inventory_free(&a);
	if (ret || d->any)
		return ret;
	error_set(err, ENOENT, "no session of pload was found in any bpffs");
	error_reason(err, "kept/none");
	return error_hint(err, "pload show lists what is pinned");
}

/* --- command --- */

static int detach_one(struct detach *d, const char *what, struct error *err)
{
	char path[PATH_MAX];
	uint32_t id;
	int ret, n;

	if (!strcmp(what, "all"))
		return detach_all(d, err);
	if (!number_parse_id(what, &id)) {
		ret = detach_id(d, id, err);
		return ret ? ret : detach_finish(d, what, err);
	}
	n = snprintf(path, sizeof(path), "%s", what);
	while (n > 1 && n < (int)sizeof(path) && path[n - 1] == '/')
		path[--n] = '\0';
	ret = is_directory(d->sys, path) ? detach_session(d, path, err) : detach_pin(d, path, err);
	return ret ? ret : detach_finish(d, path, err);
}

static int detach_run(struct sys *sys, const struct options *o, struct output *out,
		      struct error *err)
{
	struct detach d = { .sys = sys, .out = out };
	int ret = 0;

	for (unsigned int i = 0; !ret && i < o->nr_objects; i++)
		ret = detach_one(&d, o->objects[i], err);
	detach_free(&d);
	if (ret)
		error_where(err, "detach");
	if (!ret)
		ret = output_flush(out, err);
	return ret ? ret : d.failed;
}

static int check(struct options *o, struct error *err)
{
	if (o->nr_objects)
		return 0;
	error_set(err, EINVAL, "nothing to detach is named");
	return error_hint(err, "name a directory of --pin, a pin, the id of a link, or all");
}

const struct command command_detach = {
	.name = "detach",
	.summary = "End a pinned session, remove a pin, or detach a link by its id.",
	.arguments = "DIR|PIN|ID|all...",
	.about = "Remove the pins of a session that was kept by --pin=DIR, and wait until its\n"
		 "links are gone; all stands for every such session. Pins that pload did not\n"
		 "create stay, unless they are named. A link is detached by its ID where its\n"
		 "type allows it. A link to an event ends when nothing holds it any more; pload\n"
		 "prints what does.\n",
	.examples =
		"    pload detach /sys/fs/bpf/s  # a session\n"
		"    pload detach 7              # a link by its id, which pload show prints\n",
	.groups = options_learning_only,
	.check = check,
	.run = detach_run,
};
