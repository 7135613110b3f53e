// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Read a BPF object step by step, and report which step failed. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/object/feature.h"

struct object_map *object_add_map(struct bpf_object *obj)
{
	struct object_map *maps = array_grow(obj->maps, obj->nr_maps, sizeof(*maps));

	if (!maps)
		return NULL;
	obj->maps = maps;
	maps += obj->nr_maps++;
	memset(maps, 0, sizeof(*maps));
	maps->inner = -1;
	return maps;
}

int where_reloc(struct error *err, const struct elf_image *image, uint32_t section, uint32_t i)
{
	struct elf_reloc reloc = elf_reloc_get(image, section, i);

	error_at(err, image->sections[section].offset +
			      i * (reloc.has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel)));
	return error_where(err, "%s[%u] at 0x%llx", image->sections[section].name, i,
			   (unsigned long long)reloc.offset);
}

int where_insn(struct error *err, const struct elf_image *image,
	       const struct object_code_section *code, uint32_t insn)
{
	uint32_t nr = elf_reloc_count(image, code->reloc_section), i = 0;

	while (i + 1 < nr &&
	       elf_reloc_get(image, code->reloc_section, i).offset / sizeof(struct bpf_insn) !=
		       insn)
		i++;
	return where_reloc(err, image, code->reloc_section, i);
}

int where_co_re(struct error *err, const struct bpf_object *obj, const struct object_func *func,
	       struct btf_core_relo relo)
{
	return error_where(err, "function '%s', section '%s' at 0x%x", func->name,
			   obj->image.sections[func->section].name, relo.insn_off);
}

/*
 * The kernel expects a string, but char l[3] SEC("license") = "GPL" is not terminated.
 */
static int parse_license(struct parse *p, struct error *err)
{
	struct bpf_object *obj = p->obj;
	const int64_t section = name_index_find(&p->by_name, "license");
	struct bytes data;

	obj->license = "";
	if (section < 0)
		return 0;
	data = obj->image.sections[section].data;
	obj->license = bytes_string(data, 0);
	if (obj->license)
		return 0;
	if (!data.size) {
		obj->license = "";
		return 0;
	}
	obj->license_copy = strndup((const char *)data.data, data.size);
	if (!obj->license_copy)
		return error_set(err, ENOMEM, "no memory for a license of %zu bytes", data.size);
	obj->license = obj->license_copy;
	return 0;
}

static int parse_version(struct parse *p, struct error *err)
{
	const struct elf_image *image = &p->obj->image;
	const int64_t section = name_index_find(&p->by_name, "version");

	if (section < 0)
		return 0;
	/* Trailing words are ignored, as in the kernel since Linux 5.0. */
	if (image->sections[section].data.size < sizeof(uint32_t)) {
		error_set(err, EBADMSG, "a kernel version is 4 bytes long, not %zu",
			  image->sections[section].data.size);
		error_hint(err,
			   "write: unsigned int version SEC(\"version\") = LINUX_VERSION_CODE;");
		return error_where(err, "section %" PRId64 " 'version'", section);
	}
	p->obj->version = bytes_u32(image->sections[section].data, 0, image->swap);
	return 0;
}

static int parse_symbols(struct parse *p, struct error *err)
{
	return features_parse(p, PARSE_SYMBOLS, err);
}

static int parse_other_maps(struct parse *p, struct error *err)
{
	return features_parse(p, PARSE_MAPS, err);
}

static int parse_rest(struct parse *p, struct error *err)
{
	return features_parse(p, PARSE_PROGS, err);
}

/* The steps, each with the reason code of its errors. */
static const struct {
	int (*parse)(struct parse *p, struct error *err);
	const char *reason;
} steps[] = {
	{ parse_sections, "object/elf" },
	{ parse_license, "object/elf" },
	{ parse_version, "object/version" },
	{ parse_btf, "object/btf" },
	{ features_check_sections, "object/feature" },
	{ parse_symbols, "object/btf" },
	{ fix_btf, "object/btf" },
	{ parse_btf_maps, "object/map" },
	{ parse_other_maps, "object/map" },
	{ parse_data_maps, "object/map" },
	{ parse_funcs, "object/program" },
	{ resolve_code, "object/relocation" },
	{ find_ranges, "object/program" },
	{ parse_progs, "object/program" },
	{ parse_rest, "object/program" },
};

int bpf_object_read(struct bpf_object *obj, const char *name, const struct source *source,
		    struct error *err)
{
	struct parse p = { .obj = obj };
	int ret;

	memset(obj, 0, sizeof(*obj));
	obj->name = name;
	ret = elf_image_read(&obj->image, source, err);
	if (ret)
		error_reason_default(err, "object/elf");
	for (size_t i = 0; !ret && i < sizeof(steps) / sizeof(steps[0]); i++) {
		ret = steps[i].parse(&p, err);
		if (ret)
			error_reason_default(err, steps[i].reason);
	}
	free(p.sections);
	free(p.symbols);
	name_index_free(&p.by_name);
	name_index_free(&p.undefined);
	free(p.extern_of);
	if (ret) {
		error_where(err, "%s", name);
		bpf_object_free(obj);
	}
	return ret;
}

int bpf_object_parse(struct bpf_object *obj, const char *name, struct bytes file, struct error *err)
{
	const struct source source = source_memory(&file);

	return bpf_object_read(obj, name, &source, err);
}

void bpf_object_free(struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		free(obj->maps[i].content);
		free(obj->maps[i].slots);
	}
	for (uint32_t i = 0; i < obj->nr_code; i++)
		free(obj->code[i].relocs);
	free(obj->maps);
	free(obj->code);
	free(obj->refused);
	free(obj->funcs);
	free(obj->linked);
	free(obj->link_order);
	free(obj->progs);
	free(obj->externs);
	free(obj->license_copy);
	btf_ext_free(&obj->ext);
	btf_free(&obj->btf);
	free(obj->btf_raw);
	free(obj->btf_error);
	elf_image_free(&obj->image);
	memset(obj, 0, sizeof(*obj));
}
