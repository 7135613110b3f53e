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

/*
 * kernel_name() - an object name as the kernel takes it: at most 15 characters of [A-Za-z0-9_.],
 * others become '_'. A section's map is called after the object's file, as "ip_count.bss": @path's
 * last part up to its first dot goes in front, cut so that @name fits.
 */
void kernel_name(char out[BPF_OBJ_NAME_LEN], const char *path, const char *name);

/*
 * kernel_raise_memlock() - before Linux 5.11 maps and programs are charged to RLIMIT_MEMLOCK, and
 * going over it is EPERM. Raises it once. Returns whether trying again makes sense.
 */
bool kernel_raise_memlock(struct sys *sys, struct kernel_object *k);

/* kernel_prog_load() - BPF_PROG_LOAD, again when a signal came in between. The fd, or -errno. */
int kernel_prog_load(struct sys *sys, union bpf_attr *attr);

/*
 * kernel_load_compat() - load without what older kernels do not know: XDP_HAS_FRAGS (Linux 5.18),
 * BTF (5.0), expected_attach_type (4.17), the name (4.15); only where the program means the same.
 * @code is why it was refused. Returns the fd, or @code again.
 */
int kernel_load_compat(struct sys *sys, union bpf_attr *attr, int code);

/*
 * kernel_drop_btf() - take functions and lines out of @attr (Linux 5.0). Whether they were in there.
 */
bool kernel_drop_btf(union bpf_attr *attr);

/*
 * kernel_load_untagged_btf() - functions whose arguments carry tags (Linux 6.8) as static ones, which
 * older kernels verify with the arguments of their callers: k->untagged_btf_fd. false: there are none,
 * or the kernel does not take it.
 */
bool kernel_load_untagged_btf(struct sys *sys, struct kernel_object *k);

#endif
