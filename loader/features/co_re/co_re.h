/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * CO-RE: the offsets, sizes and values that an object took from its own idea of kernel types,
 * replaced by those of the kernel that is to run it. A room beside the core: relocate() calls it
 * through a hook, and nothing else knows of it.
 */
#ifndef PLOAD_FEATURES_CO_RE_CO_RE_H
#define PLOAD_FEATURES_CO_RE_CO_RE_H

#include "loader/object/object.h"
#include "loader/features/kernel_types/kernel_types.h"

/*
 * The helper that no kernel has, called where a relocation could not be met ("bad relo", as
 * libbpf).
 */
#define CORE_POISON 0xbad2310

struct core_state;

/* The relocations of one object. Zeroed is empty. */
struct core {
	struct core_hook hook;		/* what relocate() is given */
	struct kernel_types *types;	/* borrowed, as the next */
	const struct bpf_object *obj;
	bool by_kernel;
	struct core_state *state;	/* owned; NULL until a relocation needs it */
};

/*
 * core_init() - have @obj's relocations done by relocate(): against @types, which are opened when
 * the first relocation needs them; or with @by_kernel (@types may be NULL) leave them in
 * prog_code.core_relos, for BPF_PROG_LOAD (Linux 5.17). Sets obj->core; cannot fail.
 */
void core_init(struct core *core, struct kernel_types *types, struct bpf_object *obj,
	       bool by_kernel);
void core_free(struct core *core);

/*
 * core_resolve_with() - the same against types that the caller has: @target is borrowed. Returns
 * 0 or -ENOMEM.
 */
int core_resolve_with(struct core *core, const struct btf *target, struct error *err);

/* core_begin() - forget which instructions were poisoned: another program is linked next. */
void core_begin(struct core *core);

/*
 * core_explain() - @err is the verifier's refusal of the program linked last. If its log ends at an
 * instruction poisoned here, the hint says which relocation could not be met, and why.
 */
void core_explain(const struct core *core, struct error *err);

/*
 * core_types_alike() - whether a type of an object and one of a kernel are the same for CO-RE, of
 * one kind all the way down; a forward declaration stands for the struct or union. Returns 1 or 0,
 * or -ELOOP when that takes too long to find out. @kernel may be BTF that was only indexed.
 */
int core_types_alike(const struct btf *local, uint32_t local_id, const struct btf *kernel,
		     uint32_t kernel_id);

/*
 * core_declaration() - "int f(struct task_struct *, u64)": type @id as that of something called
 * @name, for messages; cut to @size.
 */
void core_declaration(const struct btf *btf, uint32_t id, const char *name, char *to, size_t size);

#endif
