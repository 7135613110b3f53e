// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which maps are histograms, what their slots mean, and the message for them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/btf.h"
#include "loader/sessions/rows/results.h"
#include "loader/sessions/rows/rows_internal.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

/* Parse a number that ends with ':' or with @text. Return what follows it, or NULL. */
static const char *take_number(const char *text, int64_t min, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(text, &end, 0);
	if (end == text || errno || *number < min || (*end && *end != ':'))
		return NULL;
	return *end ? end + 1 : end;
}

/* Parse "log2", "linear[:STEP[:MIN]]", or "" for slots. */
static bool parse_scale(struct histogram *h, const char *text)
{
	*h = (struct histogram){ .scale = HISTOGRAM_SLOTS, .step = 1 };
	if (!*text)
		return true;
	h->scale = !strcmp(text, "log2") ? HISTOGRAM_LOG2 : HISTOGRAM_LINEAR;
	if (h->scale == HISTOGRAM_LOG2 || !strcmp(text, "linear"))
		return true;
	if (strncmp(text, "linear:", strlen("linear:")))
		return false;
	text = take_number(text + strlen("linear:"), 1, &h->step);
	if (text && *text)
		text = take_number(text, INT64_MIN, &h->min);
	return text && !*text;
}

/* Return the scale of tag "hist:SCALE" or "hist", or NULL for another tag. */
static const char *scale_of(const char *tag)
{
	if (strncmp(tag, "hist", 4) || (tag[4] && tag[4] != ':'))
		return NULL;
	return tag[4] ? tag + 5 : tag + 4;
}

/* The declaration tag of the map's variable. */
static const char *tag_of(const struct bpf_object *obj, const char *map)
{
	struct btf_type_view tag, var;

	for (uint32_t i = 1; obj->has_btf && i < obj->btf.nr_types; i++) {
		if (btf_kind_of(&obj->btf, i) != BTF_KIND_DECL_TAG)
			continue;
		tag = btf_type(&obj->btf, i);
		var = btf_type(&obj->btf, tag.type);
		if (var.kind == BTF_KIND_VAR && !strcmp(var.name, map) &&
		    scale_of(tag.name))
			return scale_of(tag.name);
	}
	return NULL;
}

/* Return true if "hist" or "histogram" is a word in the name. */
static bool is_named_so(const char *name)
{
	for (size_t n; *name; name += n + (name[n] == '_')) {
		n = strcspn(name, "_");
		if ((n == strlen("hist") && !strncmp(name, "hist", n)) ||
		    (n == strlen("histogram") && !strncmp(name, "histogram", n)))
			return true;
	}
	return false;
}

struct histogram histogram_of(const struct bpf_object *obj, uint32_t map)
{
	const struct object_map *m = &obj->maps[map];
	struct histogram h = { 0 };
	const char *text = tag_of(obj, m->name);

	if (text && parse_scale(&h, text))
		return h;
	h = (struct histogram){ .scale = HISTOGRAM_NONE };
	if ((m->type == BPF_MAP_TYPE_ARRAY || m->type == BPF_MAP_TYPE_PERCPU_ARRAY) &&
	    is_named_so(m->name))
		h.scale = HISTOGRAM_SLOTS;
	return h;
}

struct histogram_member histogram_member_find(const struct btf *btf, uint32_t value_type)
{
	struct histogram_member found = { 0 };
	struct btf_type_view t;

	if (!btf || !value_type || value_type >= btf->nr_types)
		return found;
	t = btf_skip(btf, value_type);
	for (uint32_t i = 0; t.kind == BTF_KIND_STRUCT && i < t.vlen; i++) {
		const struct btf_member_view m = btf_member(btf, &t, i);
		const struct btf_type_view type = btf_skip(btf, m.type);
		struct btf_array_view array;

		if ((strcmp(m.name, "slots") && !is_named_so(m.name)) ||
		    type.kind != BTF_KIND_ARRAY || m.bit_offset % 8)
			continue;
		array = btf_array(btf, &type);
		found.number = number_type_of(btf, array.type);
		if (btf_skip(btf, array.type).kind != BTF_KIND_INT || found.number.size < 4 ||
		    !bytes_hold(t.size, m.bit_offset / 8,
				(uint64_t)array.nelems * found.number.size))
			continue;
		found.name = m.name;
		found.offset = m.bit_offset / 8;
		found.nr = array.nelems;
		return found;
	}
	return (struct histogram_member){ 0 };
}

/* --- the message --- */

/* Set the range of @slot. Return false if it has none. */
static bool range(const struct histogram *h, int64_t slot, int64_t *low, int64_t *high)
{
	switch (h->scale) {
	case HISTOGRAM_LOG2:
		if (slot < 0 || slot > 61)
			return false;
		*low = slot ? 1ll << slot : 0;
		*high = (2ll << slot) - 1;
		return true;
	case HISTOGRAM_LINEAR:
		return !__builtin_mul_overflow(slot, h->step, low) &&
		       !__builtin_add_overflow(*low, h->min, low) &&
		       !__builtin_add_overflow(*low, h->step - 1, high);
	default:
		return false;
	}
}

static struct json_object *slot_object(const struct histogram *h, const struct histogram_slot *slot)
{
	struct json_object *o = json_object_new_object();
	int64_t low, high;

	value_add_int(o, "slot", slot->slot);
	value_add_uint(o, "count", slot->count);
	if (range(h, slot->slot, &low, &high)) {
		value_add_int(o, "low", low);
		value_add_int(o, "high", high);
	}
	return o;
}

static struct json_object *slots_list(const struct histogram *h,
				      const struct histogram_slot *slots, size_t nr)
{
	struct json_object *list = json_object_new_array();
	size_t first = 0;

	while (nr && !slots[nr - 1].count)	/* the first and the last bar are not empty */
		nr--;
	while (first < nr && !slots[first].count)
		first++;
	for (size_t i = first; i < nr; i++)
		value_append(list, slot_object(h, &slots[i]));
	return list;
}

void histogram_add(struct json_object *msg, const struct histogram *h,
		   const struct histogram_slot *slots, size_t nr)
{
	static const char *const scales[] = {
		[HISTOGRAM_SLOTS] = "slots", [HISTOGRAM_LOG2] = "log2",
		[HISTOGRAM_LINEAR] = "linear",
	};

	value_add_string(msg, "scale", scales[h->scale]);
	value_add(msg, "slots", slots_list(h, slots, nr));
}

int histogram_print(struct output *out, const char *map, const struct histogram *h,
		    const struct histogram_slot *slots, size_t nr, struct error *err)
{
	struct json_object *msg = message_new("histogram");

	value_add_string(msg, "map", map);
	histogram_add(msg, h, slots, nr);
	return output_message_as(out, msg, rows_print_histogram, err);
}
