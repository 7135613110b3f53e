/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of the machine before the first test. */
#ifndef PLOAD_REGRESS_PRECONDITIONS_H
#define PLOAD_REGRESS_PRECONDITIONS_H

#include <stdbool.h>

struct sys;

/* preconditions_has_bpf() - false: bpf(2) is ENOSYS, and no test can run. */
bool preconditions_has_bpf(struct sys *sys);

/* preconditions_say() - print a line for each condition that causes tests to be skipped. */
void preconditions_say(struct sys *sys);

#endif
