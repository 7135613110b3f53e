/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Refusals of programs and attach points that are newer than some kernels. */
#ifndef PLOAD_REGRESS_LACKS_H
#define PLOAD_REGRESS_LACKS_H

#include "test/regress/harness/regress.h"

/*
 * lacks_ok() - like regress_ok(), for loads that find out what a kernel supports: a program type, a
 * helper, a link or a function that it lacks skips the test. A program that its verifier rejects is
 * a failure.
 */
void lacks_ok(struct regress *t, int ret, const struct error *err, const char *what);

#endif
