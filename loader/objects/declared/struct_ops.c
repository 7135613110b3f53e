// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read struct_ops: the variables in .struct_ops, which the kernel registers when the map is filled,
 * and in .struct_ops.link, which it registers when a link is created.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/declared/declared.h"

static int add_variable(struct parse *p, uint32_t section, struct btf_var_view entry,
			struct error *err)
{
	const struct elf_section *s = &p->obj->image.sections[section];
	struct btf_type_view var = btf_type(&p->obj->btf, entry.type);
	struct btf_type_view t = btf_skip(&p->obj->btf, var.type);
	struct object_map *map;

	if (!var.name[0])
		return error_set(err, EBADMSG, "a variable has no name");
	if (var.kind != BTF_KIND_VAR || t.kind != BTF_KIND_STRUCT || !t.name[0])
		return error_set(err, EBADMSG,
				 "variable '%s' has type %s, not a named struct",
				 var.name, btf_kind_name(t.kind));
	if (!bytes_hold(s->data.size, entry.offset, entry.size) || entry.size < t.size)
		return error_set(err, EBADMSG,
				 "variable '%s', of %u bytes at 0x%x, "
				 "is outside the section's 0x%zx",
				 var.name, t.size, entry.offset, s->data.size);
	map = object_add_map(p->obj);
	if (!map)
		return error_set(err, ENOMEM, "no memory for variable '%s'", var.name);
	map->name = var.name;
	map->kind = OBJECT_MAP_STRUCT_OPS;
	map->section = section;
	map->offset = entry.offset;
	map->size = t.size;
	map->type = BPF_MAP_TYPE_STRUCT_OPS;
	map->key_size = sizeof(uint32_t);
	map->max_entries = 1;
	map->map_flags = strstr(s->name, ".link") ? BPF_F_LINK : 0;
	map->optional = s->name[0] == '?';
	map->struct_type = t.id;
	map->content = malloc(t.size ? t.size : 1);
	if (!map->content)
		return error_set(err, ENOMEM, "no memory for variable '%s'", var.name);
	memcpy(map->content, s->data.data + entry.offset, t.size);
	return 0;
}

static int add_section(struct parse *p, uint32_t section, struct error *err)
{
	uint32_t datasec = p->sections[section].datasec;
	struct btf_type_view t;
	uint64_t end = 0;
	int ret = 0;

	if (!datasec) {
		error_set(err, EBADMSG, "its variables have no BTF");
		return error_hint(err,
				  "compile with -g: the kernel's struct is found by type name");
	}
	t = btf_type(&p->obj->btf, datasec);
	for (uint32_t i = 0; !ret && i < t.vlen; i++) {
		struct btf_var_view entry = btf_datasec_var(&p->obj->btf, &t, i);

		/* Every variable is copied, so they must not all be as large as the section. */
		if (entry.offset < end)
			return error_set(err, EBADMSG, "variables %u and %u overlap or are out of "
						       "order",
					 i - 1, i);
		ret = add_variable(p, section, entry, err);
		end = (uint64_t)entry.offset + entry.size;
	}
	return ret;
}

struct functions {
	const struct parse *p;
	struct map_index maps;
	uint32_t *prog_of;	/* owned */
};

/*
 * A pointer to a program becomes a slot. Its bytes in the variable, which may contain an addend,
 * are zeroed.
 */
static int add_function(const struct functions *f, uint32_t section, struct elf_reloc reloc,
			struct error *err)
{
	struct bpf_object *obj = f->p->obj;
	const struct elf_symbol *symbol = &obj->image.symbols[reloc.symbol];
	int64_t i = map_index_before(&f->maps, section, reloc.offset);
	struct object_slot slot, *slots;
	struct object_map *map;
	int ret;

	if (reloc.type == R_BPF_NONE || (symbol->section == SHN_UNDEF && symbol->bind == STB_WEAK))
		return 0;
	if (data_width(reloc.type) != sizeof(uint64_t))
		return error_set(err, EBADMSG, "unknown relocation type %u", reloc.type);
	if (i < 0 || !bytes_hold(obj->maps[i].size, reloc.offset - obj->maps[i].offset, 8))
		return error_set(err, EBADMSG, "it is not inside a variable");
	map = &obj->maps[i];
	if (symbol->section == SHN_UNDEF || symbol->section >= obj->image.nr_sections)
		return error_set(err, ENOTSUP, "'%s' is not defined in this object", symbol->name);
	ret = reloc_prog(f->p, f->prog_of, section, reloc, &slot.target, err);
	if (!ret && obj->progs[slot.target].kind->prog_type != BPF_PROG_TYPE_STRUCT_OPS)
		ret = error_set(err, EBADMSG, "program '%s' is in section \"%s\"",
				obj->progs[slot.target].name, obj->progs[slot.target].section);
	if (ret)
		return error_hint(err, "struct '%s' points to programs of SEC(\"struct_ops\")",
				  map->name);
	slot.index = reloc.offset - map->offset;
	slots = array_grow(map->slots, map->nr_slots, sizeof(*slots));
	if (!slots)
		return error_set(err, ENOMEM, "no memory for the functions of '%s'", map->name);
	map->slots = slots;
	map->slots[map->nr_slots++] = slot;
	memset(map->content + slot.index, 0, 8);
	return 0;
}

static int add_functions(const struct functions *f, uint32_t section, struct error *err)
{
	const struct elf_image *image = &f->p->obj->image;
	uint32_t relocs = f->p->sections[section].relocs;
	uint32_t nr = relocs ? elf_reloc_count(image, relocs) : 0;

	for (uint32_t i = 0; i < nr; i++) {
		int ret = add_function(f, section, elf_reloc_get(image, relocs, i), err);

		if (ret) {
			where_reloc(err, image, relocs, i);
			return ret;
		}
	}
	return 0;
}

/*
 * Sort the slots, check that they do not overlap, and make programs used only by optional structs
 * optional.
 */
static int check_functions(struct bpf_object *obj, struct error *err)
{
	bool *needed = calloc(2 * (size_t)obj->nr_progs + 1, sizeof(*needed));
	bool *used;

	if (!needed)
		return error_set(err, ENOMEM, "no memory for %u programs", obj->nr_progs);
	used = needed + obj->nr_progs;
	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		struct object_map *map = &obj->maps[i];

		if (map->kind != OBJECT_MAP_STRUCT_OPS)
			continue;
		slots_sort(map);
		for (uint32_t k = 0; k < map->nr_slots; k++) {
			used[map->slots[k].target] = true;
			needed[map->slots[k].target] |= !map->optional;
			if (!k || map->slots[k].index - map->slots[k - 1].index >= 8)
				continue;
			free(needed);
			error_set(err, EBADMSG, "two relocations for byte %u", map->slots[k].index);
			return error_where(err, "struct '%s'", map->name);
		}
	}
	for (uint32_t i = 0; i < obj->nr_progs; i++)
		obj->progs[i].optional |= used[i] && !needed[i];
	free(needed);
	return 0;
}

static int find_functions(struct parse *p, struct error *err)
{
	struct functions f = { .p = p };
	int ret = map_index_init(&f.maps, p->obj, err);

	f.prog_of = progs_by_func(p->obj);
	if (!ret && !f.prog_of)
		ret = error_set(err, ENOMEM, "no memory for %u functions", p->obj->nr_funcs);
	for (uint32_t i = 1; !ret && i < p->obj->image.nr_sections; i++)
		if (p->sections[i].use == SECTION_STRUCT_OPS)
			ret = add_functions(&f, i, err);
	free(f.maps.list);
	free(f.prog_of);
	return ret ? ret : check_functions(p->obj, err);
}

static int parse_struct_ops(struct parse *p, struct error *err)
{
	bool any = false;

	for (uint32_t i = 1; i < p->obj->image.nr_sections; i++) {
		int ret;

		if (p->sections[i].use != SECTION_STRUCT_OPS || !p->obj->image.sections[i].size)
			continue;
		any = true;
		ret = add_section(p, i, err);
		if (ret)
			return error_where(err, "section %u '%s'", i,
					   p->obj->image.sections[i].name);
	}
	return any ? find_functions(p, err) : 0;
}

const struct object_feature object_struct_ops = {
	.uses = 1 << SECTION_STRUCT_OPS, .reason = "object/struct-ops",
	.parse = { [PARSE_PROGS] = parse_struct_ops },
};
