/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * CO-RE (compile once, run everywhere): replace the offsets, sizes and values that the compiler
 * took from the object's BTF with those of the running kernel. relocate() calls this through a hook
 * in struct bpf_object.
 */
#ifndef PLOAD_OBJECTS_CO_RE_CO_RE_H
#define PLOAD_OBJECTS_CO_RE_CO_RE_H

#include "loader/core/object/relocate.h"
#include "loader/objects/kernel_types/kernel_types.h"

/*
 * The number of a helper that no kernel has. An instruction whose relocation cannot be resolved
 * becomes a call to it, which the verifier rejects only if it is reachable. libbpf uses the same
 * number ("bad relo").
 */
#define CO_RE_POISON 0xbad2310

struct co_re_state;

/* The relocations of one object. All zero means empty. */
struct co_re {
	struct co_re_hook hook;		/* passed to relocate() */
	struct kernel_types *types;	/* borrowed, like the next one */
	const struct bpf_object *obj;
	bool by_kernel;
	struct co_re_state *state;	/* owned; NULL until a relocation needs it */
};

/**
 * co_re_init() - Set obj->co_re, so that relocate() resolves the CO-RE relocations of @obj.
 * @types: borrowed; opened by the first relocation that needs them; NULL if @by_kernel
 * @by_kernel: leave the relocations in prog_code.core_relos, for BPF_PROG_LOAD (Linux 5.17)
 */
void co_re_init(struct co_re *co_re, struct kernel_types *types, struct bpf_object *obj,
		bool by_kernel);
void co_re_free(struct co_re *co_re);

/**
 * co_re_set_target() - Resolve against @target (borrowed) instead of the kernel's types.
 *
 * Return: 0 or -ENOMEM.
 */
int co_re_set_target(struct co_re *co_re, const struct btf *target, struct error *err);

/* co_re_begin_prog() - Forget the poisoned instructions of the previous program. */
void co_re_begin_prog(struct co_re *co_re);

/**
 * co_re_explain() - Explain why the verifier rejected the program linked last.
 * @code: the linked program
 * @err: err->log is the verifier's log
 *
 * If the log ends at a poisoned instruction, the error and its first note say what the kernel's
 * types lack, and the hint has the most similar name.
 */
void co_re_explain(const struct co_re *co_re, const struct prog_code *code, struct error *err);

/* The result of one relocation, in words and numbers. */
struct co_re_answer {
	char access[200];	/* "struct 'task_struct.mm.pgd'" */
	uint64_t local, target;	/* the value in the object's types and in the kernel's */
	bool poisoned;		/* the instruction became a call to CO_RE_POISON, because: */
	char why[256];		/* "this kernel's struct 'x' has no member 'y'" */
	char hint[256];
};

/**
 * co_re_answer() - Get in @out how @relo was resolved at @insn of the program linked last.
 *
 * Return: 0, or the error that relocate() would return.
 */
int co_re_answer(struct co_re *co_re, struct btf_core_relo relo, uint32_t insn,
		 struct co_re_answer *out, struct error *err);

/**
 * co_re_same_type() - Compare a type of an object with a type of a kernel.
 * @kernel: may be BTF that was only indexed
 *
 * Both must have the same kinds, down to what their pointers point to; a local forward declaration
 * matches the struct or union.
 *
 * Return: 1 or 0; -ELOOP if the comparison takes too many steps.
 */
int co_re_same_type(const struct btf *local, uint32_t local_id, const struct btf *kernel,
		    uint32_t kernel_id);

#endif
