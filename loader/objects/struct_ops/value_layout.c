// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lay out the value of a struct of functions: copy each member to the kernel's member with the same
 * name, whose offset differs between versions.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/struct_ops/struct_ops_internal.h"

/* A member of the object's struct, and the kernel's member with that name. */
struct pair {
	const struct object_map *map;
	struct btf_member_view local, there;
	struct btf_type_view local_type, there_type;	/* without modifiers */
	uint32_t index;			/* index of @there */
	uint32_t offset;		/* offset of @local, bytes */
	int64_t size;			/* size of @local, bytes */
	const struct object_slot *slot;	/* the program it points to, or NULL */
};

static bool find_kernel_member(const struct ops_type *type, struct pair *p)
{
	for (p->index = 0; p->local.name[0] && p->index < type->data.vlen; p->index++) {
		p->there = checked_member(type->btf, &type->data, p->index);
		if (strcmp(p->there.name, p->local.name))
			continue;
		p->there_type = checked_skip(type->btf, p->there.type);
		return true;
	}
	return false;
}

static bool is_zero(const struct pair *p)
{
	const unsigned char *content = p->map->content + p->offset;

	if (p->local.bitfield_size)
		return false;
	for (int64_t i = 0; i < p->size; i++)
		if (content[i])
			return false;
	return !p->slot;
}

/* Compute the offset of the member in the value; it must be inside the value. */
static int value_offset(const struct ops_type *type, const struct pair *p, uint32_t *at,
			struct error *err)
{
	uint64_t offset = (uint64_t)type->data_at + p->there.bit_offset / 8;

	if (!bytes_hold(type->value.size, offset, p->size))
		return error_set(err, EBADMSG, "in the kernel, it is outside struct '%s'",
				 type->value.name);
	*at = offset;
	return 0;
}

static int set_target(struct struct_ops *ops, const struct ops_type *type, const struct pair *p,
		      struct error *err)
{
	const struct prog_target target = { type->data.id, type->btf_fd, p->index };
	struct prog_target *of = &ops->targets[p->slot->target];

	if (!of->btf_id)
		*of = target;
	if (!memcmp(of, &target, sizeof(target)))
		return 0;
	error_set(err, EINVAL, "program '%s' is already used for another member",
		  ops->obj->progs[p->slot->target].name);
	return error_hint(err, "the kernel loads a program for a single member: write a second "
			       "program");
}

/* Return true if the kernel's member is a pointer to a function. */
static bool is_function(const struct ops_type *type, const struct pair *p)
{
	return p->there_type.kind == BTF_KIND_PTR &&
	       checked_skip(type->btf, p->there_type.type).kind == BTF_KIND_FUNC_PROTO;
}

static int put_function(struct struct_ops *ops, const struct ops_type *type, const struct pair *p,
			struct ops_value *value, struct error *err)
{
	struct object_slot *slot = &value->slots[value->nr_slots];
	int ret;

	if (!is_function(type, p))
		return error_set(err, ENOTSUP,
				 "it is set to a program, but is not a function in the kernel");
	ret = value_offset(type, p, &slot->index, err);
	if (ret)
		return ret;
	slot->target = p->slot->target;
	value->nr_slots++;
	return set_target(ops, type, p, err);
}

static int put_data(const struct ops_type *type, const struct pair *p, struct ops_value *value,
		    struct error *err)
{
	int64_t size = checked_size(type->btf, p->there.type);
	uint32_t at = 0;
	int ret;

	if (size != p->size)
		return error_set(err, ENOTSUP,
				 "it has %" PRId64 " bytes, and %" PRId64 " in the kernel",
				 p->size, size);
	if (is_function(type, p) && !is_zero(p))
		return error_set(err, ENOTSUP, "it is a function in the kernel, but is set to a "
					       "number");
	ret = value_offset(type, p, &at, err);
	if (!ret)
		memcpy(value->bytes + at, p->map->content + p->offset, size);
	return ret;
}

static int put_member(struct struct_ops *ops, const struct ops_type *type, struct pair *p,
		      struct ops_value *value, struct error *err)
{
	if (!find_kernel_member(type, p)) {
		/* A member that this kernel does not have is ignored unless it is set. */
		if (is_zero(p))
			return 0;
		error_set(err, ENOTSUP,
			  "it is set, but the kernel's struct '%s' has no such member",
			  type->data.name);
		return error_hint(err, "leave it 0 for this kernel");
	}
	if (p->local.bitfield_size || p->there.bitfield_size)
		return error_set(err, ENOTSUP, "it is a bit field");
	if (p->local_type.kind != p->there_type.kind)
		return error_set(err, ENOTSUP, "its kind is %s, but %s in the kernel",
				 btf_kind_name(p->local_type.kind),
				 btf_kind_name(p->there_type.kind));
	return p->slot ? put_function(ops, type, p, value, err) : put_data(type, p, value, err);
}

static int no_member(const struct object_slot *slot, struct error *err)
{
	return error_set(err, ENOTSUP,
			 "byte %" PRIu32 " of the struct points to a program, but is not a member",
			 slot->index);
}

/*
 * Set p->slot if the next slot is at the member's offset. Slots and members are in ascending order.
 */
static int next_slot(const struct object_map *map, uint32_t *slot, struct pair *p,
		     struct error *err)
{
	const struct object_slot *s = *slot < map->nr_slots ? &map->slots[*slot] : NULL;

	p->slot = NULL;
	if (!s || s->index >= p->offset + p->size)
		return 0;
	if (s->index != p->offset || p->local_type.kind != BTF_KIND_PTR)
		return no_member(s, err);
	p->slot = s;
	(*slot)++;
	return 0;
}

static int put_members(struct struct_ops *ops, const struct object_map *map,
		       const struct ops_type *type, struct ops_value *value, struct error *err)
{
	const struct btf *btf = &ops->obj->btf;
	struct btf_type_view t = btf_type(btf, map->struct_type);
	uint32_t slot = 0;

	for (uint32_t i = 0; i < t.vlen; i++) {
		struct pair p = { .map = map, .local = btf_member(btf, &t, i) };
		int ret;

		p.local_type = btf_skip(btf, p.local.type);
		p.offset = p.local.bit_offset / 8;
		p.size = btf_size(btf, p.local.type);
		ret = next_slot(map, &slot, &p, err);
		if (!ret)
			ret = put_member(ops, type, &p, value, err);
		if (ret)
			return error_where(err, "member '%s'", p.local.name);
	}
	return slot == map->nr_slots ? 0 : no_member(&map->slots[slot], err);
}

int ops_value_lay_out(struct struct_ops *ops, uint32_t map, const struct ops_type *type,
		      struct error *err)
{
	const struct object_map *m = &ops->obj->maps[map];
	struct ops_value *value = &ops->values[map];
	int ret;

	value->bytes = calloc(1, type->value.size ? type->value.size : 1);
	value->slots = calloc(m->nr_slots + 1, sizeof(*value->slots));
	if (!value->bytes || !value->slots)
		return error_set(err, ENOMEM, "no memory for its value");
	ret = put_members(ops, m, type, value, err);
	if (ret)
		return ret;
	ops->maps[map] = (struct ops_map){ type->value.id, type->value.size, type->btf_fd };
	return 0;
}
