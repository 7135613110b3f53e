/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Steps of creating maps and loading programs, and the hooks of more/. */
#ifndef PLOAD_KERNEL_KERNEL_INTERNAL_H
#define PLOAD_KERNEL_KERNEL_INTERNAL_H

#include "loader/kernel/kernel.h"

/*
 * kernel_load_btf() - Load the object's BTF, in the form that this kernel accepts. Most objects
 * work without: it only describes maps and programs to others. If every form is refused,
 * k->btf_refused is set; an object that needs BTF will be refused later, with a message of the
 * kernel.
 */
void kernel_load_btf(struct sys *sys, struct kernel_object *k);

/*
 * map_plan() - Return the attributes to create @map with: those of the object, and the only valid
 * size or flag where the object leaves one out. fd is -1. In other functions they are @as.
 */
struct kernel_map map_plan(const struct object_map *map, const struct map_options *o);

/* map_least() - Return the attributes of the smallest map of @type; fd is -1. */
struct kernel_map map_least(uint32_t type);

/* map_attr_size() - Return the size of @attr to pass to BPF_MAP_CREATE. */
unsigned int map_attr_size(const union bpf_attr *attr);

/*
 * Rules of the kernel for maps of @type. map_takes_btf(): key and value may have BTF types;
 * map_needs_btf(): they must.
 */
bool map_takes_btf(uint32_t type);
bool map_needs_btf(uint32_t type);

/*
 * pins_plan() - Determine the path of each pinned map. Return: -EEXIST if two maps have the same.
 * pins_drop() - Remove the pins that this session created, and free the paths.
 */
int pins_plan(struct kernel_object *k, const struct map_options *o, struct error *err);
void pins_drop(struct sys *sys, struct kernel_object *k);

/*
 * pin_take() - Open the map pinned at @as->pin_path. Return: 1, 0 if there is none, -EEXIST if it
 * differs from @map and @as, or -errno.
 * pin_put() - Pin @as there. Return: 1, 0 if another process was faster, or -errno.
 */
int pin_take(struct sys *sys, const struct object_map *map, struct kernel_map *as,
	     struct error *err);
int pin_put(struct sys *sys, struct kernel_map *as, struct error *err);

/*
 * arena_check() - Return -errno unless @map, to be created as @as, can be an arena that holds its
 * variables.
 * arena_place() - Set @as->data_at: where the variables are in the arena, which has an address.
 * arena_fill() - Map the arena, which gives it an address, and write its variables.
 */
int arena_check(const struct object_map *map, const struct kernel_map *as, struct error *err);
void arena_place(struct sys *sys, const struct object_map *map, struct kernel_map *as);
int arena_fill(struct sys *sys, const struct object_map *map, struct kernel_map *as,
	       struct error *err);

/* map_fill_maps() - Put the initial inner maps into map @i, after all maps were created. */
int map_fill_maps(struct sys *sys, const struct kernel_object *k, uint32_t i, struct error *err);

/*
 * kernel_name() - Convert a name to one that the kernel accepts: at most 15 characters of
 * [A-Za-z0-9_.]; others become '_'.
 *
 * kernel_data_name() - Return the name of the map of a data section of the file @path, as libbpf
 * has it: the beginning of the file's name, up to its first dot, and the section.
 *
 *	.bss, .data, .rodata	8 characters of the file	"ip_count.bss"
 *	.kconfig		7 characters			"ip_coun.kconfig"
 *	.data.x, .rodata.x	none				".data.x"
 */
void kernel_name(char out[BPF_OBJ_NAME_LEN], const char *name);
void kernel_data_name(char out[BPF_OBJ_NAME_LEN], const char *path, const char *section);

/*
 * kernel_raise_limit() - If @ret is -EMFILE, raise RLIMIT_NOFILE; if it is -EPERM, RLIMIT_MEMLOCK,
 * once: maps and programs are charged to it before Linux 5.11. Nothing is left out by that, and the
 * limit is this process's own. Return true if trying again makes sense.
 */
bool kernel_raise_limit(struct sys *sys, struct kernel_object *k, int ret);

/*
 * prog_load_syscall() - BPF_PROG_LOAD, repeated if a signal interrupts it. Return: descriptor or
 * -errno.
 */
int prog_load_syscall(struct sys *sys, union bpf_attr *attr);

/*
 * kernel_load_compat() - Load without XDP_HAS_FRAGS (Linux 5.18), BTF (5.0), expected_attach_type
 * (4.17) or the name (4.15), as far as the program means the same without them. @code is the error
 * of the load with all of them. Return: descriptor or @code.
 */
int kernel_load_compat(struct sys *sys, union bpf_attr *attr, int code);

/*
 * kernel_drop_btf() - Remove func_info and line_info (Linux 5.0) from @attr. Return true if it had
 * some.
 */
bool kernel_drop_btf(union bpf_attr *attr);

/*
 * kernel_bind_rodata() - BPF_PROG_BIND_MAP (Linux 5.10): bind the read-only data that @code, the
 * loaded program's, does not refer to. Failing sets WITHOUT_RODATA.
 */
void kernel_bind_rodata(struct sys *sys, struct kernel_object *k, uint32_t prog,
			const struct prog_code *code);

/*
 * kernel_load_untagged_btf() - Load BTF in which functions with tagged arguments (Linux 6.8) are
 * static: k->untagged_btf_fd. Return false if there are none, or the kernel refuses it.
 */
bool kernel_load_untagged_btf(struct sys *sys, struct kernel_object *k);

#endif
