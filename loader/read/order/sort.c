// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Records of perf rings in the order of time: each CPU has a ring, and they are read one after the
 * other. As perf does it: a round reads each ring once, and then those records are passed on that
 * are not newer than the newest of the round before. Whatever is as old was in its ring when this
 * round began, so that no older one can come. Two rounds are kept, of at most all rings each.
 */
#include <errno.h>
#include <stdlib.h>

#include "loader/read/ring.h"

struct kept_record {
	uint64_t time;
	int64_t order;		/* among those of one time */
	struct record_stream *stream;	/* borrowed */
	size_t at;		/* in the bytes of the sorter */
	uint32_t size;
	int cpu;
};

void record_sorter_free(struct record_sorter *s)
{
	free(s->list);
	free(s->bytes);
	*s = (struct record_sorter){ 0 };
}

/* Return @array with room for @nr elements of @size bytes, or NULL. *@room: how many it has. */
static void *with_room(void *array, size_t nr, size_t *room, size_t size)
{
	void *more = array;

	if (nr <= *room)
		return array;
	nr += nr / 2 + 1024;
	more = reallocarray(array, nr, size);
	if (more)
		*room = nr;
	return more;
}

static int keep(void *arg, const struct record *record, struct error *err)
{
	struct record_stream *stream = arg;
	struct record_sorter *s = stream->sorter;
	const struct bytes bytes = record->bytes;
	unsigned char *data = with_room(s->bytes, s->size + bytes.size, &s->room, 1);
	struct kept_record *list;

	if (data)
		s->bytes = data;
	list = data ? with_room(s->list, s->nr + 1, &s->list_room, sizeof(*list)) : NULL;
	if (!list)
		return error_set(err, ENOMEM, "no memory to sort records");
	s->list = list;
	s->nr_taken++;
	list[s->nr++] = (struct kept_record){
		.time = record->time,
		.order = stream->overwrites ? -s->nr_taken : s->nr_taken,
		.stream = stream,
		.at = s->size,
		.size = bytes.size,
		.cpu = record->cpu,
	};
	memcpy(s->bytes + s->size, bytes.data, bytes.size);
	s->size += bytes.size;
	if (record->time > s->newest)
		s->newest = record->time;
	return 0;
}

void record_sorter_add(struct record_sorter *sorter, struct record_stream *stream)
{
	stream->sorter = sorter;
	stream->sorted = stream->sink;
	stream->sink = (struct record_sink){ .record = keep, .arg = stream };
}

static int by_time(const void *a, const void *b)
{
	const struct kept_record *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Keep the records from @first on, which came in this round: their bytes are the last ones. */
static void keep_from(struct record_sorter *s, size_t first)
{
	const size_t begin = first < s->nr ? s->round : s->size;

	memmove(s->bytes, s->bytes + begin, s->size - begin);
	memmove(s->list, s->list + first, (s->nr - first) * sizeof(*s->list));
	s->nr -= first;
	s->size -= begin;
	for (size_t i = 0; i < s->nr; i++)
		s->list[i].at -= begin;
	s->round = s->size;
	s->bound = s->newest;
}

int record_sorter_round(struct record_sorter *s, bool all, struct error *err)
{
	int ret = 0;
	size_t i;

	if (!s->nr)
		return 0;
	qsort(s->list, s->nr, sizeof(*s->list), by_time);
	for (i = 0; !ret && i < s->nr && (all || s->list[i].time <= s->bound); i++) {
		const struct kept_record *kept = &s->list[i];
		const struct record record = {
			.bytes = { s->bytes + kept->at, kept->size },
			.cpu = kept->cpu,
			.padded = true,
		};

		ret = kept->stream->sorted.record(kept->stream->sorted.arg, &record, err);
	}
	keep_from(s, i);
	return ret;
}
