/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The identities in the section "privilege": users with few or no capabilities. */
#ifndef PLOAD_COMPARE_MEASURE_PRIVILEGE_PRIVILEGE_H
#define PLOAD_COMPARE_MEASURE_PRIVILEGE_PRIVILEGE_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/compare/measure/sections/peer.h"
#include "loader/core/sys/sys.h"

/* Strings are static. */
struct identity {
	const char *id, *name, *what;
	uint64_t caps;		/* bit n for CAP_* n: effective and permitted */
	bool namespaced;	/* then become root in a new user namespace */
};

/**
 * identity_become() - Irrevocably turn this process, which was forked for that, into @identity.
 *
 * Return: 0 or -errno ("compare/cannot-become").
 */
int identity_become(struct sys *sys, const struct identity *identity, struct error *err);

/* --- token.c --- */

/* Both owned, -1 when closed. */
struct delegation {
	int userns_fd;	/* the namespace, which has no process of its own */
	int bpffs_fd;	/* a bpffs of that namespace with the delegate_* options, not mounted
			 * anywhere */
};

/**
 * delegation_open() - Create the namespace and its bpffs. Linux 6.9.
 *
 * Return: 0 or -errno ("compare/no-token"). Call delegation_close() in any case.
 */
int delegation_open(struct sys *sys, struct delegation *d, struct error *err);
void delegation_close(struct sys *sys, struct delegation *d);

/* A struct sys that loads programs, maps and BTF with a token. */
struct token_sys {
	struct sys sys;		/* use this one */
	struct sys *next;	/* borrowed */
	int token_fd;		/* owned; -1 when closed */
};

/**
 * token_enter() - Enter the namespace with @caps in it, and create a token.
 * @caps: bit n for CAP_* n.
 *
 * For a process that was forked for that and has CAP_SYS_ADMIN. Without CAP_BPF in @caps the kernel
 * does not create a token, and the calls are made without one.
 * Return: 0 or -errno ("compare/no-token").
 */
int token_enter(struct token_sys *t, struct sys *next, const struct delegation *d, uint64_t caps,
		struct error *err);

#endif
