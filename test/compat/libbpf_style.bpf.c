// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Maps, globals, helpers, printing, loops: a program as people write it for libbpf's headers.
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_endian.h>

#define MAX_DEPTH 8

struct inner {
	int a;
	char name[8];
};

struct event {
	__u32 pid;
	struct inner in;
	__u64 when;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct event);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(int));
	__uint(value_size, sizeof(int));
} out SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_BLOOM_FILTER);
	__uint(max_entries, 16);
	__type(value, __u32);
	__ulong(map_extra, 0x3);
} bloom SEC(".maps");

struct counters {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} first SEC(".maps"), second SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, __u32);
	__array(values, struct counters);
} nested SEC(".maps") = {
	.values = { &first, &second },
};

int tail(void *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 2);
	__uint(key_size, sizeof(__u32));
	__array(values, int(void *));
} jumps SEC(".maps") = {
	.values = { [1] = (void *)&tail },
};

const volatile __u64 threshold = 10;
static volatile int calls;
int out_total SEC(".data.totals");
bool seen;

static __noinline int sum_to(int n)
{
	int i, sum = 0;

	bpf_for(i, 0, n)
		sum += i;
	bpf_repeat(3)
		sum++;
	return sum;
}

__weak int checked(struct event *e __arg_nonnull)
{
	barrier_var(e);
	return e ? e->in.a : 0;
}

static long on_element(void *map, __u32 *key, struct event *value, void *ctx)
{
	(void)map;
	*(int *)ctx += *key + value->in.a;
	return 0;
}

SEC("tracepoint/sched/sched_switch")
int handle_switch(void *ctx)
{
	struct event e = { .pid = bpf_get_current_pid_tgid() >> 32 }, *old;
	__u32 pid = e.pid;
	int total = 0;
	char text[32];

	calls++;
	e.when = bpf_ktime_get_ns();
	bpf_get_current_comm(e.in.name, sizeof(e.in.name));
	bpf_map_update_elem(&events, &pid, &e, BPF_ANY);
	old = bpf_map_lookup_elem(&events, &pid);
	if (old)
		out_total += checked(old) + sum_to(pid & (MAX_DEPTH - 1));
	bpf_for_each_map_elem(&events, on_element, &total, 0);
	BPF_SNPRINTF(text, sizeof(text), "%d of %s", total, e.in.name);
	bpf_printk("pid %d", pid);
	bpf_printk("pid %d, %s at %llu, %d, %x", pid, e.in.name, e.when, total, bpf_htons(0x1234));
	bpf_printk("nothing");
	seen = e.when > threshold;
	bpf_perf_event_output(ctx, &out, BPF_F_CURRENT_CPU, &e, sizeof(e));
	barrier();
	bpf_tail_call_static(ctx, &jumps, 1);
	return 0;
}

SEC("tracepoint/sched/sched_switch")
int tail(void *ctx)
{
	(void)ctx;
	return offsetof(struct event, when);
}

SEC("perf_event")
int sample(struct bpf_perf_event_data *ctx)
{
	__u64 where[4] = { PT_REGS_IP(&ctx->regs), PT_REGS_SP(&ctx->regs), PT_REGS_FP(&ctx->regs),
			   ctx->sample_period };

	bpf_perf_event_output(ctx, &out, BPF_F_CURRENT_CPU, where, sizeof(where));
	return 0;
}

SEC("kprobe/do_unlinkat")
int BPF_KPROBE(enter, int dfd, void *name)
{
	bpf_printk("%d %p", dfd, name);
	return 0;
}

SEC("kretprobe/do_unlinkat")
int BPF_KRETPROBE(leave, long ret)
{
	bpf_printk("%ld", ret);
	return 0;
}

SEC("uprobe")
int BPF_UPROBE(user, int a, short b, char c, long d, void *e)
{
	bpf_printk("%d %p", a + b + c + (int)d, e);
	return 0;
}

SEC("uretprobe")
int BPF_URETPROBE(user_ret)
{
	bpf_printk("%lx", PT_REGS_RC(ctx));
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
__u32 VERSION SEC("version") = KERNEL_VERSION(6, 18, 0);
