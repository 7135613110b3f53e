// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Maps of maps: definitions inside, other maps as prototypes, initial values.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
};

struct inner first SEC(".maps"), second SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 4);
	__type(key, __u32);
	__array(values, struct inner);
} filled SEC(".maps") = {
	.values = { [0] = &first, [2] = &second },
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, 4);
	__type(key, __u64);
	__array(values, struct {
		__uint(type, BPF_MAP_TYPE_HASH);
		__uint(max_entries, 8);
		__type(key, __u32);
		__type(value, __u32);
	});
} empty SEC(".maps");

struct ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
};

struct ring ring0 SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__array(values, struct ring);
} rings SEC(".maps") = {
	.values = { &ring0 },
};

SEC("tracepoint/syscalls/sys_enter_getppid")
int outer(void *ctx)
{
	__u32 key = 0;
	__u64 name = 1, *value;
	void *map = bpf_map_lookup_elem(&filled, &key);

	(void)ctx;
	if (map) {
		value = bpf_map_lookup_elem(map, &key);
		if (value)
			++*value;
	}
	map = bpf_map_lookup_elem(&empty, &name);
	if (map)
		bpf_map_delete_elem(map, &key);
	map = bpf_map_lookup_elem(&rings, &key);
	if (map)
		bpf_ringbuf_output(map, &name, sizeof(name), 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
