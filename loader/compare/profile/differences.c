// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find functions whose share of the samples differs between the methods' profiles. */

#include "loader/compare/profile/profile.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"

static const char *const kinds[] = { "self", "total" };

#define NR_KINDS 2

/* "function (file)", as the pages and tables print it. */
static void function_name(struct json_object *function, char *buf, size_t size)
{
	const char *symbol = message_text(function, "symbol"),
		   *file = message_text(function, "file");

	if (symbol && file)
		snprintf(buf, size, "%s (%s)", symbol, file);
	else
		snprintf(buf, size, symbol ? "%s" : "[%s]",
			 symbol ? symbol : file ? file : "unknown");
}

/* @table: by function name, an array of its weights: the kinds for each method. */
static bool add_functions(struct json_object *table, struct json_object *functions,
			  unsigned int method, size_t nr_methods)
{
	char name[4096];

	for (size_t i = 0; functions && i < json_object_array_length(functions); i++) {
		struct json_object *f = json_object_array_get_idx(functions, i), *row;
		bool ok = true;

		function_name(f, name, sizeof(name));
		row = message_get(table, name);
		if (!row) {
			row = json_object_new_array();
			if (!row || json_object_object_add(table, name, row)) {
				json_object_put(row);
				return false;
			}
			for (size_t m = 0; ok && m < nr_methods * NR_KINDS; m++)
				ok = value_append(row, json_object_new_uint64(0));
		}
		/* Names that are equal after truncation share a row. */
		for (unsigned int k = 0; ok && k < NR_KINDS; k++) {
			struct json_object *n =
				json_object_array_get_idx(row, method * NR_KINDS + k);

			ok = json_object_set_uint64(n, json_object_get_uint64(n) +
						       message_number(f, kinds[k]));
		}
		if (!ok)
			return false;
	}
	return true;
}

/*
 * Two shares of @na and @nb samples, of which @a and @b contain the function: compare the square of
 * their difference with that of its standard error, assuming equal shares.
 */
static bool differ(double a, double na, double b, double nb)
{
	const double share = (a + b) / (na + nb), difference = a / na - b / nb;

	return difference * difference > PROFILE_SIGMAS * PROFILE_SIGMAS * share * (1 - share) *
						 (1 / na + 1 / nb);
}

static bool row_differs(struct json_object *methods, struct json_object *row, unsigned int kind)
{
	const size_t nr = json_object_array_length(methods);

	for (size_t i = 1; i < nr; i++) {
		const uint64_t ni = message_number(json_object_array_get_idx(methods, i),
						   "samples");

		for (size_t j = 0; j < i; j++) {
			const uint64_t nj = message_number(json_object_array_get_idx(methods, j),
							   "samples");
			struct json_object *a = json_object_array_get_idx(row, i * NR_KINDS + kind),
					   *b = json_object_array_get_idx(row, j * NR_KINDS + kind);

			if (ni && nj && differ(json_object_get_uint64(a), ni,
					       json_object_get_uint64(b), nj))
				return true;
		}
	}
	return false;
}

static struct json_object *difference(struct json_object *methods, const char *name,
				      struct json_object *row, unsigned int kind)
{
	struct json_object *d = json_object_new_object(), *weights = json_object_new_array();
	bool ok = weights;

	for (size_t m = 0; ok && m < json_object_array_length(methods); m++) {
		if (!message_get(json_object_array_get_idx(methods, m), "profile"))
			ok = !json_object_array_add(weights, NULL);
		else
			ok = value_append(weights, json_object_get(json_object_array_get_idx(
							   row, m * NR_KINDS + kind)));
	}
	value_add_string(d, "function", name);
	value_add_string(d, "of", kinds[kind]);
	value_add(d, "weights", ok ? weights : NULL);
	if (!ok)
		json_object_put(weights);
	return d;
}

struct json_object *compare_profile_differences(struct json_object *methods)
{
	struct json_object *table = json_object_new_object(), *list = json_object_new_array();
	bool ok = table && list && methods;

	for (unsigned int m = 0; ok && m < json_object_array_length(methods); m++) {
		struct json_object *profile =
			message_get(json_object_array_get_idx(methods, m), "profile");

		ok = add_functions(table, message_get(profile, "functions"), m,
				   json_object_array_length(methods));
	}
	if (ok) {
		json_object_object_foreach(table, name, row) {
			for (unsigned int k = 0; ok && k < NR_KINDS; k++)
				if (row_differs(methods, row, k))
					ok = value_append(list, difference(methods, name, row, k));
		}
	}
	json_object_put(table);
	if (ok)
		return list;
	json_object_put(list);
	return NULL;
}
