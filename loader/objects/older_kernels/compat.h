/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The forms of BTF, maps and programs that older kernels accept: rows of `features`. */
#ifndef PLOAD_OBJECTS_OLDER_KERNELS_COMPAT_H
#define PLOAD_OBJECTS_OLDER_KERNELS_COMPAT_H

#include "loader/core/kernel/feature.h"

/**
 * kernel_drop_btf() - Remove func_info and line_info (Linux 5.0) from @attr. Return true if it had
 * any.
 */
bool kernel_drop_btf(union bpf_attr *attr);

/**
 * kernel_load_untagged_btf() - Load BTF in which functions with tagged arguments (Linux 6.8) are
 * static: k->untagged_btf_fd. Return false if there are none or the kernel refuses it.
 */
bool kernel_load_untagged_btf(struct sys *sys, struct kernel_object *k);

extern const struct kernel_feature kernel_older;

/* older_map() - Create a map with successively fewer attributes. */
int older_map(struct sys *sys, const struct object_map *map, union bpf_attr *attr,
	      unsigned int *without, int code);

/*
 * kernel_load_compat() - Load without XDP_HAS_FRAGS (Linux 5.18), BTF (5.0), expected_attach_type
 * (4.17) or the name (4.15), as long as the program behaves the same without them, or with BTF
 * without tags.
 */
int kernel_load_compat(struct prog_load *load, const char *log, int code);

/*
 * kernel_bind_rodata() - BPF_PROG_BIND_MAP (Linux 5.10): bind the read-only data that @code, the
 * loaded program, does not refer to. Failure sets WITHOUT_RODATA.
 */
void kernel_bind_rodata(struct sys *sys, struct kernel_object *k, uint32_t prog,
			const struct prog_code *code);

#endif
