// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the pinned maps and programs, and their BTF, from the kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/commands/pinned/adopt.h"
#include "loader/base/kernel/kernel_calls.h"

/* --- types --- */

static int read_btf(struct sys *sys, struct adopted_btf *b, struct error *err)
{
	struct bpf_btf_info info = { 0 };
	uint32_t len = sizeof(info);
	int fd = kernel_fd_by_id(sys, BPF_BTF_GET_FD_BY_ID, b->id), ret;

	if (fd < 0)
		return error_set(err, -fd, "BPF_BTF_GET_FD_BY_ID: %s", error_strerror(-fd));
	ret = kernel_fd_info(sys, fd, &info, &len);
	if (ret < 0)
		error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
	else
		ret = kernel_btf_bytes(sys, fd, info.btf_size, &b->data, err);
	sys_close_fd(sys, &fd);
	if (!ret)
		ret = btf_parse(&b->btf, (struct bytes){ b->data, info.btf_size }, err);
	b->has = !ret;
	return ret;
}

/* BTF only makes values readable: if it cannot be read, print a note and continue. */
int adopt_btf(struct adopt *a, uint32_t id, const struct adopted_btf **btf, struct error *err)
{
	struct adopted_btf **list, *b;
	struct error why = { 0 };

	for (uint32_t i = 0; i < a->nr_btfs; i++) {
		*btf = a->btfs[i];
		if (a->btfs[i]->id == id)
			return 0;
	}
	list = array_grow(a->btfs, a->nr_btfs, sizeof(*list));
	if (list)
		a->btfs = list;
	b = list ? calloc(1, sizeof(*b)) : NULL;
	if (!b)
		return error_set(err, ENOMEM, "no memory for types");
	a->btfs[a->nr_btfs++] = b;
	b->id = id;
	if (id && read_btf(a->s.sys, b, &why))
		note(a->s.out, "types with the id %u: %s: values are shown in hex%s", id, why.what,
		     why.code == -EPERM ? "; reading them requires CAP_SYS_ADMIN" : "");
	error_clear(&why);
	*btf = b;
	return 0;
}

/* --- maps --- */

/* A map whose BTF value is a DATASEC holds the variables of the section with that name. */
static void set_section(struct adopted_map *m)
{
	struct btf_type_view t;

	if (m->map.type != BPF_MAP_TYPE_ARRAY || m->map.max_entries != 1 || !m->map.value_type)
		return;
	t = btf_type(&m->object.btf, m->map.value_type);
	if (t.kind != BTF_KIND_DATASEC)
		return;
	m->map.kind = OBJECT_MAP_DATA;
	m->map.data_type = m->map.value_type;
	if (t.name[0])
		m->map.name = t.name;
}

static void describe(struct adopted_map *m, const struct bpf_map_info *info,
		     const struct adopted_btf *b)
{
	const bool keys = b->has && info->btf_key_type_id < b->btf.nr_types;
	const bool values = b->has && info->btf_value_type_id < b->btf.nr_types;

	m->id = info->id;
	m->map = (struct object_map){
		.name = m->pin->name,
		.kind = OBJECT_MAP_BTF,
		.section = 1,	/* not 0: it is no inner-map template */
		.type = info->type,
		.key_size = info->key_size,
		.value_size = info->value_size,
		.max_entries = info->max_entries,
		.map_flags = info->map_flags,
		.key_type = keys ? info->btf_key_type_id : 0,
		.value_type = values ? info->btf_value_type_id : 0,
		.inner = -1,
		.read_only = info->map_flags & BPF_F_RDONLY_PROG,
	};
	m->in_kernel = (struct kernel_map){
		.fd = m->pin->fd,
		.key_size = info->key_size,
		.value_size = info->value_size,
		.max_entries = info->max_entries,
		.map_flags = info->map_flags,
	};
	m->object = (struct bpf_object){
		.name = "", .maps = &m->map, .nr_maps = 1, .has_btf = b->has, .btf = b->btf,
	};
	m->kernel = (struct kernel_object){
		.object = &m->object, .maps = &m->in_kernel, .btf_fd = -1, .untagged_btf_fd = -1,
		.stats_fd = -1,
	};
	set_section(m);
}

static int adopt_map(struct adopt *a, struct adopted_map *m, struct error *err)
{
	const struct adopted_btf *btf;
	struct bpf_map_info info = { 0 };
	uint32_t len = sizeof(info);
	int ret = kernel_fd_info(a->s.sys, m->pin->fd, &info, &len);

	if (ret < 0)
		return error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
	ret = adopt_btf(a, info.btf_id, &btf, err);
	if (!ret)
		describe(m, &info, btf);
	return ret;
}

int adopt_maps(struct adopt *a, struct error *err)
{
	const struct pinned_list *pins = &a->session.maps;
	int ret = 0;

	a->maps = calloc(pins->nr + 1, sizeof(*a->maps));
	if (!a->maps)
		return error_set(err, ENOMEM, "no memory for %u maps", pins->nr);
	for (uint32_t i = 0; !ret && i < pins->nr; i++, a->nr_maps += !ret) {
		a->maps[i].pin = &pins->list[i];
		ret = adopt_map(a, &a->maps[i], err);
		if (ret)
			error_where(err, "%s", pins->list[i].path);
	}
	return ret;
}

/* --- programs --- */

static int count_runs(struct adopt *a, struct error *err)
{
	const uint32_t nr = a->session.progs.nr;
	int ret = kernel_count_runs(a->s.sys, &a->kernel, err);

	for (uint32_t i = 0; !ret && i < nr; i++) {
		a->before[i][0] = a->in_kernel[i].run_cnt;
		a->before[i][1] = a->in_kernel[i].run_time_ns;
		a->before[i][2] = a->in_kernel[i].recursion_misses;
	}
	return ret;
}

int adopt_progs(struct adopt *a, struct error *err)
{
	const struct pinned_list *pins = &a->session.progs;

	a->progs = calloc(pins->nr + 1, sizeof(*a->progs));
	a->in_kernel = calloc(pins->nr + 1, sizeof(*a->in_kernel));
	a->before = calloc(pins->nr + 1, sizeof(*a->before));
	if (!a->progs || !a->in_kernel || !a->before)
		return error_set(err, ENOMEM, "no memory for %u programs", pins->nr);
	for (uint32_t i = 0; i < pins->nr; i++) {
		struct bpf_prog_info info;
		int ret = kernel_prog_info(a->s.sys, pins->list[i].fd, &info);

		if (ret < 0) {
			error_set(err, -ret, "BPF_OBJ_GET_INFO_BY_FD: %s", error_strerror(-ret));
			return error_where(err, "%s", pins->list[i].path);
		}
		a->progs[i].name = pins->list[i].name;
		a->in_kernel[i].fd = pins->list[i].fd;
		a->prog_btf = info.btf_id ? info.btf_id : a->prog_btf;
	}
	a->object = (struct bpf_object){ .name = "", .progs = a->progs, .nr_progs = pins->nr };
	a->kernel.object = &a->object;
	a->kernel.progs = a->in_kernel;
	a->counts = session_waits(&a->s) && !kernel_start_counting(a->s.sys, &a->kernel);
	return session_waits(&a->s) ? count_runs(a, err) : 0;
}

void adopt_free(struct adopt *a)
{
	sys_close_fd(a->s.sys, &a->kernel.stats_fd);
	free(a->before);
	free(a->in_kernel);
	free(a->progs);
	free(a->maps);
	for (uint32_t i = 0; i < a->nr_btfs; i++) {
		btf_free(&a->btfs[i]->btf);
		free(a->btfs[i]->data);
		free(a->btfs[i]);
	}
	free(a->btfs);
	cpu_list_free(&a->possible);
}
