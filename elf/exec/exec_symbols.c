// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the symbols, symbol versions and build ID of executables and libraries. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/exec/exec_internal.h"

/* The bits of a .gnu.version entry that are the index. */
#define VERSION_HIDDEN 0x8000
#define VERSION_INDEX 0x7fff

/* Establishes that the table consists of whole entries and has a string table. */
static int read_table(const struct exec *x, uint32_t index, struct exec_table *table,
		      struct error *err)
{
	const struct exec_section *s = &x->sections[index];
	const uint64_t entsize = EXEC_SIZE(x, Sym);
	int ret;

	if (!s->size)
		return 0;
	if (s->entsize != entsize || s->size % entsize || s->size / entsize > UINT32_MAX) {
		error_set(err, EBADMSG, "has 0x%" PRIx64 " bytes of symbols of %" PRIu64, s->size,
			  s->entsize);
		return error_where(err, "section '%.80s'", s->name);
	}
	if (s->link >= x->nr_sections || x->sections[s->link].type != SHT_STRTAB) {
		error_set(err, EBADMSG,
			  "its names are in section %" PRIu32 ", which does not exist",
			  s->link);
		return error_where(err, "section '%.80s'", s->name);
	}
	ret = exec_section_bytes(x, s, &table->entries, err);
	if (!ret)
		ret = exec_section_bytes(x, &x->sections[s->link], &table->names, err);
	table->nr = ret ? 0 : s->size / entsize;
	return ret;
}

static uint32_t find_type(const struct exec *x, uint32_t type)
{
	for (uint32_t i = 1; i < x->nr_sections; i++)
		if (x->sections[i].type == type)
			return i;
	return 0;
}

static int set_version(struct exec *x, uint32_t number, const char *name, struct error *err)
{
	if (number >= x->nr_versions) {
		const uint32_t nr = number + 1;
		struct exec_version *grown = realloc(x->versions, nr * sizeof(*grown));

		if (!grown)
			return error_set(err, ENOMEM, "no memory for %" PRIu32 " versions", nr);
		memset(grown + x->nr_versions, 0, (nr - x->nr_versions) * sizeof(*grown));
		x->versions = grown;
		x->nr_versions = nr;
	}
	x->versions[number].name = name;
	return 0;
}

/*
 * Read the definition at @at. The first Elf64_Verdaux holds its name, the others its predecessors.
 */
static int read_version(struct exec *x, struct bytes defs, struct bytes names, uint64_t at,
			struct error *err)
{
	const uint16_t flags = bytes_u16(defs, at + offsetof(Elf64_Verdef, vd_flags), x->swap);
	const uint16_t number = bytes_u16(defs, at + offsetof(Elf64_Verdef, vd_ndx), x->swap);
	const uint64_t aux = at + bytes_u32(defs, at + offsetof(Elf64_Verdef, vd_aux), x->swap);
	const char *name = NULL;

	if (bytes_hold(defs.size, aux, sizeof(Elf64_Verdaux)))
		name = elf_string(names, bytes_u32(defs, aux, x->swap));
	if (!name)
		return error_set(err, EBADMSG, "version %u has no name", number);
	return flags & VER_FLG_BASE ? 0 : set_version(x, number & VERSION_INDEX, name, err);
}

int exec_read_versions(struct exec *x, struct bytes defs, struct bytes names, struct error *err)
{
	uint64_t at = 0, next;
	int ret;

	/* Offsets only go forward, so the chain ends. */
	do {
		if (!bytes_hold(defs.size, at, sizeof(Elf64_Verdef)))
			return error_set(err, EBADMSG,
					 "a version at 0x%" PRIx64 " is outside the section",
					 at);
		ret = read_version(x, defs, names, at, err);
		next = bytes_u32(defs, at + offsetof(Elf64_Verdef, vd_next), x->swap);
		at += next;
	} while (!ret && next);
	return ret;
}

/* .gnu.version belongs to the table it is linked to; .gnu.version_d has the names. */
static int read_version_sections(struct exec *x, uint32_t dynsym, struct error *err)
{
	const uint32_t numbers = find_type(x, SHT_GNU_versym), defs = find_type(x, SHT_GNU_verdef);
	const struct exec_section *s = &x->sections[defs];
	struct bytes bytes, names;
	int ret;

	if (!numbers || x->sections[numbers].link != dynsym)
		return 0;
	ret = exec_section_bytes(x, &x->sections[numbers], &x->dynsym.versions, err);
	if (ret || !defs || s->link >= x->nr_sections)
		return ret;
	ret = exec_section_bytes(x, s, &bytes, err);
	if (!ret)
		ret = exec_section_bytes(x, &x->sections[s->link], &names, err);
	if (ret || !bytes.size)
		return ret;
	ret = exec_read_versions(x, bytes, names, err);
	return ret ? error_where(err, "section '%.80s'", s->name) : 0;
}

int exec_read_symbols(struct exec *x, struct error *err)
{
	const uint32_t symtab = find_type(x, SHT_SYMTAB), dynsym = find_type(x, SHT_DYNSYM);
	int ret = 0;

	if (symtab)
		ret = read_table(x, symtab, &x->symtab, err);
	if (!ret && dynsym)
		ret = read_table(x, dynsym, &x->dynsym, err);
	if (!ret && dynsym && x->dynsym.nr)
		ret = read_version_sections(x, dynsym, err);
	else if (!ret && !dynsym)
		ret = exec_dynamic(x, err);
	return ret;
}

/* Split "memcpy@@GLIBC_2.14", which linkers write into .symtab. */
static void split_name(struct exec_symbol *symbol)
{
	const char *at = memchr(symbol->name, '@', symbol->name_len);
	uint32_t marks;

	if (!at || at == symbol->name)
		return;
	marks = at[1] == '@' ? 2 : 1;
	symbol->is_default = marks == 2;
	symbol->version = at + marks;
	symbol->version_len = symbol->name + symbol->name_len - symbol->version;
	symbol->name_len = at - symbol->name;
}

static void find_version(const struct exec *x, const struct exec_table *table, uint32_t i,
			 struct exec_symbol *symbol)
{
	uint16_t number;

	if (!bytes_hold(table->versions.size, (uint64_t)i * 2, 2))
		return;
	number = bytes_u16(table->versions, (size_t)i * 2, x->swap);
	symbol->is_default = !(number & VERSION_HIDDEN);
	number &= VERSION_INDEX;
	if (number <= VER_NDX_GLOBAL || number >= x->nr_versions || !x->versions[number].name)
		return;
	symbol->version = x->versions[number].name;
	symbol->version_len = strlen(symbol->version);
}

bool exec_symbol(const struct exec *x, const struct exec_table *table, uint32_t i,
		 struct exec_symbol *symbol)
{
	const uint64_t at = (uint64_t)i * EXEC_SIZE(x, Sym);
	const uint8_t info = exec_get(x, table->entries, at, EXEC_FIELD(Sym, st_info));

	*symbol = (struct exec_symbol){
		.name = elf_string(table->names,
				   exec_get(x, table->entries, at, EXEC_FIELD(Sym, st_name))),
		.value = exec_get(x, table->entries, at, EXEC_FIELD(Sym, st_value)),
		.size = exec_get(x, table->entries, at, EXEC_FIELD(Sym, st_size)),
		.section = exec_get(x, table->entries, at, EXEC_FIELD(Sym, st_shndx)),
		.bind = ELF64_ST_BIND(info),
		.type = ELF64_ST_TYPE(info),
		.is_default = true,
	};
	if (!symbol->name || !symbol->name[0])
		return false;
	symbol->name_len = strlen(symbol->name);
	if (table->versions.size)
		find_version(x, table, i, symbol);
	else
		split_name(symbol);
	/*
	 * The lowest bit of an address marks Thumb code (ELF for the Arm Architecture).
	 */
	if (x->machine == EM_ARM && symbol->type == STT_FUNC)
		symbol->value &= ~1ull;
	return true;
}

bool exec_symbol_is_function(const struct exec_symbol *symbol)
{
	if (symbol->section == SHN_UNDEF || symbol->section == SHN_ABS ||
	    symbol->section == SHN_COMMON)
		return false;
	return symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC ||
	       symbol->type == STT_NOTYPE;
}

/*
 * Return the descriptor of the first note with this name and type.
 *
 *	 0 n_namesz   including the zero byte
 *	 4 n_descsz
 *	 8 n_type
 *	12 name, padded to a multiple of 4
 *	   descriptor, padded to a multiple of 4
 */
static struct bytes find_note(const struct exec *x, struct bytes notes, const char *name,
			      uint32_t type)
{
	uint64_t at = 0;

	while (bytes_hold(notes.size, at, sizeof(Elf64_Nhdr))) {
		const uint32_t name_size = bytes_u32(notes, at, x->swap);
		const uint32_t size =
			bytes_u32(notes, at + offsetof(Elf64_Nhdr, n_descsz), x->swap);
		const uint64_t name_at = at + sizeof(Elf64_Nhdr);
		const uint64_t desc_at = name_at + (((uint64_t)name_size + 3) & ~3ull);

		if (!bytes_hold(notes.size, desc_at, size))
			break;
		if (name_size == strlen(name) + 1 &&
		    !memcmp(notes.data + name_at, name, name_size) &&
		    bytes_u32(notes, at + offsetof(Elf64_Nhdr, n_type), x->swap) == type)
			return bytes_slice(notes, desc_at, size);
		at = desc_at + (((uint64_t)size + 3) & ~3ull);
	}
	return (struct bytes){ 0 };
}

/*
 * How many notes are searched for the build ID. Linkers put it first, and a hostile file may have
 * any number of notes, even overlapping ones.
 */
#define NOTES_MAX 256u
#define NOTES_BYTES_MAX (16u << 20)

/* Search the notes at @off, within the remaining budget. */
static struct bytes find_build_id(const struct exec *x, uint64_t off, uint64_t size,
				  unsigned int *nr, uint64_t *bytes)
{
	struct bytes notes;

	if (*nr == NOTES_MAX || size > NOTES_BYTES_MAX - *bytes ||
	    exec_bytes(x, off, size, &notes, NULL))
		return (struct bytes){ 0 };
	++*nr;
	*bytes += size;
	return find_note(x, notes, "GNU", NT_GNU_BUILD_ID);
}

struct bytes exec_build_id(const struct exec *x)
{
	struct bytes id = { 0 };
	unsigned int nr = 0;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < x->nr_segments && !id.size; i++)
		if (x->segments[i].type == PT_NOTE)
			id = find_build_id(x, x->segments[i].offset, x->segments[i].file_size,
					   &nr, &bytes);
	for (uint32_t i = 1; i < x->nr_sections && !id.size; i++)
		if (x->sections[i].type == SHT_NOTE)
			id = find_build_id(x, x->sections[i].offset, x->sections[i].size, &nr,
					   &bytes);
	return id.size <= 64 ? id : (struct bytes){ 0 };
}
