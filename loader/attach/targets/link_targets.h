/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Attach points that are no perf events: network devices, cgroups, hooks in the kernel. A program's
 * type says which; a link binds it there.
 */
#ifndef PLOAD_ATTACH_TARGETS_LINK_TARGETS_H
#define PLOAD_ATTACH_TARGETS_LINK_TARGETS_H

#include "loader/attach/attach.h"

/* What a program is attached to. */
enum point_on {
	POINT_NOWHERE,		/* nothing that a link would bind it to: see missing */
	POINT_DEVICE,		/* a network device */
	POINT_CGROUP,		/* a directory of cgroup2 */
	POINT_NETNS,		/* a network namespace */
	POINT_NETFILTER,	/* a netfilter hook of this network namespace */
	POINT_TRACEPOINT,	/* a raw tracepoint, by its name */
	POINT_HOOK,		/* what the program was verified for: nothing else to say */
	POINT_ITER,		/* likewise; and it runs when somebody reads */
	POINT_MAP,		/* a map of sockets */
	POINT_MANY,		/* many functions: multi_attach() does that */
	POINT_STRUCT,		/* the struct that points to it: struct_ops_attach() does that */
};

/* One row of the table. */
struct attach_point {
	uint32_t prog_type;
	uint32_t attach_type;		/* that the program was loaded for; UINT32_MAX: any */
	const char *name;		/* "xdp", for messages */
	enum point_on on;
	bool takes_cookie;
	unsigned char major, minor;	/* of the Linux that has had such links first */
	const char *missing, *hint;	/* NOWHERE: why, and what would work */
};

/* Where, as far as the command line says. All borrowed; zeroed is nothing. */
struct point_where {
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
	struct point_netfilter {
		uint32_t family, hook;	/* NFPROTO_*, NF_INET_* */
		int32_t priority;
		const char *text;	/* as it was given, borrowed; NULL: it was not */
	} netfilter;
};

struct point_request {
	const struct attach_point *point;
	const struct point_where *where;
	const char *target;		/* what stands behind the '/' of the section, or NULL */
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

/* attach_point_find() - the row for programs of this kind, or NULL: they go on events. */
const struct attach_point *attach_point_find(uint32_t prog_type, uint32_t attach_type);

/*
 * attach_point_check() - EINVAL or ENOTSUP when @req cannot be met whatever the kernel says:
 * nothing named to attach to, a cookie where there is none. Pure.
 */
int attach_point_check(const struct point_request *req, struct error *err);

/*
 * attach_point_map_types() - which types of maps such a program is attached to or goes over: a bit
 * for each; 0: it is about no map. @target: what stands behind the '/' of its section, or NULL.
 */
uint64_t attach_point_map_types(const struct attach_point *point, const char *target);

/* attach_point_takes_cgroup() - whether --cgroup says something to it. */
bool attach_point_takes_cgroup(const struct attach_point *point, const char *target);

/* attach_point_text() - "lo (xdp)": for the summary. */
void attach_point_text(const struct point_request *req, char *text, size_t size);

/*
 * attach_point_bind() - find what is named and bind the program to it. Appends to @set; the program
 * runs from now on. Fails with the kernel's errno and its cause, place included.
 */
int attach_point_bind(struct sys *sys, const struct point_request *req, struct attach_set *set,
		      struct error *err);

/*
 * point_netfilter_parse() - "ipv4:prerouting[:PRIORITY]" of --netfilter. EINVAL.
 */
int point_netfilter_parse(struct point_netfilter *nf, const char *text, struct error *err);

/* Inside this room. */

/* The device's index, or -errno with the names there are. */
int point_device(struct sys *sys, const char *name, struct error *err);

/*
 * point_over() - what @req's iterator is to go over, into @info; false: over everything.
 * @cgroup_fd: of --cgroup, or -1.
 */
bool point_over(const struct point_request *req, int cgroup_fd, union bpf_iter_link_info *info);

/*
 * point_bind_map() - a program for the sockets in a map: by link, and before Linux 6.10, which has
 * none, by BPF_PROG_ATTACH. Appends to @set.
 */
int point_bind_map(struct sys *sys, const struct point_request *req, struct attach_set *set,
		   struct error *err);

/* Why BPF_LINK_CREATE (@call) said @code: fill @err, return -@code. */
int point_failed(struct sys *sys, const struct point_request *req, const char *call, int code,
		 struct error *err);

#endif
