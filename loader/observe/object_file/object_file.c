// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Write a relocatable ELF file for BPF:
 *
 *	| header | data of each section, from multiples of 8 on | section headers |
 */
#include <stdlib.h>
#include <string.h>

#include "elf/bytes.h"
#include "loader/observe/object_file/object_file.h"

static uint32_t add_name(struct object_file *f, const char *name)
{
	const size_t len = strlen(name) + 1;
	const uint32_t at = f->names_size;
	char *grown = !name[0] && at ? NULL : realloc(f->names, at + len);

	if (!name[0] && at)	/* the empty name is the first one */
		return 0;
	if (!grown) {
		f->failed = true;
		return 0;
	}
	memcpy(grown + at, name, len);
	f->names = grown;
	f->names_size += len;
	return at;
}

unsigned int object_file_section(struct object_file *f, const char *name, uint32_t type,
				 uint64_t flags, const void *data, uint64_t size)
{
	const unsigned int i = f->nr_sections;

	if (i == OBJECT_SECTIONS) {
		f->failed = true;
		return 0;
	}
	f->headers[i] = (Elf64_Shdr){ .sh_name = add_name(f, name), .sh_type = type,
				      .sh_flags = flags, .sh_size = size, .sh_addralign = 8 };
	f->data[i] = data;
	return f->nr_sections++;
}

uint32_t object_file_symbol(struct object_file *f, const char *name, uint8_t info,
			    unsigned int section, uint64_t value, uint64_t size)
{
	Elf64_Sym *grown = array_grow(f->symbols, f->nr_symbols, sizeof(*grown));

	if (!grown) {
		f->failed = true;
		return 0;
	}
	f->symbols = grown;
	grown[f->nr_symbols] = (Elf64_Sym){ .st_name = add_name(f, name), .st_info = info,
					    .st_shndx = section, .st_value = value,
					    .st_size = size };
	f->nr_local += ELF64_ST_BIND(info) == STB_LOCAL;
	return f->nr_symbols++;
}

void object_file_init(struct object_file *f)
{
	*f = (struct object_file){ 0 };
	add_name(f, "");
	object_file_section(f, "", SHT_NULL, 0, NULL, 0);
	f->headers[0].sh_addralign = 0;
	object_file_symbol(f, "", 0, SHN_UNDEF, 0, 0);
}

/* The size in the file. */
static uint64_t size_of(const Elf64_Shdr *header)
{
	return header->sh_type == SHT_NOBITS ? 0 : header->sh_size;
}

static void put(FILE *file, const void *data, uint64_t size)
{
	if (data)
		fwrite(data, 1, size, file);
	else
		while (size--)
			fputc(0, file);
}

bool object_file_write(struct object_file *f, FILE *file)
{
	Elf64_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			     EV_CURRENT },
		.e_type = ET_REL, .e_machine = EM_BPF, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(header), .e_shentsize = sizeof(Elf64_Shdr),
	};
	const unsigned int symtab = object_file_section(f, ".symtab", SHT_SYMTAB, 0, f->symbols,
							f->nr_symbols * sizeof(Elf64_Sym));
	const unsigned int strtab = object_file_section(f, ".strtab", SHT_STRTAB, 0, NULL, 0);
	uint64_t at = sizeof(header);

	if (f->failed)
		return false;
	f->data[strtab] = f->names;
	f->headers[strtab].sh_size = f->names_size;
	f->headers[symtab].sh_link = strtab;
	f->headers[symtab].sh_info = f->nr_local;
	f->headers[symtab].sh_entsize = sizeof(Elf64_Sym);
	for (unsigned int i = 1; i < f->nr_sections; i++) {
		f->headers[i].sh_offset = at;
		at += (size_of(&f->headers[i]) + 7) / 8 * 8;
		if (f->headers[i].sh_type == SHT_REL)
			f->headers[i].sh_link = symtab;
	}
	header.e_shoff = at;
	header.e_shnum = f->nr_sections;
	header.e_shstrndx = strtab;
	put(file, &header, sizeof(header));
	for (unsigned int i = 1; i < f->nr_sections; i++) {
		put(file, f->data[i], size_of(&f->headers[i]));
		put(file, NULL, -size_of(&f->headers[i]) % 8);
	}
	put(file, f->headers, f->nr_sections * sizeof(Elf64_Shdr));
	return !ferror(file);
}

void object_file_free(struct object_file *f)
{
	free(f->symbols);
	free(f->names);
}
