// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find functions for fentry.multi: the BTF ids of their FUNCs in vmlinux. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/multi/multi_internal.h"

/* The sorted names of matching traceable functions. */
struct names {
	const struct patterns *patterns;
	char **list;		/* owned, including its contents */
	uint32_t nr;
};

static int take(void *arg, const struct traceable_function *t)
{
	struct names *n = arg;
	char **list;

	/* The BTF of vmlinux does not contain module functions. */
	if (t->module[0] || !patterns_match(n->patterns, t->name, ""))
		return 0;
	list = array_grow(n->list, n->nr, sizeof(*list));
	if (!list)
		return -ENOMEM;
	n->list = list;
	n->list[n->nr] = strdup(t->name);
	return n->list[n->nr++] ? 0 : -ENOMEM;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_free(struct names *n)
{
	for (uint32_t i = 0; i < n->nr; i++)
		free(n->list[i]);
	free(n->list);
}

static int add_types(const struct btf *btf, const struct names *n, bool listed,
		     struct multi_functions *f, struct error *err)
{
	int ret = 0;

	for (uint32_t id = 1; !ret && btf_has(btf, id); id++) {
		const struct btf_type_view t = btf_type(btf, id);

		if (t.kind != BTF_KIND_FUNC || !t.name)
			continue;
		if (listed ? bsearch(&t.name, n->list, n->nr, sizeof(*n->list), compare) != NULL :
			     patterns_match(n->patterns, t.name, ""))
			ret = multi_functions_add(f, t.name, id, err);
	}
	return ret;
}

int find_fentry_functions(const struct multi *m, const struct multi_request *req,
			  struct multi_functions *f, struct error *err)
{
	struct patterns patterns;
	struct names names = { .patterns = &patterns };
	const struct btf *btf;
	int ret = patterns_parse(&patterns, req->functions, err), listed = 0;

	if (!ret)
		ret = kernel_types_vmlinux(m->types, &btf, err);
	if (!ret) {
		f->exact = patterns_exact(&patterns);
		listed = traceable_functions_each(m->sys, take, &names);
		if (listed == -ENOMEM)
			ret = error_set(err, ENOMEM, "no memory for the matching functions");
	}
	if (names.nr && !ret)
		qsort(names.list, names.nr, sizeof(*names.list), compare);
	if (!ret)
		ret = add_types(btf, &names, listed >= 0, f, err);
	if (!ret && listed < 0 && !f->exact)
		note_unlisted(m, -listed);
	if (!ret && !f->nr)
		ret = no_function(m, req, err);
	names_free(&names);
	patterns_free(&patterns);
	multi_functions_sort(f);
	return ret;
}
