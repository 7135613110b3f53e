// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A small object with structs of functions, and a kernel's types with their members at other
 * offsets.
 */
#include <linux/bpf.h>

#include "test/fuzz/seeds.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/elf_builder.h"

enum { INT = 1, CHAR, TEXT, PROTO, FUNCTION, OPS };

static void add_types(struct btf_builder *b, bool kernel)
{
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_int(b, "char", 1, 0);
	bb_array(b, CHAR, INT, 4);
	bb_proto(b, INT);
	bb_ref(b, BTF_KIND_PTR, "", PROTO);
	bb_struct(b, BTF_KIND_STRUCT, kernel ? "ops" : "ops___mine", 32, false);
	bb_member(b, "a", FUNCTION, kernel ? 128 : 0, 0);
	bb_member(b, "b", FUNCTION, 64, 0);
	bb_member(b, "flags", INT, kernel ? 0 : 128, 0);
	bb_member(b, "name", TEXT, kernel ? 192 : 160, 0);
	if (!kernel)
		return;
	bb_struct(b, BTF_KIND_STRUCT, "bpf_struct_ops_ops", 96, false);
	bb_member(b, "common", INT, 0, 0);
	bb_member(b, "data", OPS, 512, 0);
}

/* The variables "first" and "second" of one section; the second in the form with a link. */
struct buffer seed_ops_object(bool link)
{
	static const unsigned char data[64] = { [16] = 7, [20] = 'a', 'b', 'c' };
	const char *section = link ? ".struct_ops.link" : ".struct_ops";
	struct elf_builder e = { 0 };
	struct btf_builder b = { 0 };
	uint32_t code = eb_prog(&e, "struct_ops"), ops, f, g, first, second;
	struct buffer part;

	eb_exit(&e, code);
	eb_exit(&e, code);
	ops = eb_data(&e, section, data, sizeof(data));
	f = eb_symbol(&e, "f", code, 0, 8, STB_GLOBAL, STT_FUNC);
	g = eb_symbol(&e, "g", code, 8, 8, STB_GLOBAL, STT_FUNC);
	eb_symbol(&e, "first", ops, 0, 32, STB_GLOBAL, STT_OBJECT);
	eb_symbol(&e, "second", ops, 32, 32, STB_GLOBAL, STT_OBJECT);
	eb_reloc(&e, ops, 0, R_BPF_64_ABS64, f, 0);
	eb_reloc(&e, ops, 8, R_BPF_64_ABS64, g, 0);
	eb_reloc(&e, ops, 32, R_BPF_64_ABS64, f, 0);
	add_types(&b, false);
	first = bb_var(&b, "first", OPS, BTF_VAR_GLOBAL_ALLOCATED);
	second = bb_var(&b, "second", OPS, BTF_VAR_GLOBAL_ALLOCATED);
	bb_datasec(&b, section, 64);
	bb_datasec_var(&b, first, 0, 32);
	bb_datasec_var(&b, second, 32, 32);
	part = bb_btf(&b);
	eb_section(&e, ".BTF", SHT_PROGBITS, 0, part.data, part.size);
	buffer_free(&part);
	bb_free(&b);
	return eb_finish(&e);
}

struct buffer seed_ops_kernel(void)
{
	struct btf_builder b = { 0 };
	struct buffer out;

	add_types(&b, true);
	out = bb_btf(&b);
	bb_free(&b);
	return out;
}
