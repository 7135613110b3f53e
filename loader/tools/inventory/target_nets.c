// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Links to devices, network namespaces, hooks, cgroups, sockmaps, and structs of functions. */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/sockios.h>

#include "loader/tools/inventory/inventory_internal.h"
#include "loader/tools/inventory/link_target.h"
#include "loader/event/event.h"
#include "loader/sys/names.h"

/* --- network devices --- */

/* What this network namespace calls the device; a link does not tell in which one its device is. */
static void device_name(struct sys *sys, uint32_t ifindex, char name[IFNAMSIZ])
{
	struct ifreq ifr = { .ifr_ifindex = ifindex };
	int fd = sys_socket(sys, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	name[0] = '\0';
	if (fd < 0)
		return;
	if (sys_ioctl(sys, fd, SIOCGIFNAME, (unsigned long)&ifr) >= 0)
		memcpy(name, ifr.ifr_name, IFNAMSIZ);
	name[IFNAMSIZ - 1] = '\0';
	sys_close_fd(sys, &fd);
}

static int place_device(struct attached_names *names, uint32_t ifindex, const char *what,
			struct attached_place *p)
{
	char name[IFNAMSIZ];

	place_number(p, "ifindex", ifindex);
	if (!ifindex) {	/* bpf_xdp_link_fill_link_info(): the device has gone, and the link stays */
		place_where(p, "a device that has gone%s%s", what[0] ? ", " : "", what);
		return 0;
	}
	device_name(names->sys, ifindex, name);
	if (name[0])
		place_where(p, "%s%s%s", name, what[0] ? " " : "", what);
	else
		place_where(p, "device %u%s%s", ifindex, what[0] ? " " : "", what);
	return name[0] ? place_text(p, "device", name) : 0;
}

int place_xdp(struct attached_names *names, const struct attached_link *link,
	      struct attached_place *p)
{
	return place_device(names, link->info.xdp.ifindex, "", p);
}

/* "BPF_TCX_INGRESS" -> "ingress" */
static int place_device_at(struct attached_names *names, uint32_t ifindex, uint32_t attach_type,
			   const char *prefix, struct attached_place *p)
{
	char word[64];
	int ret = place_device(names, ifindex,
			       attached_word(sys_attach_type_name(attach_type), prefix, attach_type,
					     word, sizeof(word)), p);

	return ret ? ret : place_attach_type(p, attach_type);
}

int place_tcx(struct attached_names *names, const struct attached_link *link,
	      struct attached_place *p)
{
	return place_device_at(names, link->info.tcx.ifindex, link->info.tcx.attach_type,
			       "BPF_TCX_", p);
}

int place_netkit(struct attached_names *names, const struct attached_link *link,
		 struct attached_place *p)
{
	return place_device_at(names, link->info.netkit.ifindex, link->info.netkit.attach_type,
			       "BPF_NETKIT_", p);
}

/* --- namespaces and hooks --- */

int place_netns(struct attached_names *names, const struct attached_link *link,
		struct attached_place *p)
{
	const uint32_t ino = link->info.netns.netns_ino;
	char own[64] = "", text[64], word[64];
	ssize_t n = sys_readlinkat(names->sys, "/proc/self/ns/net", own, sizeof(own) - 1);

	own[n > 0 ? n : 0] = '\0';
	snprintf(text, sizeof(text), "net:[%u]", ino);
	attached_word(sys_attach_type_name(link->info.netns.attach_type), "BPF_",
		      link->info.netns.attach_type, word, sizeof(word));
	if (!ino)
		place_where(p, "a network namespace that has gone, %s", word);
	else if (!strcmp(own, text))
		place_where(p, "this network namespace, %s", word);
	else
		place_where(p, "%s %s", text, word);
	place_number(p, "netns_ino", ino);
	return place_attach_type(p, link->info.netns.attach_type);
}

int place_netfilter(struct attached_names *names, const struct attached_link *link,
		    struct attached_place *p)
{
	/* NFPROTO_*, NF_INET_*: include/uapi/linux/netfilter.h */
	static const char *const families[] = { [2] = "ipv4", [10] = "ipv6" };
	static const char *const points[] = { "prerouting", "input", "forward", "output",
					      "postrouting" };
	const uint32_t pf = link->info.netfilter.pf, hook = link->info.netfilter.hooknum;
	const char *family = pf < sizeof(families) / sizeof(families[0]) ? families[pf] : NULL;
	const char *point = hook < sizeof(points) / sizeof(points[0]) ? points[hook] : NULL;
	char one[16], two[16];

	(void)names;
	place_where(p, "%s:%s:%d", attached_word(family, "", pf, one, sizeof(one)),
		    attached_word(point, "", hook, two, sizeof(two)),
		    link->info.netfilter.priority);
	place_number(p, "pf", pf);
	place_number(p, "hooknum", hook);
	place_signed(p, "priority", link->info.netfilter.priority);
	place_hex(p, "flags", link->info.netfilter.flags);
	return 0;
}

/* --- maps and cgroups --- */

static int place_map(struct attached_names *names, uint32_t id, struct attached_place *p)
{
	int fd = kernel_fd_by_id(names->sys, BPF_MAP_GET_FD_BY_ID, id);
	struct bpf_map_info info = { 0 };
	uint32_t len = sizeof(info);

	place_number(p, "map_id", id);
	place_where(p, "map %u", id);
	if (fd < 0)
		return 0;
	if (kernel_fd_info(names->sys, fd, &info, &len) < 0)
		info.name[0] = '\0';
	sys_close_fd(names->sys, &fd);
	info.name[sizeof(info.name) - 1] = '\0';
	if (!info.name[0])
		return 0;
	place_where(p, "map %u %s", id, info.name);
	return place_text(p, "map", info.name);
}

int place_struct_ops(struct attached_names *names, const struct attached_link *link,
		     struct attached_place *p)
{
	return place_map(names, link->info.struct_ops.map_id, p);
}

int place_sockmap(struct attached_names *names, const struct attached_link *link,
		  struct attached_place *p)
{
	int ret = place_map(names, link->info.sockmap.map_id, p);

	return ret ? ret : place_attach_type(p, link->info.sockmap.attach_type);
}

int place_cgroup(struct attached_names *names, const struct attached_link *link,
		 struct attached_place *p)
{
	const uint64_t id = link->info.cgroup.cgroup_id;
	char word[64];

	attached_word(sys_attach_type_name(link->info.cgroup.attach_type), "BPF_CGROUP_",
		      link->info.cgroup.attach_type, word, sizeof(word));
	if (names->cgroup_id != id &&
	    !attached_cgroup(names->sys, id, names->cgroup, sizeof(names->cgroup)))
		names->cgroup[0] = '\0';
	names->cgroup_id = id;
	if (!id)
		place_where(p, "a cgroup that has gone, %s", word);
	else if (names->cgroup[0])
		place_where(p, "%s %s", names->cgroup, word);
	else
		place_where(p, "cgroup %" PRIu64 " %s", id, word);
	place_number(p, "cgroup_id", id);
	if (id && names->cgroup[0] && place_text(p, "cgroup", names->cgroup))
		return -ENOMEM;
	return place_attach_type(p, link->info.cgroup.attach_type);
}
