// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Stacks in keys, values and records, written in as many ways as people do: see stacks.sh.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define DEPTH 127

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 1024);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, DEPTH * sizeof(__u64));
} stacks SEC(".maps");

/* So few ids and frames that ids collide, and stacks are truncated. */
#define FEW(name, entries)				\
struct {						\
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);		\
	__uint(max_entries, entries);			\
	__uint(key_size, sizeof(__u32));		\
	__uint(value_size, 2 * sizeof(__u64));		\
} name SEC(".maps")

FEW(few, 1024);
FEW(full, 1);

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(map_flags, BPF_F_STACK_BUILD_ID);
	__uint(max_entries, 1024);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, DEPTH * sizeof(struct bpf_stack_build_id));
} by_id SEC(".maps");

#define HASH(name, K, V)				\
struct {						\
	__uint(type, BPF_MAP_TYPE_HASH);		\
	__uint(max_entries, 1024);			\
	__type(key, K);					\
	__type(value, V);				\
} name SEC(".maps")

struct pair { __s32 kernel, user; };
struct nested { __u32 cpu; struct pair ids; __u32 tgid; };
struct process { __u32 tgid; __s32 user; };

HASH(whole, __u32, __u64);		/* the key is the id */
HASH(wide, __s64, __u64);		/* of 64 bits */
HASH(nested, struct nested, __u64);	/* copied from another struct, with a branch */
HASH(processes, struct process, __u64);
HASH(truncated, struct process, __u64);
HASH(collided, struct process, __u64);
HASH(files, struct process, __u64);
HASH(in_value, __u32, struct pair);	/* written through a pointer to the value */
HASH(through, struct pair, __u64);	/* read from a value, and used as a key */

static __noinline void add(void *map, void *key)
{
	__u64 one = 1, *count = bpf_map_lookup_elem(map, key);

	if (count)
		__sync_fetch_and_add(count, 1);
	else
		bpf_map_update_elem(map, key, &one, BPF_ANY);
}

SEC("perf_event/ids")
int ids(void *ctx)
{
	__s64 wide_id = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
	__u32 id = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
	__u64 pid = bpf_get_current_pid_tgid(), one = 1, *count;
	struct nested key = { .cpu = 7, .ids.user = -1 };
	struct pair ids = { .user = -1 };

	count = bpf_map_lookup_elem(&whole, &id);
	if (count)
		__sync_fetch_and_add(count, 1);
	else
		bpf_map_update_elem(&whole, &id, &one, BPF_ANY);
	bpf_map_update_elem(&wide, &wide_id, &one, BPF_ANY);

	ids.kernel = bpf_get_stackid(ctx, &stacks, 0);
	if (pid & 1)
		ids.user = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
	key.ids = ids;
	key.tgid = pid >> 32;
	bpf_map_update_elem(&nested, &key, &one, BPF_ANY);
	return 0;
}

SEC("perf_event/called")
int called(void *ctx)
{
	struct process key = { .tgid = bpf_get_current_pid_tgid() >> 32 };

	key.user = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
	add(&processes, &key);
	key.user = bpf_get_stackid(ctx, &few, BPF_F_USER_STACK | BPF_F_REUSE_STACKID);
	add(&truncated, &key);
	key.user = bpf_get_stackid(ctx, &full, BPF_F_USER_STACK);
	add(&collided, &key);
	key.user = bpf_get_stackid(ctx, &by_id, BPF_F_USER_STACK);
	add(&files, &key);
	return 0;
}

SEC("perf_event/stored")
int stored(void *ctx)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32;
	struct pair none = {}, key = {}, *value;
	__u64 one = 1;

	bpf_map_update_elem(&in_value, &pid, &none, BPF_NOEXIST);
	value = bpf_map_lookup_elem(&in_value, &pid);
	if (!value)
		return 0;
	value->kernel = bpf_get_stackid(ctx, &stacks, 0);
	value->user = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
	key.user = value->user;
	bpf_map_update_elem(&through, &key, &one, BPF_ANY);
	return 0;
}

struct record {
	__u32 tgid;
	__s32 id;
	char comm[16];
	__u64 user[32];
	__u64 kernel[32];
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} reserved SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct record);
} scratch SEC(".maps");

static __always_inline void fill(void *ctx, struct record *r)
{
	r->tgid = bpf_get_current_pid_tgid() >> 32;
	r->id = bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK);
	bpf_get_current_comm(r->comm, sizeof(r->comm));
	bpf_get_stack(ctx, r->user, sizeof(r->user), BPF_F_USER_STACK);
	bpf_get_stack(ctx, r->kernel, sizeof(r->kernel), 0);
}

SEC("perf_event/reserve")
int reserve(void *ctx)
{
	struct record *r = bpf_ringbuf_reserve(&reserved, sizeof(*r), 0);

	if (!r)
		return 0;
	fill(ctx, r);
	bpf_ringbuf_submit(r, 0);
	return 0;
}

SEC("perf_event/output")
int output(void *ctx)
{
	__u32 zero = 0;
	struct record *r = bpf_map_lookup_elem(&scratch, &zero);

	if (!r)
		return 0;
	fill(ctx, r);
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, r, sizeof(*r));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
