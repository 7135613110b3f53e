// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Several programs in one section, static and global subprograms, a call of a call.
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct point {
	int x, y;
};

__u64 total;

static __noinline int twice(int n)
{
	barrier_var(n);
	return 2 * n;
}

static __noinline int four_times(int n)
{
	return twice(twice(n)) + (int)total;
}

__noinline int scaled(struct point *p, int by)
{
	if (!p)
		return 0;
	return four_times(p->x) + p->y * by;
}

__noinline int lonely(int n)
{
	return twice(n) + 1;
}

/* Not called by anyone. */
static __noinline __attribute__((used)) int forgotten(int n)
{
	return lonely(n) + twice(n);
}

SEC("perf_event")
int first(void *ctx)
{
	struct point p = { 1, 2 };

	(void)ctx;

	total += scaled(&p, 3);
	return 0;
}

SEC("perf_event")
int second(void *ctx)
{
	(void)ctx;
	total += four_times(lonely((int)total));
	return 0;
}

/* A program that is also a subprogram of another. */
SEC("perf_event")
int third(void *ctx)
{
	return second(ctx) + first(ctx);
}

SEC("tracepoint/syscalls/sys_enter_getppid")
int fourth(void *ctx)
{
	(void)ctx;
	total -= twice(7);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
