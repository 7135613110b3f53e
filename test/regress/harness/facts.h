/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The facts on which most tests rest. Each has a test that states it. If that fails, tests that use
 * the same call and fail are skipped, because they would report the same failure hundreds of times.
 */
#ifndef PLOAD_REGRESS_FACTS_H
#define PLOAD_REGRESS_FACTS_H

#include "test/regress/harness/parts.h"

/* facts_used() - the facts on which the call rests: a set of enum regress_fact. */
unsigned int facts_used(long nr, const unsigned long arg[6]);

/* facts_first() - the name of the first fact of the set. Static. */
const char *facts_first(unsigned int set);

#endif
