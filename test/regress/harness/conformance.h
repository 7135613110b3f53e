/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The end of a run with --conformance. */
#ifndef PLOAD_REGRESS_CONFORMANCE_H
#define PLOAD_REGRESS_CONFORMANCE_H

struct suite;

/*
 * conformance_say() - print a table: for each part of the ABI the number of statements that this
 * kernel meets, differs from, and does not support, those that it must meet apart from those whose
 * answer is the implementation's own; then each that differs, with what was seen.
 */
void conformance_say(const struct suite *suite);

#endif
