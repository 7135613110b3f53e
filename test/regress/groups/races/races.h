/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of the group "races", each a file. */
#ifndef PLOAD_REGRESS_RACES_H
#define PLOAD_REGRESS_RACES_H

#include "test/regress/harness/regress.h"

void races_bind(struct regress_list *list);	/* of two threads with one event */
void races_close(struct regress_list *list);	/* of descriptors closed while the program runs */
void races_tasks(struct regress_list *list);	/* of tasks that begin and end */
void races_exec(struct regress_list *list);	/* and that execute another program */
void races_kill(struct regress_list *list);	/* of processes killed while they attach */
void races_pass(struct regress_list *list);	/* of descriptors that change hands */

#endif
