// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the ELF header, the segments and the sections of executables and libraries, and convert
 * between addresses and file offsets:
 *
 *	file    | ELF header |  code        |  data    |
 *	         ^            ^ p_offset     ^
 *	memory                | p_vaddr code |   | p_vaddr data | .bss |     (PT_LOAD segments)
 *
 *	offset = address - p_vaddr + p_offset
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "elf/exec/exec_internal.h"

#define HINT_DAMAGED "the file is damaged or truncated: reinstall it"

/* No linker writes this many, and more would only waste memory. */
#define SEGMENTS_MAX (1u << 16)
#define SECTIONS_MAX (1u << 20)

uint64_t exec_get(const struct exec *x, struct bytes bytes, uint64_t at, struct exec_field field)
{
	const size_t off = at + field.offset[x->is_64];

	switch (field.size[x->is_64]) {
	case 1:
		return bytes_u8(bytes, off);
	case 2:
		return bytes_u16(bytes, off, x->swap);
	case 4:
		return bytes_u32(bytes, off, x->swap);
	default:
		return bytes_u64(bytes, off, x->swap);
	}
}

int exec_bytes(const struct exec *x, uint64_t off, uint64_t len, struct bytes *out,
	       struct error *err)
{
	*out = (struct bytes){ 0 };
	if (!bytes_hold(x->source.size, off, len)) {
		error_set(err, EBADMSG,
			  "0x%" PRIx64 " bytes at 0x%" PRIx64
			  " are outside the file of 0x%" PRIx64,
			  len, off, x->source.size);
		return error_hint(err, HINT_DAMAGED);
	}
	return len ? x->source.get(x->source.arg, off, len, out, err) : 0;
}

const char *exec_machine_name(uint16_t machine)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} known[] = {
		{ EM_386, "i386" },	 { EM_MIPS, "MIPS" },
		{ EM_PPC, "PowerPC" },	 { EM_PPC64, "PowerPC 64" },
		{ EM_S390, "s390" },	 { EM_ARM, "ARM" },
		{ EM_X86_64, "x86-64" }, { EM_AARCH64, "arm64" },
		{ EM_RISCV, "RISC-V" },	 { EM_LOONGARCH, "LoongArch" },
		{ EM_BPF, "BPF" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].machine == machine)
			return known[i].name;
	return NULL;
}

/* Report what a non-ELF file is, by its first bytes. */
static int not_elf(struct bytes head, struct error *err)
{
	static const struct {
		const char *magic, *what, *hint;
	} known[] = {
		{ "#!", "a script", "probe its interpreter, named in its first line" },
		{ "!<arch>\n", "a static library", "probe a program linked with it" },
		{ "!<thin>\n", "a static library", "probe a program linked with it" },
		{ "/* GNU ld script", "a linker script", "use the library that it names" },
		{ "\x1f\x8b", "compressed by gzip", "decompress it" },
		{ "BC\xc0\xde", "LLVM bitcode", "use the program built from it" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const size_t len = strlen(known[i].magic);

		if (head.size < len || memcmp(head.data, known[i].magic, len))
			continue;
		error_set(err, ENOEXEC, "is %s, not an executable or library", known[i].what);
		return error_hint(err, "%s", known[i].hint);
	}
	if (!head.size)
		error_set(err, ENOEXEC, "is empty");
	else
		error_set(err, ENOEXEC, "is not an ELF file (first byte 0x%02x)",
			  head.data[0]);
	return error_hint(err, "probes go into executables and shared libraries");
}

/* Establishes that the header is complete and of a known class and byte order. */
static int read_ident(struct exec *x, struct bytes *header, struct error *err)
{
	const uint64_t size =
		x->source.size < sizeof(Elf64_Ehdr) ? x->source.size : sizeof(Elf64_Ehdr);
	int ret = exec_bytes(x, 0, size, header, err);

	if (ret)
		return ret;
	if (size < EI_NIDENT || memcmp(header->data, ELFMAG, SELFMAG))
		return not_elf(*header, err);
	if (header->data[EI_CLASS] != ELFCLASS32 && header->data[EI_CLASS] != ELFCLASS64)
		return error_set(err, ENOEXEC, "has unknown ELF class %u",
				 header->data[EI_CLASS]);
	if (header->data[EI_DATA] != ELFDATA2LSB && header->data[EI_DATA] != ELFDATA2MSB)
		return error_set(err, ENOEXEC, "has unknown byte order %u",
				 header->data[EI_DATA]);
	x->is_64 = header->data[EI_CLASS] == ELFCLASS64;
	x->swap =
		(header->data[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (size < EXEC_SIZE(x, Ehdr)) {
		error_set(err, EBADMSG, "ends after 0x%" PRIx64 " bytes, inside the ELF header",
			  size);
		return error_hint(err, HINT_DAMAGED);
	}
	return 0;
}

static int check_type(const struct exec *x, struct error *err)
{
	switch (x->type) {
	case ET_EXEC:
	case ET_DYN:
		return 0;
	case ET_REL:
		error_set(err, ENOEXEC,
			  "is a relocatable object file (ET_REL)");
		return error_hint(err, "probe a program that it is linked into");
	case ET_CORE:
		error_set(err, ENOEXEC, "is a core dump (ET_CORE)");
		return error_hint(err, "probe the program that crashed");
	default:
		return error_set(err, ENOEXEC, "has ELF type %u: not an executable or library",
				 x->type);
	}
}

static bool read_section(const struct exec *x, struct bytes table, uint64_t at,
			 struct exec_section *s)
{
	*s = (struct exec_section){
		.name = "",
		.type = exec_get(x, table, at, EXEC_FIELD(Shdr, sh_type)),
		.link = exec_get(x, table, at, EXEC_FIELD(Shdr, sh_link)),
		.info = exec_get(x, table, at, EXEC_FIELD(Shdr, sh_info)),
		.flags = exec_get(x, table, at, EXEC_FIELD(Shdr, sh_flags)),
		.address = exec_get(x, table, at, EXEC_FIELD(Shdr, sh_addr)),
		.offset = exec_get(x, table, at, EXEC_FIELD(Shdr, sh_offset)),
		.size = exec_get(x, table, at, EXEC_FIELD(Shdr, sh_size)),
		.entsize = exec_get(x, table, at, EXEC_FIELD(Shdr, sh_entsize)),
	};
	return s->type != SHT_NULL;
}

/* Sections without names are still useful; an unreadable file is not. */
static int name_sections(struct exec *x, struct bytes table, uint32_t index, struct error *err)
{
	struct bytes names;
	int ret;

	if (index >= x->nr_sections || x->sections[index].type == SHT_NOBITS)
		return 0;
	ret = exec_section_bytes(x, &x->sections[index], &names, err);
	for (uint32_t i = 0; !ret && i < x->nr_sections; i++) {
		const uint64_t at = i * EXEC_SIZE(x, Shdr);
		const char *name =
			elf_string(names, exec_get(x, table, at, EXEC_FIELD(Shdr, sh_name)));

		if (name)
			x->sections[i].name = name;
	}
	if (ret != -EBADMSG)
		return ret;
	error_clear(err);
	return 0;
}

/* Section 0 holds the numbers that do not fit into the ELF header (gABI, "ELF Header"). */
static int read_sections(struct exec *x, struct bytes header, uint64_t *nr_segments,
			 struct error *err)
{
	const uint64_t off = exec_get(x, header, 0, EXEC_FIELD(Ehdr, e_shoff));
	uint64_t nr = exec_get(x, header, 0, EXEC_FIELD(Ehdr, e_shnum));
	uint32_t names = exec_get(x, header, 0, EXEC_FIELD(Ehdr, e_shstrndx));
	struct exec_section first;
	struct bytes table;
	int ret;

	if (!off || exec_get(x, header, 0, EXEC_FIELD(Ehdr, e_shentsize)) != EXEC_SIZE(x, Shdr))
		return 0;
	ret = exec_bytes(x, off, EXEC_SIZE(x, Shdr), &table, err);
	if (ret)
		return ret;
	read_section(x, table, 0, &first);
	if (!nr)
		nr = first.size;
	if (names == SHN_XINDEX)
		names = first.link;
	if (*nr_segments == PN_XNUM)
		*nr_segments = first.info;
	if (!nr || nr > SECTIONS_MAX)
		return 0;
	ret = exec_bytes(x, off, nr * EXEC_SIZE(x, Shdr), &table, err);
	if (ret)
		return ret;
	x->sections = calloc(nr, sizeof(*x->sections));
	if (!x->sections)
		return error_set(err, ENOMEM, "no memory for %" PRIu64 " sections", nr);
	x->nr_sections = nr;
	for (uint32_t i = 0; i < nr; i++)
		read_section(x, table, i * EXEC_SIZE(x, Shdr), &x->sections[i]);
	return name_sections(x, table, names, err);
}

static int read_segments(struct exec *x, struct bytes header, uint64_t nr, struct error *err)
{
	const uint64_t off = exec_get(x, header, 0, EXEC_FIELD(Ehdr, e_phoff));
	const uint64_t entsize = exec_get(x, header, 0, EXEC_FIELD(Ehdr, e_phentsize));
	struct bytes table;
	int ret;

	if (!nr || nr > SEGMENTS_MAX || entsize != EXEC_SIZE(x, Phdr)) {
		error_set(err, EBADMSG, "has %" PRIu64 " program headers of %" PRIu64 " bytes", nr,
			  entsize);
		return error_hint(err, HINT_DAMAGED);
	}
	ret = exec_bytes(x, off, nr * entsize, &table, err);
	if (ret)
		return error_where(err, "program headers");
	x->segments = calloc(nr, sizeof(*x->segments));
	if (!x->segments)
		return error_set(err, ENOMEM, "no memory for %" PRIu64 " segments", nr);
	x->nr_segments = nr;
	for (uint32_t i = 0; i < nr; i++) {
		const uint64_t at = i * entsize;

		x->segments[i] = (struct exec_segment){
			.type = exec_get(x, table, at, EXEC_FIELD(Phdr, p_type)),
			.flags = exec_get(x, table, at, EXEC_FIELD(Phdr, p_flags)),
			.offset = exec_get(x, table, at, EXEC_FIELD(Phdr, p_offset)),
			.address = exec_get(x, table, at, EXEC_FIELD(Phdr, p_vaddr)),
			.file_size = exec_get(x, table, at, EXEC_FIELD(Phdr, p_filesz)),
			.size = exec_get(x, table, at, EXEC_FIELD(Phdr, p_memsz)),
		};
	}
	return 0;
}

int exec_open(struct exec *x, const struct source *source, struct error *err)
{
	struct error ignored = { 0 };
	struct bytes header;
	uint64_t nr_segments;
	int ret;

	*x = (struct exec){ .source = *source };
	ret = read_ident(x, &header, err);
	if (!ret) {
		x->type = exec_get(x, header, 0, EXEC_FIELD(Ehdr, e_type));
		x->machine = exec_get(x, header, 0, EXEC_FIELD(Ehdr, e_machine));
		nr_segments = exec_get(x, header, 0, EXEC_FIELD(Ehdr, e_phnum));
		ret = check_type(x, err);
	}
	if (!ret) {
		ret = read_sections(x, header, &nr_segments, &ignored);
		x->cut_short = ret == -EBADMSG;
		ret = x->cut_short ? 0 : ret;
		if (ret && err)
			*err = ignored;
		else
			error_clear(&ignored);
	}
	if (!ret)
		ret = read_segments(x, header, nr_segments, err);
	if (ret)
		exec_close(x);
	return ret;
}

void exec_close(struct exec *x)
{
	free(x->segments);
	free(x->sections);
	free(x->versions);
	memset(x, 0, sizeof(*x));
}

const struct exec_section *exec_section(const struct exec *x, const char *name)
{
	for (uint32_t i = 1; i < x->nr_sections; i++)
		if (!strcmp(x->sections[i].name, name))
			return &x->sections[i];
	return NULL;
}

int exec_section_bytes(const struct exec *x, const struct exec_section *section, struct bytes *out,
		       struct error *err)
{
	int ret;

	*out = (struct bytes){ 0 };
	if (section->type == SHT_NOBITS)
		return 0;
	ret = exec_bytes(x, section->offset, section->size, out, err);
	return ret ? error_where(err, "section '%.80s'", section->name) : 0;
}

static bool is_loaded(const struct exec *x, const struct exec_segment *s)
{
	return s->type == PT_LOAD && bytes_hold(x->source.size, s->offset, s->file_size);
}

bool exec_offset(const struct exec *x, uint64_t address, uint64_t *offset, uint32_t *flags)
{
	for (uint32_t i = 0; i < x->nr_segments; i++) {
		const struct exec_segment *s = &x->segments[i];

		if (!is_loaded(x, s) || address < s->address ||
		    address - s->address >= s->file_size)
			continue;
		*offset = s->offset + (address - s->address);
		*flags = s->flags;
		return true;
	}
	return false;
}

const struct exec_segment *exec_segment_at(const struct exec *x, uint64_t offset)
{
	const struct exec_segment *found = NULL;

	/* If the bytes are mapped twice, the executable mapping is meant. */
	for (uint32_t i = 0; i < x->nr_segments && !(found && found->flags & PF_X); i++) {
		const struct exec_segment *s = &x->segments[i];

		if (is_loaded(x, s) && offset >= s->offset && offset - s->offset < s->file_size)
			found = s;
	}
	return found;
}

bool exec_address(const struct exec *x, uint64_t offset, uint64_t *address, uint32_t *flags)
{
	const struct exec_segment *s = exec_segment_at(x, offset);

	if (!s)
		return false;
	*address = s->address + (offset - s->offset);
	*flags = s->flags;
	return true;
}

int exec_loaded_bytes(const struct exec *x, uint64_t address, uint64_t len, struct bytes *out,
		      struct error *err)
{
	for (uint32_t i = 0; i < x->nr_segments; i++) {
		const struct exec_segment *s = &x->segments[i];
		const uint64_t at = address - s->address;

		if (!is_loaded(x, s) || address < s->address || !bytes_hold(s->file_size, at, len))
			continue;
		if (!len)
			len = s->file_size - at < EXEC_TABLE_MAX ? s->file_size - at
								 : EXEC_TABLE_MAX;
		return exec_bytes(x, s->offset + at, len, out, err);
	}
	*out = (struct bytes){ 0 };
	error_set(err, EBADMSG,
		  "0x%" PRIx64 " bytes at address 0x%" PRIx64 " are not in any segment",
		  len, address);
	return error_hint(err, HINT_DAMAGED);
}
