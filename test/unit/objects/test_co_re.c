// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CO-RE between two BTFs: the value of each kind, what counts as the same type, what is poisoned,
 * and types and access strings that are made to hurt.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "loader/objects/co_re/co_re.h"
#include "loader/objects/co_re/co_re_internal.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/object_builder.h"
#include "test/unit/common/suite.h"

/* The kinds of relocations, by names that fit into a row. */
enum {
	OFFSET = BPF_CORE_FIELD_BYTE_OFFSET, SIZE = BPF_CORE_FIELD_BYTE_SIZE,
	EXISTS = BPF_CORE_FIELD_EXISTS, SIGNED = BPF_CORE_FIELD_SIGNED,
	LSHIFT = BPF_CORE_FIELD_LSHIFT_U64, RSHIFT = BPF_CORE_FIELD_RSHIFT_U64,
	LOCAL_ID = BPF_CORE_TYPE_ID_LOCAL, TARGET_ID = BPF_CORE_TYPE_ID_TARGET,
	TYPE_EXISTS = BPF_CORE_TYPE_EXISTS, TYPE_SIZE = BPF_CORE_TYPE_SIZE,
	MATCHES = BPF_CORE_TYPE_MATCHES, VALUE_EXISTS = BPF_CORE_ENUMVAL_EXISTS,
	VALUE = BPF_CORE_ENUMVAL_VALUE,
};

/* The object's types, in this order. */
enum {
	L_VOID, L_INT, L_UINT, L_PTR, L_ARRAY, L_FLEX, L_S, L_S_FLAVOUR, L_GONE, L_TWIN, L_ENUM,
	L_ENUM64, L_TYPEDEF, L_NO_TYPEDEF, L_FWD, L_MATCH, L_NO_MATCH, L_CYCLE, L_PTR_CYCLE, L_ANON,
	L_BITS, L_PROTO, L_FN, L_SMALL, L_S_POINTER, L_HAS_POINTER,
	L_ENDS, L_ENDS_FLEX, L_TWIN_POINTER, L_PROTO_TWO, L_FN_TWO, L_PROTO_INT, L_FN_INT,
	L_PROTO_RETURN,
	L_FN_RETURN, L_PROTO_OTHER, L_FN_OTHER, L_PROTO_VALUE, L_FN_VALUE, L_VALUE_POINTER, L_FNP,
	L_PTRS,
	L_LONG, L_PROTO_NONE, L_FN_NONE,
};

static void build_local_structs(struct btf_builder *b)
{
	bb_struct(b, BTF_KIND_STRUCT, "s", 64, false);
	bb_member(b, "a", L_INT, 0, 0);
	bb_member(b, "p", L_PTR, 64, 0);
	bb_member(b, "arr", L_ARRAY, 128, 0);
	bb_member(b, "gone", L_INT, 256, 0);
	bb_member(b, "u", L_UINT, 288, 0);
	bb_member(b, "kind", L_INT, 320, 0);	/* a pointer there */
	bb_member(b, "tail", L_FLEX, 512, 0);
	bb_struct(b, BTF_KIND_STRUCT, "s___v2", 4, false);
	bb_member(b, "inner", L_INT, 0, 0);
	bb_struct(b, BTF_KIND_STRUCT, "gone", 4, false);
	bb_member(b, "x", L_INT, 0, 0);
	bb_struct(b, BTF_KIND_STRUCT, "twin", 8, false);
	bb_member(b, "same", L_INT, 0, 0);
	bb_member(b, "differs", L_INT, 32, 0);
}

/*
 * Those of the target: int fn(struct s *), int fn_value(struct s), and fnp, which points to such a
 * one.
 */
static void build_local_functions(struct btf_builder *b)
{
	bb_ref(b, BTF_KIND_PTR, "", L_TWIN);
	bb_proto(b, L_INT);
	bb_param(b, "x", L_S_POINTER);
	bb_param(b, "y", L_INT);
	bb_ref(b, BTF_KIND_TYPEDEF, "fn___two", L_PROTO_TWO);
	bb_proto(b, L_INT);
	bb_param(b, "x", L_INT);
	bb_ref(b, BTF_KIND_TYPEDEF, "fn___int", L_PROTO_INT);
	bb_proto(b, L_UINT);
	bb_param(b, "x", L_S_POINTER);
	bb_ref(b, BTF_KIND_TYPEDEF, "fn___return", L_PROTO_RETURN);
	bb_proto(b, L_INT);
	bb_param(b, "x", L_TWIN_POINTER);
	bb_ref(b, BTF_KIND_TYPEDEF, "fn___other", L_PROTO_OTHER);
	bb_proto(b, L_INT);
	bb_param(b, "x", L_S);
	bb_ref(b, BTF_KIND_TYPEDEF, "fn_value", L_PROTO_VALUE);
	bb_ref(b, BTF_KIND_PTR, "", L_PROTO_VALUE);
	bb_ref(b, BTF_KIND_TYPEDEF, "fnp", L_VALUE_POINTER);
}

static void build_local(struct btf_builder *b)
{
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_int(b, "unsigned int", 4, 0);
	bb_ref(b, BTF_KIND_PTR, "", 0);
	bb_array(b, L_INT, L_INT, 4);
	bb_array(b, L_INT, L_INT, 0);
	build_local_structs(b);
	bb_enum(b, BTF_KIND_ENUM, "e", 4, false);
	bb_enumerator(b, "E_ONE", 10);
	bb_enumerator(b, "E_TWO___x", 11);
	bb_enumerator(b, "E_GONE", 12);
	bb_enum(b, BTF_KIND_ENUM64, "e64", 8, true);
	bb_enumerator(b, "E_BIG", UINT64_C(0xffffffff00000001));
	bb_ref(b, BTF_KIND_TYPEDEF, "t", L_INT);
	bb_ref(b, BTF_KIND_TYPEDEF, "no_t", L_INT);
	bb_fwd(b, "f", true);
	bb_struct(b, BTF_KIND_STRUCT, "m", 16, false);
	bb_member(b, "y", L_UINT, 0, 0);
	bb_member(b, "next", L_PTR_CYCLE, 64, 0);
	bb_struct(b, BTF_KIND_STRUCT, "m___no", 4, false);
	bb_member(b, "y", L_INT, 0, 0);
	bb_struct(b, BTF_KIND_STRUCT, "cycle", 8, false);
	bb_member(b, "next", L_PTR_CYCLE, 0, 0);
	bb_ref(b, BTF_KIND_PTR, "", L_CYCLE);
	bb_struct(b, BTF_KIND_STRUCT, "", 4, false);
	bb_member(b, "x", L_INT, 0, 0);
	bb_struct(b, BTF_KIND_STRUCT, "bits", 8, true);
	bb_member(b, "one", L_INT, 0, 3);
	bb_member(b, "two", L_UINT, 3, 7);
	bb_proto(b, L_INT);
	bb_param(b, "x", L_S_POINTER);
	bb_ref(b, BTF_KIND_TYPEDEF, "fn", L_PROTO);
	bb_struct(b, BTF_KIND_STRUCT, "small", 8, false);
	bb_member(b, "i", L_INT, 0, 0);
	bb_member(b, "e", L_ENUM, 32, 0);
	bb_ref(b, BTF_KIND_PTR, "", L_S);
	bb_struct(b, BTF_KIND_STRUCT, "has", 8, false);
	bb_member(b, "s", L_S_POINTER, 0, 0);
	bb_struct(b, BTF_KIND_STRUCT, "ends", 20, false);
	bb_member(b, "a", L_INT, 0, 0);
	bb_member(b, "arr", L_ARRAY, 32, 0);
	bb_struct(b, BTF_KIND_STRUCT, "ends___flex", 4, false);
	bb_member(b, "a", L_INT, 0, 0);
	bb_member(b, "arr", L_FLEX, 32, 0);
	build_local_functions(b);
	bb_struct(b, BTF_KIND_STRUCT, "ptrs", 24, false);
	bb_member(b, "first", L_PTR, 0, 0);
	bb_member(b, "second", L_PTR, 64, 0);
	bb_member(b, "number", L_LONG, 128, 0);
	bb_int(b, "long", 8, BTF_INT_SIGNED);
	bb_proto(b, L_INT);
	bb_ref(b, BTF_KIND_TYPEDEF, "fn___none", L_PROTO_NONE);
}

/* The kernel's: ids that rows expect are named. */
enum { T_INT = 1, T_ULONG, T_PTR, T_ARRAY, T_FLEX, T_INNER, T_OUTER, T_S, T_TYPEDEF = 15 };

static void build_target(struct btf_builder *b)
{
	uint32_t value;

	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_int(b, "unsigned long", 8, 0);
	bb_ref(b, BTF_KIND_PTR, "", T_S);
	bb_array(b, T_INT, T_INT, 8);
	bb_array(b, T_INT, T_INT, 0);
	bb_struct(b, BTF_KIND_STRUCT, "", 8, false);
	bb_member(b, "other", T_INT, 0, 0);
	bb_member(b, "inner", T_INT, 32, 0);
	bb_struct(b, BTF_KIND_UNION, "", 8, false);
	bb_member(b, "", T_INNER, 0, 0);
	bb_struct(b, BTF_KIND_STRUCT, "s", 128, false);
	bb_member(b, "p", T_PTR, 0, 0);
	bb_member(b, "", T_OUTER, 64, 0);
	bb_member(b, "a", T_INT, 128, 0);
	bb_member(b, "arr", T_ARRAY, 160, 0);
	bb_member(b, "u", T_ULONG, 448, 0);
	bb_member(b, "kind", T_PTR, 512, 0);
	bb_member(b, "tail", T_FLEX, 1024, 0);
	bb_struct(b, BTF_KIND_STRUCT, "twin", 8, false);
	bb_member(b, "same", T_INT, 0, 0);
	bb_member(b, "differs", T_INT, 32, 0);
	bb_struct(b, BTF_KIND_STRUCT, "twin___other", 12, false);
	bb_member(b, "same", T_INT, 0, 0);
	bb_member(b, "differs", T_INT, 64, 0);
	bb_enum(b, BTF_KIND_ENUM64, "e", 8, false);
	bb_enumerator(b, "E_TWO", UINT64_C(1) << 40);
	bb_enumerator(b, "E_ONE", 1);
	bb_enum(b, BTF_KIND_ENUM64, "e64", 8, true);
	bb_enumerator(b, "E_BIG", 5);
	bb_struct(b, BTF_KIND_STRUCT, "m", 24, false);
	bb_member(b, "z", T_INT, 0, 0);
	bb_member(b, "y", 14, 32, 0);
	bb_member(b, "next", 16, 64, 0);
	bb_int(b, "unsigned int", 4, 0);	/* 14 */
	bb_ref(b, BTF_KIND_TYPEDEF, "t", T_INT);
	bb_ref(b, BTF_KIND_PTR, "", 17);
	bb_fwd(b, "cycle", false);	/* 17 */
	bb_fwd(b, "f", true);
	bb_struct(b, BTF_KIND_STRUCT, "bits", 8, true);	/* 19 */
	bb_member(b, "pad", T_INT, 0, 30);
	bb_member(b, "two", 14, 30, 5);	/* over the border of a unit of 4 bytes */
	bb_member(b, "one", T_INT, 35, 9);
	bb_proto(b, T_INT);
	bb_param(b, "x", T_PTR);
	bb_ref(b, BTF_KIND_TYPEDEF, "fn", 20);
	bb_struct(b, BTF_KIND_STRUCT, "small", 16, false);
	bb_member(b, "i", T_ULONG, 0, 0);
	bb_member(b, "e", 11, 64, 0);
	bb_struct(b, BTF_KIND_STRUCT, "has", 8, false);
	bb_member(b, "s", T_PTR, 0, 0);
	bb_struct(b, BTF_KIND_STRUCT, "ends", 36, false);
	bb_member(b, "a", T_INT, 0, 0);
	bb_member(b, "arr", T_ARRAY, 32, 0);
	value = bb_proto(b, T_INT);
	bb_param(b, "x", T_S);
	bb_ref(b, BTF_KIND_TYPEDEF, "fn_value", value);
	bb_ref(b, BTF_KIND_TYPEDEF, "fnp", bb_ref(b, BTF_KIND_PTR, "", value));
}

/*
 * The types of the object and of the kernel, both indexed; the request of the test, and its answer.
 */
static struct world {
	struct btf_builder builders[2];
	struct buffer raw[2], ext_raw;
	struct btf local, target;
	struct btf_ext ext;
	struct co_re_candidates names;
	struct co_re_pair pair;
} w;
static struct co_re_result res;
static struct error err;

static struct bytes view(const struct buffer *b)
{
	return (struct bytes){ b->data, b->size };
}

static void begin(void)
{
	memset(&w, 0, sizeof(w));
	build_local(&w.builders[0]);
	build_target(&w.builders[1]);
}

/* Every type of the object is looked up once. */
static void finish(void)
{
	for (uint32_t id = 1; id <= w.builders[0].nr_types; id++)
		bb_core_relo(&w.builders[0], "x", id * 8, id, "0", TYPE_EXISTS);
	for (int i = 0; i < 2; i++)
		w.raw[i] = bb_btf(&w.builders[i]);
	w.ext_raw = bb_ext(&w.builders[0]);
	ck_assert_msg(!btf_parse(&w.local, view(&w.raw[0]), &err), "%s: %s", err.where, err.what);
	ck_assert_msg(!btf_index(&w.target, view(&w.raw[1]), &err), "%s: %s", err.where, err.what);
	ck_assert(!btf_ext_parse(&w.ext, view(&w.ext_raw), &w.local, &err));
	ck_assert(!co_re_candidates_find(&w.names, &w.local, &w.ext, &w.target, &err));
	w.pair = (struct co_re_pair){ .local = &w.local, .target = &w.target };
}

static void end(void)
{
	co_re_candidates_free(&w.names);
	btf_ext_free(&w.ext);
	btf_free(&w.local);
	btf_free(&w.target);
	buffer_free(&w.ext_raw);
	for (int i = 0; i < 2; i++) {
		buffer_free(&w.raw[i]);
		bb_free(&w.builders[i]);
	}
}

TEST_FIXTURE(begin, end)

/* The world keeps its local strings: the access string is put behind them for the while. */
static int resolve(uint32_t kind, uint32_t type, const char *access)
{
	struct buffer strings = { 0 };
	const struct bytes own = w.local.strings;
	struct btf_core_relo relo = { .type_id = type, .access_str_off = own.size, .kind = kind };
	int ret;

	buffer_add(&strings, own.data, own.size);
	buffer_add(&strings, access, strlen(access) + 1);
	w.local.strings = view(&strings);
	ret = co_re_resolve(&w.pair, &w.names, relo, &res, &err);
	w.local.strings = own;
	buffer_free(&strings);
	return ret;
}

static const struct {
	const char *name;
	uint32_t kind, type;
	const char *access;
	enum co_re_outcome why;
	uint64_t local, target;
} values[] = {
	{ "offset", OFFSET, L_S, "0:0", CO_RE_MET, 0, 16 },
	{ "offset of a pointer", OFFSET, L_S, "0:1", CO_RE_MET, 8, 0 },
	{ "offset of an element", OFFSET, L_S, "0:2:3", CO_RE_MET, 28, 32 },
	{ "offset in an array of structs", OFFSET, L_S, "2:0", CO_RE_MET, 128, 272 },
	{ "offset in a flexible array", OFFSET, L_S, "0:6:5", CO_RE_MET, 84, 148 },
	{ "offset in anonymous members", OFFSET, L_S_FLAVOUR, "0:0", CO_RE_MET, 0, 12 },
	{ "offset of nothing", OFFSET, L_S, "0:3", CO_RE_NO_MATCH, 32, 0 },
	{ "offset in no type", OFFSET, L_GONE, "0:0", CO_RE_NO_TYPE, 0, 0 },
	{ "offset of another kind", OFFSET, L_S, "0:5", CO_RE_NO_MATCH, 40, 0 },
	{ "offset of a wider unsigned", OFFSET, L_S, "0:4", CO_RE_MET, 36, 56 },
	{ "offset of a wider signed", OFFSET, L_SMALL, "0:0", CO_RE_BAD_SIZE, 0, 0 },
	{ "offset of a wider enum", OFFSET, L_SMALL, "0:1", CO_RE_BAD_SIZE, 4, 8 },
	{ "size", SIZE, L_S, "0:2", CO_RE_MET, 16, 32 },
	{ "size of an element", SIZE, L_S, "0:2:1", CO_RE_MET, 4, 4 },
	{ "exists", EXISTS, L_S, "0:0", CO_RE_MET, 1, 1 },
	{ "exists not", EXISTS, L_S, "0:3", CO_RE_MET, 1, 0 },
	{ "exists in no type", EXISTS, L_GONE, "0:0", CO_RE_MET, 1, 0 },
	{ "signed", SIGNED, L_S, "0:0", CO_RE_MET, 1, 1 },
	{ "unsigned", SIGNED, L_S, "0:4", CO_RE_MET, 0, 0 },
	{ "bits: offset", OFFSET, L_BITS, "0:0", CO_RE_MET, 0, 4 },
	{ "bits: size", SIZE, L_BITS, "0:0", CO_RE_MET, 4, 4 },
	{ "bits: size over a border", SIZE, L_BITS, "0:1", CO_RE_MET, 4, 8 },
	{ "bits: sign", SIGNED, L_BITS, "0:0", CO_RE_MET, 1, 1 },
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	{ "bits: lshift", LSHIFT, L_BITS, "0:0", CO_RE_MET, 61, 52 },
	{ "bits: lshift over a border", LSHIFT, L_BITS, "0:1", CO_RE_MET, 54, 29 },
#endif
	{ "bits: rshift", RSHIFT, L_BITS, "0:0", CO_RE_MET, 61, 55 },
	{ "rshift of an int", RSHIFT, L_S, "0:0", CO_RE_MET, 32, 32 },
	{ "local id", LOCAL_ID, L_S, "0", CO_RE_MET, L_S, L_S },
	{ "target id", TARGET_ID, L_S_FLAVOUR, "0", CO_RE_MET, L_S_FLAVOUR, T_S },
	{ "target id of nothing", TARGET_ID, L_GONE, "0", CO_RE_MET, L_GONE, 0 },
	{ "type exists", TYPE_EXISTS, L_S, "0", CO_RE_MET, 1, 1 },
	{ "type exists not", TYPE_EXISTS, L_GONE, "0", CO_RE_MET, 1, 0 },
	{ "typedef exists", TYPE_EXISTS, L_TYPEDEF, "0", CO_RE_MET, 1, 1 },
	{ "typedef exists not", TYPE_EXISTS, L_NO_TYPEDEF, "0", CO_RE_MET, 1, 0 },
	{ "function type exists", TYPE_EXISTS, L_FN, "0", CO_RE_MET, 1, 1 },
	{ "forward exists", TYPE_EXISTS, L_FWD, "0", CO_RE_MET, 1, 1 },
	{ "enum of another width exists", TYPE_EXISTS, L_ENUM, "0", CO_RE_MET, 1, 1 },
	{ "type size", TYPE_SIZE, L_S, "0", CO_RE_MET, 64, 128 },
	{ "type size of nothing", TYPE_SIZE, L_GONE, "0", CO_RE_MET, 4, 0 },
	{ "matches", MATCHES, L_MATCH, "0", CO_RE_MET, 1, 1 },
	{ "matches not", MATCHES, L_NO_MATCH, "0", CO_RE_MET, 1, 0 },
	{ "matches a typedef", MATCHES, L_TYPEDEF, "0", CO_RE_MET, 1, 1 },
	{ "matches not with a member more", MATCHES, L_S, "0", CO_RE_MET, 1, 0 },
	{ "matches by name behind a pointer", MATCHES, L_HAS_POINTER, "0", CO_RE_MET, 1, 1 },
	{ "matches not an enumerator more", MATCHES, L_ENUM, "0", CO_RE_MET, 1, 0 },
	{ "matches an enum", MATCHES, L_ENUM64, "0", CO_RE_MET, 1, 1 },
	{ "matches a function", MATCHES, L_FN, "0", CO_RE_MET, 1, 1 },
	{ "matches not with a parameter more", MATCHES, L_FN_TWO, "0", CO_RE_MET, 1, 0 },
	{ "matches not with a parameter less", MATCHES, L_FN_NONE, "0", CO_RE_MET, 1, 0 },
	{ "matches not with another parameter", MATCHES, L_FN_INT, "0", CO_RE_MET, 1, 0 },
	{ "matches not a pointer elsewhere", MATCHES, L_FN_OTHER, "0", CO_RE_MET, 1, 0 },
	{ "matches not what it returns", MATCHES, L_FN_RETURN, "0", CO_RE_MET, 1, 0 },
	{ "matches not a struct by value", MATCHES, L_FN_VALUE, "0", CO_RE_MET, 1, 0 },
	{ "which behind a pointer goes by name", MATCHES, L_FNP, "0", CO_RE_MET, 1, 1 },
	{ "the function exists all the same", TYPE_EXISTS, L_FN_RETURN, "0", CO_RE_MET, 1, 1 },
	{ "but not with a parameter more", TYPE_EXISTS, L_FN_TWO, "0", CO_RE_MET, 1, 0 },
	{ "nor with one less", TYPE_EXISTS, L_FN_NONE, "0", CO_RE_MET, 1, 0 },
	{ "the last element of an array at the end", OFFSET, L_ENDS_FLEX,
	  "0:1:7", CO_RE_MET, 32, 32 },
	{ "one behind it", OFFSET, L_ENDS_FLEX, "0:1:8", CO_RE_NO_MATCH, 36, 0 },
	{ "enumerator exists", VALUE_EXISTS, L_ENUM, "1", CO_RE_MET, 1, 1 },
	{ "enumerator exists not", VALUE_EXISTS, L_ENUM, "2", CO_RE_MET, 1, 0 },
	{ "enumerator", VALUE, L_ENUM, "0", CO_RE_MET, 10, 1 },
	{ "enumerator of 64 bits", VALUE, L_ENUM, "1", CO_RE_MET, 11, UINT64_C(1) << 40 },
	{ "from 64 bits", VALUE, L_ENUM64, "0", CO_RE_MET, UINT64_C(0xffffffff00000001), 5 },
	{ "enumerator of nobody", VALUE, L_ENUM, "2", CO_RE_NO_MATCH, 12, 0 },
	{ "two candidates that agree", OFFSET, L_TWIN, "0:0", CO_RE_MET, 0, 0 },
};

TEST_ROWS(value_of_each_kind, values)
{
	int ret;

	finish();
	ret = resolve(values[_i].kind, values[_i].type, values[_i].access);
	ck_assert_msg(!ret, "%s: %s", values[_i].name, err.what);
	ck_assert_msg(res.outcome == values[_i].why, "%s: why %d", values[_i].name, res.outcome);
	ck_assert_msg(res.local == values[_i].local, "%s: local %#llx", values[_i].name,
		      (unsigned long long)res.local);
	ck_assert_msg(res.outcome == CO_RE_NO_MATCH || res.outcome == CO_RE_NO_TYPE ||
			      res.target == values[_i].target,
		      "%s: target %#llx", values[_i].name, (unsigned long long)res.target);
}

static const struct {
	const char *name;
	uint32_t kind, type;
	const char *access;
	struct expect expect;
} refusals[] = {
	{ "candidates that differ", OFFSET, L_TWIN, "0:1",
	  { EINVAL, NULL, "ambiguous", "flavour" } },
	{ "sizes that differ", TYPE_SIZE, L_TWIN, "0", { EINVAL, NULL, "ambiguous", NULL } },
	{ "a type without a name", OFFSET, L_ANON, "0:0", { ENOTSUP, NULL, "no name", "typedef" } },
	{ "no access string", OFFSET, L_S, "", { EBADMSG, NULL, "numbers", NULL } },
	{ "a colon at the end", OFFSET, L_S, "0:", { EBADMSG, NULL, "numbers", NULL } },
	{ "a sign", OFFSET, L_S, "0:-1", { EBADMSG, NULL, "numbers", NULL } },
	{ "a text", OFFSET, L_S, "0:a", { EBADMSG, NULL, "numbers", NULL } },
	{ "2^32", OFFSET, L_S, "4294967296:0", { EBADMSG, NULL, "large", NULL } },
	{ "2^64", OFFSET, L_S, "18446744073709551616:0", { EBADMSG, NULL, "large", NULL } },
	{ "65 steps", OFFSET, L_S,
	  "0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0"
	  ":0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0", { EBADMSG, NULL, "long", NULL } },
	{ "no such member", OFFSET, L_S, "0:7", { EBADMSG, NULL, "member 7", NULL } },
	{ "no such element", OFFSET, L_S, "0:2:4", { EBADMSG, NULL, "member 4", NULL } },
	{ "no such element at the end", OFFSET, L_ENDS, "0:1:4",
	  { EBADMSG, NULL, "member 4", NULL } },
	{ "a member of an int", OFFSET, L_S, "0:0:0", { EBADMSG, NULL, "member 0", NULL } },
	{ "a member of an enum", OFFSET, L_ENUM, "0:0", { EBADMSG, NULL, "member 0", NULL } },
	{ "a field of void", OFFSET, L_VOID, "0", { EBADMSG, NULL, "element", NULL } },
	{ "a type with a path", TYPE_SIZE, L_S, "0:1", { EBADMSG, NULL, "field", NULL } },
	{ "a type with an index", TYPE_EXISTS, L_S, "1", { EBADMSG, NULL, "field", NULL } },
	{ "no such enumerator", VALUE, L_ENUM, "3", { EBADMSG, NULL, "enumerator 3", NULL } },
	{ "an enumerator of a struct", VALUE, L_S, "0", { EBADMSG, NULL, "enumerator", NULL } },
	{ "an unknown kind", 13, L_S, "0", { EBADMSG, NULL, "kind 13", NULL } },
	{ "the size of a function", TYPE_SIZE, L_PROTO, "0", { EBADMSG, NULL, "no size", NULL } },
};

TEST_ROWS(refused, refusals)
{
	finish();
	expect_error(refusals[_i].name,
		     resolve(refusals[_i].kind, refusals[_i].type, refusals[_i].access),
		     &err, &refusals[_i].expect);
}

/* Every word of the target's types in turn replaced: nothing is believed, and everything ends. */
TEST(hostile_target)
{
	static const uint32_t evil[] = { 0, 8, 7, 13, 0xffffffff, 0x7fffffff };

	finish();
	for (size_t at = 0; at + 4 <= w.target.types.size; at += 4) {
		size_t in_raw = w.target.types.data - w.raw[1].data + at;
		uint32_t good = buffer_peek(&w.raw[1], in_raw, 4, false);

		for (size_t e = 0; e < NR(evil); e++) {
			struct btf btf;

			buffer_poke(&w.raw[1], in_raw, 4, evil[e], HOST_BIG_ENDIAN);
			ck_assert(!btf_open(&btf, view(&w.raw[1]), &err));
			co_re_candidates_free(&w.names);
			ck_assert(!co_re_candidates_find(&w.names, &w.local, &w.ext, &btf, &err));
			w.pair = (struct co_re_pair){ .local = &w.local, .target = &btf };
			for (size_t i = 0; i < NR(values); i++) {
				resolve(values[i].kind, values[i].type, values[i].access);
				error_clear(&err);
			}
			btf_free(&btf);
		}
		buffer_poke(&w.raw[1], in_raw, 4, good, HOST_BIG_ENDIAN);
	}
}

/*
 * Anonymous members that hold two of the next each: 2^40 paths, and as many comparisons without a
 * limit.
 */
TEST(work_is_bounded)
{
	uint32_t inner = T_INT;

	for (int i = 0; i < 31; i++) {
		inner = bb_struct(&w.builders[1], BTF_KIND_STRUCT, i == 30 ? "gone" : "", 4, false);
		bb_member(&w.builders[1], i ? "" : "y", i ? inner - 1 : T_INT, 0, 0);
		bb_member(&w.builders[1], i ? "" : "z", i ? inner - 1 : T_INT, 0, 0);
	}
	finish();
	w.pair.steps = CO_RE_STEPS_MAX - CO_RE_STEPS;	/* as for one relocation */
	expect_error("doubling", resolve(OFFSET, L_GONE, "0:0"),
		     &err, &(struct expect){ ELOOP, NULL, "too deep", NULL });
}

/*
 * Found by looking for cost: types of the name and of another kind were looked at without being
 * counted.
 */
TEST(candidates_of_another_kind_count)
{
	for (int i = 0; i < 100; i++)
		bb_fwd(&w.builders[1], "gone", false);
	finish();
	w.pair.steps = CO_RE_STEPS_MAX - 99;
	expect_error("hundred others", resolve(OFFSET, L_GONE, "0:0"),
		     &err, &(struct expect){ ELOOP, NULL, "too many comparisons", NULL });
}

/*
 * Found by fuzzing: a namesake of another kind in an anonymous member was stepped into and not left
 * again. With enough of them the steps went beyond their array.
 */
TEST(namesakes_of_another_kind)
{
	uint32_t anonymous;

	anonymous = bb_struct(&w.builders[1], BTF_KIND_STRUCT, "", 16, false);
	bb_member(&w.builders[1], "x", T_PTR, 64, 0);
	bb_struct(&w.builders[1], BTF_KIND_STRUCT, "gone", 2048, false);
	for (int i = 0; i < 2 * CO_RE_ACCESS_MAX; i++)
		bb_member(&w.builders[1], "", anonymous, i * 128, 0);
	bb_member(&w.builders[1], "", anonymous + 2, 16000, 0);
	bb_struct(&w.builders[1], BTF_KIND_STRUCT, "", 8, false);
	bb_member(&w.builders[1], "x", T_INT, 32, 0);
	finish();
	ck_assert(!resolve(OFFSET, L_GONE, "0:0"));
	ck_assert_int_eq(res.outcome, CO_RE_MET);
	ck_assert_uint_eq(res.target, 2004);
}

/* patch_ldimm64() sign-extends by the signs of both enums. */
TEST(signs_of_enums)
{
	finish();
	ck_assert(!resolve(VALUE, L_ENUM, "0"));
	ck_assert_int_eq(res.local_sign, CO_RE_ENUM_UNMARKED);
	ck_assert_int_eq(res.target_sign, CO_RE_NO_ENUM);	/* an ENUM64 has all bits */
	ck_assert(!resolve(VALUE, L_ENUM64, "0"));
	ck_assert_int_eq(res.local_sign, CO_RE_ENUM_SIGNED);
	ck_assert_int_eq(res.target_sign, CO_RE_ENUM_SIGNED);
	ck_assert(!resolve(OFFSET, L_S, "0:0"));
	ck_assert_int_eq(res.local_sign, CO_RE_NO_ENUM);
}

/* Seen as a member, the enumerator would be an int named "x". */
TEST(an_enumerator_is_no_member)
{
	uint32_t unnamed;

	unnamed = bb_enum(&w.builders[1], BTF_KIND_ENUM, "", 4, false);
	bb_enumerator(&w.builders[1], "x", T_INT);
	bb_enumerator(&w.builders[1], "y", 0);
	bb_struct(&w.builders[1], BTF_KIND_STRUCT, "gone", 8, false);
	bb_member(&w.builders[1], "", unnamed, 0, 0);
	bb_member(&w.builders[1], "x", T_INT, 32, 0);
	finish();
	ck_assert(!resolve(OFFSET, L_GONE, "0:0"));
	ck_assert_int_eq(res.outcome, CO_RE_MET);
	ck_assert_uint_eq(res.target, 4);
}

TEST(cycles_end)
{
	uint32_t self;

	self = w.builders[1].nr_types + 1;
	bb_struct(&w.builders[1], BTF_KIND_STRUCT, "gone", 4, false);
	bb_member(&w.builders[1], "", self, 0, 0);	/* holds itself, without a name */
	bb_ref(&w.builders[1], BTF_KIND_TYPEDEF, "no_t", self + 2);
	bb_ref(&w.builders[1], BTF_KIND_CONST, "", self + 1);
	finish();
	expect_error("a struct in itself", resolve(OFFSET, L_GONE, "0:0"), &err,
		     &(struct expect){ ELOOP, NULL, "too deep", NULL });
	ck_assert(!resolve(TYPE_EXISTS, L_NO_TYPEDEF, "0"));
	ck_assert_uint_eq(res.target, 0);	/* a typedef of itself is of no type */
}

static int count_type(void *arg, struct type_name *name, uint32_t kind, uint32_t id)
{
	(void)name, (void)kind, (void)id;
	++*(int *)arg;
	return 0;
}

/*
 * Found by fuzzing: of names of one letter only the kernel's was looked for, when the object had it
 * with a flavour alone.
 */
TEST(flavour_of_one_letter)
{
	struct btf_builder b = { 0 };
	struct type_names names;
	struct type_name *n;
	struct buffer raw;
	struct btf btf;
	int seen = 0;

	bb_struct(&b, BTF_KIND_STRUCT, "s", 4, false);
	bb_struct(&b, BTF_KIND_STRUCT, "s___other", 4, false);
	bb_struct(&b, BTF_KIND_STRUCT, "s_", 4, false);
	raw = bb_btf(&b);
	ck_assert(!btf_open(&btf, view(&raw), NULL));
	ck_assert(!type_names_init(&names, 1, true));
	n = type_names_add(&names, "s___old", UINT32_C(1) << BTF_KIND_STRUCT);
	ck_assert(!type_names_visit(&names, &btf, count_type, &seen));
	ck_assert_int_eq(seen, 2);
	ck_assert_ptr_eq(type_names_get(&names, "s"), n);
	type_names_free(&names);
	btf_free(&btf);
	buffer_free(&raw);
	bb_free(&b);
}

/*
 * Found by looking for cost: thousands of types whose names are the ends of one of a megabyte, each
 * compared with all others.
 */
TEST(names_of_a_megabyte)
{
	static char name[1 << 20];
	struct type_names names;

	memset(name, 'a', sizeof(name) - 1);
	ck_assert(!type_names_init(&names, 1 << 14, true));
	for (int i = 0; i < 1 << 14; i++)
		type_names_add(&names, name + i, 1);
	ck_assert_ptr_eq(type_names_get(&names, name + 7), type_names_get(&names, name));
	ck_assert(type_names_equal(name, name + 1));
	ck_assert(!type_names_equal(name, name + sizeof(name) - TYPE_NAME_MAX));
	type_names_free(&names);
}

TEST(essential_names)
{
	ck_assert(type_names_equal("task", "task___old"));
	ck_assert_uint_eq(type_name_essential("a___b___c"), 5);
	ck_assert(!type_names_equal("task", "task_old"));
	ck_assert(!type_names_equal("task", "task__old"));
	ck_assert(!type_names_equal("task", "tas"));
	ck_assert_uint_eq(type_name_essential("____x"), 5);
	ck_assert_uint_eq(type_name_essential("a____x"), 6);
	ck_assert_uint_eq(type_name_essential("a___"), 4);
	ck_assert_uint_eq(type_name_essential(""), 0);
}

/* --- instructions --- */

#define MOV (BPF_ALU64 | BPF_MOV | BPF_K)
#define LDX(size) (BPF_LDX | BPF_MEM | (size))
#define LDIMM64 (BPF_LD | BPF_IMM | BPF_DW)
#define POISONED \
	{ \
		.code = BPF_JMP | BPF_CALL, .imm = CO_RE_POISON \
	}

static const struct co_re_result met = { CO_RE_MET, 8, 24, true, 0, 0, false };
static const struct co_re_result wider = { CO_RE_MET, 8, 24, true, 4, 8, false };
static const struct co_re_result narrower = { CO_RE_MET, 8, 24, true, 8, 2, false };
static const struct co_re_result odd = { CO_RE_MET, 8, 24, true, 4, 3, false };
static const struct co_re_result far = { CO_RE_MET, 8, 40000, true, 0, 0, false };
static const struct co_re_result large = {
	CO_RE_MET, 8, UINT64_C(0x1122334455), true, 0, 0, false
};
static const struct co_re_result old_enum = {
	CO_RE_MET, 0xffffffff, 0xfffffffe, true, 0, 0, false, CO_RE_ENUM_UNMARKED, CO_RE_ENUM_UNMARKED
};
static const struct co_re_result old_kernel = {
	CO_RE_MET, 1, 0xfffffffe, true, 0, 0, false, CO_RE_ENUM_SIGNED, CO_RE_ENUM_UNMARKED
};
static const struct co_re_result new_kernel = {
	CO_RE_MET, 0xffffffff, -2, true, 0, 0, false, CO_RE_ENUM_UNMARKED, CO_RE_ENUM_SIGNED
};
static const struct co_re_result no_sign = {
	CO_RE_MET, 1, 0xfffffffe, true, 0, 0, false, CO_RE_ENUM_UNMARKED, CO_RE_ENUM_UNMARKED
};
static const struct co_re_result unsure = { CO_RE_MET, 9, 24, false, 0, 0, false };
static const struct co_re_result absent = { CO_RE_NO_MATCH, 8, 0, true, 0, 0, false };
static const struct co_re_result misfit = { CO_RE_BAD_SIZE, 8, 24, true, 4, 8, false };

static const struct {
	const char *name;
	const struct co_re_result *res;
	struct bpf_insn before[2], after[2];
	uint32_t room;
	int ret;
} patches[] = {
	{ "mov", &met, { { MOV, 1, 0, 0, 8 } }, { { MOV, 1, 0, 0, 24 } }, 1, 0 },
	{ "add of 32 bits", &met, { { BPF_ALU | BPF_ADD, 1, 0, 0, 8 } },
	  { { BPF_ALU | BPF_ADD, 1, 0, 0, 24 } }, 1, 0 },
	{ "load", &met, { { LDX(BPF_W), 1, 2, 8, 0 } }, { { LDX(BPF_W), 1, 2, 24, 0 } }, 1, 0 },
	{ "store", &met, { { BPF_STX | BPF_MEM | BPF_H, 1, 2, 8, 0 } },
	  { { BPF_STX | BPF_MEM | BPF_H, 1, 2, 24, 0 } }, 1, 0 },
	{ "store of a constant", &met, { { BPF_ST | BPF_MEM | BPF_B, 1, 0, 8, 5 } },
	  { { BPF_ST | BPF_MEM | BPF_B, 1, 0, 24, 5 } }, 1, 0 },
	{ "narrower store", &narrower, { { BPF_STX | BPF_MEM | BPF_DW, 1, 2, 8, 0 } },
	  { { BPF_STX | BPF_MEM | BPF_H, 1, 2, 24, 0 } }, 1, 0 },
	{ "wider store of a constant", &wider, { { BPF_ST | BPF_MEM | BPF_W, 1, 0, 8, 5 } },
	  { { BPF_ST | BPF_MEM | BPF_DW, 1, 0, 24, 5 } }, 1, 0 },
	{ "a store that does not fit", &misfit, { { BPF_STX | BPF_MEM | BPF_W, 1, 2, 8, 0 } },
	  { POISONED }, 1, 1 },
	{ "a store of nothing", &absent, { { BPF_ST | BPF_MEM | BPF_W, 1, 0, 8, 5 } }, { POISONED },
	  1, 1 },
	{ "another offset of a store", &met, { { BPF_STX | BPF_MEM | BPF_W, 1, 2, 9, 0 } },
	  { { 0 } }, 1, -EBADMSG },
	{ "a store too far", &far, { { BPF_ST | BPF_MEM | BPF_W, 1, 0, 8, 5 } }, { { 0 } }, 1,
	  -ERANGE },
	{ "wider load", &wider, { { LDX(BPF_W), 1, 2, 8, 0 } }, { { LDX(BPF_DW), 1, 2, 24, 0 } }, 1,
	  0 },
	{ "wider, in an addition", &wider, { { MOV, 1, 0, 0, 8 } }, { { MOV, 1, 0, 0, 24 } }, 1,
	  0 },
	{ "ldimm64", &large, { { LDIMM64, 1, 0, 0, 8 } },
	  { { LDIMM64, 1, 0, 0, 0x22334455 }, { .imm = 0x11 } }, 2, 0 },
	{ "a negative enumerator of clang 14, in an old kernel", &old_enum,
	  { { LDIMM64, 1, 0, 0, -1 }, { .imm = -1 } }, { { LDIMM64, 1, 0, 0, -2 }, { .imm = -1 } }, 2, 0 },
	{ "a large one that is not signed", &old_enum, { { LDIMM64, 1, 0, 0, -1 } },
	  { { LDIMM64, 1, 0, 0, -2 } }, 2, 0 },
	{ "a negative one of the kernel, which does not mark it", &old_kernel,
	  { { LDIMM64, 1, 0, 0, 1 } }, { { LDIMM64, 1, 0, 0, -2 }, { .imm = -1 } }, 2, 0 },
	{ "a negative one of clang 14, in a new kernel", &new_kernel,
	  { { LDIMM64, 1, 0, 0, -1 }, { .imm = -1 } }, { { LDIMM64, 1, 0, 0, -2 }, { .imm = -1 } }, 2, 0 },
	{ "a large one that neither marks", &no_sign, { { LDIMM64, 1, 0, 0, 1 } },
	  { { LDIMM64, 1, 0, 0, -2 } }, 2, 0 },
	{ "another value of a bit field", &unsure, { { MOV, 1, 0, 0, 8 } },
	  { { MOV, 1, 0, 0, 24 } }, 1, 0 },
	{ "another offset of a bit field", &unsure, { { LDX(BPF_W), 1, 2, 8, 0 } },
	  { { LDX(BPF_W), 1, 2, 24, 0 } }, 1, 0 },
	{ "poison", &absent, { { MOV, 1, 0, 0, 8 } }, { POISONED }, 1, 1 },
	{ "poisoned pair", &absent, { { LDIMM64, 1, 0, 0, 8 } }, { POISONED, POISONED }, 2, 1 },
	{ "a load that does not fit", &misfit, { { LDX(BPF_W), 1, 2, 8, 0 } }, { POISONED }, 1, 1 },
	{ "its address does", &misfit, { { MOV, 1, 0, 0, 8 } }, { { MOV, 1, 0, 0, 24 } }, 1, 0 },
	{ "another constant", &met, { { MOV, 1, 0, 0, 9 } }, { { 0 } }, 1, -EBADMSG },
	{ "another offset", &met, { { LDX(BPF_W), 1, 2, 9, 0 } }, { { 0 } }, 1, -EBADMSG },
	{ "another pair", &large, { { LDIMM64, 1, 0, 0, 8 }, { .imm = 1 } }, { { 0 } }, 2,
	  -EBADMSG },
	{ "a register", &met, { { BPF_ALU64 | BPF_MOV | BPF_X, 1, 2, 0, 8 } }, { { 0 } }, 1,
	  -EBADMSG },
	{ "an offset too far", &far, { { LDX(BPF_W), 1, 2, 8, 0 } }, { { 0 } }, 1, -ERANGE },
	{ "a size no load has", &odd, { { LDX(BPF_W), 1, 2, 8, 0 } }, { { 0 } }, 1, -EBADMSG },
	{ "a load of part of it", &wider, { { LDX(BPF_H), 1, 2, 8, 0 } }, { { 0 } }, 1, -EBADMSG },
	{ "a jump", &met, { { BPF_JMP | BPF_JA, 0, 0, 8, 8 } }, { { 0 } }, 1, -EBADMSG },
	{ "a call, even to poison", &absent, { { BPF_JMP | BPF_CALL, 0, 0, 0, 8 } }, { { 0 } }, 1,
	  -EBADMSG },
	{ "the middle of a pair", &met, { { .imm = 8 } }, { { 0 } }, 1, -EBADMSG },
	{ "half a pair at the end", &met, { { LDIMM64, 1, 0, 0, 8 } }, { { 0 } }, 1, -EBADMSG },
	{ "the address of a map", &met, { { LDIMM64, 1, BPF_PSEUDO_MAP_FD, 0, 8 } }, { { 0 } }, 2,
	  -EBADMSG },
};

TEST_ROWS(instructions, patches)
{
	struct bpf_insn insns[2];
	enum co_re_outcome why;
	int ret;

	memcpy(insns, patches[_i].before, sizeof(insns));
	ret = co_re_patch(insns, patches[_i].room, patches[_i].res, &why, &err);
	ck_assert_msg(ret == patches[_i].ret, "%s: %d %s", patches[_i].name, ret, err.what);
	ck_assert_msg(memcmp(insns, ret < 0 ? patches[_i].before : patches[_i].after,
			     sizeof(insns)) == 0,
		      "%s: %02x off %d imm %d", patches[_i].name, insns[0].code, insns[0].off,
		      insns[0].imm);
	error_clear(&err);
}

/* A CO-RE relocation of the second half of a wide instruction is an error that names its opcode. */
TEST(the_middle_of_a_pair)
{
	struct bpf_insn insn = { .imm = 8 };
	enum co_re_outcome why;

	expect_error("second half", co_re_patch(&insn, 1, &met, &why, &err), &err,
		     &(struct expect){ EBADMSG, NULL,
				       "CO-RE cannot relocate an instruction with opcode 0x00",
				       NULL });
}

/* --- a kernel of 32 bits --- */

static const struct {
	const char *name;
	uint32_t kind;
	const char *access;
	enum co_re_outcome why;
	uint64_t local, target;
	uint32_t local_size, target_size;
} narrow[] = {
	{ "offset behind a pointer", OFFSET, "0:1", CO_RE_MET, 8, 4, 8, 4 },
	{ "size of a pointer", SIZE, "0:1", CO_RE_MET, 8, 4, 0, 0 },
	{ "shift of a pointer", RSHIFT, "0:0", CO_RE_MET, 0, 32, 0, 0 },
	{ "the second struct", OFFSET, "1:0", CO_RE_MET, 24, 12, 8, 4 },
	{ "a signed long is not extended", OFFSET, "0:2", CO_RE_BAD_SIZE, 16, 8, 8, 4 },
};

/* The pointers of a kernel are as large as its long. */
TEST_EACH(narrow_pointers, 2)
{
	struct btf_builder b = { 0 };
	struct buffer raw;
	struct btf target;
	uint32_t ptr;

	finish();
	bb_int(&b, "char", 1, 0);
	bb_int(&b, _i ? "long int" : "long", 4, BTF_INT_SIGNED);
	ptr = bb_ref(&b, BTF_KIND_PTR, "", 0);
	bb_struct(&b, BTF_KIND_STRUCT, "ptrs", 12, false);
	bb_member(&b, "first", ptr, 0, 0);
	bb_member(&b, "second", ptr, 32, 0);
	bb_member(&b, "number", 2, 64, 0);
	raw = bb_btf(&b);
	ck_assert(!btf_index(&target, view(&raw), &err));
	ck_assert_uint_eq(target.pointer_size, 8);
	btf_learn_pointers(&target);
	ck_assert_uint_eq(target.pointer_size, 4);
	co_re_candidates_free(&w.names);
	ck_assert(!co_re_candidates_find(&w.names, &w.local, &w.ext, &target, &err));
	for (size_t i = 0; i < NR(narrow); i++) {
		ck_assert_msg(!resolve(narrow[i].kind, L_PTRS, narrow[i].access), "%s", err.what);
		ck_assert_msg(res.outcome == narrow[i].why && res.local == narrow[i].local &&
				      res.target == narrow[i].target &&
				      res.local_size == narrow[i].local_size &&
				      res.target_size == narrow[i].target_size,
			      "%s: why %d, %llu to %llu, of %u bytes to %u", narrow[i].name,
			      res.outcome, (unsigned long long)res.local,
			      (unsigned long long)res.target, res.local_size, res.target_size);
	}
	btf_free(&target);
	buffer_free(&raw);
	bb_free(&b);
}

/* --- through relocate() --- */

/*
 * The sample object with one relocation more: the mov of its function leaf, which is the first of
 * the section .text, gets what @access of a struct "s" of one member is in the target.
 */
static void sample_with(struct sample *s, uint32_t insn, uint32_t kind, const char *access)
{
	uint32_t type;

	sample_build(s, false, false);
	type = bb_struct(&s->btf, BTF_KIND_STRUCT, "s", 4, false);
	bb_member(&s->btf, "gone", s->type_int, 0, 0);
	bb_core_relo(&s->btf, ".text", insn * sizeof(struct bpf_insn), type, access, kind);
	ck_assert_msg(!sample_parse(s, &err), "%s: %s", err.where, err.what);
}

static int link_one(struct sample *s, struct co_re *core, bool by_kernel, struct prog_code *code)
{
	static const int fds[] = { 100, 101, 102, 103 };
	uint32_t prog = 0;

	while (strcmp(s->obj.progs[prog].name, "one"))
		prog++;
	if (core)
		co_re_init(core, NULL, &s->obj, by_kernel);
	return relocate(&s->obj, prog, fds, code, &err);
}

TEST(without_a_hook)
{
	struct prog_code code;
	struct sample s;

	sample_with(&s, 0, LOCAL_ID, "0");
	expect_error("no hook", link_one(&s, NULL, false, &code), &err,
		     &(struct expect){ ENOTSUP, "function 'leaf'", "type_id_local of 'struct s'",
				       "preserve" });
	sample_free(&s);
}

/* one @ 0 ... 8, mid @ 9, leaf @ 11. */
TEST(left_to_the_kernel)
{
	struct prog_code code;
	struct co_re core;
	struct sample s;

	sample_with(&s, 0, EXISTS, "0:0");
	ck_assert(!link_one(&s, &core, true, &code));
	ck_assert_uint_eq(code.nr_core_relos, 1);
	ck_assert_uint_eq(code.core_relos[0].insn_off, 11 * sizeof(struct bpf_insn));
	ck_assert_uint_eq(code.core_relos[0].kind, EXISTS);
	ck_assert_str_eq(btf_string(&s.obj.btf, code.core_relos[0].access_str_off), "0:0");
	prog_code_free(&code);
	co_re_free(&core);
	sample_free(&s);
}

TEST_EACH(poison_is_explained, 2)
{
	const char *const fields[] = { "s.gone", "s[1].gone" };
	char what[200];
	struct prog_code code;
	struct co_re core;
	struct sample s;
	/* The diagnosis since Linux 7.3 shows the instruction in another form. */
	char *log = strdup("0: R1=ctx()\n11: (85) call unknown#195896080\n"
			   "invalid func unknown#195896080\n\nVerification failed: Policy\n\nAt:\n"
			   "  insn 11\n  >>> 11 | (85) call unknown#195896080\n\n"
			   "processed 3 insns\n");

	finish();
	sample_with(&s, 0, OFFSET, _i ? "1:0" : "0:0");
	co_re_init(&core, NULL, &s.obj, false);
	ck_assert(!co_re_set_target(&core, &w.target, &err));
	co_re_begin_prog(&core);
	ck_assert(!relocate(&s.obj, 0, NULL, &code, &err));
	ck_assert_uint_eq(code.insns[11].code, BPF_JMP | BPF_CALL);
	ck_assert_int_eq(code.insns[11].imm, 195896080);
	prog_code_free(&code);
	error_set(&err, EINVAL, "refused");
	error_log(&err, log);
	co_re_explain(&core, &code, &err);
	ck_assert_str_eq(err.reason, "core/not-met");
	snprintf(what, sizeof(what), "CO-RE relocation field_byte_offset of struct '%s', at "
				     "instruction 11 in function 'leaf', cannot be resolved: this "
				     "kernel's struct 's' has no member 'gone'", fields[_i]);
	ck_assert_str_eq(err.what, what);
	co_re_begin_prog(&core); /* another program: the old places mean nothing */
	error_hint(&err, "untouched");
	co_re_explain(&core, &code, &err);
	ck_assert_str_eq(err.hint, "untouched");
	error_clear(&err);
	co_re_free(&core);
	sample_free(&s);
}

TEST(place_of_an_error)
{
	struct prog_code code;
	struct co_re core;
	struct sample s;

	sample_with(&s, 0, LOCAL_ID, "0:5");
	expect_error("a wrong access string", link_one(&s, &core, false, &code), &err,
		     &(struct expect){ EBADMSG, "function 'leaf', section '.text' at 0x0: CO-RE "
						"relocation type_id_local of struct 's'",
				       "field", NULL });
	co_re_free(&core);
	sample_free(&s);
	sample_with(&s, 1, LOCAL_ID, "0");	/* its exit */
	expect_error("an exit", link_one(&s, &core, false, &code), &err,
		     &(struct expect){ EBADMSG, "'leaf'", "cannot relocate an instruction", NULL,
				       "core/relocation" });
	co_re_free(&core);
	sample_free(&s);
}

/* --- types of modules --- */

static const struct {
	const char *name;
	uint32_t kind, type;
	const char *access;
	uint64_t value;
	int ret;
} in_modules[] = {
	{ "offset in a module's struct", OFFSET, L_GONE, "0:0", 4, 0 },
	{ "its size", TYPE_SIZE, L_GONE, "0", 8, 0 },
	{ "its id goes on where vmlinux ends", TARGET_ID, L_GONE, "0", 0, 0 },
	{ "vmlinux comes first", OFFSET, L_S, "0:0", 16, 0 },
	{ "in vmlinux without the field: not looked for", EXISTS, L_S, "0:3", 0, 0 },
	{ "a member of vmlinux's type", OFFSET, L_CYCLE, "0:0", 8, 0 },
	{ "in two modules that agree", TYPE_EXISTS, L_NO_TYPEDEF, "0", 1, 0 },
	{ "in two modules that do not", OFFSET, L_MATCH, "0:0", 0, -EINVAL },
	{ "a kind that only the module has", TYPE_EXISTS, L_CYCLE, "0", 1, 0 },
	{ "nowhere", TYPE_EXISTS, L_BITS, "0", 0, 0 },
};

/*
 * vmlinux without "gone", "no_t", "m" and "bits", and with a forward declaration of "cycle"; two
 * modules. Gives the type of "gone".
 */
static uint32_t build_modules(struct btf_builder *vmlinux, struct btf_builder modules[2])
{
	uint32_t gone;

	bb_int(vmlinux, "int", 4, BTF_INT_SIGNED);
	bb_struct(vmlinux, BTF_KIND_STRUCT, "s", 24, false);
	bb_member(vmlinux, "a", T_INT, 128, 0);
	bb_fwd(vmlinux, "cycle", false);
	bb_ref(vmlinux, BTF_KIND_PTR, "", 0);
	bb_split(&modules[0], vmlinux);
	bb_split(&modules[1], vmlinux);
	bb_struct(&modules[0], BTF_KIND_STRUCT, "s", 64, false);
	bb_member(&modules[0], "gone", T_INT, 0, 0);
	bb_ref(&modules[0], BTF_KIND_TYPEDEF, "no_t", T_INT);
	bb_struct(&modules[0], BTF_KIND_STRUCT, "m", 16, false);
	bb_member(&modules[0], "y", T_INT, 0, 0);
	gone = bb_struct(&modules[1], BTF_KIND_STRUCT, "gone", 8, false);
	bb_member(&modules[1], "w", T_INT, 0, 0);
	bb_member(&modules[1], "x", T_INT, 32, 0);
	bb_ref(&modules[1], BTF_KIND_TYPEDEF, "no_t", T_INT);
	bb_struct(&modules[1], BTF_KIND_STRUCT, "m", 16, false);
	bb_member(&modules[1], "y", T_INT, 64, 0);
	bb_struct(&modules[1], BTF_KIND_STRUCT, "cycle", 16, false);
	bb_member(&modules[1], "next", 4, 64, 0);
	return gone;
}

TEST(candidates_in_modules)
{
	struct btf_builder vmlinux = { 0 }, modules[2] = { { 0 } };
	struct buffer raw[3];
	struct fake_path paths[2] = { { 0 } };
	struct kernel_types types;
	struct fake_kernel *k;
	const struct btf *btf;
	uint32_t gone;
	int ret;

	finish();
	gone = build_modules(&vmlinux, modules);
	raw[0] = bb_btf(&vmlinux);
	raw[1] = bb_btf(&modules[0]);
	raw[2] = bb_btf(&modules[1]);
	paths[0] = (struct fake_path){ "/sys/kernel/btf/vmlinux", raw[0].data, raw[0].size, 0 };
	k = fake_kernel_new(paths);
	fake_kernel_add_btf(k, "mod_a", raw[1].data, raw[1].size, false);
	fake_kernel_add_btf(k, "mod_b", raw[2].data, raw[2].size, false);
	kernel_types_init(&types, fake_kernel_sys(k), NULL);
	co_re_candidates_free(&w.names);
	ck_assert(!kernel_types_vmlinux(&types, &btf, &err));
	ck_assert(!co_re_candidates_find(&w.names, &w.local, &w.ext, btf, &err));
	ck_assert(!resolve(TYPE_EXISTS, L_GONE, "0") && res.no_candidate);
	ck_assert(!resolve(OFFSET, L_CYCLE, "0:0") && res.no_candidate);
	ck_assert(!resolve(EXISTS, L_S, "0:3") && !res.no_candidate);
	for (uint32_t i = 0; kernel_types_module(&types, i, &btf, &err) > 0; i++)
		ck_assert(!co_re_candidates_add_module(&w.names, btf, &err));
	for (size_t i = 0; i < NR(in_modules); i++) {
		uint64_t value = in_modules[i].value;

		if (in_modules[i].kind == TARGET_ID)
			value = gone;
		ret = resolve(in_modules[i].kind, in_modules[i].type, in_modules[i].access);
		ck_assert_msg(ret == in_modules[i].ret, "%s: %s", in_modules[i].name, err.what);
		ck_assert_msg(ret || (res.outcome == CO_RE_MET && res.target == value), "%s: %llu",
			      in_modules[i].name, (unsigned long long)res.target);
		error_clear(&err);
	}
	kernel_types_free(&types);
	ck_assert_int_eq(fake_kernel_leaks(k, stderr), 0);
	fake_kernel_free(k);
	for (int i = 0; i < 3; i++)
		buffer_free(&raw[i]);
	bb_free(&vmlinux);
	bb_free(&modules[0]);
	bb_free(&modules[1]);
}

/*
 * A kernel with one module, whose struct "s" is type 3; @in_vmlinux has one, too, which is type 2.
 */
struct with_module {
	struct btf_builder vmlinux, module;
	struct fake_path paths[2];
	struct buffer raw[2];
	struct kernel_types types;
	struct fake_kernel *k;
	struct co_re core;
	struct sample s;
};

static void with_module_begin(struct with_module *m, bool in_vmlinux)
{
	memset(m, 0, sizeof(*m));
	bb_int(&m->vmlinux, "int", 4, BTF_INT_SIGNED);
	bb_struct(&m->vmlinux, BTF_KIND_STRUCT, in_vmlinux ? "s" : "other", 4, false);
	bb_split(&m->module, &m->vmlinux);
	bb_struct(&m->module, BTF_KIND_STRUCT, "s", 12, false);
	m->raw[0] = bb_btf(&m->vmlinux);
	m->raw[1] = bb_btf(&m->module);
	m->paths[0] = (struct fake_path){
		"/sys/kernel/btf/vmlinux", m->raw[0].data, m->raw[0].size, 0
	};
	m->k = fake_kernel_new(m->paths);
	fake_kernel_add_btf(m->k, "mod", m->raw[1].data, m->raw[1].size, false);
	kernel_types_init(&m->types, fake_kernel_sys(m->k), NULL);
	sample_with(&m->s, 0, TARGET_ID, "0");
	co_re_init(&m->core, &m->types, &m->s.obj, false);
}

static void with_module_end(struct with_module *m)
{
	co_re_free(&m->core);
	kernel_types_free(&m->types);
	sample_free(&m->s);
	ck_assert_int_eq(fake_kernel_leaks(m->k, stderr), 0);
	fake_kernel_free(m->k);
	buffer_free(&m->raw[0]);
	buffer_free(&m->raw[1]);
	bb_free(&m->vmlinux);
	bb_free(&m->module);
}

/* relocate() looks for the modules once, and only if vmlinux does not have the type. */
TEST_EACH(modules_are_asked_when_needed, 2)
{
	struct prog_code code;
	struct with_module m;

	with_module_begin(&m, _i);
	ck_assert_msg(!relocate(&m.s.obj, 0, NULL, &code, &err), "%s", err.what);
	ck_assert_int_eq(code.insns[11].imm, _i ? 2 : 3);
	ck_assert_uint_eq(fake_kernel_count(m.k, "BPF_BTF_GET_NEXT_ID"), _i ? 0 : 2);
	prog_code_free(&code);
	with_module_end(&m);
}

/* Whichever call fails for one program, the next program still finds the types of the module. */
TEST(modules_are_not_lost_by_an_error)
{
	unsigned int calls = 0, failures = 0;

	for (unsigned int n = 0; !n || n <= calls; n++) {
		struct prog_code code;
		struct with_module m;

		with_module_begin(&m, false);
		fake_kernel_fail_call(m.k, n, EMFILE);
		if (relocate(&m.s.obj, 0, NULL, &code, &err))
			failures++;
		else
			prog_code_free(&code);
		if (!n)
			calls = fake_kernel_nr_calls(m.k);
		fake_kernel_fail_call(m.k, 0, 0);
		error_clear(&err);
		ck_assert_msg(!relocate(&m.s.obj, 0, NULL, &code, &err), "call %u: %s", n,
			      err.what);
		ck_assert_int_eq(code.insns[11].imm, 3);
		prog_code_free(&code);
		with_module_end(&m);
	}
	ck_assert_uint_ge(failures, 5);
}

/* --- files --- */

static void write_file(char path[], const struct buffer *b)
{
	int fd = mkstemp(path);

	ck_assert_int_eq(write(fd, b->data, b->size), b->size);
	close(fd);
}

TEST_EACH(files_of_types, 2)
{
	char path[] = "/tmp/test_core.XXXXXX";
	struct elf_builder elf = { 0 };
	struct btf_file target;
	struct buffer file;

	finish();
	if (_i) {	/* in an ELF file, which need not be for BPF */
		eb_section(&elf, ".BTF", SHT_PROGBITS, 0, w.raw[1].data, w.raw[1].size);
		file = eb_finish(&elf);
		buffer_poke(&file, offsetof(Elf64_Ehdr, e_machine), 2, EM_X86_64, HOST_BIG_ENDIAN);
	} else {
		file = (struct buffer){ 0 };
		buffer_add(&file, w.raw[1].data, w.raw[1].size);
	}
	write_file(path, &file);
	ck_assert_msg(!btf_file_open(sys_linux(), path, &target, &err), "%s: %s", err.where,
		      err.what);
	ck_assert_uint_eq(target.btf.nr_types, w.target.nr_types);
	btf_file_close(sys_linux(), &target);
	for (size_t size = 0; size < file.size; size += 7) {
		ck_assert(!truncate(path, size));
		if (btf_file_open(sys_linux(), path, &target, &err))
			ck_assert(strstr(err.where, path));
		btf_file_close(sys_linux(), &target);
		error_clear(&err);
		ck_assert(!truncate(path, 0));
		ck_assert(!truncate(path, size));
	}
	unlink(path);
	expect_error("no file", btf_file_open(sys_linux(), path, &target, &err), &err,
		     &(struct expect){ ENOENT, path, NULL, "--btf" });
	buffer_free(&file);
}
