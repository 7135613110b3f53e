// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read struct bpf_link_info of a link, including the names and lists it points to. */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inventory/inventory.h"
#include "loader/core/kernel/attr.h"

/* MAX_KPROBE_MULTI_CNT, MAX_UPROBE_MULTI_CNT in kernel/trace/bpf_trace.c */
#define LOCATIONS_MAX (1u << 20)

/*
 * BPF_OBJ_GET_INFO_BY_FD fills in struct bpf_link_info:
 *
 *	0      4    8         12   16
 *	+------+----+---------+----+------------------------------------------------------+
 *	| type | id | prog_id |    | union of one struct for each type, such as           |
 *	|      |    |         |    | uprobe_multi { path, offsets, ref_ctr_offsets,       |
 *	|      |    |         |    |	cookies, path_size, count, flags, pid }            |
 *	+------+----+---------+----+------------------------------------------------------+
 *
 * A name or a list does not fit into it: the caller passes pointers to buffers and their sizes in
 * the members below (given by offset; 0: the type has none). Members of another type would mean
 * something else, so a first call without buffers reports the type and the length of the list, and
 * a second call passes the buffers.
 */
static const struct buffers {
	uint32_t type;
	uint16_t name, name_size;
	uint16_t count, locations, cookies;
} buffers[] = {
#define AT(member) offsetof(struct bpf_link_info, member)
	{ BPF_LINK_TYPE_RAW_TRACEPOINT, AT(raw_tracepoint.tp_name), AT(raw_tracepoint.tp_name_len),
	  0, 0, 0 },
	{ BPF_LINK_TYPE_ITER, AT(iter.target_name), AT(iter.target_name_len), 0, 0, 0 },
	/* Kprobes and tracepoints have their name at the same offset as uprobes their file. */
	{ BPF_LINK_TYPE_PERF_EVENT, AT(perf_event.uprobe.file_name),
	  AT(perf_event.uprobe.name_len), 0, 0, 0 },
	{ BPF_LINK_TYPE_KPROBE_MULTI, 0, 0, AT(kprobe_multi.count), AT(kprobe_multi.addrs),
	  AT(kprobe_multi.cookies) },
	{ BPF_LINK_TYPE_UPROBE_MULTI, AT(uprobe_multi.path), AT(uprobe_multi.path_size),
	  AT(uprobe_multi.count), AT(uprobe_multi.offsets), AT(uprobe_multi.cookies) },
#undef AT
};

static int get_info(struct sys *sys, int fd, struct bpf_link_info *info)
{
	uint32_t len = sizeof(*info);

	return kernel_fd_info(sys, fd, info, &len);
}

/*
 * The buffer is one byte larger than the size passed to the kernel, so the name is always
 * terminated.
 */
static int allocate(struct inventory_link *link, bool has_name, uint32_t nr_locations)
{
	if (nr_locations > LOCATIONS_MAX)
		return -E2BIG;
	if (has_name)
		link->name = calloc(1, PATH_MAX + 1);
	if (nr_locations) {
		link->locations = calloc(nr_locations, sizeof(*link->locations));
		link->cookies = calloc(nr_locations, sizeof(*link->cookies));
	}
	if ((has_name && !link->name) || (nr_locations && (!link->locations || !link->cookies)))
		return -ENOMEM;
	link->nr_locations = nr_locations;
	return 0;
}

static void set_pointer(struct bpf_link_info *info, uint16_t offset, const void *to)
{
	const uint64_t pointer = attr_pointer(to);

	memcpy((char *)info + offset, &pointer, sizeof(pointer));
}

static void set_size(struct bpf_link_info *info, uint16_t offset, uint32_t size)
{
	memcpy((char *)info + offset, &size, sizeof(size));
}

static void pass_buffers(const struct inventory_link *link, const struct buffers *b,
			 struct bpf_link_info *info)
{
	if (b->name) {
		set_pointer(info, b->name, link->name);
		set_size(info, b->name_size, PATH_MAX);
	}
	if (b->count) {
		set_pointer(info, b->locations, link->locations);
		set_pointer(info, b->cookies, link->cookies);
		set_size(info, b->count, link->nr_locations);
	}
}

/*
 * The second call. A kernel that does not know a buffer leaves it unchanged, and if the call fails,
 * the result of the first call stays valid.
 */
static int read_more(struct sys *sys, int fd, const struct buffers *b, struct inventory_link *link)
{
	struct bpf_link_info info = { 0 };
	uint32_t nr = 0;
	int ret;

	if (b->count)
		memcpy(&nr, (const char *)&link->info + b->count, sizeof(nr));
	if (!nr && !b->name)
		return 0;
	ret = allocate(link, b->name, nr);
	if (ret)
		return ret;
	pass_buffers(link, b, &info);
	ret = get_info(sys, fd, &info);
	if (!ret && info.type == link->info.type)
		link->info = info;
	if (link->name && !link->name[0]) {
		free(link->name);
		link->name = NULL;
	}
	return ret == -ENOMEM ? ret : 0;
}

int inventory_link_read(struct sys *sys, int fd, struct inventory_link *link)
{
	int ret;

	*link = (struct inventory_link){ 0 };
	ret = get_info(sys, fd, &link->info);
	for (size_t i = 0; !ret && i < sizeof(buffers) / sizeof(buffers[0]); i++)
		if (buffers[i].type == link->info.type)
			ret = read_more(sys, fd, &buffers[i], link);
	if (ret)
		inventory_link_free(link);
	return ret;
}

void inventory_link_free(struct inventory_link *link)
{
	free(link->cookies);
	free(link->locations);
	free(link->name);
	*link = (struct inventory_link){ 0 };
}
