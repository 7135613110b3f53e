/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Describes maps by BTF, as the macros of bpf_helpers.h do, in the sample object. */
#ifndef PLOAD_TEST_UNIT_MAP_BUILDER_H
#define PLOAD_TEST_UNIT_MAP_BUILDER_H

#include "test/unit/common/object_builder.h"

struct mb_field {
	const char *name;
	uint32_t type;
};

/* These build the types of __uint, __ulong, __type and __array of bpf_helpers.h. */
uint32_t mb_uint(struct sample *s, uint32_t n);
uint32_t mb_ulong(struct sample *s, uint64_t n);
uint32_t mb_type(struct sample *s, uint32_t type);
uint32_t mb_values(struct sample *s, uint32_t type);

/* mb_struct() - a description: a struct of @fields, 8 bytes each. */
uint32_t mb_struct(struct sample *s, const struct mb_field *fields, uint32_t nr);

/* mb_map() - the section .maps with one map 'm' in it, at 8. Gives the section. */
uint32_t mb_map(struct sample *s, const struct mb_field *fields, uint32_t nr);

struct mb_map {
	const char *name;
	uint32_t type;	/* of mb_struct() */
	uint32_t size;	/* of the variable */
};

/* mb_maps() - the section .maps with several maps, one behind the other. At most 8. */
uint32_t mb_maps(struct sample *s, const struct mb_map *maps, uint32_t nr);

#endif
