// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What relocate() calls for each CO-RE relocation, and what is remembered of those not met. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "loader/features/co_re/co_re.h"
#include "loader/features/co_re/co_re_internal.h"

/* Results by what they depend on: of thousands of relocations most are about a few fields. */
struct result {
	bool used;
	struct btf_core_relo relo;
	struct co_re_result res;
};

struct poisoned {
	uint32_t insn;		/* of the linked program */
	const char *func;
	struct btf_core_relo relo;
	enum co_re_outcome why;
};

struct co_re_state {
	struct co_re_pair pair;
	const struct btf *vmlinux;	/* borrowed; NULL: not opened yet */
	struct co_re_candidates names;
	uint32_t nr_modules;	/* those asked so far, without an error */
	bool asked_modules;	/* all of them */
	struct result *results;	/* owned; a hash table */
	uint32_t mask;
	struct poisoned *poisoned;	/* owned; of the program linked last */
	uint32_t nr_poisoned;
};

static int make_state(struct co_re *core, struct error *err)
{
	const struct btf_ext_info *info = &core->obj->ext.core_relo;
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
	s->pair.local = &core->obj->btf;
	steps = CO_RE_STEPS + nr * CO_RE_STEPS_EACH;
	s->pair.steps = steps < CO_RE_STEPS_MAX ? CO_RE_STEPS_MAX - steps : 0;
	core->state = s;
	return 0;
}

int co_re_set_target(struct co_re *core, const struct btf *target, struct error *err)
{
	int ret = core->state ? 0 : make_state(core, err);

	if (!ret)
		ret = co_re_candidates_find(&core->state->names, &core->obj->btf, &core->obj->ext,
					    target, err);
	if (!ret)
		core->state->vmlinux = target;
	return ret;
}

/* The target is opened by the first relocation that looks at it; most objects have none at all. */
static int need_target(struct co_re *core, uint32_t kind, struct error *err)
{
	struct co_re_state *s = core->state;
	int ret;

	if (s->vmlinux || kind == BPF_CORE_TYPE_ID_LOCAL)
		return 0;
	ret = co_re_candidates_find_vmlinux(&s->names, &core->obj->btf, &core->obj->ext,
					    core->types, err);
	if (!ret)
		s->vmlinux = kernel_types_btf(core->types, -1);
	return ret;
}

/*
 * Modules are asked once, for everything that vmlinux does not have, and only when that is needed.
 * After an error the next program goes on with the module that failed: it must not be missing then.
 */
static int ask_modules(struct co_re *core, struct error *err)
{
	struct co_re_state *s = core->state;
	const struct btf *btf;
	int ret = 0;

	while (core->types) {
		ret = kernel_types_module(core->types, s->nr_modules, &btf, err);
		if (ret > 0)
			ret = co_re_candidates_add_module(&s->names, btf, err);
		else
			s->asked_modules = !ret;
		if (ret || s->asked_modules)
			return ret;
		s->nr_modules++;
	}
	s->asked_modules = true;
	return 0;
}

static int resolve(struct co_re *core, struct btf_core_relo relo, struct co_re_result *res,
		   struct error *err)
{
	struct co_re_state *s = core->state;
	int ret = need_target(core, relo.kind, err);

	if (!ret)
		ret = co_re_resolve(&s->pair, &s->names, relo, res, err);
	if (ret || !res->nowhere || s->asked_modules)
		return ret;
	ret = ask_modules(core, err);
	return ret ? ret : co_re_resolve(&s->pair, &s->names, relo, res, err);
}

/*
 * By where the table is, too: nobody can make an object of relocations that all have one place in
 * it.
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

static int get_result(struct co_re *core, struct btf_core_relo relo, struct co_re_result *res,
		      struct error *err)
{
	struct result *r = find_result(core->state, relo);
	int ret;

	if (!r->used) {
		ret = resolve(core, relo, &r->res, err);
		if (ret)
			return ret;
		r->used = true;
		r->relo = relo;
	}
	*res = r->res;
	return 0;
}

static int remember(struct co_re_state *s, const struct co_re_site *site, enum co_re_outcome why,
		    struct error *err)
{
	if (!(s->nr_poisoned & (s->nr_poisoned + 1))) {	/* room for twice as many when full */
		void *p = realloc(s->poisoned, 2 * (s->nr_poisoned + 1) * sizeof(*s->poisoned));

		if (!p)
			return error_set(err, ENOMEM, "no memory for a relocation not met");
		s->poisoned = p;
	}
	s->poisoned[s->nr_poisoned++] = (struct poisoned){
		.insn = site->insn, .func = site->func->name, .relo = site->relo, .why = why
	};
	return 0;
}

/*
 * "task_struct.mm.pgd": the path of a field by names, the enumerator of an enum; steps into arrays
 * as [1].
 */
static void describe(char *text, size_t size, const struct btf *btf, struct btf_core_relo relo)
{
	struct btf_type_view t = unchecked_type(btf, relo.type_id);
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

static int relocate_here(void *arg, const struct co_re_site *site, struct prog_code *code,
			 struct error *err)
{
	struct co_re *core = arg;
	struct co_re_result res;
	enum co_re_outcome why;
	char what[200];
	int ret = core->state ? 0 : make_state(core, err);

	if (!ret)
		ret = get_result(core, site->relo, &res, err);
	if (!ret)
		ret = co_re_patch(&code->insns[site->insn], site->end - site->insn, &res, &why,
				  err);
	if (ret > 0)
		ret = remember(core->state, site, why, err);
	if (ret < 0) {
		describe(what, sizeof(what), &core->obj->btf, site->relo);
		error_reason_default(err, "core/relocation");
		error_where(err, "CO-RE relocation %s of %s",
			    object_co_re_kind(site->relo.kind), what);
	}
	return ret;
}

/* The kernel wants the same record with the instruction's place in the program. */
static int hand_on(void *arg, const struct co_re_site *site, struct prog_code *code,
		   struct error *err)
{
	uint32_t nr = code->nr_core_relos;

	(void)arg;
	if (!(nr & (nr + 1))) {	/* room for twice as many when full */
		void *p = realloc(code->core_relos, 2 * (nr + 1) * sizeof(*code->core_relos));

		if (!p)
			return error_set(err, ENOMEM, "no memory for CO-RE relocations");
		code->core_relos = p;
	}
	code->core_relos[code->nr_core_relos++] = (struct bpf_core_relo){
		.insn_off = site->insn * sizeof(struct bpf_insn),
		.type_id = site->relo.type_id,
		.access_str_off = site->relo.access_str_off,
		.kind = site->relo.kind,
	};
	return 0;
}

void co_re_init(struct co_re *core, struct kernel_types *types, struct bpf_object *obj,
		bool by_kernel)
{
	*core = (struct co_re){ .types = types, .obj = obj, .by_kernel = by_kernel };
	core->hook.apply = by_kernel ? hand_on : relocate_here;
	core->hook.arg = core;
	obj->co_re = &core->hook;
}

void co_re_begin_prog(struct co_re *core)
{
	if (core->state)
		core->state->nr_poisoned = 0;
}

/* The instruction whose line in the log is the last to show the poison; UINT32_MAX: none does. */
static uint32_t refused_insn(const char *log)
{
	const char *found = NULL, *line;
	unsigned int insn;
	char needle[32];

	snprintf(needle, sizeof(needle), " call unknown#%d", CO_RE_POISON);
	for (const char *p = strstr(log, needle); p; p = strstr(p + 1, needle))
		found = p;
	if (!found)
		return UINT32_MAX;
	for (line = found; line > log && line[-1] != '\n'; line--)
		;
	return sscanf(line, "%u: (85)", &insn) == 1 ? insn : UINT32_MAX;
}

static const char *const reasons[] = {
	[CO_RE_NO_TYPE] = "the kernel has no type of that kind and name",
	[CO_RE_NO_MATCH] = "the kernel's type has it not, or as something of another kind",
	[CO_RE_BAD_SIZE] = "it has another size in the kernel, and is signed or no number: "
			   "read it with bpf_core_read()",
};

void co_re_explain(const struct co_re *core, struct error *err)
{
	const struct co_re_state *s = core->state;
	uint32_t insn = s && err->log ? refused_insn(err->log) : UINT32_MAX;
	char what[200];

	for (uint32_t i = 0; insn != UINT32_MAX && i < s->nr_poisoned; i++) {
		const struct poisoned *p = &s->poisoned[i];

		if (p->insn != insn)
			continue;
		describe(what, sizeof(what), &core->obj->btf, p->relo);
		error_reason(err, "core/not-met");
		error_hint(err,
			   "instruction %" PRIu32 " of function '%.60s' has a CO-RE relocation "
			   "that was not met, %s of %s: %s",
			   insn, p->func, object_co_re_kind(p->relo.kind), what, reasons[p->why]);
		return;
	}
}

void co_re_free(struct co_re *core)
{
	struct co_re_state *s = core->state;

	if (s) {
		co_re_candidates_free(&s->names);
		free(s->results);
		free(s->poisoned);
		free(s);
	}
	memset(core, 0, sizeof(*core));
}
