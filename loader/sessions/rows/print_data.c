// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print the global variables of an object: each section is a map with one element. */
#include <errno.h>
#include <stdlib.h>

#include "loader/sessions/rows/rows_internal.h"
#include "loader/core/print/message.h"
#include "loader/core/value/layout.h"
#include "loader/core/value/value.h"

/*
 * Decode the variables of a section into an object, by name. If the BTF describes more bytes than
 * the section has (wrong or hostile), or two variables share a name (static variables of two
 * functions), print the whole section as hex.
 */
static struct json_object *variables(const struct btf *btf, uint32_t id, struct bytes data)
{
	struct btf_type_view section = btf_type(btf, id), t;
	struct json_object *object = json_object_new_object();
	struct btf_var_view var;
	uint64_t left = data.size;

	for (uint32_t i = 0; i < section.vlen; i++) {
		var = btf_datasec_var(btf, &section, i);
		t = btf_type(btf, var.type);
		if (t.kind != BTF_KIND_VAR || !bytes_hold(data.size, var.offset, var.size) ||
		    var.size > left || json_object_object_get_ex(object, t.name, NULL)) {
			json_object_put(object);
			return value_hex(data);
		}
		left -= var.size;
		value_add(object, t.name,
			  value_decode(btf, t.type, bytes_slice(data, var.offset, var.size)));
	}
	return object;
}

static int print_data(struct output *out, const struct bpf_object *obj,
		      const struct object_map *map, struct bytes data, struct error *err)
{
	struct json_object *msg = message_new("data");
	uint32_t id = obj->has_btf ? btf_find(&obj->btf, BTF_KIND_DATASEC, map->name) : 0;

	value_add_string(msg, "map", map->name);
	value_add(msg, "value", id ? variables(&obj->btf, id, data) : value_hex(data));
	return output_message_as(out, msg, rows_print_data, err);
}

/* Decode a copy, because programs may still be writing. Read-only sections are not printed. */
int print_data_map(struct sys *sys, struct output *out, const struct kernel_object *k, uint32_t i,
		   struct error *err)
{
	const struct object_map *map = &k->object->maps[i];
	const struct kernel_map *km = &k->maps[i];
	unsigned char *copy;
	uint32_t key = 0;
	int ret;

	if (map->read_only || !km->value_size)
		return 0;
	copy = malloc(km->value_size);
	if (!copy)
		return error_set(err, ENOMEM, "no memory for %u bytes", km->value_size);
	ret = map_lookup(sys, km->fd, &key, copy);
	if (ret)
		error_set(err, -ret, "BPF_MAP_LOOKUP_ELEM: %s", error_strerror(-ret));
	else
		ret = print_data(out, k->object, map, (struct bytes){ copy, km->value_size }, err);
	free(copy);
	return ret;
}
