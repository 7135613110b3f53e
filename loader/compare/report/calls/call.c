// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Split, compare and format a system call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/text_stream.h"
#include "loader/compare/report/calls/call.h"
#include "loader/compare/report/report_internal.h"

/* Return the ')' that ends the arguments, ignoring those in strings and nested ones, or NULL. */
static char *args_end(char *s)
{
	unsigned int depth = 0;
	bool quoted = false;

	for (; *s; s++) {
		if (quoted && *s == '\\' && s[1])
			s++;
		else if (*s == '"')
			quoted = !quoted;
		else if (!quoted && *s == '(')
			depth++;
		else if (!quoted && *s == ')' && !depth--)
			return s;
	}
	return NULL;
}

/* Split at every comma and brace outside strings. */
static void split(struct call *c, char *s)
{
	bool quoted = false;
	char *from = s;

	for (;; s++) {
		const char was = *s;

		if (quoted && was == '\\' && s[1]) {
			s++;
			continue;
		}
		if (was == '"')
			quoted = !quoted;
		if (was && (quoted || !strchr("{},", was)))
			continue;
		*s = '\0';
		from += strspn(from, " ");
		/* "link_create=" before a brace is not an argument but the name of a struct. */
		if (*from && from[strlen(from) - 1] != '=' && c->nr_args < CALL_ARGS)
			c->args[c->nr_args++] = from;
		if (!was)
			return;
		from = s + 1;
	}
}

/* Do not compare data truncated by --trace, because it varies: process state. */
static const char *result_of(const char *result)
{
	const size_t n = strlen(result);

	return n > 4 && !strcmp(result + n - 4, "\"...") ? " = ..." : result;
}

bool call_read(struct call *c, const char *text)
{
	char *open, *end = NULL;

	memset(c, 0, sizeof(*c));
	c->text = strndup(text, CALL_TEXT);
	if (!c->text)
		return false;
	c->name = c->text;
	c->result = "";
	open = strchr(c->text, '(');
	if (open)
		end = args_end(open + 1);
	if (!end)
		return true;
	c->result = result_of(end + 1);
	*open = *end = '\0';
	split(c, open + 1);
	return true;
}

void call_free(struct call *c)
{
	free(c->text);
	c->text = NULL;
}

bool call_equal(const struct call *a, const struct call *b)
{
	if (strcmp(a->name, b->name) || strcmp(a->result, b->result) || a->nr_args != b->nr_args)
		return false;
	for (unsigned int i = 0; i < a->nr_args; i++)
		if (strcmp(a->args[i], b->args[i]))
			return false;
	return true;
}

static bool has(const struct call *c, const char *arg)
{
	for (unsigned int i = 0; i < c->nr_args; i++)
		if (!strcmp(c->args[i], arg))
			return true;
	return false;
}

static bool all_have(const struct call *const *others, unsigned int nr, const char *arg)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!has(others[i], arg))
			return false;
	return nr;
}

/* Return true if no argument differs: then the results do, and all arguments are shown. */
static bool is_alike(const struct call *c, const struct call *const *others, unsigned int nr)
{
	for (unsigned int i = 0; i < c->nr_args; i++)
		if (!all_have(others, nr, c->args[i]))
			return false;
	return true;
}

struct json_object *call_text(const struct call *c, const struct call *const *others,
			      unsigned int nr)
{
	bool dots = false, any = false;
	struct text_stream to;

	if (!text_stream_open(&to))
		return NULL;
	if (is_alike(c, others, nr))
		nr = 0;
	fprintf(to.file, "%s(", c->name);
	for (unsigned int i = 0; i < c->nr_args; i++) {
		const bool alike = all_have(others, nr, c->args[i]);

		if (alike && dots)
			continue;
		fprintf(to.file, "%s%s", any ? ", " : "", alike ? "..." : c->args[i]);
		dots = alike;
		any = true;
	}
	fprintf(to.file, ")%s", c->result);
	return doc_string(text_stream_close(&to));
}
