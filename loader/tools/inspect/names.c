// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The names of types, flags and indices in an ELF file. */
#include <inttypes.h>
#include <stdio.h>

#include "loader/tools/inspect/inspect_internal.h"

#define CREL		0x40000014u	/* LLVM 19 */
#define LLVM_ADDRSIG	0x6fff4c03u

const char *inspect_section_type(uint32_t type, char text[16])
{
	static const char *const names[] = {
		[SHT_NULL] = "NULL", [SHT_PROGBITS] = "PROGBITS", [SHT_SYMTAB] = "SYMTAB",
		[SHT_STRTAB] = "STRTAB", [SHT_RELA] = "RELA", [SHT_HASH] = "HASH",
		[SHT_DYNAMIC] = "DYNAMIC", [SHT_NOTE] = "NOTE", [SHT_NOBITS] = "NOBITS",
		[SHT_REL] = "REL", [SHT_GROUP] = "GROUP", [SHT_SYMTAB_SHNDX] = "SYMTAB_SHNDX",
	};

	if (type < sizeof(names) / sizeof(names[0]) && names[type])
		return names[type];
	if (type == LLVM_ADDRSIG)
		return "LLVM_ADDRSIG";
	if (type == CREL)
		return "CREL";
	snprintf(text, 16, "0x%" PRIx32, type);
	return text;
}

const char *inspect_symbol_type(uint8_t type)
{
	static const char *const names[16] = {
		[STT_NOTYPE] = "NOTYPE", [STT_OBJECT] = "OBJECT", [STT_FUNC] = "FUNC",
		[STT_SECTION] = "SECTION", [STT_FILE] = "FILE", [STT_COMMON] = "COMMON",
		[STT_TLS] = "TLS", [STT_GNU_IFUNC] = "IFUNC",
	};

	return names[type & 15] ? names[type & 15] : "?";
}

const char *inspect_symbol_bind(uint8_t bind)
{
	static const char *const names[16] = {
		[STB_LOCAL] = "LOCAL", [STB_GLOBAL] = "GLOBAL", [STB_WEAK] = "WEAK",
	};

	return names[bind & 15] ? names[bind & 15] : "?";
}

const char *inspect_section_flags(uint64_t flags, char text[16])
{
	static const struct {
		uint64_t bit;
		char letter;
	} letters[] = {
		{ SHF_WRITE, 'W' }, { SHF_ALLOC, 'A' }, { SHF_EXECINSTR, 'X' }, { SHF_MERGE, 'M' },
		{ SHF_STRINGS, 'S' }, { SHF_INFO_LINK, 'I' }, { SHF_LINK_ORDER, 'L' },
		{ SHF_GROUP, 'G' }, { SHF_TLS, 'T' }, { SHF_COMPRESSED, 'C' },
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		if (flags & letters[i].bit)
			text[n++] = letters[i].letter;
		flags &= ~letters[i].bit;
	}
	if (flags)
		text[n++] = 'x';
	text[n] = '\0';
	return text;
}

const char *inspect_shndx(const struct raw_elf *elf, const struct raw_symbol *sym, char *to,
			  size_t size)
{
	if (sym->is_reserved)
		snprintf(to, size, "%s", sym->section == SHN_ABS    ? "ABS" :
					 sym->section == SHN_COMMON ? "COMMON" : "reserved");
	else if (sym->section == SHN_UNDEF)
		snprintf(to, size, "UND");
	else if (sym->section < elf->nr_sections)
		snprintf(to, size, "%s", raw_section_name(elf, sym->section));
	else
		snprintf(to, size, "%" PRIu32 " of %" PRIu32, sym->section, elf->nr_sections);
	return to;
}
