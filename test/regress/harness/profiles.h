/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Properties of tests by name: quick or not, about the kernel or the loader, their needs. */
#ifndef PLOAD_REGRESS_PROFILES_H
#define PLOAD_REGRESS_PROFILES_H

#include "test/regress/harness/suite.h"

/* profiles_has() - whether "GROUP/TEST" matches one of the globs, which end with NULL. */
bool profiles_has(const char *const *globs, const char *group, const char *test);

/* profiles_area() - the part of the ABI that a group is about, or "loader". Static. */
const char *profiles_area(const char *group);

/*
 * profiles_of_loader() - whether a failure is the fault of this project's loader, not of the
 * kernel.
 */
bool profiles_of_loader(const char *group, const char *test);

/*
 * profiles_may_differ() - why an implementation may answer the test otherwise (static), or NULL: the test is a must.
 * profiles_conformance() - "must" or "implementation-defined".
 */
const char *profiles_may_differ(const char *group, const char *test);
const char *profiles_conformance(const char *why);

/* profiles_needs() - whether the test needs what the row describes. */
bool profiles_needs(const struct regress_need *need, const char *group, const char *test);

/* profiles_print_config() - print the options that these tests need, as a fragment of a .config. */
void profiles_print_config(const struct suite *suite);

#endif
