/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The identities of the section "privilege": users with few capabilities or none. */
#ifndef PLOAD_COMPARE_MEASURE_PRIVILEGE_PRIVILEGE_H
#define PLOAD_COMPARE_MEASURE_PRIVILEGE_PRIVILEGE_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/sys/sys.h"

/* Strings are static. */
struct identity {
	const char *id, *name, *what;
	uint64_t caps;		/* bit n for CAP_* n: effective and permitted */
	bool namespaced;	/* afterwards root in a new user namespace */
};

/**
 * identity_become() - Make this process, which was forked for that, @identity for good.
 *
 * Return: 0 or -errno ("compare/cannot-become").
 */
int identity_become(struct sys *sys, const struct identity *identity, struct error *err);

#endif
