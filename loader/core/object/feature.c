// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Call the hooks of each feature while an object is read and linked. */
#include "loader/core/object/feature.h"

int features_parse(struct parse *p, enum parse_stage stage, struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++) {
		const struct object_feature *object = f->object;

		if (!object || !object->parse[stage])
			continue;
		ret = object->parse[stage](p, err);
		if (ret < 0)
			error_reason_default(err, object->reason);
	}
	return ret;
}

/* Sections that only features read. */
static const char *const special_sections[] = {
	[SECTION_LEGACY_MAPS] = "maps declared without BTF (struct bpf_map_def)",
	[SECTION_JUMP_TABLES] = "jump tables",
	[SECTION_STRUCT_OPS] = "structs of functions (struct_ops)",
	[SECTION_ARENA] = "variables in an arena",
};

int features_check_sections(struct parse *p, struct error *err)
{
	unsigned int uses = 0;

	for (const struct feature *f = features; f->name; f++)
		uses |= f->object ? f->object->uses : 0;
	for (uint32_t i = 1; i < p->obj->image.nr_sections; i++) {
		const enum section_use use = p->sections[i].use;

		if (special_sections[use] && p->obj->image.sections[i].size && !(uses & 1u << use))
			return feature_missing(special_sections[use], err);
		if (use == SECTION_BTF_MAPS && p->sections[i].relocs && !(uses & 1u << use))
			return feature_missing("initial map elements (.values)", err);
	}
	return 0;
}

void features_fix_func(struct bpf_object *obj, uint32_t id)
{
	for (const struct feature *f = features; f->name; f++)
		if (f->object && f->object->fix_func)
			f->object->fix_func(obj, id);
}

int features_resolve(struct parse *p, const struct reloc_target *target, struct object_reloc *out,
		     struct error *err)
{
	int ret = 0;

	for (const struct feature *f = features; !ret && f->name; f++)
		if (f->object && f->object->resolve)
			ret = f->object->resolve(p, target, out, err);
	return ret;
}

int features_link(const struct bpf_object *obj, const struct object_func *f, uint32_t start,
		  const struct object_reloc *reloc, struct prog_code *code, struct error *err)
{
	int ret = 0;

	for (const struct feature *row = features; !ret && row->name; row++)
		if (row->object && row->object->link)
			ret = row->object->link(obj, f, start, reloc, code, err);
	return ret;
}
