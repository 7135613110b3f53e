/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside this room: lists that grow, and saying what was not seen. */
#ifndef PLOAD_TOOLS_INVENTORY_INVENTORY_INTERNAL_H
#define PLOAD_TOOLS_INVENTORY_INVENTORY_INTERNAL_H

#include "loader/tools/inventory/inventory.h"

/*
 * attached_grow() - room for one more element of @size behind the @nr of *@array; returns where it
 * is, zeroed, or NULL: no memory.
 */
void *attached_grow(void *array, uint32_t nr, size_t size);

/*
 * attached_not_seen() - @what (static) was not seen because of the positive errno @code, or of what
 * @fmt says. -ENOMEM, or 0. Once for each @what, counted with @count.
 */
int attached_not_seen(struct attached *a, const char *what, uint32_t count, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * attached_mounts() - call @mount with each place where a file system of @type is mounted. 0,
 * -errno, or what @mount returned when that is not 0 (which ends it).
 */
int attached_mounts(struct sys *sys, const char *type,
		    int (*mount)(void *arg, const char *path), void *arg);

/*
 * attached_cgroup() - the directory of the cgroup with @id, where cgroup2 is mounted. false: not
 * seen.
 */
bool attached_cgroup(struct sys *sys, uint64_t id, char *path, size_t size);

/*
 * attached_kind_named() - what /proc calls it: "anon_inode:bpf-map" and so on. false: no such
 * thing.
 */
bool attached_kind_named(const char *text, enum attached_kind *kind);

#endif
