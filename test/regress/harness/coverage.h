/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* --coverage: the names of the ABI around attaching, and the groups that use each. */
#ifndef PLOAD_REGRESS_COVERAGE_H
#define PLOAD_REGRESS_COVERAGE_H

/*
 * coverage_print() - print a line for each name of regress_abi: the groups whose source has it, in
 * code and not in a comment, or "none". What tests reach only through the loader has no name there.
 */
void coverage_print(void);

#endif
