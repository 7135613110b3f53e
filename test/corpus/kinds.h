/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The program as which each line of test/corpus/kinds is compiled. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

__u64 calls;

#define PROGRAM(name, section, context, result) \
	SEC(section) \
	int name(context *ctx) \
	{ \
		(void)ctx; \
		calls++; \
		return result; \
	}

/* Fault in user memory, which only a sleepable program may do. */
static __always_inline int copy(void)
{
	char word[8];

	return bpf_copy_from_user(word, sizeof(word), NULL);
}

char LICENSE[] SEC("license") = "GPL";
