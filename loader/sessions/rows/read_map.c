// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read all elements of a map with as few system calls as possible. */
#include <errno.h>
#include <stdlib.h>

#include "loader/sessions/rows/read_map.h"
#include "loader/base/kernel/kernel_calls.h"

#define BATCH_BYTES	(1U << 20)

/* BPF_MAP_GET_NEXT_KEY on a deleted key restarts a hash at its first key: limit the steps. */
static uint64_t max_steps(const struct map_reader *r)
{
	return 2 * (uint64_t)r->max_entries + 64;
}

struct batch {
	unsigned char *keys, *values;	/* owned, like the cursors */
	unsigned char *in, *out;
	uint32_t room;
	bool begun;
};

enum step { STEP_END, STEP_MORE, STEP_NO_BATCH };	/* or -errno */

static void batch_free(struct batch *b)
{
	free(b->keys);
	free(b->values);
	free(b->in);
	free(b->out);
}

static int batch_room(const struct map_reader *r, struct batch *b, uint64_t room, struct error *err)
{
	unsigned char *keys, *values;

	b->room = room < 1 ? 1 : room > r->max_entries ? r->max_entries : room;
	keys = reallocarray(b->keys, b->room, r->key_size);
	b->keys = keys ? keys : b->keys;
	values = reallocarray(b->values, b->room, r->value_size);
	b->values = values ? values : b->values;
	if (keys && values)
		return 0;
	return error_set(err, ENOMEM, "no memory to read %u elements at once", b->room);
}

static int batch_failed(const struct map_reader *r, struct batch *b, int code, struct error *err)
{
	if (!b->begun && (code == EINVAL || code == KERNEL_ENOTSUPP)) {
		/*
		 * EINVAL: the kernel lacks the command. KERNEL_ENOTSUPP: the map type does not
		 * support it.
		 */
		*r->no_batch |= code == EINVAL;
		return STEP_NO_BATCH;
	}
	/* A hash returns whole buckets; ENOSPC means that one does not fit into the buffer. */
	if (code == ENOSPC && b->room < r->max_entries)
		return batch_room(r, b, 2 * (uint64_t)b->room, err) ?: STEP_MORE;
	return error_set(err, code, "BPF_MAP_LOOKUP_BATCH: %s", error_strerror(code));
}

/* One BPF_MAP_LOOKUP_BATCH. Its out_batch is the in_batch of the next call. */
static int batch_next(const struct map_reader *r, struct batch *b, uint64_t *seen,
		      struct error *err)
{
	uint32_t count = b->room;
	unsigned char *in = b->in;
	int ret = map_lookup_batch(r->sys, r->fd, b->begun ? b->in : NULL, b->out, b->keys,
				   b->values, &count);
	int stop = 0;

	if (ret && ret != -ENOENT)
		return batch_failed(r, b, -ret, err);
	b->begun = true;
	b->in = b->out;
	b->out = in;
	for (uint32_t i = 0; i < count && i < b->room && !stop; i++)
		stop = r->element(r->ctx, b->keys + (size_t)i * r->key_size,
				  b->values + i * r->value_size, err);
	*seen += count;
	if (stop)
		return stop;
	return !ret && count ? STEP_MORE : STEP_END;
}

static int read_batches(const struct map_reader *r, struct error *err)
{
	size_t cursor = r->key_size < 4 ? 4 : r->key_size;
	struct batch b = { .in = calloc(1, cursor), .out = calloc(1, cursor) };
	uint64_t seen = 0;
	int ret;

	ret = batch_room(r, &b, BATCH_BYTES / (r->key_size + r->value_size), err);
	if (!b.in || !b.out)
		ret = error_set(err, ENOMEM, "no memory for a key of %zu bytes", cursor);
	if (!ret)
		do
			ret = batch_next(r, &b, &seen, err);
		while (ret == STEP_MORE && seen < max_steps(r));
	batch_free(&b);
	return ret;
}

static int read_one_by_one(const struct map_reader *r, unsigned char *key, unsigned char *next,
			   unsigned char *value, struct error *err)
{
	unsigned char *swap;
	int ret;

	for (uint64_t i = 0; i < max_steps(r); i++) {
		ret = map_next_key(r->sys, r->fd, i ? key : NULL, next);
		if (ret == -ENOENT)
			return 0;
		if (ret)
			return error_set(err, -ret, "BPF_MAP_GET_NEXT_KEY: %s",
					 error_strerror(-ret));
		swap = key;
		key = next;
		next = swap;
		ret = map_lookup(r->sys, r->fd, key, value);
		if (ret == -ENOENT)
			continue;
		if (ret)
			return error_set(err, -ret, "BPF_MAP_LOOKUP_ELEM: %s",
					 error_strerror(-ret));
		ret = r->element(r->ctx, key, value, err);
		if (ret)
			return ret;
	}
	return 0;
}

int read_map(const struct map_reader *r, struct error *err)
{
	int ret = *r->no_batch ? STEP_NO_BATCH : read_batches(r, err);
	unsigned char *keys, *value;

	if (ret != STEP_NO_BATCH)
		return ret < 0 ? ret : 0;
	keys = calloc(2, r->key_size);
	value = calloc(1, r->value_size);
	ret = keys && value ? read_one_by_one(r, keys, keys + r->key_size, value, err) :
			      error_set(err, ENOMEM, "no memory for an element of %zu bytes",
					r->value_size);
	free(keys);
	free(value);
	return ret;
}
