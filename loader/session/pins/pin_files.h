/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What stays when pload has ended: programs, maps and links, as files in bpffs; all or nothing. */
#ifndef PLOAD_SESSION_PINS_PIN_FILES_H
#define PLOAD_SESSION_PINS_PIN_FILES_H

#include "loader/session/load.h"

/* One pin: planned, and from pins.done on there. */
struct pin {
	char *path;			/* owned */
	const char *kind, *name;	/* borrowed; "prog", "map" ... and which: for messages */
	int fd;				/* borrowed */
	const char *text;		/* borrowed; of a symbolic link in place of a pin, or
					 * NULL */
};

/* Zeroed with a sys is empty. */
struct pins {
	struct sys *sys;		/* borrowed */
	struct pin *list;		/* owned */
	uint32_t nr, done;
	char *dirs[64];			/* owned; those that were made, in this order */
	unsigned int nr_dirs;
};

/*
 * pins_check() - whether @dir is, or can be made, in a file system of type bpf. EINVAL with what to
 * do; ENOENT or so when nothing above it is there.
 */
int pins_check(struct sys *sys, const char *dir, struct error *err);

/*
 * pins_name() - a name for a pin made of @name, which bpffs takes no '.' in: one that begins it is
 * left out, and what is no letter, digit, '_' or '-' becomes '_'. @out has @size bytes.
 */
void pins_name(char *out, size_t size, const char *name);

/*
 * pins_add() - plan a pin of @fd, or with @text a symbolic link, at the path that @fmt makes. Those
 * of one directory are to be added one after the other. ENOMEM.
 */
int pins_add(struct pins *pins, const char *kind, const char *name, int fd, const char *text,
	     struct error *err, const char *fmt, ...) __attribute__((format(printf, 7, 8)));

/*
 * pins_make() - make those that are planned and not there yet, and the directories that are
 * missing. When a pin is there already or the kernel says no, all that was made since the last
 * pins_free() is removed again. Place "prog 'x'".
 * pins_undo() - remove all of it.
 */
int pins_make(struct pins *pins, struct error *err);
void pins_undo(struct pins *pins);

/* pins_free() - forget them; what is there stays. */
void pins_free(struct pins *pins);

/*
 * pins_of_object() - pin each program of @l that is loaded as DIR/NAME and each map as
 * DIR/maps/NAME, all or nothing. EEXIST: two of them would have the same name.
 */
int pins_of_object(struct sys *sys, const struct loading *l, const char *dir, struct error *err);

#endif
