// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers of perf_event programs that know types or variables of the kernel. */
#include "test/regress/bpf/helper_prog.h"

#include <bpf/bpf_core_read.h>

struct rq {
	int cpu;
} __attribute__((preserve_access_index));

struct list_head {
	struct list_head *next, *prev;
} __attribute__((preserve_access_index));

extern const struct rq runqueues __ksym;

HELPER(per_cpu_ptr)
{
	const struct rq *rq = bpf_per_cpu_ptr(&runqueues, io->in[0]);

	if (rq)
		io->out[0] = rq->cpu;
	io->out[1] = !bpf_per_cpu_ptr(&runqueues, 1 << 20);
}

HELPER(this_cpu_ptr)
{
	const struct rq *rq = bpf_this_cpu_ptr(&runqueues);

	io->out[0] = rq->cpu;
	io->out[1] = bpf_get_smp_processor_id();
}

HELPER(snprintf_btf)
{
	__u64 pointers[2] = { 0, 0 };
	struct btf_ptr what = { .ptr = pointers,
				.type_id = bpf_core_type_id_kernel(struct list_head) };

	io->ret[0] = bpf_snprintf_btf(io->text, sizeof(io->text), &what, sizeof(what),
				      BTF_F_COMPACT | BTF_F_ZERO);
	what.type_id = 0;
	io->ret[1] = bpf_snprintf_btf((char *)io->out, 8, &what, sizeof(what), 0);
}
