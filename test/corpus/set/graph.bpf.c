// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Objects allocated by programs, and kept in lists, trees and maps of the kernel.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define __contains(name, node)	__attribute__((btf_decl_tag("contains:" #name ":" #node)))
#define private(name)		SEC(".data." #name) __hidden __attribute__((aligned(8)))

extern void *bpf_obj_new_impl(__u64 local_type_id, void *meta) __ksym;
extern void bpf_obj_drop_impl(void *object, void *meta) __ksym;
extern int bpf_list_push_front_impl(struct bpf_list_head *head, struct bpf_list_node *node,
				    void *meta, __u64 off) __ksym;
extern struct bpf_list_node *bpf_list_pop_back(struct bpf_list_head *head) __ksym;

struct item {
	struct bpf_list_node node;
	__u64 value;
};

struct kept {
	struct item __kptr *item;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct kept);
} keeper SEC(".maps");

private(list) struct bpf_spin_lock lock;
private(list) struct bpf_list_head head __contains(item, node);

SEC("tc")
int push(struct __sk_buff *skb)
{
	struct item *item = bpf_obj_new_impl(bpf_core_type_id_local(struct item), NULL);

	if (!item)
		return 1;
	item->value = skb->len;
	bpf_spin_lock(&lock);
	bpf_list_push_front_impl(&head, &item->node, NULL, 0);
	bpf_spin_unlock(&lock);
	return 0;
}

SEC("tc")
int pop(struct __sk_buff *skb)
{
	struct bpf_list_node *node;

	(void)skb;
	bpf_spin_lock(&lock);
	node = bpf_list_pop_back(&head);
	bpf_spin_unlock(&lock);
	if (node)
		bpf_obj_drop_impl(container_of(node, struct item, node), NULL);
	return 0;
}

SEC("tc")
int keep(struct __sk_buff *skb)
{
	struct item *item = bpf_obj_new_impl(bpf_core_type_id_local(struct item), NULL);
	__u32 key = 0;
	struct kept *kept = bpf_map_lookup_elem(&keeper, &key);

	if (!item)
		return 0;
	item->value = skb->len;
	if (kept)
		item = bpf_kptr_xchg(&kept->item, item);
	if (item)
		bpf_obj_drop_impl(item, NULL);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
