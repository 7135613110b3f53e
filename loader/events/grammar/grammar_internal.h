/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files of the grammar: pieces of text, and a parser for each kind of event. */
#ifndef PLOAD_EVENTS_GRAMMAR_GRAMMAR_INTERNAL_H
#define PLOAD_EVENTS_GRAMMAR_GRAMMAR_INTERNAL_H

#include <string.h>

#include "loader/core/event/steps.h"

/* Part of a text, not terminated by '\0'. */
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
 * @what: names the text in the error: "the category".
 * @size: the string, with its '\0', is no longer.
 * @string: unchanged on failure.
 *
 * Return: 0, -EINVAL if @p is too long, or -ENOMEM.
 */
int piece_string(struct piece p, const char *what, size_t size, char **string, struct error *err);

/**
 * spec_number() - Parse a decimal or hexadecimal number of 64 bits.
 * @what: names the number in the error: "the period".
 */
int spec_number(struct piece p, const char *what, uint64_t *value, struct error *err);

/** spec_grammar_error() - Set the hint to a summary of the grammar. Return: -EINVAL. */
int spec_grammar_error(struct error *err);

/**
 * spec_parse() - Parse one event with its sampling terms, as event_parse() does.
 * spec_end() - Find the end of the event that @text begins with: the comma before its sampling
 * terms or before the next event, or the end of @text.
 */
int spec_parse(struct event_spec *spec, struct piece text, struct error *err);
const char *spec_end(struct piece text);

/**
 * spec_keys() - Write the text for -e of "type=0,config=3,frequency=1", which follows "perf_event/"
 * in section names of ebpf_exporter.
 *
 * Return: 1, 0 if @target is written in another way, or -EINVAL.
 */
int spec_keys(const char *target, char text[EVENT_TEXT_MAX], struct error *err);

/** spec_section() - Write the text for -e of the section @prefix/@target. */
int spec_section(const char *prefix, const char *target, char text[EVENT_TEXT_MAX],
		 struct error *err);

/** event_list_lead() - Set the leader of each event group from the @from-th event on. */
void event_list_lead(struct event_list *list, unsigned int from);

/**
 * spec_modifiers() - Add the modifiers @letters to @m. Return: 0, or -EINVAL if one is unknown.
 * spec_is_modifiers() - Return true if @p is not empty and consists of modifiers only.
 */
int spec_modifiers(struct event_modifiers *m, struct piece letters, struct error *err);
bool spec_is_modifiers(struct piece p);

/**
 * spec_sampling() - Parse the sampling terms after an event, ",freq=99".
 * spec_terms() - Parse the terms between slashes, "event=1,name=x".
 * @own: the terms that only a PMU has, "" for none.
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
 * spec_probe_end() - Find the end of the probe that @text begins with.
 */
bool spec_is_probe(struct piece text);
int spec_probe(struct event_spec *spec, struct piece body, struct error *err);
const char *spec_probe_end(struct piece text);

#endif
