// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The items of the object language: each line that begins with a word of the table at the end. */
#include <linux/bpf.h>

#include "test/judge/conformance/assemble_internal.h"

static void item_elf(struct assembler *a)
{
	a->elf.rela |= flag(a, "rela");
	add_patches(a, HEADER_ELF, NULL);
}

/* shdr and sym: "shdr .text sh_size=0" */
static void item_header(struct assembler *a)
{
	add_patches(a, a->arg, next_word(a, "a name")->text);
}

/* A header of this size, beyond what is known 0. */
static uint32_t header_size(struct assembler *a)
{
	const uint32_t size = key_number(a, "size", 8, 0);

	if (size && size < 24)
		fail(a, "a header has 24 bytes at least");
	return size;
}

static void item_btf(struct assembler *a)
{
	a->btf.layouts |= flag(a, "layouts");
	if (flag(a, "header")) {
		a->btf.header = header_size(a);
		add_patches(a, HEADER_BTF, ".BTF");
	}
}

static void item_btf_ext(struct assembler *a)
{
	if (flag(a, "header")) {
		a->btf.ext_header = header_size(a);
		add_patches(a, HEADER_BTF_EXT, ".BTF.ext");
	}
	if (flag(a, "section"))
		a->ext_section = next_word(a, "the name of the section")->text;
	if (flag(a, "record")) {
		a->btf.record_words[FUNC_INFO] = key_number(a, "func", 8, 8) / 4;
		a->btf.record_words[LINE_INFO] = key_number(a, "line", 8, 16) / 4;
		a->btf.record_words[CORE_RELO] = key_number(a, "core", 8, 16) / 4;
	}
}

static void item_patch(struct assembler *a)
{
	static const struct name widths[] = {
		{ "u8", 1 }, { "u16", 2 }, { "u32", 4 }, { "u64", 8 }, { NULL, 0 } };
	struct patch p = { .header = HEADER_NONE, .of = next_word(a, "the name of the section")->text };

	p.at = next_number(a, "the offset", 32);
	p.width = by_name(a, next_word(a, "the width")->text, widths);
	p.text = next_word(a, "a number")->text;
	add_patch(a, p);
}

static void item_no(struct assembler *a)
{
	a->no_license |= flag(a, "license");
	a->no_btf |= flag(a, "btf");
	a->no_btf_ext |= flag(a, "btf_ext");
}

static uint32_t new_section(struct assembler *a, const char *name)
{
	static const struct { const char *prefix; uint32_t type; uint64_t flags; } data[] = {
		{ ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE },
		{ ".rodata", SHT_PROGBITS, SHF_ALLOC },
		{ "license", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ "version", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ ".maps", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ ".kconfig", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ ".ksyms", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ "", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR },
	};
	size_t i = 0;

	while (strncmp(name, data[i].prefix, strlen(data[i].prefix)))
		i++;
	return eb_section(&a->elf, name, data[i].type, data[i].flags, NULL, 0);
}

static void item_section(struct assembler *a)
{
	const bool nobits = flag(a, "nobits");
	struct elf64_shdr *hdr;

	close_symbol(a);
	a->ext_section = NULL;
	a->section = new_section(a, next_word(a, "the name of the section")->text);
	hdr = &a->elf.sections[a->section].hdr;
	hdr->sh_type = key_number(a, "type", 32, nobits ? SHT_NOBITS : hdr->sh_type);
	hdr->sh_flags = key_number(a, "flags", 64, hdr->sh_flags);
	hdr->sh_addralign = key_number(a, "align", 64, hdr->sh_addralign);
	hdr->sh_entsize = key_number(a, "entsize", 64, 0);
	hdr->sh_link = key_number(a, "link", 32, 0);
	hdr->sh_info = key_number(a, "info", 32, 0);
}

static void add_bytes(struct assembler *a, const void *data, size_t size)
{
	struct eb_section *s = &a->elf.sections[a->section];

	a->last = here(a);
	if (!in_section(a))
		return;
	if (s->hdr.sh_type != SHT_NOBITS)
		buffer_add(&s->data, data, size);
	else if (data)
		fail(a, "a nobits section has no bytes: only zero");
	else
		s->hdr.sh_size += size;
}

static void item_license(struct assembler *a)
{
	const struct word *w = next_word(a, "the license");
	const uint32_t section = new_section(a, "license");

	buffer_add(&a->elf.sections[section].data, w->text, w->len + 1);
}

/* u8 to u64: numbers or, with a relocation, symbols. */
static void item_numbers(struct assembler *a)
{
	const unsigned int width = a->arg;
	const struct word *w = next_word(a, "a number");

	for (; w && !failed(a); w = take(a, NULL, NULL)) {
		const bool refers = w->text[0] == '&' && width >= 4;
		struct buffer one = { 0 };

		if (refers)
			add_reference(a, a->section, here(a), width == 4 ? R_BPF_64_ABS32 :
				      R_BPF_64_ABS64, w->text + 1);
		buffer_put(&one, width, refers ? 0 : number(a, w->text, width * 8),
			   HOST_BIG_ENDIAN);
		add_bytes(a, one.data, width);
		buffer_free(&one);
	}
}

static void item_version(struct assembler *a)
{
	const uint32_t version = next_number(a, "the version", 32), section = new_section(a, "version");

	buffer_put(&a->elf.sections[section].data, 4, version, HOST_BIG_ENDIAN);
}

static void item_bytes(struct assembler *a)
{
	for (const struct word *w; (w = take(a, NULL, NULL)) && !failed(a);) {
		char *end;
		const unsigned char byte = strtoul(w->text, &end, 16);

		if (w->len != 2 || *end)
			fail(a, "'%s' is not a byte of two digits", w->text);
		add_bytes(a, &byte, 1);
	}
}

static void item_string(struct assembler *a)
{
	const struct word *w = next_word(a, "the text");

	add_bytes(a, w->text, w->len + 1);
}

static void item_zero(struct assembler *a)
{
	add_bytes(a, NULL, next_number(a, "the number of bytes", 24));
}

static void item_align(struct assembler *a)
{
	const uint64_t to = next_number(a, "the alignment", 16);

	if (to)
		add_bytes(a, NULL, (to - here(a) % to) % to);
}

static void item_insn(struct assembler *a)
{
	const uint8_t code = next_number(a, "the code", 8), dst = next_number(a, "dst", 4),
		      src = next_number(a, "src", 4);
	const uint16_t off = next_number(a, "off", 16);
	const uint32_t imm = next_number(a, "imm", 32);

	a->last = here(a);
	if (in_section(a))
		eb_insn(&a->elf, a->section, code, dst, src, off, imm);
}

/* func and var: a symbol that begins here. */
static struct symbol *begin_symbol(struct assembler *a, uint8_t type)
{
	const bool is_static = flag(a, "static"), weak = flag(a, "weak"), hidden = flag(a, "hidden");
	struct symbol *symbol = add_symbol(a, next_word(a, "a name")->text, type);

	place_symbol(a, symbol, is_static ? STB_LOCAL : weak ? STB_WEAK : STB_GLOBAL);
	symbol->visibility = hidden ? STV_HIDDEN : 0;
	return symbol;
}

static void item_func(struct assembler *a)
{
	struct symbol *symbol = begin_symbol(a, flag(a, "notype") ? STT_NOTYPE : STT_FUNC);
	const uint32_t proto = key_number(a, "proto", 32, 0);

	if (proto && !failed(a))
		bb_func_info(&a->btf, ext_section(a), here(a),
			     bb_func(&a->btf, symbol->name, proto, symbol->bind != STB_LOCAL));
}

static void item_var(struct assembler *a)
{
	struct symbol *symbol = begin_symbol(a, STT_OBJECT);
	const uint32_t type = key_number(a, "type", 32, 0);

	if (!type || failed(a))
		return;
	symbol->var = bb_var(&a->btf, symbol->name, type, symbol->bind != STB_LOCAL);
	symbol->datasec = a->elf.sections[a->section].name;
}

static void item_extern(struct assembler *a)
{
	const bool weak = flag(a, "weak");
	const char *name = next_word(a, "the name")->text;
	const uint32_t proto = key_number(a, "proto", 32, 0), type = key_number(a, "type", 32, 0);
	struct symbol *symbol = add_symbol(a, name, STT_NOTYPE);

	symbol->bind = weak ? STB_WEAK : STB_GLOBAL;
	symbol->datasec = key_text(a, "section", NULL);
	symbol->extern_size = type_size(a, type);
	if (proto)
		symbol->var = bb_func(&a->btf, name, proto, BTF_FUNC_EXTERN);
	else if (type)
		symbol->var = bb_var(&a->btf, name, type, 2 /* BTF_VAR_GLOBAL_EXTERN */);
	else
		symbol->datasec = NULL;
}

static const struct name sections[] = {
	{ "undef", SHN_UNDEF }, { "abs", SHN_ABS }, { "common", SHN_COMMON }, { NULL, 0 },
};
static const struct name binds[] = {
	{ "local", STB_LOCAL }, { "global", STB_GLOBAL }, { "weak", STB_WEAK }, { NULL, 0 },
};
static const struct name types[] = {
	{ "notype", STT_NOTYPE }, { "object", STT_OBJECT }, { "func", STT_FUNC },
	{ "section", STT_SECTION }, { "file", STT_FILE }, { NULL, 0 },
};

static void item_symbol(struct assembler *a)
{
	const char *name = next_word(a, "the name of the symbol")->text,
		   *section = key_text(a, "section", "undef");
	struct symbol *symbol = add_symbol(a, name, key_name(a, "type", types, STT_NOTYPE));

	symbol->bind = key_name(a, "bind", binds, STB_GLOBAL);
	symbol->value = key_number(a, "value", 64, 0);
	symbol->size = key_number(a, "size", 64, 0);
	symbol->section = find_section(a, section);
	if (!symbol->section)
		symbol->section = by_name(a, section, sections);
}

static void item_reloc(struct assembler *a)
{
	const uint32_t type = next_number(a, "the type of the relocation", 32);
	const char *name = next_word(a, "the name of the symbol")->text;

	in_section(a);
	add_reference(a, a->section, key_number(a, "offset", 64, a->last), type, name);
}

static void item_core(struct assembler *a)
{
	static const struct name kinds[] = {
		{ "byte_off", BPF_CORE_FIELD_BYTE_OFFSET }, { "byte_size", BPF_CORE_FIELD_BYTE_SIZE },
		{ "field_exists", BPF_CORE_FIELD_EXISTS }, { "signed", BPF_CORE_FIELD_SIGNED },
		{ "lshift_u64", BPF_CORE_FIELD_LSHIFT_U64 }, { "rshift_u64", BPF_CORE_FIELD_RSHIFT_U64 },
		{ "local_type_id", BPF_CORE_TYPE_ID_LOCAL }, { "target_type_id", BPF_CORE_TYPE_ID_TARGET },
		{ "type_exists", BPF_CORE_TYPE_EXISTS }, { "type_size", BPF_CORE_TYPE_SIZE },
		{ "enumval_exists", BPF_CORE_ENUMVAL_EXISTS }, { "enumval_value", BPF_CORE_ENUMVAL_VALUE },
		{ "type_matches", BPF_CORE_TYPE_MATCHES }, { NULL, 0 },
	};
	const char *kind = next_word(a, "the kind of the CO-RE relocation")->text;
	const uint32_t type = next_number(a, "the id of the type", 32);
	const char *access = next_word(a, "the access string")->text;

	if (in_section(a))
		bb_core_relo(&a->btf, ext_section(a), key_number(a, "offset", 32, here(a)), type,
			     access, by_name(a, kind, kinds));
}

static void item_line(struct assembler *a)
{
	const char *file = next_word(a, "the name of the file")->text,
		   *text = next_word(a, "the text of the line")->text;
	const uint32_t line = next_number(a, "the number of the line", 22),
		       column = next_number(a, "the column", 10);

	if (in_section(a))
		bb_line_info(&a->btf, ext_section(a), key_number(a, "offset", 32, here(a)), file,
			     text, line, column);
}

static const struct item {
	const char *name;
	void (*add)(struct assembler *a);
	unsigned int arg;
} items[] = {
	{ "elf", item_elf, 0 }, { "shdr", item_header, HEADER_SECTION },
	{ "sym", item_header, HEADER_SYMBOL }, { "btf", item_btf, 0 }, { "btf_ext", item_btf_ext, 0 },
	{ "patch", item_patch, 0 }, { "no", item_no, 0 }, { "section", item_section, 0 }, { "license", item_license, 0 },
	{ "version", item_version, 0 }, { "symbol", item_symbol, 0 }, { "extern", item_extern, 0 },
	{ "func", item_func, 0 }, { "insn", item_insn, 0 }, { "reloc", item_reloc, 0 },
	{ "core", item_core, 0 }, { "line", item_line, 0 }, { "var", item_var, 0 },
	{ "map", item_map, 0 }, { "u8", item_numbers, 1 }, { "u16", item_numbers, 2 },
	{ "u32", item_numbers, 4 }, { "u64", item_numbers, 8 }, { "bytes", item_bytes, 0 },
	{ "string", item_string, 0 }, { "zero", item_zero, 0 }, { "align", item_align, 0 },
};

bool add_item(struct assembler *a, char *line)
{
	const size_t len = strcspn(line, " \t\r");

	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		if (strlen(items[i].name) != len || strncmp(line, items[i].name, len))
			continue;
		split(a, line + len);
		a->arg = items[i].arg;
		if (!failed(a))
			items[i].add(a);
		return true;
	}
	return false;
}
