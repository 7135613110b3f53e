// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print map contents: a message for each element, or one for a section's variables. */
#include <errno.h>
#include <stdlib.h>

#include "loader/core/plain/plain.h"
#include "loader/core/print/message.h"
#include "loader/core/value/layout.h"
#include "loader/core/value/value.h"

static void print_element(FILE *file, struct json_object *msg)
{
	message_print_member(file, msg, "map");
	fputs(": ", file);
	if (message_get(msg, "key")) {
		value_print(file, message_get(msg, "key"));
		fputs(" = ", file);
	}
	value_print(file, message_get(msg, "value"));
	putc('\n', file);
}

/* The map types whose elements are printed. */
static bool has_elements(uint32_t type)
{
	return type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_HASH || type == BPF_MAP_TYPE_LPM_TRIE ||
	       type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static bool is_per_cpu(uint32_t type)
{
	return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

/* A map being printed. */
struct printing {
	const struct session *s;
	uint32_t map;
	const struct btf *btf;	/* NULL: values are hex */
	unsigned char *key, *value;	/* owned */
};

/* The values of all possible CPUs are stored in sequence, each at a multiple of eight bytes. */
static struct json_object *values_of_cpus(const struct printing *p, uint32_t type, uint32_t size)
{
	const struct cpu_list *possible = &p->s->load.possible;
	struct json_object *values = value_per_cpu();

	for (unsigned int i = 0; i < possible->nr; i++) {
		const struct bytes value = { p->value + i * ((size + 7) / 8 * 8), size };
		struct json_object *entry = json_object_new_object();

		value_add_int(entry, "cpu", possible->cpus[i]);
		value_add(entry, "value", value_decode(p->btf, type, value));
		value_append(values, entry);
	}
	return values;
}

static int print_key(const struct printing *p, struct error *err)
{
	const struct object_map *map = &p->s->load.object.maps[p->map];
	const struct kernel_map *km = &p->s->load.kernel.maps[p->map];
	struct json_object *msg;

	if (map_lookup(p->s->sys, km->fd, p->key, p->value) < 0)
		return 0;	/* deleted by a program in the meantime */
	msg = message_new("map");
	value_add_string(msg, "map", map->name);
	value_add(msg, "key", value_decode(p->btf, map->key_type,
					   (struct bytes){ p->key, km->key_size }));
	value_add(msg, "value", is_per_cpu(map->type) ?
		  values_of_cpus(p, map->value_type, km->value_size) :
		  value_decode(p->btf, map->value_type,
			       (struct bytes){ p->value, km->value_size }));
	return output_message_as(p->s->out, msg, print_element, err);
}

static int print_elements(struct printing *p, struct error *err)
{
	const struct kernel_map *km = &p->s->load.kernel.maps[p->map];
	int ret = map_next_key(p->s->sys, km->fd, NULL, p->key);

	/* Programs may change the map at the same time: stop after twice its capacity. */
	for (uint64_t i = 0; !ret && i < 2ULL * km->max_entries; i++) {
		ret = print_key(p, err);
		if (ret)
			return ret;
		ret = map_next_key(p->s->sys, km->fd, p->key, p->key);
	}
	if (!ret || ret == -ENOENT)
		return 0;
	return error_set(err, -ret, "BPF_MAP_GET_NEXT_KEY: %s", error_strerror(-ret));
}

/* Print the variables of a section, which is a map with one element. */
static int print_variables(struct printing *p, struct error *err)
{
	const struct object_map *map = &p->s->load.object.maps[p->map];
	const struct btf_type_view section = btf_type(p->btf, map->value_type);
	struct json_object *msg = message_new("data"), *variables = json_object_new_object();
	const struct bytes data = { p->value, p->s->load.kernel.maps[p->map].value_size };
	const uint32_t key = 0;
	int ret = map_lookup(p->s->sys, p->s->load.kernel.maps[p->map].fd, &key, p->value);

	for (uint32_t i = 0; !ret && i < section.vlen; i++) {
		const struct btf_var_view var = btf_datasec_var(p->btf, &section, i);
		const struct btf_type_view t = btf_type(p->btf, var.type);

		if (t.kind == BTF_KIND_VAR && bytes_hold(data.size, var.offset, var.size))
			value_add_copied(variables, t.name,
					 value_decode(p->btf, t.type,
						      bytes_slice(data, var.offset, var.size)));
	}
	value_add_string(msg, "map", map->name);
	value_add(msg, "value", variables);
	if (!ret)
		return output_message_as(p->s->out, msg, print_element, err);
	json_object_put(msg);
	return error_set(err, -ret, "BPF_MAP_LOOKUP_ELEM: %s", error_strerror(-ret));
}

static int print_map(struct session *s, uint32_t i, struct error *err)
{
	const struct object_map *map = &s->load.object.maps[i];
	const struct kernel_map *km = &s->load.kernel.maps[i];
	const size_t cpus = is_per_cpu(map->type) ? s->load.possible.nr : 1;
	struct printing p = { .s = s, .map = i };
	int ret;

	p.btf = s->load.object.has_btf ? &s->load.object.btf : NULL;
	p.key = malloc(km->key_size + 1);
	p.value = malloc((km->value_size + 7) / 8 * 8 * cpus + 1);
	if (!p.key || !p.value)
		ret = error_set(err, ENOMEM, "no memory for an element");
	else if (map->kind == OBJECT_MAP_DATA)
		ret = map->read_only || !p.btf ? 0 : print_variables(&p, err);
	else
		ret = has_elements(map->type) ? print_elements(&p, err) : 0;
	free(p.key);
	free(p.value);
	return ret < 0 ? error_where(err, "map '%s'", map->name) : ret;
}

static int print_maps(struct session *s, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < s->load.object.nr_maps; i++)
		if (s->load.kernel.maps[i].fd >= 0 && s->load.object.maps[i].section)
			ret = print_map(s, i, err);
	return ret;
}

const struct session_part plain_maps = { .at = { [STAGE_MAPS] = print_maps } };
