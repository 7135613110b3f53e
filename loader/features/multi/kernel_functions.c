// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Functions of the kernel: those that ftrace can change, and where they begin. A link that is given
 * names takes one function of each; several have the same, so it is given addresses where this
 * process may see them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "loader/features/multi/multi_internal.h"

/*
 * An instruction that ftrace changes lies behind what the compiler put in front of it: ENDBR, BTI,
 * a few NOPs. The cookie of a function is looked up by where it begins.
 */
#define PROLOGUE_MAX 64

/* A function of the list whose name is meant. */
struct wanted {
	char *name, *module;	/* owned; one allocation */
	uint64_t address;
};

struct search {
	const struct patterns *patterns;
	struct wanted *list;	/* owned */
	uint32_t nr, room;
	uint32_t lost;		/* not in kallsyms */
	uint32_t unclear;	/* one of several of their name */
};

static int take(void *arg, const struct traceable_function *t)
{
	const size_t len = strlen(t->name) + 1;
	struct search *s = arg;
	struct wanted *list;
	char *name;

	if (!patterns_match(s->patterns, t->name, t->module))
		return 0;
	if (s->nr == s->room) {
		list = realloc(s->list, (2 * (size_t)s->room + 16) * sizeof(*list));
		if (!list)
			return -ENOMEM;
		s->list = list;
		s->room = 2 * s->room + 16;
	}
	name = malloc(len + strlen(t->module) + 1);
	if (!name)
		return -ENOMEM;
	memcpy(name, t->name, len);
	strcpy(name + len, t->module);
	s->list[s->nr++] = (struct wanted){ name, name + len, t->address };
	return 0;
}

static void search_free(struct search *s)
{
	for (uint32_t i = 0; i < s->nr; i++)
		free(s->list[i].name);
	free(s->list);
}

static int compare(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;
	int ret = strcmp(x->name, y->name);

	return ret ? ret : strcmp(x->module, y->module);
}

static bool is_of(const struct kernel_symbol *s, const struct wanted *w)
{
	return kernel_symbol_is_code(s) && s->address && !strcmp(s->module, w->module);
}

/* Where the function begins of which ftrace changes the instruction at w->address; 0: nowhere. */
static int begin_of(struct kernel_symbols *k, const struct wanted *w, uint64_t *begin,
		    struct error *err)
{
	struct kernel_symbol s;
	int ret = kernel_symbols_find(k, w->name, &s, err);
	bool more = ret > 0;

	*begin = 0;
	for (; more; more = kernel_symbols_same(k, &s))
		if (is_of(&s, w) && s.address <= w->address &&
		    w->address - s.address <= PROLOGUE_MAX && s.address > *begin)
			*begin = s.address;
	return ret < 0 ? ret : 0;
}

/* The list has @nr functions like @w, and no addresses (before Linux 6.5). */
static int add_by_name(struct kernel_symbols *k, const struct wanted *w, uint32_t nr,
		       struct search *s, struct multi_targets *p, struct error *err)
{
	struct kernel_symbol symbol;
	uint32_t there = 0;
	int ret = kernel_symbols_find(k, w->name, &symbol, err);

	for (bool more = ret > 0; more; more = kernel_symbols_same(k, &symbol))
		there += is_of(&symbol, w);
	if (there != nr) {
		s->unclear += there > nr ? nr : 0;
		s->lost += there > nr ? 0 : nr;
		return ret < 0 ? ret : 0;
	}
	ret = kernel_symbols_find(k, w->name, &symbol, err);
	for (bool more = ret > 0; more && ret >= 0; more = kernel_symbols_same(k, &symbol))
		if (is_of(&symbol, w))
			ret = multi_targets_add(p, w->name, symbol.address, 0, err);
	return ret < 0 ? ret : 0;
}

/* All of the list; each group of the same name and module at once. */
static int add_all(struct kernel_symbols *k, struct search *s, struct multi_targets *p,
		   struct error *err)
{
	int ret = 0;

	if (s->nr)
		qsort(s->list, s->nr, sizeof(*s->list), compare);
	for (uint32_t i = 0, end; ret >= 0 && i < s->nr; i = end) {
		for (end = i + 1; end < s->nr && !compare(&s->list[i], &s->list[end]);)
			end++;
		if (p->by_name) {
			s->unclear += end - i - 1;
			ret = multi_targets_add(p, s->list[i].name, 0, 0, err);
			continue;
		}
		if (!s->list[i].address) {
			ret = add_by_name(k, &s->list[i], end - i, s, p, err);
			continue;
		}
		for (uint32_t j = i; ret >= 0 && j < end; j++) {
			uint64_t begin;

			ret = begin_of(k, &s->list[j], &begin, err);
			if (ret >= 0 && begin)
				ret = multi_targets_add(p, s->list[j].name, begin, 0, err);
			s->lost += !begin;
		}
	}
	return ret;
}

/* Without a list of what can be traced: all that kallsyms has, and the kernel says no. */
static int add_symbols(struct kernel_symbols *k, const struct patterns *patterns,
		       struct multi_targets *p, struct error *err)
{
	struct kernel_symbol s;
	uint32_t at = 0;
	int ret = 0;

	while (!ret && kernel_symbols_each(k, &at, &s))
		if (kernel_symbol_is_code(&s) && patterns_match(patterns, s.name, s.module))
			ret = multi_targets_add(p, s.name, p->by_name ? 0 : s.address, 0, err);
	return ret;
}

void note_unlisted(const struct multi *m, int code)
{
	multi_note(m, "which functions can be traced is not to be read in tracefs (%s): every "
		   "function that matches is tried", error_strerror(code));
}

/* Says how many are not in @p though they were meant, and why. */
static void note_missing(const struct multi *m, const struct search *s,
			 const struct multi_targets *p)
{
	if (s->unclear && p->by_name)
		multi_note(m, "%u %s the name of another: this process may not see addresses, and "
			   "of each name there is one", s->unclear,
			   s->unclear == 1 ? "function has" : "functions have");
	else if (s->unclear)
		multi_note(m, "%u %s left out: others have their names, and this kernel does not "
			   "say which of them can be traced (Linux 6.5)", s->unclear,
			   s->unclear == 1 ? "function is" : "functions are");
	if (s->lost)
		multi_note(m, "%u %s left out: " KALLSYMS " does not have them", s->lost,
			   s->lost == 1 ? "function is" : "functions are");
}

/* The nearest to what was named whole, or whether there is something of the kind at all. */
int no_function(const struct multi *m, const struct multi_request *req, struct error *err)
{
	char names[NEAREST_MAX * (NEAREST_NAME + 2)];
	struct kernel_symbols *k = &m->types->symbols;
	struct patterns patterns = { 0 };
	struct kernel_symbol s;
	struct nearest near;
	uint32_t at = 0;
	bool there = false;

	nearest_init(&near, req->functions);
	if (!patterns_parse(&patterns, req->functions, NULL) && !kernel_symbols_read(k, NULL))
		while (!there && kernel_symbols_each(k, &at, &s))
			there = kernel_symbol_is_code(&s) &&
				patterns_match(&patterns, s.name, s.module);
	if (there)
		error_set(err, ENOENT,
			  "nothing can be traced of what '%.200s' matches, such as '%s'",
			  req->functions, s.name);
	else
		error_set(err, ENOENT, "no function of the kernel matches '%.200s'",
			  req->functions);
	error_reason(err, there ? "multi/not-traceable" : "multi/no-function");
	if (!there && patterns.nr == 1 && patterns.list[0].whole)
		kernel_symbols_nearest(k, &near, true, NULL);
	patterns_free(&patterns);
	if (there)
		return error_hint(err, "it is marked notrace, or was compiled without calls of "
				  "ftrace; available_filter_functions of tracefs lists what can "
				  "be");
	if (near.nr)
		return error_hint(err, "did you mean %s?",
				  nearest_text(&near, names, sizeof(names)));
	return error_hint(err, "available_filter_functions of tracefs lists what can be traced; "
			  "functions of modules are there once they are loaded");
}

int find_kernel_functions(const struct multi *m, const struct multi_request *req,
			  struct multi_targets *p, struct error *err)
{
	struct kernel_symbols *k = &m->types->symbols;
	struct patterns patterns;
	struct search s = { .patterns = &patterns };
	int ret = patterns_parse(&patterns, req->functions, err), listed = 0;

	if (!ret)
		ret = kernel_symbols_read(k, err);
	if (!ret) {
		p->by_name = k->hidden;
		p->exact = patterns_exact(&patterns);
		listed = traceable_functions_each(m->sys, take, &s);
		if (listed == -ENOMEM)
			ret = error_set(err, ENOMEM, "no memory for the functions that match");
		else
			ret = listed < 0 ? add_symbols(k, &patterns, p, err) :
					   add_all(k, &s, p, err);
	}
	if (ret >= 0 && !p->nr)
		ret = no_function(m, req, err);
	if (ret >= 0 && listed < 0 && !p->exact)
		note_unlisted(m, -listed);
	if (ret >= 0)
		note_missing(m, &s, p);
	search_free(&s);
	patterns_free(&patterns);
	multi_targets_sort(p);
	return ret < 0 ? ret : 0;
}
