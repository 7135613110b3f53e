// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find the externs of an object: undefined symbols that the kernel defines. BTF declares them in
 * the DATASECs .kconfig and .ksyms, which have no ELF sections.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/declared/declared.h"

/* The limit for all configuration values of an object; real objects need less than a page. */
#define KCONFIG_MAX (1u << 20)

static int index_undefined(struct parse *p, struct error *err)
{
	const struct elf_image *image = &p->obj->image;
	uint32_t nr = 0;

	for (uint32_t n = 0; n < p->nr_symbols; n++)
		nr += image->symbols[p->symbols[n]].section == SHN_UNDEF;
	p->extern_of = calloc(image->nr_symbols + UINT64_C(1), sizeof(*p->extern_of));
	if (!p->extern_of || name_index_init(&p->undefined, nr))
		return error_set(err, ENOMEM, "no memory for %u symbols", image->nr_symbols);
	for (uint32_t n = 0; nr && n < p->nr_symbols; n++) {
		const struct elf_symbol *symbol = &image->symbols[p->symbols[n]];

		if (symbol->section == SHN_UNDEF && symbol->name[0])
			name_index_add(&p->undefined, symbol->name, p->symbols[n]);
	}
	return 0;
}

static struct object_extern *add_extern(struct parse *p, uint32_t symbol, struct error *err)
{
	struct bpf_object *obj = p->obj;
	struct object_extern *externs = array_grow(obj->externs, obj->nr_externs, sizeof(*externs));

	if (!externs) {
		error_set(err, ENOMEM, "no memory for %u externs", obj->nr_externs);
		return NULL;
	}
	obj->externs = externs;
	externs += obj->nr_externs++;
	*externs = (struct object_extern){
		.name = obj->image.symbols[symbol].name,
		.weak = obj->image.symbols[symbol].bind == STB_WEAK,
	};
	p->extern_of[symbol] = obj->nr_externs;
	return externs;
}

/* Return the alignment of a value: its size, or for an array that of its elements. */
static uint32_t alignment(const struct btf *btf, uint32_t type)
{
	struct btf_type_view t = btf_skip(btf, type);
	int64_t size;

	while (t.kind == BTF_KIND_ARRAY)
		t = btf_skip(btf, btf_array(btf, &t).type);
	size = btf_size(btf, t.id);
	return size == 1 || size == 2 || size == 4 ? size : 8;
}

/*
 * Add the map of configuration values, which programs only read: a single value contains them all.
 */
static int add_kconfig_map(struct bpf_object *obj, uint32_t datasec, uint32_t size,
			   struct error *err)
{
	struct object_map *map = object_add_map(obj);

	if (!map)
		return error_set(err, ENOMEM, "no memory for the map of config values");
	map->name = ".kconfig";
	map->kind = OBJECT_MAP_DATA;
	map->size = size;
	map->type = BPF_MAP_TYPE_ARRAY;
	map->key_size = sizeof(uint32_t);
	map->value_size = size;
	map->max_entries = 1;
	map->read_only = true;
	map->map_flags = BPF_F_MMAPABLE | BPF_F_RDONLY_PROG;
	map->value_type = datasec;
	return 0;
}

/*
 * Lay out the values in BTF order. The kernel refuses BTF with externs, so make them global
 * variables.
 */
static int parse_kconfig(struct parse *p, const struct btf_type_view *sec, struct error *err)
{
	struct bpf_object *obj = p->obj;
	uint64_t end = 0;

	for (uint32_t i = 0; i < sec->vlen; i++) {
		uint32_t id = btf_datasec_var(&obj->btf, sec, i).type;
		struct btf_type_view var = btf_type(&obj->btf, id);
		int64_t found = name_index_find(&p->undefined, var.name);
		int64_t size = var.kind == BTF_KIND_VAR ? btf_size(&obj->btf, var.type) : -EINVAL;
		size_t at = sizeof(struct btf_type) + i * sizeof(struct btf_var_secinfo);
		struct object_extern *e;
		uint32_t align;

		if (size > 0) {
			align = alignment(&obj->btf, var.type);
			end = (end + align - 1) / align * align;
		}
		if (size <= 0 || size > KCONFIG_MAX || end + size > KCONFIG_MAX) {
			error_set(err, EBADMSG, size <= 0 ? "has no size" : "is too large");
			return error_where(err, "config value '%s'", var.name);
		}
		btf_put_u32(obj, sec->id, at + offsetof(struct btf_var_secinfo, offset), end);
		btf_put_u32(obj, sec->id, at + offsetof(struct btf_var_secinfo, size), size);
		btf_put_u32(obj, var.id, sizeof(struct btf_type), BTF_VAR_GLOBAL_ALLOCATED);
		if (found >= 0 && !p->extern_of[found]) {
			e = add_extern(p, found, err);
			if (!e)
				return -ENOMEM;
			e->kind = OBJECT_EXTERN_KCONFIG;
			e->type = var.type;
			e->map = obj->nr_maps;
			e->offset = end;
			e->size = size;
		}
		end += size;
	}
	if (!end)
		return 0;
	btf_put_u32(obj, sec->id, offsetof(struct btf_type, size), end);
	return add_kconfig_map(obj, sec->id, end, err);
}

static int parse_ksyms(struct parse *p, const struct btf_type_view *sec, struct error *err)
{
	const struct btf *btf = &p->obj->btf;

	for (uint32_t i = 0; i < sec->vlen; i++) {
		struct btf_type_view t = btf_type(btf, btf_datasec_var(btf, sec, i).type);
		int64_t found = name_index_find(&p->undefined, t.name);
		struct object_extern *e;

		if (found < 0 || p->extern_of[found])
			continue;
		e = add_extern(p, found, err);
		if (!e)
			return -ENOMEM;
		if (t.kind == BTF_KIND_FUNC)
			e->kind = OBJECT_EXTERN_KFUNC;
		else if (t.kind == BTF_KIND_VAR && btf_skip(btf, t.type).kind != BTF_KIND_UNKN)
			e->kind = OBJECT_EXTERN_KVAR;
		else
			e->kind = OBJECT_EXTERN_KSYM;
		e->type = e->kind == OBJECT_EXTERN_KSYM ? 0 : t.type;
	}
	return 0;
}

/* Return the DATASEC named @name, unless there is an ELF section with that name. */
static struct btf_type_view find_datasec(const struct parse *p, const char *name)
{
	const struct bpf_object *obj = p->obj;
	uint32_t id = btf_find(&obj->btf, BTF_KIND_DATASEC, name);

	return btf_type(&obj->btf, name_index_find(&p->by_name, name) >= 0 ? 0 : id);
}

static int parse_externs(struct parse *p, struct error *err)
{
	struct bpf_object *obj = p->obj;
	struct btf_type_view kconfig, ksyms;
	int ret = index_undefined(p, err);

	if (ret || !obj->has_btf)
		return ret;
	kconfig = find_datasec(p, ".kconfig");
	ksyms = find_datasec(p, ".ksyms");
	if (kconfig.id)
		ret = parse_kconfig(p, &kconfig, err);
	if (!ret && ksyms.id)
		ret = parse_ksyms(p, &ksyms, err);
	if (!ret && ksyms.id)
		ret = btf_fix_ksyms(obj, ksyms.id, err);
	return ret;
}

/*
 * Return 1 + the index of extern @symbol, 0 if it is not an extern, or -errno. Without BTF, an
 * undefined symbol that is called (@call) is a function.
 */
static int64_t extern_for(struct parse *p, uint32_t symbol, bool call, struct error *err)
{
	struct bpf_object *obj = p->obj;
	const struct elf_symbol *s = &obj->image.symbols[symbol];
	const int64_t first = name_index_find(&p->undefined, s->name);
	struct object_extern *e;

	if (first < 0 || (!p->extern_of[first] && obj->has_btf))
		return 0;
	if (!p->extern_of[first]) {
		e = add_extern(p, first, err);
		if (!e)
			return -ENOMEM;
		e->kind = OBJECT_EXTERN_KSYM;
	}
	e = &obj->externs[p->extern_of[first] - 1];
	/* One strong symbol makes the extern strong. */
	if (s->bind != STB_WEAK)
		e->weak = false;
	if (call && !obj->has_btf)
		e->kind = OBJECT_EXTERN_KFUNC;
	return p->extern_of[first];
}

/* Resolve an undefined symbol that is declared as an extern. */
static int resolve_extern(struct parse *p, const struct reloc_target *target,
			  struct object_reloc *out, struct error *err)
{
	const struct elf_symbol *symbol = &p->obj->image.symbols[target->symbol];
	const bool call = target->call;
	const uint64_t offset = target->offset;
	const struct object_extern *e;
	int64_t found;

	if (symbol->section != SHN_UNDEF)
		return 0;
	found = extern_for(p, target->symbol, call, err);
	if (found <= 0)
		return found;
	e = &p->obj->externs[found - 1];
	if (call && e->kind != OBJECT_EXTERN_KFUNC)
		return error_set(err, EBADMSG, "a call to '%s', which is not a function", e->name);
	if (e->kind == OBJECT_EXTERN_KCONFIG && offset >= e->size)
		return error_set(err, EBADMSG, "offset %lld is outside '%s' of %u bytes",
				 (long long)offset, e->name, e->size);
	out->kind = call ? OBJECT_RELOC_KFUNC :
		    e->kind == OBJECT_EXTERN_KCONFIG ? OBJECT_RELOC_KCONFIG : OBJECT_RELOC_KSYM;
	out->index = found - 1;
	out->offset = offset;
	return 1;
}

const struct object_feature object_externs = {
	.reason = "object/extern", .parse = { [PARSE_SYMBOLS] = parse_externs },
	.fix_func = btf_fix_extern_func, .resolve = resolve_extern,
};
