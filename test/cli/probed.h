/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* USDT probes as created by <sys/sdt.h>, for programs to be probed. */
#ifndef PLOAD_TEST_CLI_PROBED_H
#define PLOAD_TEST_CLI_PROBED_H

#if __SIZEOF_POINTER__ == 8
#define ADDRESS ".8byte "
#else
#define ADDRESS ".4byte "
#endif

/* Since Linux 7.2, a probe on the second of these nops is several times as fast. */
#if defined(__x86_64__)
#define FAST_NOP "nop\n.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n"
#else
#define FAST_NOP "nop\n"
#endif

/*
 * A nop at the probe, and a note that is not loaded. The base shows by how much prelink has moved
 * it.
 */
#define PROBE(...) PROBE_AT("nop\n", __VA_ARGS__)
#define PROBE_AT(nop, provider, name, semaphore, args, ...) \
	__asm__ volatile("990: " nop \
			 ".pushsection .note.stapsdt,\"?\",\"note\"\n" \
			 ".balign 4\n" \
			 ".4byte 992f-991f, 994f-993f, 3\n" \
			 "991: .asciz \"stapsdt\"\n" \
			 "992: .balign 4\n" \
			 "993: " ADDRESS "990b\n" \
			 ADDRESS "_.stapsdt.base\n" \
			 ADDRESS semaphore "\n" \
			 ".asciz \"" provider "\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n" \
			 "994: .balign 4\n" \
			 ".popsection\n" \
			 ".ifndef _.stapsdt.base\n" \
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
			 ".weak _.stapsdt.base\n" \
			 ".hidden _.stapsdt.base\n" \
			 "_.stapsdt.base: .space 1\n" \
			 ".popsection\n" \
			 ".endif\n" \
			 : : __VA_ARGS__)

#endif
