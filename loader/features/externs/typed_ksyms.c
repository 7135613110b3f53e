// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Variables and functions of the kernel: found in its types, and compared with what was declared.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/features/co_re/co_re.h"
#include "loader/features/externs/externs_internal.h"
#include "loader/features/kernel_types/type_names.h"
#include "loader/features/kernel_types/unchecked_types.h"

/* MAX_KFUNC_BTFS of kernel/bpf/verifier.c, and the place that stands for vmlinux. */
#define FD_ARRAY_MAX 257

static bool is_typed(const struct object_extern *e)
{
	return e->kind == OBJECT_EXTERN_KVAR || e->kind == OBJECT_EXTERN_KFUNC;
}

/* Functions may have flavours, which are not part of the kernel's name. @names holds those. */
static int make_queries(const struct bpf_object *obj, struct type_query *queries, char **names)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < obj->nr_externs; i++) {
		const struct object_extern *e = &obj->externs[i];
		const size_t len = type_name_essential(e->name);
		const bool func = e->kind == OBJECT_EXTERN_KFUNC;

		if (!is_typed(e))
			continue;
		if (func && e->name[len])
			names[nr] = strndup(e->name, len);
		if (func && e->name[len] && !names[nr])
			return -ENOMEM;
		queries[nr] = (struct type_query){
			.name = names[nr] ? names[nr] : e->name,
			.kinds = 1u << (func ? BTF_KIND_FUNC : BTF_KIND_VAR),
		};
		nr++;
	}
	return nr;
}

static void take_answers(struct externs *x, const struct type_query *queries)
{
	for (uint32_t i = 0; i < x->obj->nr_externs; i++) {
		struct extern_value *v = &x->values[i];

		if (!is_typed(&x->obj->externs[i]))
			continue;
		v->state = queries->id ? EXTERN_FOUND : EXTERN_MISSING;
		v->id = queries->id;
		v->module = queries->module;
		queries++;
	}
	x->has_types = true;
}

static int look_up(struct externs *x, struct error *err)
{
	const uint32_t max = x->obj->nr_externs;
	struct type_query *queries = calloc(max + 1, sizeof(*queries));
	char **names = calloc(max + 1, sizeof(*names));
	int ret = queries && names ? make_queries(x->obj, queries, names) : -ENOMEM;

	if (ret < 0)
		error_set(err, ENOMEM, "no memory for the names of %u externs", max);
	else
		ret = kernel_types_find(x->types, queries, ret, err);
	if (!ret)
		take_answers(x, queries);
	for (uint32_t i = 0; names && i < max; i++)
		free(names[i]);
	free(names);
	free(queries);
	return ret;
}

static int missing(const struct object_extern *e, struct error *err)
{
	if (e->kind == OBJECT_EXTERN_KFUNC) {
		error_set(err, ENOENT, "this kernel has no function '%s' in its types", e->name);
		return error_hint(err, "it may be of a module that is not loaded, or of another "
				       "version; declare it __weak, and ask bpf_ksym_exists() "
				       "before calling it");
	}
	error_set(err, ENOENT, "this kernel has no variable '%s' in its types", e->name);
	return error_hint(err, "they have per-CPU variables and few others; \"extern const void "
			       "%.60s __ksym\" is the address of any",
			  e->name);
}

/* Compared once: afterwards it is known to be right, or the program is refused. */
static int check_type(struct externs *x, uint32_t index, struct error *err)
{
	const struct object_extern *e = &x->obj->externs[index];
	struct extern_value *v = &x->values[index];
	const struct btf *kernel = kernel_types_btf(x->types, v->module);
	const uint32_t there = btf_type(kernel, v->id).type;
	char ours[200], theirs[200];
	int ret =
		v->checked || !e->type ? 1 : co_re_same_type(&x->obj->btf, e->type, kernel, there);

	v->checked = ret > 0;
	if (ret > 0)
		return 0;
	/* A weak function of another prototype is one that is not there. */
	if (!ret && e->weak && e->kind == OBJECT_EXTERN_KFUNC) {
		v->state = EXTERN_MISSING;
		return 0;
	}
	if (ret < 0)
		return error_set(err, -ret, "the types of '%s' lead too far to be compared",
				 e->name);
	type_declaration(&x->obj->btf, e->type, e->name, ours, sizeof(ours));
	type_declaration(kernel, there, btf_type(kernel, v->id).name, theirs, sizeof(theirs));
	error_set(err, EINVAL, "declared is '%s', and the kernel has '%s'", ours, theirs);
	error_reason(err, "externs/type");
	return error_hint(err, "declare it as the kernel does, "
			       "as bpftool btf dump format c shows it");
}

/* Where in the fd_array of @code the BTF of @module is; the first place stands for vmlinux. */
static int module_place(struct externs *x, int module, struct prog_code *code, struct error *err)
{
	int fd = kernel_types_module_fd(x->types, module, err), *grown;
	uint32_t nr = code->nr_fds ? code->nr_fds : 1;

	if (fd < 0)
		return fd;
	for (uint32_t i = 1; i < code->nr_fds; i++)
		if (code->fd_array[i] == fd)
			return i;
	if (nr == FD_ARRAY_MAX)
		return error_set(err, E2BIG, "it calls functions of more than %u modules", nr - 1);
	grown = realloc(code->fd_array, (nr + 1) * sizeof(*grown));
	if (!grown)
		return error_set(err, ENOMEM, "no memory for the types of modules");
	grown[0] = 0;
	grown[nr] = fd;
	code->fd_array = grown;
	code->nr_fds = nr + 1;
	return nr;
}

/* call: a function of the kernel's instead of one of the program's. */
static int patch_call(struct externs *x, uint32_t index, struct bpf_insn *insn,
		      struct prog_code *code, struct error *err)
{
	const struct extern_value *v = &x->values[index];
	int place = 0;

	if (v->state == EXTERN_MISSING) {
		*insn = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL,
					   .imm = EXTERN_POISON + (int32_t)index };
		return 0;
	}
	if (v->module >= 0)
		place = module_place(x, v->module, code, err);
	if (place < 0)
		return place;
	insn->src_reg = BPF_PSEUDO_KFUNC_CALL;
	insn->off = place;
	insn->imm = v->id;
	return 0;
}

/* ldimm64: the kernel puts the address in; 0 where there is none. */
static int patch_load(struct externs *x, uint32_t index, struct bpf_insn *insn, struct error *err)
{
	const struct extern_value *v = &x->values[index];
	const bool func = x->obj->externs[index].kind == OBJECT_EXTERN_KFUNC;
	int fd = 0;

	if (v->state == EXTERN_MISSING || (func && x->no_addresses)) {
		insn[0].src_reg = 0;
		insn[0].imm = v->state != EXTERN_MISSING;
		insn[1].imm = 0;
		return 0;
	}
	if (v->module >= 0)
		fd = kernel_types_module_fd(x->types, v->module, err);
	if (fd < 0)
		return fd;
	insn[0].src_reg = BPF_PSEUDO_BTF_ID;
	insn[0].imm = v->id;
	insn[1].imm = fd;
	return 0;
}

int typed_ksym_apply(struct externs *x, const struct extern_site *site, struct prog_code *code,
		     struct error *err)
{
	const struct object_extern *e = &x->obj->externs[site->index];
	const struct extern_value *v = &x->values[site->index];
	struct bpf_insn *insn = &code->insns[site->insn];
	int ret = x->has_types ? 0 : look_up(x, err);

	if (!ret && v->state == EXTERN_FOUND)
		ret = check_type(x, site->index, err);
	if (ret)
		return ret;
	if (v->state == EXTERN_MISSING && !e->weak)
		return missing(e, err);
	if (site->offset) {
		error_set(err, ENOTSUP, "it takes an address %d bytes behind '%s', "
					"and the kernel gives that of its beginning",
			  (int32_t)site->offset, e->name);
		return error_hint(err, "add the offset to a pointer in the program");
	}
	x->uses_module |= v->state == EXTERN_FOUND && v->module >= 0;
	return insn->code == (BPF_JMP | BPF_CALL) ? patch_call(x, site->index, insn, code, err) :
						    patch_load(x, site->index, insn, err);
}
