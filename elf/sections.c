// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read and validate the section headers of a BPF object, then read the sections.
 *
 *	 0 sh_name       offset into the section of names
 *	 4 sh_type       SHT_PROGBITS: code or data; SHT_NOBITS: .bss; SHT_SYMTAB, SHT_REL, ...
 *	 8 sh_flags      SHF_ALLOC, SHF_WRITE, SHF_EXECINSTR
 *	16 sh_addr       0: a relocatable object has no addresses
 *	24 sh_offset     in the file
 *	32 sh_size
 *	40 sh_link       SHT_SYMTAB: index of its string table; SHT_REL: of its symbol table
 *	44 sh_info       SHT_REL: index of the section that it relocates
 *	48 sh_addralign
 *	56 sh_entsize    of an entry, if the section is a table
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/elf_internal.h"

/* The section headers, once locate_sections() has found their number. */
struct section_table {
	struct bytes raw;
	uint32_t count;
	uint32_t names;	/* index of the section with the names */
};

static int table_outside(uint64_t offset, uint64_t size, struct error *err)
{
	error_set(err, EBADMSG,
		  "the section header table at 0x%" PRIx64
		  " is outside the file of 0x%" PRIx64 " bytes",
		  offset, size);
	return error_hint(err, ELF_HINT_DAMAGED);
}

/*
 * Section 0 holds the numbers that do not fit into the ELF header: sh_size for e_shnum 0, sh_link
 * for e_shstrndx SHN_XINDEX (gABI, "ELF Header"). Establishes that it is the null section.
 */
static int read_section_0(const struct elf_image *image, struct bytes raw, uint64_t *count,
			  uint32_t *names, struct error *err)
{
	if (bytes_u32(raw, offsetof(struct elf64_shdr, sh_type), image->swap) != SHT_NULL)
		return error_set(err, EBADMSG, "section 0 is not the null section");
	if (!*count)
		*count = bytes_u64(raw, offsetof(struct elf64_shdr, sh_size), image->swap);
	if (*names == SHN_XINDEX)
		*names = bytes_u32(raw, offsetof(struct elf64_shdr, sh_link), image->swap);
	return 0;
}

/*
 * Establishes that there is a table with headers of the right size, and that the first one is
 * inside the file.
 */
static int check_first_header(const struct elf_image *image, uint64_t offset, uint64_t size,
			      struct error *err)
{
	const size_t each = sizeof(struct elf64_shdr);
	const uint16_t entsize = bytes_u16(image->header, offsetof(struct elf64_hdr, e_shentsize),
					   image->swap);

	if (!offset)
		return error_set(err, EBADMSG, "no section header table");
	if (entsize != each)
		return error_set(err, EBADMSG,
				 "a section header has %u bytes (e_shentsize), not %zu", entsize,
				 each);
	if (!bytes_hold(size, offset, each))
		return table_outside(offset, size, err);
	return 0;
}

/*
 * Establishes that all headers are inside the file, and that the section of names is one of them.
 */
static int check_table_size(uint64_t offset, uint64_t size, uint64_t count, uint32_t names,
			    struct error *err)
{
	if (count > (size - offset) / sizeof(struct elf64_shdr) || count >= ELF_SHN_ABS) {
		error_set(err, EBADMSG,
			  "%" PRIu64 " section headers at 0x%" PRIx64
			  " do not fit into the file of 0x%" PRIx64 " bytes",
			  count, offset, size);
		return error_hint(err, ELF_HINT_DAMAGED);
	}
	if (names == SHN_UNDEF || names >= count)
		return error_set(err, EBADMSG,
				 "section %" PRIu32 " should hold the section names, of %" PRIu64
				 " sections",
				 names, count);
	return 0;
}

/*
 * Establishes that the section header table is inside the file, and finds the section of names.
 */
static int locate_sections(const struct elf_image *image, const struct source *source,
			   struct section_table *table, struct error *err)
{
	const struct bytes header = image->header;
	const size_t each = sizeof(struct elf64_shdr);
	uint64_t offset = bytes_u64(header, offsetof(struct elf64_hdr, e_shoff), image->swap);
	uint64_t count = bytes_u16(header, offsetof(struct elf64_hdr, e_shnum), image->swap);
	uint32_t names = bytes_u16(header, offsetof(struct elf64_hdr, e_shstrndx), image->swap);
	struct bytes first;
	int ret = check_first_header(image, offset, source->size, err);

	if (!ret)
		ret = source->get(source->arg, offset, each, &first, err);
	if (!ret)
		ret = read_section_0(image, first, &count, &names, err);
	if (!ret)
		ret = check_table_size(offset, source->size, count, names, err);
	if (ret)
		return ret;
	table->count = count;
	table->names = names;
	return source->get(source->arg, offset, count * each, &table->raw, err);
}

static void read_sections(struct elf_image *image, const struct section_table *table)
{
	for (uint32_t i = 1; i < table->count; i++) {
		struct bytes raw =
			bytes_slice(table->raw, (uint64_t)i * sizeof(struct elf64_shdr),
				    sizeof(struct elf64_shdr));
		struct elf_section *sec = &image->sections[i];

		sec->type = bytes_u32(raw, offsetof(struct elf64_shdr, sh_type), image->swap);
		if (sec->type == SHT_NULL)	/* the other fields of SHT_NULL are undefined */
			continue;
		sec->flags = bytes_u64(raw, offsetof(struct elf64_shdr, sh_flags), image->swap);
		sec->offset = bytes_u64(raw, offsetof(struct elf64_shdr, sh_offset), image->swap);
		sec->size = bytes_u64(raw, offsetof(struct elf64_shdr, sh_size), image->swap);
		sec->link = bytes_u32(raw, offsetof(struct elf64_shdr, sh_link), image->swap);
		sec->info = bytes_u32(raw, offsetof(struct elf64_shdr, sh_info), image->swap);
		sec->align = bytes_u64(raw, offsetof(struct elf64_shdr, sh_addralign), image->swap);
		sec->entsize = bytes_u64(raw, offsetof(struct elf64_shdr, sh_entsize), image->swap);
	}
}

const char *elf_string(struct bytes strtab, uint64_t off)
{
	if (off >= strtab.size)
		return NULL;
	if (strtab.size - off > ELF_NAME_MAX)
		strtab.size = off + ELF_NAME_MAX;
	return bytes_string(strtab, off);
}

int elf_section_where(const struct elf_image *image, uint32_t i, struct error *err)
{
	error_at(err, bytes_u64(image->header, offsetof(struct elf64_hdr, e_shoff), image->swap) +
			      i * sizeof(struct elf64_shdr));
	if (!image->sections[i].name[0])
		return error_where(err, "section %" PRIu32, i);
	return error_where(err, "section %" PRIu32 " '%.80s'", i, image->sections[i].name);
}

/* Establishes that a compressed section (SHF_COMPRESSED) is neither a table nor loaded. */
static int check_compressed(const struct elf_section *sec, struct error *err)
{
	if (sec->flags & (SHF_ALLOC | SHF_EXECINSTR) || sec->type != SHT_PROGBITS)
		return error_set(err, EBADMSG, "it is compressed, which is allowed only for debug "
					       "sections");
	return 0;
}

/* A section of zeros, or of nothing. Its sh_offset may be anywhere. */
static bool has_no_bytes(const struct elf_section *sec)
{
	return sec->type == SHT_NOBITS || !sec->size;
}

/*
 * Establishes that sh_link is in range, sh_addralign is a power of two, and the bytes are inside
 * the file.
 */
static int check_section(const struct elf_image *image, const struct source *source, uint32_t i,
			 struct error *err)
{
	const struct elf_section *sec = &image->sections[i];

	if (sec->link >= image->nr_sections)
		return error_set(err, EBADMSG, "it is linked to section %" PRIu32 " of %" PRIu32,
				 sec->link, image->nr_sections);
	if (sec->align & (sec->align - 1))
		return error_set(err, EBADMSG, "its alignment 0x%" PRIx64 " is not a power of two",
				 sec->align);
	if (sec->flags & SHF_COMPRESSED && check_compressed(sec, err))
		return -EBADMSG;
	if (has_no_bytes(sec) || bytes_hold(source->size, sec->offset, sec->size))
		return 0;
	error_set(err, EBADMSG,
		  "its 0x%" PRIx64 " bytes at 0x%" PRIx64 " are outside the file of 0x%" PRIx64
		  " bytes",
		  sec->size, sec->offset, source->size);
	return error_hint(err, ELF_HINT_DAMAGED);
}

/*
 * More than half of an object is debug information and relocations of it and of .BTF.ext. A loader
 * needs none of that: the relocations of .BTF.ext are for linkers, its offsets are already correct.
 */
static bool is_debug(const struct elf_image *image, uint32_t i)
{
	const struct elf_section *sec = &image->sections[i];

	return sec->type == SHT_PROGBITS && !(sec->flags & (SHF_ALLOC | SHF_EXECINSTR)) &&
	       (sec->flags & SHF_COMPRESSED || !strncmp(sec->name, ".debug_", strlen(".debug_")));
}

static bool is_left_out(const struct elf_image *image, uint32_t i)
{
	const uint32_t target = image->sections[i].info;

	if (!elf_section_is_reloc(image, i) || target >= image->nr_sections)
		return is_debug(image, i);
	return is_debug(image, target) || !strcmp(image->sections[target].name, ".BTF.ext");
}

static int fetch_section(struct elf_image *image, const struct source *source, uint32_t i,
			 struct error *err)
{
	struct elf_section *sec = &image->sections[i];

	if (has_no_bytes(sec) || sec->data.data)
		return 0;
	return source->get(source->arg, sec->offset, sec->size, &sec->data, err);
}

int elf_strtab_check(const struct elf_image *image, uint32_t i, struct error *err)
{
	const struct elf_section *sec = &image->sections[i];

	if (sec->type != SHT_STRTAB)
		return error_set(err, EBADMSG,
				 "section %" PRIu32 " should hold names, but its type is %" PRIu32
				 ", not SHT_STRTAB",
				 i, sec->type);
	if (!sec->data.size || sec->data.data[0])
		return error_set(err, EBADMSG,
				 "section %" PRIu32
				 " should hold names but does not start with a zero byte",
				 i);
	return 0;
}

static int name_sections(struct elf_image *image, const struct section_table *table,
			 struct error *err)
{
	const struct bytes names = image->sections[table->names].data;

	for (uint32_t i = 1; i < image->nr_sections; i++) {
		uint64_t at = (uint64_t)i * sizeof(struct elf64_shdr);
		uint32_t off = bytes_u32(table->raw, at + offsetof(struct elf64_shdr, sh_name),
					 image->swap);

		image->sections[i].name = elf_string(names, off);
		if (image->sections[i].name)
			continue;
		error_set(err, EBADMSG,
			  "its name at 0x%" PRIx32
			  " of the 0x%zx bytes of names is out of range or not terminated",
			  off, names.size);
		return error_where(err, "section %" PRIu32, i);
	}
	return 0;
}

static int fetch_names(struct elf_image *image, const struct source *source,
		       const struct section_table *table, struct error *err)
{
	int ret = check_section(image, source, table->names, err);

	if (!ret)
		ret = fetch_section(image, source, table->names, err);
	if (!ret)
		ret = elf_strtab_check(image, table->names, err);
	if (ret) {
		error_where(err, "section %" PRIu32, table->names);
		return ret;
	}
	return name_sections(image, table, err);
}

int elf_sections_parse(struct elf_image *image, const struct source *source, struct error *err)
{
	struct section_table table = { 0 };
	int ret = locate_sections(image, source, &table, err);

	if (ret) {
		error_where(err, "ELF header");
		return ret;
	}
	image->sections = calloc(table.count, sizeof(*image->sections));
	if (!image->sections)
		return error_set(err, ENOMEM,
				 "no memory for %" PRIu32 " sections", table.count);
	image->nr_sections = table.count;
	image->sections[0].name = "";
	image->table = table.raw;
	read_sections(image, &table);
	ret = fetch_names(image, source, &table, err);
	for (uint32_t i = 1; !ret && i < table.count; i++) {
		ret = check_section(image, source, i, err);
		image->sections[i].left_out = is_left_out(image, i);
		if (!ret && !image->sections[i].left_out)
			ret = fetch_section(image, source, i, err);
		if (ret)
			elf_section_where(image, i, err);
	}
	return ret;
}
