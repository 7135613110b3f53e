/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A session that is pinned in a directory, found again: what keep.h describes, read. */
#ifndef PLOAD_CMD_PINNED_PINNED_SESSION_H
#define PLOAD_CMD_PINNED_PINNED_SESSION_H

#include "loader/tools/inventory/inventory.h"

struct kept_pin {
	char *path;		/* owned */
	const char *name;	/* in path: behind its last '/' */
	int fd;			/* owned; -1: not kept open */
	uint32_t id;
	uint32_t prog_id;	/* links: of the program */
	bool removed;
};

struct kept_list {
	struct kept_pin *list;	/* owned */
	uint32_t nr;
};

struct kept {
	struct sys *sys;	/* borrowed, as dir */
	const char *dir;
	char mark[4096];	/* what DIR/pload says, behind the version */
	const char *object;	/* in mark: the file that the session was of; "" when not said */
	struct kept_list maps, progs, links;
	uint32_t nr_others;	/* pins there which are not of that session */
};

/*
 * kept_open() - what is pinned in @dir, with descriptors of maps and programs if @fds. ENOENT and
 * "kept/none" when pload has pinned no session there. On failure, too, kept_close() it.
 */
int kept_open(struct sys *sys, const char *dir, bool fds, struct kept *kept, struct error *err);
void kept_close(struct kept *kept);

/* kept_is() - whether @dir has the mark of a session. */
bool kept_is(struct sys *sys, const char *dir);

/* kept_is_dir() - whether there is a directory of that name. */
bool kept_is_dir(struct sys *sys, const char *path);

#endif
