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
#define KEEP_MARK "pload"
#define KEEP_VERSION "1"	/* what the mark begins with; others are of another pload */
#define KEEP_OBJECT " -- "	/* behind the options of pload adopt: the object's file */

struct session;
struct options;

/* What is to be kept. Zeroed is empty. */
struct keep {
	char dir[4096];		/* of --pin */
	char text[3072];	/* options for pload adopt, as " --record=MAP:TYPE" */
	uint32_t nr_links, nr_progs, nr_maps;
	bool is_made;		/* the pins are there */
};

/*
 * keep_remember() - @option of @map is worth knowing for who goes on. What has blanks is left out.
 */
void keep_remember(struct keep *keep, const char *option, const char *map, const char *value);

/*
 * keep_check() - before anything is loaded: that there can be pins in the directory of --pin, which
 * is not there or empty, and that what is to be attached has links.
 */
int keep_check(struct session *s, struct error *err);

/* keep_make() - pin links, programs and maps of the session, all or nothing. */
int keep_make(struct session *s, struct error *err);

/*
 * keep_again() - pin the links from attachment @from on, which were made later, in place of those
 * that have their names: their CPU has come back.
 */
int keep_again(struct session *s, unsigned int from, struct error *err);

/* keep_note() - what of the session ends with pload all the same: events that are in maps. */
void keep_note(const struct session *s);

/* keep_say() - the message "pinned". */
int keep_say(struct session *s, struct error *err);

#endif
