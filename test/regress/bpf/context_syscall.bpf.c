// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A kprobe of a system call, which reads the call's arguments. It is an object of its own because a
 * loader of it searches all symbols of the kernel for the names of its system calls, which takes
 * seconds on an emulated machine.
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
