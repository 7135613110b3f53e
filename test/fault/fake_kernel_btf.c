// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* BTF that has an id in the fake kernel: its own, those of modules, and those of BPF objects. */
#include <errno.h>
#include <string.h>

#include "test/fault/fake_kernel_parts.h"

void fake_kernel_add_btf(struct fake_kernel *k, const char *name, const void *data, size_t size,
			 bool gone)
{
	k->btfs = fake_grow(k->btfs, k->nr_btfs, sizeof(*k->btfs));
	k->btfs[k->nr_btfs++] = (struct fake_btf){
		.name = name, .data = data, .size = size, .id = ++k->last_id, .gone = gone
	};
}

long fake_btf_next_id(struct fake_kernel *k, union bpf_attr *attr)
{
	for (unsigned int i = 0; i < k->nr_btfs; i++) {
		if (k->btfs[i].id > attr->start_id) {
			attr->next_id = k->btfs[i].id;
			return 0;
		}
	}
	return -ENOENT;
}

long fake_btf_by_id(struct fake_kernel *k, union bpf_attr *attr)
{
	for (unsigned int i = 0; i < k->nr_btfs; i++) {
		struct fake_fd *fd;
		int nr;

		if (k->btfs[i].id != attr->btf_id || k->btfs[i].gone)
			continue;
		nr = fake_fd_new(k, FAKE_BTF, &fd);
		if (nr >= 0) {
			fd->btf = &k->btfs[i];
			fd->id = k->btfs[i].id;
		}
		return nr;
	}
	return -ENOENT;
}

/* As much of the data as fits, and how much there is; a name that does not fit is ENOSPC. */
long fake_btf_info(struct fake_kernel *k, const struct fake_fd *fd, union bpf_attr *attr)
{
	static const struct fake_btf none;
	const struct fake_btf *btf = fd->btf ? fd->btf : &none;
	struct bpf_btf_info *info = (void *)attr->info.info;
	const char *name = btf->name ? btf->name : "";

	if (attr->info.info_len < sizeof(*info))
		return -EINVAL;
	if (fake_too_old(k, FAKE_NO_MODULE_BTF) && (info->name || info->name_len))
		return -E2BIG;
	if (!info->name != !info->name_len)
		return -EINVAL;
	if (info->btf)
		memcpy((void *)info->btf, btf->data,
		       info->btf_size < btf->size ? info->btf_size : btf->size);
	info->btf_size = btf->size;
	info->id = fd->id;
	info->kernel_btf = btf->name != NULL;
	if (info->name && info->name_len <= strlen(name))
		return -ENOSPC;
	if (info->name)
		strcpy((char *)info->name, name);
	info->name_len = strlen(name);
	return 0;
}
