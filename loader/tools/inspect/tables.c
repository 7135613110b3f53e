// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of an ELF file: sections, symbols and relocations, one message per entry. */
#include <inttypes.h>

#include "loader/tools/inspect/inspect_internal.h"
#include "loader/core/value/value.h"

static int put_section(struct inspect *in, uint32_t i, struct error *err)
{
	const struct raw_section *sec = &in->elf.sections[i];
	struct json_object *msg = message_new("inspect-section");
	char type[16], flags[16];

	value_add_uint(msg, "index", i);
	value_add_string(msg, "name", sec->name);
	value_add_string(msg, "section_type", inspect_section_type(sec->type, type));
	value_add_string(msg, "flags", inspect_section_flags(sec->flags, flags));
	value_add_uint(msg, "offset", sec->offset);
	value_add_uint(msg, "size", sec->size);
	value_add_uint(msg, "in_file", sec->data.size);
	value_add_uint(msg, "link", sec->link);
	value_add_uint(msg, "info", sec->info);
	value_add_uint(msg, "align", sec->align);
	value_add_uint(msg, "entsize", sec->entsize);
	value_add_uint(msg, "header_offset", sec->header_at);
	return inspect_put(in, msg, err);
}

int inspect_sections(struct inspect *in, struct error *err)
{
	int ret = inspect_part(in, "sections", in->elf.nr_sections, err);

	for (uint32_t i = 0; !ret && i < in->elf.nr_sections; i++)
		ret = put_section(in, i, err);
	return ret;
}

static int put_symbol(struct inspect *in, uint32_t i, struct error *err)
{
	const struct raw_symbol sym = raw_symbol(&in->elf, i);
	struct json_object *msg = message_new("inspect-symbol");
	char section[128];

	value_add_uint(msg, "index", i);
	value_add_string(msg, "name", sym.name);
	value_add_string(msg, "symbol_type", inspect_symbol_type(sym.type));
	value_add_string(msg, "bind", inspect_symbol_bind(sym.bind));
	value_add_string(msg, "section", inspect_shndx(&in->elf, &sym, section, sizeof(section)));
	value_add_uint(msg, "section_index", sym.section);
	value_add_uint(msg, "value", sym.value);
	value_add_uint(msg, "size", sym.size);
	value_add_uint(msg, "offset",
		       in->elf.sections[in->elf.symtab].offset + i * sizeof(Elf64_Sym));
	return inspect_put(in, msg, err);
}

int inspect_symbols(struct inspect *in, struct error *err)
{
	const uint32_t nr = raw_nr_symbols(&in->elf);
	int ret = inspect_part(in, "symbols", nr, err);

	for (uint32_t i = 0; !ret && i < nr; i++)
		ret = put_symbol(in, i, err);
	return ret;
}

static int put_reloc(struct inspect *in, uint32_t s, uint32_t i, struct error *err)
{
	const struct raw_section *sec = &in->elf.sections[s];
	const struct raw_reloc reloc = raw_reloc(&in->elf, sec, i);
	const struct raw_symbol sym = raw_symbol(&in->elf, reloc.symbol);
	struct json_object *msg = message_new("inspect-relocation");
	char type[16];

	snprintf(type, sizeof(type), "%" PRIu32, reloc.type);
	value_add_string(msg, "section", sec->name);
	value_add_uint(msg, "section_index", s);
	value_add_uint(msg, "index", i);
	value_add_string(msg, "target", raw_section_name(&in->elf, sec->info));
	value_add_uint(msg, "at", reloc.offset);
	value_add_string(msg, "relocation_type",
			 elf_reloc_name(reloc.type) ? elf_reloc_name(reloc.type) : type);
	value_add_string(msg, "symbol", sym.name);
	value_add_uint(msg, "symbol_index", reloc.symbol);
	value_add_uint(msg, "S", sym.value);
	if (reloc.has_addend)
		value_add_int(msg, "A", reloc.addend);
	else
		value_add_null(msg, "A");
	return inspect_put(in, msg, err);
}

int inspect_relocs(struct inspect *in, struct error *err)
{
	uint64_t nr = 0;
	int ret;

	for (uint32_t s = 1; s < in->elf.nr_sections; s++)
		nr += raw_nr_relocs(&in->elf.sections[s]);
	ret = inspect_part(in, "relocations", nr, err);
	for (uint32_t s = 1; !ret && s < in->elf.nr_sections; s++) {
		const uint32_t n = raw_nr_relocs(&in->elf.sections[s]);

		for (uint32_t i = 0; !ret && i < n; i++)
			ret = put_reloc(in, s, i, err);
	}
	return ret;
}
