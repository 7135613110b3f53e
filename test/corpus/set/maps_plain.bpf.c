// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Maps that need no kernel types: arrays, hashes, tries, queues, rings.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct value {
	__u64 count;
	char name[16];
};

struct prefix {
	__u32 prefixlen;
	__u8 data[4];
};

#define TABLE(name_, type_, flags_) \
	struct { \
		__uint(type, type_); \
		__uint(max_entries, 64); \
		__uint(map_flags, flags_); \
		__type(key, __u32); \
		__type(value, struct value); \
	} name_ SEC(".maps")

TABLE(hash, BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC);
TABLE(array, BPF_MAP_TYPE_ARRAY, BPF_F_MMAPABLE);
TABLE(percpu_hash, BPF_MAP_TYPE_PERCPU_HASH, 0);
TABLE(percpu_array, BPF_MAP_TYPE_PERCPU_ARRAY, 0);
TABLE(lru_hash, BPF_MAP_TYPE_LRU_HASH, 0);
TABLE(lru_percpu, BPF_MAP_TYPE_LRU_PERCPU_HASH, 0);

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, 16);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct prefix);
	__type(value, __u32);
} trie SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 20 * sizeof(__u64));
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 16);
	__type(value, __u64);
} queue SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 16);
	__uint(value_size, sizeof(__u64));
} stack SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_BLOOM_FILTER);
	__uint(max_entries, 16);
	__type(value, __u64);
	__ulong(map_extra, 3);
} bloom SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_USER_RINGBUF);
	__uint(max_entries, 4096);
} user_ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(int));
	__uint(value_size, sizeof(int));
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} cgroups SEC(".maps");

static __always_inline void bump(void *map)
{
	__u32 key = bpf_get_smp_processor_id() & 63;
	struct value *value = bpf_map_lookup_elem(map, &key);

	if (value)
		value->count++;
}

SEC("tracepoint/syscalls/sys_enter_getppid")
int use_all(void *ctx)
{
	struct prefix prefix = { 32, { 127, 0, 0, 1 } };
	__u64 now = bpf_ktime_get_ns(), *slot;

	bump(&hash);
	bump(&array);
	bump(&percpu_hash);
	bump(&percpu_array);
	bump(&lru_hash);
	bump(&lru_percpu);
	bpf_map_lookup_elem(&trie, &prefix);
	bpf_get_stackid(ctx, &stacks, 0);
	bpf_map_push_elem(&queue, &now, BPF_EXIST);
	bpf_map_push_elem(&stack, &now, BPF_EXIST);
	bpf_map_push_elem(&bloom, &now, 0);
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &now, sizeof(now));
	slot = bpf_ringbuf_reserve(&ring, sizeof(*slot), 0);
	if (slot) {
		*slot = bpf_current_task_under_cgroup(&cgroups, 0);
		bpf_ringbuf_submit(slot, 0);
	}
	return 0;
}

static long drain(struct bpf_dynptr *record, void *context)
{
	__u64 value = 0;

	(void)context;
	bpf_dynptr_read(&value, sizeof(value), record, 0, 0);
	bpf_map_push_elem(&queue, &value, BPF_EXIST);
	return 0;
}

SEC("tracepoint/syscalls/sys_exit_getppid")
int use_user_ring(void *ctx)
{
	(void)ctx;
	bpf_user_ringbuf_drain(&user_ring, drain, NULL, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
