/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The call tree of a profile, for use by the formats. */
#ifndef PLOAD_PROFILE_STACKS_PICTURES_INTERNAL_H
#define PLOAD_PROFILE_STACKS_PICTURES_INTERNAL_H

#include <stdbool.h>

#include "loader/profile/stacks/profile.h"

/* A function, or all addresses of a file that have no function. */
struct profile_frame {
	char *symbol, *file, *doubt;	/* owned, or NULL */
	bool is_label;		/* it has no address */
	uint64_t self;		/* weight of the stacks that end in it */
	uint64_t total;		/* weight of the stacks that contain it, recursive ones once */
	uint64_t doubtful;	/* weight of the stacks in which it is doubtful */
	uint32_t hash;
	uint32_t added;		/* number of the last stack that contained it */
};

/*
 * A call path. Nodes are numbered in insertion order, so a node comes after its parent. Node 0 is
 * the root, which has no frame.
 */
struct profile_node {
	uint32_t parent, frame;
	uint32_t child, next;	/* the first child, the next sibling; 0: none */
	uint64_t self, total;
};

/* Indexes by hash: the numbers of frames or nodes, 0 for none; open addressing. */
struct profile_index {
	uint32_t *slots;
	uint32_t nr, room;	/* @room is a power of two */
};

#define PROFILE_RECENT_BITS 13

struct profile {
	struct profile_frame *frames;	/* from 1 on */
	struct profile_node *nodes;
	uint32_t nr_frames, nr_nodes;
	struct profile_index frame_index, node_index;
	struct {
		const char *symbol, *file;
		uint32_t frame;
	} recent[1 << PROFILE_RECENT_BITS];	/* frames by the addresses of their strings */
	uint32_t stacks;	/* numbers them for profile_frame.added */
};

#define PROFILE_NAME 4096	/* the length of the longest name that is printed in full */

/**
 * profile_frame_name() - Return "symbol", "[file]" or "[unknown]"; @buf holds PROFILE_NAME bytes.
 * profile_next() - Return the node after @node in pre-order, or 0.
 * @depth: the depth of @node, which becomes that of the next one; children of the root have 1.
 */
const char *profile_frame_name(const struct profile_frame *frame, char *buf);
uint32_t profile_next(const struct profile *profile, uint32_t node, unsigned int *depth);

/* profile_functions() - Return the numbers of all frames, largest self first; malloc'ed or NULL. */
uint32_t *profile_functions(const struct profile *profile);

/* profile_depth() - Return the largest depth of a node. */
unsigned int profile_depth(const struct profile *profile);

/* json_text() - Print a JSON string that is safe in HTML and on terminals; null for NULL. */
void json_text(FILE *file, const char *text);

/* json_about() - Print the members "title" to "lost" of a profile, and "total". */
void json_about(FILE *file, const struct profile *profile, const struct profile_about *about);

int print_text(FILE *file, const struct profile *profile, const struct profile_about *about,
	       struct error *err);
int print_folded(FILE *file, const struct profile *profile, const struct profile_about *about,
		 struct error *err);
int print_flamegraph(FILE *file, const struct profile *profile, const struct profile_about *about,
		     struct error *err);
int print_json(FILE *file, const struct profile *profile, const struct profile_about *about,
	       struct error *err);
#endif
