// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Terms valid for every event: freq= and period=, and name= between slashes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "loader/events/grammar/grammar_internal.h"

static int set_period(struct event_spec *spec, struct piece value, struct error *err)
{
	spec->has_period = true;
	return spec_number(value, "the period", &spec->sample_period, err);
}

static int set_freq(struct event_spec *spec, struct piece value, struct error *err)
{
	spec->has_freq = true;
	return spec_number(value, "the frequency", &spec->sample_freq, err);
}

/* name=: rename the event in messages. */
static int set_name(struct event_spec *spec, struct piece value, struct error *err)
{
	if (!value.len) {
		error_set(err, EINVAL, "name= without a name");
		error_hint(err, "write it as in cpu/event=0x3c,name=cycles/");
		return -EINVAL;
	}
	free(spec->text);
	spec->text = NULL;
	return piece_string(value, "the name", EVENT_TEXT_MAX, &spec->text, err);
}

static const struct term {
	const char *name;
	bool after_event;		/* also valid after the event, not only between slashes */
	int (*set)(struct event_spec *spec, struct piece value, struct error *err);
} terms[] = {
	{ "period", true, set_period },
	{ "freq", true, set_freq },
	{ "name", false, set_name },
};

/* Parse @text if it is a term in the table. Return: 1, 0 if it is not, or -EINVAL. */
static int take_term(struct event_spec *spec, struct piece text, bool after_event,
		     struct error *err)
{
	const char *equals = piece_find(text, '=');
	const bool had_rate = spec->has_freq || spec->has_period;

	for (size_t i = 0; equals && i < sizeof(terms) / sizeof(terms[0]); i++) {
		if (!piece_is(piece_until(text, equals), terms[i].name) ||
		    (after_event && !terms[i].after_event))
			continue;
		if (had_rate && terms[i].set != set_name) {
			error_set(err, EINVAL, "'%.*s' follows another freq= or period=",
				  PIECE(text));
			error_hint(err, "an event can have only one of them, once");
			return -EINVAL;
		}
		return terms[i].set(spec, piece_from(text, equals + 1), err) ? -EINVAL : 1;
	}
	return 0;
}

/* Return the first of several comma-separated terms. */
static struct piece first_term(struct piece list)
{
	const char *comma = piece_find(list, ',');

	return comma ? piece_until(list, comma) : list;
}

int spec_sampling(struct event_spec *spec, struct piece rest, struct error *err)
{
	while (rest.len) {
		struct piece term = first_term(piece_from(rest, rest.text + 1));
		int ret = take_term(spec, term, true, err);

		if (ret < 0)
			return ret;
		if (ret == 0) {
			error_set(err, EINVAL, "'%.*s' is neither freq=HZ nor period=N",
				  PIECE(term));
			return spec_grammar_error(err);
		}
		rest = piece_from(rest, term.text + term.len);
	}
	return 0;
}

/* Append @term to @own. */
static int keep_term(char own[EVENT_WORD_MAX], struct piece term, struct error *err)
{
	const size_t len = strlen(own);

	if (len + 1 + term.len >= EVENT_WORD_MAX) {
		error_set(err, EINVAL, "more than %d characters between the slashes",
			  EVENT_WORD_MAX - 2);
		return spec_grammar_error(err);
	}
	snprintf(own + len, EVENT_WORD_MAX - len, "%s%.*s", len ? "," : "", PIECE(term));
	return 0;
}

int spec_terms(struct event_spec *spec, struct piece between, char own[EVENT_WORD_MAX],
	       struct error *err)
{
	const char *end = between.text + between.len;
	struct piece term;

	own[0] = '\0';
	for (;; between = piece_from(between, term.text + term.len + 1)) {
		int ret;

		term = first_term(between);
		ret = take_term(spec, term, false, err);
		if (ret == 0)
			ret = keep_term(own, term, err);
		if (ret < 0)
			return ret;
		if (term.text + term.len == end)
			return 0;
	}
}
