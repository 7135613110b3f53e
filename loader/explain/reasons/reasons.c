// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of reasons, generated from docs/reasons/ by reasons.awk, and a search in it. */
#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "loader/explain/reasons/reasons.h"

static const struct reason reasons[] = {
#include "reasons.inc"
};

const struct reason *reason_find(const char *code)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!strcmp(reasons[i].code, code))
			return &reasons[i];
	return NULL;
}

unsigned int reason_each(const char *pattern, void (*each)(void *arg, const struct reason *reason),
			 void *arg)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (fnmatch(pattern, reasons[i].code, 0))
			continue;
		if (each)
			each(arg, &reasons[i]);
		nr++;
	}
	return nr;
}

/* Shorter quotes occur in too many log lines. */
#define QUOTE_MIN 8

/* Return true if @text contains something that @page has in quotation marks. */
static bool contains_quote(const char *text, const char *page)
{
	const char *end, *begin = strchr(page, '"');
	char quote[160];

	for (; begin; begin = strchr(end + 1, '"')) {
		end = strchr(++begin, '"');
		if (!end)
			return false;
		if (end - begin < QUOTE_MIN || end - begin >= (ptrdiff_t)sizeof(quote))
			continue;
		memcpy(quote, begin, end - begin);
		quote[end - begin] = '\0';
		if (strcasestr(text, quote))
			return true;
	}
	return false;
}

static bool page_has(const struct reason *r, const char *text)
{
	const char *const parts[] = { r->code, r->means, r->from, r->check, r->remedy, r->about };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcasestr(parts[i], text))
			return true;
	return contains_quote(text, r->means) || contains_quote(text, r->from);
}

unsigned int reason_search(const char *const *texts, unsigned int nr,
			   void (*each)(void *arg, const struct reason *reason), void *arg)
{
	unsigned int found = 0;

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		unsigned int has = 0;

		while (has < nr && page_has(&reasons[i], texts[has]))
			has++;
		if (has < nr)
			continue;
		if (each)
			each(arg, &reasons[i]);
		found++;
	}
	return found;
}
