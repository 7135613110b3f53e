// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which names of the ABI appear in the tests' source: a name that does not is a gap in the suite.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "test/regress/harness/coverage.h"
#include "test/regress/harness/parts.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Return whether the line is part of a comment in this project's style. */
static bool is_comment(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	at += strspn(at, " \t");
	return *at == '*' || !strncmp(at, "/*", 2);
}

static bool has(const char *text, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += len)
		if (!is_word(at[len]) && (at == text || !is_word(at[-1])) && !is_comment(text, at))
			return true;
	return false;
}

void coverage_print(void)
{
	for (const char *const *name = regress_abi; *name; name++) {
		unsigned int nr = 0;

		printf("%s\t", *name);
		for (const struct regress_embedded *file = regress_embedded; file->name; file++)
			if (embedded_is_source(file) && has((const char *)file->data, *name))
				printf("%s%.*s", nr++ ? " " : "", (int)strcspn(file->name, "."),
				       file->name);
		puts(nr ? "" : "none");
	}
}
