/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --pin: pin the links, programs and maps of a session in bpffs, so that it outlives pload. */
#ifndef PLOAD_CORE_SESSION_PIN_SESSION_H
#define PLOAD_CORE_SESSION_PIN_SESSION_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

/*
 *	DIR/pload	a symbolic link: marks the directory as ours, holds options for adopt
 *	DIR/maps/MAP
 *	DIR/progs/PROG
 *	DIR/links/PROG[-EVENT][-tidN][-cgroup-NAME][-cpuN]
 *
 * They are created in this order: if pload is killed in between, no program keeps running.
 */
#define SESSION_PINS_MARK "pload"
#define SESSION_PINS_VERSION "1"	/* start of the mark */
#define SESSION_PINS_OBJECT " -- "	/* precedes the object's file name in the mark */

struct session;

/* The pins of a session. All zero means empty. */
struct session_pins {
	char *dir;		/* owned; the --pin directory */
	char *text;		/* owned; options for adopting it: " --record=MAP:TYPE"; or NULL */
	uint32_t nr_links, nr_progs, nr_maps;
	bool is_made;		/* the pins exist */
};

/**
 * session_pins_replace() - Replace pinned links with the same-named links from attachment @from on,
 * whose CPU came back.
 */
int session_pins_replace(struct session *s, unsigned int from, struct error *err);

/**
 * session_pins_remember() - Add an option for pload pin adopt. Omits options with blanks and those
 * that do not fit.
 */
void session_pins_remember(struct session_pins *pins, const char *option, const char *map,
			   const char *value);

#endif
