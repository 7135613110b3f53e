// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The call tree of a profile: stacks with a common start share nodes, and all share frames. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/core/value/hash.h"
#include "loader/profile/stacks/pictures_internal.h"

static uint64_t add_weight(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The names, and the order in which frames are numbered, are untrusted. */
static uint32_t hash_frame(const struct profile *p, const struct frame *of)
{
	const char *symbol = of->symbol ?: "", *file = of->file ?: "";
	const uint64_t hash = hash_name((uintptr_t)p ^ !of->address, symbol, strlen(symbol));

	return hash_name(hash, file, strlen(file));
}

static uint32_t hash_node(const struct profile *p, uint32_t parent, uint32_t frame)
{
	const uint32_t node[] = { parent, frame };

	return hash_name((uintptr_t)p, (const char *)node, sizeof(node));
}

/* --- indexes and arrays --- */

static uint32_t hash_of(const struct profile *p, const struct profile_index *index, uint32_t n)
{
	if (index == &p->frame_index)
		return p->frames[n].hash;
	return hash_node(p, p->nodes[n].parent, p->nodes[n].frame);
}

static void index_put(struct profile_index *index, uint32_t hash, uint32_t n)
{
	uint32_t at = hash;

	while (index->slots[at & (index->room - 1)])
		at++;
	index->slots[at & (index->room - 1)] = n;
}

/* Make room for one more entry, so that at least half of the slots stay empty. */
static bool index_grow(const struct profile *p, struct profile_index *index)
{
	struct profile_index larger = { .room = index->room ? 2 * index->room : 1024 };

	if (2 * (uint64_t)index->nr < index->room)
		return true;
	larger.slots = index->room < 1u << 30 ? calloc(larger.room, sizeof(uint32_t)) : NULL;
	if (!larger.slots)
		return false;
	for (uint32_t i = 0; i < index->room; i++)
		if (index->slots[i])
			index_put(&larger, hash_of(p, index, index->slots[i]), index->slots[i]);
	larger.nr = index->nr;
	free(index->slots);
	*index = larger;
	return true;
}

/* Make room for one more element of @size bytes. */
static bool grow(void **array, uint32_t nr, size_t size)
{
	void *grown = nr < 1u << 30 ? array_grow(*array, nr, size) : NULL;

	if (grown)
		*array = grown;
	return grown;
}

/* --- frames --- */

static bool copy_text(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return *to || !text;
}

static void free_frame(struct profile_frame *frame)
{
	free(frame->symbol);
	free(frame->file);
	free(frame->doubt);
}

/* Return the number of the new frame; 0: no memory. */
static uint32_t add_frame(struct profile *p, const struct frame *of, uint32_t hash)
{
	struct profile_frame frame = { .is_label = !of->address, .hash = hash };

	if (!grow((void **)&p->frames, p->nr_frames, sizeof(frame)) ||
	    !index_grow(p, &p->frame_index))
		return 0;
	if (!copy_text(&frame.symbol, of->symbol) || !copy_text(&frame.file, of->file)) {
		free_frame(&frame);
		return 0;
	}
	p->frames[p->nr_frames] = frame;
	index_put(&p->frame_index, hash, p->nr_frames);
	p->frame_index.nr++;
	return p->nr_frames++;
}

/* Frames are equal if function and file are; a label has no address. */
static bool is_frame(const struct profile_frame *frame, const struct frame *of)
{
	return same_text(frame->symbol, of->symbol) && same_text(frame->file, of->file) &&
	       frame->is_label == !of->address;
}

static uint32_t find_frame(struct profile *p, const struct frame *of)
{
	const uint64_t addresses = (uintptr_t)of->symbol ^ ((uint64_t)(uintptr_t)of->file << 7);
	const size_t recent = addresses * 0x9e3779b97f4a7c15ull >> (64 - PROFILE_RECENT_BITS);
	uint32_t hash, frame = p->recent[recent].frame;
	const struct profile_index *index = &p->frame_index;

	/* The strings at these addresses may have changed. */
	if (frame && p->recent[recent].symbol == of->symbol && p->recent[recent].file == of->file &&
	    is_frame(&p->frames[frame], of))
		return frame;
	hash = hash_frame(p, of);
	for (uint32_t at = hash; index->room; at++) {
		frame = index->slots[at & (index->room - 1)];
		if (!frame || (p->frames[frame].hash == hash && is_frame(&p->frames[frame], of)))
			break;
	}
	if (!index->room || !frame)
		frame = add_frame(p, of, hash);
	p->recent[recent].symbol = of->symbol;
	p->recent[recent].file = of->file;
	p->recent[recent].frame = frame;
	return frame;
}

/* --- nodes --- */

/* Return the number of the new node; 0: no memory. */
static uint32_t add_node(struct profile *p, uint32_t parent, uint32_t frame)
{
	const uint32_t n = p->nr_nodes;

	if (!grow((void **)&p->nodes, n, sizeof(*p->nodes)) ||
	    !index_grow(p, &p->node_index))
		return 0;
	p->nodes[n] = (struct profile_node){ .parent = parent, .frame = frame,
					     .next = p->nodes[parent].child };
	p->nodes[parent].child = n;
	index_put(&p->node_index, hash_node(p, parent, frame), n);
	p->node_index.nr++;
	return p->nr_nodes++;
}

static uint32_t find_node(struct profile *p, uint32_t parent, uint32_t frame)
{
	const struct profile_index *index = &p->node_index;

	for (uint32_t at = hash_node(p, parent, frame); index->room; at++) {
		const uint32_t n = index->slots[at & (index->room - 1)];

		if (!n)
			break;
		if (p->nodes[n].parent == parent && p->nodes[n].frame == frame)
			return n;
	}
	return add_node(p, parent, frame);
}

struct profile *profile_new(void)
{
	struct profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	if (!grow((void **)&p->frames, 0, sizeof(*p->frames)) ||
	    !grow((void **)&p->nodes, 0, sizeof(*p->nodes))) {
		profile_free(p);
		return NULL;
	}
	p->frames[0] = (struct profile_frame){ 0 };
	p->nodes[0] = (struct profile_node){ 0 };
	p->nr_frames = p->nr_nodes = 1;
	return p;
}

static int add_doubt(struct profile_frame *frame, const char *doubt, uint64_t weight)
{
	if (!doubt)
		return 0;
	frame->doubtful = add_weight(frame->doubtful, weight);
	return frame->doubt || copy_text(&frame->doubt, doubt) ? 0 : -ENOMEM;
}

/* Add to the weights of @frame, which ends the stack if @last. */
static int weigh_frame(struct profile *p, uint32_t n, const struct frame *of, uint64_t weight,
		       bool last)
{
	struct profile_frame *frame = &p->frames[n];

	if (last)
		frame->self = add_weight(frame->self, weight);
	if (frame->added == p->stacks)
		return 0;
	frame->added = p->stacks;
	frame->total = add_weight(frame->total, weight);
	return add_doubt(frame, of->doubt, weight);
}

static int no_memory(const struct profile *p, struct error *err)
{
	return error_set(err, ENOMEM, "no memory for a call tree of %u nodes", p->nr_nodes);
}

int profile_add(struct profile *p, const struct frame *frames, unsigned int nr, uint64_t weight,
		struct error *err)
{
	uint32_t node = 0, frame;

	if (!nr || !weight)
		return 0;
	p->stacks++;
	for (unsigned int i = 0; i < nr; i++) {
		frame = find_frame(p, &frames[i]);
		node = frame ? find_node(p, node, frame) : 0;
		if (!node || weigh_frame(p, frame, &frames[i], weight, i == nr - 1))
			return no_memory(p, err);
		p->nodes[node].total = add_weight(p->nodes[node].total, weight);
	}
	p->nodes[node].self = add_weight(p->nodes[node].self, weight);
	p->nodes[0].total = add_weight(p->nodes[0].total, weight);
	return 0;
}

uint64_t profile_weight(const struct profile *p)
{
	return p->nodes[0].total;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	for (uint32_t i = 1; i < p->nr_frames; i++)
		free_frame(&p->frames[i]);
	free(p->frames);
	free(p->nodes);
	free(p->frame_index.slots);
	free(p->node_index.slots);
	free(p);
}
