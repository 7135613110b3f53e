// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the field of a value that counts its row. */
#include "loader/sessions/rows/map_rows.h"

/* Return the rank of a member's name: lower is better; 0: not a name for a count. */
static unsigned int name_rank(const char *name)
{
	static const char *const names[] = {
		"samples", "nr_samples", "count", "counts", "cnt", "nr", "hits", "calls", "n",
		"total", "events",
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return i + 1;
	return 0;
}

struct row_count row_count_find(const struct btf *btf, uint32_t id)
{
	struct row_count found = { .name = "" };
	struct btf_type_view t;
	unsigned int best = 0;

	if (!btf || !id || id >= btf->nr_types)
		return found;
	t = btf_skip(btf, id);
	if (t.kind != BTF_KIND_STRUCT) {
		found.number = number_type_of(btf, id);
		return found;
	}
	for (uint32_t i = 0; i < t.vlen; i++) {
		const struct btf_member_view m = btf_member(btf, &t, i);
		const struct number_type number = btf_skip(btf, m.type).kind == BTF_KIND_INT ?
			number_type_of(btf, m.type) : (struct number_type){ 0 };
		const unsigned int rank = name_rank(m.name);

		if (m.bitfield_size || m.bit_offset % 8 || number.size < 4)
			continue;
		if (found.number.size && (!rank || (best && rank >= best)))
			continue;
		found = (struct row_count){ number, m.bit_offset / 8, m.name };
		best = rank;
	}
	return found;
}
