/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside this room: what the rows of the table of link types are made of. */
#ifndef PLOAD_TOOLS_INVENTORY_LINK_TARGET_H
#define PLOAD_TOOLS_INVENTORY_LINK_TARGET_H

#include <stdarg.h>
#include <stdio.h>

#include "loader/tools/inventory/inventory.h"

/* The pieces that a row puts into a place. Those that copy return 0 or -ENOMEM. */
void place_number(struct attached_place *p, const char *key, uint64_t number);
void place_signed(struct attached_place *p, const char *key, int64_t number);
void place_hex(struct attached_place *p, const char *key, uint64_t number);
int place_text(struct attached_place *p, const char *key, const char *text);
int place_attach_type(struct attached_place *p, uint32_t type);
void place_where(struct attached_place *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A row: fill in the place of @link. 0 or -ENOMEM. */
typedef int place_fn(struct attached_names *names, const struct attached_link *link,
		     struct attached_place *p);

place_fn place_perf_event, place_raw_tracepoint, place_tracing, place_iter, place_kprobe_multi,
	place_uprobe_multi;	/* place_events.c: where code runs */
place_fn place_cgroup, place_netns, place_xdp, place_struct_ops, place_netfilter, place_tcx,
	place_netkit, place_sockmap;	/* place_nets.c: networks and the rest */

#endif
