// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// CO-RE for various types: flavours, anonymous members, arrays, bit fields, typedefs, wide enums.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define core __attribute__((preserve_access_index))

typedef struct {
	int counter;
} atomic_t;

struct list_head {
	struct list_head *next, *prev;
} core;

struct hlist_head {
	void *first;
} core;

struct dentry___mine {
	struct {
		unsigned int len;
	} d_name;
	union {
		struct list_head d_lru;
		void *d_wait;
	};
} core;

struct task_struct {
	int pid;
	unsigned int flags;
	atomic_t stack_refcount_not_there;
	struct list_head tasks;
	struct task_struct *group_leader;
	struct signal_struct *signal;
	unsigned sched_reset_on_fork : 1;
} core;

struct rlimit {
	unsigned long rlim_cur, rlim_max;
} core;

struct signal_struct {
	atomic_t live;
	struct rlimit rlim[16];
	struct hlist_head multiprocess;
} core;

typedef unsigned int gfp_t;
typedef __u64 no_such_typedef;
union bpf_attr___mine {
	int x;
};

enum bpf_attach_type___mine {
	BPF_CGROUP_INET_EGRESS___mine = 1000,
	BPF_NO_SUCH_ATTACH___mine = 1001,
};

#if __clang_major__ >= 15
/* The kernel's enum has values wider than 32 bits. */
enum pload_wide {
	PLOAD_WIDE = 0x1234567890ULL,
};
enum bpf_core_wide___mine {
	BPF_F_CTXLEN_MASK___mine = 0x0fffff00000000ULL,
};
#endif

__u64 out[32];

SEC("raw_tp/sys_enter")
int shapes(void *ctx)
{
	struct task_struct *t = (void *)bpf_get_current_task();
	struct dentry___mine *d = (void *)t;
	__u32 i = bpf_get_smp_processor_id();

	(void)ctx;
	out[0] = BPF_CORE_READ(t, signal, live.counter);
	out[1] = BPF_CORE_READ(t, signal, rlim[3].rlim_max);
	out[2] = (__u64)BPF_CORE_READ(t, tasks.next, prev);
	out[3] = BPF_CORE_READ(t, group_leader, group_leader, pid);
	out[4] = BPF_CORE_READ_BITFIELD_PROBED(t, sched_reset_on_fork);
	out[5] = bpf_core_field_exists(d->d_lru.next);
	out[6] = bpf_core_field_offset(d->d_wait);
	out[7] = bpf_core_field_exists(struct task_struct, stack_refcount_not_there.counter);
	out[8] = bpf_core_field_size(struct signal_struct, rlim[0]);
	out[9] = bpf_core_type_exists(gfp_t) + bpf_core_type_exists(no_such_typedef);
	out[10] = bpf_core_type_size(union bpf_attr___mine);
	out[11] = bpf_core_enum_value(enum bpf_attach_type___mine, BPF_CGROUP_INET_EGRESS___mine);
	out[12] = bpf_core_enum_value_exists(enum bpf_attach_type___mine,
					     BPF_NO_SUCH_ATTACH___mine);
	out[13] = bpf_core_type_id_local(struct rlimit);
	out[14] = bpf_core_type_id_kernel(struct rlimit);
	out[15 + (i & 1)] = BPF_CORE_READ(t, signal, rlim[1].rlim_cur);
#if __clang_major__ >= 15
	out[17] = bpf_core_enum_value_exists(enum pload_wide, PLOAD_WIDE);
	if (bpf_core_enum_value_exists(enum bpf_core_wide___mine, BPF_F_CTXLEN_MASK___mine))
		out[18] = bpf_core_enum_value(enum bpf_core_wide___mine, BPF_F_CTXLEN_MASK___mine);
	out[19] = bpf_core_type_matches(struct rlimit);
	out[20] = bpf_core_type_matches(struct list_head);
#endif
	return 0;
}

/* No kernel has this member. Its relocation is in code that the check for it makes unreachable. */
struct task_struct___gone {
	struct {
		long nothing;
	} no_such_member;
} core;

SEC("raw_tp/sys_exit")
int guarded(void *ctx)
{
	struct task_struct___gone *t = (void *)bpf_get_current_task();

	(void)ctx;
	if (bpf_core_field_exists(t->no_such_member.nothing))
		out[21] = BPF_CORE_READ(t, no_such_member.nothing);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
