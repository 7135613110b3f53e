// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Open what maps need at run time: rings with records, and counters for programs to read. */
#include <errno.h>
#include <string.h>

#include "loader/sessions/records/record_writer.h"
#include "loader/sessions/groups/groups.h"
#include "loader/events/catalog/catalog.h"
#include "loader/core/print/record.h"
#include "loader/sessions/records/missing_struct.h"
#include "loader/sessions/rows/results.h"
#include "loader/sessions/parts/parts.h"

/*
 * Split "MAP:REST". Return REST if MAP is @map, NULL if it is another map of the object, and @text,
 * which applies to every map, if it does not start with a map. Without @colons, a colon can only
 * follow a map, so any other text with a colon applies to no map: NULL.
 */
static const char *text_for_map(const struct bpf_object *obj, uint32_t map, const char *text,
				bool colons)
{
	const size_t len = strcspn(text, ":");

	if (!text[len])
		return text;
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (strlen(obj->maps[i].name) == len && !memcmp(obj->maps[i].name, text, len))
			return i == map ? text + len + 1 : NULL;
	return colons ? text : NULL;
}

/*
 * Return the last text in @list for @map: later options win. @used: a bit is set for every text for
 * @map, even an overridden one.
 */
static const char *option_for_map(const struct session *s, const struct option_list *list,
				  uint32_t map, uint32_t *used)
{
	const char *found = NULL;

	_Static_assert(OPTIONS_MAX_LIST <= 32, "one bit for each text");
	for (unsigned int i = 0; i < list->nr; i++) {
		const char *text = text_for_map(&s->load.object, map, list->text[i],
						list == &s->options->counters);

		if (!text)
			continue;
		found = text;
		*used |= 1u << i;
	}
	return found;
}

/* Reject an option that applies to no map: it is misspelled. */
static int check_used(const struct option_list *list, uint32_t used, const char *option,
		      const char *wanted, struct error *err)
{
	for (unsigned int i = 0; i < list->nr; i++) {
		if (used & 1u << i)
			continue;
		error_set(err, EINVAL, "no loaded program has a map with that name that is %s",
			  wanted);
		error_reason(err, "output/no-map");
		error_where(err, "%s=%s", option, list->text[i]);
		return error_hint(err, "a leading MAP: selects a map of the object; without it, "
				       "the option applies to every such map");
	}
	return 0;
}

/*
 * Parse --counter. A map element holds one event, so @text must not be a list; alternatives are
 * allowed. With several kinds of cores, an event has a spec for each.
 */
static int parse_counter(struct session *s, const char *text, struct event_list *events,
			  struct error *err)
{
	const struct event_expand_hooks hooks = session_event_hooks(s);
	int ret = event_list_parse(events, text, err);
	const unsigned int nr_alternatives =
		ret || !events->nr ? 0 : events->specs[events->nr - 1].alt_index + 1;

	if (!ret && (events->nr != nr_alternatives || events->nr_groups)) {
		error_set(err, EINVAL, "'%s' is more than one event", text);
		error_reason(err, "event/grammar");
		return error_hint(err, "a map element holds one: use a separate --counter for "
				       "each map");
	}
	return ret ? ret : event_list_expand(s->sys, events, &hooks, err);
}

/* For an event with a unit, such as 2^-32 Joules, programs read the raw count. */
static void note_unit(const struct session *s, const struct event_spec *spec)
{
	struct event_unit unit;

	event_unit(s->sys, spec, &unit);
	if (unit.scale[0] || unit.unit[0])
		note(s->out, "event '%.200s': programs read multiples of %s %s", spec->text,
		     unit.scale[0] ? unit.scale : "1", unit.unit);
}

/* Open the alternative that starts at @first. *@next: set to its end. */
static int open_counters(struct session *s, const struct kernel_map *km,
			 const struct event_list *events, unsigned int first, unsigned int *next,
			 const struct cpu_list *online, struct error *err)
{
	const struct event_spec *specs = events->specs;
	int ret = 0;

	for (*next = first; *next < events->nr && specs[*next].alt_index == specs[first].alt_index;)
		(*next)++;
	note_unit(s, &specs[first]);
	for (unsigned int i = first; !ret && i < *next; i++) {
		if (i == first || event_is_core_pmu(&specs[i])) {
			ret = counters_add(s->sys, &s->counters, &specs[i], km->fd,
					   km->max_entries, online, err);
			continue;
		}
		ret = error_set(err, EINVAL, "'%.200s' and '%.200s' would use the same map "
					     "elements",
				specs[first].text, specs[i].text);
		error_reason(err, "event/grammar");
		error_hint(err, "name one PMU");
	}
	return ret;
}

/* Open the first alternative that opens on all CPUs. */
static int open_alternatives(struct session *s, const struct kernel_map *km,
			   const struct event_list *events, const struct cpu_list *online,
			   struct error *err)
{
	const struct event_expand_hooks hooks = session_event_hooks(s);
	const unsigned int before = s->counters.nr;

	for (unsigned int i = 0, next;; i = next) {
		struct error why = { 0 };
		int ret = open_counters(s, km, events, i, &next, online, &why);

		if (!ret)
			return 0;
		counters_undo(s->sys, &s->counters, before);
		if (next >= events->nr || event_failed_for_all(&why)) {
			*err = why;
			return ret;
		}
		ret = hooks.fallback(hooks.arg, events->specs[i].text, events->specs[next].text,
				    &why, err);
		error_clear(&why);
		if (ret)
			return ret;
	}
}

int session_open_counters(struct session *s, const char *text, const struct kernel_map *km,
		  const struct cpu_list *online, struct error *err)
{
	struct event_list events = { 0 };
	int ret = parse_counter(s, text, &events, err);

	if (!ret)
		ret = open_alternatives(s, km, &events, online, err);
	event_list_free(&events);
	return ret;
}

static int add_counters(struct session *s, uint32_t map, const struct cpu_list *online,
			uint32_t *used, struct error *err)
{
	const char *text = option_for_map(s, &s->options->counters, map, used), *why;
	const struct kernel_map *km = &s->load.kernel.maps[map];
	struct event_spec spec = { 0 };
	int ret = 0;

	if (!text) {
		ret = default_event(s->sys, s->options, &spec, &why, err);
		if (!ret)
			note(s->out, "programs read map '%s', which gets the default event %s",
			     s->load.object.maps[map].name, why);
		text = spec.text;
	}
	if (!ret)
		ret = session_open_counters(s, text, km, online, err);
	if (!ret)
		session_pins_remember(&s->pins, "counter", s->load.object.maps[map].name, text);
	event_spec_free(&spec);
	return ret;
}

static int record_format(struct session *s, uint32_t map, struct record_format *format,
			 uint32_t *used, struct error *err)
{
	char why_hex[512] = "";
	const struct record_source source = {
		.obj = &s->load.object, .map = map, .usage = &s->load.usage[map],
		.type_name = option_for_map(s, &s->options->records, map, used),
	};
	int ret = record_format_init(format, &source, why_hex, sizeof(why_hex), err);
	const char *name;

	if (!ret)
		missing_struct_note(&s->load.object, format, why_hex, sizeof(why_hex));
	if (!ret && why_hex[0])
		note(s->out, "map '%s': %s", s->load.object.maps[map].name, why_hex);
	if (!ret)
		ret = session_stacks_of_records(s, map, format->type, err);
	name = format->type ? btf_type(format->btf, format->type).name : "";
	if (!ret && name[0])
		session_pins_remember(&s->pins, "record", format->map, name);
	return ret;
}

/* The --counter and --record options that apply to some map, one bit each. */
struct used {
	uint32_t counters, records;
};

static int add_map(struct session *s, uint32_t map, const struct cpu_list *online,
		   struct used *used, struct error *err)
{
	const struct kernel_map *km = &s->load.kernel.maps[map];
	const struct map_usage *usage = &s->load.usage[map];
	struct ring_map to = { .name = s->load.object.maps[map].name, .fd = km->fd };
	struct record_format format;
	int ret;

	if (usage->read && usage->output) {
		error_set(err, EINVAL,
			  "programs both write records to it and read counters from it");
		error_reason(err, "output/map-use");
		return error_hint(err, "an element holds one event: use separate maps");
	}
	if (usage->read)
		return add_counters(s, map, online, &used->counters, err);
	ret = record_format(s, map, &format, &used->records, err);
	if (ret < 0)
		return ret;
	to.one_ring = usage->one_ring && online->nr > 1;
	if (to.one_ring)
		note(s->out, "map '%s': a program writes records to a fixed CPU's ring, which "
			     "fails on other CPUs (EOPNOTSUPP): use BPF_F_CURRENT_CPU in the flags",
			     s->load.object.maps[map].name);
	ret = writing_printer(&to.sink, s->out, &format, err);
	if (ret)
		return ret;
	if (s->load.object.maps[map].type == BPF_MAP_TYPE_RINGBUF)
		return rings_add_ringbuf(s->rings, &to, km->max_entries, km->map_flags, err);
	return rings_add_perf(s->rings, &to, online, s->options->ring_pages, err);
}

static bool needs_listener(const struct session *s, uint32_t map)
{
	const uint32_t type = s->load.object.maps[map].type;

	return s->load.kernel.maps[map].fd >= 0 &&
	       (type == BPF_MAP_TYPE_RINGBUF || type == BPF_MAP_TYPE_PERF_EVENT_ARRAY);
}

static int begin_rings(struct session *s, struct error *err)
{
	struct cpu_list online = { 0 };
	struct used used = { 0 };
	int ret = 0;

	s->rings = rings_new(s->sys);
	if (!s->rings)
		return error_set(err, ENOMEM, "no memory for rings");
	rings_set_fd_limit(s->rings, &s->attachments.room);
	s->counters.room = &s->attachments.room;
	for (uint32_t i = 0; !ret && i < s->load.object.nr_maps; i++) {
		if (!needs_listener(s, i))
			continue;
		if (!online.nr)
			ret = cpu_list_read(s->sys, "online", &online, err);
		if (!ret)
			ret = add_map(s, i, &online, &used, err);
		if (ret < 0) {
			error_reason_default(err, "output/ring");
			error_where(err, "map '%s'", s->load.object.maps[i].name);
			error_where(err, "%s", s->load.object.name);
		}
	}
	cpu_list_free(&online);
	loading_note_fd_limit(s->out, &s->attachments.room);
	if (!ret)
		ret = check_used(&s->options->counters, used.counters, "--counter",
				 "a map that programs read counters from", err);
	if (!ret)
		ret = check_used(&s->options->records, used.records, "--record", "a ring", err);
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

static void end_rings(struct session *s)
{
	counters_close(s->sys, &s->counters);
	rings_free(s->rings);
}

const struct session_part part_rings = {
	.at = { [STAGE_LOADED] = begin_rings, [STAGE_DRAIN] = drain_rings },
	.fd = fd_of_rings, .due_ms = due_of_rings, .read = read_rings, .end = end_rings,
};
