// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Look up addresses of kernel symbols in /proc/kallsyms. A line is an address, a type, a name and,
 * for a module, [its name]:
 *
 *	ffffffff81000000 T _stext
 *	ffffffffc0a01000 t nf_hook	[nf_tables]
 */
#include <errno.h>

#include "loader/features/externs/externs_internal.h"

/* A guess compares all symbols, so only the first missing symbols get one. */
#define GUESSES_MAX 4

static void take_symbol(struct externs *x, struct kernel_symbol *s, struct extern_value *v)
{
	v->state = EXTERN_FOUND;
	v->address = s->address;
	while (kernel_symbols_same(&x->types->symbols, s))
		if (s->address != v->address)
			v->state = EXTERN_AMBIGUOUS;
}

int ksyms_find(struct externs *x, struct error *err)
{
	struct kernel_symbol s;
	int ret = 0;

	for (uint32_t i = 0; ret >= 0 && i < x->obj->nr_externs; i++) {
		if (x->obj->externs[i].kind != OBJECT_EXTERN_KSYM)
			continue;
		ret = kernel_symbols_find(&x->types->symbols, x->obj->externs[i].name, &s, err);
		if (ret > 0)
			take_symbol(x, &s, &x->values[i]);
	}
	x->has_symbols = ret >= 0;
	return ret < 0 ? ret : 0;
}

int ksym_missing(struct externs *x, uint32_t index, struct error *err)
{
	const char *name = x->obj->externs[index].name;
	struct nearest near;

	if (x->values[index].state == EXTERN_AMBIGUOUS) {
		error_set(err, ENOTUNIQ, "several symbols are named '%s', at different addresses",
			  name);
		error_hint(err, "use a nearby symbol with a unique name, and the distance to it");
		return error_where(err, KALLSYMS);
	}
	if (x->values[index].state == EXTERN_FOUND) {
		error_set(err, EPERM,
			  "shows no addresses to this process, and the program needs that of '%s'",
			  name);
		error_reason(err, "externs/hidden-addresses");
		error_hint(err, "run as root, with /proc/sys/kernel/kptr_restrict 0 or 1; "
				"--dry-run needs no privilege");
		return error_where(err, KALLSYMS);
	}
	nearest_init(&near, name);
	if (x->guesses++ < GUESSES_MAX)
		kernel_symbols_nearest(&x->types->symbols, &near, false, NULL);
	error_set(err, ENOENT, "this kernel has no symbol '%s'", name);
	if (near.nr)
		error_hint(err,
			   "did you mean '%s'? A __weak symbol that does not exist has address 0",
			   near.name[0]);
	else
		error_hint(err, "declare it __weak: a symbol that does not exist has address 0");
	return error_where(err, KALLSYMS);
}
