// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Look up the BTF ids of all programs' load targets in one pass over the kernel's types.
 *
 *	section			type in the kernel's BTF
 *	fentry/vfs_read		FUNC "vfs_read"
 *	fentry/ext4:ext4_sync	FUNC "ext4_sync" of module ext4
 *	tp_btf/sched_switch	TYPEDEF "btf_trace_sched_switch"
 *	lsm/file_open		FUNC "bpf_lsm_file_open"
 *	iter/task		FUNC "bpf_iter_task"
 *	freplace/func		FUNC "func" of --target-prog
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/load_target/load_target_internal.h"
#include "loader/objects/kernel_types/type_names.h"

/* The type that a program is loaded for. */
struct target_type {
	uint32_t id;		/* 0: not found */
	int module;		/* module of the type; -1: vmlinux, or --target-prog */
};

/* Source: include/trace/bpf_probe.h, include/linux/bpf_lsm.h, DEFINE_BPF_ITER_FUNC(). */
static const struct target_naming namings[] = {
	[NAMES_BTF_FUNC] = {
		"", BTF_KIND_FUNC, "function",
		"it may be inlined everywhere, missing from the kernel's BTF (its name is not "
		"unique), or in a module that is not loaded"
	},
	[NAMES_BTF_TRACEPOINT] = {
		"btf_trace_", BTF_KIND_TYPEDEF, "tracepoint",
		"see /sys/kernel/tracing/events/CATEGORY/NAME for most of them; write only NAME"
	},
	[NAMES_BTF_HOOK] = {
		"bpf_lsm_", BTF_KIND_FUNC, "security hook",
		"use the hook names in include/linux/lsm_hook_defs.h, not those of the functions "
		"security_*()"
	},
	[NAMES_BTF_ITER] = {
		"bpf_iter_", BTF_KIND_FUNC, "iterator",
		"there are iterators task, task_file, bpf_map, bpf_prog and others, some in "
		"modules that may not be loaded"
	},
	[NAMES_PROG_FUNC] = {
		"", BTF_KIND_FUNC, "function", "bpftool btf dump prog id ID lists its functions"
	},
};

const struct target_naming *target_naming(enum section_names names)
{
	return names < sizeof(namings) / sizeof(namings[0]) && namings[names].noun ?
		       &namings[names] :
		       NULL;
}

const char *target_name(const struct object_prog *p)
{
	const char *colon = strchr(p->target, ':');

	return colon ? colon + 1 : p->target;
}

bool target_in_prog(const struct load_targets *t, const struct object_prog *p)
{
	return p->kind->names == NAMES_PROG_FUNC ||
	       (p->kind->names == NAMES_BTF_FUNC && t->prog);
}

void load_targets_init(struct load_targets *t, struct sys *sys, const struct bpf_object *obj,
		       const bool *wanted, struct kernel_types *types, const char *prog)
{
	*t = (struct load_targets){
		.sys = sys,
		.obj = obj,
		.wanted = wanted,
		.types = types,
		.prog = prog,
		.prog_fd = -1,
	};
}

void load_targets_free(struct load_targets *t)
{
	if (!t->sys)
		return;
	free(t->found);
	kernel_types_free(&t->prog_types);
	sys_close_fd(t->sys, &t->prog_fd);
	memset(t, 0, sizeof(*t));
}

/* --- looking up --- */

struct lookup {
	struct type_query *queries;	/* owned */
	char **texts;			/* owned, including what they point to; two per query */
	uint32_t *progs;		/* owned; the program of each query */
	uint32_t nr;
};

static void lookup_free(struct lookup *l)
{
	for (uint32_t i = 0; l->texts && i < 2 * l->nr; i++)
		free(l->texts[i]);
	free(l->texts);
	free(l->queries);
	free(l->progs);
}

/* Return true if the target of program @prog is looked up in the kernel or in --target-prog. */
static bool is_sought(const struct load_targets *t, uint32_t prog, bool in_prog)
{
	const struct object_prog *p = &t->obj->progs[prog];

	return t->wanted[prog] && target_naming(p->kind->names) && p->target &&
	       target_in_prog(t, p) == in_prog && strnlen(p->target, TYPE_NAME_MAX) < TYPE_NAME_MAX;
}

static int add_query(struct lookup *l, uint32_t prog, const struct object_prog *p)
{
	const struct target_naming *naming = target_naming(p->kind->names);
	const char *name = target_name(p);
	char **text = l->texts + 2 * l->nr;

	l->progs[l->nr++] = prog;
	if (asprintf(&text[0], "%s%s", naming->prefix, name) < 0)
		text[0] = NULL;
	if (name != p->target)
		text[1] = strndup(p->target, name - p->target - 1);
	l->queries[l->nr - 1] = (struct type_query){
		.name = text[0], .kinds = 1u << naming->kind, .only = text[1],
	};
	return text[0] && (text[1] || name == p->target) ? 0 : -ENOMEM;
}

static int add_queries(const struct load_targets *t, bool in_prog, struct lookup *l)
{
	const uint32_t max = t->obj->nr_progs + 1;
	int ret = 0;

	l->queries = calloc(max, sizeof(*l->queries));
	l->texts = calloc(max, 2 * sizeof(*l->texts));
	l->progs = calloc(max, sizeof(*l->progs));
	if (!l->queries || !l->texts || !l->progs)
		return -ENOMEM;
	for (uint32_t i = 0; !ret && i < t->obj->nr_progs; i++)
		if (is_sought(t, i, in_prog))
			ret = add_query(l, i, &t->obj->progs[i]);
	return ret;
}

/* Look up the targets in the kernel, or those in --target-prog. */
static int look_up(struct load_targets *t, bool in_prog, struct error *err)
{
	struct lookup l = { 0 };
	int ret = add_queries(t, in_prog, &l);

	if (ret)
		error_set(err, ENOMEM, "no memory for the targets of %" PRIu32 " programs",
			  t->obj->nr_progs);
	if (!ret && in_prog && l.nr && t->prog && t->prog_fd < 0)
		ret = target_prog_open(t, err);
	if (!ret && l.nr && (!in_prog || t->prog))
		ret = kernel_types_find(in_prog ? &t->prog_types : t->types, l.queries, l.nr, err);
	for (uint32_t i = 0; !ret && i < l.nr; i++)
		t->found[l.progs[i]] =
			(struct target_type){ l.queries[i].id, l.queries[i].module };
	lookup_free(&l);
	return ret;
}

static int look_up_all(struct load_targets *t, struct error *err)
{
	int ret;

	t->found = calloc(t->obj->nr_progs + 1, sizeof(*t->found));
	if (!t->found)
		return error_set(err, ENOMEM, "no memory for the targets of %" PRIu32 " programs",
				 t->obj->nr_progs);
	ret = look_up(t, false, err);
	if (!ret)
		ret = look_up(t, true, err);
	if (ret) {
		free(t->found);
		t->found = NULL;
	}
	return ret;
}

static int no_name(const struct object_prog *p, struct error *err)
{
	const struct target_naming *naming = target_naming(p->kind->names);

	error_set(err, EINVAL, "the section name contains no %s", naming->noun);
	error_reason(err, "prog-load/no-target");
	return error_hint(err, "SEC(\"%s/NAME\")", p->kind->prefix);
}

static int no_prog(const struct object_prog *p, struct error *err)
{
	error_set(err, EINVAL, "function '%.100s' belongs to another program, but none is given",
		  p->target);
	error_reason(err, "prog-load/no-target");
	return error_hint(
		err,
		"use --target-prog=ID, or the path of its pin; pload show progs lists ids");
}

static int get(struct load_targets *t, uint32_t prog, struct prog_target *target, struct error *err)
{
	const struct object_prog *p = &t->obj->progs[prog];
	const struct target_type *type;
	int ret;

	if (!p->target || !target_name(p)[0])
		return no_name(p, err);
	if (p->kind->names == NAMES_PROG_FUNC && !t->prog)
		return no_prog(p, err);
	ret = t->found ? 0 : look_up_all(t, err);
	if (ret)
		return ret;
	type = &t->found[prog];
	if (!type->id)
		return target_missing(t, p, err);
	if (target_in_prog(t, p))
		ret = t->prog_fd;
	else if (type->module >= 0)
		ret = kernel_types_module_fd(t->types, type->module, err);
	if (ret < 0)
		return ret;
	*target = (struct prog_target){
		.btf_id = type->id, .btf_fd = ret, .attach_type = p->kind->attach_type,
	};
	return 0;
}

int load_targets_get(struct load_targets *t, uint32_t prog, struct prog_target *target,
		     struct error *err)
{
	const struct object_prog *p = &t->obj->progs[prog];
	int ret;

	*target = (struct prog_target){ 0 };
	if (!target_naming(p->kind->names))
		return 0;
	ret = get(t, prog, target, err);
	if (ret < 0) {
		error_reason_default(err, "prog-load/no-target");
		error_where(err, "section \"%s\"", p->section);
		error_where(err, "prog '%s'", p->name);
	}
	return ret;
}
