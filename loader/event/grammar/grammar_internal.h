/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files of the grammar: pieces of the text, and a parser for each kind of event. */
#ifndef PLOAD_EVENT_GRAMMAR_GRAMMAR_INTERNAL_H
#define PLOAD_EVENT_GRAMMAR_GRAMMAR_INTERNAL_H

#include <string.h>

#include "loader/event/event_internal.h"

/* A piece of the text, which is borrowed. */
struct piece {
	const char *text;
	size_t len;
};

/* For "%.*s". */
#define PIECE(p) (int)(p).len, (p).text

static inline struct piece piece_until(struct piece p, const char *end)
{
	return (struct piece){ p.text, end - p.text };
}

static inline struct piece piece_from(struct piece p, const char *start)
{
	return (struct piece){ start, p.text + p.len - start };
}

static inline const char *piece_find(struct piece p, char c)
{
	return memchr(p.text, c, p.len);
}

static inline const char *piece_find_last(struct piece p, char c)
{
	return memrchr(p.text, c, p.len);
}

static inline bool piece_is(struct piece p, const char *word)
{
	return p.len == strlen(word) && memcmp(p.text, word, p.len) == 0;
}

static inline bool piece_begins(struct piece p, const char *word)
{
	return p.len >= strlen(word) && memcmp(p.text, word, strlen(word)) == 0;
}

/*
 * spec_copy() - @p into one of spec's arrays; @what names it. EINVAL when it does not fit.
 */
int spec_copy(struct piece p, const char *what, char *buf, size_t size, struct error *err);

/* spec_number() - a number, or the error that says which; @what: "the period". */
int spec_number(struct piece p, const char *what, uint64_t *value, struct error *err);

/* spec_grammar_error() - put what an event may look like into the hint. Returns -EINVAL. */
int spec_grammar_error(struct error *err);

/*
 * spec_parse() - event_parse() of a piece: one event, with its sampling terms. spec_end(): where
 * the event that @text begins with ends, and its sampling terms or the next one begin.
 */
int spec_parse(struct event_spec *spec, struct piece text, struct error *err);
const char *spec_end(struct piece text);

/** spec_section() - Write the text for -e of the section @prefix/@target. */
int spec_section(const char *prefix, const char *target, char text[EVENT_TEXT_MAX],
		 struct error *err);

/* event_list_lead() - mark who leads in each group from @from on. */
void event_list_lead(struct event_list *list, unsigned int from);

/*
 * spec_modifiers() - add the letters to what @m has; EINVAL for one that is none.
 * spec_is_modifiers(): whether all are letters of modifiers, and there are some.
 */
int spec_modifiers(struct event_modifiers *m, struct piece letters, struct error *err);
bool spec_is_modifiers(struct piece p);

/*
 * spec_sampling() - ",freq=99" behind an event. spec_terms(): "event=1,name=x" between slashes;
 * those which are not the same for every event go into spec->second. spec_is_sampling(): whether it
 * begins with one that may stand behind an event.
 */
int spec_sampling(struct event_spec *spec, struct piece behind, struct error *err);
int spec_terms(struct event_spec *spec, struct piece between, struct error *err);
bool spec_is_sampling(struct piece p);

/** spec_breakpoint() - Parse the text after "mem:". */
int spec_breakpoint(struct event_spec *spec, struct piece body, struct error *err);

/*
 * spec_is_probe() - whether it begins as a probe does: "kprobe:", "uretprobe:", "usdt:" ...
 * spec_probe(): such an event, taken apart. spec_probe_end(): where the one that @text begins with
 * ends.
 */
bool spec_is_probe(struct piece text);
int spec_probe(struct event_spec *spec, struct piece body, struct error *err);
const char *spec_probe_end(struct piece text);

#endif
