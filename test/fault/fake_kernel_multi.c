// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The fake kernel's maps of sockets, and the arguments of links to many functions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "test/fault/fake_kernel_parts.h"

static bool is_sockmap(const struct fake_fd *fd)
{
	return fd && (fd->map->attr.map_type == BPF_MAP_TYPE_SOCKMAP ||
		      fd->map->attr.map_type == BPF_MAP_TYPE_SOCKHASH);
}

int fake_link_sockets(struct fake_kernel *k, const union bpf_attr *attr)
{
	int code = -EINVAL;
	const struct fake_fd *fd = sim_fd_as(&k->fds, attr->link_create.target_fd, SIM_MAP, &code);

	if (fake_too_old(k, FAKE_NO_SOCKMAP_LINK))
		return -EINVAL;
	return is_sockmap(fd) ? 0 : code ? code : -EINVAL;
}

/* sock_map_get_from_fd() and sock_map_prog_detach(): it says which program goes. */
static long attach(struct fake_kernel *k, union bpf_attr *attr, bool attaches)
{
	int code = -EINVAL;
	struct fake_fd *map = sim_fd_as(&k->fds, attr->target_fd, SIM_MAP, &code),
		       *prog = map ? sim_fd_as(&k->fds, attr->attach_bpf_fd, SIM_PROG, &code) : NULL;

	if (!prog || !is_sockmap(map))
		return code;
	if (!attaches && map->map->sockets_prog != prog->prog)
		return -ENOENT;
	map->map->sockets_prog = attaches ? prog->prog : NULL;
	return 0;
}

long fake_prog_attach(struct fake_kernel *k, union bpf_attr *attr)
{
	return attach(k, attr, true);
}

long fake_prog_detach(struct fake_kernel *k, union bpf_attr *attr)
{
	return attach(k, attr, false);
}

long fake_prog_query(struct fake_kernel *k, union bpf_attr *attr)
{
	int code = -EINVAL;
	const struct fake_fd *map = sim_fd_as(&k->fds, attr->query.target_fd, SIM_MAP, &code);

	if (!is_sockmap(map))
		return code;
	attr->query.prog_cnt = map->map->sockets_prog != NULL;
	return 0;
}

/* --- many functions --- */

void fake_many_free(struct fake_many *many)
{
	for (uint32_t i = 0; many->names && i < many->nr; i++)
		free(many->names[i]);
	free(many->names);
	free(many->at);
	free(many->cookies);
	free(many->ref_ctr_offsets);
	free(many->path);
	memset(many, 0, sizeof(*many));
}

const struct fake_many *fake_kernel_many(const struct fake_kernel *k)
{
	return k->many.nr ? &k->many : NULL;
}

void fake_kernel_refuse(struct fake_kernel *k, uint64_t at, const char *name, int code)
{
	if (k->nr_refused == sizeof(k->refused) / sizeof(k->refused[0]))
		abort();
	k->refused[k->nr_refused].at = at;
	k->refused[k->nr_refused].name = name;
	k->refused[k->nr_refused++].code = code;
}

static void *copy(uint64_t from, uint32_t nr, size_t size)
{
	void *mem = from ? malloc(nr * size) : NULL;

	return mem ? memcpy(mem, (const void *)from, nr * size) : NULL;
}

/* Convert 32-bit numbers to 64-bit ones. */
static uint64_t *widen(uint64_t from, uint32_t nr)
{
	uint64_t *mem = from ? calloc(nr, sizeof(*mem)) : NULL;

	for (uint32_t i = 0; mem && i < nr; i++)
		mem[i] = ((const uint32_t *)from)[i];
	return mem;
}

static void take_kernel(struct fake_many *many, const union bpf_attr *attr)
{
	const char *const *names = (const char *const *)attr->link_create.kprobe_multi.syms;

	many->nr = attr->link_create.kprobe_multi.cnt;
	many->flags = attr->link_create.kprobe_multi.flags;
	many->at = copy(attr->link_create.kprobe_multi.addrs, many->nr, sizeof(*many->at));
	many->cookies = copy(attr->link_create.kprobe_multi.cookies, many->nr,
			     sizeof(*many->cookies));
	many->names = names ? calloc(many->nr, sizeof(*many->names)) : NULL;
	for (uint32_t i = 0; many->names && i < many->nr; i++)
		many->names[i] = strdup(names[i]);
}

/* bpf_uprobe_multi_link_attach() */
static int take_user(struct fake_kernel *k, struct fake_many *many, const union bpf_attr *attr)
{
	const char *path = (const char *)attr->link_create.uprobe_multi.path;
	int code = 0;

	if (attr->link_create.uprobe_multi.flags & BPF_F_UPROBE_MULTI_PATH_FD) {
		const struct fake_fd *file = sim_fd_as(&k->fds, attr->link_create.uprobe_multi.path_fd,
							SIM_FILE, &code);

		if (path || fake_too_old(k, FAKE_NO_PATH_FD))
			return -EINVAL;
		path = file ? file->path : NULL;
	}
	if (!path)
		return code ? code : -EFAULT;
	many->nr = attr->link_create.uprobe_multi.cnt;
	many->flags = attr->link_create.uprobe_multi.flags;
	many->pid = attr->link_create.uprobe_multi.pid;
	many->at = copy(attr->link_create.uprobe_multi.offsets, many->nr, sizeof(*many->at));
	many->cookies = copy(attr->link_create.uprobe_multi.cookies, many->nr,
			     sizeof(*many->cookies));
	many->ref_ctr_offsets = copy(attr->link_create.uprobe_multi.ref_ctr_offsets, many->nr,
				     sizeof(*many->ref_ctr_offsets));
	many->path = strdup(path);
	return 0;
}

static void take_types(struct fake_many *many, const union bpf_attr *attr)
{
	many->nr = attr->link_create.tracing_multi.cnt;
	many->at = widen(attr->link_create.tracing_multi.ids, many->nr);
	many->cookies = copy(attr->link_create.tracing_multi.cookies, many->nr,
			     sizeof(*many->cookies));
}

static int check(const struct fake_kernel *k, const struct fake_many *many)
{
	if (!many->nr || !many->at == !many->names)
		return -EINVAL;
	for (uint32_t i = 0; i < many->nr; i++)
		for (unsigned int r = 0; r < k->nr_refused; r++)
			if (many->at ? many->at[i] == k->refused[r].at :
				       !strcmp(many->names[i], k->refused[r].name))
				return -k->refused[r].code;
	return 1;
}

int fake_link_many(struct fake_kernel *k, const union bpf_attr *attr)
{
	struct fake_many many = { .attach_type = attr->link_create.attach_type };
	int ret = 0;

	switch (many.attach_type) {
	case BPF_TRACE_KPROBE_MULTI:
	case BPF_TRACE_KPROBE_SESSION:
	case BPF_TRACE_UPROBE_MULTI:
	case BPF_TRACE_UPROBE_SESSION:
	case BPF_TRACE_FENTRY_MULTI:
	case BPF_TRACE_FEXIT_MULTI:
	case BPF_TRACE_FSESSION_MULTI:
		break;
	default:
		return 0;
	}
	if (fake_too_old(k, FAKE_NO_MANY_LINK))
		return -EINVAL;
	if (many.attach_type == BPF_TRACE_UPROBE_MULTI ||
	    many.attach_type == BPF_TRACE_UPROBE_SESSION)
		ret = take_user(k, &many, attr);
	else if (many.attach_type >= BPF_TRACE_FENTRY_MULTI)
		take_types(&many, attr);
	else
		take_kernel(&many, attr);
	if (!ret)
		ret = check(k, &many);
	if (ret < 0) {
		fake_many_free(&many);
		return ret;
	}
	fake_many_free(&k->many);
	k->many = many;
	return ret;
}
