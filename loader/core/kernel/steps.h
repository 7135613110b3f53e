/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Steps of creating maps and loading programs, and what the annexes add to them. */
#ifndef PLOAD_CORE_KERNEL_STEPS_H
#define PLOAD_CORE_KERNEL_STEPS_H

#include "loader/core/kernel/kernel.h"

/*
 * kernel_load_btf() - Load the object's BTF, in the form that this kernel accepts. Most objects
 * work without: it only describes maps and programs to others. If every form is refused,
 * k->btf_refused is set; an object that needs BTF will be refused later, with a message of the
 * kernel.
 */
void kernel_load_btf(struct sys *sys, struct kernel_object *k);

/* btf_load_syscall() - BPF_BTF_LOAD; @log: or NULL. Return: descriptor or -errno. */
int btf_load_syscall(struct sys *sys, const unsigned char *raw, uint32_t size, char *log,
		     uint32_t log_size);

/*
 * map_plan() - Return the attributes to create @map with: those of the object, and the only valid
 * size or flag where the object leaves one out. fd is -1. Other functions get them as @as.
 */
struct kernel_map map_plan(const struct object_map *map, const struct map_options *o);

/* map_attr_size() - Return the size of @attr to pass to BPF_MAP_CREATE. */
unsigned int map_attr_size(const union bpf_attr *attr);

/* map_takes_btf() - Return true if key and value of maps of @type may have BTF types. */
bool map_takes_btf(uint32_t type);

/* map_create() - Create map @i. (load_maps.c) */
int map_create(struct sys *sys, struct kernel_object *k, uint32_t i, const struct map_options *o,
	       struct error *err);

/*
 * The steps of creating maps of a type beside BPF_MAP_CREATE. A function that a type has no use for
 * is NULL; @map is created as @as.
 */
struct special_map {
	/* Check the attributes before it is created. */
	int (*check)(const struct object_map *map, const struct kernel_map *as, struct error *err);
	/* Fill it once it is created. */
	int (*created)(struct sys *sys, const struct object_map *map, struct kernel_map *as,
		       struct error *err);
	/* Look at the pinned map that is taken in its place. */
	void (*taken)(struct sys *sys, const struct object_map *map, struct kernel_map *as);
	/* Fill map @i of @k once all maps are created; not called for one that was pinned. */
	int (*fill)(struct sys *sys, const struct kernel_object *k, uint32_t i, struct error *err);
};

/* map_special() - Return the steps for @type. (feature.c) */
const struct special_map *map_special(uint32_t type);

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

/* Return true if the object's BTF is loaded, and fit for programs. */
static inline bool kernel_has_prog_btf(const struct kernel_object *k)
{
	return k->btf_fd >= 0 && !k->btf_for_maps;
}

/* One load of a program. */
struct prog_load {
	struct sys *sys;	/* borrowed, as the next */
	struct kernel_object *k;
	uint32_t prog;		/* index into k->progs */
	const struct prog_code *code;	/* borrowed */
	union bpf_attr attr;	/* as it was passed last */
	unsigned int without;	/* WITHOUT_*: what is left out of it */
};

#endif
