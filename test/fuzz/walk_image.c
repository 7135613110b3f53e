// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks the promises of elf/image.h and elf/error.h, entry by entry. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf/elf_internal.h"
#include "loader/core/value/value.h"
#include "test/fuzz/walk.h"

void promise_broken(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

static bool printable(const char *text, size_t size)
{
	size_t n = strnlen(text, size);

	for (size_t i = 0; i < n; i++)
		if (text[i] < 0x20 || text[i] > 0x7e)
			return false;
	return n < size;
}

bool walk_error(int ret, struct error *err)
{
	promise(ret <= 0);
	if (ret) {
		promise(err->code == ret && err->what[0]);
		promise(err->where[0] || ret == -ENOMEM);
		promise(printable(err->where, sizeof(err->where)));
		promise(printable(err->what, sizeof(err->what)));
		promise(printable(err->hint, sizeof(err->hint)));
	}
	error_clear(err);
	return !ret;
}

/*
 * The first and the last of the characters that terminals interpret: C0, DEL and C1, and
 * bidirectional controls.
 */
static const uint32_t acts[][2] = {
	{ 0, 8 }, { 0xb, 0x1f }, { 0x7f, 0x9f }, { 0x61c, 0x61c }, { 0x200e, 0x200f },
	{ 0x2028, 0x202e }, { 0x2066, 0x2069 },
};

unsigned int walk_text(const char *text, size_t size, const char *element)
{
	const size_t length = strlen(element);
	unsigned int nr = 0, n;
	uint32_t c;

	for (size_t i = 0; i < size; i += n) {
		n = text_decode((const unsigned char *)text + i, size - i, &c);
		promise(n);
		for (size_t k = 0; k < sizeof(acts) / sizeof(acts[0]); k++)
			promise(c < acts[k][0] || c > acts[k][1]);
		nr += size - i >= length && !memcmp(text + i, element, length);
	}
	return nr;
}

/* Keeps the compiler from removing reads whose result is not used. */
static volatile unsigned char sink;

static void touch(struct bytes b)
{
	unsigned char sum = 0;

	for (size_t i = 0; i < b.size; i++)
		sum ^= b.data[i];
	sink = sum;
}

static void walk_section(const struct elf_image *image, uint32_t i)
{
	const struct elf_section *s = &image->sections[i];
	uint32_t found = elf_section_find(image, s->name);

	promise(strlen(s->name) < ELF_NAME_MAX);
	promise(!i || (found <= i && !strcmp(image->sections[found].name, s->name)));
	promise(s->link < image->nr_sections);
	promise(!(s->align & (s->align - 1)));
	if (s->type == SHT_NULL || s->type == SHT_NOBITS) {
		promise(!s->data.size);
		return;
	}
	if (s->left_out) {
		promise(!s->data.size && (elf_section_is_reloc(image, i) ||
					  !(s->flags & (SHF_ALLOC | SHF_EXECINSTR))));
		return;
	}
	promise(s->data.size == s->size);
	touch(s->data);
}

static void walk_symbol(const struct elf_image *image, const struct elf_symbol *sym)
{
	const struct elf_section *s;

	promise(strlen(sym->name) < ELF_NAME_MAX);
	promise(sym->bind < 16 && sym->type < 16 && sym->visibility < 4);
	if (sym->section == ELF_SHN_ABS || sym->section == ELF_SHN_COMMON || !sym->section)
		return;
	promise(sym->section < image->nr_sections);
	s = &image->sections[sym->section];
	promise(bytes_hold(s->size, sym->value, sym->size));
	promise(s->type != SHT_NULL);
}

static void walk_relocs(const struct elf_image *image, uint32_t section)
{
	const struct elf_section *rel = &image->sections[section], *target;

	promise(rel->info && rel->info < image->nr_sections && rel->link == image->symtab);
	target = &image->sections[rel->info];
	for (uint32_t i = 0; i < elf_reloc_count(image, section); i++) {
		struct elf_reloc r = elf_reloc_get(image, section, i);

		promise(r.symbol < image->nr_symbols && elf_reloc_name(r.type));
		promise(r.has_addend == (rel->type == SHT_RELA) && (r.has_addend || !r.addend));
		if (target->flags & SHF_EXECINSTR)
			promise(bytes_hold(target->data.size, r.offset, elf_reloc_width(r.type)));
	}
}

void walk_image(const struct elf_image *image)
{
	promise(image->nr_sections && !image->sections[0].name[0] && !image->sections[0].size);
	promise(image->symtab < image->nr_sections);
	promise(image->swap == (image->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)));
	promise(!image->symtab || (image->nr_symbols && !image->symbols[0].name[0]));
	for (uint32_t i = 0; i < image->nr_sections; i++) {
		walk_section(image, i);
		if (elf_section_is_reloc(image, i))
			walk_relocs(image, i);
	}
	for (uint32_t i = 0; i < image->nr_symbols; i++)
		walk_symbol(image, &image->symbols[i]);
}
