// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The profiles of several methods as sections: rates and costs, and where they differ. */
#include "loader/compare/document/document.h"
#include "loader/compare/profile/profile.h"

#define CELL 64

static uint64_t number(struct json_object *object, const char *key)
{
	uint64_t n;

	doc_number(object, key, &n);
	return n;
}

static const char *const measured[] = {
	"samples", "samples per second", "throttled", "runs of the program", "time of one run",
	"share of one CPU",
};


static void print_measured(struct json_object *m, size_t row, char buf[CELL])
{
	const double s = number(m, "duration_ns") / 1e9,
		     ns = number(m, "run_time_ns");
	const uint64_t samples = number(m, "samples"), runs = number(m, "run_cnt");
	const bool has_runs = doc_get(m, "run_cnt");

	snprintf(buf, CELL, "-");
	if (doc_get(m, "error"))
		return;
	if (row == 0)
		snprintf(buf, CELL, "%llu", (unsigned long long)samples);
	else if (row == 1 && s > 0)
		snprintf(buf, CELL, "%.1f", samples / s);
	else if (row == 2)
		snprintf(buf, CELL, "%llu", (unsigned long long)number(m, "throttled"));
	else if (row == 3 && has_runs)
		snprintf(buf, CELL, "%llu", (unsigned long long)runs);
	else if (row == 4 && runs)
		snprintf(buf, CELL, "%.0f ns", ns / runs);
	else if (row == 5 && has_runs && s > 0)
		snprintf(buf, CELL, "%.4f %%", ns / s / 1e7);
}

/* The share of the samples of @method; "-" if it has no profile. */
static void print_share(struct json_object *method, struct json_object *weight, char buf[CELL])
{
	const uint64_t samples = number(method, "samples");

	if (weight && samples)
		snprintf(buf, CELL, "%.2f %%", 100.0 * json_object_get_uint64(weight) / samples);
	else
		snprintf(buf, CELL, "-");
}

static bool add_answer(struct json_object *row, struct json_object *method, const char *cell)
{
	const char *name = doc_text(method, "attach");

	return name && doc_answer(row, name, cell, NULL, NULL);
}

static bool add_measured(struct json_object *section, struct json_object *methods)
{
	bool ok = section;
	char cell[CELL];

	for (size_t i = 0; i < sizeof(measured) / sizeof(measured[0]); i++) {
		struct json_object *row = doc_row(section, measured[i], measured[i]);

		for (size_t m = 0; ok && m < doc_len(methods); m++) {
			print_measured(doc_at(methods, m), i, cell);
			ok = add_answer(row, doc_at(methods, m), cell);
		}
	}
	return ok;
}

static bool add_difference(struct json_object *section, struct json_object *methods,
			   struct json_object *difference)
{
	struct json_object *weights = doc_array(difference, "weights"), *row;
	char what[512], cell[CELL];
	bool ok = true;

	snprintf(what, sizeof(what), "%s, %s", doc_text(difference, "function"),
		 doc_text(difference, "of"));
	row = doc_row(section, what, what);
	for (size_t m = 0; ok && m < doc_len(methods); m++) {
		print_share(doc_at(methods, m), doc_at(weights, m), cell);
		ok = add_answer(row, doc_at(methods, m), cell);
	}
	return ok;
}

/* "They differ: ..." */
static struct json_object *verdict(struct json_object *methods, size_t nr)
{
	unsigned int profiles = 0;
	char buf[128];

	for (size_t m = 0; m < doc_len(methods); m++)
		profiles += number(doc_at(methods, m), "samples") > 0;
	if (profiles < 2)
		snprintf(buf, sizeof(buf),
			 "There are fewer than two profiles with samples to compare.");
	else if (nr)
		snprintf(buf, sizeof(buf), "They differ: %zu shares of functions are more than %d "
			 "standard errors apart.", nr, PROFILE_SIGMAS);
	else
		snprintf(buf, sizeof(buf), "They agree: no function's share differs by more than "
			 "%d standard errors.", PROFILE_SIGMAS);
	return json_object_new_string(buf);
}

void compare_profile_sections(struct json_object *profile)
{
	struct json_object *methods = doc_array(profile, "methods"),
			   *differences = compare_profile_differences(methods),
			   *section = NULL;
	bool ok;

	value_add(profile, "differences", differences);
	value_add(profile, "verdict", verdict(methods, doc_len(differences)));
	ok = add_measured(doc_section(profile, "profile", "by method"), methods);
	if (ok && doc_len(differences))
		section = doc_section(profile, "shares", "where they differ");
	for (size_t i = 0; ok && i < doc_len(differences); i++)
		ok = add_difference(section, methods, doc_at(differences, i));
	if (!ok)
		value_add(profile, "sections", NULL);	/* it is incomplete */
}
