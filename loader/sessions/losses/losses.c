// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The ledger of a session: everything that it lost, where, and who counted it. */
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/rows/results.h"
#include "loader/profile/stacks/row_stacks.h"
#include "loader/core/value/value.h"

struct ledger {
	struct sys *sys;
	const struct losses *from;
	struct json_object *list;	/* owned; see docs/output.md, "losses" */
	uint64_t records;		/* lost ones */
	bool records_known;		/* all losses are counted */
	uint64_t samples;		/* samples without a stack in, or missing from, the
					 * profile */
	bool any;			/* something was lost, or that is unknown */
};

static struct json_object *entry(const char *what, const char *of, const char *name)
{
	struct json_object *e = json_object_new_object();

	value_add_string(e, "what", what);
	value_add_string(e, of, name);
	return e;
}

/*
 * Add @e, and take ownership, with the number @n of losses. An unknown number may be nonzero.
 */
static void add(struct ledger *l, struct json_object *e, bool known, uint64_t n)
{
	l->any |= !known || n;
	value_add_count(e, "count", known, n);
	value_append(l->list, e);
}

/* --- rings --- */

static void add_of_ring(struct ledger *l, const struct ring_total *ring, const char *what,
			uint64_t n)
{
	struct json_object *e;

	if (!n)
		return;
	e = entry(what, "map", ring->map);
	if (ring->cpu >= 0)
		value_add_int(e, "cpu", ring->cpu);
	add(l, e, true, n);
}

/* Return true if every record of this ring would have added a stack to the profile. */
static bool ring_has_stacks(const struct ledger *l, const char *map)
{
	const struct bpf_object *obj = l->from->kernel ? l->from->kernel->object : NULL;

	for (uint32_t i = 0; obj && i < obj->nr_maps; i++)
		if (stacks_has(l->from->stacks, i) && !strcmp(obj->maps[i].name, map))
			return true;
	return false;
}

static void add_ring(struct ledger *l, const struct ring_total *ring)
{
	l->records += ring->lost;
	l->samples += ring_has_stacks(l, ring->map) ? ring->lost : 0;
	add_of_ring(l, ring, "overwritten", ring->overwritten);
	add_of_ring(l, ring, "records", ring->lost);
}

static struct json_object *ring_entry(const struct ring_total *ring)
{
	struct json_object *e = json_object_new_object();

	value_add_string(e, "map", ring->map);
	if (ring->cpu >= 0)
		value_add_int(e, "cpu", ring->cpu);
	value_add_uint(e, "bytes", ring->size);
	return e;
}

static void add_rings(struct ledger *l, struct json_object *rings)
{
	struct ring_total ring;

	for (unsigned int i = 0; rings_total(l->from->rings, i, &ring); i++) {
		value_append(rings, ring_entry(&ring));
		add_ring(l, &ring);
	}
}

/* --- losses counted by programs --- */

static const char *const failures[] = {
	[FAILURE_RESERVE] = "records",
	[FAILURE_OUTPUT] = "records",
	[FAILURE_FULL] = "updates",
	[FAILURE_COLLISION] = "stacks",
};

static bool is_of_ring(enum map_failure failure)
{
	return failure == FAILURE_RESERVE || failure == FAILURE_OUTPUT;
}

/* Return the name of the variable, or NULL if the BTF has none. */
static const char *variable_name(const struct bpf_object *obj, const struct failure_count *f)
{
	const uint32_t id = obj->has_btf ? obj->maps[f->data].data_type : 0;
	const struct btf_type_view section = btf_type(&obj->btf, id);

	for (uint32_t i = 0; id && i < section.vlen; i++) {
		const struct btf_var_view var = btf_datasec_var(&obj->btf, &section, i);

		if (var.offset == f->offset)
			return btf_type(&obj->btf, var.type).name;
	}
	return NULL;
}

/* Return false if out of memory; @known: set if the count could be read. */
static bool read_variable(const struct ledger *l, const struct failure_count *f, uint64_t *n,
			  bool *known)
{
	const struct kernel_map *map = &l->from->kernel->maps[f->data];
	unsigned char *data = malloc((size_t)map->value_size + 1);
	const struct bytes bytes = { data, map->value_size };
	const uint32_t key = 0;

	*known = data && map->fd >= 0 && bytes_hold(bytes.size, f->offset, f->size) &&
		 !map_lookup(l->sys, map->fd, &key, data);
	if (*known)
		*n = f->size == 8 ? bytes_u64(bytes, f->offset, false) :
				    bytes_u32(bytes, f->offset, false);
	free(data);
	return data;
}

static bool has_counter(const struct failure_count *f, const struct bpf_object *obj)
{
	return f->data != UINT32_MAX && obj->maps[f->data].kind == OBJECT_MAP_DATA;
}

/*
 * Return the number of maps, from list entry @i on, whose failures this variable counts; 0 if an
 * earlier entry has the variable.
 */
static unsigned int maps_of_counter(const struct failure_counts *f, uint32_t i)
{
	unsigned int nr = 0;

	for (uint32_t k = 0; k < f->nr; k++) {
		if (f->list[k].data != f->list[i].data || f->list[k].offset != f->list[i].offset)
			continue;
		if (k < i)
			return 0;
		nr += f->list[k].map != f->list[i].map || k == i;
	}
	return nr;
}

/* A variable may count the failures of several maps; the shares are unknown. */
static void add_counted(struct ledger *l, const struct failure_count *f, unsigned int nr_maps)
{
	const struct bpf_object *obj = l->from->kernel->object;
	const char *name = variable_name(obj, f);
	struct json_object *e;
	uint64_t n = 0;
	bool known;

	if (!read_variable(l, f, &n, &known)) {
		value_append(l->list, NULL);	/* it is incomplete */
		return;
	}
	if (stacks_has(l->from->stacks, f->map))
		l->samples += n;
	if (is_of_ring(f->failure)) {
		l->records += n;
		l->records_known &= known;
	}
	if (known && !n)
		return;
	e = json_object_new_object();
	value_add_string(e, "what", failures[f->failure]);
	if (nr_maps == 1)
		value_add_string(e, "map", obj->maps[f->map].name);
	value_add_string(e, "counted_by", name ? name : obj->maps[f->data].name);
	add(l, e, known, n);
}

/* Return true if programs count the failures of every call that writes to this ring. */
static bool is_counted_ring(const struct ledger *l, const char *map)
{
	const struct failure_counts *f = l->from->failures;
	const struct bpf_object *obj = l->from->kernel ? l->from->kernel->object : NULL;
	bool counted = false;

	for (uint32_t i = 0; f && i < f->nr; i++) {
		if (!is_of_ring(f->list[i].failure) ||
		    strcmp(obj->maps[f->list[i].map].name, map))
			continue;
		if (!has_counter(&f->list[i], obj))
			return false;
		counted = true;
	}
	return counted;
}

/* Add the failures counted by programs, and the rings whose failures nobody counts. */
static void add_failures(struct ledger *l)
{
	const struct failure_counts *f = l->from->failures;
	const char *last = NULL;	/* the rings of a map's CPUs are adjacent */
	struct ring_total ring;

	for (unsigned int i = 0; rings_total(l->from->rings, i, &ring); i++) {
		if (ring.knows_lost || is_counted_ring(l, ring.map))
			continue;
		l->records_known = false;
		if (!ring.overwritten && ring.map != last)	/* or it is already listed */
			add(l, entry("records", "map", ring.map), false, 0);
		last = ring.map;
	}
	for (uint32_t i = 0; f && i < f->nr; i++) {
		const bool has = has_counter(&f->list[i], l->from->kernel->object);
		const unsigned int nr_maps = has ? maps_of_counter(f, i) : 0;

		if (nr_maps)
			add_counted(l, &f->list[i], nr_maps);
	}
}

/* --- call stacks --- */

static bool is_counted(const struct failure_counts *f, enum map_failure failure, uint32_t map)
{
	for (uint32_t i = 0; f && i < f->nr; i++)
		if (f->list[i].failure == failure && f->list[i].map == map &&
		    f->list[i].data != UINT32_MAX)
			return true;
	return false;
}

/* Rows have the errno instead of the id. If the program counts these, they are already listed. */
static void add_stacks(struct ledger *l)
{
	const struct stacks *stacks = l->from->stacks;
	const struct kernel_object *k = l->from->kernel;

	l->samples += stacks ? stacks_incomplete(stacks) : 0;
	for (uint32_t i = 0; stacks && i < k->object->nr_maps; i++) {
		const uint64_t n = stacks_lost(stacks, i);

		if (n && !is_counted(l->from->failures, FAILURE_COLLISION, i))
			add(l, entry("stacks", "map", k->object->maps[i].name), true, n);
	}
}

/* --- programs and events --- */

static void add_programs(struct ledger *l)
{
	const struct kernel_object *k = l->from->kernel;

	for (uint32_t i = 0; k && k->progs && i < k->object->nr_progs; i++) {
		l->samples += k->progs[i].recursion_misses;
		if (k->progs[i].recursion_misses)
			add(l, entry("runs", "prog", k->object->progs[i].name), true,
			    k->progs[i].recursion_misses);
	}
}

/*
 * The kernel does not count samples taken while a program was running on their CPU:
 * bpf_overflow_handler() in kernel/events/core.c drops them silently. Samples of a clock may also
 * be missing because its timer skips periods when it is late (perf_swevent_hrtimer()).
 */
static void add_dropped(struct ledger *l)
{
	const struct kernel_object *k = l->from->kernel;

	for (uint32_t i = 0; l->from->due && k && i < k->object->nr_progs; i++) {
		const struct due_samples *due = &l->from->due[i];
		struct json_object *e;

		if (!due->known || k->stats_fd < 0 || due->at_least <= k->progs[i].run_cnt)
			continue;
		e = entry("samples", "prog", k->object->progs[i].name);
		value_add_uint(e, "of", due->at_least);
		value_add_uint(e, "at_most", due->at_least - k->progs[i].run_cnt);
		if (due->clock)
			value_add_bool(e, "clock", true);
		l->samples += due->at_least - k->progs[i].run_cnt;
		add(l, e, false, 0);
	}
}

static void add_throttled(struct ledger *l)
{
	for (unsigned int i = 0; i < l->from->nr_throttled; i++) {
		const struct throttled *t = &l->from->throttled[i];
		struct json_object *e;

		if (!t->begun)
			continue;
		e = entry("throttled", "event", t->event);
		value_add_int(e, "cpu", t->cpu);
		value_add_uint(e, "unthrottled", t->ended);
		add(l, e, true, t->begun);
	}
}

/* Fill in @l from all sources; the caller owns l->list. */
static void collect(struct ledger *l, struct json_object *rings)
{
	add_rings(l, rings);
	add_failures(l);
	add_stacks(l);
	add_programs(l);
	add_dropped(l);
	add_throttled(l);
	if (l->from->printk_lost)
		add(l, entry("lines", "helper", "bpf_printk"), true, l->from->printk_lost);
}

bool output_losses(struct sys *sys, struct json_object *msg, const struct losses *from)
{
	struct ledger l = { .sys = sys, .from = from, .records_known = true,
			    .list = json_object_new_array() };
	struct json_object *rings = json_object_new_array();

	collect(&l, rings);
	value_add(msg, "rings", rings);
	value_add_count(msg, "lost", l.records_known || l.records, l.records);
	value_add(msg, "losses", l.list);
	return l.any;
}

uint64_t output_lost_samples(struct sys *sys, const struct losses *from)
{
	struct ledger l = { .sys = sys, .from = from, .list = json_object_new_array() };
	struct json_object *rings = json_object_new_array();

	collect(&l, rings);
	json_object_put(rings);
	json_object_put(l.list);
	return l.samples;
}
