/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Refusals of programs and attach points that are newer than some kernels. */
#ifndef PLOAD_REGRESS_LACKS_H
#define PLOAD_REGRESS_LACKS_H

#include "test/regress/harness/regress.h"

/*
 * lacks_ok() - as regress_ok(), where loading finds out what a kernel has: a kind of program, a
 * helper, a link, a function that it does not have skips the test. What its verifier dislikes of
 * our programs fails it.
 */
void lacks_ok(struct regress *t, int ret, const struct error *err, const char *what);

#endif
