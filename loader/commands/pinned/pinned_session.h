/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read a session that is pinned in a directory: pin_session.h has the layout of one. */
#ifndef PLOAD_COMMANDS_PINNED_PINNED_SESSION_H
#define PLOAD_COMMANDS_PINNED_PINNED_SESSION_H

#include "loader/core/print/output.h"
#include "loader/core/session/options.h"
#include "loader/tools/inventory/inventory.h"

struct pinned_object {
	char *path;		/* owned */
	const char *name;	/* in path: after its last '/' */
	int fd;			/* owned; -1: not kept open */
	uint32_t id;
	uint32_t prog_id;	/* id of the program of a link */
	bool removed;
};

struct pinned_list {
	struct pinned_object *list;	/* owned */
	uint32_t nr;
};

struct pinned_session {
	struct sys *sys;	/* borrowed */
	const char *dir;	/* borrowed */
	char mark[4096];	/* the text of DIR/pload after the version */
	const char *object;	/* in mark: the object file of the session; "": not recorded */
	struct pinned_list maps, progs, links;
	uint32_t nr_others;	/* pins in dir that do not belong to the session */
};

/**
 * pinned_session_open() - Read what pload has pinned in @dir.
 * @fds: keep the descriptors of maps and programs open.
 * @session: call pinned_session_close() for it, also after a failure.
 *
 * Return: 0 or -errno; -ENOENT: pload has pinned no session there ("kept/none").
 */
int pinned_session_open(struct sys *sys, const char *dir, bool fds, struct pinned_session *session,
			struct error *err);
void pinned_session_close(struct pinned_session *session);

/*
 * pinned_sessions_visit() - Call @each for the directory of each session in any bpffs, until it
 * returns a value other than 0, and return that.
 */
int pinned_sessions_visit(struct sys *sys,
			  int (*each)(void *arg, const char *dir, struct error *err), void *arg,
			  struct error *err);

/* is_directory() - Return true if @path is a directory. */
bool is_directory(struct sys *sys, const char *path);

/* --- pin.c --- */

/*
 * A check looks at the arguments after the name of the action, and returns 0 or -EINVAL. A run is
 * that of struct command.
 */
int adopt_check(const struct options *o, struct error *err);
int adopt_run(struct sys *sys, const struct options *o, struct output *out, struct error *err);
int remove_check(const struct options *o, struct error *err);
int remove_run(struct sys *sys, const struct options *o, struct output *out, struct error *err);

#endif
