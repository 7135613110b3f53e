// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What a probe of a system call is given. By itself: how the kernel names system calls is looked up
 * among all of its symbols, which takes an emulated machine seconds.
 */
#include "test/regress/bpf/context.h"

SEC("?kprobe")
int BPF_KSYSCALL(kp_syscall, long a, long b, long c, long d, long e, long f)
{
	struct context_io *mine = io_begin(PT_REGS_IP(ctx));

	if (!mine)
		return 1;
	mine->arg[0] = a;
	mine->arg[1] = b;
	mine->arg[2] = c;
	mine->arg[3] = d;
	mine->arg[4] = e;
	mine->arg[5] = f;
	return 1;
}
