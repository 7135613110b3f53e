// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Load the object's BTF, in the form that this kernel accepts. */
#include <errno.h>
#include <string.h>

#include "loader/kernel/attr.h"
#include "loader/kernel/kernel_internal.h"

int btf_load_syscall(struct sys *sys, const unsigned char *raw, uint32_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = attr_pointer(raw);
	attr.btf_size = size;
	return sys_bpf(sys, BPF_BTF_LOAD, &attr, ATTR_SIZE(btf_log_level));
}

/* BTF_MAX_SIZE of the kernel. */
#define BTF_SIZE_MAX (16u << 20)

/* btf_new_fd() and env_stack_push() of kernel/bpf/btf.c return E2BIG. */
static const char *refusal(int code, size_t size)
{
	if (code != E2BIG)
		return error_strerror(code);
	return size > BTF_SIZE_MAX ? "its BTF is larger than 16 MB" :
				     "its types may be nested too deep for this kernel";
}

void kernel_load_btf(struct sys *sys, struct kernel_object *k)
{
	const struct bpf_object *object = k->object;
	int ret, first;

	if (!object->has_btf)
		return;
	ret = btf_load_syscall(sys, object->btf_raw, object->btf.raw.size);
	if (ret < 0 && kernel_raise_limit(sys, k, ret))
		ret = btf_load_syscall(sys, object->btf_raw, object->btf.raw.size);
	first = ret;
	if (ret == -EINVAL || ret == -E2BIG)
		ret = kernel_load_older_btf(sys, k);
	if (ret >= 0)
		k->btf_fd = ret;
	else
		k->btf_refused = refusal(-first, object->btf.raw.size);
}
