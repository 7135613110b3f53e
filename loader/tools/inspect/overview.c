// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The overview: the file, its programs with what they use, maps, variables and externs. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "loader/objects/kernel_types/checked_types.h"
#include "loader/base/text/names.h"
#include "elf/insn/insn_text.h"
#include "loader/tools/inspect/inspect_internal.h"
#include "loader/core/value/value.h"

/* --- the file --- */

/* .comment contains the name of each compiler. Print the first. */
static void add_compiler(const struct inspect *in, struct json_object *msg)
{
	const struct raw_section *sec = raw_find(&in->elf, ".comment");
	const char *text = NULL;
	size_t at = 0;

	while (sec && at < sec->data.size && !sec->data.data[at])
		at++;
	if (sec)
		text = bytes_string(sec->data, at);
	value_add_string(msg, "compiler", text);
}

static int put_file(struct inspect *in, struct error *err)
{
	struct json_object *msg = message_new("inspect-file");
	const struct bpf_object *obj = &in->obj;

	value_add_uint(msg, "version", INSPECT_VERSION);
	value_add_string(msg, "file", in->path);
	value_add_uint(msg, "size", in->file.size);
	value_add_string(msg, "byte_order",
			 !in->elf.has_header ? NULL : in->elf.big_endian ? "big" : "little");
	add_compiler(in, msg);
	value_add_string(msg, "license", in->has_object ? obj->license : NULL);
	value_add_uint(msg, "sections", in->elf.nr_sections);
	value_add_uint(msg, "symbols", raw_nr_symbols(&in->elf));
	value_add_uint(msg, "types", in->has_object && obj->has_btf ? obj->btf.nr_types - 1 : 0);
	value_add_uint(msg, "programs", obj->nr_progs);
	value_add_uint(msg, "maps", obj->nr_maps);
	return inspect_put(in, msg, err);
}

/* --- programs --- */

/* Print what determined the type of the program. */
static void add_kind(const struct object_prog *prog, struct json_object *msg)
{
	const struct prog_kind *kind = prog->kind;
	char text[160];

	value_add_string(msg, "prog_type", sys_prog_type_name(kind->prog_type));
	value_add_string(msg, "attach_type",
			 kind->attach_type ? sys_attach_type_name(kind->attach_type) : NULL);
	value_add_bool(msg, "sleepable", kind->prog_flags & BPF_F_SLEEPABLE);
	if (kind == &prog_kind_unknown)
		snprintf(text, sizeof(text), "nothing: no known section name begins like this");
	else
		snprintf(text, sizeof(text), "the section name begins with \"%.100s\"",
			 kind->prefix);
	value_add_string(msg, "decided_by", text);
	value_add_string(msg, "attaches_to", prog->target);
}

static struct json_object *names_of_helpers(const struct reach *reach)
{
	struct json_object *list = json_object_new_array();
	char number[16];

	for (uint32_t i = 0; i < sizeof(reach->helpers); i++) {
		const char *name = helper_name(i);

		if (!reach->helpers[i])
			continue;
		snprintf(number, sizeof(number), "#%" PRIu32, i);
		value_append(list, json_object_new_string(name ? name : number));
	}
	return list;
}

static void add_uses(const struct inspect *in, const struct reach *reach, struct json_object *msg)
{
	struct json_object *maps = json_object_new_array(), *externs = json_object_new_array(),
			   *funcs = json_object_new_array();
	const struct bpf_object *obj = &in->obj;

	value_add_uint(msg, "instructions", reach->nr_insns);
	value_add_bool(msg, "followed", reach->whole);
	value_add(msg, "helpers", names_of_helpers(reach));
	for (uint32_t i = 0; i < reach->maps.nr; i++)
		value_append(maps, json_object_new_string(obj->maps[reach->maps.index[i]].name));
	for (uint32_t i = 0; i < reach->externs.nr; i++)
		value_append(externs,
			     json_object_new_string(obj->externs[reach->externs.index[i]].name));
	for (uint32_t i = 1; i < reach->funcs.nr; i++)
		value_append(funcs,
			     json_object_new_string(obj->funcs[reach->funcs.index[i]].name));
	value_add(msg, "maps", maps);
	value_add(msg, "externs", externs);
	value_add(msg, "subprograms", funcs);
}

static int put_prog(struct inspect *in, const struct object_prog *prog, const struct reach *reach,
		    struct error *err)
{
	struct json_object *msg = message_new("inspect-program");

	value_add_string(msg, "name", prog->name);
	value_add_string(msg, "section", prog->section);
	add_kind(prog, msg);
	value_add_bool(msg, "optional", prog->optional);
	add_uses(in, reach, msg);
	return inspect_put(in, msg, err);
}

static int put_progs(struct inspect *in, struct error *err)
{
	struct reach reach;
	int ret = reach_begin(in, &reach, 1, err);

	for (uint32_t i = 0; !ret && i < in->obj.nr_progs; i++) {
		reach_find(in, i, &reach);
		ret = put_prog(in, &in->obj.progs[i], &reach, err);
	}
	reach_free(&reach);
	return ret;
}

/* --- maps, variables, externs --- */

static void add_type(const struct inspect *in, struct json_object *msg, const char *key,
		     uint32_t id, const char *name)
{
	char text[256];
	size_t len;

	if (!in->obj.has_btf || !id) {
		value_add_null(msg, key);
		return;
	}
	type_declaration(&in->obj.btf, id, name, text, sizeof(text));
	len = strlen(text);
	if (!name && len && text[len - 1] == ' ')
		text[len - 1] = '\0';
	value_add_string(msg, key, text);
}

static int put_map(struct inspect *in, const struct object_map *map, struct error *err)
{
	static const char *const kinds[] = {
		[OBJECT_MAP_BTF] = "btf", [OBJECT_MAP_LEGACY] = "legacy",
		[OBJECT_MAP_DATA] = "data", [OBJECT_MAP_STRUCT_OPS] = "struct_ops",
	};
	struct json_object *msg = message_new("inspect-map");

	value_add_string(msg, "name", map->name);
	value_add_string(msg, "declared_as", kinds[map->kind]);
	value_add_string(msg, "map_type", sys_map_type_name(map->type));
	value_add_uint(msg, "key_size", map->key_size);
	value_add_uint(msg, "value_size", map->value_size);
	value_add_uint(msg, "max_entries", map->max_entries);
	value_add_uint(msg, "map_flags", map->map_flags);
	add_type(in, msg, "key", map->key_type, NULL);
	add_type(in, msg, "value", map->value_type, NULL);
	value_add_bool(msg, "read_only", map->read_only);
	value_add_bool(msg, "pinned", object_map_is_pinned(map));
	return inspect_put(in, msg, err);
}

/* Print the variables of one section: the entries of its DATASEC. */
static int put_variables(struct inspect *in, const struct object_map *map, struct error *err)
{
	const struct btf *btf = &in->obj.btf;
	const struct btf_type_view sec = btf_type(btf, map->data_type);
	int ret = 0;

	for (uint32_t i = 0; !ret && i < sec.vlen; i++) {
		const struct btf_var_view entry = btf_datasec_var(btf, &sec, i);
		const struct btf_type_view var = btf_type(btf, entry.type);
		struct json_object *msg;

		if (var.kind != BTF_KIND_VAR)
			continue;
		msg = message_new("inspect-variable");
		value_add_string(msg, "name", var.name);
		value_add_string(msg, "section", map->name);
		value_add_uint(msg, "offset", entry.offset);
		value_add_uint(msg, "size", entry.size);
		add_type(in, msg, "declaration", var.type, var.name);
		ret = inspect_put(in, msg, err);
	}
	return ret;
}

static int put_extern(struct inspect *in, const struct object_extern *e, struct error *err)
{
	static const char *const kinds[] = {
		[OBJECT_EXTERN_KCONFIG] = "kconfig", [OBJECT_EXTERN_KSYM] = "ksym",
		[OBJECT_EXTERN_KVAR] = "variable", [OBJECT_EXTERN_KFUNC] = "kfunc",
	};
	struct json_object *msg = message_new("inspect-extern");

	value_add_string(msg, "name", e->name);
	value_add_string(msg, "kind", kinds[e->kind]);
	value_add_bool(msg, "weak", e->weak);
	add_type(in, msg, "declaration", e->type, e->name);
	return inspect_put(in, msg, err);
}

static int inspect_object(struct inspect *in, struct error *err)
{
	const struct bpf_object *obj = &in->obj;
	int ret = put_progs(in, err);

	for (uint32_t i = 0; !ret && i < obj->nr_maps; i++)
		ret = put_map(in, &obj->maps[i], err);
	for (uint32_t i = 0; !ret && i < obj->nr_maps; i++)
		if (obj->has_btf && obj->maps[i].data_type)
			ret = put_variables(in, &obj->maps[i], err);
	for (uint32_t i = 0; !ret && i < obj->nr_externs; i++)
		ret = put_extern(in, &obj->externs[i], err);
	return ret;
}

int inspect_overview(struct inspect *in, struct error *err)
{
	int ret = put_file(in, err);

	if (ret || !in->has_object)
		return ret;
	ret = inspect_object(in, err);
	return ret ? ret : inspect_refusals(in, err);
}
