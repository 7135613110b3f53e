// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The beginning of your loader in C: it passes stage 1 of the course, docs/course/README.md.
 *
 *	cc -o my_loader my_loader.c
 *	sudo build/judge sections -- ./my_loader
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *file;	/* the bytes of the object */
static size_t file_size;

/* Return the address of @size bytes at @offset of the file. */
static const void *file_at(uint64_t offset, uint64_t size)
{
	if (offset > file_size || size > file_size - offset) {
		fprintf(stderr, "offset %ju is outside of the file\n", (uintmax_t)offset);
		exit(1);
	}
	return file + offset;
}

static void read_file(const char *path)
{
	FILE *in = fopen(path, "r");

	file = calloc(1, 16 << 20);
	if (!in || !file) {
		perror(path);
		exit(1);
	}
	file_size = fread(file, 1, (16 << 20) - 1, in);
	fclose(in);
}

/* Stage sections: Elf64_Ehdr --e_shoff--> Elf64_Shdr[e_shnum]; names are in section e_shstrndx. */
static void print_sections(void)
{
	const Elf64_Ehdr *header = file_at(0, sizeof(*header));
	const Elf64_Shdr *sections = file_at(header->e_shoff, header->e_shnum * sizeof(*sections));
	const uint64_t names = sections[header->e_shstrndx].sh_offset;

	for (int i = 1; i < header->e_shnum; i++)
		printf("section %d %s type=%u flags=0x%jx offset=%ju size=%ju\n", i,
		       (const char *)file_at(names + sections[i].sh_name, 1), sections[i].sh_type,
		       (uintmax_t)sections[i].sh_flags, (uintmax_t)sections[i].sh_offset,
		       (uintmax_t)sections[i].sh_size);
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: my_loader OBJECT ioctl|pmu|link COOKIE [PIN]\n");
		return 1;
	}
	read_file(argv[1]);
	print_sections();
	/* Stage symbols: `build/judge symbols` shows what it wants. */
	return 0;
}
