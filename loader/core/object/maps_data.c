// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turn each data section into an array map whose only element is the whole section. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/object/parse.h"

/* LLVM before 13 used the types of instructions for data too. */
unsigned int data_width(uint32_t type)
{
	switch (type) {
	case R_BPF_64_ABS64:
	case R_BPF_64_64:
	case R_BPF_DATA_64:
		return 8;
	case R_BPF_64_ABS32:
	case R_BPF_64_NODYLD32:
	case R_BPF_64_32:
	case R_BPF_DATA_32:
		return 4;
	default:
		return 0;
	}
}

/* Write S + A; a 32-bit field drops the upper half, as the psABI specifies. */
static void patch(const struct elf_image *image, unsigned char *field, unsigned int width,
		  struct elf_reloc reloc)
{
	struct bytes old = { field, width };
	uint64_t v = elf_reloc_base(image, &reloc);
	uint32_t low;

	if (reloc.has_addend)
		v += (uint64_t)reloc.addend;
	else
		v += width == 8 ? bytes_u64(old, 0, image->swap) : bytes_u32(old, 0, image->swap);
	low = image->swap ? __builtin_bswap32(v) : (uint32_t)v;
	v = image->swap ? __builtin_bswap64(v) : v;
	if (width == 8)
		memcpy(field, &v, sizeof(v));
	else
		memcpy(field, &low, sizeof(low));
}

static int relocate_one(const struct parse *p, uint64_t size, unsigned char *content,
			struct elf_reloc reloc, bool undefined_is_zero, struct error *err)
{
	const struct elf_symbol *symbol = &p->obj->image.symbols[reloc.symbol];
	unsigned int width = data_width(reloc.type);

	if (reloc.type == R_BPF_NONE)
		return 0;
	if (!width)
		return error_set(err, ENOTSUP, "relocation type %u is unknown for data",
				 reloc.type);
	if (!bytes_hold(size, reloc.offset, width))
		return error_set(err, EBADMSG, "it extends past the end of its section");
	if (symbol->section == SHN_UNDEF) {
		if (undefined_is_zero || symbol->bind == STB_WEAK)
			return 0;
		error_set(err, ENOTSUP, "symbol '%s' is undefined", symbol->name);
		return error_hint(err, "define it in this object, or declare it weak");
	}
	patch(&p->obj->image, content + reloc.offset, width, reloc);
	return 0;
}

int data_relocate(const struct parse *p, uint32_t section, unsigned char *content,
		  bool undefined_is_zero, struct error *err)
{
	const struct elf_image *image = &p->obj->image;
	uint32_t relocs = p->sections[section].relocs;
	uint32_t nr = relocs ? elf_reloc_count(image, relocs) : 0;

	for (uint32_t i = 0; i < nr; i++) {
		int ret = relocate_one(p, image->sections[section].data.size, content,
				       elf_reloc_get(image, relocs, i), undefined_is_zero, err);

		if (ret) {
			where_reloc(err, image, relocs, i);
			return ret;
		}
	}
	return 0;
}

static bool all_zero(const unsigned char *content, size_t size)
{
	return !size || (!content[0] && !memcmp(content, content + 1, size - 1));
}

int data_content(const struct parse *p, uint32_t section, unsigned char **content,
		 struct error *err)
{
	struct bytes data = p->obj->image.sections[section].data;
	int ret;

	if (all_zero(data.data, data.size) && !p->sections[section].relocs)
		return 0;
	*content = malloc(data.size ? data.size : 1);
	if (!*content)
		return error_set(err, ENOMEM, "no memory for %zu bytes of data", data.size);
	if (data.size)
		memcpy(*content, data.data, data.size);
	ret = data_relocate(p, section, *content, false, err);
	if (ret || all_zero(*content, data.size)) {
		free(*content);
		*content = NULL;
	}
	return ret;
}

/* An array with a single element, whose value contains the variables of the section. */
static void describe_data_map(const struct parse *p, uint32_t section, struct object_map *map)
{
	const struct elf_section *s = &p->obj->image.sections[section];
	const uint32_t datasec = p->sections[section].datasec;
	const uint32_t relocs = p->sections[section].relocs;

	map->name = s->name;
	map->kind = OBJECT_MAP_DATA;
	map->section = map->data_section = section;
	map->type = BPF_MAP_TYPE_ARRAY;
	map->key_size = sizeof(uint32_t);
	map->value_size = map->size = map->data_size = s->size;
	map->max_entries = 1;
	map->read_only = !strncmp(s->name, ".rodata", strlen(".rodata"));
	map->map_flags = BPF_F_MMAPABLE | (map->read_only ? BPF_F_RDONLY_PROG : 0);
	map->nr_addresses = relocs ? elf_reloc_count(&p->obj->image, relocs) : 0;
	if (datasec && btf_type(&p->obj->btf, datasec).size == s->size)
		map->value_type = map->data_type = datasec;
}

static int add_data_map(struct parse *p, uint32_t section, struct error *err)
{
	const struct elf_section *s = &p->obj->image.sections[section];
	struct object_map *map;

	if (s->size > INT32_MAX) {
		error_set(err, EBADMSG, "%llu bytes are too large for a map value",
			  (unsigned long long)s->size);
		return error_where(err, "section %u '%s'", section, s->name);
	}
	p->sections[section].index = p->obj->nr_maps;
	map = object_add_map(p->obj);
	if (!map)
		return error_set(err, ENOMEM, "no memory for the map of section '%s'", s->name);
	describe_data_map(p, section, map);
	return data_content(p, section, &map->content, err);
}

int parse_data_maps(struct parse *p, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 1; i < p->obj->image.nr_sections && !ret; i++) {
		if (!p->obj->image.sections[i].size)
			continue;
		if (p->sections[i].use == SECTION_DATA)
			ret = add_data_map(p, i, err);
	}
	return ret;
}
