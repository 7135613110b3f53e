/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The steps of creating maps and loading programs, and what annexes add to them. */
#ifndef PLOAD_CORE_KERNEL_STEPS_H
#define PLOAD_CORE_KERNEL_STEPS_H

#include "loader/core/kernel/kernel.h"

/*
 * kernel_load_btf() - Load the object's BTF in a form that this kernel accepts. Most objects work
 * without it, because it only describes maps and programs to others. If the kernel refuses every
 * form, k->btf_refused is set; an object that needs BTF fails later, with the kernel's message.
 */
void kernel_load_btf(struct sys *sys, struct kernel_object *k);

/* btf_load_syscall() - BPF_BTF_LOAD; @log may be NULL. Return: descriptor or -errno. */
int btf_load_syscall(struct sys *sys, const unsigned char *raw, uint32_t size, char *log,
		     uint32_t log_size);

/*
 * map_plan() - Return the attributes for creating @map: those in the object, plus the only valid
 * size or flag if the object leaves one out. fd is -1. Other functions receive them as @as.
 */
struct kernel_map map_plan(const struct object_map *map, const struct map_options *o);

/* map_attr_size() - Return the size of @attr to pass to BPF_MAP_CREATE. */
unsigned int map_attr_size(const union bpf_attr *attr);

/* map_takes_btf() - Return true if the key and value of maps of @type may have BTF types. */
bool map_takes_btf(uint32_t type);

/* map_create() - Create map @i. (load_maps.c) */
int map_create(struct sys *sys, struct kernel_object *k, uint32_t i, const struct map_options *o,
	       struct error *err);

/*
 * The steps besides BPF_MAP_CREATE for maps of a type. Functions that the type does not need are
 * NULL; @map is created as @as.
 */
struct special_map {
	/* Check the attributes before creating the map. */
	int (*check)(const struct object_map *map, const struct kernel_map *as, struct error *err);
	/* Fill the map after creating it. */
	int (*created)(struct sys *sys, const struct object_map *map, struct kernel_map *as,
		       struct error *err);
	/* Inspect the pinned map that replaces it. */
	void (*taken)(struct sys *sys, const struct object_map *map, struct kernel_map *as);
	/* Fill map @i of @k once all maps exist; not called for a map that was already pinned. */
	int (*fill)(struct sys *sys, const struct kernel_object *k, uint32_t i, struct error *err);
};

/* map_special() - Return the steps for @type. (feature.c) */
const struct special_map *map_special(uint32_t type);

/*
 * kernel_name() - Convert a name to one the kernel accepts: at most 15 characters, with any
 * character outside [A-Za-z0-9_.] replaced by '_'.
 *
 * kernel_data_name() - Return the name of the map of a data section in file @path, as libbpf would:
 * the start of the file name, up to its first dot, followed by the section name.
 *
 *	.bss, .data, .rodata	8 characters of the file	"ip_count.bss"
 *	.kconfig		7 characters			"ip_coun.kconfig"
 *	.data.x, .rodata.x	none				".data.x"
 */
void kernel_name(char out[BPF_OBJ_NAME_LEN], const char *name);
void kernel_data_name(char out[BPF_OBJ_NAME_LEN], const char *path, const char *section);

/*
 * kernel_raise_limit() - If @ret is -EMFILE, raise RLIMIT_NOFILE; if it is -EPERM, RLIMIT_MEMLOCK,
 * once: before Linux 5.11, maps and programs count against it. Return true if trying again makes
 * sense.
 */
bool kernel_raise_limit(struct sys *sys, struct kernel_object *k, int ret);

/*
 * prog_load_syscall() - BPF_PROG_LOAD, repeated if a signal interrupts it. Return: descriptor or
 * -errno.
 */
int prog_load_syscall(struct sys *sys, union bpf_attr *attr);

/* Return true if the object's BTF is loaded and usable for programs. */
static inline bool kernel_has_prog_btf(const struct kernel_object *k)
{
	return k->btf_fd >= 0 && !k->btf_for_maps;
}

/* One load of a program. */
struct prog_load {
	struct sys *sys;	/* borrowed, like the next one */
	struct kernel_object *k;
	uint32_t prog;		/* index into k->progs */
	const struct prog_code *code;	/* borrowed */
	union bpf_attr attr;	/* as last passed to the kernel */
	unsigned int without;	/* WITHOUT_*: what was omitted from it */
};

#endif
