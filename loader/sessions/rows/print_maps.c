// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print the elements of all maps as messages; in text, largest numbers first. */
#include <errno.h>
#include <stdlib.h>

#include "loader/sessions/rows/results.h"
#include "loader/sessions/rows/read_map.h"
#include "loader/sessions/rows/map_rows.h"
#include "loader/sessions/rows/rows_internal.h"
#include "loader/core/print/message.h"
#include "loader/profile/stacks/row_stacks.h"
#include "loader/core/value/layout.h"
#include "loader/core/value/value.h"

struct dump {
	struct output *out;	/* borrowed, like every pointer here */
	const struct object_map *map;
	const struct map_kind *kind;
	const struct btf *btf;	/* NULL: none */
	struct layout *keys, *values;	/* owned */
	uint32_t key_size, value_size;	/* value_size is for one CPU */
	uint32_t stride;	/* distance between CPUs' values; 0: all CPUs share one */
	const struct cpu_list *possible;	/* the kernel returns their values in this order */
	uint32_t map_flags;
	struct number_type key_number;
	struct row_count count;	/* of one CPU's value */
	struct map_rows rows;	/* owned; used for digests and histograms */
	struct histogram histogram;	/* its scale is HISTOGRAM_NONE if the map is not one */
	struct histogram_member slots;	/* nr != 0: each element is a histogram, rather than the
					 * map */
	uint32_t index;		/* index of the map in the object */
	struct stacks *stacks;	/* the stacks of its rows; NULL: none */
	struct stacks *names;	/* the same, including rows that have only addresses */
	uint64_t in_no_row;	/* a stack map: number of its stacks that are in no row */
};

/* --- elements --- */

static struct json_object *decode_key(const struct dump *d, const unsigned char *key)
{
	return layout_tree(d->keys, (struct bytes){ key, d->key_size });
}

static struct json_object *decode_value(const struct dump *d, const unsigned char *value)
{
	return layout_tree(d->values, (struct bytes){ value, d->value_size });
}

static void add_plain(const struct dump *d, struct json_object *msg, const unsigned char *key,
		      const unsigned char *value)
{
	value_add(msg, "key", decode_key(d, key));
	value_add(msg, "value", decode_value(d, value));
}

/*
 * Each CPU's value starts at a multiple of eight bytes. The values of the possible CPUs are
 * adjacent, even if the CPU numbers have holes (0,2): bpf_percpu_array_copy() in
 * kernel/bpf/arraymap.c.
 */
static void add_per_cpu(const struct dump *d, struct json_object *msg, const unsigned char *key,
			const unsigned char *value)
{
	struct json_object *values = value_per_cpu(), *sum = decode_value(d, value);
	bool has_sum = !json_object_is_type(sum, json_type_string);

	for (unsigned int i = 0; i < d->possible->nr; i++, value += d->stride) {
		struct json_object *entry = json_object_new_object(), *one = decode_value(d, value);

		has_sum = has_sum && (!i || value_sum_add(sum, one));
		value_add_int(entry, "cpu", d->possible->cpus[i]);
		value_add(entry, "value", one);
		value_append(values, entry);
	}
	value_add(msg, "key", decode_key(d, key));
	if (has_sum || !sum)
		value_add(msg, "sum", sum);
	else
		json_object_put(sum);
	value_add(msg, "value", values);
}

/*
 * Decode one struct bpf_stack_build_id (include/uapi/linux/bpf.h):
 *
 *	0	s32 status: 0 ends the list, 1 has a build id, 2 has an address
 *	4	u8 build_id[20]
 *	24	u64 file offset, or the address if the kernel could not find the build id
 *
 * Return NULL and set *@end if there are no more frames.
 */
static struct json_object *build_id_frame(struct bytes b, bool *end)
{
	enum { EMPTY, VALID, IP } status = bytes_u32(b, 0, false);
	struct json_object *frame;

	*end = status != VALID && status != IP;
	if (*end || status == IP)
		return *end ? NULL : value_address(bytes_u64(b, 24, false));
	frame = json_object_new_object();
	value_add(frame, "build_id", value_hex(bytes_slice(b, 4, 20)));
	value_add(frame, "offset", value_address(bytes_u64(b, 24, false)));
	return frame;
}

static struct json_object *plain_frame(struct bytes b, bool *end)
{
	*end = !bytes_u64(b, 0, false);
	return *end ? NULL : value_address(bytes_u64(b, 0, false));
}

static void add_stack(const struct dump *d, struct json_object *msg, const unsigned char *key,
		      const unsigned char *value)
{
	size_t size = d->map_flags & BPF_F_STACK_BUILD_ID ? 32 : 8;
	struct json_object *ips = json_object_new_array(), *frame;
	struct bytes b = { value, d->value_size };
	bool end = false;

	for (size_t off = 0; bytes_hold(b.size, off, size); off += size) {
		frame = size == 32 ? build_id_frame(bytes_slice(b, off, size), &end) :
				     plain_frame(bytes_slice(b, off, size), &end);
		if (end)
			break;
		value_append(ips, frame);
	}
	value_add_uint(msg, "id", number_read(d->key_number, key));
	value_add(msg, "ips", ips);
}

/* Map types whose values can be read without changing the map. */
static const struct map_kind {
	uint32_t type;
	const char *name;
	const char *message;
	message_printer print;
	void (*add)(const struct dump *d, struct json_object *msg, const unsigned char *key,
		    const unsigned char *value);
} map_kinds[] = {
	{ BPF_MAP_TYPE_HASH, "hash", "map", rows_print_map, add_plain },
	{ BPF_MAP_TYPE_ARRAY, "array", "map", rows_print_map, add_plain },
	{ BPF_MAP_TYPE_PERCPU_HASH, "percpu_hash", "map", rows_print_map, add_per_cpu },
	{ BPF_MAP_TYPE_PERCPU_ARRAY, "percpu_array", "map", rows_print_map, add_per_cpu },
	{ BPF_MAP_TYPE_STACK_TRACE, "stack_trace", "stack", rows_print_stack, add_stack },
	{ BPF_MAP_TYPE_LRU_HASH, "lru_hash", "map", rows_print_map, add_plain },
	{ BPF_MAP_TYPE_RHASH, "rhash", "map", rows_print_map, add_plain },
	{ BPF_MAP_TYPE_LRU_PERCPU_HASH, "lru_percpu_hash", "map", rows_print_map, add_per_cpu },
	{ BPF_MAP_TYPE_LPM_TRIE, "lpm_trie", "map", rows_print_map, add_plain },
};

/* Add up the numbers at @offset in the values of all CPUs. */
static uint64_t sum_of(const struct dump *d, const unsigned char *value, struct number_type number,
		       size_t offset)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; number.size && i < (d->stride ? d->possible->nr : 1); i++)
		sum += number_read(number, value + offset + (size_t)i * d->stride);
	return sum;
}

static uint64_t slot_count(const struct dump *d, const unsigned char *value, uint32_t slot)
{
	return sum_of(d, value, d->slots.number,
		      d->slots.offset + (size_t)slot * d->slots.number.size);
}

/* The number that a row is sorted by and its stacks are counted with. */
static uint64_t count_of(const struct dump *d, const unsigned char *value)
{
	uint64_t sum = 0;

	if (!d->slots.nr)
		return sum_of(d, value, d->count.number, d->count.offset);
	for (uint32_t i = 0; i < d->slots.nr; i++)
		sum += slot_count(d, value, i);
	return sum;
}

/* Add the element as a histogram. */
static void add_histogram(const struct dump *d, struct json_object *msg, const unsigned char *value)
{
	struct json_object *o = json_object_new_object();
	struct histogram_slot *slots = calloc(d->slots.nr, sizeof(*slots));

	for (uint32_t i = 0; slots && i < d->slots.nr; i++)
		slots[i] = (struct histogram_slot){ i, slot_count(d, value, i) };
	value_add_string(o, "member", d->slots.name);
	if (slots)
		histogram_add(o, &d->histogram, slots, d->slots.nr);
	else
		value_add(o, "slots", NULL);
	free(slots);
	value_add(msg, "histogram", o);
}

/* @msg: receives them; or NULL */
static int add_stacks(const struct dump *d, const unsigned char *key, const unsigned char *value,
		      struct json_object *msg, struct error *err)
{
	const struct stack_row row = {
		.map = d->index,
		.part = { { key, d->key_size }, { value, d->stride ? 0 : d->value_size } },
		.weight = d->count.number.size ? count_of(d, value) : 1,
	};

	return d->names ? stacks_add(d->names, &row, msg, err) : 0;
}

static int print_element(void *ctx, const unsigned char *key, const unsigned char *value,
			 struct error *err)
{
	const struct dump *d = ctx;
	struct json_object *msg;
	int ret;

	if (d->out->only_stacks)
		return add_stacks(d, key, value, NULL, err);
	msg = message_new(d->kind->message);
	value_add_string(msg, "map", d->map->name);
	d->kind->add(d, msg, key, value);
	if (d->slots.nr)
		add_histogram(d, msg, value);
	ret = msg ? add_stacks(d, key, value, msg, err) : 0;
	if (!ret)
		return output_message_as(d->out, msg, d->kind->print, err);
	json_object_put(msg);
	return ret;
}

/* --- maps --- */

static int keep_element(void *ctx, const unsigned char *key, const unsigned char *value,
			struct error *err)
{
	struct dump *d = ctx;

	return map_rows_add(&d->rows, key, value, number_rank(d->count.number, count_of(d, value)),
			    number_rank(d->key_number, number_read(d->key_number, key)), err);
}

static int keep_slot(void *ctx, const unsigned char *key, const unsigned char *value,
		     struct error *err)
{
	struct dump *d = ctx;

	return map_rows_add(&d->rows, key, value, 0,
			    number_rank(d->key_number, number_read(d->key_number, key)), err);
}

/* JSON also has the elements, as for any map. */
static int print_slots(struct dump *d, struct error *err)
{
	struct histogram_slot *slots = calloc(d->rows.nr + 1, sizeof(*slots));
	int ret = slots ? 0 : error_set(err, ENOMEM, "no memory for %zu slots", d->rows.nr);

	map_rows_sort(&d->rows);
	for (size_t i = 0; !ret && i < d->rows.nr; i++) {
		const unsigned char *key = d->rows.bytes + d->rows.rows[i].at;
		const unsigned char *value = key + d->rows.key_size;

		slots[i].slot = number_read(d->key_number, key);
		slots[i].count = count_of(d, value);
		if (!d->out->format->digest)
			ret = print_element(d, key, value, err);
	}
	if (!ret)
		ret = histogram_print(d->out, d->map->name, &d->histogram, slots, d->rows.nr, err);
	free(slots);
	return ret;
}

/* Print the headline before the rows, or after them how many @more there are. */
static int print_headline(const struct dump *d, uint64_t more, struct error *err)
{
	struct json_object *msg = message_new(more ? "map-more" : "map-begin");

	value_add_string(msg, "map", d->map->name);
	value_add_string(msg, "map_type", d->kind->name);
	value_add_uint(msg, "elements", d->rows.nr);
	if (more)
		value_add_uint(msg, "more", more);
	return output_message_as(d->out, msg, more ? rows_print_more : rows_print_begin, err);
}

static struct json_object *stack_fields(const struct dump *d)
{
	struct json_object *msg = stacks_describe(d->stacks, d->index);
	const char *name = d->count.name;

	if (d->count.number.size)
		value_add(msg, "count", value_string(VALUE_TEXT, name, strlen(name)));
	return msg;
}

static int print_rows(struct dump *d, struct error *err)
{
	size_t shown = d->out->rows && d->out->rows < d->rows.nr ? d->out->rows : d->rows.nr;
	const unsigned char *key;
	int ret;

	map_rows_sort(&d->rows);
	ret = print_headline(d, 0, err);
	if (!ret && d->stacks)
		ret = output_message_as(d->out, stack_fields(d), stacks_print_fields, err);
	for (size_t i = 0; !ret && i < d->rows.nr; i++) {
		key = d->rows.bytes + d->rows.rows[i].at;
		ret = i < shown ? print_element(d, key, key + d->rows.key_size, err) :
				  add_stacks(d, key, key + d->rows.key_size, NULL, err);
	}
	if (!ret && shown < d->rows.nr)
		ret = print_headline(d, d->rows.nr - shown, err);
	return ret;
}

/* A stack that was printed with the rows that contain its id. */
static int count_stack(void *ctx, const unsigned char *key, const unsigned char *value,
		       struct error *err)
{
	struct dump *d = ctx;

	(void)value, (void)err;
	d->rows.nr++;
	d->in_no_row += !stacks_is_in_row(d->out->stacks, d->index,
					  number_read(d->key_number, key));
	return 0;
}

static int print_stack_map(struct dump *d, struct error *err)
{
	struct json_object *msg = message_new("stack-map");

	value_add_string(msg, "map", d->map->name);
	value_add_uint(msg, "elements", d->rows.nr);
	value_add_uint(msg, "in_no_row", d->in_no_row);
	return output_message_as(d->out, msg, rows_print_stack_map, err);
}

static int output_map(struct sys *sys, struct dump *d, const struct kernel_map *km, bool *no_batch,
		      struct error *err)
{
	const bool of_rows = d->kind->add == add_stack &&
			     stacks_are_of_rows(d->out->stacks, d->index);
	const bool digest = d->out->format->digest && !d->out->only_stacks;
	struct map_reader reader = {
		.sys = sys, .fd = km->fd, .key_size = km->key_size, .max_entries = km->max_entries,
		.value_size = d->stride ? (size_t)d->stride * d->possible->nr : km->value_size,
		.no_batch = no_batch, .ctx = d,
		.element = of_rows ? count_stack : digest ? keep_element : print_element,
	};
	const bool slots = d->histogram.scale && !d->slots.nr && !d->out->only_stacks;
	int ret = 0;

	if (slots)
		reader.element = keep_slot;
	if (!reader.key_size || !reader.value_size || !reader.max_entries)
		return 0;
	d->rows = (struct map_rows){ .key_size = reader.key_size, .value_size = reader.value_size };
	d->keys = layout_new(d->btf, d->map->key_type, d->key_size, LAYOUT_TREE);
	d->values = layout_new(d->btf, d->map->value_type, d->value_size, LAYOUT_TREE);
	if (!d->keys || !d->values)
		ret = error_set(err, ENOMEM, "no memory for the types of a map");
	else if (d->stacks && !digest && !d->out->only_stacks)
		ret = output_message_as(d->out, stack_fields(d), stacks_print_fields, err);
	if (!ret)
		ret = read_map(&reader, err);
	if (!ret && slots)
		ret = print_slots(d, err);
	else if (!ret && (of_rows || digest))
		ret = of_rows ? print_stack_map(d, err) : print_rows(d, err);
	map_rows_free(&d->rows);
	layout_free(d->keys);
	layout_free(d->values);
	return ret;
}

/* Return true for a map declared by <bpf/usdt.bpf.h> and filled by the loader. */
static bool is_of_usdt(const struct object_map *map)
{
	return !strncmp(map->name, "__bpf_usdt_", strlen("__bpf_usdt_"));
}

/* Find what to sort the rows of a map by, and whether it counts by slot. */
static void find_numbers(struct dump *d, const struct kernel_map *km, const struct bpf_object *obj)
{
	if (d->kind->add == add_stack) {
		d->key_number = (struct number_type){ .size = 4 };
		return;
	}
	d->key_number = number_type_of(d->btf, d->map->key_type);
	d->count.number = number_type_of(d->btf, d->map->value_type);
	if (d->stacks)
		d->count = row_count_find(d->btf, d->map->value_type);
	d->slots = histogram_member_find(d->btf, d->map->value_type);
	/* A type larger than the map's key or value would be read out of bounds. */
	if (d->key_number.size > km->key_size)
		d->key_number.size = 0;
	if (!bytes_hold(km->value_size, d->count.offset, d->count.number.size))
		d->count = (struct row_count){ .name = "" };
	if (!bytes_hold(km->value_size, d->slots.offset,
			(uint64_t)d->slots.nr * d->slots.number.size))
		d->slots.nr = 0;
	if (d->slots.nr) {
		d->histogram = histogram_of(obj, d->index);
		if (!d->histogram.scale)
			d->histogram = (struct histogram){ .scale = HISTOGRAM_SLOTS };
	} else if (!d->stacks && d->key_number.size == km->key_size && d->count.number.size >= 4 &&
		   d->count.number.size == km->value_size) {	/* counts per number */
		d->histogram = histogram_of(obj, d->index);
	}
}

static int output_elements(struct sys *sys, struct output *out, const struct kernel_object *k,
			   uint32_t i, const struct cpu_list *possible, bool *no_batch,
			   struct error *err)
{
	const struct object_map *map = &k->object->maps[i];
	const struct kernel_map *km = &k->maps[i];
	struct dump d = {
		.out = out,
		.map = map,
		.key_size = km->key_size,
		.value_size = km->value_size,
		.possible = possible,
		.btf = k->object->has_btf ? &k->object->btf : NULL,
		.map_flags = km->map_flags,
		.index = i,
		.stacks = stacks_has(out->stacks, i) ? out->stacks : NULL,
		.names = stacks_has_addresses(out->stacks, i) ? out->stacks : NULL,
	};

	for (size_t n = 0; n < sizeof(map_kinds) / sizeof(map_kinds[0]); n++)
		if (map_kinds[n].type == map->type)
			d.kind = &map_kinds[n];
	if (!d.kind)
		return skipped_map_print(out, map, err);
	if (is_of_usdt(map))
		return skipped_map_output(out, map, d.kind->name,
					  "it describes the locations of USDT arguments",
					  err);
	if (d.kind->add == add_per_cpu)
		d.stride = (km->value_size + 7) & ~7U;
	if (d.kind->add == add_stack && km->key_size != 4)
		return 0;
	find_numbers(&d, km, k->object);
	if (d.stacks)
		d.names = d.stacks;
	if (d.names) {
		const uint32_t types[3] = { map->key_type, map->value_type };
		int ret = stacks_begin(d.names, i, types, err);

		if (ret)
			return ret;
	}
	return output_map(sys, &d, km, no_batch, err);
}

/* --- all maps --- */

int output_maps(struct sys *sys, struct output *out, const struct kernel_object *k,
		const struct cpu_list *possible, struct error *err)
{
	const uint32_t nr = k->object->nr_maps;
	bool no_batch = false;
	int ret = 0;

	/*
	 * With stacks, make a second pass for the stack maps, once it is known which rows use them.
	 */
	for (uint32_t n = 0; !ret && n < (out->stacks ? 2 * nr : nr); n++) {
		const uint32_t i = n < nr ? n : n - nr;
		const struct object_map *map = &k->object->maps[i];

		/* not created, or an inner map template */
		if (k->maps[i].fd < 0 || !map->section)
			continue;
		if (out->stacks && (map->type == BPF_MAP_TYPE_STACK_TRACE) != (n >= nr))
			continue;
		if (out->only_stacks && !stacks_has(out->stacks, i))
			continue;
		if (map->kind == OBJECT_MAP_DATA)
			ret = print_data_map(sys, out, k, i, err);
		else
			ret = output_elements(sys, out, k, i, possible, &no_batch, err);
		if (ret)
			error_where(err, "map '%s'", map->name);
	}
	return ret;
}
