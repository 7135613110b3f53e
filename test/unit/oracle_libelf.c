// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads objects and mutants of them by our reader and by libelf: what we take, it sees the same. */
#include <stdio.h>
#include <stdlib.h>

#include "test/fuzz/libelf_compare.h"
#include "test/fuzz/mutate.h"
#include "test/unit/form_builder.h"

#define SEED UINT64_C(0x6c6962656c66)

struct counts {
	unsigned long files, taken, values,
		stricter; /* stricter: we refused what libelf read to the end */
};

/* Whether both agree on @file, which they have to take when it is @sound. */
static bool agree(struct bytes file, bool sound, struct counts *c, char *difference, size_t size)
{
	struct error err = { 0 };
	struct libelf_view view;
	struct elf_image image;
	bool ok = true;

	libelf_open(&view, file);
	c->files++;
	if (elf_image_parse(&image, file, &err) == 0) {
		ok = libelf_agrees(&view, &image);
		snprintf(difference, size, "%s", view.difference);
		c->taken++;
		c->values += view.values;
		elf_image_free(&image);
	} else if (sound) {
		ok = false;
		snprintf(difference, size, "%.128s: %.120s", err.where, err.what);
	} else {
		c->stricter += libelf_takes(&view);
	}
	error_clear(&err);
	libelf_close(&view);
	return ok;
}

static bool check(const char *name, struct bytes file, unsigned long nr_mutants, unsigned int row)
{
	struct mutator m = { .state = SEED };
	struct counts c = { 0 };
	char difference[256];
	unsigned long i = 0;
	bool ok = agree(file, true, &c, difference, sizeof(difference));

	for (; ok && i < nr_mutants; i++) {
		struct bytes mutant = mutate(&m, file);

		ok = agree(mutant, false, &c, difference, sizeof(difference));
		free((void *)mutant.data);
	}
	free((void *)file.data);
	if (ok)
		printf("ok %u - %s and %lu mutants: %lu taken by both, %lu values equal, "
		       "%lu refused that libelf takes\n",
		       row, name, nr_mutants, c.taken, c.values, c.stricter);
	else
		printf("not ok %u - %s, mutant %lu: %s\n", row, name, i, difference);
	fflush(stdout);
	return ok;
}

int main(int argc, char **argv)
{
	unsigned long nr_mutants = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	unsigned int row = 0;
	bool ok = true;

	for (unsigned int form = 0; form < NR_FORMS; form++)
		ok &= check(form_name(form), form_object(form), nr_mutants, ++row);
	for (int i = 2; i < argc; i++)
		ok &= check(argv[i], mutate_file(argv[i]), nr_mutants, ++row);
	printf("1..%u\n", row);
	return !ok;
}
