// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Programs that a read of a file runs, once for each task or map.
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

PROGRAM(tasks, "iter/task", void, 0)
PROGRAM(maps, "iter/bpf_map", void, 0)
PROGRAM(elements, "iter/bpf_map_elem", void, 0)
PROGRAM(tasks_slow, "iter.s/task", void, 0)

char LICENSE[] SEC("license") = "GPL";
