/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --explain: a test and its source. */
#ifndef PLOAD_REGRESS_EXPLAIN_H
#define PLOAD_REGRESS_EXPLAIN_H

struct suite;

/*
 * explain_print() - print each test of the suite: the sentence that it states, what it is about,
 * what it needs of a kernel, and the function that tests it, with its comment. The sources are in
 * this program; the name of the function is a symbol of it.
 */
void explain_print(const struct suite *suite);

#endif
