// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read and validate the ELF header of a BPF object, then its sections, symbols and relocations.
 *
 *	 0 e_ident      7f 'E' 'L' 'F', class (2: 64 bits), byte order (1: little, 2: big), version
 *	16 e_type       1: ET_REL, relocatable
 *	18 e_machine    247: EM_BPF
 *	20 e_version    1
 *	40 e_shoff      offset of the section headers in the file
 *	58 e_shentsize  64
 *	60 e_shnum      number of sections; 0: see sh_size of section 0
 *	62 e_shstrndx   index of the section with their names; 0xffff: see sh_link of section 0
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/elf_internal.h"

#define HINT_TARGET	"compile it with clang -target bpf -c"

static uint16_t header_u16(const struct elf_image *image, size_t field)
{
	return bytes_u16(image->header, field, image->swap);
}

/* Return true if the first 512 bytes of the file, or all of a shorter one, are text. */
static bool is_text(struct bytes file)
{
	for (size_t i = 0; i < file.size && i < 512; i++) {
		const unsigned char c = file.data[i];

		if (c == 0x7f || (c < ' ' && c != '\t' && c != '\n' && c != '\f' && c != '\r'))
			return false;
	}
	return true;
}

/* Return true if a line of the text looks like a C preprocessor directive. */
static bool is_c_source(struct bytes file)
{
	static const char include[] = "\n#include";
	const size_t n = strlen(include);

	return (file.size >= n - 1 && !memcmp(file.data, include + 1, n - 1)) ||
	       memmem(file.data, file.size, include, n);
}

static int check_magic(struct bytes file, struct error *err)
{
	static const struct {
		const char *magic;
		size_t size;
		const char *what, *hint;
	} known[] = {
		{ "BC\xc0\xde", 4, "LLVM bitcode",
		  "compile it without -emit-llvm, or with llc -march=bpf -filetype=obj" },
		{ "!<arch>\n", 8, "a static library", "pass one of its objects" },
		{ "\x9f\xeb\x01", 3, "BTF alone", "pass the object that it was extracted from" },
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
	if (is_text(file)) {
		const bool c = is_c_source(file);

		error_set(err, ENOEXEC, "this is %s, not an ELF object", c ? "C source" : "text");
		return error_hint(err, c ? "compile it and pass the object: clang -O2 -g -target "
					   "bpf -c prog.bpf.c -o prog.bpf.o"
					 : "pass an object file; " HINT_TARGET);
	}
	error_set(err, ENOEXEC, "not an ELF object: its first byte is 0x%02x, not 0x7f",
		  file.data[0]);
	return error_hint(err, "pass an object file; " HINT_TARGET);
}

/* Establishes that the header is complete, of class ELF64, and of a known byte order. */
static int check_ident(struct elf_image *image, struct error *err)
{
	const unsigned char *ident = image->header.data;

	if (image->header.size < EI_NIDENT) {
		error_set(err, ENOEXEC, "the file ends after %zu bytes, inside the ELF header",
			  image->header.size);
		return error_hint(err, ELF_HINT_DAMAGED);
	}
	if (ident[EI_CLASS] != ELFCLASS64) {
		error_set(err, ENOEXEC, "this is %s, and BPF objects are ELF64",
			  ident[EI_CLASS] == ELFCLASS32 ? "an ELF32 object"
							: "of an unknown ELF class");
		return error_hint(err, HINT_TARGET);
	}
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return error_set(err, ENOEXEC,
				 "byte order %u is neither little (1) nor big (2) endian",
				 ident[EI_DATA]);
	if (ident[EI_VERSION] != EV_CURRENT)
		return error_set(err, ENOEXEC, "ELF version %u; only 1 exists", ident[EI_VERSION]);
	if (image->header.size < sizeof(struct elf64_hdr)) {
		error_set(err, ENOEXEC, "the file ends after %zu bytes, inside the ELF header",
			  image->header.size);
		return error_hint(err, ELF_HINT_DAMAGED);
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

	if (machine == EM_BPF || machine == 0)	/* EM_NONE, as clang before 3.9 wrote */
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
		bytes_u32(image->header, offsetof(struct elf64_hdr, e_version), image->swap);

	if (type != ET_REL) {
		error_set(err, ENOEXEC, "file type %u (%s): not a relocatable object (ET_REL)",
			  type, type < sizeof(names) / sizeof(names[0]) ? names[type] : "unknown");
		return error_hint(err,
				  "pass the .o file from clang -target bpf -c, before any linking");
	}
	if (version != EV_CURRENT)
		return error_set(err, ENOEXEC, "ELF version %" PRIu32 ", only 1 exists", version);
	return 0;
}

static int check_header(struct elf_image *image, struct error *err)
{
	int ret = check_magic(image->header, err);

	if (!ret)
		ret = check_ident(image, err);
	if (!ret)
		ret = check_machine(image, err);
	return ret ? ret : check_type(image, err);
}

static int read_header(struct elf_image *image, const struct source *source, struct error *err)
{
	const size_t size = sizeof(struct elf64_hdr);
	int ret = source->get(source->arg, 0, source->size < size ? source->size : size,
			      &image->header, err);

	if (!ret)
		ret = check_header(image, err);
	if (ret) {
		error_at(err, 0);
		error_where(err, "ELF header");
	}
	return ret;
}

int elf_image_read(struct elf_image *image, const struct source *source, struct error *err)
{
	int ret;

	*image = (struct elf_image){ 0 };
	ret = read_header(image, source, err);
	if (!ret)
		ret = elf_sections_parse(image, source, err);
	if (!ret)
		ret = elf_symbols_parse(image, err);
	if (!ret)
		ret = elf_relocs_check(image, err);
	if (ret)
		elf_image_free(image);
	return ret;
}

static int get_from_memory(void *arg, uint64_t off, uint64_t len, struct bytes *out,
			   struct error *err)
{
	const struct bytes *file = arg;

	(void)err;
	*out = bytes_slice(*file, off, len);
	return 0;
}

struct source source_memory(struct bytes *file)
{
	return (struct source){ .size = file->size, .get = get_from_memory, .arg = file };
}

int elf_image_parse(struct elf_image *image, struct bytes file, struct error *err)
{
	const struct source source = source_memory(&file);

	return elf_image_read(image, &source, err);
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
