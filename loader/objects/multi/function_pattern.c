// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parse and match lists of shell patterns, some of which exclude functions. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/multi/multi_internal.h"

static int bad(struct error *err, const char *text, const char *what)
{
	error_set(err, EINVAL, "'%.200s': %s", text, what);
	error_reason(err, "multi/no-function");
	return error_hint(err, "separate patterns by ',': 'vfs_*,!vfs_read', 'ext4:ext4_sync_*'");
}

int patterns_parse(struct patterns *p, const char *text, struct error *err)
{
	char *rest, *word;
	bool any = false;

	*p = (struct patterns){ .text = strdup(text) };
	rest = p->text;
	if (!rest)
		return error_set(err, ENOMEM, "no memory for the patterns");
	while ((word = strsep(&rest, ","))) {
		struct pattern *one = &p->list[p->nr];
		char *colon;

		if (p->nr++ == PATTERN_MAX)
			return bad(err, text, "too many patterns: use '*'");
		one->out = word[0] == '!';
		word += one->out;
		colon = strchr(word, ':');
		if (colon) {
			*colon = '\0';
			one->module = word;
			word = colon + 1;
		}
		one->glob = word;
		one->whole = !word[strcspn(word, "*?[")];
		any |= !one->out;
		if (!word[0] || (colon && !one->module[0]))
			return bad(err, text, "one of the patterns is empty");
	}
	return any ? 0 : bad(err, text, "all patterns exclude functions, and none includes any");
}

void patterns_free(struct patterns *p)
{
	free(p->text);
	p->text = NULL;
	p->nr = 0;
}

bool patterns_match(const struct patterns *p, const char *name, const char *module)
{
	bool in = false;

	for (unsigned int i = 0; i < p->nr; i++) {
		const struct pattern *one = &p->list[i];

		/* Once the name has matched, only excluding patterns matter. */
		if ((in && !one->out) || (one->module && strcmp(one->module, module)))
			continue;
		if (one->whole ? strcmp(one->glob, name) : fnmatch(one->glob, name, 0))
			continue;
		if (one->out)
			return false;
		in = true;
	}
	return in;
}

bool patterns_exact(const struct patterns *p)
{
	for (unsigned int i = 0; i < p->nr; i++)
		if (!p->list[i].whole)
			return false;
	return true;
}
