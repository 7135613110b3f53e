// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload compare --scale: its argument, the kinds of -e, and the document. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/compare/scale/scale_internal.h"
#include "loader/core/sys/number.h"

#define BUDGET_NS UINT64_C(15000000000)
#define NUMBER_MAX 100000
#define CPUS_MAX 65536
#define HZ_MAX 10000

static const unsigned int default_numbers[] = { 1, 10, 100, 1000 };

static int wrong_word(const char *word, struct error *err)
{
	error_set(err, EINVAL, "'%s' is not a number from 1 to %d, cpus=N or hz=N", word,
		  NUMBER_MAX);
	return error_where(err, "--scale");
}

static int parse_word(const char *word, struct scale_words *words, struct error *err)
{
	const bool cpus = !strncmp(word, "cpus=", 5), hz = !strncmp(word, "hz=", 3);
	const uint64_t most = cpus ? CPUS_MAX : hz ? HZ_MAX : NUMBER_MAX;
	const char *text = word + (cpus ? 5 : hz ? 3 : 0);
	uint64_t n;

	if (number_parse(text, strlen(text), &n) || !n || n > most)
		return wrong_word(word, err);
	if (cpus)
		words->cpus = n;
	else if (hz)
		words->hz = n;
	else if (words->nr == SCALE_NUMBERS_MAX ||
		 (words->nr && n <= words->numbers[words->nr - 1]))
		return error_set(err, EINVAL, "--scale: numbers are ascending, and at most %d",
				 SCALE_NUMBERS_MAX);
	else
		words->numbers[words->nr++] = n;
	return 0;
}

int scale_parse(const char *text, struct scale_words *words, struct error *err)
{
	char word[64];
	int ret = 0;

	*words = (struct scale_words){ .nr = 0 };
	while (!ret && text && *text) {
		const size_t len = strcspn(text, ",");

		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		ret = parse_word(word, words, err);
		text += len + (text[len] == ',');
	}
	return ret;
}

/* --- run --- */

static bool is_wanted(const struct options *o, enum scale_kind kind)
{
	for (unsigned int i = 0; i < o->events.nr; i++)
		if (!strcmp(o->events.text[i], scale_kind_name(kind)))
			return true;
	return !o->events.nr;
}

static void choose_ways(struct scale_all *all, const struct options *o)
{
	for (unsigned int i = 0; i < SCALE_NR_WAYS; i++)
		if (is_wanted(o, scale_ways[i].kind))
			all->ways[all->nr++].way = &scale_ways[i];
}

static void end(struct scale_all *all)
{
	for (unsigned int w = 0; w < all->nr; w++)
		error_clear(&all->ways[w].refused);
	waits_end(all->waits);
	error_clear(&all->no_waits);
	scale_locations_free(&all->locations);
	free(all);
}

static bool attached(const struct scale_all *all)
{
	for (unsigned int w = 0; w < all->nr; w++)
		if (all->ways[w].cells[0][SCALE_CLOSE].measured)
			return true;
	return false;
}

int compare_scale_run(struct sys *sys, const struct options *o, bool (*stop)(void *arg), void *arg,
		      struct json_object **scale, struct error *err)
{
	struct scale_all *all = calloc(1, sizeof(*all));
	int ret;

	*scale = NULL;
	if (!all)
		return error_set(err, ENOMEM, "no memory for the measurements");
	*all = (struct scale_all){
		.sys = sys, .stop = stop, .arg = arg, .locations.sys = sys,
		.on_terminal = isatty(STDERR_FILENO) && !o->trace,
	};
	ret = scale_parse(o->compare.scale, &all->words, err);
	all->budget_ns = all->words.nr ? 0 : BUDGET_NS;
	if (!all->words.nr) {
		memcpy(all->words.numbers, default_numbers, sizeof(default_numbers));
		all->words.nr = sizeof(default_numbers) / sizeof(default_numbers[0]);
	}
	choose_ways(all, o);
	if (!ret)
		waits_begin(sys, &all->waits, &all->no_waits);
	if (!ret) {
		scale_measure_ways(all);
		*scale = scale_json(all);
		ret = *scale ? !attached(all) :
			       error_set(err, ENOMEM, "no memory for the document");
	}
	end(all);
	return ret;
}
