// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What is not resolved, refused by its name: symbols from elsewhere, and CO-RE relocations when
 * nobody was given to resolve them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/object/parse.h"

/*
 * Whether BTF lists @symbol in the section @datasec, where a declaration with __ksym or __kconfig
 * puts it.
 */
static bool declared_in(const struct bpf_object *obj, const char *datasec, const char *symbol)
{
	uint32_t id = obj->has_btf ? btf_find(&obj->btf, BTF_KIND_DATASEC, datasec) : 0;
	struct btf_type_view t;

	if (!id)
		return false;
	t = btf_type(&obj->btf, id);
	for (uint32_t i = 0; i < t.vlen; i++)
		if (!strcmp(btf_type(&obj->btf, btf_datasec_var(&obj->btf, &t, i).type).name,
			    symbol))
			return true;
	return false;
}

/* The entry of the relocation section that @reloc was made of: an error names it. */
static void where_insn(struct error *err, const struct elf_image *image,
		       const struct object_code_section *code, uint32_t insn)
{
	uint32_t nr = elf_reloc_count(image, code->reloc_section), i = 0;

	while (i + 1 < nr &&
	       elf_reloc_get(image, code->reloc_section, i).offset / sizeof(struct bpf_insn) !=
		       insn)
		i++;
	where_reloc(err, image, code->reloc_section, i);
}

int error_unresolved(struct error *err, const struct bpf_object *obj,
		     const struct object_code_section *code, const struct object_reloc *reloc)
{
	const struct elf_symbol *symbol = &obj->image.symbols[reloc->index];
	bool call = insn_is_call(insn_get(&obj->image, code->section, reloc->insn));

	if (symbol->section < obj->image.nr_sections && symbol->section != SHN_UNDEF) {
		error_set(err, ENOTSUP,
			  "'%s' lies in section '%s', which is neither code, maps nor data",
			  symbol->name, obj->image.sections[symbol->section].name);
		error_hint(err, "data of programs goes into .data, .rodata or .bss");
	} else if (symbol->section != SHN_UNDEF) {
		error_set(err, ENOTSUP, "symbol '%s' has an absolute value", symbol->name);
		error_hint(err, "make it a constant of the program");
	} else if (declared_in(obj, ".kconfig", symbol->name)) {
		error_set(err, ENOTSUP,
			  "'%s' is a value of the kernel's config: not resolved by this version",
			  symbol->name);
		error_hint(err, "make it a constant of the program");
	} else if (declared_in(obj, ".ksyms", symbol->name)) {
		error_set(err, ENOTSUP, "'%s' is a kernel %s: not resolved by this version",
			  symbol->name, call ? "function (kfunc)" : "symbol (ksym)");
		error_hint(err, "%s",
			   call ? "use a helper function instead" :
				  "take its address from /proc/kallsyms");
	} else {
		error_set(err, ENOTSUP, "symbol '%s' is undefined", symbol->name);
		error_hint(err, "define it in this object%s",
			   call ? ", as static __noinline or global function" : "");
	}
	where_insn(err, &obj->image, code, reloc->insn);
	return -ENOTSUP;
}

/* enum bpf_core_relo_kind, in its order. */
static const char *const core_kinds[] = {
	"field_byte_offset", "field_byte_size",	 "field_exists",   "field_signed",
	"field_lshift_u64",  "field_rshift_u64", "type_id_local",  "type_id_target",
	"type_exists",	     "type_size",	 "enumval_exists", "enumval_value",
	"type_matches",
};

const char *object_core_kind(uint32_t kind)
{
	return kind < sizeof(core_kinds) / sizeof(core_kinds[0]) ? core_kinds[kind] :
								   "of an unknown kind";
}

int error_core(struct error *err, const struct bpf_object *obj, const struct object_func *func,
	       struct btf_core_relo relo)
{
	struct btf_type_view t = btf_type(&obj->btf, relo.type_id);
	const char *access = btf_string(&obj->btf, relo.access_str_off);

	error_set(err, ENOTSUP,
		  "CO-RE relocation %s of '%s %s', access '%s', and nobody to resolve it",
		  object_core_kind(relo.kind), btf_kind_name(t.kind), t.name, access ? access : "");
	error_hint(err, "compile against the running kernel's headers, without "
			"preserve_access_index");
	return where_core(err, obj, func, relo);
}

int where_core(struct error *err, const struct bpf_object *obj, const struct object_func *func,
	       struct btf_core_relo relo)
{
	return error_where(err, "function '%s', section '%s' at 0x%x", func->name,
			   obj->image.sections[func->section].name, relo.insn_off);
}
