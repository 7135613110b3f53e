// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The differences of the page: a sentence each, with a link to the chapter further down. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/reasons/reasons.h"
#include "loader/tools/report/html/html.h"
#include "loader/tools/report/why/together.h"

/* "differs/cookie" -> "#why-differs-cookie"; without the '#' it is the anchor. Gives @buf. */
static const char *anchor(const char *code, char *buf, size_t size)
{
	snprintf(buf, size, "#why-%s", code);
	for (char *c = buf + 1; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '-';
	return buf;
}

static void sentence(struct html *h, struct json_object *d)
{
	const char *code = doc_text(d, "explained"), *text = doc_text(d, "text");
	char link[96];

	html_open(h, "p");
	if (!code) {
		html_leaf(h, "strong", NULL, "Unexplained: ");
		html_text(h, "nobody has said yet why.");
	} else {
		html_text(h, text ? text : "");
		html_text(h, " ");
	}
	if (code && reason_find(code)) {
		html_open(h, "a");
		html_attr(h, "href", anchor(code, link, sizeof(link)));
		html_text(h, "Why");
		html_close(h);
	}
	html_close(h);
}

static void one(void *arg, const char *line)
{
	html_leaf(arg, "li", NULL, line);
}

/* --- chapters --- */

static void term(struct html *h, const char *name, const char *text)
{
	html_leaf(h, "dt", NULL, name);
	html_leaf(h, "dd", NULL, text);
}

static void chapter(struct html *h, struct json_object *d)
{
	const char *code = doc_text(d, "explained"), *docs = doc_text(d, "chapter");
	const struct reason *r = code ? reason_find(code) : NULL;
	char name[96];

	if (!r)
		return;
	html_open(h, "h3");
	html_attr(h, "id", anchor(code, name, sizeof(name)) + 1);
	html_text(h, r->means);
	html_close(h);
	html_open(h, "dl");
	term(h, "Where it comes from", r->from);
	term(h, "See for yourself", r->check);
	term(h, "What to do", r->remedy);
	html_leaf(h, "dt", NULL, "More");
	html_open(h, "dd");
	html_leaf(h, "code", NULL, docs ? docs : "");
	html_text(h, ", ");
	html_leaf(h, "code", NULL, "pload explain ");
	html_leaf(h, "code", NULL, code);
	html_close(h);
	html_close(h);
}

static bool is_first_of_code(struct json_object *list, size_t i)
{
	const char *code = doc_text(doc_at(list, i), "explained");

	for (size_t j = 0; code && j < i; j++)
		if (doc_is(doc_at(list, j), "explained", code))
			return false;
	return code;
}

void html_differences(struct html *h, struct json_object *doc)
{
	struct json_object *list = doc_array(doc, "differences");
	bool *done = calloc(doc_len(list) + 1, sizeof(*done));

	if (done && doc_len(list)) {
		html_open(h, "h2");
		html_attr(h, "id", "differences");
		html_text(h, "Differences");
		html_close(h);
	}
	for (size_t i = 0; done && i < doc_len(list); i++) {
		if (done[i])
			continue;
		html_open(h, "div");
		html_class(h, doc_text(doc_at(list, i), "explained") ? "why" : "why none");
		sentence(h, doc_at(list, i));
		html_open(h, "ul");
		differences_together(doc, i, done, one, h);
		html_close(h);
		html_close(h);
	}
	free(done);
	if (doc_len(list))
		html_leaf(h, "h2", NULL, "Why");
	for (size_t i = 0; i < doc_len(list); i++)
		if (is_first_of_code(list, i))
			chapter(h, doc_at(list, i));
}

/* --- since an earlier document --- */

static void place(struct html *h, struct json_object *c, const char *key)
{
	const char *text = doc_text(c, key);

	html_leaf(h, "td", "wraps", text ? text : "-");
}

/* Change @i with those behind it that are the same of other cells; how many. */
static size_t change(struct html *h, struct json_object *changes, size_t i)
{
	struct json_object *c = doc_at(changes, i);
	size_t nr = 0;

	html_open(h, "tr");
	place(h, c, "event");
	place(h, c, "what");
	html_open(h, "td");
	html_class(h, "wraps");
	for (; i + nr < doc_len(changes) && (!nr || change_same(c, doc_at(changes, i + nr))); nr++) {
		const char *cell = doc_text(doc_at(changes, i + nr), "cell");

		html_text(h, nr ? ", " : "");
		html_text(h, cell ? cell : "-");
	}
	html_close(h);
	place(h, c, "then");
	place(h, c, "now");
	html_leaf(h, "td", "soft", doc_true(c, "time") ? "a time" : "");
	html_close(h);
	return nr;
}

void html_against(struct html *h, struct json_object *against)
{
	static const char *const heads[] = { "event", "what", "cell", "then", "now", "" };
	const char *release = doc_text(doc_object(against, "kernel"), "release");
	struct json_object *changes = doc_array(against, "changes");

	if (!against)
		return;
	html_open(h, "h2");
	html_attr(h, "id", "changes");
	html_text(h, "Changed since Linux ");
	html_text(h, release ? release : "(unknown)");
	html_close(h);
	html_leaf(h, "p", "soft small",
		  doc_len(changes) ? "Times are listed from twice as long or half as long on." :
				     "Nothing, apart from times that differ by less than twice.");
	if (!doc_len(changes))
		return;
	html_open(h, "div");
	html_class(h, "box");
	html_attr(h, "tabindex", "0");
	html_attr(h, "role", "region");
	html_attr(h, "aria-label", "what has changed");
	html_open(h, "table");
	html_open(h, "thead");
	html_open(h, "tr");
	for (unsigned int i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		html_leaf(h, "th", NULL, heads[i]);
	html_close(h);
	html_close(h);
	html_open(h, "tbody");
	for (size_t i = 0; i < doc_len(changes);)
		i += change(h, changes, i);
	html_close(h);
	html_close(h);
	html_close(h);
}
