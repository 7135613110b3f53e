// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Load the object's BTF on an older kernel, rewritten to the older kinds that it knows. */
#include <errno.h>

#include "loader/objects/older_kernels/compat.h"

/*
 * The kernel returns EINVAL for BTF that it does not know, and E2BIG for unknown header fields.
 * Return: descriptor or -errno.
 */
static int load_older(struct sys *sys, const struct bpf_object *object, struct btf_compat *older)
{
	int ret = -EINVAL;

	while (ret == -EINVAL && btf_compat_next(object, older) > 0) {
		sys_why(sys, "refused: retry with older kinds of types");
		ret = btf_load_syscall(sys, older->raw, older->size, NULL, 0);
	}
	return ret < 0 ? -EINVAL : ret;
}

bool kernel_load_untagged_btf(struct sys *sys, struct kernel_object *k)
{
	struct btf_compat plain = { 0 };
	int ret = -EINVAL;

	if (!k->untagged_btf_tried && btf_compat_untag(k->object, &plain) > 0) {
		ret = btf_load_syscall(sys, plain.raw, plain.size, NULL, 0);
		if (ret == -EINVAL)
			ret = load_older(sys, k->object, &plain);
	}
	k->untagged_btf_tried = true;
	if (ret >= 0)
		k->untagged_btf_fd = ret;
	btf_compat_free(&plain);
	return k->untagged_btf_fd >= 0;
}

/* Load with older kinds of types; sets k->btf_steps and k->btf_for_maps. */
static int load_older_btf(struct sys *sys, struct kernel_object *k, int code)
{
	struct btf_compat older = { 0 };
	int ret;

	if (code != -EINVAL && code != -E2BIG)
		return code;
	ret = load_older(sys, k->object, &older);
	k->btf_for_maps = ret >= 0 && older.for_maps_only;
	k->btf_steps = ret >= 0 ? older.changed : 0;
	btf_compat_free(&older);
	return ret;
}

const struct kernel_feature kernel_older = {
	.older_btf = load_older_btf, .older_map = older_map,
	.older_prog = kernel_load_compat, .loaded = kernel_bind_rodata,
};
