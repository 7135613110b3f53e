// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Report an undefined symbol, or an extern or CO-RE relocation that no hook resolves. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/objects/declared/declared.h"

/* Return true if BTF declares the symbol in .maps: extern struct { ... } NAME SEC(".maps"); */
static bool is_extern_map(const struct bpf_object *obj, const char *name)
{
	const uint32_t id = obj->has_btf ? btf_find(&obj->btf, BTF_KIND_DATASEC, ".maps") : 0;
	const struct btf_type_view t = btf_type(&obj->btf, id);

	for (uint32_t i = 0; id && i < t.vlen; i++) {
		const struct btf_type_view var =
			btf_type(&obj->btf, btf_datasec_var(&obj->btf, &t, i).type);

		if (is_extern_var(&var) && !strcmp(var.name, name))
			return true;
	}
	return false;
}

static void set_undefined(struct error *err, const struct bpf_object *obj,
			  const struct object_code_section *code, const struct object_reloc *reloc)
{
	const struct elf_symbol *symbol = &obj->image.symbols[reloc->index];
	bool call = insn_is_call(insn_get(&obj->image, code->section, reloc->insn));

	if (symbol->section < obj->image.nr_sections && symbol->section != SHN_UNDEF) {
		error_set(err, ENOTSUP,
			  "'%s' is in section '%s', which is not code, maps or data",
			  symbol->name, obj->image.sections[symbol->section].name);
		error_hint(err, "put data into .data, .rodata or .bss");
	} else if (symbol->section != SHN_UNDEF) {
		error_set(err, ENOTSUP, "symbol '%s' has an absolute value", symbol->name);
		error_hint(err, "make it a constant in the program");
	} else if (is_extern_map(obj, symbol->name)) {
		error_set(err, ENOTSUP, "map '%s' is extern, but this object does not define it",
			  symbol->name);
		error_hint(err, "link it with the object that does: bpftool gen object all.o A.o "
				"B.o; or define the map here, pinned by name, to share it");
	} else {
		error_set(err, ENOTSUP, "symbol '%s' is undefined", symbol->name);
		error_hint(err, "define it in this object%s, "
				"or declare it __ksym if the kernel has it",
			   call ? ", as a static __noinline or global function" : "");
	}
}

static void set_extern(struct error *err, const struct bpf_object *obj,
		       const struct object_reloc *reloc)
{
	static const char *const kinds[] = {
		[OBJECT_EXTERN_KCONFIG] = "a value of the kernel's config",
		[OBJECT_EXTERN_KSYM] = "a kernel symbol (ksym)",
		[OBJECT_EXTERN_KVAR] = "a kernel variable (ksym)",
		[OBJECT_EXTERN_KFUNC] = "a kernel function (kfunc)",
	};
	const struct object_extern *e = &obj->externs[reloc->index];

	error_set(err, ENOTSUP, "'%s' is %s, which nothing resolves here", e->name, kinds[e->kind]);
}

/* In the order of enum bpf_core_relo_kind. */
static const char *const core_kinds[] = {
	"field_byte_offset", "field_byte_size",	 "field_exists",   "field_signed",
	"field_lshift_u64",  "field_rshift_u64", "type_id_local",  "type_id_target",
	"type_exists",	     "type_size",	 "enumval_exists", "enumval_value",
	"type_matches",
};

const char *object_co_re_kind(uint32_t kind)
{
	return kind < sizeof(core_kinds) / sizeof(core_kinds[0]) ? core_kinds[kind] :
								   "of an unknown kind";
}

static void set_co_re(struct error *err, const struct bpf_object *obj, struct btf_core_relo relo)
{
	struct btf_type_view t = btf_type(&obj->btf, relo.type_id);
	const char *access = btf_string(&obj->btf, relo.access_str_off);

	error_set(err, ENOTSUP,
		  "CO-RE relocation %s of '%s %s', access '%s', which nothing resolves here",
		  object_co_re_kind(relo.kind), btf_kind_name(t.kind), t.name,
		  access ? access : "");
	error_hint(err, "compile with the running kernel's headers, without preserve_access_index");
}

void explain_unresolved(struct sys *sys, const void *call, struct error *err)
{
	const struct unresolved_symbol *s = call;

	(void)sys;
	if (s->func)
		set_co_re(err, s->obj, s->core);
	else if (s->reloc->kind == OBJECT_RELOC_UNRESOLVED)
		set_undefined(err, s->obj, s->code, s->reloc);
	else
		set_extern(err, s->obj, s->reloc);
}
