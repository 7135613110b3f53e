// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* BTF with an id in the fake kernel: its own, that of modules, and that of BPF objects. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/btf.h"
#include "test/fault/fake_kernel_parts.h"

void fake_kernel_add_btf(struct fake_kernel *k, const char *name, const void *data, size_t size,
			 bool gone)
{
	k->btfs = fake_grow(k->btfs, k->nr_btfs, sizeof(*k->btfs));
	k->btfs[k->nr_btfs++] = (struct fake_btf){
		.name = name, .data = data, .size = size, .id = ++k->last_id, .gone = gone
	};
}

void fake_kernel_know_btf(struct fake_kernel *k, uint32_t kinds, bool global_funcs)
{
	k->btf_kinds = kinds;
	k->btf_global_funcs = global_funcs;
}

const void *fake_kernel_loaded_btf(const struct fake_kernel *k, size_t *size)
{
	for (unsigned int i = k->nr_btfs; i-- > 0;) {
		if (!k->btfs[i].loaded)
			continue;
		*size = k->btfs[i].size;
		return k->btfs[i].loaded;
	}
	*size = 0;
	return NULL;
}

/* btf_name_valid_identifier(). */
static bool is_name(const char *name, bool dots)
{
	for (const char *c = name; *c; c++)
		if (*c != '_' && !isalpha((unsigned char)*c) && !(dots && *c == '.') &&
		    !(c > name && isdigit((unsigned char)*c)))
			return false;
	return true;
}

/* The checks of btf_check_all_metas() that differ between kernel versions. */
static bool is_known(const struct fake_kernel *k, const struct btf_type_view *t)
{
	if (!(k->btf_kinds & 1u << t->kind))
		return false;
	if (t->kind == BTF_KIND_FUNC && t->extra != BTF_FUNC_STATIC && !k->btf_global_funcs)
		return false;
	if (t->kind == BTF_KIND_ENUM && t->kind_flag && !(k->btf_kinds & 1u << BTF_KIND_ENUM64))
		return false;
	if (t->kind == BTF_KIND_CONST)
		return !t->name[0];
	if (t->kind == BTF_KIND_INT || t->kind == BTF_KIND_DECL_TAG ||
	    t->kind == BTF_KIND_TYPE_TAG ||
	    t->kind == BTF_KIND_FLOAT)
		return true;
	return is_name(t->name, t->kind == BTF_KIND_DATASEC);
}

static bool knows(const struct fake_kernel *k, struct bytes raw)
{
	bool known = true;
	struct btf btf;

	if (!k->btf_kinds)
		return true;
	if (btf_parse(&btf, raw, NULL))
		return false;
	for (uint32_t id = 1; id < btf.nr_types; id++) {
		struct btf_type_view t = btf_type(&btf, id);

		known &= is_known(k, &t);
	}
	btf_free(&btf);
	return known;
}

/* A log that is too long for the first buffer. */
static long refuse_btf(const union bpf_attr *attr, int code)
{
	if (attr->btf_log_level && attr->btf_log_size < 1u << 20)
		return -ENOSPC;
	if (attr->btf_log_level)
		strcpy((char *)attr->btf_log_buf, "[1] INT\n[2] ARRAY \033m overflows U32_MAX\n");
	return code;
}

long fake_btf_load(struct fake_kernel *k, union bpf_attr *attr)
{
	struct bytes raw = { .data = (const void *)attr->btf, .size = attr->btf_size };
	struct fake_btf *btf;
	struct fake_fd *fd;
	int nr;

	if (fake_too_old(k, FAKE_NO_BTF))
		return refuse_btf(attr, -EINVAL);
	if (fake_too_old(k, FAKE_MEMLOCK) && k->memlock[0] != UINT64_MAX)
		return -EPERM;
	if (fake_too_old(k, FAKE_NO_BTF_LAYOUTS) && raw.size > BTF_HEADER_PLAIN &&
	    bytes_u32(raw, offsetof(struct btf_header, hdr_len), false) > BTF_HEADER_PLAIN)
		return -E2BIG;
	if (!attr->btf || !attr->btf_size || !knows(k, raw))
		return -EINVAL;
	nr = fake_fd_new(k, SIM_BTF, &fd);
	if (nr < 0)
		return nr;
	fd->id = ++k->last_id;
	k->btfs = fake_grow(k->btfs, k->nr_btfs, sizeof(*k->btfs));
	btf = &k->btfs[k->nr_btfs++];
	*btf = (struct fake_btf){ .id = fd->id, .size = raw.size, .loaded = fake_alloc(raw.size) };
	btf->data = memcpy(btf->loaded, raw.data, raw.size);
	return nr;
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
		nr = fake_fd_new(k, SIM_BTF, &fd);
		if (nr >= 0)
			fd->id = k->btfs[i].id;
		return nr;
	}
	return -ENOENT;
}

/* Return as much of the data as fits, and its full size. A name that does not fit is ENOSPC. */
long fake_btf_info(struct fake_kernel *k, const struct fake_fd *fd, union bpf_attr *attr)
{
	const struct fake_btf *btf = k->btfs;
	struct bpf_btf_info *info = (void *)attr->info.info;
	const char *name;

	while (btf->id != fd->id)
		btf++;
	name = btf->name ? btf->name : "";
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
