/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What was seen on one kernel, kept, and held against another. */
#ifndef PLOAD_REGRESS_RECORD_H
#define PLOAD_REGRESS_RECORD_H

#include "test/regress/harness/suite.h"

/*
 * record_write() - what came of @suite into the file @path, or as lines on standard output where
 * that is "-". NULL: nothing.
 */
void record_write(const struct suite *suite, const char *path);

#endif
