// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read records of BTF that was only indexed, checking each of them. */
#include <errno.h>

#include "loader/objects/kernel_types/checked_types.h"

/* Larger than any kernel object, but small enough that products do not overflow. */
#define SIZE_LIMIT (INT64_C(1) << 40)

struct btf_type_view checked_type(const struct btf *btf, uint32_t id)
{
	struct btf_type_view t = btf_type(btf, btf_has(btf, id) ? id : 0);

	if (!t.name)
		t.name = "";
	return t;
}

static bool is_modifier(uint32_t kind)
{
	return kind == BTF_KIND_TYPEDEF || kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE ||
	       kind == BTF_KIND_RESTRICT || kind == BTF_KIND_TYPE_TAG;
}

struct btf_type_view checked_skip(const struct btf *btf, uint32_t id)
{
	struct btf_type_view t = checked_type(btf, id);

	for (unsigned int depth = 0; is_modifier(t.kind); depth++)
		t = checked_type(btf, depth < BTF_DEPTH_MAX ? t.type : 0);
	return t;
}

struct btf_member_view checked_member(const struct btf *btf, const struct btf_type_view *t,
					uint32_t i)
{
	struct btf_member_view m = btf_member(btf, t, i);

	if (!m.name)
		m.name = "";
	return m;
}

struct btf_enumerator_view checked_enumerator(const struct btf *btf,
						const struct btf_type_view *t, uint32_t i)
{
	struct btf_enumerator_view e = btf_enumerator(btf, t, i);

	if (!e.name)
		e.name = "";
	return e;
}

/* Return the type of parameter @i of a FUNC_PROTO, whose struct btf_param[] follow the btf_type. */
uint32_t checked_param(const struct btf *btf, const struct btf_type_view *t, uint32_t i)
{
	const struct btf *holder = btf_holder(btf, t->id);
	size_t at = t->at + sizeof(struct btf_type) + i * sizeof(struct btf_param);

	return bytes_u32(holder->types, at + offsetof(struct btf_param, type), holder->swap);
}

int64_t checked_size(const struct btf *btf, uint32_t id)
{
	int64_t count = 1;

	for (unsigned int depth = 0; depth < BTF_DEPTH_MAX; depth++) {
		struct btf_type_view t = checked_skip(btf, id);
		int64_t size = t.kind == BTF_KIND_PTR ? btf->pointer_size : t.size;
		struct btf_array_view array;

		switch (t.kind) {
		case BTF_KIND_ARRAY:
			array = btf_array(btf, &t);
			if (array.nelems && count > SIZE_LIMIT / array.nelems)
				return -EINVAL;
			count *= array.nelems;
			id = array.type;
			break;
		case BTF_KIND_PTR:
		case BTF_KIND_INT:
		case BTF_KIND_FLOAT:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
			return size && count > SIZE_LIMIT / size ? -EINVAL : count * size;
		default:
			return -EINVAL;
		}
	}
	return -EINVAL;
}
