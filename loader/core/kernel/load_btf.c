// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Load the object's BTF in a form that this kernel accepts. */
#include <errno.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/feature.h"

int btf_load_syscall(struct sys *sys, const unsigned char *raw, uint32_t size, char *log,
		     uint32_t log_size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = attr_pointer(raw);
	attr.btf_size = size;
	attr.btf_log_buf = attr_pointer(log);
	attr.btf_log_size = log_size;
	attr.btf_log_level = log ? 1 : 0;
	return sys_bpf(sys, BPF_BTF_LOAD, &attr, ATTR_SIZE(btf_log_level));
}

/* Return why it was refused with the positive @code. Owned by the caller. */
static char *refusal(struct sys *sys, const struct bpf_object *object, int code)
{
	const struct refused_btf refused = { object->btf_raw, object->btf.raw.size, code };
	struct error why = { 0 };

	error_set(&why, code, "%s", error_strerror(code));
	explain_failure(sys, FAILED_BTF, &refused, &why);
	return strdup(why.what);
}

void kernel_load_btf(struct sys *sys, struct kernel_object *k)
{
	const struct bpf_object *object = k->object;
	int ret, first;

	if (!object->has_btf)
		return;
	ret = btf_load_syscall(sys, object->btf_raw, object->btf.raw.size, NULL, 0);
	if (ret < 0 && kernel_raise_limit(sys, k, ret))
		ret = btf_load_syscall(sys, object->btf_raw, object->btf.raw.size, NULL, 0);
	first = ret;
	ret = kernel_older_btf(sys, k, ret);
	if (ret >= 0)
		k->btf_fd = ret;
	else
		k->btf_refused = refusal(sys, object, -first);
}
