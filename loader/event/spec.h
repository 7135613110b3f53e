/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of the grammar share: pieces of the text, and the parsers of some kinds. */
#ifndef PLOAD_EVENT_SPEC_H
#define PLOAD_EVENT_SPEC_H

#include <string.h>

#include "loader/event/parts.h"

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
 * spec_probe_prefix() - whether @body is that of a probe: "kprobe:", "uretprobe:", "usdt:" ... in
 * front.
 */
bool spec_probe_prefix(struct piece body);

/* spec_probe() - such a body, taken apart. */
int spec_probe(struct event_spec *spec, struct piece body, struct error *err);

#endif
