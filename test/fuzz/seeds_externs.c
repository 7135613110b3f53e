// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A small object with an extern of each kind, and a kernel's types that define them. */
#include <linux/bpf.h>

#include "test/fuzz/seeds.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/elf_builder.h"

enum { INT = 1, CHAR, BOOL, TRISTATE, TEXT, LONG, VOID, PROTO = SEED_PROTO, PROG, FIRST };

static const struct {
	const char *name;
	uint32_t type;
	uint8_t bind;
} externs[] = {
	{ "CONFIG_BOOL", BOOL, STB_GLOBAL },
	{ "CONFIG_TRISTATE", TRISTATE, STB_WEAK },
	{ "CONFIG_CHAR", CHAR, STB_GLOBAL },
	{ "CONFIG_INT", INT, STB_GLOBAL },
	{ "CONFIG_LONG", LONG, STB_WEAK },
	{ "CONFIG_TEXT", TEXT, STB_GLOBAL },
	{ "LINUX_KERNEL_VERSION", INT, STB_GLOBAL },
	{ "LINUX_HAS_BPF_COOKIE", BOOL, STB_GLOBAL },
	{ "LINUX_HAS_SYSCALL_WRAPPER", BOOL, STB_WEAK },
	{ "a_symbol", VOID, STB_GLOBAL },	/* of .ksyms from here on */
	{ "another", VOID, STB_WEAK },
	{ "a_variable", INT, STB_GLOBAL },
};

#define NR_EXTERNS (sizeof(externs) / sizeof(externs[0]))
#define FIRST_KSYM 9

static void add_types(struct btf_builder *b)
{
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_int(b, "char", 1, BTF_INT_SIGNED);
	bb_int(b, "_Bool", 1, BTF_INT_BOOL);
	bb_enum(b, BTF_KIND_ENUM, "libbpf_tristate", 4, false);
	bb_enumerator(b, "TRI_NO", 0);
	bb_array(b, CHAR, INT, 8);
	bb_int(b, "unsigned long", 8, 0);
	bb_ref(b, BTF_KIND_CONST, "", 0);
	bb_proto(b, INT);
	bb_param(b, "", LONG);
	bb_func(b, "prog", PROTO, BTF_FUNC_GLOBAL);
}

static void declare(struct btf_builder *b)
{
	for (size_t i = 0; i < NR_EXTERNS; i++)
		bb_var(b, externs[i].name, externs[i].type, BTF_VAR_GLOBAL_EXTERN);
	bb_func(b, "a_function", PROTO, BTF_FUNC_EXTERN);
	bb_func(b, SEED_IN_MODULE, PROTO, BTF_FUNC_EXTERN);
	bb_datasec(b, ".kconfig", 0);
	for (size_t i = 0; i < FIRST_KSYM; i++)
		bb_datasec_var(b, FIRST + i, 0, 0);
	bb_datasec(b, ".ksyms", 0);
	for (size_t i = FIRST_KSYM; i < NR_EXTERNS + 2; i++)	/* and the functions */
		bb_datasec_var(b, FIRST + i, 0, 0);
}

struct buffer seed_extern_object(void)
{
	struct elf_builder e = { 0 };
	struct btf_builder b = { 0 };
	uint32_t prog = eb_prog(&e, "xdp"), symbol;
	struct buffer part;
	size_t size = 16 * NR_EXTERNS + 24, at;

	add_types(&b);
	declare(&b);
	eb_symbol(&e, "prog", prog, 0, size, STB_GLOBAL, STT_FUNC);
	for (size_t i = 0; i < NR_EXTERNS; i++) {
		symbol = eb_symbol(&e, externs[i].name, SHN_UNDEF, 0, 0, externs[i].bind,
				   STT_NOTYPE);
		at = eb_ld_imm64(&e, prog, 1, 0, 0);
		eb_reloc(&e, prog, at, R_BPF_64_64, symbol, 0);
	}
	for (int i = 0; i < 2; i++) {
		symbol = eb_symbol(&e, i ? SEED_IN_MODULE : "a_function", SHN_UNDEF, 0, 0,
				   STB_GLOBAL,
				   STT_NOTYPE);
		eb_reloc(&e, prog, eb_call(&e, prog, BPF_PSEUDO_CALL, -1), R_BPF_64_32, symbol, 0);
	}
	eb_exit(&e, prog);
	part = bb_btf(&b);
	eb_section(&e, ".BTF", SHT_PROGBITS, 0, part.data, part.size);
	buffer_free(&part);
	bb_free(&b);
	return eb_finish(&e);
}

struct buffer seed_extern_kernel(void)
{
	struct btf_builder b = { 0 };
	struct buffer out;

	add_types(&b);
	bb_var(&b, "a_variable", INT, BTF_VAR_GLOBAL_ALLOCATED);
	bb_func(&b, "a_function", PROTO, BTF_FUNC_STATIC);
	out = bb_btf(&b);
	bb_free(&b);
	return out;
}
