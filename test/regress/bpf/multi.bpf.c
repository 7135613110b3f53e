// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that are attached to maps, go over a part of something, or are on many functions. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "test/regress/bpf/map.h"

MAP(sockets, SOCKMAP, 4, __u32, __u64);
MAP(elements, HASH, 16, __u64, __u64);

/* Calls of functions, returns of them, and the cookies that they were given added up. */
struct counts {
	__u64 entries, returns, cookies;
} counts;

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

#define COUNTS(name, section, context, counter) \
	SEC(section) \
	int name(context *ctx) \
	{ \
		__sync_fetch_and_add(&counts.counter, 1); \
		__sync_fetch_and_add(&counts.cookies, bpf_get_attach_cookie(ctx)); \
		return 0; \
	}

#define KERNEL "bpf_fentry_test*"
#define USER "/proc/self/exe:pload_multi_*"

COUNTS(kernel_entry, "kprobe.multi/" KERNEL, void, entries)
COUNTS(kernel_return, "kretprobe.multi/" KERNEL, void, returns)
COUNTS(kernel_both, "kprobe.session/" KERNEL, void, entries)
COUNTS(user_entry, "uprobe.multi/" USER, void, entries)
COUNTS(user_return, "uretprobe.multi/" USER, void, returns)
COUNTS(user_both, "uprobe.session/" USER, void, entries)
COUNTS(trampoline_entry, "fentry.multi/" KERNEL, __u64, entries)
COUNTS(trampoline_exit, "fexit.multi/" KERNEL, __u64, returns)
COUNTS(trampoline_both, "fsession.multi/" KERNEL, __u64, entries)

/* Run as a test, it has the kernel call these functions. */
SEC("fentry/bpf_fentry_test1")
int trigger(__u64 *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
