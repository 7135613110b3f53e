// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the initial elements of maps of maps or programs: .values = { &inner, [3] = &other }. The
 * field consists of pointers: each slot is 8 bytes with a relocation to a map or program.
 */
#include <errno.h>
#include <stdlib.h>

#include "loader/objects/declared/declared.h"

#define SLOT_SIZE sizeof(uint64_t)

struct slots {
	struct parse *p;
	uint32_t section, relocs;	/* of .maps */
	struct map_index maps;
	uint32_t *prog_of;		/* owned; from progs_by_func() */
};

uint32_t *progs_by_func(const struct bpf_object *obj)
{
	uint32_t *prog_of = calloc(obj->nr_funcs + 1, sizeof(*prog_of));

	for (uint32_t i = 0; prog_of && i < obj->nr_progs; i++)
		prog_of[obj->progs[i].func] = 1 + i;
	return prog_of;
}

/*
 * Return S + A, an offset in the symbol's section. The slot contains A unless the relocation does.
 */
static uint64_t target_offset(const struct elf_image *image, uint32_t section,
			      struct elf_reloc reloc)
{
	uint64_t addend = reloc.has_addend ? (uint64_t)reloc.addend :
			  bytes_u64(image->sections[section].data, reloc.offset, image->swap);

	return elf_reloc_base(image, &reloc) + addend;
}

int reloc_prog(const struct parse *p, const uint32_t *prog_of, uint32_t section,
	       struct elf_reloc reloc, uint32_t *prog, struct error *err)
{
	const struct elf_symbol *symbol = &p->obj->image.symbols[reloc.symbol];
	uint64_t offset = target_offset(&p->obj->image, section, reloc);
	int64_t func = -1;

	if (p->sections[symbol->section].use == SECTION_CODE &&
	    offset % sizeof(struct bpf_insn) == 0)
		func = func_find(p->obj, symbol->section, offset / sizeof(struct bpf_insn));
	if (func >= 0 && prog_of[func]) {
		*prog = prog_of[func] - 1;
		return 0;
	}
	if (func >= 0)
		return error_set(err, EBADMSG, "'%s' is a subprogram, not a program",
				 p->obj->funcs[func].name);
	return error_set(err, EBADMSG,
			 "'%s' is not a program: none starts at 0x%llx of section '%s'",
			 symbol->name, (unsigned long long)offset,
			 p->obj->image.sections[symbol->section].name);
}

static int to_prog(const struct slots *s, struct elf_reloc reloc, uint32_t *target,
		   struct error *err)
{
	int ret = reloc_prog(s->p, s->prog_of, s->section, reloc, target, err);

	return ret ? error_hint(err, "a slot of a program array must be (void *)&PROGRAM") : 0;
}

static int to_map(const struct slots *s, struct elf_reloc reloc, uint32_t *target,
		  struct error *err)
{
	const struct bpf_object *obj = s->p->obj;
	const struct elf_symbol *symbol = &obj->image.symbols[reloc.symbol];
	uint64_t offset = target_offset(&obj->image, s->section, reloc);
	int64_t map = map_index_at(&s->maps, obj, symbol->section, offset);

	if (map < 0) {
		error_set(err, EBADMSG, "'%s' is not a map: none starts at 0x%llx of section '%s'",
			  symbol->name, (unsigned long long)offset,
			  obj->image.sections[symbol->section].name);
		return error_hint(err, "a slot of a map of maps must be &MAP");
	}
	if (obj->maps[map].inner >= 0)
		return error_set(err, EBADMSG,
				 "'%s' is a map of maps itself: only one level is allowed",
				 obj->maps[map].name);
	*target = map;
	return 0;
}

/* Find the map that contains @offset, and the index of the slot there. */
static int find_slot(const struct slots *s, uint64_t offset, uint32_t *map, uint32_t *index,
		     struct error *err)
{
	struct bpf_object *obj = s->p->obj;
	int64_t found = map_index_before(&s->maps, s->section, offset);
	const struct object_map *m = found >= 0 ? &obj->maps[found] : NULL;

	if (!m || !bytes_hold(m->size, offset - m->offset, SLOT_SIZE))
		return error_set(err, EBADMSG, "it is not inside a map");
	*map = found;
	offset -= m->offset;
	if (!m->has_values || offset < m->values_at || (offset - m->values_at) % SLOT_SIZE) {
		error_set(err, EBADMSG, "map '%s': byte %llu is not the start of a .values slot",
			  m->name, (unsigned long long)offset);
		return error_hint(err,
				  "only .values of program arrays and maps of maps can be filled");
	}
	if ((offset - m->values_at) / SLOT_SIZE > UINT32_MAX)
		return error_set(err, EBADMSG, "map '%s': too many slots for any map", m->name);
	*index = (offset - m->values_at) / SLOT_SIZE;
	return 0;
}

static int add_slot(const struct slots *s, struct elf_reloc reloc, struct error *err)
{
	struct bpf_object *obj = s->p->obj;
	const struct elf_symbol *symbol = &obj->image.symbols[reloc.symbol];
	struct object_slot slot = { 0 }, *slots;
	struct object_map *map;
	uint32_t i = 0;
	int ret;

	if (reloc.type == R_BPF_NONE)
		return 0;
	if (data_width(reloc.type) != SLOT_SIZE)
		return error_set(err, EBADMSG,
				 "relocation type %u is unknown for maps", reloc.type);
	if (!bytes_hold(obj->image.sections[s->section].data.size, reloc.offset, SLOT_SIZE))
		return error_set(err, EBADMSG, "it extends past the end of its section");
	ret = find_slot(s, reloc.offset, &i, &slot.index, err);
	if (ret)
		return ret;
	map = &obj->maps[i];
	if (symbol->section == SHN_UNDEF && symbol->bind == STB_WEAK)
		return 0;
	if (symbol->section == SHN_UNDEF || symbol->section >= obj->image.nr_sections) {
		error_set(err, ENOTSUP,
			  "map '%s', slot %u: '%s' is not defined in this object", map->name,
			  slot.index, symbol->name);
		return error_hint(err, "define it in this object, or declare it weak");
	}
	ret = map->type == BPF_MAP_TYPE_PROG_ARRAY ? to_prog(s, reloc, &slot.target, err) :
						     to_map(s, reloc, &slot.target, err);
	if (ret)
		return error_where(err, "map '%s', slot %u", map->name, slot.index);
	slots = array_grow(map->slots, map->nr_slots, sizeof(*slots));
	if (!slots)
		return error_set(err, ENOMEM, "no memory for the slots of map '%s'", map->name);
	map->slots = slots;
	map->slots[map->nr_slots++] = slot;
	return 0;
}

static int compare_slot(const void *a, const void *b)
{
	const struct object_slot *x = a, *y = b;

	return (x->index > y->index) - (x->index < y->index);
}

void slots_sort(struct object_map *map)
{
	if (map->nr_slots)
		qsort(map->slots, map->nr_slots, sizeof(*map->slots), compare_slot);
}

/* Establishes that keys are 4 bytes long and that no slot is initialized twice. */
static int check_slots(struct object_map *map, struct error *err)
{
	if (!map->nr_slots)
		return 0;
	if (map->key_size && map->key_size != sizeof(uint32_t)) {
		error_set(err, EBADMSG,
			  "its key has %u bytes: .values requires 4-byte keys",
			  map->key_size);
		return error_where(err, "map '%s'", map->name);
	}
	slots_sort(map);
	for (uint32_t i = 1; i < map->nr_slots; i++) {
		if (map->slots[i].index != map->slots[i - 1].index)
			continue;
		error_set(err, EBADMSG, "slot %u is filled twice", map->slots[i].index);
		return error_where(err, "map '%s'", map->name);
	}
	return 0;
}

static int read_slots(struct slots *s, struct error *err)
{
	const struct elf_image *image = &s->p->obj->image;
	int ret = map_index_init(&s->maps, s->p->obj, err);

	s->prog_of = progs_by_func(s->p->obj);
	if (!ret && !s->prog_of)
		ret = error_set(err, ENOMEM, "no memory for %u functions", s->p->obj->nr_funcs);
	for (uint32_t i = 0; !ret && i < elf_reloc_count(image, s->relocs); i++) {
		ret = add_slot(s, elf_reloc_get(image, s->relocs, i), err);
		if (ret)
			where_reloc(err, image, s->relocs, i);
	}
	for (uint32_t i = 0; !ret && i < s->p->obj->nr_maps; i++)
		ret = check_slots(&s->p->obj->maps[i], err);
	free(s->maps.list);
	free(s->prog_of);
	return ret;
}

static int parse_slots(struct parse *p, struct error *err)
{
	const int64_t found = name_index_find(&p->by_name, ".maps");
	struct slots s = { .p = p, .section = found > 0 ? found : 0 };

	if (p->sections[s.section].use != SECTION_BTF_MAPS)
		return 0;
	s.relocs = p->sections[s.section].relocs;
	return s.relocs ? read_slots(&s, err) : 0;
}

const struct object_feature object_slots = {
	.uses = 1 << SECTION_BTF_MAPS, .reason = "object/slot",
	.parse = { [PARSE_PROGS] = parse_slots },
};
