/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The graph of who holds what: processes, pins, links, events, programs, maps, BTF. */
#ifndef PLOAD_OBSERVE_STEP_HOLDERS_H
#define PLOAD_OBSERVE_STEP_HOLDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "loader/core/value/json_object.h"

/*
 *	process --fd 4--> map <--uses-- prog <--runs-- link --fires--> event
 *	pin     --------> link
 *
 * A process and a pin hold by themselves; any other object lives as long as one of these reaches
 * it. docs/lifetime.md has the facts of the kernel.
 */
enum holder_kind {
	HOLDER_PROCESS, HOLDER_PIN, HOLDER_BTF, HOLDER_MAP, HOLDER_PROG, HOLDER_EVENT, HOLDER_LINK,
	HOLDER_OTHER,
};

struct holder_node {
	enum holder_kind kind;
	char name[96];		/* "map hits"; printable ASCII */
	int pid;		/* of a process */
	bool is_live;
	bool holds_fds;		/* a map whose elements are descriptors */
	bool reached;		/* scratch */
};

/* One object holds another. Each descriptor and each mapping of a process is an edge. */
struct holder_edge {
	unsigned int from, to;	/* indices of nodes */
	int fd;			/* -1: not by a descriptor */
	uint64_t address;	/* of a mapping, or 0 */
	char how[40];		/* "fd 4", "uses", "pin" */
	bool is_new;		/* the last call created it */
};

struct holders {
	struct holder_node *nodes;	/* owned; never removed, so indices remain valid */
	struct holder_edge *edges;	/* owned */
	unsigned int nr_nodes, nr_edges;
	bool no_memory;		/* the graph is incomplete */
};

/**
 * holders_apply() - Change the graph as @call does: an object of --trace=json (docs/trace.md).
 * @failed_later: an execve(2) that has not replaced the process
 */
void holders_apply(struct holders *h, struct json_object *call, bool failed_later);

/**
 * holders_json() - Return {"nodes": [...], "edges": [...], "ended": [...]}, or NULL without memory.
 * @before: the names of nodes that were live before, to list those that have ended: one bool each
 */
struct json_object *holders_json(const struct holders *h, const bool *before, unsigned int nr);

extern const char *const holder_kind_names[];

void holders_free(struct holders *h);

#endif
