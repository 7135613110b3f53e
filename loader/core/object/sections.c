// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Classify the sections by name and flags, and find the section that relocates each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/parse.h"

/*
 * Return true if @name is @stem or starts with @stem and @separator: ".data" and ".data.hot", but
 * not ".database".
 */
static bool name_is(const char *name, const char *stem, char separator)
{
	size_t n = strlen(stem);

	return !strncmp(name, stem, n) && (name[n] == '\0' || name[n] == separator);
}

/* "lirc_mode2/maps": ir-keytable derives the name from the program's. */
static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && !strcmp(name + n - m, end);
}

static bool is_struct_ops(const char *name)
{
	name += name[0] == '?';
	return !strcmp(name, ".struct_ops") || !strcmp(name, ".struct_ops.link");
}

static enum section_use section_use(const struct elf_section *section)
{
	if (section->type != SHT_PROGBITS && section->type != SHT_NOBITS)
		return SECTION_UNUSED;
	if (section->flags & SHF_EXECINSTR)
		return section->type == SHT_PROGBITS && section->size ? SECTION_CODE :
									SECTION_UNUSED;
	if (!strcmp(section->name, ".maps"))
		return SECTION_BTF_MAPS;
	if (name_is(section->name, "maps", '/') || ends_with(section->name, "/maps"))
		return SECTION_LEGACY_MAPS;
	if (is_struct_ops(section->name))
		return SECTION_STRUCT_OPS;
	if (name_is(section->name, ".data", '.') || name_is(section->name, ".rodata", '.') ||
	    name_is(section->name, ".bss", '.'))
		return SECTION_DATA;
	if (!strcmp(section->name, ".jumptables"))
		return SECTION_JUMP_TABLES;
	if (!strcmp(section->name, ".addr_space.1"))
		return SECTION_ARENA;
	return SECTION_UNUSED;
}

static int add_code(struct parse *p, uint32_t section, struct error *err)
{
	struct bpf_object *obj = p->obj;
	const struct elf_section *s = &obj->image.sections[section];
	struct object_code_section *code;

	if (s->size % sizeof(struct bpf_insn) || s->size / sizeof(struct bpf_insn) > UINT32_MAX) {
		error_set(err, EBADMSG, "its %llu bytes are not a whole number of instructions",
			  (unsigned long long)s->size);
		return error_where(err, "section %u '%s'", section, s->name);
	}
	code = array_grow(obj->code, obj->nr_code, sizeof(*code));
	if (!code)
		return error_set(err, ENOMEM, "no memory for the code sections");
	obj->code = code;
	obj->code[obj->nr_code] = (struct object_code_section){ .section = section };
	p->sections[section].index = obj->nr_code++;
	return 0;
}

/* Establishes that at most one section relocates each section. */
static int add_relocs(struct parse *p, uint32_t section, struct error *err)
{
	const struct elf_section *s = &p->obj->image.sections[section];
	struct section_info *target = &p->sections[s->info];

	if (target->relocs) {
		error_set(err, EBADMSG, "section '%s' is relocated by section %u already",
			  p->obj->image.sections[s->info].name, target->relocs);
		return error_where(err, "section %u '%s'", section, s->name);
	}
	target->relocs = section;
	return 0;
}

static int refuse_common(const struct elf_image *image, uint32_t i, struct error *err)
{
	error_set(err, EBADMSG, "variable '%s' is a common symbol, which has no section",
		  image->symbols[i].name);
	error_hint(err, "compile with -fno-common, or initialize it");
	return error_where(err, "symbol %u '%s'", i, image->symbols[i].name);
}

/*
 * List the symbols that are not local labels. Establishes that none of them is a common symbol:
 * only a linker can allocate it.
 */
static int list_symbols(struct parse *p, struct error *err)
{
	const struct elf_image *image = &p->obj->image;

	p->symbols = malloc((image->nr_symbols + UINT64_C(1)) * sizeof(*p->symbols));
	if (!p->symbols)
		return error_set(err, ENOMEM, "no memory for %u symbols", image->nr_symbols);
	for (uint32_t i = 1; i < image->nr_symbols; i++) {
		const struct elf_symbol *symbol = &image->symbols[i];

		if (symbol->type == STT_NOTYPE && symbol->bind == STB_LOCAL)
			continue;
		if (symbol->section == ELF_SHN_COMMON)
			return refuse_common(image, i, err);
		p->symbols[p->nr_symbols++] = i;
	}
	return 0;
}

int parse_sections(struct parse *p, struct error *err)
{
	const struct elf_image *image = &p->obj->image;
	int ret;

	p->sections = calloc(image->nr_sections + 1, sizeof(*p->sections));
	if (!p->sections || name_index_init(&p->by_name, image->nr_sections))
		return error_set(err, ENOMEM, "no memory for %u sections", image->nr_sections);
	for (uint32_t i = 0; i < image->nr_sections; i++)
		name_index_add(&p->by_name, image->sections[i].name, i);
	for (uint32_t i = 1; i < image->nr_sections; i++) {
		if (!image->sections[i].left_out)
			p->sections[i].use = section_use(&image->sections[i]);
		ret = p->sections[i].use == SECTION_CODE ? add_code(p, i, err) : 0;
		if (!ret && elf_section_is_reloc(image, i))
			ret = add_relocs(p, i, err);
		if (ret)
			return ret;
	}
	for (uint32_t i = 0; i < p->obj->nr_code; i++)
		p->obj->code[i].reloc_section = p->sections[p->obj->code[i].section].relocs;
	return list_symbols(p, err);
}
