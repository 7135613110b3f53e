// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Resolve kernel variables and functions through BTF: find their ids, compare their types with the
 * declarations, and patch the instructions.
 *
 *	ldimm64 of a variable, or of a function's address:
 *		insns[0]: src_reg = BPF_PSEUDO_BTF_ID, imm = BTF id
 *		insns[1]: imm = descriptor of the module's BTF; 0: vmlinux
 *	call of a kfunc:
 *		src_reg = BPF_PSEUDO_KFUNC_CALL, imm = BTF id, off = index in fd_array; 0: vmlinux
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/co_re/co_re.h"
#include "loader/objects/externs/externs_internal.h"
#include "loader/objects/kernel_types/type_names.h"
#include "loader/objects/kernel_types/checked_types.h"

/* MAX_KFUNC_BTFS in kernel/bpf/verifier.c, plus index 0, which stands for vmlinux. */
#define FD_ARRAY_MAX 257

static bool is_typed(const struct object_extern *e)
{
	return e->kind == OBJECT_EXTERN_KVAR || e->kind == OBJECT_EXTERN_KFUNC;
}

/* The flavour of a function is not part of the kernel's name; @names owns the stripped names. */
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

static void store_answers(struct externs *x, const struct type_query *queries)
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
		store_answers(x, queries);
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
		return error_hint(err, "its module may not be loaded, or it belongs to another "
				       "kernel version; declare it __weak, and check "
				       "bpf_ksym_exists() before the call");
	}
	error_set(err, ENOENT, "this kernel has no variable '%s' in its types", e->name);
	return error_hint(err,
			  "the types describe per-CPU variables and few others; use \"extern "
			  "const void %.60s __ksym\" for the address of any variable",
			  e->name);
}

/* Compare an extern's type once: afterwards it is known to match, or the program was refused. */
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
	/*
	 * A weak function with a different prototype counts as missing, also for bpf_ksym_exists(),
	 * which programs use to choose between prototypes: print no note.
	 */
	if (!ret && e->weak && e->kind == OBJECT_EXTERN_KFUNC) {
		v->state = EXTERN_MISSING;
		return 0;
	}
	if (ret < 0)
		return error_set(err, -ret, "the types of '%s' need too many comparisons", e->name);
	type_declaration(&x->obj->btf, e->type, e->name, ours, sizeof(ours));
	type_declaration(kernel, there, btf_type(kernel, v->id).name, theirs, sizeof(theirs));
	error_set(err, EINVAL, "it is declared '%s', but the kernel has '%s'", ours, theirs);
	error_reason(err, "externs/type");
	return error_hint(err, "declare it as the kernel does: see bpftool btf dump format c");
}

/* Return the index of the BTF of @module in the fd_array of @code. Index 0 stands for vmlinux. */
static int fd_array_index(struct externs *x, int module, struct prog_code *code, struct error *err)
{
	int fd = kernel_types_module_fd(x->types, module, err), *grown;
	uint32_t nr = code->nr_fds ? code->nr_fds : 1;

	if (fd < 0)
		return fd;
	for (uint32_t i = 1; i < code->nr_fds; i++)
		if (code->fd_array[i] == fd)
			return i;
	if (nr == FD_ARRAY_MAX)
		return error_set(err, E2BIG, "the program calls functions in more than %u modules",
				 nr - 1);
	grown = realloc(code->fd_array, (nr + 1) * sizeof(*grown));
	if (!grown)
		return error_set(err, ENOMEM, "no memory for the types of modules");
	grown[0] = 0;
	grown[nr] = fd;
	code->fd_array = grown;
	code->nr_fds = nr + 1;
	return nr;
}

/* Patch a call to call the kernel's function. */
static int patch_call(struct externs *x, uint32_t index, struct bpf_insn *insn,
		      struct prog_code *code, struct error *err)
{
	const struct extern_value *v = &x->values[index];
	int index_of_fd = 0;

	if (v->state == EXTERN_MISSING) {
		*insn = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL,
					   .imm = EXTERN_POISON + (int32_t)index };
		return 0;
	}
	if (v->module >= 0)
		index_of_fd = fd_array_index(x, v->module, code, err);
	if (index_of_fd < 0)
		return index_of_fd;
	insn->src_reg = BPF_PSEUDO_KFUNC_CALL;
	insn->off = index_of_fd;
	insn->imm = v->id;
	return 0;
}

/* Patch ldimm64: the kernel replaces the id with the address. A missing symbol has address 0. */
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
		error_set(err, ENOTSUP,
			  "it uses the address %d bytes after the start of '%s', but the kernel "
			  "provides only the start",
			  (int32_t)site->offset, e->name);
		return error_hint(err, "add the offset to a pointer in the program");
	}
	x->uses_module |= v->state == EXTERN_FOUND && v->module >= 0;
	return insn->code == (BPF_JMP | BPF_CALL) ? patch_call(x, site->index, insn, code, err) :
						    patch_load(x, site->index, insn, err);
}
