// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One small sound object in each form that ELF has for it, to be damaged and compared. */
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/elf_builder.h"
#include "test/unit/common/form_builder.h"

enum { BIG = 1, RELA = 2, EXTENDED = 4 };

/* The types of the object below and records about its program; ids count from 1. */
static void add_types(struct btf_builder *t)
{
	bb_int(t, "int", 4, BTF_INT_SIGNED);
	bb_proto(t, 1);
	bb_func(t, "prog", 2, BTF_FUNC_GLOBAL);
	bb_struct(t, BTF_KIND_STRUCT, "map", 4, false);
	bb_member(t, "type", 1, 0, 0);
	bb_var(t, "map", 4, BTF_VAR_GLOBAL_ALLOCATED);
	bb_datasec(t, ".maps", 4);
	bb_datasec_var(t, 5, 0, 4);
	bb_func_info(t, "perf_event", 0, 3);
	bb_line_info(t, "perf_event", 0, "a.c", "return 0;", 1, 1);
	bb_core_relo(t, "perf_event", 0, 4, "0:0", 0);
}

static void add_sections(struct elf_builder *b)
{
	uint32_t prog = eb_prog(b, "perf_event");
	uint32_t maps = eb_data(b, ".maps", NULL, 32);
	uint32_t map, bss = eb_section(b, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NULL, 8);

	eb_data(b, "license", "GPL", 4);
	eb_ld_imm64(b, prog, 1, 0, 0);
	eb_exit(b, prog);
	eb_symbol(b, "", bss, 0, 0, STB_LOCAL, STT_SECTION);
	map = eb_symbol(b, "map", maps, 0, 32, STB_GLOBAL, STT_OBJECT);
	eb_symbol(b, "prog", prog, 0, 24, STB_GLOBAL, STT_FUNC);
	eb_symbol(b, "number", SHN_ABS, 1, 0, STB_GLOBAL, STT_NOTYPE);
	eb_reloc(b, prog, 0, R_BPF_64_64, map, b->rela ? 8 : 0);
	eb_reloc(b, maps, 8, R_BPF_64_ABS64, map, 0);
}

struct bytes form_object(unsigned int form)
{
	struct btf_builder t = { .foreign = !!(form & BIG) != HOST_BIG_ENDIAN };
	struct elf_builder b = {
		.foreign = !!(form & BIG) != HOST_BIG_ENDIAN,
		.rela = form & RELA,
		.extended = form & EXTENDED,
	};
	struct buffer btf, ext, object;
	unsigned char *exact;
	size_t size;

	add_types(&t);
	btf = bb_btf(&t);
	ext = bb_ext(&t);
	add_sections(&b);
	eb_section(&b, ".BTF", SHT_PROGBITS, 0, btf.data, btf.size);
	eb_section(&b, ".BTF.ext", SHT_PROGBITS, 0, ext.data, ext.size);
	object = eb_finish(&b);
	size = object.size;
	exact = malloc(size);
	if (!exact)
		abort();
	memcpy(exact, object.data, size);
	buffer_free(&object);
	buffer_free(&btf);
	buffer_free(&ext);
	bb_free(&t);
	return (struct bytes){ .data = exact, .size = size };
}

const char *form_name(unsigned int form)
{
	static const char *const names[NR_FORMS] = {
		"built",
		"built, big endian",
		"built, RELA",
		"built, big endian, RELA",
		"built, extended",
		"built, big endian, extended",
		"built, RELA, extended",
		"built, big endian, RELA, extended",
	};

	return names[form];
}
