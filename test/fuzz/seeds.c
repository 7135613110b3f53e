// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Makes what fuzzing begins with: usage seeds DIR OBJECT... Each object, and each form of the built
 * one, goes without its debug information into DIR/elf, its BTF into DIR/btf, BTF and .BTF.ext as a
 * pair into DIR/btf_ext, the object and its BTF as a pair into DIR/core, its BTF, raw or in ELF,
 * and that of a module as a pair into DIR/types, what configurations look like into DIR/config,
 * events and machines into DIR/events, objects with values for their variables into DIR/set, and
 * those with structs of functions, with the kernel's and a module's BTF, into DIR/struct_ops. Files
 * that are probed go into DIR/exec.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <linux/btf.h>

#include "elf/btf.h"
#include "test/fuzz/layout.h"
#include "test/fuzz/mutate.h"
#include "test/fuzz/seeds.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/form_builder.h"
#include "test/unit/compare/report_fixture.h"

static void write_seed(const char *dir, const char *kind, unsigned int nr, struct bytes b)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, kind);
	mkdir(path, 0777);
	snprintf(path, sizeof(path), "%s/%s/seed-%u", dir, kind, nr);
	f = fopen(path, "w");
	if (!f || fwrite(b.data, 1, b.size, f) != b.size || fclose(f)) {
		perror(path);
		exit(1);
	}
}

static struct buffer pair(struct bytes a, struct bytes b)
{
	struct buffer out = { 0 };

	buffer_put(&out, 4, a.size, false);
	buffer_add(&out, a.data, a.size);
	buffer_add(&out, b.data, b.size);
	return out;
}

static void write_pair(const char *dir, const char *kind, unsigned int nr, struct bytes a,
		       struct bytes b)
{
	struct buffer out = pair(a, b);

	write_seed(dir, kind, nr, buffer_bytes(&out));
	buffer_free(&out);
}

static bool is_debug(const char *name)
{
	return !strncmp(name, ".debug", 6) || !strncmp(name, ".rel.debug", 10) ||
	       !strncmp(name, ".rela.debug", 11) || !strcmp(name, ".rel.eh_frame") ||
	       !strcmp(name, ".llvm_addrsig");
}

/* The object with empty debug sections. */
static struct buffer without_debug(const struct elf_image *image)
{
	struct bytes *contents = layout_contents(image);
	struct buffer out;

	for (uint32_t i = 0; i < image->nr_sections; i++)
		if (is_debug(image->sections[i].name))
			contents[i].size = 0;
	out = layout(image, contents);
	free(contents);
	return out;
}

/* Values for variables, in which a byte from 0x80 up stands for a name: see target_set.c. */
static const char *const settings[] = { "\x80=5", "\x81=-0x10", "\x80.\x82[1].\x83='c'" };

/* A function with its own name and a type from @base, and a const type. */
static struct buffer seed_module(struct bytes base, bool big_endian)
{
	static const char names[] = "\0" SEED_IN_MODULE;
	bool swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint32_t base_strings = bytes_u32(base, offsetof(struct btf_header, str_len), swap);
	const uint32_t words[] = { base_strings + 1, BTF_KIND_FUNC << 24, SEED_PROTO,
				   1, BTF_KIND_CONST << 24, 2 };
	struct buffer out = { 0 };

	buffer_add(&out, base.data, offsetof(struct btf_header, hdr_len));
	buffer_put(&out, 4, BTF_HEADER_PLAIN, big_endian);
	buffer_put(&out, 4, 0, big_endian);
	buffer_put(&out, 4, sizeof(words), big_endian);
	buffer_put(&out, 4, sizeof(words), big_endian);
	buffer_put(&out, 4, sizeof(names), big_endian);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		buffer_put(&out, 4, words[i], big_endian);
	buffer_add(&out, names, sizeof(names));
	return out;
}

/* A pair of the object and a pair of the kernel's BTF and the module's. */
static void write_triple(const char *dir, const char *kind, unsigned int nr, struct bytes object,
			 struct bytes btf, bool big_endian)
{
	struct buffer module = seed_module(btf, big_endian);
	struct buffer kernel = pair(btf, buffer_bytes(&module));

	write_pair(dir, kind, nr, object, buffer_bytes(&kernel));
	buffer_free(&kernel);
	buffer_free(&module);
}

static void make(const char *dir, unsigned int nr, struct bytes file)
{
	struct error err = { 0 };
	struct elf_image image;
	struct bytes btf, ext;
	struct buffer small, module;

	if (elf_image_parse(&image, file, &err)) {
		fprintf(stderr, "%s: %s\n", err.where, err.what);
		error_clear(&err);
		return;
	}
	btf = image.sections[elf_section_find(&image, ".BTF")].data;
	ext = image.sections[elf_section_find(&image, ".BTF.ext")].data;
	small = without_debug(&image);
	write_seed(dir, "elf", nr, buffer_bytes(&small));
	if (btf.size) {
		write_seed(dir, "btf", nr, btf);
		write_pair(dir, "btf_ext", nr, btf, ext);
		write_pair(dir, "core", nr, buffer_bytes(&small), btf);
		module = seed_module(btf, image.big_endian);
		write_pair(dir, "types", nr, nr % 2 ? btf : buffer_bytes(&small),
			   buffer_bytes(&module));
		buffer_free(&module);
		write_triple(dir, "externs", nr, buffer_bytes(&small), btf, image.big_endian);
	}
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		write_pair(dir, "set", nr * 8 + i, buffer_bytes(&small),
			   (struct bytes){ (const void *)settings[i], strlen(settings[i]) });
	buffer_free(&small);
	elf_image_free(&image);
}

/*
 * Also the text of a configuration, with what says that it is to be compressed and how it is read.
 */
static void make_externs(const char *dir, unsigned int nr)
{
	struct buffer object = seed_extern_object(), kernel = seed_extern_kernel();
	char text[] = "\0" SEED_CONFIG;

	make(dir, nr, buffer_bytes(&object));
	write_triple(dir, "externs", nr, buffer_bytes(&object), buffer_bytes(&kernel), false);
	for (; text[0] < 4; text[0]++)
		write_seed(dir, "config", text[0],
			   (struct bytes){ (unsigned char *)text, sizeof(text) - 1 });
	buffer_free(&object);
	buffer_free(&kernel);
}

static void make_struct_ops(const char *dir, unsigned int nr)
{
	struct buffer kernel = seed_ops_kernel();

	for (int link = 0; link < 2; link++) {
		struct buffer object = seed_ops_object(link);

		make(dir, nr + link, buffer_bytes(&object));
		write_triple(dir, "struct_ops", nr + link, buffer_bytes(&object),
			     buffer_bytes(&kernel), false);
		buffer_free(&object);
	}
	buffer_free(&kernel);
}

static void make_core(const char *dir, unsigned int nr)
{
	struct buffer object = seed_core_object(), target = seed_core_target();

	make(dir, nr, buffer_bytes(&object));
	write_pair(dir, "core", nr + 1, buffer_bytes(&object), buffer_bytes(&target));
	buffer_free(&object);
	buffer_free(&target);
}

/* BTF for pload inspect: names with terminal escapes, and types that contain each other. */
static void make_names(const char *dir, unsigned int nr)
{
	static const char name[] = "1\033[2J\xc2\x9f\u061c\u202e";
	struct btf_builder b = { 0 };
	uint32_t type = bb_int(&b, name, 4, 0);
	struct buffer raw;

	bb_struct(&b, BTF_KIND_STRUCT, name, 4, false);
	bb_member(&b, name, type, 0, 0);
	bb_enum(&b, BTF_KIND_ENUM, name, 4, false);
	bb_enumerator(&b, name, 1);
	bb_fwd(&b, name, true);
	for (int i = 0; i < 40; i++) {
		const uint32_t pointer = bb_ref(&b, BTF_KIND_PTR, "", type);

		type = bb_proto(&b, 0);
		bb_param(&b, name, pointer);
		bb_param(&b, name, pointer);
	}
	bb_ref(&b, BTF_KIND_TYPEDEF, name, type);
	raw = bb_btf(&b);
	bb_free(&b);
	write_seed(dir, "elf", nr, buffer_bytes(&raw));
	buffer_free(&raw);
}

static void make_events(const char *dir)
{
	const char *text;

	for (unsigned int i = 0; (text = seed_events(i)); i++)
		write_seed(dir, "events", i, (struct bytes){ (const void *)text, strlen(text) });
}

static void make_report(const char *dir)
{
	write_seed(dir, "report", 0,
		   (struct bytes){ (const unsigned char *)FIXTURE, sizeof(FIXTURE) - 1 });
}

static void make_probed(const char *dir)
{
	for (unsigned int form = 0; form < NR_SEEDS_PROBED; form++) {
		struct buffer file = seed_probed(form);

		write_seed(dir, "exec", form, buffer_bytes(&file));
		buffer_free(&file);
	}
}

int main(int argc, char **argv)
{
	unsigned int nr = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: seeds DIR OBJECT...\n");
		return 2;
	}
	mkdir(argv[1], 0777);
	make_events(argv[1]);
	make_report(argv[1]);
	for (unsigned int form = 0; form < NR_FORMS; form++) {
		struct bytes object = form_object(form);

		make(argv[1], nr++, object);
		free((void *)object.data);
	}
	make_externs(argv[1], nr++);
	make_core(argv[1], nr);
	nr += 2;
	make_struct_ops(argv[1], nr);
	nr += 2;
	make_names(argv[1], nr++);
	make_probed(argv[1]);
	for (int i = 2; i < argc; i++) {
		struct bytes object = mutate_file(argv[i]);

		make(argv[1], nr++, object);
		free((void *)object.data);
	}
	return 0;
}
