/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Structs of functions that an object registers with the kernel, such as a tcp_congestion_ops: lay
 * out their members like the kernel, and register them once their programs are loaded.
 */
#ifndef PLOAD_OBJECTS_STRUCT_OPS_STRUCT_OPS_H
#define PLOAD_OBJECTS_STRUCT_OPS_STRUCT_OPS_H

#include "loader/core/kernel/kernel.h"
#include "loader/objects/kernel_types/kernel_types.h"

struct ops_value;

/* The structs of one object. All zero means empty. */
struct struct_ops {
	struct sys *sys;		/* borrowed, like the next two */
	const struct bpf_object *obj;
	struct kernel_types *types;	/* the running kernel's */
	struct ops_map *maps;		/* owned; for kernel_load_maps(), by map; NULL: none */
	struct ops_value *values;	/* owned; by map */
	struct prog_target *targets;	/* owned; by program */
};

/* struct_ops_init() - Initialize @ops, without looking anything up yet. */
void struct_ops_init(struct struct_ops *ops, struct sys *sys, struct kernel_types *types,
		     const struct bpf_object *obj);
void struct_ops_free(struct struct_ops *ops);

/**
 * struct_ops_find() - Find each struct in the kernel's types (Linux 5.6), and lay out its value.
 * @wanted: by program: whether it will be loaded
 *
 * Skips optional structs unless one of their optional programs is wanted.
 *
 * Return: 0; -ENOENT if the kernel has no such struct; -ENOTSUP if the object sets a member that
 * the kernel lacks or has with a different type; -EINVAL if a program is used for two members;
 * -ENOMEM; errors of kernel_types_find().
 */
int struct_ops_find(struct struct_ops *ops, const bool *wanted, struct error *err);

/*
 * struct_ops_target() - Set *@target to what a SEC("struct_ops") program is loaded for; zero it for
 * other programs. Fails with -EINVAL if no struct points to the program.
 */
int struct_ops_target(const struct struct_ops *ops, uint32_t prog, struct prog_target *target,
		      struct error *err);

/**
 * struct_ops_attach() - Register the struct of map @map, after its programs are loaded.
 * @link_fd: .struct_ops.link (Linux 6.4): owned by the caller; the struct is registered while it is
 *	open; .struct_ops: -1, and the struct is registered until struct_ops_detach()
 *
 * The member of a program that is not loaded stays empty.
 */
int struct_ops_attach(const struct struct_ops *ops, const struct kernel_object *k, uint32_t map,
		      int *link_fd, struct error *err);
int struct_ops_detach(struct sys *sys, const struct kernel_object *k, uint32_t map,
		      struct error *err);

#endif
