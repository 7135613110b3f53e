// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find out what a kernel would refuse, as far as its types reveal it, without loading anything. */
#include <errno.h>

#include "loader/tools/inspect/insns/insns_internal.h"
#include "loader/core/value/value.h"

static int put(struct inspect *in, const struct object_prog *prog, const char *what,
	       const char *reason, struct error *err)
{
	struct json_object *msg = message_new("inspect-refusal");

	value_add_string(msg, "program", prog->name);
	value_add_string(msg, "what", what);
	value_add_string(msg, "reason", reason);
	return inspect_put(in, msg, err);
}

/*
 * Print the program's CO-RE relocations that cannot be resolved. The kernel refuses the program if
 * one of them is reachable.
 */
static int put_poisoned(struct listing *l, struct kernel *k, struct error *err)
{
	const struct bpf_object *obj = &l->in->obj;
	struct co_re_answer answer;
	char what[600];
	int ret = 0;

	for (uint32_t f = 0; !ret && f < l->nr_funcs; f++) {
		const struct object_func *func = &obj->funcs[l->funcs[f]];
		const struct btf_ext_sec *sec = obj->code[func->code].core_relo;

		for (uint32_t i = func->core_relo.first; !ret && i < func->core_relo.end; i++) {
			const struct btf_core_relo relo = btf_ext_core(&obj->ext, sec, i);
			const uint32_t insn = l->starts[f] + relo.insn_off / 8 - func->first_insn;

			if (co_re_answer(&k->co_re, relo, insn, &answer, NULL) || !answer.poisoned)
				continue;
			snprintf(what, sizeof(what), "instruction %u is poisoned: %s of %s: %s",
				 insn, object_co_re_kind(relo.kind), answer.access, answer.why);
			ret = put(l->in, &obj->progs[l->prog], what, "core/not-met", err);
		}
	}
	return ret;
}

static int put_unknown(struct listing *l, struct kernel *k, struct error *err)
{
	const struct bpf_object *obj = &l->in->obj;
	char what[sizeof(((struct error *)NULL)->what) + 120];
	int ret = 0;

	for (uint32_t i = 0; !ret && i < l->reach.externs.nr; i++) {
		const uint32_t index = l->reach.externs.index[i];

		if (!k->missing[index].what || obj->externs[index].weak)
			continue;
		snprintf(what, sizeof(what), "extern '%.100s': %s", obj->externs[index].name,
			 k->missing[index].what);
		ret = put(l->in, &obj->progs[l->prog], what, k->missing[index].reason, err);
	}
	return ret;
}

static int put_refusals_of(struct listing *l, uint32_t prog, struct error *err)
{
	struct kernel *k = &l->kernels[0];
	struct error why = { 0 };
	int ret = listing_link(l, prog, err);

	if (!ret && object_check_kind(&l->in->obj.progs[prog], &why))
		ret = put(l->in, &l->in->obj.progs[prog], why.what, why.reason, err);
	error_clear(&why);
	if (ret || !l->reach.whole)
		return ret;
	if (k->refused.code)
		return put(l->in, &l->in->obj.progs[prog], k->refused.what, k->refused.reason, err);
	ret = put_unknown(l, k, err);
	return ret ? ret : put_poisoned(l, k, err);
}

int inspect_refusals(struct inspect *in, struct error *err)
{
	struct listing l;
	int ret = listing_begin(&l, in, 1, err);

	for (uint32_t i = 0; !ret && i < in->obj.nr_progs; i++)
		ret = put_refusals_of(&l, i, err);
	listing_end(&l);
	return ret;
}
