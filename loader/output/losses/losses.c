// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The ledger of a session: all that it has lost, where, and who counted it. */
#include <stdlib.h>
#include <string.h>

#include "loader/output/output.h"
#include "loader/output/stacks/stacks.h"
#include "loader/output/value.h"

struct ledger {
	struct sys *sys;
	const struct losses *from;
	struct json_object *list;	/* owned; see docs/output.md, "losses" */
	uint64_t records;		/* lost ones */
	bool records_known;		/* all of them are counted */
	bool any;			/* something was lost */
};

static struct json_object *entry(const char *what, const char *of, const char *name)
{
	struct json_object *e = json_object_new_object();

	if (e && value_add(e, "what", json_object_new_string(what)) &&
	    value_add(e, of, json_object_new_string(name)))
		return e;
	json_object_put(e);
	return NULL;
}

/* Add @e, which is owned by the callee, with the number @n of what was lost. */
static bool add(struct ledger *l, struct json_object *e, bool known, uint64_t n)
{
	l->any |= known && n;
	if (value_add_count(e, "count", known, n))
		return value_append(l->list, e);
	json_object_put(e);
	return false;
}

/* --- rings --- */

static bool add_of_ring(struct ledger *l, const struct ring_total *ring, const char *what,
			uint64_t n)
{
	struct json_object *e = n ? entry(what, "map", ring->map) : NULL;

	if (!n)
		return true;
	if (e && (ring->cpu < 0 || value_add(e, "cpu", json_object_new_int(ring->cpu))))
		return add(l, e, true, n);
	json_object_put(e);
	return false;
}

static bool add_ring(struct ledger *l, const struct ring_total *ring)
{
	l->records += ring->lost;
	return add_of_ring(l, ring, "overwritten", ring->overwritten) &&
	       add_of_ring(l, ring, "records", ring->lost);
}

static struct json_object *ring_entry(const struct ring_total *ring)
{
	struct json_object *e = json_object_new_object();
	bool ok = e && value_add(e, "map", json_object_new_string(ring->map));

	if (ok && ring->cpu >= 0)
		ok = value_add(e, "cpu", json_object_new_int(ring->cpu));
	if (ok && value_add(e, "bytes", json_object_new_uint64(ring->size)))
		return e;
	json_object_put(e);
	return NULL;
}

static bool add_rings(struct ledger *l, struct json_object *msg)
{
	struct json_object *rings = json_object_new_array();
	struct ring_total ring;
	bool ok = rings;

	for (unsigned int i = 0; ok && rings_total(l->from->rings, i, &ring); i++)
		ok = value_append(rings, ring_entry(&ring)) && add_ring(l, &ring);
	if (ok)
		return value_add(msg, "rings", rings);
	json_object_put(rings);
	return false;
}

/* --- what programs count --- */

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

/* Return false if there is no memory; @known: the count could be read. */
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

static bool add_counted(struct ledger *l, const struct failure_count *f)
{
	const struct bpf_object *obj = l->from->kernel->object;
	const char *name = variable_name(obj, f);
	struct json_object *e;
	uint64_t n = 0;
	bool known;

	if (!read_variable(l, f, &n, &known))
		return false;
	if (is_of_ring(f->failure)) {
		l->records += n;
		l->records_known &= known;
	}
	if (known && !n)
		return true;
	e = entry(failures[f->failure], "map", obj->maps[f->map].name);
	if (e && value_add(e, "counted_by",
			   json_object_new_string(name ? name : obj->maps[f->data].name)))
		return add(l, e, known, n);
	json_object_put(e);
	return false;
}

/* Add the failures that programs count. Those of a ring that nobody counts make "lost" unknown. */
static bool add_failures(struct ledger *l)
{
	const struct failure_counts *f = l->from->failures;
	const struct bpf_object *obj = l->from->kernel ? l->from->kernel->object : NULL;
	struct ring_total ring;
	bool ok = true;

	for (unsigned int i = 0; rings_total(l->from->rings, i, &ring); i++) {
		bool counted = false;

		for (uint32_t k = 0; f && k < f->nr; k++)
			counted |= is_of_ring(f->list[k].failure) &&
				   !strcmp(obj->maps[f->list[k].map].name, ring.map);
		l->records_known &= ring.knows_lost || counted;
	}
	for (uint32_t i = 0; ok && f && i < f->nr; i++) {
		if (f->list[i].data != UINT32_MAX &&
		    obj->maps[f->list[i].data].kind == OBJECT_MAP_DATA)
			ok = add_counted(l, &f->list[i]);
		else if (is_of_ring(f->list[i].failure))
			l->records_known = false;
	}
	return ok;
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

/* Rows have the errno in place of the id. If the program counts these, they are listed already. */
static bool add_stacks(struct ledger *l)
{
	const struct stacks *stacks = l->from->stacks;
	const struct kernel_object *k = l->from->kernel;
	bool ok = true;

	for (uint32_t i = 0; ok && stacks && i < k->object->nr_maps; i++) {
		const uint64_t n = stacks_lost(stacks, i);
		struct json_object *e;

		if (!n || is_counted(l->from->failures, FAILURE_COLLISION, i))
			continue;
		e = entry("stacks", "map", k->object->maps[i].name);
		ok = e && add(l, e, true, n);
	}
	return ok;
}

/* --- programs and events --- */

static bool add_programs(struct ledger *l)
{
	const struct kernel_object *k = l->from->kernel;
	bool ok = true;

	for (uint32_t i = 0; ok && k && k->progs && i < k->object->nr_progs; i++) {
		struct json_object *e;

		if (!k->progs[i].recursion_misses)
			continue;
		e = entry("runs", "prog", k->object->progs[i].name);
		ok = e && add(l, e, true, k->progs[i].recursion_misses);
	}
	return ok;
}

static bool add_throttled(struct ledger *l)
{
	bool ok = true;

	for (unsigned int i = 0; ok && i < l->from->nr_throttled; i++) {
		const struct throttled *t = &l->from->throttled[i];
		struct json_object *e;

		if (!t->begun)
			continue;
		e = entry("throttled", "event", t->event);
		ok = e && value_add(e, "cpu", json_object_new_int(t->cpu)) &&
		     value_add(e, "unthrottled", json_object_new_uint64(t->ended));
		if (ok)
			ok = add(l, e, true, t->begun);
		else
			json_object_put(e);
	}
	return ok;
}

static bool add_printk(struct ledger *l)
{
	struct json_object *e;

	if (!l->from->printk_lost)
		return true;
	e = entry("lines", "helper", "bpf_printk");
	return e && add(l, e, true, l->from->printk_lost);
}

bool output_losses(struct sys *sys, struct json_object *msg, const struct losses *from,
		   bool *lossy)
{
	struct ledger l = { .sys = sys, .from = from, .records_known = true,
			    .list = json_object_new_array() };
	const bool ok = l.list && add_rings(&l, msg) && add_failures(&l) && add_stacks(&l) &&
			add_programs(&l) && add_throttled(&l) && add_printk(&l) &&
			value_add_count(msg, "lost", l.records_known || l.records, l.records);

	*lossy = l.any;
	if (ok)
		return value_add(msg, "losses", l.list);
	json_object_put(l.list);
	return false;
}
