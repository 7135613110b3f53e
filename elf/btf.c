// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Copy types, members and names out of validated BTF. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "elf/elf_internal.h"

/* Offset of the type id in an entry (for struct btf_kind). */
#define TYPED(entry) (1 + offsetof(struct entry, type))

static const struct btf_kind kinds[NR_BTF_KINDS] = {
	[BTF_KIND_INT] = { .name = "int", .fixed = sizeof(uint32_t), .sized = true },
	[BTF_KIND_PTR] = { .name = "ptr", .refers = true },
	[BTF_KIND_ARRAY] = { .name = "array", .fixed = sizeof(struct btf_array) },
	[BTF_KIND_STRUCT] = { .name = "struct", .sized = true, .each = sizeof(struct btf_member),
			      .names = true, .typed = TYPED(btf_member) },
	[BTF_KIND_UNION] = { .name = "union", .sized = true, .each = sizeof(struct btf_member),
			     .names = true, .typed = TYPED(btf_member) },
	[BTF_KIND_ENUM] = { .name = "enum", .sized = true, .each = sizeof(struct btf_enum),
			    .names = true },
	[BTF_KIND_FWD] = { .name = "fwd" },
	[BTF_KIND_TYPEDEF] = { .name = "typedef", .refers = true, .modifier = true },
	[BTF_KIND_VOLATILE] = { .name = "volatile", .refers = true, .modifier = true },
	[BTF_KIND_CONST] = { .name = "const", .refers = true, .modifier = true },
	[BTF_KIND_RESTRICT] = { .name = "restrict", .refers = true, .modifier = true },
	[BTF_KIND_FUNC] = { .name = "func", .refers = true },
	[BTF_KIND_FUNC_PROTO] = { .name = "func_proto", .refers = true,
				  .each = sizeof(struct btf_param), .names = true,
				  .typed = TYPED(btf_param) },
	[BTF_KIND_VAR] = { .name = "var", .fixed = sizeof(struct btf_var), .refers = true },
	[BTF_KIND_DATASEC] = { .name = "datasec", .sized = true,
			       .each = sizeof(struct btf_var_secinfo),
			       .typed = TYPED(btf_var_secinfo) },
	[BTF_KIND_FLOAT] = { .name = "float", .sized = true },
	[BTF_KIND_DECL_TAG] = { .name = "decl_tag", .refers = true,
				.fixed = sizeof(struct btf_decl_tag) },
	[BTF_KIND_TYPE_TAG] = { .name = "type_tag", .refers = true, .modifier = true },
	[BTF_KIND_ENUM64] = { .name = "enum64", .sized = true, .each = sizeof(struct btf_enum64),
			      .names = true },
};

const struct btf_kind *btf_kind(uint32_t kind)
{
	return kind < NR_BTF_KINDS && kinds[kind].name ? &kinds[kind] : NULL;
}

const char *btf_kind_name(uint32_t kind)
{
	const struct btf_kind *k = btf_kind(kind);

	if (k)
		return k->name;
	return kind == BTF_KIND_UNKN ? "void" : "unknown kind";
}

const char *btf_string(const struct btf *btf, uint32_t off)
{
	if (btf->base) {
		if (off < btf->base->strings.size)
			btf = btf->base;
		else
			off -= btf->base->strings.size;
	}
	/* The strings end with a zero byte, so every string is terminated. */
	return off < btf->strings.size ? (const char *)btf->strings.data + off : NULL;
}

struct btf_type_view btf_type(const struct btf *btf, uint32_t id)
{
	struct btf_type_view t = { .name = "", .id = id };
	const struct btf_kind *kind;
	uint32_t info, word;
	size_t at;

	if (id == 0)
		return t;
	btf = btf_holder(btf, id);
	at = t.at = btf_offset(btf, id);
	info = btf_word(btf, at + offsetof(struct btf_type, info));
	word = btf_word(btf, at + offsetof(struct btf_type, size));
	t.name = btf_string(btf, btf_word(btf, at + offsetof(struct btf_type, name_off)));
	t.kind = btf_info_kind(info);
	if (!t.kind)
		return t;
	t.vlen = BTF_INFO_VLEN(info);
	t.kind_flag = BTF_INFO_KFLAG(info);
	kind = btf_kind(t.kind);
	t.size = kind->sized ? word : 0;
	t.type = kind->refers ? word : 0;
	if (t.kind == BTF_KIND_FUNC) {
		t.extra = t.vlen;
		t.vlen = 0;
	} else if (kind->fixed == sizeof(uint32_t)) {
		t.extra = btf_word(btf, btf_entry(&t, 0, 0));
	}
	return t;
}

struct btf_member_view btf_member(const struct btf *btf, const struct btf_type_view *t, uint32_t i)
{
	const struct btf *holder = btf_holder(btf, t->id);
	size_t at = btf_entry(t, i, sizeof(struct btf_member));
	uint32_t offset = btf_word(holder, at + offsetof(struct btf_member, offset));

	return (struct btf_member_view){
		.name = btf_string(holder,
				   btf_word(holder, at + offsetof(struct btf_member, name_off))),
		.type = btf_word(holder, at + offsetof(struct btf_member, type)),
		.bit_offset = t->kind_flag ? BTF_MEMBER_BIT_OFFSET(offset) : offset,
		.bitfield_size = t->kind_flag ? BTF_MEMBER_BITFIELD_SIZE(offset) : 0,
	};
}

struct btf_param_view btf_param(const struct btf *btf, const struct btf_type_view *t, uint32_t i)
{
	const struct btf *holder = btf_holder(btf, t->id);
	const size_t at = btf_entry(t, i, sizeof(struct btf_param));

	return (struct btf_param_view){
		.name = btf_string(holder,
				   btf_word(holder, at + offsetof(struct btf_param, name_off))),
		.type = btf_word(holder, at + offsetof(struct btf_param, type)),
	};
}

struct btf_array_view btf_array(const struct btf *btf, const struct btf_type_view *t)
{
	const struct btf *holder = btf_holder(btf, t->id);
	size_t at = btf_entry(t, 0, 0);

	return (struct btf_array_view){
		.type = btf_word(holder, at + offsetof(struct btf_array, type)),
		.index_type = btf_word(holder, at + offsetof(struct btf_array, index_type)),
		.nelems = btf_word(holder, at + offsetof(struct btf_array, nelems)),
	};
}

struct btf_enumerator_view btf_enumerator(const struct btf *btf, const struct btf_type_view *t,
					  uint32_t i)
{
	const struct btf *holder = btf_holder(btf, t->id);
	size_t at = btf_entry(t, i, btf_kind(t->kind)->each);
	struct btf_enumerator_view e = { .name = btf_string(holder, btf_word(holder, at)) };
	uint32_t low = btf_word(holder, at + offsetof(struct btf_enum, val)), high;

	if (t->kind == BTF_KIND_ENUM64) {
		high = btf_word(holder, at + offsetof(struct btf_enum64, val_hi32));
		e.value = (uint64_t)high << 32 | low;
	} else {
		e.value = t->kind_flag ? (uint64_t)(int32_t)low : low;
	}
	return e;
}

struct btf_var_view btf_datasec_var(const struct btf *btf, const struct btf_type_view *t,
				    uint32_t i)
{
	const struct btf *holder = btf_holder(btf, t->id);
	size_t at = btf_entry(t, i, sizeof(struct btf_var_secinfo));

	return (struct btf_var_view){
		.type = btf_word(holder, at + offsetof(struct btf_var_secinfo, type)),
		.offset = btf_word(holder, at + offsetof(struct btf_var_secinfo, offset)),
		.size = btf_word(holder, at + offsetof(struct btf_var_secinfo, size)),
	};
}

struct btf_type_view btf_skip(const struct btf *btf, uint32_t id)
{
	return btf_type(btf, btf_skip_id(btf, id));
}

int64_t btf_size(const struct btf *btf, uint32_t id)
{
	uint64_t count = 1, size;

	for (unsigned int depth = 0; depth < BTF_DEPTH_MAX; depth++) {
		struct btf_type_view t = btf_skip(btf, id);

		if (t.kind == BTF_KIND_ARRAY) {
			struct btf_array_view array = btf_array(btf, &t);

			if (__builtin_mul_overflow(count, array.nelems, &count))
				return -EINVAL;
			id = array.type;
		} else if (t.kind == BTF_KIND_VAR) {
			id = t.type;
		} else if (t.kind == BTF_KIND_PTR || (t.kind && btf_kind(t.kind)->sized)) {
			size = t.kind == BTF_KIND_PTR ? btf->pointer_size : t.size;
			if (__builtin_mul_overflow(count, size, &size))
				return -EINVAL;
			return size <= INT64_MAX ? (int64_t)size : -EINVAL;
		} else {
			break;
		}
	}
	return -EINVAL;
}

uint32_t btf_find(const struct btf *btf, uint32_t kind, const char *name)
{
	for (uint32_t id = 1; btf_has(btf, id); id++)
		if (btf_kind_of(btf, id) == kind && !strcmp(btf_type(btf, id).name, name))
			return id;
	return 0;
}

void btf_learn_pointers(struct btf *btf)
{
	/* The names under which gcc and clang emit it. */
	static const char *const longs[] = { "long unsigned int", "unsigned long",
					     "long int", "long" };

	for (uint32_t id = btf->first_id ? btf->first_id : 1; btf_has(btf, id); id++) {
		struct btf_type_view t;

		if (btf_kind_of(btf, id) != BTF_KIND_INT)
			continue;
		t = btf_type(btf, id);
		for (size_t i = 0; t.name && i < sizeof(longs) / sizeof(longs[0]); i++) {
			if (strcmp(t.name, longs[i]) || (t.size != 4 && t.size != 8))
				continue;
			btf->pointer_size = t.size;
			return;
		}
	}
}
