// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Complete the object's BTF for the kernel. A compiler leaves the size of data sections and the
 * offsets of variables to the linker, and BPF objects are not linked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/object/object_internal.h"

void btf_put_u32(struct bpf_object *obj, uint32_t id, size_t off, uint32_t v)
{
	size_t types = obj->btf.types.data - obj->btf_raw;

	v = obj->btf.swap ? __builtin_bswap32(v) : v;
	memcpy(obj->btf_raw + types + obj->btf.offsets[id] + off, &v, sizeof(v));
}

static bool is_indexed(const struct elf_symbol *symbol)
{
	return symbol->bind != STB_LOCAL && symbol->section != SHN_UNDEF && symbol->name[0];
}

/* Index the symbols that have a name and a section, except local ones. */
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

/*
 * Set the size of a DATASEC and the offsets of its variables. A size other than 0 shows that a
 * linker has done so. Static variables have their offset already, by a relocation of .BTF or from
 * the compiler; others are found by name. The kernel requires ascending offsets.
 */
static int fix_datasec(struct bpf_object *obj, uint32_t id, uint32_t section,
		       const struct name_index *names, struct error *err)
{
	struct btf_type_view t = btf_type(&obj->btf, id);
	size_t at = sizeof(struct btf_type);
	struct btf_var_view *vars;

	if (t.size)
		return 0;
	vars = calloc(t.vlen + 1, sizeof(*vars));
	if (!vars)
		return error_set(err, ENOMEM, "no memory for %u variables", t.vlen);
	for (uint32_t i = 0; i < t.vlen; i++) {
		int64_t found;

		vars[i] = btf_datasec_var(&obj->btf, &t, i);
		found = name_index_find(names, btf_type(&obj->btf, vars[i].type).name);
		if (found >= 0 && obj->image.symbols[found].section == section)
			vars[i].offset = obj->image.symbols[found].value;
	}
	array_sort(vars, t.vlen, sizeof(*vars), compare_offset);
	btf_put_u32(obj, id, offsetof(struct btf_type, size), obj->image.sections[section].size);
	for (uint32_t i = 0; i < t.vlen; i++, at += sizeof(struct btf_var_secinfo)) {
		btf_put_u32(obj, id, at, vars[i].type);
		btf_put_u32(obj, id, at + 4, vars[i].offset);
		btf_put_u32(obj, id, at + 8, vars[i].size);
	}
	free(vars);
	return 0;
}

/*
 * clang moves a small constant table to a section such as ".rodata.cst16", and lists its variable
 * in DATASEC ".rodata" nevertheless, which the object then lacks as a section. No kernel accepts a
 * DATASEC of no bytes: give its variables offsets one after another. It is the type of no map.
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
 * The kernel verifies a global function on its own, for any arguments, and a static one with the
 * arguments of its callers. A hidden function has no callers outside of the object: make it static.
 */
static void fix_func(struct bpf_object *obj, uint32_t id, const struct name_index *names)
{
	struct btf_type_view t = btf_type(&obj->btf, id);
	const int64_t found = name_index_find(names, t.name);
	uint8_t visibility;

	if (t.extra == BTF_FUNC_EXTERN)
		btf_fix_extern_func(obj, id);
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
 * Connect each section of code with its records of .BTF.ext. An index finds the section by name,
 * because a large object has many of both.
 */
static int connect_ext(struct bpf_object *obj, struct error *err)
{
	const struct btf_ext_info *infos[] = { &obj->ext.func_info, &obj->ext.line_info,
					       &obj->ext.core_relo };
	struct name_index names;

	if (name_index_init(&names, obj->nr_code))
		return error_set(err, ENOMEM, "no memory for the sections of code");
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

/* Return true if BTF is more than a description: it declares maps, or has CO-RE relocations. */
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
	if (!ret)
		ret = btf_parse(&obj->btf, raw, &why);
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
 * Kernels before Linux 6.9 refuse a '?' in the name of a DATASEC, as optional structs have. Replace
 * it before .BTF.ext is read, whose sections are found by name.
 */
static void name_datasec(struct bpf_object *obj, uint32_t id)
{
	uint32_t at = obj->btf.offsets[id] + offsetof(struct btf_type, name_off);
	uint32_t off = bytes_u32(obj->btf.types, at, obj->btf.swap);

	if (btf_string(&obj->btf, off)[0] == '?')
		obj->btf_raw[obj->btf.strings.data - obj->btf_raw + off] = '_';
}

/*
 * `enum e;` declares an enum that this source does not define. clang writes no size for it, which
 * no kernel accepts; gcc and pahole write that of most enums.
 */
static void fix_enum(struct bpf_object *obj, uint32_t id, uint32_t kind)
{
	if (!btf_type(&obj->btf, id).size)
		btf_put_u32(obj, id, offsetof(struct btf_type, size),
			    kind == BTF_KIND_ENUM ? sizeof(uint32_t) : sizeof(uint64_t));
}

static int fix_types(struct parse *p, const struct name_index *symbols, struct error *err)
{
	struct bpf_object *obj = p->obj;
	int ret = 0;

	for (uint32_t id = 1; !ret && id < obj->btf.nr_types; id++) {
		const uint32_t kind = btf_kind_of(&obj->btf, id);
		int64_t section;

		if (kind == BTF_KIND_FUNC)
			fix_func(obj, id, symbols);
		if (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64)
			fix_enum(obj, id, kind);
		if (kind != BTF_KIND_DATASEC)
			continue;
		section = name_index_find(&p->by_name, btf_type(&obj->btf, id).name);
		if (section < 0)
			lay_out_datasec(obj, id);
		if (section < 0 || p->sections[section].datasec)
			continue;
		p->sections[section].datasec = id;
		if (p->sections[section].use == SECTION_STRUCT_OPS)
			name_datasec(obj, id);
		ret = fix_datasec(obj, id, section, symbols, err);
	}
	return ret;
}

int fix_btf(struct parse *p, struct error *err)
{
	struct bpf_object *obj = p->obj;
	const int64_t ext = name_index_find(&p->by_name, ".BTF.ext");
	struct name_index symbols = { 0 };
	int ret;

	if (!obj->has_btf)
		return 0;
	ret = index_symbols(p, &symbols, err);
	if (!ret)
		ret = fix_types(p, &symbols, err);
	name_index_free(&symbols);
	/* .BTF.ext borrows names of the BTF, which does not move any more. */
	if (!ret && ext >= 0 && obj->image.sections[ext].data.size)
		ret = btf_ext_parse(&obj->ext, obj->image.sections[ext].data, &obj->btf, err);
	return ret ? ret : connect_ext(obj, err);
}
