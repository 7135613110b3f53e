// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find a variable by a C expression: "state", "state.in.deep", "slots[2]". */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "loader/objects/variables/find_variable.h"
#include "loader/core/sys/number.h"

/* Comparing takes time: stop suggesting names after this many. */
#define NEAR_MAX 4096

/* Limits the search for a member: anonymous structs may be nested. */
#define MEMBERS_MAX 65536
#define DEPTH_MAX 16

void names_near_add(struct names_near *near, const char *name)
{
	const unsigned int nr = sizeof(near->name) / sizeof(near->name[0]);
	unsigned int distance, i;
	char want[DISTANCE_MAX];

	if (near->seen++ >= NEAR_MAX || !name[0])
		return;
	snprintf(want, sizeof(want), "%.*s", (int)near->want_len, near->want);
	distance = edit_distance(want, name);
	for (i = nr; i > 0 && (!near->name[i - 1] || near->distance[i - 1] > distance); i--) {
		if (i == nr)
			continue;
		near->name[i] = near->name[i - 1];
		near->distance[i] = near->distance[i - 1];
	}
	if (i < nr) {
		near->name[i] = name;
		near->distance[i] = distance;
	}
}

int names_near_hint(const struct names_near *near, struct error *err)
{
	const char *const *n = near->name;

	if (!n[0])
		return err ? err->code : -EINVAL;
	if (!n[1])
		return error_hint(err, "there is '%s'", n[0]);
	if (near->distance[0] <= 2 && near->distance[1] > 2)
		return error_hint(err, "did you mean '%s'?", n[0]);
	if (!n[2])
		return error_hint(err, "there are '%s' and '%s'", n[0], n[1]);
	return error_hint(err, "the nearest names are '%s', '%s' and '%s'", n[0], n[1], n[2]);
}

/* Return the length of @name if @path is @name, possibly followed by '.' or '['; otherwise 0. */
static size_t begins_with(const char *path, const char *name)
{
	size_t n = strlen(name);

	if (!n || strncmp(path, name, n) || (path[n] && path[n] != '.' && path[n] != '['))
		return 0;
	return n;
}

struct search {
	const struct bpf_object *obj;
	const char *path;
	size_t len;		/* length of the longest matching name so far */
	struct variable var;	/* the variable with that name */
	bool several;
	struct variable other;	/* another variable with that name */
	struct names_near near;
};

static void consider(struct search *s, const char *name, struct variable var)
{
	size_t n = begins_with(s->path, name);

	names_near_add(&s->near, name);
	if (!n || n < s->len)
		return;
	s->several = n == s->len;
	if (s->several) {
		s->other = var;
		return;
	}
	s->len = n;
	s->var = var;
}

static void search_types(struct search *s, uint32_t map)
{
	const struct btf *btf = &s->obj->btf;
	const struct object_map *m = &s->obj->maps[map];
	struct btf_type_view section = btf_type(btf, m->data_type);

	for (uint32_t i = 0; i < section.vlen; i++) {
		struct btf_var_view entry = btf_datasec_var(btf, &section, i);
		struct btf_type_view t = btf_type(btf, entry.type);

		if (t.kind == BTF_KIND_VAR && bytes_hold(m->data_size, entry.offset, entry.size))
			consider(s, t.name,
				 (struct variable){ map, entry.offset, entry.size, t.type });
	}
}

/* In sections without BTF, symbols have an offset and a size. */
static int search_symbols(struct search *s, struct error *err)
{
	const struct elf_image *image = &s->obj->image;
	uint32_t *map_of = calloc(image->nr_sections + 1, sizeof(*map_of));

	if (!map_of)
		return error_set(err, ENOMEM, "no memory for %u sections", image->nr_sections);
	for (uint32_t i = 0; i < s->obj->nr_maps; i++)
		if (s->obj->maps[i].data_section && !s->obj->maps[i].data_type)
			map_of[s->obj->maps[i].data_section] = 1 + i;
	for (uint32_t i = 1; i < image->nr_symbols; i++) {
		const struct elf_symbol *symbol = &image->symbols[i];
		uint32_t map = symbol->section < image->nr_sections ? map_of[symbol->section] : 0;

		if (map && (symbol->type == STT_OBJECT || symbol->type == STT_NOTYPE) &&
		    bytes_hold(s->obj->maps[map - 1].data_size, symbol->value, symbol->size))
			consider(s, symbol->name,
				 (struct variable){ map - 1, symbol->value, symbol->size, 0 });
	}
	free(map_of);
	return 0;
}

static int not_found(struct search *s, const char *what, struct error *err)
{
	error_set(err, ENOENT, "%s '%.*s'", what, (int)s->near.want_len, s->near.want);
	return names_near_hint(&s->near, err);
}

/*
 * Find the member of @type whose name is the first @len bytes of @name. Return 1 if found,
 * otherwise 0.
 */
static int find_member(struct search *s, uint32_t type, const char *name, size_t len,
		       unsigned int depth, uint64_t *bits, struct btf_member_view *found)
{
	const struct btf *btf = &s->obj->btf;
	struct btf_type_view t = btf_skip(btf, type);

	if ((t.kind != BTF_KIND_STRUCT && t.kind != BTF_KIND_UNION) || depth == DEPTH_MAX)
		return 0;
	for (uint32_t i = 0; i < t.vlen && s->near.seen < MEMBERS_MAX; i++) {
		struct btf_member_view m = btf_member(btf, &t, i);

		names_near_add(&s->near, m.name);
		if (!m.name[0] &&
		    find_member(s, m.type, name, len, depth + 1, bits, found)) {
			*bits += m.bit_offset;
			return 1;
		}
		if (strlen(m.name) != len || strncmp(m.name, name, len))
			continue;
		*bits = m.bit_offset;
		*found = m;
		return 1;
	}
	return 0;
}

static int enter_member(struct search *s, const char **at, uint64_t *offset, struct error *err)
{
	struct btf_type_view t = btf_skip(&s->obj->btf, s->var.type);
	const char *name = *at + 1;
	struct btf_member_view m;
	uint64_t bits = 0;

	if (t.kind != BTF_KIND_STRUCT && t.kind != BTF_KIND_UNION)
		return error_set(err, EINVAL, "'%.*s' has kind %s and no members",
				 (int)(*at - s->path), s->path, btf_kind_name(t.kind));
	s->near = (struct names_near){ .want = name, .want_len = strcspn(name, ".[") };
	/* An anonymous member leads to others and cannot itself be named. */
	if (!s->near.want_len || !find_member(s, t.id, name, s->near.want_len, 0, &bits, &m))
		return not_found(s, "it has no member", err);
	if (m.bitfield_size || bits % 8)
		return error_set(err, ENOTSUP, "member '%s' is a bit field", m.name);
	*offset += bits / 8;
	s->var.type = m.type;
	*at = name + s->near.want_len;
	return 0;
}

static int enter_element(struct search *s, const char **at, uint64_t *offset, struct error *err)
{
	const struct btf *btf = &s->obj->btf;
	struct btf_type_view t = btf_skip(btf, s->var.type);
	struct btf_array_view array;
	const char *end = strchr(*at, ']');
	uint64_t index;
	int64_t size;

	if (t.kind != BTF_KIND_ARRAY)
		return error_set(err, EINVAL, "'%.*s' has kind %s and no elements",
				 (int)(*at - s->path), s->path, btf_kind_name(t.kind));
	array = btf_array(btf, &t);
	if (!end || number_parse_base(*at + 1, end - *at - 1, NUMBER_AS_IN_C, &index))
		return error_set(err, EINVAL, "'%s' is not an index", *at);
	if (index >= array.nelems)
		return error_set(err, ERANGE, "'%.*s' has %u elements", (int)(*at - s->path),
				 s->path, array.nelems);
	size = btf_size(btf, array.type);
	if (size < 0 || size > UINT32_MAX)
		return error_set(err, EBADMSG, "the size of its elements is unknown");
	*offset += index * (uint64_t)size;
	s->var.type = array.type;
	*at = end + 1;
	return 0;
}

/* Follow members and elements from the variable. Its BTF is untrusted, so check the result. */
static int follow(struct search *s, struct error *err)
{
	const char *at = s->path + s->len;
	const uint32_t whole = s->var.size;
	uint64_t offset = 0;
	int64_t size;
	int ret = 0;

	if (*at && !s->var.type)
		return error_set(err, ENOENT,
				 "'%.*s' has no BTF, so its parts have no names",
				 (int)s->len, s->path);
	while (*at && !ret) {
		if (*at == '.')
			ret = enter_member(s, &at, &offset, err);
		else if (*at == '[')
			ret = enter_element(s, &at, &offset, err);
		else
			ret = error_set(err, EINVAL, "'%s' is not a member or element", at);
		if (!ret && offset > whole)
			ret = error_set(err, EBADMSG, "it is outside its variable");
	}
	if (ret || !s->var.type)
		return ret;
	size = btf_size(&s->obj->btf, s->var.type);
	if (size < 0 || !bytes_hold(whole, offset, size))
		return error_set(err, EBADMSG, "it is outside its variable");
	s->var.offset += offset;
	s->var.size = size;
	return 0;
}

int variable_find(const struct bpf_object *obj, const char *path, struct variable *var,
		  struct error *err)
{
	struct search s = { .obj = obj, .path = path };
	int ret = 0;

	s.near = (struct names_near){ .want = path, .want_len = strcspn(path, "[") };
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (obj->maps[i].data_type)
			search_types(&s, i);
	if (!s.len)
		ret = search_symbols(&s, err);
	if (ret)
		return ret;
	if (!s.len)
		return not_found(&s, "no variable", err);
	if (s.several) {
		error_set(err, EEXIST, "several variables are named '%.*s': in %s and in %s",
			  (int)s.len, path, obj->maps[s.var.map].name, obj->maps[s.other.map].name);
		return error_hint(err, "give them different names");
	}
	ret = follow(&s, err);
	*var = s.var;
	return ret;
}
