// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fuzz the reader of .BTF.ext. The input is a pair of BTF and .BTF.ext. */
#include "test/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes first, second, raw, raw_ext;
	struct error err = { 0 };
	struct btf_ext ext;
	struct btf btf;

	if (!pair_split((struct bytes){ data, size }, &first, &second))
		return -1;
	raw = mutate_copy(first, first.size);
	raw_ext = mutate_copy(second, second.size);
	if (walk_error(btf_parse(&btf, raw, &err), &err)) {
		if (walk_error(btf_ext_parse(&ext, raw_ext, &btf, &err), &err)) {
			walk_ext(&btf, &ext);
			btf_ext_free(&ext);
		}
		promise(!ext.func_info.secs && !ext.line_info.secs && !ext.core_relo.secs);
		btf_free(&btf);
	}
	free((void *)raw.data);
	free((void *)raw_ext.data);
	return 0;
}

FUZZ_MUTATES_PAIR(mutate_btf, mutate_ext)
