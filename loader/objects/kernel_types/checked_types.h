/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Access to BTF that was only indexed: a kernel's BTF is too large to validate completely for every
 * program, so each record is checked when it is read.
 */
#ifndef PLOAD_OBJECTS_KERNEL_TYPES_CHECKED_TYPES_H
#define PLOAD_OBJECTS_KERNEL_TYPES_CHECKED_TYPES_H

#include "elf/btf.h"

/* Maximum recursion depth: MAX_RESOLVE_DEPTH in kernel/bpf/btf.c. */
#define TYPE_DEPTH_MAX 32

/*
 * The accessors of elf/btf.h for BTF whose ids and names were not validated. An id out of range or
 * a cycle of modifiers counts as void; a name out of range is "".
 */
struct btf_type_view checked_type(const struct btf *btf, uint32_t id);
struct btf_type_view checked_skip(const struct btf *btf, uint32_t id);
struct btf_member_view checked_member(const struct btf *btf, const struct btf_type_view *t,
					uint32_t i);
struct btf_enumerator_view checked_enumerator(const struct btf *btf,
						const struct btf_type_view *t, uint32_t i);
uint32_t checked_param(const struct btf *btf, const struct btf_type_view *t, uint32_t i);

/* checked_size() - Return the size of a value of type @id (below 2^40), or -EINVAL. */
int64_t checked_size(const struct btf *btf, uint32_t id);

/*
 * type_declaration() - Write @name, declared with type @id as C does, to @to for a message.
 *
 * For example "int f(struct task_struct *, u64)". The text is truncated to @size bytes.
 */
void type_declaration(const struct btf *btf, uint32_t id, const char *name, char *to, size_t size);

#endif
