// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Words, globs and copying, shared by the whole grammar. */
#include <errno.h>
#include <fnmatch.h>

#include "loader/events/grammar/grammar_internal.h"
#include "loader/events/grammar/events.h"

#define GRAMMAR \
	"an event is a name such as cycles or L1-dcache-loads, rHEX, type:config, category:name, " \
	"mem:addr[/len][:rwx], pmu/terms/, kprobe:symbol, uprobe:path:symbol or " \
	"usdt:path:provider:name, with :modifiers, ,freq=HZ or ,period=N after it"

bool event_is_glob(const char *text)
{
	return strpbrk(text, "*?[") != NULL;
}

bool event_glob_match(const char *pattern, const char *name)
{
	return fnmatch(pattern, name, FNM_NOESCAPE) == 0;
}

int piece_string(struct piece p, const char *what, size_t size, char **string, struct error *err)
{
	char *copy;

	if (p.len >= size) {
		error_set(err, EINVAL, "%s is %zu characters long, but the maximum is %zu", what,
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
		error_set(err, EINVAL, "%s '%.*s' does not fit into 64 bits", what, PIECE(p));
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
