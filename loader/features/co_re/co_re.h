/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * CO-RE: the offsets, sizes and values that an object took from its own idea of kernel types,
 * replaced by those of the kernel that is to run it. A room beside the core: relocate() calls it
 * through a hook, and nothing else knows of it.
 */
#ifndef PLOAD_FEATURES_CO_RE_CO_RE_H
#define PLOAD_FEATURES_CO_RE_CO_RE_H

#include "loader/object/relocate.h"
#include "loader/features/kernel_types/kernel_types.h"

/*
 * The helper that no kernel has, called where a relocation could not be met ("bad relo", as
 * libbpf).
 */
#define CO_RE_POISON 0xbad2310

struct co_re_state;

/* The relocations of one object. Zeroed is empty. */
struct co_re {
	struct co_re_hook hook;		/* what relocate() is given */
	struct kernel_types *types;	/* borrowed, as the next */
	const struct bpf_object *obj;
	bool by_kernel;
	struct co_re_state *state; /* owned; NULL until a relocation needs it */
};

/*
 * co_re_init() - have @obj's relocations done by relocate(): against @types, which are opened when
 * the first relocation needs them; or with @by_kernel (@types may be NULL) leave them in
 * prog_code.core_relos, for BPF_PROG_LOAD (Linux 5.17). Sets obj->core; cannot fail.
 */
void co_re_init(struct co_re *core, struct kernel_types *types, struct bpf_object *obj,
		bool by_kernel);
void co_re_free(struct co_re *core);

/*
 * co_re_set_target() - the same against types that the caller has: @target is borrowed. Returns
 * 0 or -ENOMEM.
 */
int co_re_set_target(struct co_re *core, const struct btf *target, struct error *err);

/* co_re_begin_prog() - forget which instructions were poisoned: another program is linked next. */
void co_re_begin_prog(struct co_re *core);

/*
 * co_re_explain() - @err is the verifier's refusal of the program linked last. If its log ends at
 * an instruction poisoned here, the hint says which relocation could not be met, and why.
 */
void co_re_explain(const struct co_re *core, struct error *err);

/*
 * co_re_same_type() - whether a type of an object and one of a kernel are the same for CO-RE, of
 * one kind all the way down; a forward declaration stands for the struct or union. Returns 1 or 0,
 * or -ELOOP when that takes too long to find out. @kernel may be BTF that was only indexed.
 */
int co_re_same_type(const struct btf *local, uint32_t local_id, const struct btf *kernel,
		    uint32_t kernel_id);

#endif
