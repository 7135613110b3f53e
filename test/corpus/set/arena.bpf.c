// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Memory shared with user space through plain pointers. The necessary casts came with -mcpu=v4.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define __arena	__attribute__((address_space(1)))

extern void __arena *bpf_arena_alloc_pages(void *map, void __arena *addr, __u32 pages, int node,
					   __u64 flags) __ksym;
extern void bpf_arena_free_pages(void *map, void __arena *addr, __u32 pages) __ksym;

struct {
	__uint(type, BPF_MAP_TYPE_ARENA);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 4);
} arena SEC(".maps");

struct node {
	struct node __arena *next;
	__u64 value;
};

/* Variables in the arena itself. */
__u64 __arena global_in_arena SEC(".addr_space.1");
struct node __arena *list;

SEC("syscall")
int build(void *ctx)
{
	struct node __arena *page = bpf_arena_alloc_pages(&arena, NULL, 1, -1, 0);

	(void)ctx;
	if (!page)
		return 1;
	page->next = list;
	page->value = ++global_in_arena;
	list = page;
	return 0;
}

SEC("syscall")
int tear_down(void *ctx)
{
	(void)ctx;
	if (list)
		bpf_arena_free_pages(&arena, list, 1);
	list = NULL;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
