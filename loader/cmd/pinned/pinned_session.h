/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A session that is pinned in a directory, found again: what keep.h describes, read. */
#ifndef PLOAD_CMD_PINNED_PINNED_SESSION_H
#define PLOAD_CMD_PINNED_PINNED_SESSION_H

#include "loader/tools/inventory/inventory.h"

struct pinned_object {
	char *path;		/* owned */
	const char *name;	/* in path: behind its last '/' */
	int fd;			/* owned; -1: not kept open */
	uint32_t id;
	uint32_t prog_id;	/* links: of the program */
	bool removed;
};

struct pinned_list {
	struct pinned_object *list;	/* owned */
	uint32_t nr;
};

struct pinned_session {
	struct sys *sys;	/* borrowed, as dir */
	const char *dir;
	char mark[4096];	/* what DIR/pload says, behind the version */
	const char *object;	/* in mark: the file that the session was of; "" when not said */
	struct pinned_list maps, progs, links;
	uint32_t nr_others;	/* pins there which are not of that session */
};

/*
 * pinned_session_open() - what is pinned in @dir, with descriptors of maps and programs if @fds. ENOENT and
 * "kept/none" when pload has pinned no session there. On failure, too, pinned_session_close() it.
 */
int pinned_session_open(struct sys *sys, const char *dir, bool fds, struct pinned_session *session, struct error *err);
void pinned_session_close(struct pinned_session *session);

/* is_pinned_session() - whether @dir has the mark of a session. */
bool is_pinned_session(struct sys *sys, const char *dir);

/* is_directory() - whether there is a directory of that name. */
bool is_directory(struct sys *sys, const char *path);

#endif
