/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The actions of pload pin. */
#ifndef PLOAD_COMMANDS_PINNED_PIN_H
#define PLOAD_COMMANDS_PINNED_PIN_H

#include "loader/core/print/output.h"
#include "loader/core/session/options.h"

/*
 * A check looks at the arguments after the name of the action, and returns 0 or -EINVAL. A run is
 * that of struct command.
 */
int adopt_check(const struct options *o, struct error *err);
int adopt_run(struct sys *sys, const struct options *o, struct output *out, struct error *err);
int remove_check(const struct options *o, struct error *err);
int remove_run(struct sys *sys, const struct options *o, struct output *out, struct error *err);

#endif
