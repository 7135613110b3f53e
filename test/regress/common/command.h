/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload commands in a test: their object, and why they end early. */
#ifndef PLOAD_REGRESS_COMMAND_H
#define PLOAD_REGRESS_COMMAND_H

#include "test/regress/harness/regress.h"
#include "test/regress/common/run_command.h"

/*
 * command_use() - "OBJ" on command lines is the object @name, which is carried along, from here on.
 * Returns its descriptor, owned.
 */
int command_use(struct regress *t, const char *name);

/*
 * command_refused() - skip or fail the test, because a command was refused before anything could be
 * checked. @line has the reason code in brackets. command_ok() - the same, unless @said is not a
 * refusal.
 */
_Noreturn void command_refused(struct regress *t, const char *line);
void command_ok(struct regress *t, const struct command_said *said);

/*
 * command_name() - give this process and its children a unique name, and store it in @name.
 * Programs recognize tasks by name, because pids differ between namespaces.
 */
void command_name(char name[16]);

#endif
