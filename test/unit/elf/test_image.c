// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The ELF reader: a valid object in every form, and the same with one field broken. */
#include <errno.h>
#include <stdio.h>

#include "elf/image.h"
#include "test/unit/common/elf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

/* The sections and symbols of the sample, in the order in which they are built. */
enum {
	PROG = 1,
	TEXT,
	MAPS,
	BSS,
	LICENSE,
	RELPROG,
	RELMAPS,
	SYMTAB,
	STRTAB,
	SHNDX,
	SHSTRTAB = SHNDX,
	NR_SECTIONS,
};
enum { SYM_TEXT = 1, SYM_LOCAL, SYM_PROG, SYM_HITS, SYM_ABS, SYM_EXTERN, SYM_COMMON, NR_SYMBOLS };

enum { BIG = 1, RELA = 2, EXTENDED = 4, NR_FORMS = 8 };

#define FAR ((1LL << 40) + 24)	/* an addend of RELA has 64 bits */

static struct buffer sample(unsigned int form)
{
	struct elf_builder b = { .foreign = !!(form & BIG) != HOST_BIG_ENDIAN,
				 .rela = form & RELA,
				 .extended = form & EXTENDED };

	eb_prog(&b, "perf_event");
	eb_prog(&b, ".text");
	eb_data(&b, ".maps", NULL, 32);
	eb_section(&b, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NULL, 16);
	eb_data(&b, "license", "GPL", 4);
	eb_ld_imm64(&b, PROG, 1, 0, 0);
	eb_call(&b, PROG, 1, -1);
	eb_exit(&b, PROG);
	eb_exit(&b, TEXT);
	eb_symbol(&b, "", TEXT, 0, 0, STB_LOCAL, STT_SECTION);
	eb_symbol(&b, "counter", BSS, 8, 8, STB_LOCAL, STT_OBJECT);
	eb_symbol(&b, "prog", PROG, 0, 32, STB_GLOBAL, STT_FUNC);
	eb_symbol(&b, "hits", MAPS, 0, 32, STB_GLOBAL, STT_OBJECT);
	eb_symbol(&b, "number", SHN_ABS, 1234567, 99, STB_GLOBAL, STT_NOTYPE);
	eb_symbol(&b, "other", SHN_UNDEF, 0, 0, STB_WEAK, STT_NOTYPE);
	eb_symbol(&b, "common", SHN_COMMON, 8, 64, STB_GLOBAL, STT_OBJECT);
	eb_reloc(&b, PROG, 0, R_BPF_64_64, SYM_HITS, form & RELA ? FAR : 0);
	eb_reloc(&b, PROG, 16, R_BPF_64_32, SYM_TEXT, form & RELA ? -8 : 0);
	eb_reloc(&b, MAPS, 8, R_BPF_64_ABS64, SYM_PROG, 0);
	eb_reloc(&b, MAPS, 28, R_BPF_64_32, SYM_PROG,
		 0); /* 4 bytes of data, as clang before 13 wrote */
	eb_reloc(&b, MAPS, 32, R_BPF_NONE, 0, 0);
	return eb_finish(&b);
}

static void parse(struct elf_image *image, const struct buffer *object)
{
	struct error err = { 0 };
	int ret = elf_image_parse(image, buffer_bytes(object), &err);

	ck_assert_msg(ret == 0, "%d: %s: %s", ret, err.where, err.what);
}

TEST_EACH(header_in_every_form, NR_FORMS)
{
	struct buffer object = sample(_i);
	struct elf_image image;

	parse(&image, &object);
	ck_assert_uint_eq(image.nr_sections, _i & EXTENDED ? NR_SECTIONS + 1 : NR_SECTIONS);
	ck_assert_uint_eq(image.nr_symbols, NR_SYMBOLS);
	ck_assert_uint_eq(image.symtab, SYMTAB);
	ck_assert_int_eq(image.big_endian, !!(_i & BIG));
	ck_assert_int_eq(image.swap, image.big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	elf_image_free(&image);
	ck_assert_ptr_null(image.sections);
	buffer_free(&object);
}

TEST_EACH(sections_in_every_form, NR_FORMS)
{
	struct buffer object = sample(_i);
	struct elf_image image;
	const struct elf_section *s;

	parse(&image, &object);
	s = image.sections;
	ck_assert_str_eq(s[0].name, "");
	ck_assert_str_eq(s[PROG].name, "perf_event");
	ck_assert_uint_eq(s[PROG].type, SHT_PROGBITS);
	ck_assert_uint_eq(s[PROG].flags, SHF_ALLOC | SHF_EXECINSTR);
	ck_assert_uint_eq(s[PROG].size, 32);
	ck_assert_uint_eq(s[PROG].align, 8);
	ck_assert_ptr_eq(s[PROG].data.data, object.data + s[PROG].offset);
	ck_assert_uint_eq(s[PROG].data.size, 32);
	ck_assert_uint_eq(s[BSS].size, 16);
	ck_assert_uint_eq(s[BSS].data.size, 0);
	ck_assert_mem_eq(s[LICENSE].data.data, "GPL", 4);
	ck_assert_uint_eq(s[SYMTAB].entsize, sizeof(struct elf64_sym));
	ck_assert_uint_eq(s[SYMTAB].link, STRTAB);
	ck_assert_uint_eq(s[SYMTAB].info, SYM_PROG);
	ck_assert_uint_eq(elf_section_find(&image, "license"), LICENSE);
	ck_assert_uint_eq(elf_section_find(&image, "licens"), 0);
	ck_assert_uint_eq(elf_section_find(&image, ""), 0);
	elf_image_free(&image);
	buffer_free(&object);
}

TEST_EACH(symbols_in_every_form, NR_FORMS)
{
	static const struct elf_symbol expected[NR_SYMBOLS] = {
		{ .name = "" },
		{ ".text", 0, 0, TEXT, STB_LOCAL, STT_SECTION, STV_DEFAULT },
		{ "counter", 8, 8, BSS, STB_LOCAL, STT_OBJECT, STV_DEFAULT },
		{ "prog", 0, 32, PROG, STB_GLOBAL, STT_FUNC, STV_DEFAULT },
		{ "hits", 0, 32, MAPS, STB_GLOBAL, STT_OBJECT, STV_HIDDEN },
		{ "number", 1234567, 99, ELF_SHN_ABS, STB_GLOBAL, STT_NOTYPE, STV_DEFAULT },
		{ "other", 0, 0, SHN_UNDEF, STB_WEAK, STT_NOTYPE, STV_DEFAULT },
		{ "common", 8, 64, ELF_SHN_COMMON, STB_GLOBAL, STT_OBJECT, STV_DEFAULT },
	};
	struct buffer object = sample(_i);
	struct elf_image image;
	size_t hits = eb_content(&object, SYMTAB) + SYM_HITS * sizeof(struct elf64_sym);

	object.data[hits + offsetof(struct elf64_sym, st_other)] = STV_HIDDEN;
	parse(&image, &object);
	for (uint32_t i = 0; i < NR_SYMBOLS; i++) {
		const struct elf_symbol *sym = &image.symbols[i], *e = &expected[i];

		ck_assert_str_eq(sym->name, e->name);
		ck_assert_uint_eq(sym->value, e->value);
		ck_assert_uint_eq(sym->size, e->size);
		ck_assert_uint_eq(sym->section, e->section);
		ck_assert_uint_eq(sym->bind, e->bind);
		ck_assert_uint_eq(sym->type, e->type);
		ck_assert_uint_eq(sym->visibility, e->visibility);
	}
	elf_image_free(&image);
	buffer_free(&object);
}

/* A section's symbol without a name has that of the section; one with a name keeps it. */
TEST(a_section_symbol_may_have_a_name)
{
	struct elf_builder b = { 0 };
	struct elf_image image;
	struct buffer object;
	uint32_t text = eb_prog(&b, ".text");

	eb_exit(&b, text);
	eb_symbol(&b, "named", text, 0, 0, STB_LOCAL, STT_SECTION);
	eb_symbol(&b, "", text, 0, 0, STB_LOCAL, STT_SECTION);
	object = eb_finish(&b);
	parse(&image, &object);
	ck_assert_str_eq(image.symbols[1].name, "named");
	ck_assert_str_eq(image.symbols[2].name, ".text");
	elf_image_free(&image);
	buffer_free(&object);
}

TEST_EACH(relocations_in_every_form, NR_FORMS)
{
	struct buffer object = sample(_i);
	struct elf_image image;
	struct elf_reloc r;

	parse(&image, &object);
	ck_assert(elf_section_is_reloc(&image, RELPROG));
	ck_assert(!elf_section_is_reloc(&image, PROG));
	ck_assert_str_eq(image.sections[RELPROG].name,
			 _i & RELA ? ".relaperf_event" : ".relperf_event");
	ck_assert_uint_eq(image.sections[RELPROG].info, PROG);
	ck_assert_uint_eq(elf_reloc_count(&image, RELPROG), 2);
	ck_assert_uint_eq(elf_reloc_count(&image, RELMAPS), 3);
	r = elf_reloc_get(&image, RELPROG, 0);
	ck_assert_uint_eq(r.offset, 0);
	ck_assert_uint_eq(r.type, R_BPF_64_64);
	ck_assert_uint_eq(r.symbol, SYM_HITS);
	ck_assert_int_eq(r.addend, _i & RELA ? FAR : 0);
	ck_assert_int_eq(r.has_addend, !!(_i & RELA));
	r = elf_reloc_get(&image, RELPROG, 1);
	ck_assert_uint_eq(r.offset, 16);
	ck_assert_uint_eq(r.type, R_BPF_64_32);
	ck_assert_uint_eq(r.symbol, SYM_TEXT);
	ck_assert_int_eq(r.addend, _i & RELA ? -8 : 0);
	/* An addend of 0 is one, too. */
	r = elf_reloc_get(&image, RELMAPS, 0);
	ck_assert_int_eq(r.addend, 0);
	ck_assert_int_eq(r.has_addend, !!(_i & RELA));
	elf_image_free(&image);
	buffer_free(&object);
}

TEST(relocation_types)
{
	ck_assert_uint_eq(elf_reloc_width(R_BPF_64_64), 16);
	ck_assert_uint_eq(elf_reloc_width(R_BPF_64_32), 8);
	ck_assert_uint_eq(elf_reloc_width(R_BPF_64_ABS64), 8);
	ck_assert_uint_eq(elf_reloc_width(R_BPF_64_ABS32), 4);
	ck_assert_uint_eq(elf_reloc_width(R_BPF_64_NODYLD32), 4);
	ck_assert_uint_eq(elf_reloc_width(R_BPF_NONE), 0);
	ck_assert_uint_eq(elf_reloc_width(5), 0);
	ck_assert_uint_eq(elf_reloc_width(UINT32_MAX), 0);
	ck_assert_str_eq(elf_reloc_name(R_BPF_64_NODYLD32), "R_BPF_64_NODYLD32");
	ck_assert_str_eq(elf_reloc_name(R_BPF_NONE), "R_BPF_NONE");
	ck_assert_ptr_null(elf_reloc_name(9));
	ck_assert_ptr_null(elf_reloc_name(UINT32_MAX));
}

/*
 * The part of the file in which a field is broken: the ELF header, the header of a section, or the
 * contents of a section.
 */
enum where { EHDR, SHDR, DATA };

#define E(field) EHDR, 0, offsetof(struct elf64_hdr, field), sizeof(((struct elf64_hdr *)0)->field)
#define S(sec, field) \
	SHDR, sec, offsetof(struct elf64_shdr, field), sizeof(((struct elf64_shdr *)0)->field)
#define ENTRY(sec, type, i, field)                                           \
	DATA, sec, (i) * sizeof(struct type) + offsetof(struct type, field), \
		sizeof(((struct type *)0)->field)
#define SYM(i, field) ENTRY(SYMTAB, elf64_sym, i, field)
#define REL(sec, i, field) ENTRY(sec, elf64_rel, i, field)

static const struct broken {
	enum where where;
	uint32_t section;
	size_t at, width;
	uint64_t value;
	struct expect e;
} broken[] = {
	{ EHDR, 0, EI_MAG0, 1, 'x',
	  { ENOEXEC, "ELF header", "not an ELF object", "clang -target bpf" } },
	{ EHDR, 0, EI_CLASS, 1, ELFCLASS32,
	  { ENOEXEC, "ELF header", "ELF32", "clang -target bpf" } },
	{ EHDR, 0, EI_CLASS, 1, 9, { ENOEXEC, "ELF header", "unknown ELF class", "clang" } },
	{ EHDR, 0, EI_DATA, 1, 3, { ENOEXEC, "ELF header", "byte order 3" } },
	{ EHDR, 0, EI_VERSION, 1, 2, { ENOEXEC, "ELF header", "ELF version 2" } },
	{ E(e_machine), EM_X86_64,
	  { ENOEXEC, "ELF header", "x86-64, not for BPF", "clang -target bpf" } },
	{ E(e_machine), 9999, { ENOEXEC, "ELF header", "machine 9999", "clang -target bpf" } },
	{ E(e_type), ET_EXEC, { ENOEXEC, "ELF header", "2 (ET_EXEC)", "before any linking" } },
	{ E(e_type), 0xfe00, { ENOEXEC, "ELF header", "65024 (unknown)", "before any linking" } },
	{ E(e_version), 7, { ENOEXEC, "ELF header", "ELF version 7" } },
	{ E(e_shoff), 0, { EBADMSG, "ELF header", "no section header table" } },
	{ E(e_shoff), 1 << 20,
	  { EBADMSG, "ELF header", "table at 0x100000 is outside", "truncated" } },
	{ E(e_shoff), UINT64_MAX, { EBADMSG, "ELF header", "is outside" } },
	{ E(e_shoff), UINT64_MAX - 63, { EBADMSG, "ELF header", "is outside" } },
	{ E(e_shoff), 60, { EBADMSG, "ELF header", "section 0 is not the null section" } },
	{ E(e_shentsize), 63, { EBADMSG, "ELF header", "63 bytes (e_shentsize)" } },
	{ E(e_shnum), 500, { EBADMSG, "ELF header", "500 section headers", "truncated" } },
	{ E(e_shnum), 0,
	  { EBADMSG, "ELF header", "of 0 sections", NULL } }, /* section 0 says 0 too */
	{ E(e_shstrndx), 0, { EBADMSG, "ELF header", "section 0 should hold the section names" } },
	{ E(e_shstrndx), 500, { EBADMSG, "ELF header", "section 500 should hold" } },
	{ E(e_shstrndx), SHN_XINDEX, { EBADMSG, "ELF header", "section 0 should hold" } },
	{ E(e_shstrndx), PROG, { EBADMSG, "section 1", "not SHT_STRTAB" } },
	{ S(0, sh_type), SHT_PROGBITS,
	  { EBADMSG, "ELF header", "section 0 is not the null section" } },
	{ S(SHSTRTAB, sh_size), 1 << 20,
	  { EBADMSG, "section 10", "are outside the file", "truncated" } },
	{ S(PROG, sh_name), 1 << 20, { EBADMSG, "section 1", "its name at 0x100000" } },
	{ S(PROG, sh_offset), 1 << 20,
	  { EBADMSG, "section 1 'perf_event'", "at 0x100000 are outside", "truncated" } },
	{ S(PROG, sh_offset), UINT64_MAX, { EBADMSG, "section 1 'perf_event'", "are outside" } },
	{ S(PROG, sh_size), UINT64_MAX, { EBADMSG, "section 1 'perf_event'", "are outside" } },
	{ S(PROG, sh_addralign), 3,
	  { EBADMSG, "section 1 'perf_event'", "0x3 is not a power of two" } },
	{ S(PROG, sh_link), 99, { EBADMSG, "section 1 'perf_event'", "linked to section 99" } },
	{ S(LICENSE, sh_type), SHT_SYMTAB,
	  { EBADMSG, "section 8 '.symtab'", "second table of its kind" } },
	{ S(SYMTAB, sh_entsize), 23, { EBADMSG, "section 8 '.symtab'", "23 bytes (sh_entsize)" } },
	{ S(SYMTAB, sh_size), 25, { EBADMSG, "section 8 '.symtab'", "size 0x19" } },
	{ S(SYMTAB, sh_size), 0, { EBADMSG, "section 8 '.symtab'", "size 0x0" } },
	{ S(SYMTAB, sh_info), 99,
	  { EBADMSG, "section 8 '.symtab'", "first global symbol should be 99 of 8" } },
	{ S(SYMTAB, sh_link), PROG, { EBADMSG, "section 8 '.symtab'", "not SHT_STRTAB" } },
	{ SYM(0, st_name), 1, { EBADMSG, "symbol 0", "not the null symbol" } },
	{ SYM(0, st_value), 1, { EBADMSG, "symbol 0", "not the null symbol" } },
	{ SYM(0, st_size), 1, { EBADMSG, "symbol 0", "not the null symbol" } },
	{ SYM(SYM_HITS, st_name), 1 << 20, { EBADMSG, "symbol 4", "its name at 0x100000" } },
	{ SYM(SYM_HITS, st_shndx), 99, { EBADMSG, "symbol 4 'hits'", "in section 99 of 11" } },
	{ SYM(SYM_HITS, st_shndx), 0xff01,
	  { EBADMSG, "symbol 4 'hits'", "0xff01 is an unknown reserved index" } },
	{ SYM(SYM_HITS, st_shndx), SHN_XINDEX, { EBADMSG, "symbol 4 'hits'", "which is missing" } },
	{ SYM(SYM_HITS, st_value), 33,
	  { EBADMSG, "symbol 4 'hits'", "outside section '.maps' of 0x20" } },
	{ SYM(SYM_HITS, st_size), 33,
	  { EBADMSG, "symbol 4 'hits'", "0x21 bytes at 0x0 are outside" } },
	{ SYM(SYM_HITS, st_size), UINT64_MAX, { EBADMSG, "symbol 4 'hits'", "are outside" } },
	{ SYM(SYM_LOCAL, st_value), 9,
	  { EBADMSG, "symbol 2 'counter'", "outside section '.bss'" } },
	{ SYM(SYM_TEXT, st_value), 8, { EBADMSG, "symbol 1", "its value is 0x8, not 0" } },
	{ SYM(SYM_TEXT, st_shndx), SHN_UNDEF, { EBADMSG, "symbol 1", "names no section" } },
	{ SYM(SYM_TEXT, st_shndx), SHN_ABS, { EBADMSG, "symbol 1", "names no section" } },
	{ S(LICENSE, sh_type), 0x40000014,
	  { EBADMSG, "section 5 'license'", "SHT_CREL", "--crel" } },
	{ S(MAPS, sh_type), SHT_NULL, { EBADMSG, "symbol 4 'hits'", "inactive" } },
	{ S(RELPROG, sh_entsize), 24,
	  { EBADMSG, "section 6 '.relperf_event'", "24 bytes (sh_entsize)" } },
	{ S(RELPROG, sh_size), 17,
	  { EBADMSG, "section 6 '.relperf_event'", "0x11 is not a multiple of 16" } },
	{ S(RELPROG, sh_link), STRTAB,
	  { EBADMSG, "section 6 '.relperf_event'", "not the symbol table" } },
	{ S(RELPROG, sh_info), 0,
	  { EBADMSG, "section 6 '.relperf_event'", "relocates section 0" } },
	{ S(RELPROG, sh_info), 99,
	  { EBADMSG, "section 6 '.relperf_event'", "relocates section 99" } },
	{ S(RELPROG, sh_info), BSS,
	  { EBADMSG, "section 6 '.relperf_event'", "'.bss', which has no bytes" } },
	{ REL(RELPROG, 0, r_info), ELF64_R_INFO(SYM_HITS, 5),
	  { EBADMSG, ".relperf_event[0] at 0x0", "relocation type 5 is unknown",
	    "R_BPF_64_64 (1), R_BPF_64_ABS64 (2), R_BPF_64_ABS32 (3)" } },
	{ REL(RELPROG, 0, r_info), ELF64_R_INFO(SYM_HITS, UINT32_MAX),
	  { EBADMSG, ".relperf_event[0] at 0x0", "relocation type 4294967295 is unknown",
	    "R_BPF_64_32 (10)" } },
	{ REL(RELPROG, 1, r_info), ELF64_R_INFO(99, R_BPF_64_32),
	  { EBADMSG, ".relperf_event[1] at 0x10", "refers to symbol 99 of 8" } },
	{ REL(RELPROG, 1, r_info), ELF64_R_INFO(NR_SYMBOLS, R_BPF_64_32),
	  { EBADMSG, ".relperf_event[1] at 0x10", "refers to symbol 8 of 8" } },
	{ REL(RELPROG, 0, r_offset), 24,
	  { EBADMSG, ".relperf_event[0] at 0x18",
	    "16 bytes of a R_BPF_64_64 are outside section 'perf_event' of 0x20 bytes" } },
	{ REL(RELPROG, 0, r_offset), UINT64_MAX, { EBADMSG, ".relperf_event[0]", "are outside" } },
	{ REL(RELPROG, 0, r_offset), 4,
	  { EBADMSG, ".relperf_event[0] at 0x4", "not at the start of an instruction" } },
	{ REL(RELMAPS, 0, r_offset), 25,
	  { EBADMSG, ".rel.maps[0] at 0x19", "8 bytes of a R_BPF_64_ABS64" } },
	{ REL(RELMAPS, 1, r_offset), 29,
	  { EBADMSG, ".rel.maps[1] at 0x1d", "4 bytes of a R_BPF_64_32" } },
	{ REL(RELMAPS, 2, r_offset), 33,
	  { EBADMSG, ".rel.maps[2] at 0x21", "0 bytes of a R_BPF_NONE" } },
	{ S(MAPS, sh_flags), SHF_COMPRESSED | SHF_ALLOC,
	  { EBADMSG, "section 3 '.maps'", "only for debug sections" } },
	{ S(BSS, sh_flags), SHF_COMPRESSED,
	  { EBADMSG, "section 4 '.bss'", "only for debug sections" } },
	{ S(STRTAB, sh_flags), SHF_COMPRESSED,
	  { EBADMSG, "section 9 '.strtab'", "only for debug sections" } },
	{ S(RELMAPS, sh_flags), SHF_COMPRESSED,
	  { EBADMSG, "section 7 '.rel.maps'", "only for debug sections" } },
	{ DATA, STRTAB, 0, 1, 'x',
	  { EBADMSG, "section 8 '.symtab'", "section 9 should hold names" } },
	{ S(SHSTRTAB, sh_size), 0, { EBADMSG, "section 10", "not start with a zero" } },
	{ S(STRTAB, sh_size), 0, { EBADMSG, "section 8", "not start with a zero" } },
	{ DATA, SHSTRTAB, 0, 1, 'x', { EBADMSG, "section 10", "does not start with a zero byte" } },
};

/* A type of four bytes patches data, also in code, where it begins at any byte. */
TEST_EACH(four_bytes_need_no_alignment, 2)
{
	static const size_t offsets[] = { 20, 27 };
	struct buffer object = sample(0);
	const size_t at = eb_content(&object, RELPROG) + sizeof(struct elf64_rel);
	struct elf_image image;

	buffer_poke(&object, at + offsetof(struct elf64_rel, r_info), 8,
		    ELF64_R_INFO(SYM_TEXT, R_BPF_64_ABS32), false);
	buffer_poke(&object, at + offsetof(struct elf64_rel, r_offset), 8, offsets[_i], false);
	parse(&image, &object);
	ck_assert_uint_eq(elf_reloc_get(&image, RELPROG, 1).offset, offsets[_i]);
	elf_image_free(&image);
	buffer_free(&object);
}

static void poke(struct buffer *object, const struct broken *b)
{
	size_t base = 0;

	if (b->where == SHDR)
		base = eb_shdr(object, b->section);
	else if (b->where == DATA)
		base = eb_content(object, b->section);
	buffer_poke(object, base + b->at, b->width, b->value, object->data[EI_DATA] == ELFDATA2MSB);
}

static void refuse(const struct broken *b, unsigned int form)
{
	struct buffer object = sample(form);
	struct elf_image image;
	struct error err = { 0 };
	char row[64];

	snprintf(row, sizeof(row), "where %d section %u +%zu = %#lx", b->where, b->section, b->at,
		 (unsigned long)b->value);
	poke(&object, b);
	expect_error(row, elf_image_parse(&image, buffer_bytes(&object), &err), &err, &b->e);
	ck_assert_ptr_null(image.sections);
	ck_assert_ptr_null(image.symbols);
	buffer_free(&object);
}

TEST_ROWS(one_field_broken, broken)
{
	refuse(&broken[_i], 0);
	refuse(&broken[_i], BIG);
}

/*
 * Errors that only the extended form (SHN_XINDEX) can have; it has SHNDX as an additional section.
 */
static const struct broken broken_extended[] = {
	{ S(0, sh_size), 1000, { EBADMSG, "ELF header", "1000 section headers", "truncated" } },
	{ S(0, sh_size), UINT64_MAX, { EBADMSG, "ELF header", "section headers", "truncated" } },
	{ S(0, sh_size), 3,
	  { EBADMSG, "ELF header", "section 11 should hold the section names, of 3" } },
	{ S(0, sh_link), 1000,
	  { EBADMSG, "ELF header", "section 1000 should hold the section names" } },
	{ S(SHNDX, sh_entsize), 8,
	  { EBADMSG, "section 10 '.symtab_shndx'", "8 bytes (sh_entsize)" } },
	{ S(SHNDX, sh_size), 28,
	  { EBADMSG, "section 10 '.symtab_shndx'", "not that of 8 indices" } },
	{ S(SHNDX, sh_size), 30,
	  { EBADMSG, "section 10 '.symtab_shndx'", "not that of 8 indices" } },
	{ S(SHNDX, sh_link), 0, { EBADMSG, "symbol 1", "which is missing" } },
	{ DATA, SHNDX, 4 * SYM_HITS, 4, 99, { EBADMSG, "symbol 4 'hits'", "in section 99 of 12" } },
	{ DATA, SHNDX, 4 * SYM_HITS, 4, ELF_SHN_ABS, { EBADMSG, "symbol 4 'hits'", "in section" } },
};

TEST_EACH(one_extended_field_broken,  NR(broken_extended))
{
	refuse(&broken_extended[_i], EXTENDED);
	refuse(&broken_extended[_i], EXTENDED | BIG);
}

/*
 * Every length but the whole is refused, with a hint, and nothing is read behind the end (the
 * sanitizer watches).
 */
TEST_EACH(truncated_at_every_length, NR_FORMS)
{
	struct buffer object = sample(_i);

	for (size_t size = 0; size < object.size; size++) {
		struct error err = { 0 };
		struct elf_image image;
		unsigned char *copy = malloc(size + !size);
		int ret;

		memcpy(copy, object.data, size);
		ret = elf_image_parse(&image, (struct bytes){ .data = copy, .size = size }, &err);
		ck_assert_msg(ret == (size < sizeof(struct elf64_hdr) ? -ENOEXEC : -EBADMSG),
			      "%zu: %d", size, ret);
		ck_assert_str_eq(err.where, "ELF header");
		ck_assert_str_ne(err.hint, "");
		free(copy);
	}
	buffer_free(&object);
}

static void refuse_bytes(const char *text, size_t size, const char *what, const char *hint)
{
	const struct expect e = { ENOEXEC, "ELF header", what, hint };
	struct error err = { 0 };
	struct elf_image image;
	struct bytes file = { .data = (const unsigned char *)text, .size = size };

	expect_error(what, elf_image_parse(&image, file, &err), &err, &e);
}

TEST(other_kinds_of_files)
{
	refuse_bytes(NULL, 0, "empty", "clang -target bpf");
	refuse_bytes("BC\xc0\xde....", 8, "LLVM bitcode", "-emit-llvm");
	refuse_bytes("!<arch>\n", 8, "static library", "one of its objects");
	refuse_bytes("\x9f\xeb\x01\0", 4, "BTF alone", "object");
	refuse_bytes("#include", 8, "this is C source",
		     "clang -O2 -g -target bpf -c prog.bpf.c -o ");
	refuse_bytes("// \xc2\xa9\n\n#include <x.h>", 21, "this is C source", "pass the object");
	refuse_bytes("package x // #include", 21, "this is text, not", "pass an object");
	refuse_bytes("/", 1, "this is text, not", "pass an object");
	refuse_bytes("\x1b", 1, "first byte is 0x1b", "clang -target bpf");
	refuse_bytes("text\0", 5, "first byte is 0x74", "clang -target bpf");
	refuse_bytes("text\x7f", 5, "first byte is 0x74", "clang -target bpf");
	refuse_bytes("\x7f" "EL", 3, "not an ELF object", "clang");
	refuse_bytes("\x7f" "ELF", 4, "ends after 4 bytes", "truncated");
}

TEST(machine_none_is_taken)
{
	struct buffer object = sample(0);
	struct elf_image image;

	buffer_poke(&object, offsetof(struct elf64_hdr, e_machine), 2, 0, false);
	parse(&image, &object);
	elf_image_free(&image);
	buffer_free(&object);
}

TEST(object_without_symbols)
{
	struct elf_builder b = { 0 };
	struct elf_image image;
	struct buffer object;

	eb_data(&b, "license", "GPL", 4);
	object = eb_finish(&b);
	parse(&image, &object);
	ck_assert_uint_eq(image.symtab, 0);
	ck_assert_uint_eq(image.nr_symbols, 0);
	elf_image_free(&image);
	buffer_free(&object);
}

/* Only the type of an inactive section means anything. */
TEST(inactive_section)
{
	struct buffer object = sample(0);
	struct elf_image image;

	buffer_poke(&object, eb_shdr(&object, LICENSE) + offsetof(struct elf64_shdr, sh_type), 4,
		    SHT_NULL, false);
	buffer_poke(&object, eb_shdr(&object, LICENSE) + offsetof(struct elf64_shdr, sh_offset), 8,
		    UINT64_MAX, false);
	parse(&image, &object);
	ck_assert_uint_eq(image.sections[LICENSE].size, 0);
	ck_assert_uint_eq(image.sections[LICENSE].data.size, 0);
	elf_image_free(&image);
	buffer_free(&object);
}

/* Relocations for debuggers and linkers are neither counted nor checked. */
TEST_EACH(relocations_of_others, 5)
{
	static const struct {
		const char *name;
		uint64_t flags;
		uint32_t relocs;
	} sections[] = {
		{ ".debug_info", 0, 0 },
		{ ".zdebug", SHF_COMPRESSED, 0 },
		{ ".BTF.ext", 0, 0 },
		{ ".BTF", 0, 1 },
		{ ".debug", SHF_ALLOC, 1 },
	};
	struct elf_builder b = { 0 };
	struct elf_image image;
	struct buffer object;
	struct error err = { 0 };
	uint32_t section = eb_section(&b, sections[_i].name, SHT_PROGBITS, sections[_i].flags,
				      "one two", 8);

	eb_symbol(&b, "", section, 0, 0, STB_LOCAL, STT_SECTION);
	eb_reloc(&b, section, 4, R_BPF_64_ABS32, 1, 0);
	object = eb_finish(&b);
	parse(&image, &object);
	for (uint32_t i = 1; i < image.nr_sections; i++)
		if (elf_section_is_reloc(&image, i))
			ck_assert_uint_eq(elf_reloc_count(&image, i), sections[_i].relocs);
	elf_image_free(&image);
	buffer_free(&object);

	memset(&b, 0, sizeof(b));
	section = eb_section(&b, sections[_i].name, SHT_PROGBITS, sections[_i].flags, "one two", 8);
	eb_symbol(&b, "", section, 0, 0, STB_LOCAL, STT_SECTION);
	eb_reloc(&b, section, 5, R_BPF_64_ABS32, 1, 0);
	object = eb_finish(&b);
	ck_assert_int_eq(elf_image_parse(&image, buffer_bytes(&object), &err),
			 sections[_i].relocs ? -EBADMSG : 0);
	if (!sections[_i].relocs)
		elf_image_free(&image);
	buffer_free(&object);
}

TEST_EACH(more_sections_than_a_half_can_count, 2)
{
	const uint32_t count = 66000;
	struct elf_builder b = { .foreign = _i };
	struct elf_image image;
	struct buffer object;

	for (uint32_t i = 1; i <= count; i++)
		eb_data(&b, i == count ? "last" : "s", "GPL", 4);
	eb_symbol(&b, "reserved", 0xfff1, 1, 2, STB_GLOBAL,
		  STT_OBJECT); /* SHN_ABS, for the builder */
	eb_symbol(&b, "in_last", count, 1, 3, STB_GLOBAL, STT_OBJECT);
	object = eb_finish(&b);
	parse(&image, &object);
	ck_assert_uint_eq(image.nr_sections, count + 5);
	ck_assert_uint_eq(elf_section_find(&image, "last"), count);
	ck_assert_uint_eq(image.symbols[1].section, ELF_SHN_ABS);
	ck_assert_uint_eq(image.symbols[2].section, count);
	ck_assert_str_eq(image.symbols[2].name, "in_last");
	elf_image_free(&image);
	buffer_free(&object);
}

/* The name is that of a section, or of a symbol after another one. */
static void bounded_name(bool of_symbol)
{
	for (size_t len = 4095; len <= 4096; len++) {
		struct elf_builder b = { 0 };
		struct error err = { 0 };
		struct elf_image image;
		struct buffer object;
		char name[4097];
		int ret;

		memset(name, 'a', len);
		name[len] = '\0';
		eb_data(&b, of_symbol ? "license" : name, "GPL", 4);
		eb_symbol(&b, "short", SHN_ABS, 1, 0, STB_LOCAL, STT_NOTYPE);
		if (of_symbol)
			eb_symbol(&b, name, SHN_ABS, 1, 0, STB_LOCAL, STT_NOTYPE);
		object = eb_finish(&b);
		ret = elf_image_parse(&image, buffer_bytes(&object), &err);
		ck_assert_int_eq(ret, len == 4095 ? 0 : -EBADMSG);
		elf_image_free(&image);
		buffer_free(&object);
	}
}

TEST(names_are_bounded)
{
	bounded_name(false);
	bounded_name(true);
}

/* Returns copies of exactly the requested bytes, so that the sanitizer finds a read beyond them. */
struct pieces {
	struct bytes file;
	struct piece {
		uint64_t off, len;
		unsigned char *copy;	/* owned */
	} list[64];
	unsigned int nr;
	unsigned int fail_at;	/* this one, counted from 1, cannot be read */
};

static int get_piece(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err)
{
	struct pieces *p = arg;
	struct piece *piece = &p->list[p->nr++];

	ck_assert_uint_le(p->nr, 64);
	ck_assert(bytes_hold(p->file.size, off, len));
	*piece = (struct piece){ off, len, malloc(len ? len : 1) };
	memcpy(piece->copy, p->file.data + off, len);
	*out = (struct bytes){ piece->copy, len };
	return p->nr == p->fail_at ? error_set(err, EIO, "read: it broke") : 0;
}

static void free_pieces(struct pieces *p)
{
	for (unsigned int i = 0; i < p->nr; i++)
		free(p->list[i].copy);
	p->nr = 0;
}

static bool was_fetched(const struct pieces *p, const struct elf_section *section)
{
	for (unsigned int i = 0; i < p->nr; i++)
		if (p->list[i].off < section->offset + section->size &&
		    section->offset < p->list[i].off + p->list[i].len)
			return true;
	return false;
}

static struct buffer debug_sample(void)
{
	struct elf_builder b = { 0 };
	uint32_t prog = eb_prog(&b, "perf_event"), debug, ext, data;

	eb_exit(&b, prog);
	debug = eb_section(&b, ".debug_info", SHT_PROGBITS, 0, "one two", 8);
	ext = eb_section(&b, ".BTF.ext", SHT_PROGBITS, 0, "one two", 8);
	data = eb_data(&b, ".debug_data", "one two", 8);
	eb_symbol(&b, "", debug, 0, 0, STB_LOCAL, STT_SECTION);
	eb_reloc(&b, debug, 4, R_BPF_64_ABS32, 1, 0);
	eb_reloc(&b, ext, 4, R_BPF_64_ABS32, 1, 0);
	eb_reloc(&b, data, 4, R_BPF_64_ABS32, 1, 0);
	return eb_finish(&b);
}

TEST(only_what_is_needed_is_fetched)
{
	static const struct {
		const char *name;
		bool left_out;
	} sections[] = {
		{ "perf_event", false }, { ".debug_info", true }, { ".rel.debug_info", true },
		{ ".BTF.ext", false }, { ".rel.BTF.ext", true }, { ".debug_data", false },
		{ ".rel.debug_data", false }, { ".symtab", false }, { ".strtab", false },
	};
	struct buffer object = debug_sample();
	struct pieces pieces = { .file = buffer_bytes(&object) };
	const struct source source = { object.size, get_piece, &pieces };
	struct error err = { 0 };
	struct elf_image image;
	int ret = elf_image_read(&image, &source, &err);

	ck_assert_msg(!ret, "%s: %s", err.where, err.what);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		uint32_t at = elf_section_find(&image, sections[i].name);
		const struct elf_section *section = &image.sections[at];

		ck_assert_msg(at, "%s", sections[i].name);
		ck_assert_uint_gt(section->size, 0);
		ck_assert_int_eq(section->left_out, sections[i].left_out);
		ck_assert_msg(was_fetched(&pieces, section) == !sections[i].left_out, "%s",
			      sections[i].name);
		ck_assert_uint_eq(section->data.size, sections[i].left_out ? 0 : section->size);
	}
	elf_image_free(&image);
	free_pieces(&pieces);
	buffer_free(&object);
}

/* get_piece() fails where the file does not reach. */
TEST(empty_section_anywhere)
{
	struct buffer object = sample(0);
	struct pieces pieces = { 0 };
	const struct source source = { object.size, get_piece, &pieces };
	struct error err = { 0 };
	struct elf_image image;
	int ret;

	buffer_poke(&object, eb_shdr(&object, LICENSE) + offsetof(struct elf64_shdr, sh_size), 8, 0,
		    false);
	buffer_poke(&object, eb_shdr(&object, LICENSE) + offsetof(struct elf64_shdr, sh_offset), 8,
		    UINT64_MAX, false);
	pieces.file = buffer_bytes(&object);
	ret = elf_image_read(&image, &source, &err);
	ck_assert_msg(!ret, "%s: %s", err.where, err.what);
	ck_assert_uint_eq(image.sections[LICENSE].data.size, 0);
	elf_image_free(&image);
	free_pieces(&pieces);
	buffer_free(&object);
}

TEST(what_cannot_be_fetched)
{
	struct buffer object = debug_sample();
	struct pieces pieces = { .file = buffer_bytes(&object) };
	const struct source source = { object.size, get_piece, &pieces };
	struct error err = { 0 };
	struct elf_image image;
	unsigned int all;

	ck_assert_int_eq(elf_image_read(&image, &source, &err), 0);
	all = pieces.nr;
	elf_image_free(&image);
	free_pieces(&pieces);
	for (unsigned int i = 1; i <= all; i++) {
		pieces.fail_at = i;
		ck_assert_int_eq(elf_image_read(&image, &source, &err), -EIO);
		ck_assert_str_eq(err.what, "read: it broke");
		ck_assert_ptr_null(image.sections);
		ck_assert_ptr_null(image.symbols);
		free_pieces(&pieces);
	}
	buffer_free(&object);
}

TEST(string_table_without_end)
{
	const struct expect e = { EBADMSG, "symbol 7", "not terminated", NULL };
	struct buffer object = sample(0);
	struct error err = { 0 };
	struct elf_image image;
	size_t size = buffer_peek(
		&object, eb_shdr(&object, STRTAB) + offsetof(struct elf64_shdr, sh_size), 8, false);

	object.data[eb_content(&object, STRTAB) + size - 1] = 'x';
	expect_error("strtab", elf_image_parse(&image, buffer_bytes(&object), &err), &err, &e);
	buffer_free(&object);
}

TEST(why_need_not_be_asked)
{
	struct elf_image image;

	ck_assert_int_lt(elf_image_parse(&image, (struct bytes){ 0 }, NULL), 0);
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		struct buffer object = sample(0);

		poke(&object, &broken[i]);
		ck_assert_int_lt(elf_image_parse(&image, buffer_bytes(&object), NULL), 0);
		buffer_free(&object);
	}
}
