// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describe links to network devices and namespaces, netfilter hooks, maps and cgroups. */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/sockios.h>

#include "loader/tools/inventory/inventory_internal.h"
#include "loader/tools/inventory/mounts.h"
#include "loader/base/calls/sockets.h"
#include "loader/base/text/names.h"
#include "loader/base/kernel/kernel_calls.h"

/* --- network devices --- */

/*
 * Look up the name in the network namespace of this process. A link does not report its device's
 * namespace, so this may be the name of another device with the same index.
 */
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

static void describe_device(struct sys *sys, uint32_t ifindex, const char *hook,
			    struct inventory_target *t)
{
	char name[IFNAMSIZ];

	target_number(t, "ifindex", ifindex);
	/* bpf_xdp_link_fill_link_info(): a link outlives its device, and then reports 0. */
	if (!ifindex) {
		target_text(t, "a device that has gone%s%s", hook[0] ? ", " : "", hook);
		return;
	}
	device_name(sys, ifindex, name);
	if (!name[0]) {
		target_text(t, "device %u%s%s", ifindex, hook[0] ? " " : "", hook);
		return;
	}
	target_text(t, "%s%s%s", name, hook[0] ? " " : "", hook);
	target_string(t, "device", name);
}

void target_netdev(struct inventory_names *names, const struct inventory_link *link,
		   struct inventory_target *t)
{
	const struct bpf_link_info *info = &link->info;
	uint32_t ifindex = info->xdp.ifindex, type = 0;
	const char *prefix = NULL;
	char hook[64] = "";

	if (info->type == BPF_LINK_TYPE_TCX) {
		ifindex = info->tcx.ifindex;
		type = info->tcx.attach_type;
		prefix = "BPF_TCX_";
	} else if (info->type == BPF_LINK_TYPE_NETKIT) {
		ifindex = info->netkit.ifindex;
		type = info->netkit.attach_type;
		prefix = "BPF_NETKIT_";
	}
	if (prefix)
		inventory_word(sys_attach_type_name(type), prefix, type, hook, sizeof(hook));
	describe_device(names->sys, ifindex, hook, t);
}

/* --- network namespaces and hooks --- */

void target_netns(struct inventory_names *names, const struct inventory_link *link,
		  struct inventory_target *t)
{
	const uint32_t ino = link->info.netns.netns_ino, type = link->info.netns.attach_type;
	char own[64] = "", text[64], word[64];
	ssize_t n = sys_readlinkat(names->sys, "/proc/self/ns/net", own, sizeof(own) - 1);

	own[n > 0 ? n : 0] = '\0';
	snprintf(text, sizeof(text), "net:[%u]", ino);
	inventory_word(sys_attach_type_name(type), "BPF_", type, word, sizeof(word));
	if (!ino)
		target_text(t, "a network namespace that has gone, %s", word);
	else if (!strcmp(own, text))
		target_text(t, "this network namespace, %s", word);
	else
		target_text(t, "%s %s", text, word);
	target_number(t, "netns_ino", ino);
}

void target_netfilter(struct inventory_names *names, const struct inventory_link *link,
		      struct inventory_target *t)
{
	/* NFPROTO_*, NF_INET_*: include/uapi/linux/netfilter.h */
	static const char *const families[] = { [2] = "ipv4", [10] = "ipv6" };
	static const char *const hooks[] = { "prerouting", "input", "forward", "output",
					     "postrouting" };
	const uint32_t pf = link->info.netfilter.pf, hook = link->info.netfilter.hooknum;
	char family_word[16], hook_word[16];

	(void)names;
	inventory_word(pf < sizeof(families) / sizeof(families[0]) ? families[pf] : NULL, "", pf,
		       family_word, sizeof(family_word));
	inventory_word(hook < sizeof(hooks) / sizeof(hooks[0]) ? hooks[hook] : NULL, "", hook,
		       hook_word, sizeof(hook_word));
	target_text(t, "%s:%s:%d", family_word, hook_word, link->info.netfilter.priority);
	target_number(t, "pf", pf);
	target_number(t, "hooknum", hook);
	target_signed(t, "priority", link->info.netfilter.priority);
	target_hex(t, "flags", link->info.netfilter.flags);
}

/* --- maps and cgroups --- */

/* A sockmap that processes messages, or the map of a struct_ops. */
void target_map(struct inventory_names *names, const struct inventory_link *link,
		struct inventory_target *t)
{
	const uint32_t id = link->info.type == BPF_LINK_TYPE_SOCKMAP ?
				    link->info.sockmap.map_id :
				    link->info.struct_ops.map_id;
	int fd = kernel_fd_by_id(names->sys, BPF_MAP_GET_FD_BY_ID, id);
	struct bpf_map_info info = { 0 };
	uint32_t len = sizeof(info);

	target_number(t, "map_id", id);
	target_text(t, "map %u", id);
	if (fd < 0)
		return;
	if (kernel_fd_info(names->sys, fd, &info, &len) < 0)
		info.name[0] = '\0';
	sys_close_fd(names->sys, &fd);
	info.name[sizeof(info.name) - 1] = '\0';
	if (!info.name[0])
		return;
	target_text(t, "map %u %s", id, info.name);
	target_string(t, "map", info.name);
}

void target_cgroup(struct inventory_names *names, const struct inventory_link *link,
		   struct inventory_target *t)
{
	const uint32_t type = link->info.cgroup.attach_type;
	const uint64_t id = link->info.cgroup.cgroup_id;
	char word[64];

	inventory_word(sys_attach_type_name(type), "BPF_CGROUP_", type, word, sizeof(word));
	if (names->cgroup_id != id &&
	    !mounts_find_cgroup(names->sys, id, names->cgroup, sizeof(names->cgroup)))
		names->cgroup[0] = '\0';
	names->cgroup_id = id;
	if (!id)
		target_text(t, "a cgroup that has gone, %s", word);
	else if (names->cgroup[0])
		target_text(t, "%s %s", names->cgroup, word);
	else
		target_text(t, "cgroup %" PRIu64 " %s", id, word);
	target_number(t, "cgroup_id", id);
	if (id && names->cgroup[0])
		target_string(t, "cgroup", names->cgroup);
}
