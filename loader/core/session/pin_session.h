/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --pin: the links, programs and maps of a session as pins in bpffs, so that it outlives pload. */
#ifndef PLOAD_CORE_SESSION_PIN_SESSION_H
#define PLOAD_CORE_SESSION_PIN_SESSION_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

/*
 *	DIR/pload	a symbolic link: marks the directory as ours, and has the options of adopt
 *	DIR/maps/MAP
 *	DIR/progs/PROG
 *	DIR/links/PROG[-EVENT][-tidN][-cgroup-NAME][-cpuN]
 *
 * They are created in this order: if pload is killed meanwhile, no program keeps running.
 */
#define SESSION_PINS_MARK "pload"
#define SESSION_PINS_VERSION "1"	/* the mark begins with it */
#define SESSION_PINS_OBJECT " -- "	/* the object's file follows it in the mark */

struct session;

/* The pins of a session. Zeroed is empty. */
struct session_pins {
	char *dir;		/* owned; the directory of --pin */
	char *text;		/* owned; options to adopt it: " --record=MAP:TYPE"; or NULL */
	uint32_t nr_links, nr_progs, nr_maps;
	bool is_made;		/* the pins exist */
};

/**
 * session_pins_replace() - Replace pinned links by those from attachment @from on that have the
 * same name: their CPU has come back.
 */
int session_pins_replace(struct session *s, unsigned int from, struct error *err);

/**
 * session_pins_remember() - Add an option for pload pin adopt. One with blanks is left out, and
 * one for which there is no room.
 */
void session_pins_remember(struct session_pins *pins, const char *option, const char *map,
			   const char *value);

#endif
