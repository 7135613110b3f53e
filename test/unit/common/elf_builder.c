// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes valid ELF64 BPF objects of either byte order, for tests to read, load, and break. */
#include <linux/bpf.h>
#include <stdio.h>

#include "test/unit/common/elf_builder.h"

/* Makes room for entry @nr, all zeroes. Doubles, as realloc() may copy each time. */
static void *grow(void *array, uint32_t nr, size_t each)
{
	if (!(nr & (nr - 1))) {
		array = realloc(array, (nr ? 2 * (size_t)nr : 1) * each);
		if (!array)
			abort();
	}
	memset((char *)array + nr * each, 0, each);
	return array;
}

uint32_t eb_section(struct elf_builder *b, const char *name, uint32_t type, uint64_t flags,
		    const void *data, size_t size)
{
	struct eb_section *sec;

	if (!b->nr_sections) {
		b->sections = grow(b->sections, b->nr_sections++, sizeof(*b->sections));
		b->sections[0].name = "";
	}
	b->sections = grow(b->sections, b->nr_sections, sizeof(*b->sections));
	sec = &b->sections[b->nr_sections];
	sec->name = name;
	sec->hdr.sh_type = type;
	sec->hdr.sh_flags = flags;
	sec->hdr.sh_size = size;
	sec->hdr.sh_addralign = type == SHT_STRTAB ? 1 : 8;
	if (type != SHT_NOBITS)
		buffer_add(&sec->data, data, size);
	return b->nr_sections++;
}

uint32_t eb_prog(struct elf_builder *b, const char *name)
{
	return eb_section(b, name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NULL, 0);
}

uint32_t eb_data(struct elf_builder *b, const char *name, const void *data, size_t size)
{
	return eb_section(b, name, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, data, size);
}

size_t eb_insn(struct elf_builder *b, uint32_t section, uint8_t code, uint8_t dst, uint8_t src,
	       int16_t off, int32_t imm)
{
	struct buffer *data = &b->sections[section].data;
	size_t at = data->size;

	buffer_put(data, 1, code, eb_big_endian(b));
	buffer_put(data, 1, eb_big_endian(b) ? dst << 4 | src : src << 4 | dst, eb_big_endian(b));
	buffer_put(data, 2, (uint16_t)off, eb_big_endian(b));
	buffer_put(data, 4, (uint32_t)imm, eb_big_endian(b));
	return at;
}

size_t eb_ld_imm64(struct elf_builder *b, uint32_t section, uint8_t dst, uint8_t src, uint64_t imm)
{
	size_t at = eb_insn(b, section, BPF_LD | BPF_IMM | BPF_DW, dst, src, 0, (uint32_t)imm);

	eb_insn(b, section, 0, 0, 0, 0, imm >> 32);
	return at;
}

size_t eb_call(struct elf_builder *b, uint32_t section, uint8_t src, int32_t imm)
{
	return eb_insn(b, section, BPF_JMP | BPF_CALL, 0, src, 0, imm);
}

size_t eb_exit(struct elf_builder *b, uint32_t section)
{
	return eb_insn(b, section, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

uint32_t eb_symbol(struct elf_builder *b, const char *name, uint32_t section, uint64_t value,
		   uint64_t size, uint8_t bind, uint8_t type)
{
	struct eb_symbol *sym;

	if (!b->nr_symbols) {
		b->symbols = grow(b->symbols, b->nr_symbols++, sizeof(*b->symbols));
		b->symbols[0].name = "";
	}
	b->symbols = grow(b->symbols, b->nr_symbols, sizeof(*b->symbols));
	sym = &b->symbols[b->nr_symbols];
	sym->name = name;
	sym->section = section;
	sym->sym.st_info = ELF64_ST_INFO(bind, type);
	sym->sym.st_value = value;
	sym->sym.st_size = size;
	return b->nr_symbols++;
}

static uint32_t reloc_section(struct elf_builder *b, uint32_t target)
{
	const char *prefix = b->rela ? ".rela" : ".rel";
	char *name = malloc(strlen(prefix) + strlen(b->sections[target].name) + 1);
	uint32_t i;

	if (!name)
		abort();
	sprintf(name, "%s%s", prefix, b->sections[target].name);
	i = eb_section(b, name, b->rela ? SHT_RELA : SHT_REL, SHF_INFO_LINK, NULL, 0);
	b->sections[i].hdr.sh_info = target;
	b->sections[i].hdr.sh_entsize =
		b->rela ? sizeof(struct elf64_rela) : sizeof(struct elf64_rel);
	b->sections[target].relocs = i;
	return i;
}

void eb_reloc(struct elf_builder *b, uint32_t section, uint64_t offset, uint32_t type,
	      uint32_t symbol, int64_t addend)
{
	uint32_t i = b->sections[section].relocs ? b->sections[section].relocs
						 : reloc_section(b, section);
	struct buffer *data = &b->sections[i].data;

	if (addend && !b->rela)
		abort();
	buffer_put(data, 8, offset, eb_big_endian(b));
	buffer_put(data, 8, ELF64_R_INFO(symbol, type), eb_big_endian(b));
	if (b->rela)
		buffer_put(data, 8, addend, eb_big_endian(b));
}

/*
 * The symbol table, its names and, where indices do not fit or the builder is to extend them,
 * SHN_XINDEX's table.
 */
static void add_symtab(struct elf_builder *b)
{
	bool extended = b->extended || b->nr_sections >= SHN_LORESERVE;
	uint32_t symtab = eb_section(b, ".symtab", SHT_SYMTAB, 0, NULL, 0);
	uint32_t strtab = eb_section(b, ".strtab", SHT_STRTAB, 0, "", 1);
	uint32_t shndx =
		extended ? eb_section(b, ".symtab_shndx", SHT_SYMTAB_SHNDX, 0, NULL, 0) : 0;
	struct buffer *out = &b->sections[symtab].data;
	uint32_t locals = 0;

	for (uint32_t i = 0; i < b->nr_symbols; i++) {
		struct eb_symbol *s = &b->symbols[i];
		bool special = s->section == SHN_UNDEF ||
			       (s->section >= SHN_ABS && s->section <= SHN_COMMON);
		bool xindex = extended && !special;

		buffer_put(out, 4,
			   s->name[0] ? buffer_add(&b->sections[strtab].data, s->name,
						   strlen(s->name) + 1)
				      : 0,
			   eb_big_endian(b));
		buffer_put(out, 1, s->sym.st_info, eb_big_endian(b));
		buffer_put(out, 1, s->sym.st_other, eb_big_endian(b));
		buffer_put(out, 2, xindex ? SHN_XINDEX : s->section, eb_big_endian(b));
		buffer_put(out, 8, s->sym.st_value, eb_big_endian(b));
		buffer_put(out, 8, s->sym.st_size, eb_big_endian(b));
		if (extended)
			buffer_put(&b->sections[shndx].data, 4, xindex ? s->section : 0,
				   eb_big_endian(b));
		locals += ELF64_ST_BIND(s->sym.st_info) == STB_LOCAL;
	}
	b->sections[symtab].hdr.sh_entsize = sizeof(struct elf64_sym);
	b->sections[symtab].hdr.sh_link = strtab;
	b->sections[symtab].hdr.sh_info = locals;
	if (extended) {
		b->sections[shndx].hdr.sh_entsize = sizeof(Elf64_Word);
		b->sections[shndx].hdr.sh_link = symtab;
	}
	for (uint32_t i = 1; i < b->nr_sections; i++) {
		if (b->sections[i].hdr.sh_type == SHT_REL || b->sections[i].hdr.sh_type == SHT_RELA)
			b->sections[i].hdr.sh_link = symtab;
	}
}

static void fill_shstrtab(struct elf_builder *b, uint32_t names)
{
	for (uint32_t i = 1; i < b->nr_sections; i++)
		b->sections[i].hdr.sh_name =
			buffer_add(&b->sections[names].data, b->sections[i].name,
				   strlen(b->sections[i].name) + 1);
}

static void write_header(const struct elf_builder *b, struct buffer *out, uint64_t shoff,
			 uint32_t names)
{
	const bool big = eb_big_endian(b), extended = b->extended || b->nr_sections >= SHN_LORESERVE;
	const unsigned char ident[EI_NIDENT] = {
		0x7f, 'E', 'L', 'F', ELFCLASS64, big ? ELFDATA2MSB : ELFDATA2LSB, EV_CURRENT,
	};

	memcpy(out->data, ident, sizeof(ident));
	buffer_poke(out, offsetof(struct elf64_hdr, e_type), 2, ET_REL, big);
	buffer_poke(out, offsetof(struct elf64_hdr, e_machine), 2, EM_BPF, big);
	buffer_poke(out, offsetof(struct elf64_hdr, e_version), 4, EV_CURRENT, big);
	buffer_poke(out, offsetof(struct elf64_hdr, e_shoff), 8, shoff, big);
	buffer_poke(out, offsetof(struct elf64_hdr, e_ehsize), 2, sizeof(struct elf64_hdr), big);
	buffer_poke(out, offsetof(struct elf64_hdr, e_shentsize), 2, sizeof(struct elf64_shdr),
		    big);
	buffer_poke(out, offsetof(struct elf64_hdr, e_shnum), 2, extended ? 0 : b->nr_sections,
		    big);
	buffer_poke(out, offsetof(struct elf64_hdr, e_shstrndx), 2, extended ? SHN_XINDEX : names,
		    big);
}

static void write_shdr(const struct elf_builder *b, struct buffer *out,
		       const struct elf64_shdr *hdr)
{
	buffer_put(out, 4, hdr->sh_name, eb_big_endian(b));
	buffer_put(out, 4, hdr->sh_type, eb_big_endian(b));
	buffer_put(out, 8, hdr->sh_flags, eb_big_endian(b));
	buffer_put(out, 8, hdr->sh_addr, eb_big_endian(b));
	buffer_put(out, 8, hdr->sh_offset, eb_big_endian(b));
	buffer_put(out, 8, hdr->sh_size, eb_big_endian(b));
	buffer_put(out, 4, hdr->sh_link, eb_big_endian(b));
	buffer_put(out, 4, hdr->sh_info, eb_big_endian(b));
	buffer_put(out, 8, hdr->sh_addralign, eb_big_endian(b));
	buffer_put(out, 8, hdr->sh_entsize, eb_big_endian(b));
}

void eb_free(struct elf_builder *b)
{
	for (uint32_t i = 0; i < b->nr_sections; i++) {
		if (b->sections[i].relocs)
			free((char *)b->sections[b->sections[i].relocs].name);
		buffer_free(&b->sections[i].data);
	}
	free(b->sections);
	free(b->symbols);
	memset(b, 0, sizeof(*b));
}

struct buffer eb_write(struct elf_builder *b)
{
	struct buffer out = { 0 };
	uint32_t names = b->names_first ? eb_section(b, ".shstrtab", SHT_STRTAB, 0, "", 1) : 0;

	if (b->nr_symbols)
		add_symtab(b);
	if (!names)
		names = eb_section(b, ".shstrtab", SHT_STRTAB, 0, "", 1);
	fill_shstrtab(b, names);
	buffer_add(&out, NULL, sizeof(struct elf64_hdr));
	for (uint32_t i = 1; i < b->nr_sections; i++) {
		struct eb_section *sec = &b->sections[i];

		buffer_align(&out, sec->hdr.sh_addralign && sec->hdr.sh_addralign < 8 ?
				   sec->hdr.sh_addralign : 8);
		sec->hdr.sh_offset = buffer_add(&out, sec->data.data, sec->data.size);
		if (sec->hdr.sh_type != SHT_NOBITS)
			sec->hdr.sh_size = sec->data.size;
	}
	buffer_align(&out, 8);
	write_header(b, &out, out.size, names);
	if (b->extended || b->nr_sections >= SHN_LORESERVE) {
		b->sections[0].hdr.sh_size = b->nr_sections;
		b->sections[0].hdr.sh_link = names;
	}
	for (uint32_t i = 0; i < b->nr_sections; i++)
		write_shdr(b, &out, &b->sections[i].hdr);
	return out;
}

struct buffer eb_finish(struct elf_builder *b)
{
	struct buffer out = eb_write(b);

	eb_free(b);
	return out;
}

size_t eb_shdr(const struct buffer *object, uint32_t i)
{
	bool big = object->data[EI_DATA] == ELFDATA2MSB;

	return buffer_peek(object, offsetof(struct elf64_hdr, e_shoff), 8, big) +
	       i * sizeof(struct elf64_shdr);
}

size_t eb_content(const struct buffer *object, uint32_t i)
{
	bool big = object->data[EI_DATA] == ELFDATA2MSB;

	return buffer_peek(object, eb_shdr(object, i) + offsetof(struct elf64_shdr, sh_offset), 8,
			   big);
}
