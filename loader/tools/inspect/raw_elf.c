// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read whatever exists of an ELF64 file. Its parts are pictured in elf/. */
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inspect/raw_elf.h"

#define NAME_MAX_BYTES 4096	/* how many bytes of hostile names are compared */

static void read_section(struct raw_elf *elf, uint64_t at, struct raw_section *sec)
{
	const struct bytes raw = bytes_slice(elf->file, at, sizeof(Elf64_Shdr));
	const bool swap = elf->swap;

	*sec = (struct raw_section){
		.name = "",
		.header_at = at,
		.type = bytes_u32(raw, offsetof(Elf64_Shdr, sh_type), swap),
		.flags = bytes_u64(raw, offsetof(Elf64_Shdr, sh_flags), swap),
		.addr = bytes_u64(raw, offsetof(Elf64_Shdr, sh_addr), swap),
		.offset = bytes_u64(raw, offsetof(Elf64_Shdr, sh_offset), swap),
		.size = bytes_u64(raw, offsetof(Elf64_Shdr, sh_size), swap),
		.link = bytes_u32(raw, offsetof(Elf64_Shdr, sh_link), swap),
		.info = bytes_u32(raw, offsetof(Elf64_Shdr, sh_info), swap),
		.align = bytes_u64(raw, offsetof(Elf64_Shdr, sh_addralign), swap),
		.entsize = bytes_u64(raw, offsetof(Elf64_Shdr, sh_entsize), swap),
	};
	if (sec->type != SHT_NOBITS && sec->type != SHT_NULL && sec->offset < elf->file.size) {
		const uint64_t left = elf->file.size - sec->offset;

		sec->data = bytes_slice(elf->file, sec->offset,
					sec->size < left ? sec->size : left);
	}
}

/* Names are known once all sections are, because one section contains them. */
static void read_names(struct raw_elf *elf, uint32_t names)
{
	if (names == SHN_XINDEX && elf->nr_sections)
		names = elf->sections[0].link;
	for (uint32_t i = 1; i < elf->nr_sections; i++) {
		struct raw_section *sec = &elf->sections[i];

		sec->name = raw_string(elf, names, bytes_u32(elf->file, sec->header_at,
							     elf->swap));
		if (!elf->symtab && sec->type == SHT_SYMTAB)
			elf->symtab = i;
		if (!elf->shndx && sec->type == SHT_SYMTAB_SHNDX)
			elf->shndx = i;
	}
}

static bool read_sections(struct raw_elf *elf)
{
	const struct bytes file = elf->file;
	const uint64_t at = bytes_u64(file, offsetof(Elf64_Ehdr, e_shoff), elf->swap);
	uint64_t nr = bytes_u16(file, offsetof(Elf64_Ehdr, e_shnum), elf->swap);
	uint64_t room;

	if (!at || at >= file.size)
		return true;
	room = (file.size - at) / sizeof(Elf64_Shdr);
	if (!nr && room)
		nr = bytes_u64(file, at + offsetof(Elf64_Shdr, sh_size), elf->swap);
	elf->nr_sections = nr < room ? nr : room;
	elf->sections = calloc(elf->nr_sections + UINT64_C(1), sizeof(*elf->sections));
	if (!elf->sections)
		return false;
	for (uint32_t i = 0; i < elf->nr_sections; i++)
		read_section(elf, at + i * sizeof(Elf64_Shdr), &elf->sections[i]);
	read_names(elf, bytes_u16(file, offsetof(Elf64_Ehdr, e_shstrndx), elf->swap));
	return true;
}

bool raw_elf_read(struct raw_elf *elf, struct bytes file)
{
	*elf = (struct raw_elf){ .file = file };
	if (file.size < sizeof(Elf64_Ehdr) || memcmp(file.data, ELFMAG, SELFMAG) ||
	    file.data[EI_CLASS] != ELFCLASS64 ||
	    (file.data[EI_DATA] != ELFDATA2LSB && file.data[EI_DATA] != ELFDATA2MSB))
		return true;
	elf->has_header = true;
	elf->big_endian = file.data[EI_DATA] == ELFDATA2MSB;
	elf->swap = elf->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	return read_sections(elf);
}

void raw_elf_free(struct raw_elf *elf)
{
	free(elf->sections);
	memset(elf, 0, sizeof(*elf));
}

const char *raw_string(const struct raw_elf *elf, uint32_t i, uint32_t off)
{
	struct bytes data;

	if (i >= elf->nr_sections)
		return "";
	data = elf->sections[i].data;
	if (off >= data.size)
		return "";
	data = bytes_slice(data, off, data.size - off);
	data.size = data.size < NAME_MAX_BYTES ? data.size : NAME_MAX_BYTES;
	return memchr(data.data, '\0', data.size) ? (const char *)data.data : "";
}

const char *raw_section_name(const struct raw_elf *elf, uint32_t i)
{
	return i < elf->nr_sections ? elf->sections[i].name : "";
}

const struct raw_section *raw_find(const struct raw_elf *elf, const char *name)
{
	for (uint32_t i = 1; i < elf->nr_sections; i++)
		if (!strcmp(elf->sections[i].name, name))
			return &elf->sections[i];
	return NULL;
}

uint32_t raw_nr_symbols(const struct raw_elf *elf)
{
	return elf->symtab ? elf->sections[elf->symtab].data.size / sizeof(Elf64_Sym) : 0;
}

static uint32_t extended_index(const struct raw_elf *elf, uint32_t i)
{
	const struct bytes data = elf->sections[elf->shndx].data;

	return bytes_hold(data.size, i * UINT64_C(4), 4) ?
		       bytes_u32(data, i * (size_t)4, elf->swap) : 0;
}

struct raw_symbol raw_symbol(const struct raw_elf *elf, uint32_t i)
{
	const struct raw_section *symtab = &elf->sections[elf->symtab];
	struct raw_symbol sym = { .name = "" };
	struct bytes raw;
	uint16_t shndx;
	uint8_t info;

	if (i >= raw_nr_symbols(elf))
		return sym;
	raw = bytes_slice(symtab->data, (uint64_t)i * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
	info = bytes_u8(raw, offsetof(Elf64_Sym, st_info));
	shndx = bytes_u16(raw, offsetof(Elf64_Sym, st_shndx), elf->swap);
	sym = (struct raw_symbol){
		.name = raw_string(elf, symtab->link, bytes_u32(raw, 0, elf->swap)),
		.section = shndx == SHN_XINDEX ? extended_index(elf, i) : shndx,
		.is_reserved = shndx >= SHN_LORESERVE && shndx != SHN_XINDEX,
		.type = ELF64_ST_TYPE(info),
		.bind = ELF64_ST_BIND(info),
		.visibility = bytes_u8(raw, offsetof(Elf64_Sym, st_other)) & 3,
		.value = bytes_u64(raw, offsetof(Elf64_Sym, st_value), elf->swap),
		.size = bytes_u64(raw, offsetof(Elf64_Sym, st_size), elf->swap),
	};
	if (!sym.name[0] && sym.type == STT_SECTION && !sym.is_reserved)
		sym.name = raw_section_name(elf, sym.section);
	return sym;
}

static size_t reloc_size(const struct raw_section *sec)
{
	return sec->type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
}

uint32_t raw_nr_relocs(const struct raw_section *sec)
{
	if (sec->type != SHT_REL && sec->type != SHT_RELA)
		return 0;
	return sec->data.size / reloc_size(sec);
}

struct raw_reloc raw_reloc(const struct raw_elf *elf, const struct raw_section *sec, uint32_t i)
{
	const struct bytes raw = bytes_slice(sec->data, (uint64_t)i * reloc_size(sec),
					     reloc_size(sec));
	const uint64_t info = bytes_u64(raw, offsetof(Elf64_Rel, r_info), elf->swap);
	const bool rela = sec->type == SHT_RELA;

	return (struct raw_reloc){
		.offset = bytes_u64(raw, offsetof(Elf64_Rel, r_offset), elf->swap),
		.type = ELF64_R_TYPE(info),
		.symbol = ELF64_R_SYM(info),
		.has_addend = rela,
		.addend = rela ? (int64_t)bytes_u64(raw, offsetof(Elf64_Rela, r_addend),
						    elf->swap) : 0,
	};
}
