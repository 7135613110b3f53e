// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Every CO-RE relocation that a compiler makes, for the suite: the kernel's relocator has to make the same of each.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define core __attribute__((preserve_access_index))

struct mm_struct {
	unsigned long start_code;	/* in an anonymous struct of the kernel's */
	unsigned long arg_start;
} core;

struct list_head {
	struct list_head *next;
} core;

/* The fields have another order and other sizes than the kernel's. */
struct task_struct {
	char comm[16];
	int tgid;
	struct task_struct *real_parent;
	struct mm_struct *mm;
	struct list_head children;
	unsigned long cpus_mask_not_there;
	unsigned in_execve : 1;
	unsigned sched_migrated : 1;
} core;

/* A field that went away in Linux 5.14, and one that no kernel has. */
struct task_struct___old {
	long state;
} core;

struct task_struct___none {
	int no_kernel_has_this;
} core;

struct no_such_struct {
	int x;
} core;

/* fds is a pointer to an array, the second member has elements of a struct. */
struct cgroup_subsys_state;
struct css_set {
	struct cgroup_subsys_state *subsys[4];
} core;

enum bpf_map_type___local {
	BPF_MAP_TYPE_ARRAY___local = 77,
	BPF_MAP_TYPE_OF_NOBODY___local = 78,
};

typedef int pid_t;
typedef struct {
	int counter;
} atomic_t;
typedef struct {
	int nothing;
} no_such_typedef_t;

/* A function type of the kernel, and types that do not match it. */
struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);
typedef void (*work_func_t___two)(struct work_struct *work, int more);
typedef void (*work_func_t___value)(int work);
typedef int (*work_func_t___returns)(struct work_struct *work);

/* This type belongs to a module: while that is not loaded, no BTF of the kernel has the type. */
struct veth_priv {
	unsigned int requested_headroom;
} core;

__u64 out[64];

SEC("perf_event")
int fields(void *ctx)
{
	struct task_struct *t = (void *)bpf_get_current_task();
	struct task_struct___old *old = (void *)t;

	out[0] = BPF_CORE_READ(t, tgid);
	out[1] = BPF_CORE_READ(t, real_parent, real_parent, tgid);
	out[2] = BPF_CORE_READ(t, mm, start_code);
	out[3] = BPF_CORE_READ(t, mm, arg_start);
	bpf_core_read_str(&out[4], 16, &t->comm);
	out[6] = (__u64)BPF_CORE_READ(t, children.next);
	out[7] = BPF_CORE_READ_BITFIELD_PROBED(t, in_execve);
	out[8] = BPF_CORE_READ_BITFIELD_PROBED(t, sched_migrated);
	bpf_core_read(&out[9], 1, &t->comm[3]);
	if (bpf_core_field_exists(old->state))
		out[10] = BPF_CORE_READ(old, state);
	return 0;
}

SEC("perf_event")
int info(void *ctx)
{
	struct task_struct *t = (void *)bpf_get_current_task();
	struct task_struct___none *none = (void *)t;
	struct css_set *set = (void *)t;

	out[0] = bpf_core_field_exists(t->tgid);
	out[1] = bpf_core_field_exists(none->no_kernel_has_this);
	out[2] = bpf_core_field_size(t->comm);
	out[3] = bpf_core_field_offset(t->mm);
	out[4] = bpf_core_type_exists(struct task_struct);
	out[5] = bpf_core_type_exists(struct no_such_struct);
	out[5] += bpf_core_type_size(struct no_such_struct);
	out[5] += bpf_core_type_id_kernel(struct no_such_struct);
	out[6] = bpf_core_type_size(struct task_struct);
	out[7] = bpf_core_type_exists(no_such_typedef_t);
	out[8] = bpf_core_type_size(atomic_t);
	out[9] = bpf_core_type_id_kernel(struct task_struct);
	out[10] = bpf_core_enum_value_exists(enum bpf_map_type___local, BPF_MAP_TYPE_ARRAY___local);
	out[11] = bpf_core_enum_value_exists(enum bpf_map_type___local,
					     BPF_MAP_TYPE_OF_NOBODY___local);
	out[12] = bpf_core_enum_value(enum bpf_map_type___local, BPF_MAP_TYPE_ARRAY___local);
	out[13] = bpf_core_field_size(set->subsys);
	out[14] = bpf_core_field_offset(set->subsys[1]);
	out[15] = bpf_core_type_id_local(struct task_struct);
	if (bpf_core_field_exists(none->no_kernel_has_this))
		out[16] = BPF_CORE_READ(none, no_kernel_has_this);
#if __clang_major__ >= 15
	out[17] = bpf_core_type_matches(struct task_struct___none);
	out[18] = bpf_core_type_matches(atomic_t);
	out[19] = bpf_core_type_matches(struct list_head);
	out[20] = bpf_core_type_matches(work_func_t);
	out[21] = bpf_core_type_matches(work_func_t___two);
	out[22] = bpf_core_type_matches(work_func_t___value);
	out[23] = bpf_core_type_matches(work_func_t___returns);
#endif
	out[24] = bpf_core_type_exists(work_func_t);
	out[25] = bpf_core_type_exists(work_func_t___two);
	return 0;
}

/*
 * These are direct loads, whose size follows the kernel's type: the verifier knows the pointer's
 * type.
 */
SEC("perf_event")
int chosen(void *ctx)
{
	struct task_struct *t = (void *)bpf_get_current_task();

	if (bpf_core_field_exists(t->cpus_mask_not_there))
		out[0] = BPF_CORE_READ(t, cpus_mask_not_there);
	else if (bpf_core_enum_value_exists(enum bpf_map_type___local, BPF_MAP_TYPE_ARRAY___local))
		out[0] = bpf_core_enum_value(enum bpf_map_type___local, BPF_MAP_TYPE_ARRAY___local);
	return 0;
}

/* The context as a type of the kernel: loads from it are themselves relocated, and become wider. */
struct bpf_perf_event_data___narrow {
	unsigned int addr;
	unsigned int sample_period;
} core;

SEC("perf_event")
int direct(struct bpf_perf_event_data___narrow *ctx)
{
	out[0] = ctx->sample_period;
	out[1] = ctx->addr;
	return 0;
}

/* Stores are relocated too: fields of another order, through the context, which programs may write. */
struct __sk_buff___some {
	__u32 priority;
	__u32 tc_index;
	__u32 mark;
	__u32 cb[5];
} core;

SEC("tc")
int stores(struct __sk_buff___some *skb)
{
	skb->mark = skb->priority;
	skb->priority = 7;	/* with -mcpu=v4 a store of a constant */
	skb->cb[3] = skb->mark;
	skb->tc_index = 1;
	return 0;
}

/*
 * A load may only change its size if that keeps the value, which is not so when either side is
 * signed. So both programs are refused: the one whose local field is wider than a signed one of the
 * kernel, and the one whose signed local field is narrower than the kernel's.
 */
struct bpf_sockopt___wide {
	__u64 level;	/* __s32 in the kernel */
} core;

SEC("cgroup/getsockopt")
int signed_there(struct bpf_sockopt___wide *ctx)
{
	out[0] = ctx->level;
	return 1;
}

struct bpf_perf_event_data___signed {
	int sample_period;	/* __u64 in the kernel */
} core;

SEC("perf_event")
int signed_here(struct bpf_perf_event_data___signed *ctx)
{
	out[0] = ctx->sample_period;
	return 0;
}

/* The kernel's is 64 bits wide: (__u64)-512. */
enum perf_callchain_context___local {
	PERF_CONTEXT_USER___local = 77,
};

SEC("perf_event")
int wide_enum(void *ctx)
{
	if (bpf_core_enum_value_exists(enum perf_callchain_context___local,
				       PERF_CONTEXT_USER___local))
		out[0] = bpf_core_enum_value(enum perf_callchain_context___local,
					     PERF_CONTEXT_USER___local);
	return 0;
}

SEC("tc")
int in_module(struct __sk_buff___some *skb)
{
	struct veth_priv *priv = (void *)skb;

	out[0] = bpf_core_type_exists(struct veth_priv);
	out[1] = bpf_core_field_exists(priv->requested_headroom);
	if (bpf_core_type_exists(struct veth_priv)) {
		out[2] = bpf_core_type_size(struct veth_priv);
		out[3] = bpf_core_field_offset(priv->requested_headroom);
		out[4] = bpf_core_type_id_kernel(struct veth_priv);
	}
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
