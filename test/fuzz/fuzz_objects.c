// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Feeds damaged objects to every reader: none may crash, hang, or give what cannot be walked. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf/btf_ext.h"
#include "elf/image.h"
#include "loader/core/core.h"
#include "loader/object/object.h"
#include "loader/output/output.h"
#include "test/fuzz/mutate.h"
#include "test/unit/buffer.h"
#include "test/unit/form_builder.h"

#define SEED UINT64_C(0x706c6f6164)
#define MAX_CUTS 2000	/* lengths at which one file is cut off, spread evenly */

struct counts {
	unsigned long read, refused, wrong;	/* wrong: without code, place or words */
};

/* Keeps the compiler from dropping what is only read. */
static volatile uint64_t sink;

static void touch(struct bytes b)
{
	for (size_t i = 0; i < b.size; i++)
		sink += b.data[i];
}

static void count(struct counts *c, int ret, struct error *err)
{
	c->read++;
	c->refused += ret < 0;
	c->wrong += ret > 0 || (ret < 0 && (err->code != ret || !err->what[0] ||
					    (ret != -ENOMEM && !err->where[0])));
	error_clear(err);
}

static void walk_type(const struct btf *btf, uint32_t id)
{
	struct btf_type_view t = btf_type(btf, id);

	sink += strlen(t.name) + btf_size(btf, id) + btf_skip(btf, id).id +
		strlen(btf_kind_name(t.kind));
	if (t.kind == BTF_KIND_ARRAY)
		sink += btf_array(btf, &t).nelems;
	for (uint32_t i = 0; i < t.vlen; i++) {
		if (t.kind == BTF_KIND_STRUCT || t.kind == BTF_KIND_UNION)
			sink += strlen(btf_member(btf, &t, i).name);
		else if (t.kind == BTF_KIND_ENUM || t.kind == BTF_KIND_ENUM64)
			sink += btf_enumerator(btf, &t, i).value +
				btf_enumerator(btf, &t, i).name[0];
		else if (t.kind == BTF_KIND_DATASEC)
			sink += btf_type(btf, btf_datasec_var(btf, &t, i).type).type;
	}
}

/*
 * As a printer of values walks: it relies on nesting that ends. Members are cut, as paths may be
 * 2^32.
 */
static void walk_value(const struct btf *btf, uint32_t id, unsigned int *budget)
{
	struct btf_type_view t = btf_skip(btf, id);

	if (!*budget)
		return;
	--*budget;
	if (t.kind == BTF_KIND_ARRAY)
		walk_value(btf, btf_array(btf, &t).type, budget);
	for (uint32_t i = 0; (t.kind == BTF_KIND_STRUCT || t.kind == BTF_KIND_UNION) && i < t.vlen;
	     i++)
		walk_value(btf, btf_member(btf, &t, i).type, budget);
}

static void walk_ext(const struct btf *btf, const struct btf_ext *ext)
{
	const struct btf_ext_info *infos[] = { &ext->func_info, &ext->line_info, &ext->core_relo };

	for (unsigned int kind = 0; kind < 3; kind++) {
		for (uint32_t s = 0; s < infos[kind]->nr_secs; s++) {
			const struct btf_ext_sec *sec =
				btf_ext_find(infos[kind], infos[kind]->secs[s].section);

			for (uint32_t i = 0; i < sec->num; i++) {
				if (kind == 0)
					sink += btf_type(btf, btf_ext_func(ext, sec, i).type_id)
							.name[0];
				else if (kind == 1)
					sink += strlen(btf_string(
						btf, btf_ext_line(ext, sec, i).line_off));
				else
					sink += strlen(btf_string(
						btf, btf_ext_core(ext, sec, i).access_str_off));
			}
		}
	}
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
	for (uint32_t id = 0; id < btf.nr_types; id++) {
		unsigned int budget = 100;

		walk_type(&btf, id);
		walk_value(&btf, id, &budget);
	}
	sink += btf_find(&btf, BTF_KIND_STRUCT, "no such struct");
	ret = btf_ext_parse(&ext, ext_raw, &btf, &err);
	count(c, ret, &err);
	if (!ret) {
		walk_ext(&btf, &ext);
		btf_ext_free(&ext);
	}
	btf_free(&btf);
}

static void walk_image(const struct elf_image *image)
{
	for (uint32_t i = 0; i < image->nr_sections; i++) {
		sink += strlen(image->sections[i].name);
		touch(image->sections[i].data);
		for (uint32_t k = 0;
		     elf_section_is_reloc(image, i) && k < elf_reloc_count(image, i); k++) {
			struct elf_reloc r = elf_reloc_get(image, i, k);
			const struct elf_section *target =
				&image->sections[image->sections[i].info];

			sink += image->symbols[r.symbol].value + strlen(elf_reloc_name(r.type));
			/*
			 * What the type patches is there, unless it is about what a compressed
			 * section unpacks to.
			 */
			if (target->flags & SHF_EXECINSTR && !(target->flags & SHF_COMPRESSED))
				touch(bytes_slice(target->data, r.offset, elf_reloc_width(r.type)));
		}
	}
	for (uint32_t i = 0; i < image->nr_symbols; i++) {
		const struct elf_symbol *sym = &image->symbols[i];

		sink += strlen(sym->name);
		if (sym->section < image->nr_sections && image->sections[sym->section].data.size)
			touch(bytes_slice(image->sections[sym->section].data, sym->value,
					  sym->size));
	}
}

static struct bytes section_copy(const struct elf_image *image, const char *name)
{
	struct bytes data = image->sections[elf_section_find(image, name)].data;

	return mutate_copy(data, data.size);
}

/*
 * What a session does with an object before and after the kernel: link it, and show its maps and
 * records.
 */
static void use_object(struct bpf_object *obj, const struct btf *target, struct counts *c)
{
	struct core core;
	struct map_usage *usage = calloc(obj->nr_maps + 1, sizeof(*usage));
	static const unsigned char zeroes[4096];
	struct error err = { 0 };
	char note[256];

	core_init(&core, NULL, obj, false);
	count(c, core_resolve_with(&core, target, &err), &err);
	for (uint32_t i = 0; i < obj->nr_progs; i++) {
		struct prog_code code;
		int ret;

		core_begin(&core);
		ret = relocate(obj, i, NULL, &code, &err);
		count(c, ret, &err);
		if (ret)
			continue;
		for (uint32_t k = 0; k < code.nr_insns; k++)
			sink += code.insns[k].imm;
		count(c, map_usage_scan(&code, usage, &err), &err);
		prog_code_free(&code);
	}
	core_free(&core);
	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		const struct object_map *map = &obj->maps[i];
		const struct btf *btf = obj->has_btf ? &obj->btf : NULL;
		struct record_format format;
		size_t size = map->value_size < sizeof(zeroes) ? map->value_size : sizeof(zeroes);

		sink += strlen(map->name);
		json_object_put(value_decode(btf, map->value_type, (struct bytes){ zeroes, size }));
		count(c, record_format_init(&format, obj, i, &usage[i], NULL, note, sizeof(note), &err), &err);
	}
	free(usage);
}

/*
 * All that is read of an object. @file is exactly as long as its allocation, and so are the parts
 * given on.
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
		use_object(&obj, &obj.btf, c);
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
 * Half of the mutants are of the whole object, half of its BTF alone: a broken ELF hides the BTF
 * behind it.
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
		count(c, 1, &err);	/* what is given has to be sound */
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

static struct bytes read_file(const char *path)
{
	struct buffer b = { 0 };
	struct bytes exact;
	FILE *f = fopen(path, "r");
	size_t n = 1;

	while (f && n) {
		size_t at = buffer_add(&b, NULL, 1 << 16);

		n = fread(b.data + at, 1, 1 << 16, f);
		b.size = at + n;
	}
	if (f)
		fclose(f);
	exact = mutate_copy(buffer_bytes(&b), b.size);
	buffer_free(&b);
	return exact;
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
		struct bytes object = read_file(argv[i]);

		report(argv[i], object, nr_mutants, ++row, &failed);
		free((void *)object.data);
	}
	printf("1..%u\n", row);
	return failed;
}
