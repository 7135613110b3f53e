/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Instructions as text, in the syntax of the verifier's log (kernel/bpf/disasm.c). */
#ifndef PLOAD_ELF_INSN_INSN_TEXT_H
#define PLOAD_ELF_INSN_INSN_TEXT_H

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>

/* The longest text, including its zero byte. */
#define INSN_TEXT_MAX 128

/**
 * insn_text() - Format the instruction at @insn into @to: "r1 = *(u64 *)(r10 -8)".
 * @room: the number of instructions from @insn on; an ldimm64 needs two
 *
 * The log prefixes the code, "(79) ", which this function leaves out. An unknown code becomes
 * "BUG_79".
 * Return: the length of the text.
 */
size_t insn_text(char to[INSN_TEXT_MAX], const struct bpf_insn *insn, size_t room);

/*
 * helper_name() - Return "bpf_map_lookup_elem" for 1, or NULL for a number not in
 * include/uapi/linux/bpf.h. nr_helpers is the last number in it plus one.
 */
const char *helper_name(uint32_t func);
extern const uint32_t nr_helpers;

#endif
