// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Load the object's BTF, in the form that this kernel accepts. */
#include <errno.h>
#include <string.h>

#include "loader/kernel/attr.h"
#include "loader/kernel/kernel_internal.h"

static int load(struct sys *sys, const unsigned char *raw, uint32_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = attr_pointer(raw);
	attr.btf_size = size;
	return sys_bpf(sys, BPF_BTF_LOAD, &attr, ATTR_SIZE(btf_log_level));
}

/*
 * A kernel returns EINVAL for BTF that it does not know, and E2BIG for fields of its header.
 * Return: descriptor or -errno.
 */
static int load_older(struct sys *sys, const struct bpf_object *object, struct btf_compat *older)
{
	int ret = -EINVAL;

	while (ret == -EINVAL && btf_compat_next(object, older) > 0) {
		sys_why(sys, "the kernel does not know all kinds of types: again with fewer");
		ret = load(sys, older->raw, older->size);
	}
	return ret < 0 ? -EINVAL : ret;
}

bool kernel_load_untagged_btf(struct sys *sys, struct kernel_object *k)
{
	struct btf_compat plain = { 0 };
	int ret = -EINVAL;

	if (!k->untagged_btf_tried && btf_compat_untag(k->object, &plain) > 0) {
		ret = load(sys, plain.raw, plain.size);
		if (ret == -EINVAL)
			ret = load_older(sys, k->object, &plain);
	}
	k->untagged_btf_tried = true;
	if (ret >= 0)
		k->untagged_btf_fd = ret;
	btf_compat_free(&plain);
	return k->untagged_btf_fd >= 0;
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
	struct btf_compat older = { 0 };
	int ret, first;

	if (!object->has_btf)
		return;
	ret = load(sys, object->btf_raw, object->btf.raw.size);
	if (ret < 0 && kernel_raise_limit(sys, k, ret))
		ret = load(sys, object->btf_raw, object->btf.raw.size);
	first = ret;
	if (ret == -EINVAL || ret == -E2BIG)
		ret = load_older(sys, object, &older);
	k->btf_for_maps = ret >= 0 && older.for_maps_only;
	k->btf_steps = ret >= 0 ? older.changed : 0;
	btf_compat_free(&older);
	if (ret >= 0)
		k->btf_fd = ret;
	else
		k->btf_refused = refusal(-first, object->btf.raw.size);
}
