/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The names of open descriptors, taken from the calls that return and close them. */
#ifndef PLOAD_OBSERVE_TRACE_ANNOTATE_FD_NAMES_H
#define PLOAD_OBSERVE_TRACE_ANNOTATE_FD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "loader/core/sys/sys.h"

enum fd_kind { FD_FILE, FD_MAP, FD_PROG, FD_BTF, FD_LINK, FD_EVENT, FD_OTHER };

/* The strings of a BTF, with which line_info names the lines of a source. */
struct btf_strings {
	char *text;	/* owned; terminated */
	uint32_t size;
};

struct fd_entry {
	int fd;
	enum fd_kind kind;
	char name[64];		/* "map hits"; printable ASCII without '<' and '>' */
	char purpose[64];	/* a file: the reason for which it was opened, or "" */
	uint32_t map_type, key_size, value_size;	/* a map that was created here */
	struct btf_strings strings;	/* a BTF that was loaded here */
};

struct fd_names {
	struct fd_entry *list;	/* owned */
	unsigned int nr;
};

/** fd_names_find() - Return the entry of @fd, or NULL. */
const struct fd_entry *fd_names_find(const struct fd_names *names, int fd);

/**
 * fd_names_update() - Take account of a call that has returned @ret: name the descriptor that it
 * has returned, and forget those that it has closed. Without memory a descriptor has no name.
 * @why: the reason for the call, which becomes that of reading an opened file
 */
void fd_names_update(struct fd_names *names, long nr, const unsigned long arg[6], long ret,
		     const char *why);

/**
 * fd_positions() - Return the positions of arguments that are descriptors: bit n for argument n.
 */
unsigned int fd_positions(long nr, const unsigned long arg[6]);

/** fd_returns() - Return true if the call returns a descriptor. */
bool fd_returns(long nr, const unsigned long arg[6]);

void fd_names_free(struct fd_names *names);

/* --- purpose.c --- */

/** purpose_of_call() - Return a few words; NULL if the call speaks for itself. */
const char *purpose_of_call(const struct fd_names *names, long nr, const unsigned long arg[6]);

#endif
