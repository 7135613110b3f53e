/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Groups with which the harness itself is tested: their tests do what no test should. */
#ifndef PLOAD_REGRESS_SELF_H
#define PLOAD_REGRESS_SELF_H

#include "test/regress/harness/regress.h"

extern const struct regress_group self_leaves, self_late;

/* self_file() - a file below $SELF_DIR, for test/cli/regress.sh. Static. */
const char *self_file(const char *name);

#endif
