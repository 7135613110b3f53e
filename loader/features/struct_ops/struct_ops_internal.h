/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What finding, laying out and attaching structs of functions share. */
#ifndef PLOAD_FEATURES_STRUCT_OPS_STRUCT_OPS_INTERNAL_H
#define PLOAD_FEATURES_STRUCT_OPS_STRUCT_OPS_INTERNAL_H

#include "loader/features/kernel_types/unchecked_types.h"
#include "loader/features/struct_ops/struct_ops.h"

/* The value of one map: struct bpf_struct_ops_NAME of the kernel. */
struct ops_value {
	char *name;		/* owned; "bpf_struct_ops_NAME" */
	unsigned char *bytes;	/* owned; ops_map.value_size; descriptors of programs still
				 * missing */
	struct object_slot *slots;	/* owned; index: byte of the value, target: program */
	uint32_t nr_slots;
};

/* The kernel's struct: the type of member "data" of the value. */
struct ops_type {
	const struct btf *btf;	/* borrowed */
	int btf_fd;		/* as in prog_target */
	struct btf_type_view value, data;
	uint32_t data_at;	/* bytes */
};

/*
 * ops_value_lay_out() - make the value of map @map, and say of its programs what they are loaded
 * for. Fails as struct_ops_find() does.
 */
int ops_value_lay_out(struct struct_ops *ops, uint32_t map, const struct ops_type *type,
		      struct error *err);

#endif
