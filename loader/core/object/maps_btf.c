// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read maps declared with BTF. Each variable in section .maps is a struct. The types of its members
 * describe the map, not their values:
 *
 *	__uint(name, 42)	int (*name)[42]			the length of the array
 *	__ulong(name, 42)	enum { unique = 42 } name	the value of the enumerator
 *	__type(name, T)		T *name				the type pointed to
 *	__array(name, T)	T *name[]			the type the elements point to
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/parse.h"

#define PIN_NONE	0
#define PIN_BY_NAME	1

enum field {
	FIELD_TYPE, FIELD_MAX_ENTRIES, FIELD_MAP_FLAGS, FIELD_NUMA_NODE, FIELD_KEY, FIELD_KEY_SIZE,
	FIELD_VALUE, FIELD_VALUE_SIZE, FIELD_MAP_EXTRA, FIELD_PINNING, FIELD_VALUES, NR_FIELDS
};

static const char *const field_names[NR_FIELDS] = {
	[FIELD_TYPE] = "type", [FIELD_MAX_ENTRIES] = "max_entries", [FIELD_MAP_FLAGS] = "map_flags",
	[FIELD_NUMA_NODE] = "numa_node", [FIELD_KEY] = "key", [FIELD_KEY_SIZE] = "key_size",
	[FIELD_VALUE] = "value", [FIELD_VALUE_SIZE] = "value_size",
	[FIELD_MAP_EXTRA] = "map_extra", [FIELD_PINNING] = "pinning", [FIELD_VALUES] = "values",
};

/* The map being read, by index, because adding an inner map moves the array. */
struct description {
	struct parse *p;
	uint32_t map;
	bool is_inner;
	uint32_t seen;	/* fields seen, one bit each */
};

static struct object_map *described(const struct description *d)
{
	return &d->p->obj->maps[d->map];
}

static int read_uint(const struct btf *btf, struct btf_member_view m, uint64_t *value,
		     struct error *err)
{
	struct btf_type_view t = btf_skip(btf, m.type);

	if (t.kind == BTF_KIND_PTR)
		t = btf_skip(btf, t.type);
	if (t.kind == BTF_KIND_ARRAY) {
		*value = btf_array(btf, &t).nelems;
		return 0;
	}
	if ((t.kind == BTF_KIND_ENUM || t.kind == BTF_KIND_ENUM64) && t.vlen == 1) {
		*value = btf_enumerator(btf, &t, 0).value;
		return 0;
	}
	error_set(err, EBADMSG, "field '%s' is a %s, not a number", m.name, btf_kind_name(t.kind));
	return error_hint(err, "write: __uint(%s, NUMBER);", m.name);
}

static int read_u32(const struct btf *btf, struct btf_member_view m, uint32_t *value,
		    struct error *err)
{
	uint64_t wide = 0;
	int ret = read_uint(btf, m, &wide, err);

	if (ret)
		return ret;
	if (wide > UINT32_MAX)
		return error_set(err, EBADMSG, "field '%s' is %#llx: more than 32 bits", m.name,
				 (unsigned long long)wide);
	*value = wide;
	return 0;
}

/* Read key or value: the type and its size. key_size or value_size may also give the size. */
static int read_type(const struct btf *btf, struct btf_member_view m, uint32_t *type,
		     uint32_t *size, struct error *err)
{
	struct btf_type_view t = btf_skip(btf, m.type);
	int64_t bytes;

	if (t.kind != BTF_KIND_PTR) {
		error_set(err, EBADMSG, "field '%s' is a %s, not a pointer to a type", m.name,
			  btf_kind_name(t.kind));
		return error_hint(err, "write: __type(%s, TYPE);", m.name);
	}
	bytes = btf_size(btf, t.type);
	if (bytes < 0 || bytes > UINT32_MAX)
		return error_set(err, EBADMSG, "the type of field '%s' has no known size", m.name);
	if (*size && *size != bytes)
		return error_set(err, EBADMSG, "%s_size is %u, but its type has %lld bytes", m.name,
				 *size, (long long)bytes);
	*type = t.type;
	*size = bytes;
	return 0;
}

static int read_size(const struct btf *btf, struct btf_member_view m, uint32_t *size,
		     struct error *err)
{
	uint32_t value = 0;
	int ret = read_u32(btf, m, &value, err);

	if (ret)
		return ret;
	if (*size && *size != value)
		return error_set(err, EBADMSG, "%s is %u, but its type has %u bytes", m.name, value,
				 *size);
	*size = value;
	return 0;
}

static int read_pinning(struct description *d, struct btf_member_view m, struct error *err)
{
	uint32_t value = 0;
	int ret = read_u32(&d->p->obj->btf, m, &value, err);

	if (ret)
		return ret;
	if (d->is_inner)
		return error_set(err, EBADMSG,
				 "an inner map has no name to pin it by");
	if (value != PIN_NONE && value != PIN_BY_NAME) {
		error_set(err, EBADMSG, "pinning is %u", value);
		return error_hint(err, "use LIBBPF_PIN_NONE (0) or LIBBPF_PIN_BY_NAME (1)");
	}
	described(d)->pin_by_name = value == PIN_BY_NAME;
	return 0;
}

static int describe(struct description *d, uint32_t type, struct error *err);

/*
 * A ring has neither keys nor values, and the kernel requires their sizes to be 0. Its value type
 * is that of its records, as bpf2go and aya declare it.
 */
static void drop_ring_sizes(struct object_map *map)
{
	if (map->type != BPF_MAP_TYPE_RINGBUF && map->type != BPF_MAP_TYPE_USER_RINGBUF)
		return;
	if (map->key_type)
		map->key_size = 0;
	if (map->value_type)
		map->value_size = 0;
}

static bool holds_maps(uint32_t type)
{
	return type == BPF_MAP_TYPE_ARRAY_OF_MAPS || type == BPF_MAP_TYPE_HASH_OF_MAPS;
}

static int read_inner(struct description *d, uint32_t type, struct error *err)
{
	struct description inner = { .p = d->p, .map = d->p->obj->nr_maps, .is_inner = true };
	const char *name = described(d)->name;
	struct object_map *map = object_add_map(d->p->obj);
	int ret;

	if (!map)
		return error_set(err, ENOMEM, "no memory for its inner map");
	map->name = name;
	described(d)->inner = inner.map;
	ret = describe(&inner, type, err);
	if (ret)
		error_where(err, "inner map");
	return ret;
}

/*
 * Read values: the inner map template of a map of maps, or the type of the programs in a program
 * array.
 */
static int read_values(struct description *d, struct btf_member_view m, struct error *err)
{
	const struct btf *btf = &d->p->obj->btf;
	struct btf_type_view t = btf_skip(btf, m.type);

	described(d)->has_values = true;
	described(d)->values_at = m.bit_offset / 8;
	if (t.kind == BTF_KIND_ARRAY)
		t = btf_skip(btf, btf_array(btf, &t).type);
	if (t.kind == BTF_KIND_PTR)
		t = btf_skip(btf, t.type);
	if (t.kind == BTF_KIND_STRUCT && d->is_inner)
		return error_set(err, EBADMSG, "only one level of maps in maps is allowed");
	if (t.kind == BTF_KIND_STRUCT)
		return read_inner(d, t.id, err);
	if (t.kind == BTF_KIND_FUNC_PROTO)
		return 0;
	error_set(err, EBADMSG,
		  "field 'values' has kind %s and describes neither a map nor a program",
		  btf_kind_name(t.kind));
	return error_hint(err, "write: __array(values, struct { __uint(type, ...); ... });");
}

static int field_of(const char *name)
{
	for (int i = 0; i < NR_FIELDS; i++)
		if (field_names[i][0] == name[0] && !strcmp(field_names[i], name))
			return i;
	return -1;
}

static int unknown_field(const char *name, struct error *err)
{
	error_set(err, EBADMSG, "unknown field '%s'", name);
	return error_hint(err, "use type, max_entries, map_flags, numa_node, key, key_size, "
			       "value, value_size, map_extra, pinning or values");
}

static int read_field(struct description *d, struct btf_member_view m, struct error *err)
{
	const struct btf *btf = &d->p->obj->btf;
	struct object_map *map = described(d);
	const int field = field_of(m.name);

	if (field < 0)
		return unknown_field(m.name, err);
	/*
	 * Otherwise a hostile struct could repeat a field a million times, each with an inner map.
	 */
	if (d->seen >> field & 1)
		return error_set(err, EBADMSG, "field '%s' occurs twice", m.name);
	d->seen |= 1u << field;
	switch ((enum field)field) {
	case FIELD_TYPE:
		return read_u32(btf, m, &map->type, err);
	case FIELD_MAX_ENTRIES:
		return read_u32(btf, m, &map->max_entries, err);
	case FIELD_MAP_FLAGS:
		return read_u32(btf, m, &map->map_flags, err);
	case FIELD_NUMA_NODE:
		return read_u32(btf, m, &map->numa_node, err);
	case FIELD_KEY:
		return read_type(btf, m, &map->key_type, &map->key_size, err);
	case FIELD_KEY_SIZE:
		return read_size(btf, m, &map->key_size, err);
	case FIELD_VALUE:
		return read_type(btf, m, &map->value_type, &map->value_size, err);
	case FIELD_VALUE_SIZE:
		return read_size(btf, m, &map->value_size, err);
	case FIELD_MAP_EXTRA:
		return read_uint(btf, m, &map->map_extra, err);
	case FIELD_PINNING:
		return read_pinning(d, m, err);
	case FIELD_VALUES:
	case NR_FIELDS:
		break;
	}
	return read_values(d, m, err);
}

/*
 * Establishes that the fields are consistent:
 *
 *	- there is a type
 *	- "values" describes maps in a map of maps, and programs in a program array
 *	- a map of maps has a template, which is not itself a map of maps
 *	- values that are descriptors have 4 bytes
 */
static bool holds_fds(uint32_t type)
{
	return holds_maps(type) || type == BPF_MAP_TYPE_PROG_ARRAY;
}

/* Establishes that the map has a type and that its values fit that type. */
static int check_map(struct description *d, struct error *err)
{
	const struct object_map *map = described(d);

	if (map->type == BPF_MAP_TYPE_UNSPEC) {
		error_set(err, EBADMSG, "it has no type");
		return error_hint(err, "write: __uint(type, BPF_MAP_TYPE_HASH); or another type");
	}
	if (map->has_values &&
	    (map->inner >= 0 ? !holds_maps(map->type) : map->type != BPF_MAP_TYPE_PROG_ARRAY))
		return error_set(err, EBADMSG, "field 'values' is not allowed in maps of type %u",
				 map->type);
	if (holds_maps(map->type) && d->is_inner)
		return error_set(err, EBADMSG, "only one level of maps in maps is allowed");
	if (holds_maps(map->type) && map->inner < 0) {
		error_set(err, EBADMSG, "a map of maps needs a description of the inner maps");
		return error_hint(err,
				  "write: __array(values, struct { __uint(type, ...); ... });");
	}
	if (holds_fds(map->type) && map->value_size && map->value_size != sizeof(uint32_t))
		return error_set(err, EBADMSG,
				 "value_size is %u, but must be 4 for maps of type %u",
				 map->value_size, map->type);
	return 0;
}

/* Fill in the sizes and the flag that follow from other fields, which objects leave out. */
static void complete_map(struct object_map *map)
{
	if (holds_fds(map->type))
		map->value_size = sizeof(uint32_t);
	if (holds_fds(map->type) && !map->key_size && map->type != BPF_MAP_TYPE_HASH_OF_MAPS)
		map->key_size = sizeof(uint32_t);
	drop_ring_sizes(map);
	if (map->numa_node)
		map->map_flags |= BPF_F_NUMA_NODE;
}

static int describe(struct description *d, uint32_t type, struct error *err)
{
	const struct btf *btf = &d->p->obj->btf;
	struct btf_type_view t = btf_skip(btf, type);
	int ret;

	if (t.kind != BTF_KIND_STRUCT)
		return error_set(err, EBADMSG, "it is of kind %s, not a struct",
				 btf_kind_name(t.kind));
	for (uint32_t i = 0; i < t.vlen; i++) {
		ret = read_field(d, btf_member(btf, &t, i), err);
		if (ret)
			return ret;
	}
	ret = check_map(d, err);
	if (!ret)
		complete_map(described(d));
	return ret;
}

static int parse_map(struct parse *p, uint32_t section, struct btf_var_view entry,
		     struct error *err)
{
	struct description d = { .p = p, .map = p->obj->nr_maps };
	struct btf_type_view var = btf_type(&p->obj->btf, entry.type);
	struct object_map *map = object_add_map(p->obj);
	int ret;

	if (!map)
		return error_set(err, ENOMEM, "no memory for map '%s'", var.name);
	map->name = var.name;
	map->kind = OBJECT_MAP_BTF;
	map->section = section;
	map->offset = entry.offset;
	map->size = entry.size;
	if (var.kind != BTF_KIND_VAR || !var.name[0])
		ret = error_set(err, EBADMSG, "it is a %s, not a variable with a name",
				btf_kind_name(var.kind));
	else if (!entry.size ||
		 !bytes_hold(p->obj->image.sections[section].size, entry.offset, entry.size))
		ret = error_set(err, EBADMSG, "its %u bytes at 0x%x are outside section '.maps'",
				entry.size, entry.offset);
	else
		ret = describe(&d, var.type, err);
	if (ret)
		error_where(err, "map '%s'", var.name);
	return ret;
}

int parse_btf_maps(struct parse *p, struct error *err)
{
	const int64_t found = name_index_find(&p->by_name, ".maps");
	uint32_t section = found > 0 ? found : 0;
	struct btf_type_view t;
	int ret;

	if (p->sections[section].use != SECTION_BTF_MAPS || !p->obj->image.sections[section].size)
		return 0;
	if (!p->sections[section].datasec) {
		error_set(err, EBADMSG, "its maps have no BTF");
		error_hint(err, "compile with clang -g, and do not strip the BTF");
		return error_where(err, "section %u '.maps'", section);
	}
	t = btf_type(&p->obj->btf, p->sections[section].datasec);
	for (uint32_t i = 0; i < t.vlen; i++) {
		const struct btf_var_view entry = btf_datasec_var(&p->obj->btf, &t, i);
		const struct btf_type_view var = btf_type(&p->obj->btf, entry.type);

		/* An extern map is not defined here; a program that refers to it is refused. */
		if (is_extern_var(&var))
			continue;
		ret = parse_map(p, section, entry, err);
		if (ret)
			return ret;
	}
	return 0;
}

/* --- finding a map by where it is declared --- */

static int compare_location(const void *a, const void *b)
{
	const struct map_location *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

int map_index_init(struct map_index *index, const struct bpf_object *obj, struct error *err)
{
	index->nr = 0;
	index->list = calloc(obj->nr_maps + 1, sizeof(*index->list));
	if (!index->list)
		return error_set(err, ENOMEM, "no memory for the index of %u maps", obj->nr_maps);
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (obj->maps[i].section && obj->maps[i].kind != OBJECT_MAP_DATA)
			index->list[index->nr++] = (struct map_location){
				obj->maps[i].section, obj->maps[i].offset, i
			};
	array_sort(index->list, index->nr, sizeof(*index->list), compare_location);
	return 0;
}

int64_t map_index_before(const struct map_index *index, uint32_t section, uint64_t offset)
{
	uint32_t low = 0, high = index->nr;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct map_location *m = &index->list[mid];

		if (m->section < section || (m->section == section && m->offset <= offset))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || index->list[low - 1].section != section)
		return -1;
	return index->list[low - 1].map;
}

int64_t map_index_at(const struct map_index *index, const struct bpf_object *obj, uint32_t section,
		  uint64_t offset)
{
	int64_t map = map_index_before(index, section, offset);

	return map >= 0 && obj->maps[map].offset == offset ? map : -1;
}
