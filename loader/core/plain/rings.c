// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open, poll and read the rings of each map that receives records, and print the records. */
#include <errno.h>
#include <inttypes.h>

#include "loader/core/plain/plain.h"
#include "loader/core/print/message.h"
#include "loader/core/print/record.h"
#include "loader/core/value/value.h"

static int add_map(struct session *s, uint32_t map, const struct cpu_list *online,
		   struct error *err)
{
	const struct kernel_map *km = &s->load.kernel.maps[map];
	const struct record_source source = {
		.obj = &s->load.object, .map = map, .usage = &s->load.usage[map],
	};
	struct ring_map to = { .name = s->load.object.maps[map].name, .fd = km->fd };
	struct record_format format;
	char why_hex[512];
	int ret;

	if (source.usage->read)
		return feature_missing("a map that programs read counters from", err);
	ret = record_format_init(&format, &source, why_hex, sizeof(why_hex), err);
	if (!ret)
		ret = record_printer(&to.sink, s->out, &format, err);
	if (ret)
		return ret;
	if (s->load.object.maps[map].type == BPF_MAP_TYPE_RINGBUF)
		return rings_add_ringbuf(s->rings, &to, km->max_entries, km->map_flags, err);
	return rings_add_perf(s->rings, &to, online, s->options->ring_pages, err);
}

static int begin_rings(struct session *s, struct error *err)
{
	struct cpu_list online = { 0 };
	int ret = cpu_list_read(s->sys, "online", &online, err);

	s->rings = rings_new(s->sys);
	if (!s->rings)
		ret = error_set(err, ENOMEM, "no memory for rings");
	for (uint32_t i = 0; !ret && i < s->load.object.nr_maps; i++) {
		const struct object_map *map = &s->load.object.maps[i];

		if (map->type != BPF_MAP_TYPE_RINGBUF && map->type != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			continue;
		ret = add_map(s, i, &online, err);
		if (ret < 0)
			error_where(err, "map '%s'", map->name);
	}
	cpu_list_free(&online);
	return ret;
}

static int fd_of_rings(const struct session *s)
{
	return rings_fd(s->rings);
}

static int due_of_rings(const struct session *s)
{
	return rings_due_ms(s->rings);
}

static int read_rings(struct session *s, bool ready, struct error *err)
{
	return rings_read(s->rings, ready, err);
}

static int drain_rings(struct session *s, struct error *err)
{
	const int ret = rings_drain(s->rings, err);

	return ret ? ret : output_flush(s->out, err);
}

/*
 * Add the rings and the losses counted by the kernel, which does not count them for ring buffers.
 */
static void add_lost(struct session *s, struct json_object *msg)
{
	struct json_object *list = json_object_new_array();
	struct ring_total total;
	bool known = true;

	for (unsigned int i = 0; rings_total(s->rings, i, &total); i++) {
		struct json_object *ring = json_object_new_object();

		value_add_string(ring, "map", total.map);
		if (total.cpu >= 0)
			value_add_int(ring, "cpu", total.cpu);
		value_add_uint(ring, "bytes", total.size);
		value_append(list, ring);
		known = known && (total.cpu >= 0 && total.knows_lost);
	}
	value_add(msg, "rings", list);
	value_add_count(msg, "lost", known, rings_lost(s->rings));
	s->lossy = rings_lost(s->rings);
}

/* Print the number of records, and whether some were lost. */
static void print_lost(FILE *file, struct json_object *msg)
{
	const uint64_t records = message_number(msg, "records"),
		       lost = message_number(msg, "lost");

	if (!json_object_array_length(message_get(msg, "rings")))
		return;
	fprintf(file, "  %" PRIu64 " record%s, ", records, records == 1 ? "" : "s");
	if (message_get(msg, "lost"))
		fprintf(file, "%" PRIu64 " lost\n", lost);
	else
		fputs("lost: unknown (the kernel does not count for ring buffers)\n", file);
}

static void end_rings(struct session *s)
{
	rings_free(s->rings);
}

const struct session_part plain_rings = {
	.at = { [STAGE_LOADED] = begin_rings, [STAGE_DRAIN] = drain_rings },
	.fd = fd_of_rings, .due_ms = due_of_rings, .read = read_rings, .summary = add_lost,
	.print = print_lost,
	.end = end_rings,
};
