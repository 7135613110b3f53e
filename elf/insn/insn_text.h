/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Instructions as text, in the syntax of the verifier's log (kernel/bpf/disasm.c). */
#ifndef PLOAD_ELF_INSN_INSN_TEXT_H
#define PLOAD_ELF_INSN_INSN_TEXT_H

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>

/* The longest text, with its zero byte; names of helpers that are longer are cut. */
#define INSN_TEXT_MAX 128

/**
 * insn_text() - Write the instruction at @insn to @to: "r1 = *(u64 *)(r10 -8)".
 * @room: the number of instructions from @insn on; an ldimm64 has its upper half in the second
 * @helper: returns the name of a helper, or NULL; may be NULL itself: helpers have numbers then
 *
 * The log has the code in front, "(79) ". The text of a code that no kernel knows is "BUG_79".
 * Return: the length of the text.
 */
size_t insn_text(char to[INSN_TEXT_MAX], const struct bpf_insn *insn, size_t room,
		 const char *(*helper)(uint32_t func));

#endif
