// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Look up kernel symbol addresses in /proc/kallsyms. A line is an address, a type, a name and, for
 * a module, [its name]:
 *
 *	ffffffff81000000 T _stext
 *	ffffffffc0a01000 t nf_hook	[nf_tables]
 */
#include <errno.h>
#include <string.h>

#include "loader/objects/externs/externs_internal.h"

/* A suggestion compares all symbols, so only the first missing symbols get one. */
#define GUESSES_MAX 4

/* The KSYM externs, while visiting symbols. */
struct search {
	struct externs *x;
	struct extern_names names;
	uint32_t left;		/* externs that another symbol may still change */
	bool any_address;
};

/*
 * Handle a symbol with the name of an extern. As in a linker, a non-static symbol wins over static
 * ones with the same name; several static ones are ambiguous.
 */
static void take_symbol(struct search *search, const struct kernel_symbol *s,
			struct extern_value *v)
{
	if (v->is_global)
		return;
	v->is_global = kernel_symbol_is_global(s);
	search->left -= v->is_global;
	if (v->is_global || v->state == EXTERN_MISSING) {
		v->state = EXTERN_FOUND;
		v->address = s->address;
	} else if (v->address != s->address) {
		v->state = EXTERN_AMBIGUOUS;
	}
}

/* Return 1 once all externs are known. Address 0 may mean that all addresses are hidden. */
static int match_symbol(void *arg, const struct kernel_symbol *s)
{
	struct search *search = arg;
	const int64_t index = extern_names_find(&search->names, s->name, strlen(s->name));

	search->any_address |= s->address != 0;
	if (index >= 0)
		take_symbol(search, s, &search->x->values[index]);
	return !search->left && search->any_address;
}

int ksyms_find(struct externs *x, struct error *err)
{
	struct search search = { .x = x };
	int ret = extern_names_init(&search.names, x->obj, OBJECT_EXTERN_KSYM, err);

	search.left = search.names.nr;
	if (!ret)
		ret = kernel_symbols_visit(&x->types->symbols, match_symbol, &search, err);
	extern_names_free(&search.names);
	x->has_symbols = ret >= 0;
	x->has_no_addresses = !search.any_address;
	return ret < 0 ? ret : 0;
}

int ksym_missing(struct externs *x, uint32_t index, struct error *err)
{
	const char *name = x->obj->externs[index].name;
	struct nearest near;

	if (x->values[index].state == EXTERN_AMBIGUOUS) {
		error_set(err, ENOTUNIQ, "several symbols are named '%s', at different addresses",
			  name);
		error_hint(err, "use a nearby symbol with a unique name, plus the distance to it");
		return error_where(err, KALLSYMS);
	}
	if (x->values[index].state == EXTERN_FOUND) {
		error_set(err, EPERM,
			  "hides addresses from this process, but the program needs that of '%s'",
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
			   "did you mean '%s'? A missing __weak symbol has address 0",
			   near.name[0]);
	else
		error_hint(err, "declare it __weak: a missing symbol then has address 0");
	return error_where(err, KALLSYMS);
}
