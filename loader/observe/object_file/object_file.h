/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Write a relocatable ELF file for BPF: sections, symbols, and the relocations of one section. */
#ifndef PLOAD_OBSERVE_OBJECT_FILE_OBJECT_FILE_H
#define PLOAD_OBSERVE_OBJECT_FILE_OBJECT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/elf.h>

#define OBJECT_SECTIONS 80

struct object_file {
	Elf64_Shdr headers[OBJECT_SECTIONS];
	const void *data[OBJECT_SECTIONS];	/* borrowed; NULL: zeros */
	unsigned int nr_sections;
	Elf64_Sym *symbols;	/* owned */
	uint32_t nr_symbols, nr_local;
	char *names;		/* owned; of sections and symbols */
	uint32_t names_size;
	bool failed;		/* no memory, or too many sections */
};

/* object_file_init() - Begin with the null section and the null symbol. */
void object_file_init(struct object_file *f);

/** object_file_section() - Add a section. Return: its index. */
unsigned int object_file_section(struct object_file *f, const char *name, uint32_t type,
				 uint64_t flags, const void *data, uint64_t size);

/**
 * object_file_symbol() - Add a symbol; those that are local come first.
 * @info: ELF64_ST_INFO() of its binding and type
 *
 * Return: its index.
 */
uint32_t object_file_symbol(struct object_file *f, const char *name, uint8_t info,
			    unsigned int section, uint64_t value, uint64_t size);

/** object_file_write() - Add the tables of symbols and names. Return: false if writing failed. */
bool object_file_write(struct object_file *f, FILE *file);
void object_file_free(struct object_file *f);

#endif
