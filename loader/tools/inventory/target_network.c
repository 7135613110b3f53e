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
#include "loader/tools/inventory/mounts.h"
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

static int describe_device(struct inventory_names *names, uint32_t ifindex, const char *what,
			   struct inventory_target *p)
{
	char name[IFNAMSIZ];

	target_number(p, "ifindex", ifindex);
	if (!ifindex) {	/* bpf_xdp_link_fill_link_info(): the device has gone, and the link stays */
		target_text(p, "a device that has gone%s%s", what[0] ? ", " : "", what);
		return 0;
	}
	device_name(names->sys, ifindex, name);
	if (name[0])
		target_text(p, "%s%s%s", name, what[0] ? " " : "", what);
	else
		target_text(p, "device %u%s%s", ifindex, what[0] ? " " : "", what);
	return name[0] ? target_string(p, "device", name) : 0;
}

int target_xdp(struct inventory_names *names, const struct inventory_link *link,
	       struct inventory_target *p)
{
	return describe_device(names, link->info.xdp.ifindex, "", p);
}

/* "BPF_TCX_INGRESS" -> "ingress" */
static int describe_device_hook(struct inventory_names *names, uint32_t ifindex,
				uint32_t attach_type, const char *prefix,
				struct inventory_target *p)
{
	char word[64];
	int ret = describe_device(names, ifindex,
				  inventory_word(sys_attach_type_name(attach_type), prefix,
						 attach_type, word, sizeof(word)),
				  p);

	return ret ? ret : target_attach_type(p, attach_type);
}

int target_tcx(struct inventory_names *names, const struct inventory_link *link,
	       struct inventory_target *p)
{
	return describe_device_hook(names, link->info.tcx.ifindex, link->info.tcx.attach_type,
				    "BPF_TCX_", p);
}

int target_netkit(struct inventory_names *names, const struct inventory_link *link,
		  struct inventory_target *p)
{
	return describe_device_hook(names, link->info.netkit.ifindex, link->info.netkit.attach_type,
				    "BPF_NETKIT_", p);
}

/* --- namespaces and hooks --- */

int target_netns(struct inventory_names *names, const struct inventory_link *link,
		 struct inventory_target *p)
{
	const uint32_t ino = link->info.netns.netns_ino;
	char own[64] = "", text[64], word[64];
	ssize_t n = sys_readlinkat(names->sys, "/proc/self/ns/net", own, sizeof(own) - 1);

	own[n > 0 ? n : 0] = '\0';
	snprintf(text, sizeof(text), "net:[%u]", ino);
	inventory_word(sys_attach_type_name(link->info.netns.attach_type), "BPF_",
		       link->info.netns.attach_type, word, sizeof(word));
	if (!ino)
		target_text(p, "a network namespace that has gone, %s", word);
	else if (!strcmp(own, text))
		target_text(p, "this network namespace, %s", word);
	else
		target_text(p, "%s %s", text, word);
	target_number(p, "netns_ino", ino);
	return target_attach_type(p, link->info.netns.attach_type);
}

int target_netfilter(struct inventory_names *names, const struct inventory_link *link,
		     struct inventory_target *p)
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
	target_text(p, "%s:%s:%d", inventory_word(family, "", pf, one, sizeof(one)),
		    inventory_word(point, "", hook, two, sizeof(two)),
		    link->info.netfilter.priority);
	target_number(p, "pf", pf);
	target_number(p, "hooknum", hook);
	target_signed(p, "priority", link->info.netfilter.priority);
	target_hex(p, "flags", link->info.netfilter.flags);
	return 0;
}

/* --- maps and cgroups --- */

static int describe_map(struct inventory_names *names, uint32_t id, struct inventory_target *p)
{
	int fd = kernel_fd_by_id(names->sys, BPF_MAP_GET_FD_BY_ID, id);
	struct bpf_map_info info = { 0 };
	uint32_t len = sizeof(info);

	target_number(p, "map_id", id);
	target_text(p, "map %u", id);
	if (fd < 0)
		return 0;
	if (kernel_fd_info(names->sys, fd, &info, &len) < 0)
		info.name[0] = '\0';
	sys_close_fd(names->sys, &fd);
	info.name[sizeof(info.name) - 1] = '\0';
	if (!info.name[0])
		return 0;
	target_text(p, "map %u %s", id, info.name);
	return target_string(p, "map", info.name);
}

int target_struct_ops(struct inventory_names *names, const struct inventory_link *link,
		      struct inventory_target *p)
{
	return describe_map(names, link->info.struct_ops.map_id, p);
}

int target_sockmap(struct inventory_names *names, const struct inventory_link *link,
		   struct inventory_target *p)
{
	int ret = describe_map(names, link->info.sockmap.map_id, p);

	return ret ? ret : target_attach_type(p, link->info.sockmap.attach_type);
}

int target_cgroup(struct inventory_names *names, const struct inventory_link *link,
		  struct inventory_target *p)
{
	const uint64_t id = link->info.cgroup.cgroup_id;
	char word[64];

	inventory_word(sys_attach_type_name(link->info.cgroup.attach_type), "BPF_CGROUP_",
		       link->info.cgroup.attach_type, word, sizeof(word));
	if (names->cgroup_id != id &&
	    !mounts_find_cgroup(names->sys, id, names->cgroup, sizeof(names->cgroup)))
		names->cgroup[0] = '\0';
	names->cgroup_id = id;
	if (!id)
		target_text(p, "a cgroup that has gone, %s", word);
	else if (names->cgroup[0])
		target_text(p, "%s %s", names->cgroup, word);
	else
		target_text(p, "cgroup %" PRIu64 " %s", id, word);
	target_number(p, "cgroup_id", id);
	if (id && names->cgroup[0] && target_string(p, "cgroup", names->cgroup))
		return -ENOMEM;
	return target_attach_type(p, link->info.cgroup.attach_type);
}
