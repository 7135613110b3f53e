// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Compare our results with a peer's: how many objects of each group load in both, in neither, or in
 * only one; and each difference with its error.
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum outcome { BOTH, NEITHER, ONLY_OURS, ONLY_PEER, NR_OUTCOMES };

/* The result of one loader for one item, which is an object or one of its programs. */
struct result {
	char *item;
	bool ok;
	char *error;
};

struct results {
	struct result *rows;
	size_t nr;
};

struct group {
	char name[64];
	unsigned long outcomes[NR_OUTCOMES];
};

static const char *string_of(json_object *line, const char *key)
{
	json_object *value = line ? json_object_object_get(line, key) : NULL;

	return value ? json_object_get_string(value) : "";
}

/* Return the error in an answer, including the verifier's words if it rejected the program. */
static char *words(json_object *said)
{
	const char *verifier = string_of(said, "verifier");
	char *text;

	if (asprintf(&text, "%s%s%s", said ? string_of(said, "error") : "said what is no JSON",
		     verifier[0] ? ": " : "", verifier) < 0)
		abort();
	return text;
}

static int by_item(const void *a, const void *b)
{
	return strcmp(((const struct result *)a)->item, ((const struct result *)b)->item);
}

/* Lines "ITEM\tJSON", in any order; they come back sorted by item. */
static struct results read_results(const char *path)
{
	struct results r = { 0 };
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;

	if (!f) {
		perror(path);
		exit(2);
	}
	while (getline(&line, &size, f) > 0) {
		char *tab = strchr(line, '\t');
		json_object *said = tab ? json_tokener_parse(tab + 1) : NULL;
		struct result *row;

		if (!tab)
			continue;
		*tab = '\0';
		r.rows = realloc(r.rows, (r.nr + 1) * sizeof(*r.rows));
		if (!r.rows)
			abort();
		row = &r.rows[r.nr++];
		row->item = strdup(line);
		row->ok = said && !strcmp(string_of(said, "status"), "ok");
		row->error = words(said);
		json_object_put(said);
	}
	free(line);
	fclose(f);
	qsort(r.rows, r.nr, sizeof(*r.rows), by_item);
	return r;
}

static void free_results(struct results *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		free(r->rows[i].item);
		free(r->rows[i].error);
	}
	free(r->rows);
}

/* "PACKAGE_VERSION:path" belongs to the group PACKAGE, "DIRECTORY/name" to the group DIRECTORY. */
static void group_name(const char *item, char *name, size_t size)
{
	const char *slash = strrchr(item, '/'), *base = slash ? slash + 1 : item;
	const char *begin = base;

	if (strchr(base, ':')) {
		snprintf(name, size, "%.*s", (int)strcspn(base, "_:"), base);
		return;
	}
	while (slash && begin > item && (begin == base || begin[-1] != '/'))
		begin--;
	snprintf(name, size, "%.*s", slash ? (int)(slash - begin) : 0, begin);
}

static struct group *group_of(struct group **groups, size_t *nr, const char *item)
{
	char name[sizeof((*groups)->name)];

	group_name(item, name, sizeof(name));
	for (size_t i = 0; i < *nr; i++)
		if (!strcmp((*groups)[i].name, name))
			return &(*groups)[i];
	*groups = realloc(*groups, (*nr + 1) * sizeof(**groups));
	if (!*groups)
		abort();
	memset(&(*groups)[*nr], 0, sizeof(**groups));
	snprintf((*groups)[*nr].name, sizeof(name), "%s", name);
	return &(*groups)[(*nr)++];
}

static enum outcome outcome_of(bool ours, bool peer)
{
	if (ours)
		return peer ? BOTH : ONLY_OURS;
	return peer ? ONLY_PEER : NEITHER;
}

static const struct result *find(const struct results *r, const char *item)
{
	struct result key = { (char *)item, false, NULL };

	return r->nr ? bsearch(&key, r->rows, r->nr, sizeof(key), by_item) : NULL;
}

static void print_row(const struct group *g)
{
	const unsigned long *n = g->outcomes;

	printf("%-30s %7lu %7lu %7lu %9lu %12lu\n", g->name,
	       n[BOTH] + n[NEITHER] + n[ONLY_OURS] + n[ONLY_PEER], n[BOTH], n[NEITHER],
	       n[ONLY_OURS], n[ONLY_PEER]);
}

static void print_groups(const struct group *groups, size_t nr, const char *peer)
{
	struct group total = { "total", { 0 } };
	char only[32];

	snprintf(only, sizeof(only), "only %s", peer);
	printf("%-30s %7s %7s %7s %9s %12s\n", "group", "items", "both", "neither", "only ours",
	       only);
	for (size_t i = 0; i < nr; i++) {
		print_row(&groups[i]);
		for (int o = 0; o < NR_OUTCOMES; o++)
			total.outcomes[o] += groups[i].outcomes[o];
	}
	print_row(&total);
}

/*
 * Print every item with outcome @which, and the words of the loader that refused it. Return their
 * number.
 */
static unsigned long print_differences(const struct results *ours, const struct results *peer,
				       enum outcome which, const char *title)
{
	unsigned long nr = 0;

	for (size_t i = 0; i < ours->nr; i++) {
		const struct result *a = &ours->rows[i], *b = find(peer, a->item);
		const char *slash;

		if (!b || outcome_of(a->ok, b->ok) != which)
			continue;
		if (!nr++)
			printf("\n%s\n", title);
		slash = strrchr(a->item, '/');
		while (slash && slash > a->item && slash[-1] != '/' && !strchr(slash, ':'))
			slash--;
		printf("  %s\n", slash ? slash + (*slash == '/') : a->item);
		if (!a->ok)
			printf("      ours: %s\n", a->error);
		if (!b->ok)
			printf("      %s\n", b->error);
	}
	return nr;
}

static void usage(void)
{
	fprintf(stderr, "usage: table [--neither] OURS.tsv PEER.tsv NAME-OF-PEER\n"
			"       table --refused RESULTS.tsv\n");
	exit(2);
}

static int print_refused(const char *path)
{
	struct results r = read_results(path);

	for (size_t i = 0; i < r.nr; i++)
		if (!r.rows[i].ok)
			printf("%s\n", r.rows[i].item);
	free_results(&r);
	return 0;
}

int main(int argc, char **argv)
{
	bool neither = argc > 1 && !strcmp(argv[1], "--neither");
	struct results ours, peer;
	struct group *groups = NULL;
	size_t nr_groups = 0;
	unsigned long missing;

	if (argc == 3 && !strcmp(argv[1], "--refused"))
		return print_refused(argv[2]);
	if (argc - neither != 4)
		usage();
	argv += neither;
	ours = read_results(argv[1]);
	peer = read_results(argv[2]);
	for (size_t i = 0; i < ours.nr; i++) {
		const struct result *b = find(&peer, ours.rows[i].item);
		struct group *g = group_of(&groups, &nr_groups, ours.rows[i].item);

		if (b)
			g->outcomes[outcome_of(ours.rows[i].ok, b->ok)]++;
	}
	print_groups(groups, nr_groups, argv[3]);
	print_differences(&ours, &peer, ONLY_OURS, "only ours:");
	if (neither)
		print_differences(&ours, &peer, NEITHER, "neither:");
	missing = print_differences(&ours, &peer, ONLY_PEER, "NOT OURS, but the peer's:");
	free(groups);
	free_results(&ours);
	free_results(&peer);
	return missing != 0;
}
