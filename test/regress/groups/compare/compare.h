/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Documents of pload compare, which are measured once and kept for the tests of the group. */
#ifndef PLOAD_REGRESS_COMPARE_H
#define PLOAD_REGRESS_COMPARE_H

#include "loader/core/value/json_object.h"

#include "test/regress/common/kinds.h"

/* One document as text. */
struct compare_kept {
	bool done;
	char text[256 << 10];
};

#define COMPARE_EVENTS 4
#define COMPARE_SECTIONS 3	/* lifetime, visibility, privilege */

/* The memory that the tests of the group share. */
struct compare_room {
	struct compare_kept cells[COMPARE_EVENTS];	/* the result of compare_cells() for each */
	struct compare_kept sections[COMPARE_SECTIONS];	/* of page faults */
};

/*
 * compare_keep() - store @document, which is consumed, for later tests. compare_kept() - that
 * document, parsed again.
 */
void compare_keep(struct regress *t, struct compare_kept *kept, struct json_object *document);
struct json_object *compare_kept(struct regress *t, const struct compare_kept *kept);

/* compare_word() - the text of a member; "" if it does not exist. */
const char *compare_word(struct json_object *o, const char *key);

/* compare_fill_sections() - the tests of compare_sections.c. */
void compare_fill_sections(struct regress_list *list);

#endif
