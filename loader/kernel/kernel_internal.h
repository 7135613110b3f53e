/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside this room: the steps by which a map of an object becomes one of the kernel. */
#ifndef PLOAD_KERNEL_KERNEL_INTERNAL_H
#define PLOAD_KERNEL_KERNEL_INTERNAL_H

#include "loader/kernel/kernel.h"

/*
 * kernel_load_btf() - BTF makes maps and programs readable for others, and nothing more for most
 * objects: so when the kernel refuses it, in each older form too, we go on without, and remember
 * why. An object that cannot do without will be refused further on, in the kernel's own words.
 */
void kernel_load_btf(struct sys *sys, struct kernel_object *k);

/*
 * map_plan() - what @map is to be created with: what the object says, and where it says nothing the
 * only size or flag that the kernel takes for such a map. fd is -1.
 */
struct kernel_map map_plan(const struct object_map *map, const struct map_options *o);

/* map_least() - the smallest map of @type; fd is -1. */
struct kernel_map map_least(uint32_t type);

/* map_attr_size() - how much of @attr BPF_MAP_CREATE is given. */
unsigned int map_attr_size(const union bpf_attr *attr);

/*
 * What the kernel makes of maps of @type: whether it takes the types of key and value, and refuses
 * maps without; whether max_entries is the bytes of a ring; whether it has to be 0.
 */
bool map_takes_btf(uint32_t type);
bool map_needs_btf(uint32_t type);
bool map_is_ring(uint32_t type);
bool map_is_unbounded(uint32_t type);

/*
 * pins_plan() - where each map of @k that is to be pinned has its pin. EEXIST: two have the same.
 * pins_drop() - remove the pins that this session has made, and forget all.
 */
int pins_plan(struct kernel_object *k, const struct map_options *o, struct error *err);
void pins_drop(struct sys *sys, struct kernel_object *k);

/*
 * pin_take() - the map that is pinned at @as->pin_path, when there is one: 1, with fd and sizes in
 * @as. 0: there is none. EEXIST: it is of another kind than @map and @as.
 * pin_put() - pin @as there: 1. 0: somebody else was faster. Else they fail with the kernel's
 * errno.
 */
int pin_take(struct sys *sys, const struct object_map *map, struct kernel_map *as,
	     struct error *err);
int pin_put(struct sys *sys, struct kernel_map *as, struct error *err);

/*
 * arena_check() - whether @map, to be created as @as, can be an arena with its variables in it.
 * arena_fill() - give it an address where it has none, and write its variables. Fails with the
 * kernel's errno.
 */
int arena_check(const struct object_map *map, const struct kernel_map *as, struct error *err);
int arena_fill(struct sys *sys, const struct object_map *map, const struct kernel_map *as,
	       struct error *err);

/*
 * map_fill_maps() - put the inner maps that map @i begins with into it, when all are created.
 * Fails with the kernel's errno and the slot in the place.
 */
int map_fill_maps(struct sys *sys, const struct kernel_object *k, uint32_t i, struct error *err);

#endif
