// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* This project's BPF objects, as files for the fake kernel. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/fault/fake_kernel.h"

void *fake_object(const char *name, size_t *size)
{
	const char *dir = getenv("PROGS");
	char path[256];
	void *data;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.bpf.o", dir ? dir : "build/progs", name);
	f = fopen(path, "rb");
	ck_assert_msg(f != NULL, "%s: %s", path, strerror(errno));
	fseek(f, 0, SEEK_END);
	*size = ftell(f);
	rewind(f);
	data = malloc(*size);
	ck_assert_uint_eq(fread(data, 1, *size, f), *size);
	fclose(f);
	return data;
}
