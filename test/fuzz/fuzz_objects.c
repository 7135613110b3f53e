// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pass damaged objects to every reader: none may crash, hang, or return invalid data. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf/btf_ext.h"
#include "elf/image.h"
#include "loader/objects/co_re/co_re.h"
#include "loader/core/object/relocate.h"
#include "loader/core/print/record.h"
#include "loader/core/value/layout.h"
#include "test/fuzz/mutate.h"
#include "test/fuzz/walk.h"
#include "test/unit/common/form_builder.h"

#define SEED UINT64_C(0x706c6f6164)
#define MAX_CUTS 2000	/* lengths to which each file is truncated, evenly spread */

struct counts {
	unsigned long read, refused, wrong;	/* errors without a code, a context or a text */
};

static void count(struct counts *c, int ret, struct error *err)
{
	c->read++;
	c->refused += ret < 0;
	c->wrong += ret > 0 || (ret < 0 && (err->code != ret || !err->what[0] ||
					    (ret != -ENOMEM && !err->where[0])));
	error_clear(err);
}

static void read_btf(struct bytes btf_raw, struct bytes ext_raw, struct counts *c)
{
	struct error err = { 0 };
	struct btf_ext ext;
	struct btf btf;
	int ret = btf_parse(&btf, btf_raw, &err);

	count(c, ret, &err);
	if (ret)
		return;
	walk_btf(&btf);
	promise(!btf_find(&btf, BTF_KIND_STRUCT, "no such struct"));
	ret = btf_ext_parse(&ext, ext_raw, &btf, &err);
	count(c, ret, &err);
	if (!ret) {
		walk_ext(&btf, &ext);
		btf_ext_free(&ext);
	}
	btf_free(&btf);
}

static struct bytes section_copy(const struct elf_image *image, const char *name)
{
	struct bytes data = image->sections[elf_section_find(image, name)].data;

	return mutate_copy(data, data.size);
}

/*
 * Use an object as a session does before and after its system calls: link it, and print its maps
 * and records.
 */
static void use_object(struct bpf_object *obj, struct counts *c)
{
	struct btf target = { 0 };
	struct co_re core;
	struct map_usage *usage = calloc(obj->nr_maps + 1, sizeof(*usage));
	static const unsigned char zeroes[4096];
	struct error err = { 0 };
	char note[256];

	/* The object serves as its own kernel, whose types are found like a kernel's. */
	co_re_init(&core, NULL, obj, false);
	if (obj->has_btf && !btf_index(&target, obj->btf.raw, &err))
		count(c, co_re_set_target(&core, &target, &err), &err);
	error_clear(&err);
	walk_uses(obj, &core, usage);
	co_re_free(&core);
	btf_free(&target);
	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		const struct object_map *map = &obj->maps[i];
		const struct btf *btf = obj->has_btf ? &obj->btf : NULL;
		const struct record_source source = { .obj = obj, .map = i, .usage = &usage[i] };
		struct record_format format;
		size_t size = map->value_size < sizeof(zeroes) ? map->value_size : sizeof(zeroes);

		json_object_put(value_decode(btf, map->value_type, (struct bytes){ zeroes, size }));
		count(c, record_format_init(&format, &source, note, sizeof(note), &err), &err);
	}
	free(usage);
}

/*
 * Read everything in an object. @file is exactly as long as its allocation, and so are the parts
 * passed on.
 */
static void read_object(struct bytes file, struct counts *c)
{
	struct error err = { 0 };
	struct bpf_object obj;
	struct bytes btf, ext;
	struct elf_image image;
	int ret = elf_image_parse(&image, file, &err);

	count(c, ret, &err);
	if (ret)
		return;
	walk_image(&image);
	ret = bpf_object_parse(&obj, "fuzz.o", file, &err);
	count(c, ret, &err);
	if (!ret) {
		walk_object(&obj);
		use_object(&obj, c);
		bpf_object_free(&obj);
	}
	btf = section_copy(&image, ".BTF");
	ext = section_copy(&image, ".BTF.ext");
	read_btf(btf, ext, c);
	free((void *)btf.data);
	free((void *)ext.data);
	elf_image_free(&image);
}

static void cut_everywhere(struct bytes file, struct counts *c)
{
	size_t step = 1 + file.size / MAX_CUTS;

	for (size_t size = 0; size < file.size; size += step) {
		struct bytes b = mutate_copy(file, size);

		read_object(b, c);
		free((void *)b.data);
	}
}

/*
 * Half of the mutants are of the whole object, half of its BTF alone, which broken ELF would hide.
 */
static void fuzz(struct bytes file, unsigned long nr_mutants, struct counts *c)
{
	struct mutator m = { .state = SEED };
	struct error err = { 0 };
	struct bytes btf, ext;
	struct elf_image image;

	read_object(file, c);
	cut_everywhere(file, c);
	if (elf_image_parse(&image, file, &err)) {
		count(c, 1, &err);	/* unchanged inputs must be valid */
		return;
	}
	btf = section_copy(&image, ".BTF");
	ext = section_copy(&image, ".BTF.ext");
	elf_image_free(&image);
	for (unsigned long i = 0; i < nr_mutants; i++) {
		struct bytes a = mutate(&m, file), b = mutate(&m, btf), e = mutate(&m, ext);

		read_object(a, c);
		read_btf(i % 2 ? b : btf, i % 2 ? ext : e, c);
		free((void *)a.data);
		free((void *)b.data);
		free((void *)e.data);
	}
	free((void *)btf.data);
	free((void *)ext.data);
}

static void report(const char *name, struct bytes file, unsigned long nr_mutants, unsigned int row,
		   int *failed)
{
	struct counts c = { 0 };

	fuzz(file, nr_mutants, &c);
	*failed |= c.wrong != 0;
	printf("%s %u - %s: %lu inputs, %lu refused, %lu wrongly\n", c.wrong ? "not ok" : "ok", row,
	       name, c.read, c.refused, c.wrong);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	unsigned long nr_mutants = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000;
	unsigned int row = 0;
	int failed = 0;

	for (unsigned int form = 0; form < NR_FORMS; form++) {
		struct bytes object = form_object(form);

		report(form_name(form), object, nr_mutants, ++row, &failed);
		free((void *)object.data);
	}
	for (int i = 2; i < argc; i++) {
		struct bytes object = mutate_file(argv[i]);

		report(argv[i], object, nr_mutants, ++row, &failed);
		free((void *)object.data);
	}
	printf("1..%u\n", row);
	return failed;
}
