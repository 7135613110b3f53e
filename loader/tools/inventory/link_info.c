// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the kernel says of one link. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inventory/inventory.h"
#include "loader/kernel/attr.h"

/* MAX_KPROBE_MULTI_CNT, MAX_UPROBE_MULTI_CNT in kernel/trace/bpf_trace.c */
#define LOCATIONS_MAX (1u << 20)

static int get_info(struct sys *sys, int fd, struct bpf_link_info *info)
{
	uint32_t len = sizeof(*info);

	return kernel_fd_info(sys, fd, info, &len);
}

/* Memory for what the second call fills in; a name has a NUL behind it whatever the kernel does. */
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

/*
 * Where the kernel shall write what has no place in the struct. The type decides what its members
 * mean: of a link of the wrong type they would be something else.
 */
static void point_raw_tracepoint(struct inventory_link *link, struct bpf_link_info *to)
{
	to->raw_tracepoint.tp_name = attr_pointer(link->name);
	to->raw_tracepoint.tp_name_len = PATH_MAX;
}

static void point_iter(struct inventory_link *link, struct bpf_link_info *to)
{
	to->iter.target_name = attr_pointer(link->name);
	to->iter.target_name_len = PATH_MAX;
}

/* Function, file and tracepoint have their name at one place. */
static void point_perf_event(struct inventory_link *link, struct bpf_link_info *to)
{
	to->perf_event.uprobe.file_name = attr_pointer(link->name);
	to->perf_event.uprobe.name_len = PATH_MAX;
}

static void point_kprobe_multi(struct inventory_link *link, struct bpf_link_info *to)
{
	to->kprobe_multi.addrs = attr_pointer(link->locations);
	to->kprobe_multi.cookies = attr_pointer(link->cookies);
	to->kprobe_multi.count = link->nr_locations;
}

static void point_uprobe_multi(struct inventory_link *link, struct bpf_link_info *to)
{
	to->uprobe_multi.path = attr_pointer(link->name);
	to->uprobe_multi.path_size = PATH_MAX;
	to->uprobe_multi.offsets = attr_pointer(link->locations);
	to->uprobe_multi.cookies = attr_pointer(link->cookies);
	to->uprobe_multi.count = link->nr_locations;
}

static uint32_t count_kprobe_multi(const struct bpf_link_info *info)
{
	return info->kprobe_multi.count;
}

static uint32_t count_uprobe_multi(const struct bpf_link_info *info)
{
	return info->uprobe_multi.count;
}

static const struct {
	uint32_t type;
	bool has_name;
	uint32_t (*count)(const struct bpf_link_info *info);
	void (*point)(struct inventory_link *link, struct bpf_link_info *to);
} buffers[] = {
	{ BPF_LINK_TYPE_RAW_TRACEPOINT, true, NULL, point_raw_tracepoint },
	{ BPF_LINK_TYPE_ITER, true, NULL, point_iter },
	{ BPF_LINK_TYPE_PERF_EVENT, true, NULL, point_perf_event },
	{ BPF_LINK_TYPE_KPROBE_MULTI, false, count_kprobe_multi, point_kprobe_multi },
	{ BPF_LINK_TYPE_UPROBE_MULTI, true, count_uprobe_multi, point_uprobe_multi },
};

/*
 * The same again with memory for names and lists. A kernel that gives none of them, or not for this
 * link, leaves the memory as it is; one that refuses has told the rest already.
 */
static int read_more(struct sys *sys, int fd, unsigned int row, struct inventory_link *link)
{
	const uint32_t nr = buffers[row].count ? buffers[row].count(&link->info) : 0;
	struct bpf_link_info info = { 0 };
	int ret;

	if (!nr && !buffers[row].has_name)
		return 0;
	ret = allocate(link, buffers[row].has_name, nr);
	if (ret)
		return ret;
	buffers[row].point(link, &info);
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
			ret = read_more(sys, fd, i, link);
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
