// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers of perf_event programs that read and write memory, and that format text. */
#include "test/regress/bpf/helper_prog.h"

/* in[0] is an address of user space, in[1] one that is not mapped. */

HELPER(probe_read_user)
{
	__builtin_memset(io->text, 'x', 16);
	io->ret[0] = bpf_probe_read_user(&io->out[0], 8, (void *)io->in[0]);
	io->ret[1] = bpf_probe_read_user(io->text, 8, (void *)io->in[1]);
}

HELPER(probe_read_kernel)
{
	__u64 value = 0x123456789abcdef0;

	__builtin_memset(io->text, 'x', 16);
	io->ret[0] = bpf_probe_read_kernel(&io->out[0], 8, &value);
	io->ret[1] = bpf_probe_read_kernel(io->text, 8, (void *)io->in[0]);
}

HELPER(probe_read)
{
	__builtin_memset(io->text, 'x', 16);
	io->ret[0] = bpf_probe_read(&io->out[0], 8, (void *)io->in[0]);
	io->ret[1] = bpf_probe_read(io->text, 8, (void *)io->in[1]);
}

HELPER(probe_read_user_str)
{
	__builtin_memset(io->text, 'x', 32);
	io->ret[0] = bpf_probe_read_user_str(io->text, 16, (void *)io->in[0]);
	io->ret[1] = bpf_probe_read_user_str(&io->text[16], 4, (void *)io->in[0]);
	io->ret[2] = bpf_probe_read_user_str(&io->text[24], 8, (void *)io->in[1]);
}

HELPER(probe_read_kernel_str)
{
	char word[8] = "kernel";

	__builtin_memset(io->text, 'x', 32);
	io->ret[0] = bpf_probe_read_kernel_str(io->text, 16, word);
	io->ret[1] = bpf_probe_read_kernel_str(&io->text[16], 4, word);
	io->ret[2] = bpf_probe_read_kernel_str(&io->text[24], 8, (void *)io->in[0]);
}

HELPER(probe_read_str)
{
	__builtin_memset(io->text, 'x', 32);
	io->ret[0] = bpf_probe_read_str(io->text, 16, (void *)io->in[0]);
	io->ret[1] = bpf_probe_read_str(&io->text[16], 4, (void *)io->in[0]);
	io->ret[2] = bpf_probe_read_str(&io->text[24], 8, (void *)io->in[1]);
}

HELPER(probe_write_user)
{
	__u64 value = io->in[2];

	io->ret[0] = bpf_probe_write_user((void *)io->in[0], &value, sizeof(value));
	io->ret[1] = bpf_probe_write_user((void *)io->in[1], &value, sizeof(value));
}

HELPER(copy_from_user)
{
	io->ret[0] = bpf_copy_from_user(&io->out[0], 8, (void *)io->in[0]);
}

HELPER(copy_from_user_task)
{
	io->ret[0] = bpf_copy_from_user_task(&io->out[0], 8, (void *)io->in[0],
					     (void *)bpf_get_current_task_btf(), 0);
}

HELPER(trace_printk)
{
	static const char fmt[] = "pload regress %llx\n";

	io->ret[0] = bpf_trace_printk(fmt, sizeof(fmt), io->in[0]);
}

HELPER(trace_vprintk)
{
	static const char fmt[] = "pload regress %llx %d %d %d %d";
	__u64 args[5] = { io->in[0], 1, 2, 3, 4 };

	io->ret[0] = bpf_trace_vprintk(fmt, sizeof(fmt), args, sizeof(args));
}

HELPER(snprintf)
{
	static const char fmt[] = "%d %s %llx";
	static const char word[] = "words";
	const char *address = word;
	__u64 args[3] = { -7, 0, 0xabcdef0123 };

	/* Else the compiler has all three in .rodata, where the loader puts no addresses. */
	barrier_var(address);
	args[1] = (__u64)address;
	io->ret[0] = bpf_snprintf(io->text, 32, fmt, args, sizeof(args));
	io->ret[1] = bpf_snprintf(&io->text[32], 6, fmt, args, sizeof(args));
}

HELPER(strncmp)
{
	static const char word[] = "middle";

	io->ret[0] = bpf_strncmp(io->text, 16, word);
	io->ret[1] = bpf_strncmp(&io->text[16], 16, word);
	io->ret[2] = bpf_strncmp(&io->text[32], 16, word);
	io->ret[3] = bpf_strncmp(&io->text[48], 3, word);
}
