// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fuzz the reader of BTF, both fully validated and only indexed. */
#include "test/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes raw = { data, size };
	struct error err = { 0 };
	struct btf btf;
	bool sound;

	sound = walk_error(btf_parse(&btf, raw, &err), &err);
	if (sound)
		walk_btf(&btf);
	btf_free(&btf);
	if (walk_error(btf_index(&btf, raw, &err), &err)) {
		walk_indexed(&btf);
		btf_free(&btf);
	} else {
		promise(!sound);
	}
	promise(!btf.offsets && !btf.nr_types);
	return 0;
}

FUZZ_MUTATES(mutate_btf)
