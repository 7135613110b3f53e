/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The value of a struct_ops map is a kernel struct that wraps the object's struct:
 *
 *	struct bpf_struct_ops_tcp_congestion_ops {	the value
 *		struct bpf_struct_ops_common_value common;	refcnt, state: the kernel's
 *		struct tcp_congestion_ops data;			at ops_type.data_at
 *	};
 *
 *	object's struct		value.data, by member names
 *	.name = "mine"		copied to the kernel's offset of "name"
 *	.ssthresh = prog	descriptor of the program, 8 bytes, at the kernel's offset
 *	(not set)		0
 */
#ifndef PLOAD_OBJECTS_STRUCT_OPS_STRUCT_OPS_INTERNAL_H
#define PLOAD_OBJECTS_STRUCT_OPS_STRUCT_OPS_INTERNAL_H

#include "loader/objects/kernel_types/checked_types.h"
#include "loader/objects/struct_ops/struct_ops.h"

/* The value of one map. */
struct ops_value {
	char *name;		/* owned; "bpf_struct_ops_NAME" */
	unsigned char *bytes;	/* owned; ops_map.value_size bytes, without program descriptors */
	struct object_slot *slots;	/* owned; index: byte of the value; target: program */
	uint32_t nr_slots;
};

/* The kernel's struct: the type of member "data" of the value. */
struct ops_type {
	const struct btf *btf;	/* borrowed */
	int btf_fd;		/* borrowed; in a module's BTF; 0: vmlinux */
	struct btf_type_view value, data;
	uint32_t data_at;	/* offset in the value, bytes */
};

/*
 * ops_value_lay_out() - Create the value of map @map, and set the targets of its programs. Fails
 * like struct_ops_find().
 */
int ops_value_lay_out(struct struct_ops *ops, uint32_t map, const struct ops_type *type,
		      struct error *err);

#endif
