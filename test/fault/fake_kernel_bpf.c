// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's bpf(2): programs, BTF, links, info. Maps are in fake_kernel_maps.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "test/fault/fake_kernel_parts.h"

static void *copy(const void *data, size_t size)
{
	void *mem = malloc(size ? size : 1);

	if (!mem)
		abort();
	return size ? memcpy(mem, data, size) : mem;
}

/* BPF_MAX_VAR_OFF, before 7.0; arena_map_direct_value_addr() */
static int check_offset(const void *kernel, const void *fd, uint32_t offset)
{
	const struct fake_map *map = ((const struct fake_fd *)fd)->map;

	if (fake_too_old(kernel, FAKE_NO_OFFSETS) && offset >= 1u << 29)
		return -EINVAL;
	return map->attr.map_type == BPF_MAP_TYPE_ARENA &&
	       offset > (uint64_t)map->attr.max_entries * FAKE_PAGE ? -ERANGE : 0;
}

static int check_prog(struct fake_kernel *k, const union bpf_attr *attr)
{
	if (fake_too_old(k, FAKE_MEMLOCK) && k->memlock[0] != UINT64_MAX)
		return -EPERM;
	if (fake_too_old(k, FAKE_NO_NAMES) && attr->prog_name[0])
		return -EINVAL;
	if (fake_too_old(k, FAKE_NO_FRAGS) && attr->prog_flags & BPF_F_XDP_HAS_FRAGS)
		return -EINVAL;
	if (fake_too_old(k, FAKE_NO_PROG_BTF) && (attr->prog_btf_fd || attr->func_info_rec_size))
		return -E2BIG;
	if (fake_too_old(k, FAKE_NO_ATTACH_TYPE) && attr->expected_attach_type)
		return -E2BIG;
	return sim_check_prog(&k->fds, attr, check_offset, k);
}

/* Like the verifier, truncate a log that does not fit; ENOSPC hides the real errno. */
static int reject(const struct fake_kernel *k, const union bpf_attr *attr)
{
	const size_t len = k->reject_log ? strlen(k->reject_log) + 1 : 0, room = attr->log_size;

	if (!attr->log_level || !attr->log_buf || !room || !len)
		return -k->reject_code;
	if (k->age & FAKE_SMALL_LOG && room > (16u << 20) - 1)
		return -EINVAL;
	if (len <= room) {
		memcpy((void *)attr->log_buf, k->reject_log, len);
		return -k->reject_code;
	}
	memcpy((void *)attr->log_buf, k->reject_log + len - room, room);
	return -ENOSPC;
}

static void keep_prog(struct fake_kernel *k, struct fake_prog *prog, const union bpf_attr *attr)
{
	const struct fake_fd *btf = attr->prog_btf_fd ? sim_fd_get(&k->fds, attr->prog_btf_fd) : NULL;

	prog->btf_id = btf ? btf->id : 0;
	prog->attr = *attr;
	prog->insns = copy((const void *)attr->insns, attr->insn_cnt * sizeof(*prog->insns));
	prog->func_info = copy((const void *)attr->func_info,
			       (size_t)attr->func_info_cnt * attr->func_info_rec_size);
	prog->line_info = copy((const void *)attr->line_info,
			       (size_t)attr->line_info_cnt * attr->line_info_rec_size);
	snprintf(prog->license, sizeof(prog->license), "%s", (const char *)attr->license);
}

static long prog_load(struct fake_kernel *k, union bpf_attr *attr)
{
	struct fake_prog *prog;
	struct fake_fd *fd;
	int nr = check_prog(k, attr);

	if (nr < 0)
		return nr;
	if (k->rejects && (attr->prog_type != k->spares || attr->insn_cnt != 2) &&
	    (!k->reject_name ||
	     strncmp(k->reject_name, attr->prog_name, BPF_OBJ_NAME_LEN - 1) == 0)) {
		k->rejects--;
		return reject(k, attr);
	}
	nr = fake_fd_new(k, SIM_PROG, &fd);
	if (nr < 0)
		return nr;
	prog = fake_grow(NULL, 0, sizeof(*prog));
	prog->id = ++k->last_id;
	keep_prog(k, prog, attr);
	k->progs = fake_grow(k->progs, k->nr_progs, sizeof(*k->progs));
	k->progs[k->nr_progs++] = prog;
	fd->prog = prog;
	return nr;
}

static long link_to(struct fake_kernel *k, struct fake_prog *prog, struct fake_event *event)
{
	struct fake_fd *fd;
	int nr = fake_fd_new(k, SIM_LINK, &fd);

	if (nr >= 0)
		fd->link = fake_link_new(k, prog, event);
	return nr;
}

static long raw_tracepoint_open(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_fd *prog = sim_fd_as(&k->fds, attr->raw_tracepoint.prog_fd, SIM_PROG, &code);

	if (!prog)
		return code;
	if (prog->prog->attr.prog_type == BPF_PROG_TYPE_TRACING &&
	    fake_too_old(k, FAKE_NO_TRAMPOLINE))
		return -FAKE_ENOTSUPP;
	return link_to(k, prog->prog, NULL);
}

static long prog_bind_map(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;

	if (fake_too_old(k, FAKE_NO_BIND_MAP) || attr->prog_bind_map.flags)
		return -EINVAL;
	return sim_fd_as(&k->fds, attr->prog_bind_map.prog_fd, SIM_PROG, &code) &&
	       sim_fd_as(&k->fds, attr->prog_bind_map.map_fd, SIM_MAP, &code) ? 0 : code;
}

/* Devices are given by index, cgroups and namespaces by an open descriptor. */
static bool is_target(struct fake_kernel *k, const struct fake_prog *prog, uint32_t target)
{
	switch (prog->attr.prog_type) {
	case BPF_PROG_TYPE_XDP:
	case BPF_PROG_TYPE_SCHED_CLS:
		return target == 1;
	case BPF_PROG_TYPE_CGROUP_SKB:
	case BPF_PROG_TYPE_SOCK_OPS:
	case BPF_PROG_TYPE_SK_LOOKUP:
		return sim_fd_get(&k->fds, target);
	default:
		return true;
	}
}

static long link_create(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_fd *prog = sim_fd_as(&k->fds, attr->link_create.prog_fd, SIM_PROG, &code);
	struct fake_fd *event;
	int nr;

	if (!prog)
		return code;
	if (prog->prog->attr.prog_type == BPF_PROG_TYPE_SK_MSG ||
	    prog->prog->attr.prog_type == BPF_PROG_TYPE_SK_SKB) {
		code = fake_link_sockets(k, attr);
		if (code)
			return code;
	}
	if (prog->prog->attr.prog_type == BPF_PROG_TYPE_TRACING && fake_too_old(k, FAKE_NO_HOOK_LINK))
		return -EINVAL;
	nr = fake_link_many(k, attr);
	if (nr)
		return nr < 0 ? nr : link_to(k, prog->prog, NULL);
	if (prog->prog->attr.prog_type != BPF_PROG_TYPE_PERF_EVENT &&
	    prog->prog->attr.prog_type != BPF_PROG_TYPE_TRACEPOINT &&
	    attr->link_create.attach_type != BPF_PERF_EVENT)
		return is_target(k, prog->prog, attr->link_create.target_fd) ?
			       link_to(k, prog->prog, NULL) : -EBADF;
	if (attr->link_create.attach_type != BPF_PERF_EVENT || attr->link_create.flags ||
	    fake_too_old(k, FAKE_NO_PERF_LINK))
		return -EINVAL;
	event = sim_fd_as(&k->fds, attr->link_create.target_fd, SIM_EVENT, &code);
	if (!event)
		return -EBADF;
	nr = fake_bind(k, event->event, prog->prog, attr->link_create.perf_event.bpf_cookie);
	return nr < 0 ? nr : link_to(k, prog->prog, event->event);
}

static long enable_stats(struct fake_kernel *k, union bpf_attr *attr)
{
	struct fake_fd *fd;

	if (attr->enable_stats.type != BPF_STATS_RUN_TIME || fake_too_old(k, FAKE_NO_STATS))
		return -EINVAL;
	return fake_fd_new(k, SIM_STATS, &fd);
}

static long test_run(struct fake_kernel *k, union bpf_attr *attr)
{
	int code;
	struct fake_fd *fd = sim_fd_as(&k->fds, attr->test.prog_fd, SIM_PROG, &code);

	if (!fd)
		return code;
	if (fd->prog->attr.prog_type != BPF_PROG_TYPE_XDP &&
	    fd->prog->attr.prog_type != BPF_PROG_TYPE_SCHED_CLS)
		return -FAKE_ENOTSUPP;
	if (attr->test.data_size_in < 14)
		return -EINVAL;
	fd->prog->run_cnt += attr->test.repeat ? attr->test.repeat : 1;
	attr->test.retval = fd->prog->retval;
	attr->test.duration = 1;
	return 0;
}

static void prog_info(const struct fake_prog *prog, struct bpf_prog_info *info)
{
	info->type = prog->attr.prog_type;
	info->id = prog->id;
	info->btf_id = prog->btf_id;
	memcpy(info->name, prog->attr.prog_name, sizeof(info->name));
	info->run_cnt = prog->run_cnt;
	info->run_time_ns = prog->run_time_ns;
	info->recursion_misses = FAKE_MISSES;
}

static void map_info(const struct fake_map *map, struct bpf_map_info *info)
{
	info->type = map->attr.map_type;
	info->id = map->id;
	info->key_size = map->attr.key_size;
	info->value_size = map->attr.value_size;
	info->max_entries = map->attr.max_entries;
	info->map_flags = map->attr.map_flags;
	info->map_extra = map->attr.map_extra;
	info->btf_id = map->btf_id;
	info->btf_key_type_id = map->attr.btf_key_type_id;
	info->btf_value_type_id = map->attr.btf_value_type_id;
	memcpy(info->name, map->attr.map_name, sizeof(info->name));
}

/* Read the info first, because the caller has put the addresses of its name buffers there. */
static long get_link_info(const struct fake_link *link, union bpf_attr *attr)
{
	struct bpf_link_info info = { 0 };
	int ret;

	if (attr->info.info_len > sizeof(info))
		attr->info.info_len = sizeof(info);
	memcpy(&info, (void *)attr->info.info, attr->info.info_len);
	ret = fake_link_info(link, &info);
	if (!ret)
		memcpy((void *)attr->info.info, &info, attr->info.info_len);
	return ret;
}

static long obj_get_info(struct fake_kernel *k, union bpf_attr *attr)
{
	const struct fake_fd *fd = sim_fd_get(&k->fds, attr->info.bpf_fd);
	union {
		struct bpf_prog_info prog;
		struct bpf_map_info map;
	} info;
	uint32_t size;

	memset(&info, 0, sizeof(info));
	if (!fd)
		return -EBADF;
	if (fd->kind == SIM_BTF)
		return fake_btf_info(k, fd, attr);
	if (fd->kind == SIM_PROG) {
		prog_info(fd->prog, &info.prog);
		size = k->age & FAKE_NO_MISSES ?
			       offsetof(struct bpf_prog_info, recursion_misses) :
			       sizeof(info.prog);
	} else if (fd->kind == SIM_MAP) {
		map_info(fd->map, &info.map);
		size = sizeof(info.map);
	} else if (fd->kind == SIM_LINK) {
		return get_link_info(fd->link, attr);
	} else {
		return -EINVAL;
	}
	if (attr->info.info_len > size)
		attr->info.info_len = size;
	memcpy((void *)attr->info.info, &info, attr->info.info_len);
	return 0;
}

static long (*const commands[])(struct fake_kernel *k, union bpf_attr *attr) = {
	[BPF_MAP_CREATE] = fake_map_create,
	[BPF_MAP_LOOKUP_ELEM] = fake_map_lookup,
	[BPF_MAP_UPDATE_ELEM] = fake_map_update,
	[BPF_MAP_DELETE_ELEM] = fake_map_delete,
	[BPF_MAP_GET_NEXT_KEY] = fake_map_next_key,
	[BPF_PROG_LOAD] = prog_load,
	[BPF_OBJ_PIN] = fake_obj_pin,
	[BPF_OBJ_GET] = fake_obj_get,
	[BPF_PROG_TEST_RUN] = test_run,
	[BPF_PROG_GET_NEXT_ID] = fake_prog_next_id,
	[BPF_PROG_GET_FD_BY_ID] = fake_prog_by_id,
	[BPF_MAP_GET_NEXT_ID] = fake_map_next_id,
	[BPF_MAP_GET_FD_BY_ID] = fake_map_by_id,
	[BPF_LINK_GET_NEXT_ID] = fake_link_next_id,
	[BPF_LINK_GET_FD_BY_ID] = fake_link_by_id,
	[BPF_LINK_DETACH] = fake_link_detach,
	[BPF_TASK_FD_QUERY] = fake_task_fd_query,
	[BPF_PROG_ATTACH] = fake_prog_attach,
	[BPF_PROG_DETACH] = fake_prog_detach,
	[BPF_PROG_QUERY] = fake_prog_query,
	[BPF_OBJ_GET_INFO_BY_FD] = obj_get_info,
	[BPF_BTF_LOAD] = fake_btf_load,
	[BPF_BTF_GET_NEXT_ID] = fake_btf_next_id,
	[BPF_BTF_GET_FD_BY_ID] = fake_btf_by_id,
	[BPF_MAP_FREEZE] = fake_map_freeze,
	[BPF_MAP_LOOKUP_BATCH] = fake_map_batch,
	[BPF_MAP_UPDATE_BATCH] = fake_map_update_batch,
	[BPF_RAW_TRACEPOINT_OPEN] = raw_tracepoint_open,
	[BPF_LINK_CREATE] = link_create,
	[BPF_ENABLE_STATS] = enable_stats,
	[BPF_PROG_BIND_MAP] = prog_bind_map,
};

long fake_bpf(struct fake_kernel *k, const unsigned long arg[6])
{
	union bpf_attr attr;
	const long size = sim_bpf_begin(&attr, arg);
	long ret;

	if (size < 0)
		return size;
	if (arg[0] >= sizeof(commands) / sizeof(commands[0]) || !commands[arg[0]])
		return -EINVAL;
	ret = commands[arg[0]](k, &attr);
	memcpy((void *)arg[1], &attr, size);
	return ret;
}
