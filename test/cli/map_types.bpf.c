// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A map of each type, with only those attributes that pload cannot know. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define MAP(name, map_type, ...) struct { __uint(type, map_type); __VA_ARGS__ } name SEC(".maps");
#define KEY __type(key, int);
#define VALUE __type(value, long);
#define THREE __uint(max_entries, 3);

struct prefix {
	__u32 len, address;
};

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	VALUE
	THREE
};

MAP(hash, BPF_MAP_TYPE_HASH, KEY VALUE THREE)
MAP(array, BPF_MAP_TYPE_ARRAY, VALUE THREE)
MAP(prog_array, BPF_MAP_TYPE_PROG_ARRAY, THREE)
MAP(perf_event_array, BPF_MAP_TYPE_PERF_EVENT_ARRAY)
MAP(percpu_hash, BPF_MAP_TYPE_PERCPU_HASH, KEY VALUE THREE)
MAP(percpu_array, BPF_MAP_TYPE_PERCPU_ARRAY, VALUE THREE)
MAP(stack_trace, BPF_MAP_TYPE_STACK_TRACE, THREE)
MAP(cgroup_array, BPF_MAP_TYPE_CGROUP_ARRAY, THREE)
MAP(lru_hash, BPF_MAP_TYPE_LRU_HASH, KEY VALUE THREE)
MAP(lru_percpu_hash, BPF_MAP_TYPE_LRU_PERCPU_HASH, KEY VALUE THREE)
MAP(lpm_trie, BPF_MAP_TYPE_LPM_TRIE, __type(key, struct prefix); VALUE THREE)
MAP(array_of_maps, BPF_MAP_TYPE_ARRAY_OF_MAPS, THREE __array(values, struct inner);)
MAP(hash_of_maps, BPF_MAP_TYPE_HASH_OF_MAPS, KEY THREE __array(values, struct inner);)
MAP(devmap, BPF_MAP_TYPE_DEVMAP, THREE)
MAP(sockmap, BPF_MAP_TYPE_SOCKMAP, THREE)
MAP(cpumap, BPF_MAP_TYPE_CPUMAP, THREE)
MAP(xskmap, BPF_MAP_TYPE_XSKMAP, THREE)
MAP(sockhash, BPF_MAP_TYPE_SOCKHASH, KEY THREE)
MAP(cgroup_storage, BPF_MAP_TYPE_CGROUP_STORAGE, VALUE)
MAP(reuseport, BPF_MAP_TYPE_REUSEPORT_SOCKARRAY, THREE)
MAP(percpu_cgroup_storage, BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE, VALUE)
MAP(queue, BPF_MAP_TYPE_QUEUE, VALUE THREE)
MAP(stack, BPF_MAP_TYPE_STACK, VALUE THREE)
MAP(sk_storage, BPF_MAP_TYPE_SK_STORAGE, KEY VALUE)
MAP(devmap_hash, BPF_MAP_TYPE_DEVMAP_HASH, THREE)
MAP(ringbuf, BPF_MAP_TYPE_RINGBUF, __uint(max_entries, 5000);)
MAP(inode_storage, BPF_MAP_TYPE_INODE_STORAGE, KEY VALUE)
MAP(task_storage, BPF_MAP_TYPE_TASK_STORAGE, KEY VALUE)
MAP(bloom, BPF_MAP_TYPE_BLOOM_FILTER, VALUE THREE __uint(map_extra, 3);)
MAP(user_ringbuf, BPF_MAP_TYPE_USER_RINGBUF, VALUE __uint(max_entries, 1);)
MAP(cgrp_storage, BPF_MAP_TYPE_CGRP_STORAGE, KEY VALUE)
MAP(arena, BPF_MAP_TYPE_ARENA, __uint(max_entries, 100);)

SEC("xdp") int prog(struct xdp_md *ctx)
{
	(void)ctx;
	return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
