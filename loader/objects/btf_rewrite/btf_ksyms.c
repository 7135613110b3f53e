// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rewrite the BTF of kernel symbols for the kernel, which does not know externs and requires the
 * variables of a DATASEC to have a size (btf_datasec_resolve() in kernel/bpf/btf.c).
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/parse.h"

/* Append two types: "void *", and a variable of that type whose name is at offset @name. */
static int extend(struct bpf_object *obj, uint32_t name, struct error *err)
{
	const struct btf *btf = &obj->btf;
	const uint32_t words[] = {
		0, (uint32_t)BTF_KIND_PTR << 24, 0,
		name, (uint32_t)BTF_KIND_VAR << 24, btf->nr_types, BTF_VAR_GLOBAL_ALLOCATED,
	};

	return btf_splice(obj, btf->types.size, 0, words, sizeof(words) / sizeof(words[0]), err);
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
	 * Compilers name either all parameters of a declaration or none, so the first one shows
	 * whether this prototype is done. A parameter of type 0 is "..." and has no name.
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
