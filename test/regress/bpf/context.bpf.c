// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that store parts of their context: registers, arguments, cookies. */
#include "test/regress/bpf/context.h"

#define PART(type, field, i) \
	(*(volatile type *)((char *)ctx + __builtin_offsetof(struct bpf_perf_event_data, field) + \
			    (i) * sizeof(type)))

static __always_inline void keep_pieces(struct bpf_perf_event_data *ctx, struct context_io *mine)
{
#pragma unroll
	for (int i = 0; i < 8; i++) {
		mine->byte[0][i] = PART(__u8, sample_period, i);
		mine->byte[1][i] = PART(__u8, addr, i);
	}
#pragma unroll
	for (int i = 0; i < 4; i++) {
		mine->half[0][i] = PART(__u16, sample_period, i);
		mine->half[1][i] = PART(__u16, addr, i);
	}
#pragma unroll
	for (int i = 0; i < 2; i++) {
		mine->quad[0][i] = PART(__u32, sample_period, i);
		mine->quad[1][i] = PART(__u32, addr, i);
	}
}

SEC("?perf_event")
int pe_see(struct bpf_perf_event_data *ctx)
{
	struct context_io *mine = io_begin(PT_REGS_IP(&ctx->regs));

	if (!mine)
		return 0;
	mine->sp = PT_REGS_SP(&ctx->regs);
	mine->period = ctx->sample_period;
	mine->addr = ctx->addr;
	keep_pieces(ctx, mine);
	return mine->answer;
}

SEC("?perf_event")
int pe_value(struct bpf_perf_event_data *ctx)
{
	struct context_io *mine = io_begin(PT_REGS_IP(&ctx->regs));
	__u64 value[4] = { -1, -1, -1, -1 };

	if (!mine)
		return 1;
	if (mine->size == sizeof(struct bpf_perf_event_value))
		mine->ret = bpf_perf_prog_read_value(ctx, (void *)value,
						     sizeof(struct bpf_perf_event_value));
	else if (mine->size == 16)
		mine->ret = bpf_perf_prog_read_value(ctx, (void *)value, 16);
	else
		mine->ret = bpf_perf_prog_read_value(ctx, (void *)value, 32);
	__builtin_memcpy(mine->word, value, sizeof(value));
	return 1;
}

/* Two entries of struct perf_branch_entry are 48 bytes. */
SEC("?perf_event")
int pe_branches(struct bpf_perf_event_data *ctx)
{
	struct context_io *mine = io_begin(PT_REGS_IP(&ctx->regs));
	__u64 entries[6] = { 0 };

	if (!mine)
		return 1;
	mine->ret = bpf_read_branch_records(ctx, entries, sizeof(entries), 0);
	__builtin_memcpy(mine->word, entries, sizeof(entries));
	mine->arg[0] = bpf_read_branch_records(ctx, NULL, 0, BPF_F_GET_BRANCH_RECORDS_SIZE);
	mine->arg[1] = bpf_read_branch_records(ctx, entries, sizeof(entries) - 1, 0);
	mine->arg[2] = bpf_read_branch_records(ctx, entries, 24, 0);
	mine->arg[3] = bpf_read_branch_records(ctx, entries, sizeof(entries), 2);
	mine->arg[4] = bpf_read_branch_records(ctx, entries, 0, 0);
	return 1;
}

static __always_inline int keep_cookie(void *ctx, struct context_io *mine)
{
	if (!mine)
		return 1;
	mine->cookie = bpf_get_attach_cookie(ctx);
	mine->cookies |= mine->cookie;
	return 1;
}

SEC("?perf_event")
int pe_cookie(struct bpf_perf_event_data *ctx)
{
	return keep_cookie(ctx, io_begin(PT_REGS_IP(&ctx->regs)));
}

SEC("?tracepoint")
int tp_cookie(void *ctx)
{
	return keep_cookie(ctx, io_begin(0));
}

SEC("?raw_tp")
int raw_see(void *ctx)
{
	io_begin(0);
	return 0;
}

SEC("?kprobe")
int kp_cookie(struct pt_regs *ctx)
{
	return keep_cookie(ctx, io_begin(PT_REGS_IP(ctx)));
}

/*
 * Copies as many bytes as sched_switch has, after the 8 bytes with which every tracepoint begins.
 */
SEC("?tracepoint")
int tp_see(__u64 *ctx)
{
	struct context_io *mine = io_begin(0);

	if (!mine)
		return 1;
	mine->pid_tgid = bpf_get_current_pid_tgid();
#pragma unroll
	for (int i = 0; i < 7; i++)
		mine->word[i] = ctx[1 + i];
	return mine->answer;
}

/* sys_exit has a number and a result. */
SEC("?tracepoint")
int tp_exit(__u64 *ctx)
{
	struct context_io *mine = io_begin(0);

	if (!mine)
		return 1;
	mine->word[0] = ctx[1];
	mine->word[1] = ctx[2];
	return mine->answer;
}

SEC("?kprobe")
int kp_see(struct pt_regs *ctx)
{
	struct context_io *mine = io_begin(PT_REGS_IP(ctx));

	if (!mine)
		return 1;
	mine->sp = PT_REGS_SP(ctx);
	mine->arg[0] = PT_REGS_PARM1(ctx);
	mine->arg[1] = PT_REGS_PARM2(ctx);
	mine->arg[2] = PT_REGS_PARM3(ctx);
	mine->arg[3] = PT_REGS_PARM4(ctx);
	mine->arg[4] = PT_REGS_PARM5(ctx);
#ifdef ___bpf_parm6
	mine->arg[5] = PT_REGS_PARM6(ctx);
#endif
	mine->rc = PT_REGS_RC(ctx);
	return mine->answer;
}

SEC("?kprobe")
int kp_func_ip(struct pt_regs *ctx)
{
	struct context_io *mine = io_begin(PT_REGS_IP(ctx));

	if (mine)
		mine->func_ip = bpf_get_func_ip(ctx);
	return 1;
}


/* The function that is probed does not run: it returns @size. */
SEC("?kprobe")
int kp_override(struct pt_regs *ctx)
{
	struct context_io *mine = io_begin(PT_REGS_IP(ctx));

	if (mine)
		mine->ret = bpf_override_return(ctx, mine->size);
	return 1;
}
