// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Find kernel functions for kprobe.multi: traceable ones, and their start addresses.
 *
 * A link by name takes only one function per name, but several functions may share a name, so use
 * addresses if this process may see them. ftrace lists the address of the patched instruction,
 * which is after the function's start in kallsyms:
 *
 *	kallsyms	ffffffff81000010 t vfs_read
 *			ffffffff81000010: endbr64
 *	ftrace		ffffffff81000014: nop, patched to a call
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "loader/objects/multi/multi_internal.h"

/*
 * The patched instruction follows ENDBR, BTI or a few NOPs. The kernel looks up the cookie of a
 * function by its start.
 */
#define PROLOGUE_MAX 64

/* A matching traceable function. */
struct wanted {
	char *name, *module;	/* owned; one allocation */
	uint64_t address;
};

struct search {
	const struct patterns *patterns;
	struct wanted *list;	/* owned */
	uint32_t nr;
	uint32_t lost;		/* number of matches with ambiguous names */
	uint32_t unclear;	/* matches of which others have the same name */
};

static int take(void *arg, const struct traceable_function *t)
{
	const size_t len = strlen(t->name) + 1;
	struct search *s = arg;
	struct wanted *list;
	char *name;

	if (!patterns_match(s->patterns, t->name, t->module))
		return 0;
	list = array_grow(s->list, s->nr, sizeof(*list));
	if (!list)
		return -ENOMEM;
	s->list = list;
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

/* Find the start of the function with the patched instruction w->address; 0: not found. */
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

/*
 * Add @nr functions with the name and module of @w, for which the list has no addresses (before
 * Linux 6.5). If kallsyms has more with that name, it is unknown which are traceable.
 */
static int add_by_name(struct kernel_symbols *k, const struct wanted *w, uint32_t nr,
		       struct search *s, struct multi_functions *f, struct error *err)
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
			ret = multi_functions_add(f, w->name, symbol.address, err);
	return ret < 0 ? ret : 0;
}

/* Add all matches, grouped by name and module. */
static int add_all(struct kernel_symbols *k, struct search *s, struct multi_functions *f,
		   struct error *err)
{
	int ret = 0;

	if (s->nr)
		qsort(s->list, s->nr, sizeof(*s->list), compare);
	for (uint32_t i = 0, end; ret >= 0 && i < s->nr; i = end) {
		for (end = i + 1; end < s->nr && !compare(&s->list[i], &s->list[end]);)
			end++;
		if (f->by_name) {
			s->unclear += end - i - 1;
			ret = multi_functions_add(f, s->list[i].name, 0, err);
			continue;
		}
		if (!s->list[i].address) {
			ret = add_by_name(k, &s->list[i], end - i, s, f, err);
			continue;
		}
		for (uint32_t j = i; ret >= 0 && j < end; j++) {
			uint64_t begin;

			ret = begin_of(k, &s->list[j], &begin, err);
			if (ret >= 0 && begin)
				ret = multi_functions_add(f, s->list[j].name, begin, err);
			s->lost += !begin;
		}
	}
	return ret;
}

/*
 * Without a list of traceable functions, add all matches in kallsyms; the kernel will refuse some.
 */
static int add_symbols(struct kernel_symbols *k, const struct patterns *patterns,
		       struct multi_functions *f, struct error *err)
{
	struct kernel_symbol s;
	uint32_t at = 0;
	int ret = 0;

	while (!ret && kernel_symbols_each(k, &at, &s))
		if (kernel_symbol_is_code(&s) && patterns_match(patterns, s.name, s.module))
			ret = multi_functions_add(f, s.name, f->by_name ? 0 : s.address, err);
	return ret;
}

void note_unlisted(const struct multi *m, int code)
{
	multi_note(m,
		   "tracefs does not list the traceable functions (%s): trying every matching "
		   "function",
		   error_strerror(code));
}

/* Print a note about how many matches are left out, and why. */
static void note_missing(const struct multi *m, const struct search *s,
			 const struct multi_functions *f)
{
	if (s->unclear && f->by_name)
		multi_note(m,
			   "%u %s the name of another: this process may not see addresses, and a "
			   "link by name takes only one per name",
			   s->unclear, s->unclear == 1 ? "function has" : "functions have");
	else if (s->unclear)
		multi_note(m,
			   "%u %s left out: other functions have the same name, and this "
			   "kernel does not list which are traceable (Linux 6.5 does)",
			   s->unclear, s->unclear == 1 ? "function is" : "functions are");
	if (s->lost)
		multi_note(m, "%u %s left out: " KALLSYMS " does not have them", s->lost,
			   s->lost == 1 ? "function is" : "functions are");
}

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
			  "no function that matches '%.200s' is traceable, such as '%s'",
			  req->functions, s.name);
	else
		error_set(err, ENOENT, "no kernel function matches '%.200s'",
			  req->functions);
	error_reason(err, there ? "multi/not-traceable" : "multi/no-function");
	if (!there && patterns.nr == 1 && patterns.list[0].whole)
		kernel_symbols_nearest(k, &near, true, NULL);
	patterns_free(&patterns);
	if (there)
		return error_hint(err, "it is marked notrace or compiled without ftrace; see "
				       "available_filter_functions in tracefs for the others");
	if (near.nr)
		return error_hint(err, "did you mean %s?",
				  nearest_text(&near, names, sizeof(names)));
	return error_hint(err, "see available_filter_functions in tracefs for traceable "
			       "functions, including those of loaded modules");
}

int find_kernel_functions(const struct multi *m, const struct multi_request *req,
			  struct multi_functions *f, struct error *err)
{
	struct kernel_symbols *k = &m->types->symbols;
	struct patterns patterns;
	struct search s = { .patterns = &patterns };
	int ret = patterns_parse(&patterns, req->functions, err), listed = 0;

	if (!ret)
		ret = kernel_symbols_read(k, err);
	if (!ret) {
		f->by_name = k->hidden;
		f->exact = patterns_exact(&patterns);
		listed = traceable_functions_each(m->sys, take, &s);
		if (listed == -ENOMEM)
			ret = error_set(err, ENOMEM, "no memory for the matching functions");
		else
			ret = listed < 0 ? add_symbols(k, &patterns, f, err)
					 : add_all(k, &s, f, err);
	}
	if (ret >= 0 && !f->nr)
		ret = no_function(m, req, err);
	if (ret >= 0 && listed < 0 && !f->exact)
		note_unlisted(m, -listed);
	if (ret >= 0)
		note_missing(m, &s, f);
	search_free(&s);
	patterns_free(&patterns);
	multi_functions_sort(f);
	return ret < 0 ? ret : 0;
}
