// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What maps need from outside: rings to read records from, counters for programs to read. */
#include <errno.h>
#include <string.h>

#include "loader/cmd/session.h"

/*
 * "MAP:REST" -> REST when MAP is @map; @text itself when it begins with no map of the object (an
 * event may have a colon too); NULL when it is about another map.
 */
static const char *text_for_map(const struct bpf_object *obj, uint32_t map, const char *text)
{
	const size_t len = strcspn(text, ":");

	if (!text[len])
		return text;
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (strlen(obj->maps[i].name) == len && !memcmp(obj->maps[i].name, text, len))
			return i == map ? text + len + 1 : NULL;
	return text;
}

/* The last text of @list that is about @map: later options win. */
static const char *option_for_map(const struct session *s, const struct option_list *list,
				  uint32_t map)
{
	for (unsigned int i = list->nr; i-- > 0;) {
		const char *text = text_for_map(&s->object, map, list->text[i]);

		if (text)
			return text;
	}
	return NULL;
}

static int add_counters(struct session *s, uint32_t map, const struct cpu_list *online,
			struct error *err)
{
	const char *text = option_for_map(s, &s->options->counters, map), *why;
	const struct kernel_map *km = &s->kernel.maps[map];
	struct event_spec spec;
	int ret;

	if (text) {
		ret = event_parse(&spec, text, err);
	} else {
		ret = default_event(s->sys, s->options, &spec, &why, err);
		if (!ret)
			note("map '%s' is read with bpf_perf_event_read and no --counter is given: %s",
			     s->object.maps[map].name, why);
	}
	if (ret < 0)
		return ret;
	return counters_add(s->sys, &s->counters, &spec, km->fd, km->max_entries, online, err);
}

static int record_format(const struct session *s, uint32_t map, struct record_format *format,
			 struct error *err)
{
	char why_hex[256] = "";
	const char *type = option_for_map(s, &s->options->records, map);
	int ret = record_format_init(format, &s->object, map, &s->usage[map], type, why_hex,
				     sizeof(why_hex), err);

	if (!ret && why_hex[0])
		note("map '%s': %s", s->object.maps[map].name, why_hex);
	return ret;
}

static int add_map(struct session *s, uint32_t map, const struct cpu_list *online,
		   struct error *err)
{
	const struct kernel_map *km = &s->kernel.maps[map];
	const struct map_usage *usage = &s->usage[map];
	struct record_format format;
	int ret;

	if (usage->read && usage->output) {
		error_set(err, EINVAL,
			  "programs both write records to it and read counters from it");
		return error_hint(err, "an entry holds one event: use a map for each");
	}
	if (usage->read)
		return add_counters(s, map, online, err);
	ret = record_format(s, map, &format, err);
	if (ret < 0)
		return ret;
	if (s->object.maps[map].type == BPF_MAP_TYPE_RINGBUF)
		return rings_add_ringbuf(s->rings, km->fd, km->max_entries, &format, err);
	return rings_add_perf(s->rings, km->fd, online->cpus, online->nr, s->options->ring_pages,
			      &format, err);
}

static bool is_heard(const struct session *s, uint32_t map)
{
	const uint32_t type = s->object.maps[map].type;

	return s->kernel.maps[map].fd >= 0 &&
	       (type == BPF_MAP_TYPE_RINGBUF || type == BPF_MAP_TYPE_PERF_EVENT_ARRAY);
}

int session_listen(struct session *s, struct error *err)
{
	struct cpu_list online = { 0 };
	int ret = 0;

	s->rings = rings_new(s->sys, s->out);
	if (!s->rings)
		return error_set(err, ENOMEM, "no memory for rings");
	for (uint32_t i = 0; !ret && i < s->object.nr_maps; i++) {
		if (!is_heard(s, i))
			continue;
		if (!online.nr)
			ret = cpu_list_read(s->sys, "online", &online, err);
		if (!ret)
			ret = add_map(s, i, &online, err);
		if (ret < 0) {
			error_where(err, "map '%s'", s->object.maps[i].name);
			error_where(err, "%s", s->object.name);
		}
	}
	cpu_list_free(&online);
	return ret;
}
