// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A small object with CO-RE relocations of every kind, and a kernel's types that differ slightly.
 */
#include <linux/bpf.h>

#include "test/fuzz/seeds.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/elf_builder.h"

enum { INT = 1, LONG, PTR, ARRAY, S, U, E, E64, ALIAS, FWD, PROTO, CALLBACK, CALLS, NEXT, HOLDS,
       PROG };

static void add_types(struct btf_builder *b, bool kernel)
{
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_int(b, "long", 8, 0);
	bb_ref(b, BTF_KIND_PTR, "", S);
	bb_array(b, INT, INT, kernel ? 8 : 4);
	bb_struct(b, BTF_KIND_STRUCT, kernel ? "s" : "s___old", 64, true);
	bb_member(b, "a", INT, kernel ? 32 : 0, 0);
	bb_member(b, "bits", INT, 64, kernel ? 5 : 3);
	bb_member(b, "p", PTR, 128, 0);
	bb_member(b, "", U, 192, 0);
	bb_struct(b, BTF_KIND_UNION, "", 32, false);
	bb_member(b, "arr", ARRAY, 0, 0);
	bb_member(b, "l", LONG, 0, 0);
	bb_enum(b, BTF_KIND_ENUM, "e", 4, false);
	bb_enumerator(b, "ONE", kernel ? 2 : 1);
	bb_enumerator(b, kernel ? "TWO" : "GONE", 7);
	bb_enum(b, BTF_KIND_ENUM64, "e64", 8, true);
	bb_enumerator(b, "BIG", kernel ? UINT64_MAX : UINT64_C(1) << 40);
	bb_ref(b, BTF_KIND_TYPEDEF, "alias", kernel ? LONG : INT);
	bb_fwd(b, "later", false);
	bb_proto(b, INT);
	bb_param(b, "s", PTR);
	bb_param(b, "n", E);
	bb_ref(b, BTF_KIND_TYPEDEF, "callback", PROTO);
	bb_ref(b, BTF_KIND_PTR, "", CALLBACK);
	bb_ref(b, BTF_KIND_PTR, "", FWD);
	bb_struct(b, BTF_KIND_STRUCT, "holds", 24, false);
	bb_member(b, "first", E, 0, 0);
	bb_member(b, "next", NEXT, 64, 0);
	bb_member(b, "call", CALLS, 128, 0);
	bb_func(b, "prog", PROTO, BTF_FUNC_GLOBAL);
}

/* Each row is an instruction, whose values match the object's own types. */
static const struct {
	uint32_t type;
	const char *access;
	uint32_t kind;
	uint8_t code;
	int32_t has;	/* imm, or for loads off */
} relos[] = {
	{ S, "0:0", BPF_CORE_FIELD_BYTE_OFFSET, BPF_ALU64 | BPF_MOV | BPF_K, 0 },
	{ S, "0:2", BPF_CORE_FIELD_BYTE_OFFSET, BPF_LDX | BPF_MEM | BPF_DW, 16 },
	{ S, "0:3:0:2", BPF_CORE_FIELD_BYTE_OFFSET, BPF_ALU64 | BPF_ADD | BPF_K, 32 },
	{ S, "0:1", BPF_CORE_FIELD_BYTE_SIZE, BPF_ALU64 | BPF_MOV | BPF_K, 4 },
	{ S, "0:1", BPF_CORE_FIELD_LSHIFT_U64, BPF_ALU64 | BPF_LSH | BPF_K, 61 },
	{ S, "0:1", BPF_CORE_FIELD_RSHIFT_U64, BPF_ALU64 | BPF_RSH | BPF_K, 61 },
	{ S, "0:1", BPF_CORE_FIELD_SIGNED, BPF_ALU64 | BPF_MOV | BPF_K, 1 },
	{ HOLDS, "0:1", BPF_CORE_FIELD_EXISTS, BPF_ALU64 | BPF_MOV | BPF_K, 1 },
	{ S, "0", BPF_CORE_TYPE_ID_LOCAL, BPF_ALU64 | BPF_MOV | BPF_K, S },
	{ ALIAS, "0", BPF_CORE_TYPE_ID_TARGET, BPF_ALU64 | BPF_MOV | BPF_K, ALIAS },
	{ CALLBACK, "0", BPF_CORE_TYPE_EXISTS, BPF_ALU64 | BPF_MOV | BPF_K, 1 },
	{ HOLDS, "0", BPF_CORE_TYPE_SIZE, BPF_ALU64 | BPF_MOV | BPF_K, 24 },
	{ HOLDS, "0", BPF_CORE_TYPE_MATCHES, BPF_ALU64 | BPF_MOV | BPF_K, 1 },
	{ CALLBACK, "0", BPF_CORE_TYPE_MATCHES, BPF_ALU64 | BPF_MOV | BPF_K, 1 },
	{ S, "0", BPF_CORE_TYPE_MATCHES, BPF_ALU64 | BPF_MOV | BPF_K, 1 },
	{ E, "1", BPF_CORE_ENUMVAL_EXISTS, BPF_ALU64 | BPF_MOV | BPF_K, 1 },
	{ E, "0", BPF_CORE_ENUMVAL_VALUE, BPF_ALU64 | BPF_MOV | BPF_K, 1 },
	{ E64, "0", BPF_CORE_ENUMVAL_VALUE, BPF_LD | BPF_IMM | BPF_DW, 0 },
};

struct buffer seed_core_object(void)
{
	struct elf_builder e = { 0 };
	struct btf_builder b = { 0 };
	uint32_t prog = eb_prog(&e, "xdp");
	struct buffer part;
	size_t size;

	add_types(&b, false);
	bb_func_info(&b, "xdp", 0, PROG);
	bb_line_info(&b, "xdp", 0, "a.c", "", 1, 1);
	for (size_t i = 0; i < sizeof(relos) / sizeof(relos[0]); i++) {
		bool is_load = relos[i].code == (BPF_LDX | BPF_MEM | BPF_DW);
		size_t at = relos[i].code == (BPF_LD | BPF_IMM | BPF_DW) ?
				    eb_ld_imm64(&e, prog, 1, 0, UINT64_C(1) << 40) :
				    eb_insn(&e, prog, relos[i].code, 1, 1,
					    is_load ? relos[i].has : 0, is_load ? 0 : relos[i].has);

		bb_core_relo(&b, "xdp", at, relos[i].type, relos[i].access, relos[i].kind);
	}
	size = eb_exit(&e, prog) + 8;
	eb_symbol(&e, "prog", prog, 0, size, STB_GLOBAL, STT_FUNC);
	part = bb_btf(&b);
	eb_section(&e, ".BTF", SHT_PROGBITS, 0, part.data, part.size);
	buffer_free(&part);
	part = bb_ext(&b);
	eb_section(&e, ".BTF.ext", SHT_PROGBITS, 0, part.data, part.size);
	buffer_free(&part);
	bb_free(&b);
	return eb_finish(&e);
}

struct buffer seed_core_target(void)
{
	struct btf_builder b = { 0 };
	struct buffer out;

	add_types(&b, true);
	out = bb_btf(&b);
	bb_free(&b);
	return out;
}
