/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Structs of functions that an object gives to the kernel, such as a tcp_congestion_ops: their
 * members put where the kernel has them, and the programs they point to told which member they are.
 * A room beside the core; an object without such structs never gets there.
 */
#ifndef PLOAD_FEATURES_STRUCT_OPS_STRUCT_OPS_H
#define PLOAD_FEATURES_STRUCT_OPS_STRUCT_OPS_H

#include "loader/kernel/kernel.h"
#include "loader/features/kernel_types/kernel_types.h"

struct ops_value;

/* Those of one object. Zeroed is empty. */
struct struct_ops {
	struct sys *sys;		/* borrowed, as the next two */
	const struct bpf_object *obj;
	struct kernel_types *types;	/* of the running kernel */
	struct ops_map *maps;		/* owned; for kernel_load_maps(): one for each map. NULL:
					 * none */
	struct ops_value *values;	/* owned; likewise */
	struct prog_target *targets;	/* owned; one for each program */
};

/* struct_ops_init() - look nothing up yet. Cannot fail. */
void struct_ops_init(struct struct_ops *ops, struct sys *sys, struct kernel_types *types,
		     const struct bpf_object *obj);
void struct_ops_free(struct struct_ops *ops);

/*
 * struct_ops_find() - find each struct in the kernel's types (Linux 5.6), and lay its value out.
 * @wanted: for each program whether it will be loaded; an optional struct is left out unless an
 * optional program of its own is wanted. Does nothing for an object without structs. Fails with
 * ENOENT when the kernel has no such struct, ENOTSUP and "map 'x': member 'y'" when a member that
 * is set is not there or is another, EINVAL when a program is of two members, ENOMEM, and with what
 * opening the types fails with.
 */
int struct_ops_find(struct struct_ops *ops, const bool *wanted, struct error *err);

/*
 * struct_ops_target() - what program @prog of SEC("struct_ops") is loaded for; zeroed for others.
 * Fails with EINVAL when no struct points to it. "prog 'x'".
 */
int struct_ops_target(const struct struct_ops *ops, uint32_t prog, struct prog_target *target,
		      struct error *err);

/*
 * struct_ops_attach() - give the struct of map @map to the kernel, whose programs are loaded (those
 * that are not leave their members empty). Returns 0 with *@link_fd, owned by the caller: for
 * .struct_ops.link (Linux 6.4) the struct is registered while it is open; otherwise -1, and the
 * struct stays registered until struct_ops_detach(). Fails with the kernel's errno; "map 'x'".
 */
int struct_ops_attach(const struct struct_ops *ops, const struct kernel_object *k, uint32_t map,
		      int *link_fd, struct error *err);
int struct_ops_detach(struct sys *sys, const struct kernel_object *k, uint32_t map,
		      struct error *err);

#endif
