// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Addresses of kernel symbols by their names: one walk over /proc/kallsyms for all of them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "elf/distance.h"
#include "loader/externs/parts.h"

#define SYMBOLS "/proc/kallsyms"

/* Each time all symbols are read once more: often enough to learn from. */
#define GUESSES_MAX 4

struct symbol {
	uint64_t address;
	char *name;
	size_t len;
};

/* "ffffffff81000000 T _text", and behind a tab the module. */
static bool parse_symbol(char *line, struct symbol *s)
{
	char *end;

	s->address = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	s->name = end + 3;
	s->len = strcspn(s->name, "\t ");
	return true;
}

static void take_symbol(struct externs *x, const struct extern_names *names,
			const struct symbol *s)
{
	int64_t index = extern_names_find(names, s->name, s->len);
	struct extern_value *v;

	if (index < 0)
		return;
	v = &x->values[index];
	if (v->state != EXTERN_MISSING && v->address != s->address)
		v->state = EXTERN_AMBIGUOUS;
	if (v->state != EXTERN_MISSING)
		return;
	v->state = EXTERN_FOUND;
	v->address = s->address;
}

int symbols_read(struct externs *x, struct error *err)
{
	struct lines *l = lines_open(x->sys, SYMBOLS, err);
	struct extern_names names = { 0 };
	bool any_address = false;
	struct symbol s;
	char *line;
	int ret = l ? extern_names_make(&names, x->obj, OBJECT_EXTERN_KSYM, err) : err->code;

	while (!ret && (ret = lines_next(l, &line, err)) > 0) {
		ret = 0;
		if (!parse_symbol(line, &s))
			continue;
		any_address |= s.address != 0;
		take_symbol(x, &names, &s);
	}
	extern_names_free(&names);
	lines_close(l);
	x->symbols_hidden = !any_address;
	x->has_symbols = !ret;
	return ret ? error_where(err, SYMBOLS) : 0;
}

int symbols_have(struct sys *sys, const char *name, struct error *err)
{
	struct lines *l = lines_open(sys, SYMBOLS, err);
	int ret = l ? 0 : err->code;
	struct symbol s;
	char *line;

	while (!ret && (ret = lines_next(l, &line, err)) > 0)
		ret = parse_symbol(line, &s) && strlen(name) == s.len &&
		      !memcmp(name, s.name, s.len);
	lines_close(l);
	return ret < 0 ? error_where(err, SYMBOLS) : ret;
}

/* The symbol whose name is nearest to @name, if one is near. Malloc'ed. */
static char *nearest(struct sys *sys, const char *name)
{
	unsigned int least = 1 + strlen(name) / 4, distance;
	struct lines *l = lines_open(sys, SYMBOLS, NULL);
	char *line, *best = NULL;
	struct symbol s;

	while (l && lines_next(l, &line, NULL) > 0) {
		if (!parse_symbol(line, &s) || s.len + least < strlen(name) ||
		    s.len > strlen(name) + least)
			continue;
		s.name[s.len] = '\0';
		distance = edit_distance(name, s.name);
		if (distance >= least)
			continue;
		least = distance;
		free(best);
		best = strdup(s.name);
	}
	lines_close(l);
	return best;
}

int symbols_missing(struct externs *x, uint32_t index, struct error *err)
{
	const char *name = x->obj->externs[index].name;
	char *near = NULL;

	if (x->values[index].state == EXTERN_AMBIGUOUS) {
		error_set(err, ENOTUNIQ, "there are several symbols '%s', at different addresses",
			  name);
		error_hint(err, "a symbol with a name of its own nearby, and the distance to it");
		return error_where(err, SYMBOLS);
	}
	if (x->values[index].state == EXTERN_FOUND) {
		error_set(err, EPERM, "shows no addresses to this process, and '%s' has one", name);
		error_reason(err, "externs/hidden-addresses");
		error_hint(err, "run as root, and look at /proc/sys/kernel/kptr_restrict: 0 or 1; "
				"--dry-run needs no privilege");
		return error_where(err, SYMBOLS);
	}
	if (x->guesses++ < GUESSES_MAX)
		near = nearest(x->sys, name);
	error_set(err, ENOENT, "there is no symbol '%s' in this kernel", name);
	if (near)
		error_hint(err, "did you mean '%s'? Declared __weak it is 0 where there is none",
			   near);
	else
		error_hint(err, "declare it __weak, and its address is 0 where there is none");
	free(near);
	return error_where(err, SYMBOLS);
}
