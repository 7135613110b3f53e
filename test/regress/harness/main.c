// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The regression suite: its command line and its exit status. */
#include <stdio.h>
#include <unistd.h>

#include "commit.h"	/* COMMIT: " (commit 0123456789ab)", or "" */
#include "test/regress/harness/coverage.h"
#include "test/regress/harness/explain.h"
#include "test/regress/harness/profiles.h"
#include "test/regress/harness/whole.h"
#include "test/regress/random/actors.h"

static struct json_object *needs(const struct suite_test *test)
{
	struct json_object *list = json_object_new_array();

	for (const struct regress_need *need = regress_needs; need->config; need++)
		if (profiles_needs(need, test->group->name, test->test->name))
			json_object_array_add(list, json_object_new_string(need->config));
	return list;
}

static void list_json(const struct suite *suite)
{
	struct json_object *all = json_object_new_array();

	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];
		struct json_object *one = json_object_new_object();

		json_object_object_add(one, "id", json_object_new_string(test->id));
		json_object_object_add(one, "group", json_object_new_string(test->group->name));
		json_object_object_add(one, "name", json_object_new_string(test->test->name));
		json_object_object_add(one, "subject", json_object_new_string(test->group->what));
		json_object_object_add(one, "area",
				       json_object_new_string(profiles_area(test->group->name)));
		json_object_object_add(one, "about", json_object_new_string(
			profiles_of_loader(test->group->name, test->test->name) ? "loader" : "kernel"));
		json_object_object_add(one, "conformance",
				       json_object_new_string(profiles_conformance(test->may_differ)));
		if (test->may_differ)
			json_object_object_add(one, "may_differ", json_object_new_string(test->may_differ));
		json_object_object_add(one, "quick", json_object_new_boolean(
			profiles_has(regress_quick, test->group->name, test->test->name)));
		json_object_object_add(one, "needs", needs(test));
		json_object_object_add(one, "exclusive", json_object_new_boolean(test->exclusive));
		json_object_array_add(all, one);
	}
	puts(json_object_to_json_string_length(all, true, NULL));
	json_object_put(all);
}

static void list(const struct suite *suite)
{
	const struct regress_group *group = NULL;

	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];

		if (test->group != group)
			printf("# %s: %s\n", test->group->name, test->group->what);
		group = test->group;
		printf("%s\t%s/%s\n", test->id[0] ? test->id : "-", group->name,
		       test->test->name);
	}
}

static int act(struct settings *o, struct suite *suite, struct place *place)
{
	static struct whole whole;	/* large */
	char buf[256];

	if (o->help) {
		settings_help();
		return EXIT_GOOD;
	}
	if (o->version) {
		printf("attach-regress " SUITE_VERSION COMMIT " on %s\n",
		       whole_kernel(buf, sizeof(buf)));
		return EXIT_GOOD;
	}
	if (o->coverage) {
		coverage_print();
		return EXIT_GOOD;
	}
	if (o->is_random) {
		if (!place->alone)
			place_init(place);
		return random_run(&o->random);
	}
	if (!suite_init(suite, o))
		return EXIT_USAGE;
	if (o->explain) {
		explain_print(suite);
		return EXIT_GOOD;
	}
	if (o->requires) {
		profiles_print_config(suite);
		return EXIT_GOOD;
	}
	if (o->list) {
		if (o->list_json)
			list_json(suite);
		else
			list(suite);
		return EXIT_GOOD;
	}
	whole = (struct whole){ .o = o, .suite = suite, .place = place };
	return whole_run(&whole);
}

int main(int argc, char **argv)
{
	struct place place = { .sampling = -1 };
	struct suite suite = { 0 };
	struct settings o;
	int status = EXIT_USAGE;

	actors_main(argc, argv);
	/* Before anything can go wrong, so that the console shows it. */
	if (getpid() == 1)
		place_init(&place);
	/* Print each line at once. Children must not print buffered lines a second time. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (settings_parse(&o, argc, argv))
		status = act(&o, &suite, &place);
	suite_free(&suite);
	settings_free(&o);
	place_end(&place);
	place_leave(&place, status);
}
