/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A session that outlives pload: its links, programs and maps as pins in a directory. */
#ifndef PLOAD_SESSION_PINS_PIN_SESSION_H
#define PLOAD_SESSION_PINS_PIN_SESSION_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/sys/sys.h"

/*
 *	DIR/pload	a symbolic link: that the directory is ours, and how to go on
 *	DIR/maps/MAP
 *	DIR/progs/PROG
 *	DIR/links/PROG[-EVENT][-tidN][-cgroup-NAME][-cpuN]
 *
 * in the order in which they are made, so that who is killed meanwhile leaves nothing that runs.
 */
#define SESSION_PINS_MARK "pload"
#define SESSION_PINS_VERSION "1"	/* what the mark begins with; others are of another pload */
#define SESSION_PINS_OBJECT " -- "	/* behind the options of pload adopt: the object's file */

struct session;
struct options;

/* What is to be kept. Zeroed is empty. */
struct session_pins {
	char dir[4096];		/* of --pin */
	char text[3072];	/* options for pload adopt, as " --record=MAP:TYPE" */
	uint32_t nr_links, nr_progs, nr_maps;
	bool is_made;		/* the pins are there */
};

/*
 * session_pins_remember() - @option of @map is worth knowing for who goes on. What has blanks is left out.
 */
void session_pins_remember(struct session_pins *pins, const char *option, const char *map, const char *value);

/*
 * session_pins_check() - before anything is loaded: that there can be pins in the directory of --pin, which
 * is not there or empty, and that what is to be attached has links.
 */
int session_pins_check(struct session *s, struct error *err);

/* session_pins_create() - pin links, programs and maps of the session, all or nothing. */
int session_pins_create(struct session *s, struct error *err);

/*
 * session_pins_replace() - pin the links from attachment @from on, which were made later, in place of those
 * that have their names: their CPU has come back.
 */
int session_pins_replace(struct session *s, unsigned int from, struct error *err);

/* session_pins_note() - what of the session ends with pload all the same: events that are in maps. */
void session_pins_note(const struct session *s);

/* session_pins_report() - the message "pinned". */
int session_pins_report(struct session *s, struct error *err);

#endif
