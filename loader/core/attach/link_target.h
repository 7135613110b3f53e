/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Link targets: network devices, cgroups, kernel hooks and anything else that is not a perf event.
 * The type of a program determines its target, and a link binds it. (targets/)
 */
#ifndef PLOAD_CORE_ATTACH_LINK_TARGET_H
#define PLOAD_CORE_ATTACH_LINK_TARGET_H

#include "loader/core/attach/attach.h"

enum target_kind {
	TARGET_NONE,		/* no link can bind such a program: see link_target.missing */
	TARGET_DEVICE,		/* a network device */
	TARGET_CGROUP,		/* a cgroup2 directory */
	TARGET_NETNS,		/* a network namespace */
	TARGET_TRACEPOINT,	/* a raw tracepoint, by name */
	TARGET_HOOK,		/* the function or hook that the program was verified against */
	TARGET_ITER,		/* an iterator, which runs its program when the link is read */
	TARGET_MAP,		/* a map of sockets */
	TARGET_FUNCTIONS,	/* many functions: multi_attach() in objects/multi */
	TARGET_STRUCT_OPS,	/* the struct that contains the program: struct_ops_attach() */
};

/* One row of the table: the target of one program type. */
struct link_target {
	uint32_t prog_type;
	uint32_t attach_type;		/* UINT32_MAX: any */
	const char *name;		/* "xdp", for messages */
	enum target_kind kind;
	bool takes_cookie;		/* see cookie.c */
	unsigned char major, minor;	/* first Linux version with such links */
	const char *missing, *hint;	/* NONE: why, and what to use instead */
};

/* The targets named on the command line. All borrowed; all zero: none. */
struct target_options {
	const char *device;		/* a name */
	const char *cgroup;		/* a path */
	const char *map;		/* a map of the object, a path in bpffs, or an id */
	const char *functions;		/* overrides the section name's functions */
	uint32_t xdp_flags;		/* XDP_FLAGS_SKB_MODE ...; 0: the kernel chooses */
	uint32_t direction;		/* BPF_TCX_INGRESS or BPF_TCX_EGRESS, for SEC("tc") */
	bool has_direction;
};

/* One program to bind to its target. All borrowed. */
struct target_request {
	const struct link_target *target;
	const struct target_options *options;
	const char *section_target;	/* the part of the section name after '/', or NULL */
	int map_fd;			/* MAP, and map iterators */
	const char *map;		/* its name, for messages */
	pid_t pid;			/* task iterators: only this process; 0: all */
	uint32_t nr_functions;		/* FUNCTIONS, once attached */
	uint32_t attach_type;		/* what the program was loaded for */
	bool sleepable;			/* the program may sleep */
	bool has_cookie;
	uint64_t cookie;
	int prog_fd;
	unsigned int prog;		/* caller's index */
};

/** link_target_find() - Return the target of this program and attach type; NULL: perf events. */
const struct link_target *link_target_find(uint32_t prog_type, uint32_t attach_type);

/**
 * link_target_check() - Reject what no kernel accepts: no target given ("attach/no-target"), no
 * such links ("attach/no-link"), no cookie ("attach/no-cookie").
 */
int link_target_check(const struct target_request *req, struct error *err);
int link_target_cookie_check(const struct link_target *target, bool has_cookie, struct error *err);

/**
 * link_target_map_types() - Return the map types that such a program attaches to or iterates over,
 * one bit each; 0: none.
 * link_target_takes_cgroup() - Return true if --cgroup applies to such a program.
 * @section_target: the part of the section name after '/', or NULL.
 */
uint64_t link_target_map_types(const struct link_target *target, const char *section_target);
bool link_target_takes_cgroup(const struct link_target *target, const char *section_target);

/** link_target_text() - Format "lo (xdp)" for the summary. */
void link_target_text(const struct target_request *req, char *text, size_t size);

/**
 * link_target_bind() - Find the target and bind the program to it, which starts running.
 *
 * Appends to @set. Return: 0 or -errno, with the target in the error context.
 */
int link_target_bind(struct sys *sys, const struct target_request *req, struct attach_set *set,
		     struct error *err);


#endif
