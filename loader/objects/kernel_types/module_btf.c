// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open kernel BTF by id; module BTF is opened one object at a time, on demand. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/objects/kernel_types/kernel_types.h"
#include "loader/base/kernel/kernel_calls.h"

static int next_id(struct kernel_types *types, uint32_t *id, struct error *err)
{
	union bpf_attr attr;
	int ret;

	memset(&attr, 0, sizeof(attr));
	attr.start_id = *id;
	ret = sys_bpf(types->sys, BPF_BTF_GET_NEXT_ID, &attr, ATTR_SIZE(next_id));
	if (ret >= 0) {
		*id = attr.next_id;
		return 1;
	}
	types->modules_denied |= ret == -EPERM;
	/*
	 * No more BTF; no privilege (CAP_SYS_ADMIN); before 5.4, when modules had no BTF, either.
	 */
	if (ret == -ENOENT || ret == -EPERM || ret == -EINVAL)
		return 0;
	return error_set(err, -ret, "BPF_BTF_GET_NEXT_ID: %s", error_strerror(-ret));
}

static int open_id(struct sys *sys, uint32_t id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf_id = id;
	return sys_bpf(sys, BPF_BTF_GET_FD_BY_ID, &attr, ATTR_SIZE(btf_id));
}

static int get_info(struct sys *sys, int fd, struct bpf_btf_info *info)
{
	uint32_t len = sizeof(*info);

	return kernel_fd_info(sys, fd, info, &len);
}

static int add_module(struct kernel_types *types, int fd, uint32_t id, uint32_t size,
		      const char *name, struct error *err)
{
	struct module_btf *m = calloc(1, sizeof(*m));
	struct module_btf **all = array_grow(types->modules, types->nr_modules, sizeof(*all));
	int ret;

	if (all)
		types->modules = all;
	if (!m || !all) {
		free(m);
		return error_set(err, ENOMEM, "no memory for the types of module '%s'", name);
	}
	m->id = id;
	m->fd = -1;
	memcpy(m->name, name, sizeof(m->name));
	/*
	 * Read the bytes through the descriptor rather than from /sys/kernel/btf/NAME: the module
	 * may have been replaced, and a container may have no sysfs.
	 */
	ret = kernel_btf_bytes(types->sys, fd, size, &m->data, err);
	if (!ret)
		ret = btf_index_split(&m->btf, (struct bytes){ m->data, size }, &types->vmlinux.btf,
				      err);
	if (ret) {
		free(m->data);
		free(m);
		return error_where(err, "types of module '%s'", name);
	}
	types->modules[types->nr_modules++] = m;
	return 1;
}

/* Return 1 if @id is a module's BTF; 0 if it is other BTF or no longer exists. */
static int open_if_module(struct kernel_types *types, uint32_t id, struct error *err)
{
	char name[sizeof(types->modules[0]->name)] = "";
	struct bpf_btf_info info = { .name = attr_pointer(name), .name_len = sizeof(name) };
	int fd = open_id(types->sys, id), ret;

	if (fd == -ENOENT)
		return 0;
	if (fd < 0)
		return error_set(err, -fd, "BPF_BTF_GET_FD_BY_ID: %s", error_strerror(-fd));
	ret = get_info(types->sys, fd, &info);
	if (ret == -E2BIG) {	/* before Linux 5.11, BTF had no names, and modules no BTF */
		types->no_more_modules = true;
		ret = 0;
	}
	name[sizeof(name) - 1] = '\0';
	if (ret < 0)
		error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
	else if (!ret && info.kernel_btf && strcmp(name, "vmlinux"))
		ret = add_module(types, fd, id, info.btf_size, name, err);
	sys_close_fd(types->sys, &fd);
	return ret;
}

int kernel_types_module(struct kernel_types *types, uint32_t i, const struct btf **btf,
			struct error *err)
{
	const struct btf *vmlinux;
	int ret = types->path ? 0 : kernel_types_vmlinux(types, &vmlinux, err);

	if (ret || types->path)
		return ret;
	while (i >= types->nr_modules && !types->no_more_modules) {
		uint32_t id = types->last_id;

		ret = next_id(types, &id, err);
		if (ret > 0)
			ret = open_if_module(types, id, err);
		else if (!ret)
			types->no_more_modules = true;
		if (ret < 0)
			return error_reason_default(err, "types/modules");
		types->last_id = id;
	}
	if (i >= types->nr_modules)
		return 0;
	*btf = &types->modules[i]->btf;
	return 1;
}

const struct btf *kernel_types_btf(const struct kernel_types *types, int module)
{
	return module < 0 ? &types->vmlinux.btf : &types->modules[module]->btf;
}

const char *kernel_types_name(const struct kernel_types *types, int module)
{
	return module < 0 ? "vmlinux" : types->modules[module]->name;
}

int kernel_types_module_fd(struct kernel_types *types, int module, struct error *err)
{
	struct module_btf *m = types->modules[module];
	int fd = m->fd >= 0 ? m->fd : open_id(types->sys, m->id);

	if (fd >= 0) {
		m->fd = fd;
		return fd;
	}
	error_set(err, -fd, "BPF_BTF_GET_FD_BY_ID: %s", error_strerror(-fd));
	error_reason(err, "types/modules");
	if (fd == -ENOENT)
		error_hint(err, "the module was unloaded in the meantime: load it again");
	return error_where(err, "types of module '%s'", m->name);
}

static int read_btf(struct kernel_types *types, int fd, struct error *err)
{
	struct btf_file *file = &types->vmlinux;
	struct bpf_btf_info info = { 0 };
	int ret = get_info(types->sys, fd, &info);

	if (ret < 0)
		return error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
	ret = kernel_btf_bytes(types->sys, fd, info.btf_size, &file->data, err);
	return ret ? ret : btf_index(&file->btf, (struct bytes){ file->data, info.btf_size }, err);
}

int kernel_types_open_id(struct kernel_types *types, struct sys *sys, uint32_t id,
			 struct error *err)
{
	int fd = open_id(sys, id), ret;

	kernel_types_init(types, sys, NULL);
	types->is_open = true;
	types->no_more_modules = true;
	if (fd < 0)
		ret = error_set(err, -fd, "BPF_BTF_GET_FD_BY_ID: %s", error_strerror(-fd));
	else
		ret = read_btf(types, fd, err);
	sys_close_fd(sys, &fd);
	if (ret)
		kernel_types_free(types);
	return ret;
}

void module_btfs_free(struct kernel_types *types)
{
	for (uint32_t i = 0; i < types->nr_modules; i++) {
		struct module_btf *m = types->modules[i];

		sys_close_fd(types->sys, &m->fd);
		btf_free(&m->btf);
		free(m->data);
		free(m);
	}
	free(types->modules);
}
