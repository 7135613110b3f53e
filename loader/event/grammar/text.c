// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Words, globs and copying, for every part of the grammar. */
#include <errno.h>

#include "loader/event/grammar/grammar_internal.h"

#define GRAMMAR \
	"an event is a name such as cycles or L1-dcache-loads, rHEX, type:config, category:name, " \
	"mem:addr[/len][:rwx], pmu/terms/, kprobe:symbol, uprobe:path:symbol or " \
	"usdt:path:provider:name, with :modifiers, ,freq=HZ or ,period=N after it"

bool event_is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

/*
 * Match @c with a set, "[a-z]" or "[!ab]", whose text after the '[' begins at @set.
 * Return: the position after its ']', or NULL if there is none.
 */
static const char *glob_set(const char *set, char c, bool *matches)
{
	const bool inverted = *set == '!' || *set == '^';
	bool in = false;

	set += inverted;
	for (const char *p = set; *p; p++) {
		if (*p == ']' && p > set) {
			*matches = in != inverted;
			return p + 1;
		}
		if (p[1] == '-' && p[2] && p[2] != ']') {
			in |= c >= p[0] && c <= p[2];
			p += 2;
		} else {
			in |= c == *p;
		}
	}
	return NULL;
}

/* Return true if the first item of @pattern, no '*', matches @c; *@rest is the text after it. */
static bool glob_one(const char *pattern, char c, const char **rest)
{
	const char *end;
	bool matches;

	*rest = pattern + 1;
	if (*pattern == '[' && (end = glob_set(pattern + 1, c, &matches))) {
		*rest = end;
		return matches;
	}
	return *pattern == '?' || *pattern == c;
}

bool event_glob_match(const char *pattern, const char *name)
{
	const char *star = NULL, *from = NULL, *rest;

	/* On a mismatch the last '*' matches one more character. */
	while (*name) {
		if (*pattern == '*') {
			star = ++pattern;
			from = name;
		} else if (*pattern && glob_one(pattern, *name, &rest)) {
			pattern = rest;
			name++;
		} else if (star) {
			pattern = star;
			name = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

int piece_string(struct piece p, const char *what, size_t size, char **string, struct error *err)
{
	char *copy;

	if (p.len >= size) {
		error_set(err, EINVAL, "%s is %zu characters long, and %zu is the most", what,
			  p.len, size - 1);
		return spec_grammar_error(err);
	}
	copy = strndup(p.text, p.len);
	if (!copy)
		return error_set(err, ENOMEM, "no memory for %s", what);
	*string = copy;
	return 0;
}

int spec_number(struct piece p, const char *what, uint64_t *value, struct error *err)
{
	int ret = number_parse(p.text, p.len, value);

	if (ret == 0)
		return 0;
	if (ret == -ERANGE)
		error_set(err, EINVAL, "%s '%.*s' does not fit in 64 bits", what, PIECE(p));
	else
		error_set(err, EINVAL, "%s '%.*s' is not a number", what, PIECE(p));
	error_hint(err, "write it as 1000 or 0x3e8");
	return -EINVAL;
}

int spec_grammar_error(struct error *err)
{
	error_hint(err, GRAMMAR);
	return -EINVAL;
}
