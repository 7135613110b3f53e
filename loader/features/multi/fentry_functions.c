// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Functions for fentry.multi: by the ids of their types in vmlinux, as fentry has one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/features/multi/multi_internal.h"

/* The names that can be traced and are meant, sorted. */
struct names {
	const struct patterns *patterns;
	char **list;		/* owned, as what is in it */
	uint32_t nr, room;
};

static int take(void *arg, const struct traceable_function *t)
{
	struct names *n = arg;
	char **list;

	/* The types of vmlinux have no functions of modules. */
	if (t->module[0] || !patterns_match(n->patterns, t->name, ""))
		return 0;
	if (n->nr == n->room) {
		list = realloc(n->list, (2 * (size_t)n->room + 16) * sizeof(*list));
		if (!list)
			return -ENOMEM;
		n->list = list;
		n->room = 2 * n->room + 16;
	}
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
		     struct multi_targets *p, struct error *err)
{
	int ret = 0;

	for (uint32_t id = 1; !ret && id < btf->nr_types; id++) {
		const struct btf_type_view t = btf_type(btf, id);

		if (t.kind != BTF_KIND_FUNC || !t.name)
			continue;
		if (listed ? bsearch(&t.name, n->list, n->nr, sizeof(*n->list), compare) != NULL :
			     patterns_match(n->patterns, t.name, ""))
			ret = multi_targets_add(p, t.name, id, 0, err);
	}
	return ret;
}

int find_fentry_functions(const struct multi *m, const struct multi_request *req,
			  struct multi_targets *p, struct error *err)
{
	struct patterns patterns;
	struct names names = { .patterns = &patterns };
	const struct btf *btf;
	int ret = patterns_parse(&patterns, req->functions, err), listed = 0;

	if (!ret)
		ret = kernel_types_vmlinux(m->types, &btf, err);
	if (!ret) {
		p->exact = patterns_exact(&patterns);
		listed = traceable_functions_each(m->sys, take, &names);
		if (listed == -ENOMEM)
			ret = error_set(err, ENOMEM, "no memory for the functions that match");
	}
	if (names.nr && !ret)
		qsort(names.list, names.nr, sizeof(*names.list), compare);
	if (!ret)
		ret = add_types(btf, &names, listed >= 0, p, err);
	if (!ret && listed < 0 && !p->exact)
		note_unlisted(m, -listed);
	if (!ret && !p->nr)
		ret = no_function(m, req, err);
	names_free(&names);
	patterns_free(&patterns);
	multi_targets_sort(p);
	return ret;
}
