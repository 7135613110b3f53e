// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compare this run with the record of another: which tests have a different state or answer. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/base/json/parse_json.h"
#include "test/regress/harness/ktap.h"
#include "test/regress/harness/record.h"

/* --- reading it --- */

static struct json_object *member(struct json_object *of, const char *key, enum json_type type)
{
	struct json_object *value = NULL;

	if (!json_object_is_type(of, json_type_object) ||
	    !json_object_object_get_ex(of, key, &value) || !json_object_is_type(value, type))
		return NULL;
	return value;
}

static const char *text(struct json_object *of, const char *key)
{
	struct json_object *value = member(of, key, json_type_string);

	return value ? json_object_get_string(value) : NULL;
}

/* Return why @record is not in the form that record_of() writes, or NULL if it is. */
static const char *flaw(struct json_object *record)
{
	struct json_object *tests = member(record, "tests", json_type_object);
	struct json_object *kernel = member(record, "kernel", json_type_object);
	const char *version = text(record, "version");

	if (!version || !tests || !text(kernel, "release") || !text(kernel, "machine"))
		return "is no record of this suite";
	if (strcmp(version, SUITE_VERSION))
		return "is a record of another version of the suite";
	json_object_object_foreach(tests, key_of_test, test) {
		struct json_object *saw = member(test, "saw", json_type_object);

		(void)key_of_test;
		if (!text(test, "name") || !text(test, "state") || !saw)
			return "has a test in it that is not as it is recorded";
		json_object_object_foreach(saw, key, value) {
			(void)key;
			if (!json_object_is_type(value, json_type_string))
				return "has a behaviour in it that is not as it is recorded";
		}
	}
	return NULL;
}

/* No record of this suite is longer. */
#define RECORD_MAX (16u << 20)

static struct json_object *read_json(FILE *file)
{
	struct json_object *record = NULL;
	struct error err = { 0 };
	char *text = malloc(RECORD_MAX);

	if (text)
		json_parse(text, fread(text, 1, RECORD_MAX, file), &record, &err);
	error_clear(&err);
	free(text);
	return record;
}

struct json_object *against_open(const char *path)
{
	static const char hint[] = "attach-regress --record=FILE writes such a file";
	struct json_object *record;
	const char *wrong;
	FILE *file = fopen(path, "re");

	if (!file) {
		usage_error(hint, "%s: %s", path, strerror(errno));
		return NULL;
	}
	record = read_json(file);
	fclose(file);
	wrong = record ? flaw(record) : "is no JSON document";
	if (!wrong)
		return record;
	usage_error(hint, "%s %s", path, wrong);
	json_object_put(record);
	return NULL;
}

/* --- comparing --- */

struct differ {
	const struct suite_test *test;
	unsigned int nr;
};

static void differs(struct differ *d, const char *key, const char *was, const char *is)
{
	ktap_say("differs: %s/%s: %s%s%s -> %s", d->test->group->name, d->test->test->name, key,
		 key[0] ? ": " : "", was, is);
	d->nr++;
}

static const char *cause(const char *why)
{
	return why ? why : "";
}

static void compare_states(struct differ *d, struct json_object *there, struct json_object *here)
{
	const char *was = text(there, "state"), *is = text(here, "state");

	if (!strcmp(was, is))
		return;
	ktap_say("differs: %s/%s: %s%s%s -> %s%s%s", d->test->group->name, d->test->test->name, was,
		 text(there, "why") ? ": " : "", cause(text(there, "why")), is,
		 text(here, "why") ? ": " : "", cause(text(here, "why")));
	d->nr++;
}

/*
 * A missing behavior only counts as a difference if both tests passed: a test that was skipped or
 * failed ended early, and its state already differs.
 */
static void compare_behaviours(struct differ *d, struct json_object *there,
			       struct json_object *here)
{
	struct json_object *was = member(there, "saw", json_type_object);
	struct json_object *is = member(here, "saw", json_type_object);
	const bool whole = !strcmp(text(there, "state"), "passed") &&
			   !strcmp(text(here, "state"), "passed");

	json_object_object_foreach(was, key, value) {
		const char *now = text(is, key), *old = json_object_get_string(value);

		if (now ? strcmp(now, old) : whole)
			differs(d, key, old, now ? now : "(not seen)");
	}
	json_object_object_foreach(is, new_key, new_value)
		if (whole && !text(was, new_key))
			differs(d, new_key, "(not seen)", json_object_get_string(new_value));
}

/* Return whether the suite has a test with that id or name, even if it did not run. */
static bool is_known(const struct suite *suite, const char *key)
{
	char name[512];

	for (unsigned int i = 0; i < suite->nr_groups; i++) {
		const struct regress_list *list = &suite->lists[i];

		for (unsigned int j = 0; j < list->nr; j++) {
			snprintf(name, sizeof(name), "%s/%s", regress_groups[i]->name,
				 list->tests[j].name);
			if (!strcmp(key, list->ids[j]) || !strcmp(key, name))
				return true;
		}
	}
	return false;
}

unsigned int against_say(struct json_object *there, const struct suite *suite)
{
	struct json_object *kernel = member(there, "kernel", json_type_object);
	struct json_object *then = member(there, "tests", json_type_object), *was;
	struct json_object *record = record_of(suite), *now;
	struct differ d = { 0 };
	char name[512];
	const char *key;

	now = member(record, "tests", json_type_object);
	ktap_say("against Linux %s %s:", text(kernel, "release"), text(kernel, "machine"));
	for (unsigned int i = 0; i < suite->nr; i++) {
		d.test = &suite->tests[i];
		snprintf(name, sizeof(name), "%s/%s", d.test->group->name, d.test->test->name);
		key = d.test->id[0] ? d.test->id : name;
		was = member(then, key, json_type_object);
		if (!member(now, key, json_type_object))
			continue;
		if (!was) {
			ktap_say("only here: %s", name);
			d.nr++;
			continue;
		}
		compare_states(&d, was, member(now, key, json_type_object));
		compare_behaviours(&d, was, member(now, key, json_type_object));
	}
	json_object_object_foreach(then, other, value) {
		if (is_known(suite, other))
			continue;
		ktap_say("only there: %s", text(value, "name"));
		d.nr++;
	}
	ktap_say("%u differences", d.nr);
	json_object_put(record);
	return d.nr;
}
