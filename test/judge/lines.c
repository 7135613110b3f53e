// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The lines printed by a loader, and their fields. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/judge/judge.h"

/* Return @at after @text and a blank or the end of the line, or NULL. */
static const char *after(const char *at, const char *text)
{
	while (*text) {
		const size_t word = strcspn(text, " ");

		at += strspn(at, " \t");
		if (strncmp(at, text, word) || (at[word] && !strchr(" \t\n", at[word])))
			return NULL;
		at += word;
		text += word;
		text += strspn(text, " ");
	}
	return at;
}

/* Return the rest of the line that begins with the words of @start, or NULL. */
static const char *find_line(const struct run *run, const char *start)
{
	const char *line = run->out.bytes ? run->out.bytes : "";

	for (; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *rest = after(line, start);

		if (rest)
			return rest;
	}
	return NULL;
}

bool line_exists(const struct run *run, const char *start)
{
	return find_line(run, start) != NULL;
}

const char *line_printed(struct run *run, const char *start)
{
	const char *line = line_next(run, start, NULL);

	run->printed[0] = 0;
	if (line)
		snprintf(run->printed, sizeof(run->printed), "; your line is '%.*s'",
			 (int)strcspn(line, "\r\n"), line);
	return run->printed;
}

const char *line_next(const struct run *run, const char *word, const char *at)
{
	at = at ? at + strcspn(at, "\n") : run->out.bytes ? run->out.bytes : "";
	for (at += *at == '\n'; *at; at += strcspn(at, "\n"), at += *at == '\n')
		if (after(at, word))
			return at;
	return NULL;
}

static const char *find_field(const char *rest, const char *key)
{
	const size_t len = strlen(key);

	for (; rest && *rest && *rest != '\n'; rest += strcspn(rest, " \t\n")) {
		rest += strspn(rest, " \t");
		if (!strncmp(rest, key, len) && rest[len] == '=')
			return rest + len + 1;
	}
	return NULL;
}

int64_t line_field(const struct run *run, const char *start, const char *key)
{
	const char *rest = find_line(run, start), *field = find_field(rest, key);
	char *end;
	int64_t number;

	if (!rest)
		return -1;
	if (!field)
		return -2;
	number = strtoull(field, &end, 0);
	return end == field || !strchr(" \t\n", *end) ? -2 : number;
}

bool line_word(const struct run *run, const char *start, const char *key, char *buf, size_t size)
{
	const char *field = find_field(find_line(run, start), key);
	const size_t len = field ? strcspn(field, " \t\n") : 0;

	if (!field || len >= size)
		return false;
	memcpy(buf, field, len);
	buf[len] = 0;
	return true;
}

/* Return the length of the first @words words of the line, or 0 if it has fewer. */
static size_t length_of_words(const char *line, int words)
{
	size_t len = 0;

	for (int i = 0; i < words; i++) {
		len += strspn(line + len, " \t");
		if (!strcspn(line + len, " \t\r\n"))
			return 0;
		len += strcspn(line + len, " \t\r\n");
	}
	return len;
}

/* Return true if both lines begin with the same words and are not the same. */
static bool contradict(const char *line, const char *other, int words)
{
	const size_t key = length_of_words(line, words), len = strcspn(line, "\r\n");

	return key && length_of_words(other, words) == key && !strncmp(line, other, key) &&
	       (strcspn(other, "\r\n") != len || strncmp(line, other, len));
}

bool lines_agree(struct run *run, const char *word, int words)
{
	for (const char *line = NULL; (line = line_next(run, word, line));)
		for (const char *other = line; (other = line_next(run, word, other));)
			if (contradict(line, other, words))
				return wrong(run, "two lines begin with '%.*s' and contradict each other: '%.*s' and "
					     "'%.*s'", (int)length_of_words(line, words), line,
					     (int)strcspn(line, "\r\n"), line,
					     (int)strcspn(other, "\r\n"), other);
	return true;
}
