// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keep each string once, until all are dropped: frames borrow them. */
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/address_names/addresses_internal.h"

struct kept_string {
	size_t len;
	const char *text;	/* in the same allocation; borrowed in a search key */
};

static int compare(const void *a, const void *b)
{
	const struct kept_string *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->text, y->text, x->len);
}

const char *strings_keep(struct strings *s, const char *text, size_t len)
{
	struct kept_string wanted = { len, text }, *kept, **at;
	char *copy;

	at = tfind(&wanted, &s->root, compare);
	if (at)
		return (*at)->text;
	kept = malloc(sizeof(*kept) + len + 1);
	if (!kept)
		return NULL;
	copy = (char *)(kept + 1);
	memcpy(copy, text, len);
	copy[len] = '\0';
	*kept = (struct kept_string){ len, copy };
	if (tsearch(kept, &s->root, compare)) {
		s->bytes += sizeof(*kept) + len + 1;
		return copy;
	}
	free(kept);
	return NULL;
}

const char *strings_format(struct strings *s, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return strings_keep(s, text, strlen(text));
}

void strings_free(struct strings *s)
{
	tdestroy(s->root, free);
	*s = (struct strings){ 0 };
}
