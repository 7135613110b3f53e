/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The group "fires" is in two files: each way to attach to this thread, and each scope. */
#ifndef PLOAD_REGRESS_FIRES_H
#define PLOAD_REGRESS_FIRES_H

#include "test/regress/common/kinds.h"

/* Every machine delivers a clock event within this time. */
#define CLOCK_NS (20 * UINT64_C(1000000000))

/* fires_add_scopes() - the tests of scopes. */
void fires_add_scopes(struct regress_list *list);

#endif
