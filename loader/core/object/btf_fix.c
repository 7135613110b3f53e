// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Complete the object's BTF for the kernel. The compiler leaves the sizes of data sections and the
 * offsets of variables to the linker, but BPF objects are not linked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/feature.h"

/* One pass over the types of an object. */
struct fix {
	struct parse *p;
	struct name_index names;	/* the object's symbols */
	uint32_t relocs, nr_relocs;	/* the section that relocates .BTF, and its entries */
	uint32_t next;			/* the first entry not before the current type */
	uint64_t removed;		/* bytes removed so far from earlier types */
	unsigned int nr_cut;		/* DATASECs that lost some */
};

/*
 * Each cut reparses the BTF. Compilers move constants only out of .rodata and a few similar
 * sections. In a hostile object with tens of thousands, the rest stay as they are, and the kernel
 * refuses them.
 */
#define CUT_MAX 64

static void put(unsigned char *at, uint32_t v, bool swap)
{
	v = swap ? __builtin_bswap32(v) : v;
	memcpy(at, &v, sizeof(v));
}

void btf_put_u32(struct bpf_object *obj, uint32_t id, size_t off, uint32_t v)
{
	size_t types = obj->btf.types.data - obj->btf_raw;

	put(obj->btf_raw + types + obj->btf.offsets[id] + off, v, obj->btf.swap);
}

static bool is_indexed(const struct elf_symbol *symbol)
{
	return symbol->bind != STB_LOCAL && symbol->section != SHN_UNDEF && symbol->name[0];
}

/* Index the non-local symbols that have a name and a section. */
static int index_symbols(const struct parse *p, struct name_index *names, struct error *err)
{
	const struct elf_symbol *symbols = p->obj->image.symbols;

	if (name_index_init(names, p->nr_symbols))
		return error_set(err, ENOMEM, "no memory for %u symbols", p->nr_symbols);
	for (uint32_t n = 0; n < p->nr_symbols; n++)
		if (is_indexed(&symbols[p->symbols[n]]))
			name_index_add(names, symbols[p->symbols[n]].name, p->symbols[n]);
	return 0;
}

static int compare_offset(const void *a, const void *b)
{
	const struct btf_var_view *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Adjust the offset of @part, at @field of the header, if it comes after the types. */
static void move_part(const struct btf *btf, unsigned char *raw, size_t field, struct bytes part,
		      size_t by)
{
	const struct bytes header = { raw, sizeof(struct btf_header) };

	if (part.data > btf->types.data)
		put(raw + field, bytes_u32(header, field, btf->swap) + by, btf->swap);
}

int btf_splice(struct bpf_object *obj, size_t at, size_t removed, const uint32_t *words, size_t nr,
	       struct error *err)
{
	struct btf *btf = &obj->btf;
	const size_t added = nr * sizeof(*words), by = added - removed;
	const size_t begin = btf->types.data - obj->btf_raw + at, end = begin + removed;
	const size_t size = btf->raw.size + by;
	unsigned char *raw = malloc(size);

	if (!raw)
		return error_set(err, ENOMEM, "no memory for %zu bytes of BTF", size);
	memcpy(raw, obj->btf_raw, begin);
	for (size_t i = 0; i < nr; i++)
		put(raw + begin + i * sizeof(*words), words[i], btf->swap);
	memcpy(raw + begin + added, obj->btf_raw + end, btf->raw.size - end);
	put(raw + offsetof(struct btf_header, type_len), btf->types.size + by, btf->swap);
	move_part(btf, raw, offsetof(struct btf_header, str_off), btf->strings, by);
	if (btf->layouts.size)
		move_part(btf, raw, offsetof(struct btf_header, layout_off), btf->layouts, by);
	btf_free(btf);
	free(obj->btf_raw);
	obj->btf_raw = raw;
	return btf_parse(btf, (struct bytes){ raw, size }, err);
}

/*
 * Return true unless a relocation shows that variable @i is in a section other than @section.
 * Compilers write relocations in field order.
 */
static bool lies_in(struct fix *fix, const struct btf_type_view *datasec, uint32_t i,
		    uint32_t section)
{
	const struct bpf_object *obj = fix->p->obj;
	const uint64_t field = obj->btf.types.data - obj->btf_raw + fix->removed + datasec->at +
			       sizeof(struct btf_type) + i * sizeof(struct btf_var_secinfo) +
			       offsetof(struct btf_var_secinfo, offset);
	struct elf_reloc reloc = { 0 };

	if (fix->nr_cut == CUT_MAX)
		return true;
	for (; fix->next < fix->nr_relocs; fix->next++) {
		reloc = elf_reloc_get(&obj->image, fix->relocs, fix->next);
		if (reloc.offset >= field)
			break;
	}
	return fix->next == fix->nr_relocs || reloc.offset != field ||
	       obj->image.symbols[reloc.symbol].section == section;
}

/*
 * Collect the variables of DATASEC @t that are in @section, with their offsets. Return their
 * number.
 */
static uint32_t list_variables(struct fix *fix, const struct btf_type_view *t, uint32_t section,
			       struct btf_var_view *vars)
{
	const struct bpf_object *obj = fix->p->obj;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < t->vlen; i++) {
		int64_t found;

		if (!lies_in(fix, t, i, section))
			continue;
		vars[nr] = btf_datasec_var(&obj->btf, t, i);
		found = name_index_find(&fix->names, btf_type(&obj->btf, vars[nr].type).name);
		if (found >= 0 && obj->image.symbols[found].section == section)
			vars[nr].offset = obj->image.symbols[found].value;
		nr++;
	}
	return nr;
}

/* Give DATASEC @t these @nr variables. If it had more, the types after it move. */
static int write_datasec(struct fix *fix, const struct btf_type_view *t,
			 const struct btf_var_view *vars, uint32_t nr, struct error *err)
{
	struct bpf_object *obj = fix->p->obj;
	const size_t rest = (t->vlen - nr) * sizeof(struct btf_var_secinfo);
	size_t at = sizeof(struct btf_type);

	for (uint32_t i = 0; i < nr; i++, at += sizeof(struct btf_var_secinfo)) {
		btf_put_u32(obj, t->id, at, vars[i].type);
		btf_put_u32(obj, t->id, at + 4, vars[i].offset);
		btf_put_u32(obj, t->id, at + 8, vars[i].size);
	}
	if (!rest)
		return 0;
	btf_put_u32(obj, t->id, offsetof(struct btf_type, info),
		    (uint32_t)BTF_KIND_DATASEC << 24 | nr);
	fix->removed += rest;
	fix->nr_cut++;
	return btf_splice(obj, t->at + at, rest, NULL, 0, err);
}

/*
 * No kernel accepts an empty DATASEC. If all its variables are elsewhere it describes no map, so
 * just give them consecutive offsets.
 */
static void lay_out_datasec(struct bpf_object *obj, uint32_t id)
{
	const struct btf_type_view t = btf_type(&obj->btf, id);
	size_t at = sizeof(struct btf_type);
	uint32_t size = 0;

	if (t.size || strncmp(t.name, ".rodata", strlen(".rodata")))
		return;
	for (uint32_t i = 0; i < t.vlen; i++, at += sizeof(struct btf_var_secinfo)) {
		btf_put_u32(obj, id, at + 4, size);
		size += btf_datasec_var(&obj->btf, &t, i).size;
	}
	btf_put_u32(obj, id, offsetof(struct btf_type, size), size);
}

/*
 * Set the size of DATASEC @id and the offsets of its variables. A nonzero size means that a linker
 * has done so. Static variables already have their offset, from a relocation of .BTF or from the
 * compiler; the others are looked up by name. The kernel requires ascending offsets.
 *
 * clang moves small constant tables to a section such as ".rodata.cst16" but still lists them in
 * DATASEC ".rodata", where they would overlap other variables: remove them.
 */
static int fix_datasec(struct fix *fix, uint32_t id, uint32_t section, struct error *err)
{
	const struct btf_type_view t = btf_type(&fix->p->obj->btf, id);
	struct section_info *info = &fix->p->sections[section];
	struct btf_var_view *vars;
	uint32_t nr;
	int ret = 0;

	info->datasec = id;
	if (t.size)
		return 0;
	vars = calloc(t.vlen + 1, sizeof(*vars));
	if (!vars)
		return error_set(err, ENOMEM, "no memory for %u variables", t.vlen);
	nr = list_variables(fix, &t, section, vars);
	array_sort(vars, nr, sizeof(*vars), compare_offset);
	if (nr || !t.vlen) {
		btf_put_u32(fix->p->obj, id, offsetof(struct btf_type, size),
			    fix->p->obj->image.sections[section].size);
		ret = write_datasec(fix, &t, vars, nr, err);
	} else {
		info->datasec = 0;
		lay_out_datasec(fix->p->obj, id);
	}
	free(vars);
	return ret;
}

/*
 * The kernel verifies a global function on its own, for any arguments, and a static one with the
 * arguments of its callers. A hidden function has no callers outside the object: make it static.
 */
static void fix_func(struct bpf_object *obj, uint32_t id, const struct name_index *names)
{
	struct btf_type_view t = btf_type(&obj->btf, id);
	const int64_t found = name_index_find(names, t.name);
	uint8_t visibility;

	if (t.extra == BTF_FUNC_EXTERN)
		features_fix_func(obj, id);
	if (found < 0 || t.extra != BTF_FUNC_GLOBAL)
		return;
	visibility = obj->image.symbols[found].visibility;
	if (visibility == STV_HIDDEN || visibility == STV_INTERNAL)
		btf_put_u32(obj, id, offsetof(struct btf_type, info),
			    (uint32_t)BTF_KIND_FUNC << 24 | BTF_FUNC_STATIC);
}

/* @kind: 0 func_info, 1 line_info, 2 core_relo */
static void connect(struct object_code_section *code, size_t kind, const struct btf_ext_sec *sec)
{
	const struct btf_ext_sec **to[] = { &code->func_info, &code->line_info, &code->core_relo };

	*to[kind] = sec;
}

/*
 * Connect each code section with its .BTF.ext records. Sections are looked up through an index,
 * because a large object has many of both.
 */
static int connect_ext(struct bpf_object *obj, struct error *err)
{
	const struct btf_ext_info *infos[] = { &obj->ext.func_info, &obj->ext.line_info,
					       &obj->ext.core_relo };
	struct name_index names;

	if (name_index_init(&names, obj->nr_code))
		return error_set(err, ENOMEM, "no memory for the code sections");
	for (uint32_t i = 0; i < obj->nr_code; i++)
		name_index_add(&names, obj->image.sections[obj->code[i].section].name, i);
	for (size_t k = 0; k < 3; k++) {
		for (uint32_t i = 0; i < infos[k]->nr_secs; i++) {
			const struct btf_ext_sec *sec = &infos[k]->secs[i];
			const int64_t found = name_index_find(&names, sec->section);

			if (found >= 0)
				connect(&obj->code[found], k, sec);
		}
	}
	name_index_free(&names);
	return 0;
}

/* Return true if the BTF is essential: it declares maps or has CO-RE relocations. */
static bool needs_btf(const struct parse *p)
{
	const struct elf_image *image = &p->obj->image;
	const int64_t ext = name_index_find(&p->by_name, ".BTF.ext");

	for (uint32_t i = 1; i < image->nr_sections; i++)
		if (p->sections[i].use == SECTION_STRUCT_OPS ||
		    (p->sections[i].use == SECTION_BTF_MAPS && image->sections[i].size))
			return true;
	return ext >= 0 && btf_ext_has_core(image->sections[ext].data);
}

int parse_btf(struct parse *p, struct error *err)
{
	struct bpf_object *obj = p->obj;
	const int64_t section = name_index_find(&p->by_name, ".BTF");
	struct error why = { 0 };
	struct bytes raw;
	int ret;

	if (section < 0 || !obj->image.sections[section].data.size)
		return 0;
	raw = obj->image.sections[section].data;
	obj->btf_raw = malloc(raw.size);
	if (!obj->btf_raw)
		return error_set(err, ENOMEM, "no memory for %zu bytes of BTF", raw.size);
	memcpy(obj->btf_raw, raw.data, raw.size);
	raw.data = obj->btf_raw;
	ret = data_relocate(p, section, obj->btf_raw, true, &why);
	if (!ret) {
		ret = btf_parse(&obj->btf, raw, &why);
		if (why.at)	/* the BTF so far */
			why.at += obj->image.sections[section].offset;
	}
	obj->has_btf = !ret;
	if (!ret)
		return 0;
	if (ret == -ENOMEM || needs_btf(p))
		return error_copy(err, &why);
	obj->btf_error = malloc(sizeof(why));
	if (!obj->btf_error)
		return error_set(err, ENOMEM, "no memory for an error");
	*obj->btf_error = why;
	return 0;
}

/*
 * Kernels before Linux 6.9 refuse the '?' in the DATASEC name of optional structs. Replace it
 * before .BTF.ext is read, whose sections are found by name.
 */
static void name_datasec(struct bpf_object *obj, uint32_t id)
{
	uint32_t at = obj->btf.offsets[id] + offsetof(struct btf_type, name_off);
	uint32_t off = bytes_u32(obj->btf.types, at, obj->btf.swap);

	if (btf_string(&obj->btf, off)[0] == '?')
		obj->btf_raw[obj->btf.strings.data - obj->btf_raw + off] = '_';
}

/*
 * `enum e;` declares an enum without defining it. clang writes size 0 for it, which no kernel
 * accepts; gcc and pahole write the usual enum size.
 */
static void fix_enum(struct bpf_object *obj, uint32_t id, uint32_t kind)
{
	if (!btf_type(&obj->btf, id).size)
		btf_put_u32(obj, id, offsetof(struct btf_type, size),
			    kind == BTF_KIND_ENUM ? sizeof(uint32_t) : sizeof(uint64_t));
}

static int fix_types(struct fix *fix, struct error *err)
{
	struct bpf_object *obj = fix->p->obj;
	int ret = 0;

	for (uint32_t id = 1; !ret && id < obj->btf.nr_types; id++) {
		const uint32_t kind = btf_kind_of(&obj->btf, id);
		int64_t section;

		if (kind == BTF_KIND_FUNC)
			fix_func(obj, id, &fix->names);
		if (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64)
			fix_enum(obj, id, kind);
		if (kind != BTF_KIND_DATASEC)
			continue;
		section = name_index_find(&fix->p->by_name, btf_type(&obj->btf, id).name);
		if (section < 0)
			lay_out_datasec(obj, id);
		if (section < 0 || fix->p->sections[section].datasec)
			continue;
		if (fix->p->sections[section].use == SECTION_STRUCT_OPS)
			name_datasec(obj, id);
		ret = fix_datasec(fix, id, section, err);
	}
	return ret;
}

int fix_btf(struct parse *p, struct error *err)
{
	struct bpf_object *obj = p->obj;
	const int64_t ext = name_index_find(&p->by_name, ".BTF.ext");
	struct fix fix = { .p = p };
	int ret;

	if (!obj->has_btf)
		return 0;
	fix.relocs = p->sections[name_index_find(&p->by_name, ".BTF")].relocs;
	fix.nr_relocs = fix.relocs ? elf_reloc_count(&obj->image, fix.relocs) : 0;
	ret = index_symbols(p, &fix.names, err);
	if (!ret)
		ret = fix_types(&fix, err);
	name_index_free(&fix.names);
	/* .BTF.ext borrows names from the BTF, which no longer moves. */
	if (!ret && ext >= 0 && obj->image.sections[ext].data.size)
		ret = btf_ext_parse(&obj->ext, obj->image.sections[ext].data, &obj->btf, err);
	return ret ? ret : connect_ext(obj, err);
}
