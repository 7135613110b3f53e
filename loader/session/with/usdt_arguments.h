/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the programs on USDT probes are told by maps: where the arguments are at each place. */
#ifndef PLOAD_SESSION_WITH_USDT_ARGUMENTS_H
#define PLOAD_SESSION_WITH_USDT_ARGUMENTS_H

#include "loader/session/load.h"
#include "loader/features/symbols/symbols.h"

/* A list of arguments, which places share. */
struct usdt_arguments {
	char *name;	/* owned; of the probe that has them first, for messages */
	struct sdt_arg *args;	/* owned */
	uint32_t nr;
};

/* Where a process reaches a probe, for programs without a cookie. */
struct usdt_address {
	uint64_t ip;
	uint32_t arguments;	/* index */
};

/* Those of a plan. Zeroed is empty. */
struct usdt {
	struct usdt_arguments *list;	/* owned; the index is what programs know them by */
	uint32_t nr;
	struct usdt_address *addresses;	/* owned */
	uint32_t nr_addresses;
};

/* usdt_is_used() - whether programs of @obj look for arguments: it was compiled with usdt.bpf.h. */
bool usdt_is_used(const struct bpf_object *obj);

/* usdt_add() - the index of the arguments of @place; a new one when none has the same. ENOMEM. */
int usdt_add(struct usdt *u, const struct symbol_location *place, struct error *err);

/*
 * usdt_add_addresses() - that a program without cookies (by ioctl or pmu) finds arguments @index at
 * place @i of @places: by its address in each process of @pids ("12,34"; NULL: not one by one).
 * Fails with "usdt/no-address" where that is not known before.
 */
int usdt_add_addresses(struct usdt *u, struct symbols *s, const struct symbol_locations *places,
		       uint32_t i, uint32_t index, const char *pids, struct error *err);

/*
 * usdt_fill() - write it to the maps of @l, which are loaded. Notes which arguments cannot be read.
 * @cookie: what bpf_usdt_cookie() gives. E2BIG: the map has too few entries; the errno of bpf(2).
 */
int usdt_fill(struct loading *l, const struct usdt *u, uint64_t cookie, struct error *err);
void usdt_free(struct usdt *u);

#endif
