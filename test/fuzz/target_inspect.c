// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes pload inspect: all parts of an object that may be damaged, as text, JSON and as a page. No
 * byte of them is one that a terminal acts on, and the page has two script elements.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/tools/inspect/inspect.h"
#include "test/fuzz/target.h"

/* A kernel that has nothing. */
static long no_kernel(struct sys *sys, long number, const unsigned long args[6])
{
	(void)sys;
	(void)number;
	(void)args;
	return -ENOENT;
}

static void show(const struct output_format *format, struct bytes bytes)
{
	const struct options o = { .format = format, .inspect = {
		.sections = true, .symbols = true, .relocs = true, .bytes = true, .insns = true,
		.types = true,
	} };
	const struct options overview = { .format = format };
	struct sys sys = { .enter = no_kernel };
	struct error err = { 0 };
	unsigned int nr;
	char *text = NULL;
	size_t size = 0;
	struct output out = { .file = open_memstream(&text, &size), .format = format };

	promise(out.file);
	walk_error(inspect_memory(&sys, &o, "fuzz.o", bytes, &out, &err), &err);
	if (strcmp(format->name, "html"))
		walk_error(inspect_memory(&sys, &overview, "fuzz.o", bytes, &out, &err), &err);
	promise(!fclose(out.file));
	nr = walk_text(text, size, "</script");
	promise(strcmp(format->name, "html") || nr == 2);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes bytes = { data, size };

	show(&inspect_formats[0], bytes);
	show(&inspect_formats[1], bytes);
	show(output_format_find("json", NULL), bytes);
	return 0;
}

FUZZ_MUTATES(mutate_elf)
