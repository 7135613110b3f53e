/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the parts of the ELF reader (image.c, symbols.c, relocs.c) share with nobody else. */
#ifndef PLOAD_ELF_IMAGE_PARTS_H
#define PLOAD_ELF_IMAGE_PARTS_H

#include "elf/image.h"

/*
 * No name in an object is longer, so that comparing or hashing all names of a hostile file stays
 * linear in its size.
 */
#define ELF_NAME_MAX 4096

#define ELF_HINT_DAMAGED	"the file is damaged or cut short; compile it again"

/*
 * elf_string() - the string at @off of @strtab, or NULL when it begins outside, does not end
 * inside, or is longer than ELF_NAME_MAX - 1 bytes.
 */
const char *elf_string(struct bytes strtab, uint64_t off);

/*
 * elf_strtab_check() - whether section @i can hold names: its type, and its first byte, which gABI
 * has be zero.
 */
int elf_strtab_check(const struct elf_image *image, uint32_t i, struct error *err);

/*
 * elf_section_where() - put "section 5 '.symtab'" in front of the places in @err. Returns
 * err->code.
 */
int elf_section_where(const struct elf_image *image, uint32_t i, struct error *err);

/*
 * elf_sections_parse() - fill sections, nr_sections and table, and fetch what is in those that are
 * not left out. The header has been checked before.
 */
int elf_sections_parse(struct elf_image *image, const struct elf_source *source, struct error *err);

/* elf_symbols_parse() - fill symbols, nr_symbols and symtab. Sections have been checked before. */
int elf_symbols_parse(struct elf_image *image, struct error *err);

/*
 * elf_relocs_check() - check every entry of every relocation section. Symbols have been parsed
 * before.
 */
int elf_relocs_check(const struct elf_image *image, struct error *err);

#endif
