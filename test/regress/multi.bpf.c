// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that are attached to maps, go over a part of something, or are on many functions. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} sockets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16);
	__type(key, __u64);
	__type(value, __u64);
} elements SEC(".maps");

__u64 entries, returns, cookies;	/* calls of each, and the cookies they were given added up */

/* --- sockets --- */

SEC("sk_msg")
int message(struct sk_msg_md *ctx)
{
	return SK_PASS;
}

SEC("sk_skb/stream_parser")
int parse(struct __sk_buff *skb)
{
	return skb->len;
}

SEC("sk_skb/stream_verdict")
int judge(struct __sk_buff *skb)
{
	return SK_PASS;
}

SEC("sk_skb")
int neither(struct __sk_buff *skb)
{
	return SK_PASS;
}

/* --- iterators --- */

struct seq_file;
struct bpf_iter_meta {
	struct seq_file *seq;
} __attribute__((preserve_access_index));
struct task_struct {
	int pid;
	int tgid;
} __attribute__((preserve_access_index));
struct kernfs_node {
	unsigned long long id;
} __attribute__((preserve_access_index));
struct cgroup {
	struct kernfs_node *kn;
} __attribute__((preserve_access_index));
struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} __attribute__((preserve_access_index));
struct bpf_iter__cgroup {
	struct bpf_iter_meta *meta;
	struct cgroup *cgroup;
} __attribute__((preserve_access_index));
struct bpf_iter__bpf_map_elem {
	struct bpf_iter_meta *meta;
	void *map, *key, *value;
};

static int say(struct seq_file *seq, __u64 a, __u64 b)
{
	static const char format[] = "%llu\t%llu\n";
	__u64 numbers[2] = { a, b };

	return bpf_seq_printf(seq, format, sizeof(format), numbers, sizeof(numbers));
}

SEC("iter/bpf_map_elem")
int each_element(struct bpf_iter__bpf_map_elem *ctx)
{
	__u64 *key = ctx->key, *value = ctx->value;

	if (key && value)
		say(ctx->meta->seq, *key, *value);
	return 0;
}

SEC("iter/task")
int each_task(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;

	if (task)
		say(ctx->meta->seq, task->tgid, task->pid);
	return 0;
}

SEC("?iter/cgroup")
int each_cgroup(struct bpf_iter__cgroup *ctx)
{
	struct cgroup *cgroup = ctx->cgroup;

	if (cgroup)
		say(ctx->meta->seq, cgroup->kn->id, 0);
	return 0;
}

/* --- many functions --- */

#define COUNTS(name, section, counter) \
	SEC(section) \
	int name(void *ctx) \
	{ \
		__sync_fetch_and_add(&counter, 1); \
		__sync_fetch_and_add(&cookies, bpf_get_attach_cookie(ctx)); \
		return 0; \
	}

COUNTS(kernel_entry, "kprobe.multi/bpf_fentry_test*", entries)
COUNTS(kernel_return, "kretprobe.multi/bpf_fentry_test*", returns)
COUNTS(kernel_both, "kprobe.session/bpf_fentry_test*", entries)
COUNTS(user_entry, "uprobe.multi//proc/self/exe:pload_multi_*", entries)
COUNTS(user_return, "uretprobe.multi//proc/self/exe:pload_multi_*", returns)
COUNTS(user_both, "uprobe.session//proc/self/exe:pload_multi_*", entries)

/* What the kernel calls where programs of this kind are run as a test: their own functions. */
#define TRAMPOLINE(name, section, counter) \
	SEC(section) \
	int name(__u64 *ctx) \
	{ \
		__sync_fetch_and_add(&counter, 1); \
		__sync_fetch_and_add(&cookies, bpf_get_attach_cookie(ctx)); \
		return 0; \
	}

TRAMPOLINE(trampoline_entry, "fentry.multi/bpf_fentry_test*", entries)
TRAMPOLINE(trampoline_exit, "fexit.multi/bpf_fentry_test*", returns)
TRAMPOLINE(trampoline_both, "fsession.multi/bpf_fentry_test*", entries)

char LICENSE[] SEC("license") = "GPL";
