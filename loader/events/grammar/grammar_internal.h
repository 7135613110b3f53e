/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the grammar's files: pieces of text, and a parser for each kind of event. */
#ifndef PLOAD_EVENTS_GRAMMAR_GRAMMAR_INTERNAL_H
#define PLOAD_EVENTS_GRAMMAR_GRAMMAR_INTERNAL_H

#include <string.h>

#include "loader/core/event/steps.h"

/* Part of a text, not null-terminated. */
struct piece {
	const char *text;	/* borrowed */
	size_t len;
};

/* The two arguments of "%.*s". */
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

/**
 * piece_string() - Allocate a string with the text of @p.
 * @what: what the text is, for the error: "the category".
 * @size: maximum size of the string, including its '\0'.
 * @string: unchanged on failure.
 *
 * Return: 0, -EINVAL if @p is too long, or -ENOMEM.
 */
int piece_string(struct piece p, const char *what, size_t size, char **string, struct error *err);

/**
 * spec_number() - Parse a 64-bit decimal or hexadecimal number.
 * @what: what the number is, for the error: "the period".
 */
int spec_number(struct piece p, const char *what, uint64_t *value, struct error *err);

/** spec_grammar_error() - Set the hint to a summary of the grammar. Return: -EINVAL. */
int spec_grammar_error(struct error *err);

/**
 * spec_parse() - Parse one event with its sampling terms, like event_parse().
 * spec_end() - Find the end of the first event in @text: the comma before its sampling terms or
 * before the next event, or the end of @text.
 */
int spec_parse(struct event_spec *spec, struct piece text, struct error *err);
const char *spec_end(struct piece text);

/**
 * spec_keys() - Translate "type=0,config=3,frequency=1", which follows "perf_event/" in
 * ebpf_exporter's section names, to -e syntax.
 *
 * Return: 1, 0 if @target has a different form, or -EINVAL.
 */
int spec_keys(const char *target, char text[EVENT_TEXT_MAX], struct error *err);

/** spec_section() - Translate the section name @prefix/@target to -e syntax. */
int spec_section(const char *prefix, const char *target, char text[EVENT_TEXT_MAX],
		 struct error *err);

/** event_list_lead() - Set the leader of each event group from event @from on. */
void event_list_lead(struct event_list *list, unsigned int from);

/**
 * spec_modifiers() - Add the modifiers @letters to @m. Return: 0, or -EINVAL if one is unknown.
 * spec_is_modifiers() - Return true if @p is nonempty and consists only of modifiers.
 */
int spec_modifiers(struct event_modifiers *m, struct piece letters, struct error *err);
bool spec_is_modifiers(struct piece p);

/**
 * spec_sampling() - Parse the sampling terms after an event, ",freq=99".
 * spec_terms() - Parse the terms between slashes, "event=1,name=x".
 * @own: set to the PMU's own terms, "" if none.
 */
int spec_sampling(struct event_spec *spec, struct piece terms, struct error *err);
int spec_terms(struct event_spec *spec, struct piece terms, char own[EVENT_WORD_MAX],
	       struct error *err);

/** spec_breakpoint() - Parse the text after "mem:". */
int spec_breakpoint(struct event_spec *spec, struct piece body, struct error *err);

/**
 * spec_is_probe() - Return true if @text begins with "kprobe:", "uretprobe:", "usdt:" or another
 * kind of probe.
 * spec_probe() - Parse a probe.
 * spec_probe_end() - Find the end of the first probe in @text.
 */
bool spec_is_probe(struct piece text);
int spec_probe(struct event_spec *spec, struct piece body, struct error *err);
const char *spec_probe_end(struct piece text);

#endif
