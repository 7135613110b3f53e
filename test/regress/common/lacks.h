/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Refusals of programs and attach targets that some kernels are too old for. */
#ifndef PLOAD_REGRESS_LACKS_H
#define PLOAD_REGRESS_LACKS_H

#include "test/regress/harness/regress.h"

/*
 * lacks_ok() - like regress_ok(), for loads that find out what a kernel supports: the test is
 * skipped if the kernel lacks a program type, helper, link or function. It fails if the verifier
 * rejects a program.
 */
void lacks_ok(struct regress *t, int ret, const struct error *err, const char *what);

#endif
