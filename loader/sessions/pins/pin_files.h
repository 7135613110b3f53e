/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pin programs, maps and links as files in bpffs, all or none. */
#ifndef PLOAD_SESSIONS_PINS_PIN_FILES_H
#define PLOAD_SESSIONS_PINS_PIN_FILES_H

#include "loader/core/session/load.h"

/* A pin; those before pins.done have been created. */
struct pin {
	char *path;			/* owned */
	const char *kind, *name;	/* borrowed; "prog" and "count_ip", for messages */
	int fd;				/* borrowed */
	const char *text;		/* borrowed; create a symbolic link with this text
					 * instead of a pin; or NULL */
};

/* All zero except for sys means empty. */
struct pins {
	struct sys *sys;		/* borrowed */
	struct pin *list;		/* owned */
	uint32_t nr, done;
	char *dirs[64];			/* owned; directories created, in this order */
	unsigned int nr_dirs;
};

/**
 * pins_check() - Check that @dir is in a file system of type bpf or can be created in one, and that
 * it or its future parent passes pins_check_dir().
 */
int pins_check(struct sys *sys, const char *dir, struct error *err);

/**
 * pins_check_dir() - Check that only root and the user of this process can replace or remove files
 * in @dir: one of them must own it, and others must not have write permission unless it is sticky.
 * @flags: O_NOFOLLOW if @dir must not be a symbolic link; otherwise 0.
 *
 * Return: 0, -ENOENT with @err untouched, -EPERM ("pin/foreign"), or -errno ("pin/refused").
 */
int pins_check_dir(struct sys *sys, const char *dir, int flags, struct error *err);

/**
 * pins_name() - Turn @name into a pin name: bpffs does not allow '.'.
 *
 * Strips a leading '.', and replaces everything except letters, digits, '_' and '-' with '_'.
 */
void pins_name(char *out, size_t size, const char *name);

/**
 * pins_add() - Plan a pin at the path formatted by @fmt. Add the pins of a directory consecutively.
 * @pin: everything except the path; @fd and @text are borrowed.
 */
int pins_add(struct pins *pins, struct pin pin, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/**
 * pins_make() - Create the planned pins and missing directories. On failure, remove whatever was
 * created since the last pins_free().
 * pins_free() - Free the list; the pins stay.
 */
int pins_make(struct pins *pins, struct error *err);
void pins_free(struct pins *pins);

/**
 * pins_of_object() - Pin each loaded program of @l as DIR/NAME and each map as DIR/maps/NAME.
 * -EEXIST if two of them would have the same path.
 */
int pins_of_object(struct sys *sys, const struct loading *l, const char *dir, struct error *err);

#endif
