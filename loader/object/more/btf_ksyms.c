// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rewrite BTF about kernel symbols for the kernel, which knows no externs and requires the
 * variables of a DATASEC to have a size (btf_datasec_resolve() in kernel/bpf/btf.c).
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loader/object/object_internal.h"

#define PTR_SIZE	sizeof(struct btf_type)
#define VAR_SIZE	(sizeof(struct btf_type) + sizeof(struct btf_var))
#define NEW_SIZE	(PTR_SIZE + VAR_SIZE)

static void put(unsigned char *at, uint32_t v, bool swap)
{
	v = swap ? __builtin_bswap32(v) : v;
	memcpy(at, &v, sizeof(v));
}

/* Adapt the offset of a part at @field of the header, if it follows the types. */
static void move_part(unsigned char *raw, size_t field, const struct btf *btf,
		      const unsigned char *part)
{
	const struct bytes header = { raw, sizeof(struct btf_header) };

	if (part > btf->types.data)
		put(raw + field, bytes_u32(header, field, btf->swap) + NEW_SIZE, btf->swap);
}

/*
 * Append two types to @raw, whose types end at @end: "void *", and a variable of that type with the
 * name at offset @name.
 */
static void append_types(unsigned char *raw, size_t end, const struct btf *btf, uint32_t name)
{
	const uint32_t words[] = {
		0, (uint32_t)BTF_KIND_PTR << 24, 0,
		name, (uint32_t)BTF_KIND_VAR << 24, btf->nr_types, BTF_VAR_GLOBAL_ALLOCATED,
	};
	const size_t type_len = offsetof(struct btf_header, type_len);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		put(raw + end + i * sizeof(words[0]), words[i], btf->swap);
	put(raw + type_len, btf->types.size + NEW_SIZE, btf->swap);
	move_part(raw, offsetof(struct btf_header, str_off), btf, btf->strings.data);
	if (btf->layouts.size)
		move_part(raw, offsetof(struct btf_header, layout_off), btf, btf->layouts.data);
}

static int extend(struct bpf_object *obj, uint32_t name, struct error *err)
{
	struct btf *btf = &obj->btf;
	size_t end = btf->types.data - btf->raw.data + btf->types.size, size = btf->raw.size;
	unsigned char *raw = malloc(size + NEW_SIZE);

	if (!raw)
		return error_set(err, ENOMEM, "no memory for %zu bytes of BTF", size);
	memcpy(raw, obj->btf_raw, end);
	memcpy(raw + end + NEW_SIZE, obj->btf_raw + end, size - end);
	append_types(raw, end, btf, name);
	btf_free(btf);
	free(obj->btf_raw);
	obj->btf_raw = raw;
	return btf_parse(btf, (struct bytes){ raw, size + NEW_SIZE }, err);
}

int btf_fix_ksyms(struct bpf_object *obj, uint32_t id, struct error *err)
{
	struct btf_type_view sec = btf_type(&obj->btf, id);
	const uint32_t pointer = obj->btf.nr_types, variable = pointer + 1;
	uint32_t first;
	int ret;

	if (!sec.vlen)
		return 0;
	first = btf_datasec_var(&obj->btf, &sec, 0).type;
	ret = extend(obj, bytes_u32(obj->btf.types, obj->btf.offsets[first], obj->btf.swap), err);
	if (ret)
		return ret;
	btf_put_u32(obj, id, offsetof(struct btf_type, size), sec.vlen * sizeof(uint64_t));
	for (uint32_t i = 0; i < sec.vlen; i++) {
		uint32_t type = btf_datasec_var(&obj->btf, &sec, i).type;
		size_t at = sizeof(struct btf_type) + i * sizeof(struct btf_var_secinfo);

		if (btf_type(&obj->btf, type).kind == BTF_KIND_VAR) {
			btf_put_u32(obj, type, offsetof(struct btf_type, type), pointer);
			btf_put_u32(obj, type, sizeof(struct btf_type), BTF_VAR_GLOBAL_ALLOCATED);
		} else {
			btf_put_u32(obj, id, at, variable);
		}
		btf_put_u32(obj, id, at + offsetof(struct btf_var_secinfo, offset),
			    i * sizeof(uint64_t));
		btf_put_u32(obj, id, at + offsetof(struct btf_var_secinfo, size),
			    sizeof(uint64_t));
	}
	return 0;
}

void btf_fix_extern_func(struct bpf_object *obj, uint32_t id)
{
	struct btf_type_view t = btf_type(&obj->btf, id), proto = btf_type(&obj->btf, t.type);
	uint32_t name = bytes_u32(obj->btf.types, obj->btf.offsets[id], obj->btf.swap);
	size_t params = obj->btf.offsets[proto.id] + sizeof(struct btf_type);

	btf_put_u32(obj, id, offsetof(struct btf_type, info),
		    (uint32_t)BTF_KIND_FUNC << 24 | BTF_FUNC_STATIC);
	/*
	 * Compilers name all parameters of a declaration or none, so that the first one shows
	 * whether this prototype has been done. A parameter of type 0 is "..." and has no name.
	 */
	if (!proto.vlen || !name || bytes_u32(obj->btf.types, params, obj->btf.swap) ||
	    !bytes_u32(obj->btf.types, params + offsetof(struct btf_param, type), obj->btf.swap))
		return;
	for (uint32_t i = 0; i < proto.vlen; i++) {
		struct bytes param = bytes_slice(obj->btf.types,
						 params + i * sizeof(struct btf_param),
						 sizeof(struct btf_param));

		if (bytes_u32(param, offsetof(struct btf_param, type), obj->btf.swap))
			btf_put_u32(obj, proto.id,
				    sizeof(struct btf_type) + i * sizeof(struct btf_param), name);
	}
}
