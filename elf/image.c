// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read the header and the sections of an ELF64 relocatable BPF object, and check each once. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/image_parts.h"

#define HINT_TARGET	"compile it with clang -target bpf -c"
#define HINT_DAMAGED	"the file is damaged or cut short; compile it again"

/* Where the section headers are, once locate_sections() has resolved what stands in section 0. */
struct section_table {
	uint64_t offset;
	uint32_t count;
	uint32_t names;	/* index of the section that holds the names */
};

static uint16_t header_u16(const struct elf_image *image, size_t field)
{
	return bytes_u16(image->file, field, image->swap);
}

static int check_magic(struct bytes file, struct error *err)
{
	static const struct {
		const char *magic;
		size_t size;
		const char *what, *hint;
	} known[] = {
		{ "BC\xc0\xde", 4, "LLVM bitcode",
		  "compile it without -emit-llvm, or by llc -march=bpf -filetype=obj" },
		{ "!<arch>\n", 8, "a static library", "give one object of it" },
		{ "\x9f\xeb\x01", 3, "BTF alone", "give the object that it was taken from" },
	};

	if (!file.size) {
		error_set(err, ENOEXEC, "the file is empty");
		return error_hint(err, HINT_TARGET);
	}
	if (file.size >= SELFMAG && !memcmp(file.data, ELFMAG, SELFMAG))
		return 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (file.size < known[i].size || memcmp(file.data, known[i].magic, known[i].size))
			continue;
		error_set(err, ENOEXEC, "this is %s, not an ELF object", known[i].what);
		return error_hint(err, "%s", known[i].hint);
	}
	error_set(err, ENOEXEC, "not an ELF object: its first byte is 0x%02x, not 0x7f",
		  file.data[0]);
	return error_hint(err, "give an object file; " HINT_TARGET);
}

/* Establishes class and byte order, after which the header can be read. */
static int check_ident(struct elf_image *image, struct error *err)
{
	const unsigned char *ident = image->file.data;

	if (image->file.size < EI_NIDENT) {
		error_set(err, ENOEXEC, "the file ends after %zu bytes, within the ELF header",
			  image->file.size);
		return error_hint(err, HINT_DAMAGED);
	}
	if (ident[EI_CLASS] != ELFCLASS64) {
		error_set(err, ENOEXEC, "this is %s, and BPF objects are ELF64",
			  ident[EI_CLASS] == ELFCLASS32 ? "an ELF32 object"
							: "of no known ELF class");
		return error_hint(err, HINT_TARGET);
	}
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return error_set(err, ENOEXEC,
				 "byte order %u is neither little (1) nor big (2) endian",
				 ident[EI_DATA]);
	if (ident[EI_VERSION] != EV_CURRENT)
		return error_set(err, ENOEXEC, "ELF version %u, only 1 exists", ident[EI_VERSION]);
	if (image->file.size < sizeof(struct elf64_hdr)) {
		error_set(err, ENOEXEC, "the file ends after %zu bytes, within the ELF header",
			  image->file.size);
		return error_hint(err, HINT_DAMAGED);
	}
	image->big_endian = ident[EI_DATA] == ELFDATA2MSB;
	image->swap = image->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	return 0;
}

static int check_machine(const struct elf_image *image, struct error *err)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} known[] = {
		{ EM_386, "i386" }, { 8, "MIPS" }, { 20, "PowerPC" }, { 21, "PowerPC 64" },
		{ EM_S390, "s390" }, { 40, "ARM" }, { EM_X86_64, "x86-64" },
		{ EM_AARCH64, "arm64" }, { 243, "RISC-V" }, { 258, "LoongArch" },
	};
	uint16_t machine = header_u16(image, offsetof(struct elf64_hdr, e_machine));

	if (machine == EM_BPF || machine == 0)	/* EM_NONE: clang before 3.9 */
		return 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].machine != machine)
			continue;
		error_set(err, ENOEXEC, "this object is for %s, not for BPF", known[i].name);
		return error_hint(err, HINT_TARGET);
	}
	error_set(err, ENOEXEC, "this object is for machine %u, not for BPF (%u)", machine, EM_BPF);
	return error_hint(err, HINT_TARGET);
}

static int check_type(const struct elf_image *image, struct error *err)
{
	static const char *const names[] = { "ET_NONE", "ET_REL", "ET_EXEC", "ET_DYN", "ET_CORE" };
	uint16_t type = header_u16(image, offsetof(struct elf64_hdr, e_type));
	uint32_t version =
		bytes_u32(image->file, offsetof(struct elf64_hdr, e_version), image->swap);

	if (type != ET_REL) {
		error_set(err, ENOEXEC, "file type %u (%s) is not a relocatable object (ET_REL)",
			  type, type < sizeof(names) / sizeof(names[0]) ? names[type] : "unknown");
		return error_hint(err,
				  "give the .o file as clang -target bpf -c writes it, not linked");
	}
	if (version != EV_CURRENT)
		return error_set(err, ENOEXEC, "ELF version %" PRIu32 ", only 1 exists", version);
	return 0;
}

/*
 * Establishes that the table lies in the file, that section 0 is the null section, and which
 * section has the names. A count of 0 and an index of SHN_XINDEX stand in section 0, its sh_size
 * and sh_link (gABI, "ELF Header").
 */
static int locate_sections(const struct elf_image *image, struct section_table *table,
			   struct error *err)
{
	const struct bytes file = image->file;
	uint64_t offset = bytes_u64(file, offsetof(struct elf64_hdr, e_shoff), image->swap);
	uint64_t count = header_u16(image, offsetof(struct elf64_hdr, e_shnum));
	uint16_t entsize = header_u16(image, offsetof(struct elf64_hdr, e_shentsize));
	uint32_t names = header_u16(image, offsetof(struct elf64_hdr, e_shstrndx));

	if (!offset)
		return error_set(err, EBADMSG, "there is no section header table");
	if (entsize != sizeof(struct elf64_shdr))
		return error_set(err, EBADMSG,
				 "a section header has %u bytes (e_shentsize), not %zu", entsize,
				 sizeof(struct elf64_shdr));
	if (!bytes_hold(file.size, offset, entsize)) {
		error_set(err, EBADMSG,
			  "the section header table at 0x%" PRIx64
			  " lies outside the file of 0x%zx bytes",
			  offset, file.size);
		return error_hint(err, HINT_DAMAGED);
	}
	if (bytes_u32(file, offset + offsetof(struct elf64_shdr, sh_type), image->swap) != SHT_NULL)
		return error_set(err, EBADMSG, "section 0 is not the null section");
	if (!count)
		count = bytes_u64(file, offset + offsetof(struct elf64_shdr, sh_size), image->swap);
	if (names == SHN_XINDEX)
		names = bytes_u32(file, offset + offsetof(struct elf64_shdr, sh_link), image->swap);
	if (count > (file.size - offset) / entsize || count >= ELF_SHN_ABS) {
		error_set(err, EBADMSG,
			  "%" PRIu64 " section headers at 0x%" PRIx64
			  " do not fit in the file of 0x%zx bytes",
			  count, offset, file.size);
		return error_hint(err, HINT_DAMAGED);
	}
	if (names == SHN_UNDEF || names >= count)
		return error_set(err, EBADMSG,
				 "section %" PRIu32 " is to hold the section names, of %" PRIu64
				 " sections",
				 names, count);
	*table = (struct section_table){ .offset = offset, .count = count, .names = names };
	return 0;
}

static void read_sections(struct elf_image *image, const struct section_table *table)
{
	for (uint32_t i = 1; i < table->count; i++) {
		struct bytes raw = bytes_slice(
			image->file, table->offset + (uint64_t)i * sizeof(struct elf64_shdr),
			sizeof(struct elf64_shdr));
		struct elf_section *sec = &image->sections[i];

		sec->type = bytes_u32(raw, offsetof(struct elf64_shdr, sh_type), image->swap);
		if (sec->type == SHT_NULL)	/* its other members are undefined */
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
	if (!image->sections[i].name[0])
		return error_where(err, "section %" PRIu32, i);
	return error_where(err, "section %" PRIu32 " '%.80s'", i, image->sections[i].name);
}

/* Only debug sections are compressed (SHF_COMPRESSED): neither tables nor what is loaded. */
static int check_compressed(const struct elf_section *sec, struct error *err)
{
	if (sec->flags & SHF_ALLOC || sec->type != SHT_PROGBITS)
		return error_set(err, EBADMSG, "it is compressed, and only debug sections can be");
	return 0;
}

/*
 * Establishes that section @i's bytes lie in the file, and that link and alignment mean something.
 */
static int check_section(struct elf_image *image, uint32_t i, struct error *err)
{
	struct elf_section *sec = &image->sections[i];

	if (sec->link >= image->nr_sections)
		return error_set(err, EBADMSG, "it is linked to section %" PRIu32 " of %" PRIu32,
				 sec->link, image->nr_sections);
	if (sec->align & (sec->align - 1))
		return error_set(err, EBADMSG, "its alignment 0x%" PRIx64 " is not a power of two",
				 sec->align);
	if (sec->flags & SHF_COMPRESSED && check_compressed(sec, err))
		return -EBADMSG;
	if (sec->type == SHT_NOBITS)
		return 0;
	if (!bytes_hold(image->file.size, sec->offset, sec->size)) {
		error_set(err, EBADMSG,
			  "its 0x%" PRIx64 " bytes at 0x%" PRIx64
			  " lie outside the file of 0x%zx bytes",
			  sec->size, sec->offset, image->file.size);
		return error_hint(err, HINT_DAMAGED);
	}
	sec->data = bytes_slice(image->file, sec->offset, sec->size);
	return 0;
}

int elf_strtab_check(const struct elf_image *image, uint32_t i, struct error *err)
{
	const struct elf_section *sec = &image->sections[i];

	if (sec->type != SHT_STRTAB)
		return error_set(err, EBADMSG,
				 "section %" PRIu32 " is to hold names, and is of type %" PRIu32
				 ", not SHT_STRTAB",
				 i, sec->type);
	if (!sec->data.size || sec->data.data[0])
		return error_set(err, EBADMSG,
				 "section %" PRIu32
				 " is to hold names, and does not begin with a zero byte",
				 i);
	return 0;
}

static int name_sections(struct elf_image *image, const struct section_table *table,
			 struct error *err)
{
	const struct bytes names = image->sections[table->names].data;

	for (uint32_t i = 1; i < image->nr_sections; i++) {
		uint64_t at = table->offset + (uint64_t)i * sizeof(struct elf64_shdr);
		uint32_t off = bytes_u32(image->file, at + offsetof(struct elf64_shdr, sh_name),
					 image->swap);

		image->sections[i].name = elf_string(names, off);
		if (image->sections[i].name)
			continue;
		error_set(err, EBADMSG,
			  "its name at 0x%" PRIx32
			  " of the 0x%zx bytes of names lies outside or does not end",
			  off, names.size);
		return error_where(err, "section %" PRIu32, i);
	}
	return 0;
}

static int parse_sections(struct elf_image *image, struct error *err)
{
	struct section_table table = { 0 };
	int ret = locate_sections(image, &table, err);

	if (ret) {
		error_where(err, "ELF header");
		return ret;
	}
	image->sections = calloc(table.count, sizeof(*image->sections));
	if (!image->sections)
		return error_set(err, ENOMEM, "no memory for %" PRIu32 " sections", table.count);
	image->nr_sections = table.count;
	image->sections[0].name = "";
	read_sections(image, &table);
	ret = check_section(image, table.names, err);
	if (!ret)
		ret = elf_strtab_check(image, table.names, err);
	if (ret)
		error_where(err, "section %" PRIu32, table.names);
	else
		ret = name_sections(image, &table, err);
	for (uint32_t i = 1; !ret && i < table.count; i++) {
		ret = check_section(image, i, err);
		if (ret)
			elf_section_where(image, i, err);
	}
	return ret;
}

static int check_header(struct elf_image *image, struct error *err)
{
	int ret = check_magic(image->file, err);

	if (!ret)
		ret = check_ident(image, err);
	if (!ret)
		ret = check_machine(image, err);
	if (!ret)
		ret = check_type(image, err);
	if (ret)
		error_where(err, "ELF header");
	return ret;
}

int elf_image_parse(struct elf_image *image, struct bytes file, struct error *err)
{
	int ret;

	*image = (struct elf_image){ .file = file };
	ret = check_header(image, err);
	if (!ret)
		ret = parse_sections(image, err);
	if (!ret)
		ret = elf_symbols_parse(image, err);
	if (!ret)
		ret = elf_relocs_check(image, err);
	if (ret)
		elf_image_free(image);
	return ret;
}

void elf_image_free(struct elf_image *image)
{
	free(image->sections);
	free(image->symbols);
	memset(image, 0, sizeof(*image));
}

uint32_t elf_section_find(const struct elf_image *image, const char *name)
{
	for (uint32_t i = 1; i < image->nr_sections; i++) {
		if (!strcmp(image->sections[i].name, name))
			return i;
	}
	return 0;
}
