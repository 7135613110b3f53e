// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the ids of types by name: all queries in one pass over the types. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/kernel_types/type_names.h"
#include "loader/objects/kernel_types/kernel_types.h"

/*
 * Queries for the same name form a list, linked by index + 1: type_name.first is the head, next[i]
 * follows query i, 0 ends it.
 */
struct search {
	struct kernel_types *types;
	struct type_query *queries;
	uint32_t *next;		/* owned */
	uint32_t missing;	/* number of queries without an answer */
	int module;		/* being visited; -1: vmlinux */
};

static bool is_allowed(const struct search *s, const char *only)
{
	return !only || !strcmp(only, kernel_types_name(s->types, s->module));
}

static int found(void *arg, struct type_name *name, uint32_t kind, uint32_t id)
{
	struct search *s = arg;

	for (uint32_t at = name->first; at; at = s->next[at - 1]) {
		struct type_query *q = &s->queries[at - 1];

		if (q->id || !(q->kinds >> kind & 1) || !is_allowed(s, q->only))
			continue;
		q->id = id;
		q->module = s->module;
		s->missing--;
	}
	return !s->missing;
}

static void add_queries(struct search *s, struct type_names *names, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		struct type_name *n = type_names_add(names, s->queries[i].name,
						     s->queries[i].kinds);

		s->queries[i].id = 0;
		s->queries[i].module = -1;
		s->next[i] = n->first;
		n->first = i + 1;
	}
	s->missing = nr;
}

static int visit_all(struct search *s, const struct type_names *names, struct error *err)
{
	struct kernel_types *types = s->types;
	const struct btf *btf;
	int ret;

	s->module = -1;
	ret = kernel_types_vmlinux(types, &btf, err);
	if (ret)
		return ret;
	type_names_visit(names, btf, found, s);
	while (s->missing) {
		ret = kernel_types_module(types, ++s->module, &btf, err);
		if (ret <= 0)
			return ret;
		type_names_visit(names, btf, found, s);
	}
	return 0;
}

int kernel_types_find(struct kernel_types *types, struct type_query *queries, uint32_t nr,
		      struct error *err)
{
	struct search s = { .types = types, .queries = queries };
	struct type_names names = { 0 };
	int ret;

	s.next = calloc(nr + 1, sizeof(*s.next));
	if (!s.next || type_names_init(&names, nr, false)) {
		ret = error_set(err, ENOMEM, "no memory for the names of %" PRIu32 " types", nr);
	} else {
		add_queries(&s, &names, nr);
		ret = visit_all(&s, &names, err);
	}
	type_names_free(&names);
	free(s.next);
	return ret;
}
