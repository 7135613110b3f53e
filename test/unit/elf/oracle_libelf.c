// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reads objects and mutants of them by our reader and by libelf: what we take, it sees the same.
 * And programs and libraries of this system, by the reader of those.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/fuzz/libelf_compare.h"
#include "test/fuzz/libelf_exec.h"
#include "test/fuzz/mutate.h"
#include "test/unit/common/form_builder.h"

#define SEED UINT64_C(0x6c6962656c66)

struct counts {
	unsigned long files, taken, values,
		stricter; /* stricter: we refused what libelf read to the end */
};

/* Returns true if pload and libelf agree on @file, which both must accept if it is @sound. */
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

/* A file of this system, where it is there. */
static bool check_exec(const char *path, unsigned int row)
{
	struct libelf_exec seen;
	struct bytes file;
	bool ok;

	if (access(path, R_OK)) {
		printf("ok %u - symbols of %s # SKIP it is not here\n", row, path);
		return true;
	}
	file = mutate_file(path);
	ok = libelf_exec_agrees(file, &seen);
	free((void *)file.data);
	if (ok)
		printf("ok %u - symbols of %s: %lu, %lu versions and %lu offsets equal\n", row,
		       path,
		       seen.symbols, seen.versions, seen.offsets);
	else
		printf("not ok %u - symbols of %s: %s\n", row, path, seen.difference);
	return ok;
}

/* The library that this process has mapped, whose path differs from system to system. */
static const char *mapped(const char *name, char path[512])
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[1024];

	snprintf(path, 512, "%s", name);
	while (f && fgets(line, sizeof(line), f)) {
		const char *slash = strchr(line, '/');

		if (slash && strstr(slash, name))
			snprintf(path, 512, "%.*s", (int)strcspn(slash, "\n"), slash);
	}
	if (f)
		fclose(f);
	return path;
}

int main(int argc, char **argv)
{
	unsigned long nr_mutants = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	unsigned int row = 0;
	char path[512];
	bool ok = true;

	for (unsigned int form = 0; form < NR_FORMS; form++)
		ok &= check(form_name(form), form_object(form), nr_mutants, ++row);
	for (int i = 2; i < argc; i++)
		ok &= check(argv[i], mutate_file(argv[i]), nr_mutants, ++row);
	ok &= check_exec("/proc/self/exe", ++row);
	ok &= check_exec(mapped("/libc.so.6", path), ++row);
	ok &= check_exec(mapped("/libstdc++.so.6", path), ++row);
	ok &= check_exec("/bin/sh", ++row);
	ok &= check_exec("/usr/bin/perl", ++row);
	printf("1..%u\n", row);
	return !ok;
}
