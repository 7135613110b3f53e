// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers of perf_event programs that keep something with a task. */
#include "test/regress/bpf/helper_prog.h"

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} kept SEC(".maps");

HELPER(task_storage_get)
{
	__u64 first = 40, *value;

	io->out[0] = !!bpf_task_storage_get(&kept, (void *)bpf_get_current_task_btf(), NULL, 0);
	value = bpf_task_storage_get(&kept, (void *)bpf_get_current_task_btf(), &first,
				     BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (value)
		io->out[1] = ++*value;
	value = bpf_task_storage_get(&kept, (void *)bpf_get_current_task_btf(), NULL, 0);
	if (value)
		io->out[2] = *value;
}

HELPER(task_storage_delete)
{
	io->out[0] = !!bpf_task_storage_get(&kept, (void *)bpf_get_current_task_btf(), NULL,
					    BPF_LOCAL_STORAGE_GET_F_CREATE);
	io->ret[0] = bpf_task_storage_delete(&kept, (void *)bpf_get_current_task_btf());
	io->ret[1] = bpf_task_storage_delete(&kept, (void *)bpf_get_current_task_btf());
}
