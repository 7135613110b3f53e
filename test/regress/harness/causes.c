// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Failures by cause: if one call of a kernel is broken, hundreds of tests fail with a sentence that
 * differs only in numbers.
 */
#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "test/regress/harness/ktap.h"
#include "test/regress/harness/record.h"

struct cause {
	char *text;			/* owned; the sentence, with # for each number */
	const struct suite_test *first;
	unsigned int nr;
};

/* Remove the numbers from a sentence: addresses, counts and descriptors vary between tests. */
static char *without_numbers(const char *why)
{
	char *text = strdup(why), *to = text;

	if (!text)
		err(1, "no memory for the causes");
	for (; *why; why++) {
		if (isdigit((unsigned char)*why) && to > text && to[-1] == '#')
			continue;
		*to++ = isdigit((unsigned char)*why) ? '#' : *why;
	}
	*to = '\0';
	return text;
}

static struct cause *find(struct cause *causes, unsigned int nr, const char *text)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!strcmp(causes[i].text, text))
			return &causes[i];
	return NULL;
}

static int by_number(const void *a, const void *b)
{
	const struct cause *one = a, *other = b;

	return one->nr == other->nr ? strcmp(one->text, other->text) :
				      (one->nr < other->nr) - (one->nr > other->nr);
}

static unsigned int collect(struct cause *causes, const struct suite *suite)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];
		struct cause *known;
		char *text;

		if (suite_state(test) != REGRESS_FAILED)
			continue;
		text = without_numbers(test->why ? test->why : "");
		known = find(causes, nr, text);
		if (!known)
			causes[nr++] = (struct cause){ text, test, 1 };
		else
			known->nr++;
		if (known)
			free(text);
	}
	return nr;
}

void causes_say(const struct suite *suite)
{
	struct cause *causes = calloc(suite->nr + 1, sizeof(*causes));
	unsigned int nr;

	if (!causes)
		err(1, "no memory for the causes");
	nr = collect(causes, suite);
	qsort(causes, nr, sizeof(*causes), by_number);
	for (unsigned int i = 0; i < nr; i++) {
		const struct suite_test *first = causes[i].first;

		if (causes[i].nr > 1)
			ktap_say("cause: %u tests: %s (the first: %s)", causes[i].nr,
				 first->why ? first->why : "", first->id[0] ? first->id : first->test->name);
		free(causes[i].text);
	}
	free(causes);
}
