/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Attach points that are no perf events: network devices, cgroups, hooks in the kernel. A program's
 * type says which; a link binds it there.
 */
#ifndef PLOAD_ATTACH_TARGETS_LINK_TARGETS_H
#define PLOAD_ATTACH_TARGETS_LINK_TARGETS_H

#include "loader/attach/attach.h"

/* What a program is attached to. */
enum link_target_kind {
	TARGET_NONE,		/* nothing that a link would bind it to: see missing */
	TARGET_DEVICE,		/* a network device */
	TARGET_CGROUP,		/* a directory of cgroup2 */
	TARGET_NETNS,		/* a network namespace */
	TARGET_NETFILTER,	/* a netfilter hook of this network namespace */
	TARGET_TRACEPOINT,	/* a raw tracepoint, by its name */
	TARGET_HOOK,		/* what the program was verified for: nothing else to say */
	TARGET_ITER,		/* likewise; and it runs when somebody reads */
	TARGET_MAP,		/* a map of sockets */
	TARGET_FUNCTIONS,		/* many functions: multi_attach() does that */
	TARGET_STRUCT_OPS,		/* the struct that points to it: struct_ops_attach() does that */
};

/* One row of the table. */
struct link_target {
	uint32_t prog_type;
	uint32_t attach_type;		/* that the program was loaded for; UINT32_MAX: any */
	const char *name;		/* "xdp", for messages */
	enum link_target_kind kind;
	bool takes_cookie;
	unsigned char major, minor;	/* of the Linux that has had such links first */
	const char *missing, *hint;	/* NOWHERE: why, and what would work */
};

/* Where, as far as the command line says. All borrowed; zeroed is nothing. */
struct link_target_options {
	const char *device;		/* a name */
	const char *cgroup;		/* a path */
	const char *netns;		/* a path; NULL: that of this process */
	const char *map;		/* --target-map: a map of the object, a path in bpffs, or
					 * an id */
	const char *functions;		/* --functions: instead of what sections say */
	uint32_t xdp_flags;		/* XDP_FLAGS_SKB_MODE or so; 0: the kernel's choice */
	uint32_t direction;		/* BPF_TCX_INGRESS or BPF_TCX_EGRESS for a program that
					 * says neither */
	bool has_direction;
	struct target_netfilter {
		uint32_t family, hook;	/* NFPROTO_*, NF_INET_* */
		int32_t priority;
		const char *text;	/* as it was given, borrowed; NULL: it was not */
	} netfilter;
};

struct link_target_request {
	const struct link_target *target;
	const struct link_target_options *where;
	const char *section_target;		/* what stands behind the '/' of the section, or NULL */
	int map_fd;			/* borrowed; MAP, and iterators that go over one */
	const char *map;		/* its name, for messages */
	pid_t pid;			/* iterators over tasks: of this process only; 0: of all */
	uint32_t nr_functions;		/* MANY: that it is attached to, for the summary; 0: not
					 * yet */
	uint32_t attach_type;		/* that the program was loaded for */
	bool has_cookie;
	uint64_t cookie;
	int prog_fd;
	unsigned int prog;		/* caller's index */
};

/* link_target_find() - the row for programs of this kind, or NULL: they go on events. */
const struct link_target *link_target_find(uint32_t prog_type, uint32_t attach_type);

/*
 * link_target_check() - EINVAL or ENOTSUP when @req cannot be met whatever the kernel says:
 * nothing named to attach to, a cookie where there is none. Pure.
 */
int link_target_check(const struct link_target_request *req, struct error *err);

/*
 * link_target_map_types() - which types of maps such a program is attached to or goes over: a bit
 * for each; 0: it is about no map. @target: what stands behind the '/' of its section, or NULL.
 */
uint64_t link_target_map_types(const struct link_target *target, const char *section_target);

/* link_target_takes_cgroup() - whether --cgroup says something to it. */
bool link_target_takes_cgroup(const struct link_target *target, const char *section_target);

/* link_target_text() - "lo (xdp)": for the summary. */
void link_target_text(const struct link_target_request *req, char *text, size_t size);

/*
 * link_target_bind() - find what is named and bind the program to it. Appends to @set; the program
 * runs from now on. Fails with the kernel's errno and its cause, place included.
 */
int link_target_bind(struct sys *sys, const struct link_target_request *req, struct attach_set *set,
		      struct error *err);

/*
 * target_netfilter_parse() - "ipv4:prerouting[:PRIORITY]" of --netfilter. EINVAL.
 */
int target_netfilter_parse(struct target_netfilter *nf, const char *text, struct error *err);

/* Inside this room. */

/* The device's index, or -errno with the names there are. */
int target_device(struct sys *sys, const char *name, struct error *err);

/*
 * iter_target_info() - what @req's iterator is to go over, into @info; false: over everything.
 * @cgroup_fd: of --cgroup, or -1.
 */
bool iter_target_info(const struct link_target_request *req, int cgroup_fd, union bpf_iter_link_info *info);

/*
 * link_target_bind_map() - a program for the sockets in a map: by link, and before Linux 6.10, which has
 * none, by BPF_PROG_ATTACH. Appends to @set.
 */
int link_target_bind_map(struct sys *sys, const struct link_target_request *req, struct attach_set *set,
		   struct error *err);

/* Why BPF_LINK_CREATE (@call) said @code: fill @err, return -@code. */
int link_target_failed(struct sys *sys, const struct link_target_request *req, const char *call, int code,
		 struct error *err);

#endif
