// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describes maps by BTF, as the macros of bpf_helpers.h do, in the sample object. */
#include "test/unit/common/map_builder.h"

uint32_t mb_uint(struct sample *s, uint32_t n)
{
	return bb_ref(&s->btf, BTF_KIND_PTR, "", bb_array(&s->btf, s->type_int, s->type_int, n));
}

uint32_t mb_ulong(struct sample *s, uint64_t n)
{
	uint32_t id = bb_enum(&s->btf, BTF_KIND_ENUM64, "", 8, false);

	bb_enumerator(&s->btf, "unique", n);
	return id;
}

uint32_t mb_type(struct sample *s, uint32_t type)
{
	return bb_ref(&s->btf, BTF_KIND_PTR, "", type);
}

uint32_t mb_values(struct sample *s, uint32_t type)
{
	return bb_array(&s->btf, mb_type(s, type), s->type_int, 0);
}

uint32_t mb_struct(struct sample *s, const struct mb_field *fields, uint32_t nr)
{
	uint32_t id = bb_struct(&s->btf, BTF_KIND_STRUCT, "", 8 * nr, false);

	for (uint32_t i = 0; i < nr; i++)
		bb_member(&s->btf, fields[i].name, fields[i].type, 64 * i, 0);
	return id;
}

uint32_t mb_map(struct sample *s, const struct mb_field *fields, uint32_t nr)
{
	uint32_t type = mb_struct(s, fields, nr),
		 var = bb_var(&s->btf, "m", type, BTF_VAR_GLOBAL_ALLOCATED);
	uint32_t section = eb_data(&s->elf, ".maps", NULL, 8 * (nr + 1));

	eb_symbol(&s->elf, "m", section, 8, 8 * nr, STB_GLOBAL, STT_OBJECT);
	bb_datasec(&s->btf, ".maps", 0);
	bb_datasec_var(&s->btf, var, 0, 8 * nr);
	return section;
}

uint32_t mb_maps(struct sample *s, const struct mb_map *maps, uint32_t nr)
{
	uint32_t vars[8], size = 0, section;

	for (uint32_t i = 0; i < nr; i++) {
		vars[i] = bb_var(&s->btf, maps[i].name, maps[i].type, BTF_VAR_GLOBAL_ALLOCATED);
		size += maps[i].size;
	}
	section = eb_data(&s->elf, ".maps", NULL, size);
	bb_datasec(&s->btf, ".maps", 0);
	for (uint32_t i = 0, at = 0; i < nr; at += maps[i++].size) {
		eb_symbol(&s->elf, maps[i].name, section, at, maps[i].size, STB_GLOBAL, STT_OBJECT);
		bb_datasec_var(&s->btf, vars[i], at, maps[i].size);
	}
	return section;
}
