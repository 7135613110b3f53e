// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the symbol table of a BPF object and validate each symbol once.
 *
 *	 0 st_name    offset into the string table (sh_link of SHT_SYMTAB)
 *	 4 st_info    high half: STB_LOCAL, STB_GLOBAL, STB_WEAK
 *	              low half: STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_SECTION
 *	 5 st_other   STV_DEFAULT, STV_HIDDEN
 *	 6 st_shndx   index of the section; 0: undefined; 0xffff: see SHT_SYMTAB_SHNDX
 *	 8 st_value   offset in that section
 *	16 st_size
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/elf_internal.h"

/* The symbol table and its companion tables. */
struct symbol_table {
	struct bytes raw;
	struct bytes strings;
	bool strings_end;	/* the strings; where names may start, see strings_end() */
	struct bytes shndx;	/* SHT_SYMTAB_SHNDX: each symbol's section, for SHN_XINDEX; or
				 * empty */
};

/*
 * Find the only section of @type that is linked to @link (0: to any); @found is 0 if there is none.
 * More than one is -EBADMSG.
 */
static int find_only(const struct elf_image *image, uint32_t type, uint32_t link, uint32_t *found,
		     struct error *err)
{
	*found = 0;
	for (uint32_t i = 1; i < image->nr_sections; i++) {
		const struct elf_section *sec = &image->sections[i];

		if (sec->type != type || (link && sec->link != link))
			continue;
		if (*found) {
			error_set(err, EBADMSG,
				  "it is a second table of its kind, after section %" PRIu32,
				  *found);
			elf_section_where(image, i, err);
			return -EBADMSG;
		}
		*found = i;
	}
	return 0;
}

/*
 * Establishes that the symbol table consists of whole entries, has the null symbol, and has a
 * string table.
 */
static int check_symtab(const struct elf_image *image, const struct elf_section *symtab,
			struct error *err)
{
	if (symtab->entsize != sizeof(struct elf64_sym))
		return error_set(err, EBADMSG,
				 "a symbol has %" PRIu64 " bytes (sh_entsize), not %zu",
				 symtab->entsize, sizeof(struct elf64_sym));
	if (!symtab->size || symtab->size % sizeof(struct elf64_sym))
		return error_set(err, EBADMSG,
				 "its size 0x%" PRIx64 " is not a whole number of symbols",
				 symtab->size);
	if (symtab->size / sizeof(struct elf64_sym) > UINT32_MAX)
		return error_set(err, EBADMSG, "it has more symbols than a relocation can name");
	if (symtab->info > symtab->size / sizeof(struct elf64_sym))
		return error_set(err, EBADMSG,
				 "its first global symbol should be %" PRIu32 " of %" PRIu64,
				 symtab->info, symtab->size / sizeof(struct elf64_sym));
	return elf_strtab_check(image, symtab->link, err);
}

static int check_shndx(const struct elf_section *shndx, uint64_t nr_symbols, struct error *err)
{
	if (shndx->entsize != sizeof(Elf64_Word))
		return error_set(err, EBADMSG, "an index has %" PRIu64 " bytes (sh_entsize), not 4",
				 shndx->entsize);
	if (shndx->size != nr_symbols * sizeof(Elf64_Word))
		return error_set(err, EBADMSG,
				 "its size 0x%" PRIx64 " is not that of %" PRIu64 " indices",
				 shndx->size, nr_symbols);
	return 0;
}

/* Establishes that the section of symbol @i exists, or has one of the special meanings. */
static int symbol_section(const struct elf_image *image, const struct symbol_table *table,
			  uint32_t i, uint16_t shndx, uint32_t *section, struct error *err)
{
	uint32_t index = shndx;

	switch (shndx) {
	case SHN_ABS:
		*section = ELF_SHN_ABS;
		return 0;
	case SHN_COMMON:
		*section = ELF_SHN_COMMON;
		return 0;
	case SHN_XINDEX:
		if (!table->shndx.size)
			return error_set(
				err, EBADMSG,
				"its section index is in a SHT_SYMTAB_SHNDX table, which is "
				"missing");
		index = bytes_u32(table->shndx, (size_t)i * sizeof(Elf64_Word), image->swap);
		break;
	default:
		if (shndx >= SHN_LORESERVE)
			return error_set(
				err, EBADMSG,
				"its section 0x%x is an unknown reserved index",
				shndx);
	}
	if (index >= image->nr_sections)
		return error_set(err, EBADMSG, "it is in section %" PRIu32 " of %" PRIu32, index,
				 image->nr_sections);
	*section = index;
	return 0;
}

/*
 * Establishes that the bytes of the symbol are inside its section. A symbol without a section has
 * no bytes.
 */
static int check_extent(const struct elf_image *image, const struct elf_symbol *sym,
			struct error *err)
{
	const struct elf_section *sec;

	if (sym->section == SHN_UNDEF || sym->section >= image->nr_sections) {
		if (sym->type == STT_SECTION)
			return error_set(err, EBADMSG,
					 "it is a section symbol that names no section");
		return 0;
	}
	sec = &image->sections[sym->section];
	if (sec->type == SHT_NULL)
		return error_set(err, EBADMSG,
				 "it is in section %" PRIu32 ", which is inactive (SHT_NULL)",
				 sym->section);
	if (sym->type == STT_SECTION && sym->value)
		return error_set(err, EBADMSG,
				 "it is a section symbol, but its value is 0x%" PRIx64 ", not 0",
				 sym->value);
	if (!bytes_hold(sec->size, sym->value, sym->size))
		return error_set(err, EBADMSG,
				 "its 0x%" PRIx64 " bytes at 0x%" PRIx64
				 " are outside section '%.80s' of 0x%" PRIx64 " bytes",
				 sym->size, sym->value, sec->name, sec->size);
	return 0;
}

/*
 * Return true if elf_string() accepts every string of @strtab: no ELF_NAME_MAX bytes in a row
 * without a zero byte. Checking only the ends of such runs is fast; most names in a large object
 * are labels that nobody reads.
 */
static bool strings_end(struct bytes strtab)
{
	for (size_t at = 0; at < strtab.size;) {
		const size_t left = strtab.size - at;
		const unsigned char *zero = memrchr(strtab.data + at, '\0',
						    left < ELF_NAME_MAX ? left : ELF_NAME_MAX);

		if (!zero)
			return false;
		at = zero + 1 - strtab.data;
	}
	return true;
}

static const char *symbol_name(const struct symbol_table *table, uint32_t off)
{
	if (table->strings_end && off < table->strings.size)
		return (const char *)table->strings.data + off;
	return elf_string(table->strings, off);
}

static int parse_symbol(struct elf_image *image, const struct symbol_table *table, uint32_t i,
			struct error *err)
{
	struct bytes raw = bytes_slice(table->raw, (uint64_t)i * sizeof(struct elf64_sym),
				       sizeof(struct elf64_sym));
	uint32_t name = bytes_u32(raw, offsetof(struct elf64_sym, st_name), image->swap);
	uint8_t info = bytes_u8(raw, offsetof(struct elf64_sym, st_info));
	struct elf_symbol *sym = &image->symbols[i];
	int ret;

	*sym = (struct elf_symbol){
		.name = symbol_name(table, name),
		.value = bytes_u64(raw, offsetof(struct elf64_sym, st_value), image->swap),
		.size = bytes_u64(raw, offsetof(struct elf64_sym, st_size), image->swap),
		.bind = ELF64_ST_BIND(info),
		.type = ELF64_ST_TYPE(info),
		.visibility =
			ELF64_ST_VISIBILITY(bytes_u8(raw, offsetof(struct elf64_sym, st_other))),
	};
	if (!sym->name)
		return error_set(err, EBADMSG,
				 "its name at 0x%" PRIx32
				 " of the 0x%zx bytes of names is out of range or not terminated",
				 name, table->strings.size);
	ret = symbol_section(image, table, i,
			     bytes_u16(raw, offsetof(struct elf64_sym, st_shndx), image->swap),
			     &sym->section, err);
	if (!ret)
		ret = check_extent(image, sym, err);
	if (!ret && sym->type == STT_SECTION && !sym->name[0])
		sym->name = image->sections[sym->section].name;
	return ret;
}

static int check_null_symbol(const struct symbol_table *table, struct error *err)
{
	static const unsigned char zero[sizeof(struct elf64_sym)];

	if (!memcmp(table->raw.data, zero, sizeof(zero)))
		return 0;
	error_set(err, EBADMSG, "it is not the null symbol");
	return error_where(err, "symbol 0");
}

static int parse_symbols(struct elf_image *image, const struct symbol_table *table,
			 struct error *err)
{
	uint32_t count = table->raw.size / sizeof(struct elf64_sym);
	int ret = check_null_symbol(table, err);

	if (ret)
		return -EBADMSG;
	image->symbols = calloc(count, sizeof(*image->symbols));
	if (!image->symbols)
		return error_set(err, ENOMEM, "no memory for %" PRIu32 " symbols", count);
	image->nr_symbols = count;
	image->symbols[0].name = "";
	for (uint32_t i = 1; i < count; i++) {
		const char *name;

		ret = parse_symbol(image, table, i, err);
		if (!ret)
			continue;
		error_at(err, image->sections[image->symtab].offset + i * sizeof(struct elf64_sym));
		name = image->symbols[i].name;
		if (name && name[0])
			error_where(err, "symbol %" PRIu32 " '%.80s'", i, name);
		else
			error_where(err, "symbol %" PRIu32, i);
		return ret;
	}
	return 0;
}

int elf_symbols_parse(struct elf_image *image, struct error *err)
{
	struct symbol_table table = { 0 };
	const struct elf_section *symtab;
	uint32_t shndx;
	int ret;

	ret = find_only(image, SHT_SYMTAB, 0, &image->symtab, err);
	if (ret || !image->symtab)
		return ret;
	symtab = &image->sections[image->symtab];
	ret = check_symtab(image, symtab, err);
	if (ret) {
		elf_section_where(image, image->symtab, err);
		return ret;
	}
	ret = find_only(image, SHT_SYMTAB_SHNDX, image->symtab, &shndx, err);
	if (!ret && shndx) {
		ret = check_shndx(&image->sections[shndx], symtab->size / sizeof(struct elf64_sym),
				  err);
		if (ret)
			elf_section_where(image, shndx, err);
	}
	if (ret)
		return ret;
	table.raw = symtab->data;
	table.strings = image->sections[symtab->link].data;
	table.strings_end = strings_end(table.strings);
	table.shndx = image->sections[shndx].data;
	return parse_symbols(image, &table, err);
}
