/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Instructions as text, in the syntax of the verifier's log (kernel/bpf/disasm.c). */
#ifndef PLOAD_ELF_INSN_INSN_TEXT_H
#define PLOAD_ELF_INSN_INSN_TEXT_H

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>

/* The longest text, with its zero byte. */
#define INSN_TEXT_MAX 128

/**
 * insn_text() - Write the instruction at @insn to @to: "r1 = *(u64 *)(r10 -8)".
 * @room: the number of instructions from @insn on; an ldimm64 has its upper half in the second
 *
 * The log has the code in front, "(79) ". The text of a code that no kernel knows is "BUG_79".
 * Return: the length of the text.
 */
size_t insn_text(char to[INSN_TEXT_MAX], const struct bpf_insn *insn, size_t room);

/*
 * helper_name() - Return "bpf_map_lookup_elem" for 1, or NULL for a number that
 * include/uapi/linux/bpf.h does not have. nr_helpers: the first number after those that it has.
 */
const char *helper_name(uint32_t func);
extern const uint32_t nr_helpers;

#endif
