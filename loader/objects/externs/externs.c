// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Resolve each use of an extern passed by relocate(), and explain the kernel's refusals. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/externs/externs_internal.h"
#include "loader/explain/kernel/refused.h"

static int alloc_values(struct externs *x, struct error *err)
{
	if (!x->values)
		x->values = calloc(x->obj->nr_externs + 1, sizeof(*x->values));
	return x->values ? 0 : error_set(err, ENOMEM, "no memory for %u externs",
					 x->obj->nr_externs);
}

static int apply_symbol(struct externs *x, const struct extern_site *site, struct bpf_insn *insn,
			struct error *err)
{
	const struct extern_value *v = &x->values[site->index];
	const bool weak = x->obj->externs[site->index].weak;
	uint64_t address;
	int ret = x->has_symbols ? 0 : ksyms_find(x, err);

	if (ret)
		return ret;
	if (v->state == EXTERN_AMBIGUOUS ||
	    (v->state == EXTERN_FOUND && x->has_no_addresses) ||
	    (v->state == EXTERN_MISSING && !weak))
		return ksym_missing(x, site->index, err);
	address = v->state == EXTERN_FOUND ? v->address + (int64_t)(int32_t)site->offset : 0;
	insn[0].src_reg = 0;
	insn[0].imm = (int32_t)address;
	insn[1].imm = (int32_t)(address >> 32);
	return 0;
}

static int apply(void *arg, const struct extern_site *site, struct prog_code *code,
		 struct error *err)
{
	struct externs *x = arg;
	const struct object_extern *e = &x->obj->externs[site->index];
	int ret = alloc_values(x, err);

	if (ret)
		return ret;
	x->used |= 1u << e->kind;
	switch (e->kind) {
	case OBJECT_EXTERN_KCONFIG:
		ret = kconfig_check(x, site->index, err);
		if (!ret && kconfig_is_unknown(x, site->index))
			x->unknown = e->name;
		break;
	case OBJECT_EXTERN_KSYM:
		ret = apply_symbol(x, site, &code->insns[site->insn], err);
		break;
	case OBJECT_EXTERN_KVAR:
	case OBJECT_EXTERN_KFUNC:
		ret = typed_ksym_apply(x, site, code, err);
		break;
	}
	if (ret < 0)
		error_reason_default(err, e->kind == OBJECT_EXTERN_KCONFIG ? "externs/config" :
									    "externs/missing");
	return ret;
}

void externs_init(struct externs *x, struct sys *sys, struct kernel_types *types,
		  struct bpf_object *obj, const char *kconfig)
{
	*x = (struct externs){ .sys = sys, .types = types, .obj = obj, .kconfig = kconfig };
	x->hook.apply = apply;
	x->hook.arg = x;
	obj->extern_hook = &x->hook;
}

static struct object_map *config_map(struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_externs; i++)
		if (obj->externs[i].kind == OBJECT_EXTERN_KCONFIG)
			return &obj->maps[obj->externs[i].map];
	return NULL;
}

int externs_read_kconfig(struct externs *x, struct error *err)
{
	struct object_map *map = config_map(x->obj);
	int ret;

	if (!map)
		return 0;
	free(map->content);
	map->content = calloc(1, map->value_size);
	if (!map->content)
		return error_set(err, ENOMEM, "no memory for the kernel's configuration");
	ret = alloc_values(x, err);
	if (!ret)
		ret = kconfig_read(x, map->content, err);
	if (!ret)
		ret = virtual_kconfig_read(x, map->content, err);
	return ret < 0 ? error_reason_default(err, "externs/config") : ret;
}

void externs_begin_prog(struct externs *x)
{
	x->used = 0;
	x->uses_module = false;
}

/* Return the extern whose poison is last in the verifier log, or NULL. */
static const struct object_extern *poisoned(const struct externs *x, const char *log)
{
	static const char call[] = " call unknown#";
	const char *found = NULL, *end = verifier_log_end(log);
	unsigned long n;

	for (const char *p = strstr(log, call); p && p < end; p = strstr(p + 1, call))
		found = p;
	if (!found)
		return NULL;
	n = strtoul(found + strlen(call), NULL, 10);
	return n >= EXTERN_POISON && n - EXTERN_POISON < x->obj->nr_externs ?
		       &x->obj->externs[n - EXTERN_POISON] : NULL;
}

/*
 * How kernels refuse kinds of externs that they do not support: the verifier with these words in
 * its log, bpf(2) with E2BIG for fd_array.
 */
static const struct {
	const char *log;	/* NULL: E2BIG without a log */
	uint32_t kinds;
	bool module;		/* only for module functions */
	const char *hint;
} refusals[] = {
	{ NULL, 1u << OBJECT_EXTERN_KFUNC, true,
	  "calls to module functions: Linux 5.16 or later" },
	{ "BPF_CALL uses reserved fields", 1u << OBJECT_EXTERN_KFUNC, true,
	  "calls to module functions: Linux 5.16 or later" },
	{ "BPF_CALL uses reserved fields", 1u << OBJECT_EXTERN_KFUNC, false,
	  "calls to kernel functions: Linux 5.13 or later" },
	{ "failed to find the address for kernel symbol", 1u << OBJECT_EXTERN_KVAR, false,
	  "the kernel looks up the variable in its symbols, which include variables only with "
	  "CONFIG_KALLSYMS_ALL" },
	{ "bpf_ld_imm64 insn", 1u << OBJECT_EXTERN_KVAR, false,
	  "typed kernel variables: Linux 5.10 or later" },
};

/*
 * Before Linux 6.4, ldimm64 accepts only addresses of variables. Programs compare a function's
 * address with 0 to check that it exists, and for that 1 is good enough. A note warns other
 * programs.
 */
bool externs_try_compat(struct externs *x, struct error *err)
{
	if (x->no_addresses || !(x->used & 1u << OBJECT_EXTERN_KFUNC) || !err->log ||
	    !strstr(err->log, "isn't KIND_VAR"))
		return false;
	x->no_addresses = true;
	error_clear(err);
	return true;
}

void externs_explain(const struct externs *x, struct error *err)
{
	const struct object_extern *e = err->log ? poisoned(x, err->log) : NULL;

	if (e) {
		error_reason(err, "externs/missing");
		error_hint(
			err,
			"the program calls '%.80s', which this kernel lacks or has with another "
			"prototype: check bpf_ksym_exists() before the call",
			e->name);
		return;
	}
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const bool matches = refusals[i].log ? err->log && strstr(err->log, refusals[i].log)
						     : !err->log && err->code == -E2BIG;

		if (!matches || !(x->used & refusals[i].kinds) ||
		    (refusals[i].module && !x->uses_module))
			continue;
		error_reason(err, "externs/not-supported");
		error_hint(err, "%s", refusals[i].hint);
		return;
	}
}

void externs_free(struct externs *x)
{
	for (uint32_t i = 0; x->values && i < x->obj->nr_externs; i++)
		free(x->values[i].text);
	free(x->values);
	free(x->config_error);
	memset(x, 0, sizeof(*x));
}
