// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fuzz the interpretation of an object: its maps, functions, programs and relocations. */
#include "test/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { 0 };
	struct bpf_object obj;

	if (walk_error(bpf_object_parse(&obj, "fuzz.o", (struct bytes){ data, size }, &err),
		       &err)) {
		walk_object(&obj);
		bpf_object_free(&obj);
	}
	promise(!obj.maps && !obj.funcs && !obj.progs && !obj.code && !obj.btf_raw);
	return 0;
}

FUZZ_MUTATES(mutate_elf)
