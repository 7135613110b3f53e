// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Resolve each CO-RE relocation passed by relocate(), and remember the poisoned instructions. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "loader/objects/co_re/co_re.h"
#include "loader/objects/co_re/co_re_internal.h"
#include "loader/explain/kernel/refused.h"

/*
 * Cache results for relocations with the same record: thousands of relocations refer to a few
 * fields.
 */
struct result {
	bool used;
	struct btf_core_relo relo;
	struct co_re_result res;
};

struct poisoned {
	uint32_t insn;		/* index in the linked program */
	const char *func;
	struct btf_core_relo relo;
	enum co_re_outcome outcome;
};

struct co_re_state {
	struct co_re_pair pair;
	const struct btf *vmlinux;	/* borrowed; NULL until opened */
	struct co_re_candidates names;
	uint32_t nr_modules;	/* modules among the candidates */
	bool added_modules;	/* all modules were searched */
	struct result *results;	/* owned; a hash table */
	uint32_t mask;
	struct poisoned *poisoned;	/* owned; for the program linked last */
	uint32_t nr_poisoned;
};

static int make_state(struct co_re *co_re, struct error *err)
{
	const struct btf_ext_info *info = &co_re->obj->ext.core_relo;
	struct co_re_state *s = calloc(1, sizeof(*s));
	uint64_t nr = 1, size = 2, steps;

	for (uint32_t i = 0; i < info->nr_secs; i++)
		nr += info->secs[i].num;
	while (size < 2 * nr)
		size *= 2;
	if (s)
		s->results = calloc(size, sizeof(*s->results));
	if (!s || !s->results) {
		free(s);
		return error_set(err, ENOMEM, "no memory for %" PRIu64 " CO-RE relocations", nr);
	}
	s->mask = size - 1;
	s->pair.local = &co_re->obj->btf;
	steps = CO_RE_STEPS + nr * CO_RE_STEPS_EACH;
	s->pair.steps = steps < CO_RE_STEPS_MAX ? CO_RE_STEPS_MAX - steps : 0;
	co_re->state = s;
	return 0;
}

int co_re_set_target(struct co_re *co_re, const struct btf *target, struct error *err)
{
	int ret = co_re->state ? 0 : make_state(co_re, err);

	if (!ret)
		ret = co_re_candidates_find(&co_re->state->names, &co_re->obj->btf,
					    &co_re->obj->ext, target, err);
	if (!ret)
		co_re->state->vmlinux = target;
	return ret;
}

/* Open the kernel's types at the first relocation that needs them. */
static int open_target(struct co_re *co_re, uint32_t kind, struct error *err)
{
	struct co_re_state *s = co_re->state;
	const struct btf *vmlinux;
	int ret;

	if (s->vmlinux || kind == BPF_CORE_TYPE_ID_LOCAL)
		return 0;
	ret = kernel_types_vmlinux(co_re->types, &vmlinux, err);
	return ret ? ret : co_re_set_target(co_re, vmlinux, err);
}

/*
 * Modules are searched once, for all types missing from vmlinux, and only if one is needed. After
 * an error, the next program continues with the module that failed.
 */
static int add_modules(struct co_re *co_re, struct error *err)
{
	struct co_re_state *s = co_re->state;
	const struct btf *btf;
	int ret = 0;

	while (co_re->types) {
		ret = kernel_types_module(co_re->types, s->nr_modules, &btf, err);
		if (ret > 0)
			ret = co_re_candidates_add_module(&s->names, btf, err);
		else
			s->added_modules = !ret;
		if (ret || s->added_modules)
			return ret;
		s->nr_modules++;
	}
	s->added_modules = true;
	return 0;
}

static int resolve(struct co_re *co_re, struct btf_core_relo relo, struct co_re_result *res,
		   struct error *err)
{
	struct co_re_state *s = co_re->state;
	int ret = open_target(co_re, relo.kind, err);

	if (!ret)
		ret = co_re_resolve(&s->pair, &s->names, relo, res, err);
	if (ret || !res->no_candidate || s->added_modules)
		return ret;
	ret = add_modules(co_re, err);
	return ret ? ret : co_re_resolve(&s->pair, &s->names, relo, res, err);
}

/*
 * The hash includes the table's address, so that an object cannot be built to make all entries
 * collide.
 */
static struct result *find_result(const struct co_re_state *s, struct btf_core_relo relo)
{
	uint64_t at = ((uint64_t)relo.type_id << 32 | relo.access_str_off) ^ (uintptr_t)s->results;

	at = (at ^ at >> 29) * UINT64_C(0x9e3779b97f4a7c15) + relo.kind;
	for (at ^= at >> 32;; at++) {
		struct result *r = &s->results[at & s->mask];

		if (!r->used || (r->relo.type_id == relo.type_id && r->relo.kind == relo.kind &&
				 r->relo.access_str_off == relo.access_str_off))
			return r;
	}
}

static int get_result(struct co_re *co_re, struct btf_core_relo relo, struct co_re_result *res,
		      struct error *err)
{
	struct result *r = find_result(co_re->state, relo);
	int ret;

	if (!r->used) {
		ret = resolve(co_re, relo, &r->res, err);
		if (ret)
			return ret;
		r->used = true;
		r->relo = relo;
	}
	*res = r->res;
	return 0;
}

static int remember(struct co_re_state *s, const struct co_re_site *site,
		    enum co_re_outcome outcome, struct error *err)
{
	struct poisoned *p = array_grow(s->poisoned, s->nr_poisoned, sizeof(*p));

	if (!p)
		return error_set(err, ENOMEM, "no memory for a poisoned instruction");
	s->poisoned = p;
	p[s->nr_poisoned++] = (struct poisoned){
		.insn = site->insn, .func = site->func->name, .relo = site->relo, .outcome = outcome
	};
	return 0;
}

/* Describe the subject of @relo: "struct 'task_struct.mm.pgd[1]'", "enum 'state RUNNING'". */
static void describe(char *text, size_t size, const struct btf *btf, struct btf_core_relo relo)
{
	struct btf_type_view t = checked_type(btf, relo.type_id);
	struct co_re_spec spec;
	int n;

	n = snprintf(text, size, "%s '%.80s", btf_kind_name(t.kind), t.name);
	if (co_re_spec_parse(&spec, btf, relo, NULL))
		spec.nr = 0;
	for (uint32_t i = 0; i < spec.nr && n >= 0 && (size_t)n < size; i++) {
		const struct co_re_access *a = &spec.access[i];

		if (a->name)
			n += snprintf(text + n, size - n, "%s%.60s",
				      co_re_kind_is_enum(relo.kind) ? " " : ".", a->name);
		else if (i || a->index)
			n += snprintf(text + n, size - n, "[%" PRIu32 "]", a->index);
	}
	if (n >= 0 && (size_t)n < size)
		snprintf(text + n, size - n, "'");
}

/* Tell the trace how @site was patched or poisoned. */
static void note_patch(struct co_re *co_re, const struct co_re_site *site,
		       const struct co_re_result *res, bool poisoned)
{
	char what[200], here[48] = "not in this kernel: poisoned";

	if (!poisoned)
		snprintf(here, sizeof(here), "%" PRIu64 " in this kernel", res->target);
	describe(what, sizeof(what), &co_re->obj->btf, site->relo);
	sys_note(co_re->types->sys, "CO-RE: insn %" PRIu32 " of '%s': %s of %s: %" PRIu64
		 " by the object's types, %s", site->insn, site->func->name,
		 object_co_re_kind(site->relo.kind), what, res->local, here);
}

static int relocate_here(void *arg, const struct co_re_site *site, struct prog_code *code,
			 struct error *err)
{
	struct co_re *co_re = arg;
	struct co_re_result res;
	enum co_re_outcome outcome;
	char what[200];
	int ret = co_re->state ? 0 : make_state(co_re, err);

	if (!ret)
		ret = get_result(co_re, site->relo, &res, err);
	if (!ret)
		ret = co_re_patch(&code->insns[site->insn], site->end - site->insn, &res, &outcome,
				  err);
	if (ret >= 0 && co_re->types && co_re->types->sys->remark)
		note_patch(co_re, site, &res, ret > 0);
	if (ret > 0)
		ret = remember(co_re->state, site, outcome, err);
	if (ret < 0) {
		describe(what, sizeof(what), &co_re->obj->btf, site->relo);
		error_reason_default(err, "core/relocation");
		error_where(err, "CO-RE relocation %s of %s",
			    object_co_re_kind(site->relo.kind), what);
	}
	return ret;
}

/* The kernel accepts the same record, with the instruction's offset in the linked program. */
static int pass_to_kernel(void *arg, const struct co_re_site *site, struct prog_code *code,
			  struct error *err)
{
	struct bpf_core_relo *relos =
		array_grow(code->core_relos, code->nr_core_relos, sizeof(*relos));

	(void)arg;
	if (!relos)
		return error_set(err, ENOMEM, "no memory for CO-RE relocations");
	code->core_relos = relos;
	relos[code->nr_core_relos++] = (struct bpf_core_relo){
		.insn_off = site->insn * sizeof(struct bpf_insn),
		.type_id = site->relo.type_id,
		.access_str_off = site->relo.access_str_off,
		.kind = site->relo.kind,
	};
	return 0;
}

void co_re_init(struct co_re *co_re, struct kernel_types *types, struct bpf_object *obj,
		bool by_kernel)
{
	*co_re = (struct co_re){ .types = types, .obj = obj, .by_kernel = by_kernel };
	co_re->hook.apply = by_kernel ? pass_to_kernel : relocate_here;
	co_re->hook.arg = co_re;
	obj->co_re = &co_re->hook;
}

void co_re_begin_prog(struct co_re *co_re)
{
	if (co_re->state)
		co_re->state->nr_poisoned = 0;
}

/*
 * Return the last poisoned instruction in the verifier log, or UINT32_MAX. Its line is "12: (85)
 * call unknown#195896080".
 */
static uint32_t refused_insn(const char *log)
{
	const char *found = NULL, *line, *end = verifier_log_end(log);
	unsigned int insn;
	char needle[32];

	snprintf(needle, sizeof(needle), " call unknown#%d", CO_RE_POISON);
	for (const char *p = strstr(log, needle); p && p < end; p = strstr(p + 1, needle))
		found = p;
	if (!found)
		return UINT32_MAX;
	for (line = found; line > log && line[-1] != '\n'; line--)
		;
	return sscanf(line, "%u: (85)", &insn) == 1 ? insn : UINT32_MAX;
}

static const char *const reasons[] = {
	[CO_RE_NO_TYPE] = "the kernel has no type with that kind and name",
	[CO_RE_NO_MATCH] = "the kernel's type does not have it, or has it with a different kind",
	[CO_RE_BAD_SIZE] = "its size is different in the kernel, and it is not an unsigned integer",
};

static const char *const remedies[] = {
	[CO_RE_NO_TYPE] = "test with bpf_core_type_exists() before using it",
	[CO_RE_NO_MATCH] = "test with bpf_core_field_exists() or bpf_core_enum_value_exists() "
			   "before using it",
	[CO_RE_BAD_SIZE] = "read it with bpf_core_read()",
};

/* The first note is where the verifier found the poison: add what the kernel lacks. */
static void explain_note(const struct poisoned *p, const struct bpf_object *obj,
			 const struct prog_code *code, const struct co_re_missing *missing,
			 struct error *err)
{
	struct source_line line;

	if (!err->nr_notes)
		return;
	line = prog_code_line(obj, code, p->insn, missing->word[0] ? missing->word : NULL);
	source_line_note(&line, &err->notes[0]);
	snprintf(err->notes[0].text, sizeof(err->notes[0].text), "%s", missing->what);
	err->nr_notes = 1;	/* the instruction fails on every path */
}

static void explain_poisoned(struct co_re_state *s, const struct poisoned *p,
			     const struct bpf_object *obj, const struct prog_code *code,
			     struct error *err)
{
	struct co_re_missing missing = { 0 };
	char what[200];

	if (p->outcome != CO_RE_BAD_SIZE && s->vmlinux)
		co_re_explain_missing(&s->pair, &s->names, s->vmlinux, p->relo, &missing);
	if (!missing.what[0])
		snprintf(missing.what, sizeof(missing.what), "%s", reasons[p->outcome]);
	explain_note(p, obj, code, &missing, err);
	describe(what, sizeof(what), &obj->btf, p->relo);
	error_hint(err, "%s", missing.hint[0] ? missing.hint : remedies[p->outcome]);
	error_what(err,
		   "CO-RE relocation %s of %s, at instruction %" PRIu32 " in function '%.60s', "
		   "cannot be resolved: %s", object_co_re_kind(p->relo.kind), what, p->insn,
		   p->func, missing.what);
}

void co_re_explain(const struct co_re *co_re, const struct prog_code *code, struct error *err)
{
	struct co_re_state *s = co_re->state;
	uint32_t insn = s && err->log ? refused_insn(err->log) : UINT32_MAX;

	for (uint32_t i = 0; insn != UINT32_MAX && i < s->nr_poisoned; i++) {
		if (s->poisoned[i].insn != insn)
			continue;
		error_reason(err, "core/not-met");
		explain_poisoned(s, &s->poisoned[i], co_re->obj, code, err);
		return;
	}
}

static int compare_poisoned(const void *key, const void *element)
{
	const uint32_t insn = *(const uint32_t *)key;
	const uint32_t other = ((const struct poisoned *)element)->insn;

	return insn < other ? -1 : insn > other;
}

int co_re_answer(struct co_re *co_re, struct btf_core_relo relo, uint32_t insn,
		 struct co_re_answer *out, struct error *err)
{
	struct co_re_missing missing = { 0 };
	const struct poisoned *p;
	struct co_re_state *s;
	struct co_re_result res;
	int ret = co_re->state ? 0 : make_state(co_re, err);

	*out = (struct co_re_answer){ 0 };
	describe(out->access, sizeof(out->access), &co_re->obj->btf, relo);
	if (!ret)
		ret = get_result(co_re, relo, &res, err);
	if (ret)
		return ret;
	out->local = res.local;
	out->target = res.target;
	s = co_re->state;
	/* Functions and their relocations were linked in ascending order. */
	p = s->nr_poisoned ? bsearch(&insn, s->poisoned, s->nr_poisoned, sizeof(*p),
				     compare_poisoned) : NULL;
	if (!p)
		return 0;
	out->poisoned = true;
	if (p->outcome != CO_RE_BAD_SIZE && s->vmlinux)
		co_re_explain_missing(&s->pair, &s->names, s->vmlinux, relo, &missing);
	snprintf(out->why, sizeof(out->why), "%s", missing.what[0] ? missing.what :
								     reasons[p->outcome]);
	snprintf(out->hint, sizeof(out->hint), "%s", missing.hint[0] ? missing.hint :
								       remedies[p->outcome]);
	return 0;
}

void co_re_free(struct co_re *co_re)
{
	struct co_re_state *s = co_re->state;

	if (s) {
		co_re_candidates_free(&s->names);
		free(s->results);
		free(s->poisoned);
		free(s);
	}
	memset(co_re, 0, sizeof(*co_re));
}
