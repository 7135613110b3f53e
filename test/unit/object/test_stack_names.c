// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Members of structs with the names of a process, and those that options name. */
#include <errno.h>
#include <stdlib.h>

#include "loader/objects/analysis/stack_fields.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

/*
 *	struct key { int pid; struct { int tgid; char comm[16]; } in; int bits : 3; int id; }
 *	struct value { int pid; long tgid; int comm; }
 */
struct types {
	struct btf_builder b;
	struct buffer raw;
	struct bpf_object obj;
	struct object_map maps[3];
	uint32_t key, value, empty;
	struct stack_fields fields;
	struct error err;
};

static void begin(struct types *t)
{
	struct btf_builder *b = &t->b;
	uint32_t number, wide, text, in;

	memset(t, 0, sizeof(*t));
	number = bb_int(b, "int", 4, BTF_INT_SIGNED);
	wide = bb_int(b, "long", 8, BTF_INT_SIGNED);
	text = bb_array(b, bb_int(b, "char", 1, 0), number, 16);
	in = bb_struct(b, BTF_KIND_UNION, "", 20, false);
	bb_member(b, "tgid", number, 0, 0);
	bb_member(b, "comm", text, 32, 0);
	t->key = bb_struct(b, BTF_KIND_STRUCT, "key", 32, true);
	bb_member(b, "pid", number, 0, 0);
	bb_member(b, "", in, 32, 0);
	bb_member(b, "bits", number, 192, 3);
	bb_member(b, "id", number, 224, 0);
	t->value = bb_struct(b, BTF_KIND_STRUCT, "value", 24, false);
	bb_member(b, "pid", number, 0, 0);
	bb_member(b, "tgid", wide, 64, 0);
	bb_member(b, "comm", number, 128, 0);
	t->empty = bb_struct(b, BTF_KIND_STRUCT, "empty", 0, false);
	t->raw = bb_btf(b);
	ck_assert_msg(!btf_parse(&t->obj.btf, buffer_bytes(&t->raw), &t->err), "%s", t->err.what);
	t->maps[0] = (struct object_map){ .name = "stacks", .type = BPF_MAP_TYPE_STACK_TRACE };
	t->maps[1] = (struct object_map){ .name = "counts", .type = BPF_MAP_TYPE_HASH,
					  .key_size = 32, .key_type = t->key, .value_type = t->value };
	t->maps[2] = (struct object_map){ .name = "ids", .type = BPF_MAP_TYPE_HASH, .key_size = 4 };
	t->obj.maps = t->maps;
	t->obj.nr_maps = 3;
	t->obj.has_btf = true;
}

static void end(struct types *t)
{
	stack_fields_free(&t->fields);
	btf_free(&t->obj.btf);
	buffer_free(&t->raw);
	bb_free(&t->b);
}

static void by_names(struct types *t, uint32_t type, enum stack_field_part part)
{
	ck_assert_int_eq(stack_fields_by_names(&t->obj.btf, type, 1, part, &t->fields, &t->err), 0);
}

TEST(tgid_and_comm_within_a_union)
{
	struct types t;

	begin(&t);
	by_names(&t, t.key, STACK_FIELD_KEY);
	ck_assert_uint_eq(t.fields.nr, 2);
	ck_assert(t.fields.list[0].role == STACK_FIELD_TGID && t.fields.list[0].offset == 4);
	ck_assert(t.fields.list[1].role == STACK_FIELD_COMM && t.fields.list[1].offset == 8);
	ck_assert_uint_eq(t.fields.list[1].size, 16);
	/* There are such fields already. */
	by_names(&t, t.key, STACK_FIELD_KEY);
	ck_assert_uint_eq(t.fields.nr, 2);
	end(&t);
}

/* "tgid" is no number of 4 bytes there, nor "comm" an array. */
TEST(pid_if_there_is_no_tgid)
{
	struct types t;

	begin(&t);
	by_names(&t, t.value, STACK_FIELD_VALUE);
	ck_assert_uint_eq(t.fields.nr, 1);
	ck_assert(t.fields.list[0].role == STACK_FIELD_TGID && t.fields.list[0].offset == 0);
	by_names(&t, 0, STACK_FIELD_RECORD);
	by_names(&t, 9999, STACK_FIELD_RECORD);
	by_names(&t, t.empty, STACK_FIELD_RECORD);
	ck_assert_int_eq(stack_fields_by_names(NULL, t.key, 1, STACK_FIELD_RECORD, &t.fields, NULL),
			 0);
	ck_assert_uint_eq(t.fields.nr, 1);
	end(&t);
}

/* The name of a field has no effect if the code has shown already which kind of field it is. */
TEST(code_beats_names)
{
	struct stack_field mixed = { .map = 1, .part = STACK_FIELD_KEY, .role = STACK_FIELD_MIXED,
				     .offset = 4, .size = 4 };
	struct types t;

	begin(&t);
	ck_assert_int_eq(stack_fields_add(&t.fields, &mixed, NULL), 0);
	by_names(&t, t.key, STACK_FIELD_KEY);
	ck_assert_int_eq(t.fields.list[0].role, STACK_FIELD_MIXED);
	mixed.offset = 12;
	mixed.role = STACK_FIELD_TGID;
	ck_assert_int_eq(stack_fields_add(&t.fields, &mixed, NULL), 0);
	mixed.role = STACK_FIELD_TGID;
	mixed.user = true;	/* of the user on another path */
	ck_assert_int_eq(stack_fields_add(&t.fields, &mixed, NULL), 0);
	ck_assert_int_eq(t.fields.list[t.fields.nr - 1].role, STACK_FIELD_MIXED);
	end(&t);
}
