// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The section names of programs, with program type, attach type and flags of each. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "elf/error.h"
#include "loader/core/object/feature.h"

/* A name precedes any name that is a prefix of it. Features add more names. */
const struct prog_kind prog_kinds[] = {
	{ "perf_event", BPF_PROG_TYPE_PERF_EVENT, 0, 0, NAMES_EVENT },
	{ "tracepoint.s", BPF_PROG_TYPE_TRACEPOINT, 0, BPF_F_SLEEPABLE, NAMES_EVENT },
	{ "tracepoint", BPF_PROG_TYPE_TRACEPOINT, 0, 0, NAMES_EVENT },
	{ "tp.s", BPF_PROG_TYPE_TRACEPOINT, 0, BPF_F_SLEEPABLE, NAMES_EVENT },
	{ "tp", BPF_PROG_TYPE_TRACEPOINT, 0, 0, NAMES_EVENT },
	{ "", BPF_PROG_TYPE_UNSPEC, 0, 0, NAMES_NOTHING },
};

const struct prog_kind prog_kind_unknown = { "", BPF_PROG_TYPE_UNSPEC, 0, 0, NAMES_NOTHING };

/* A leading '?' makes a program optional; its kind stays the same. */
static const char *without_mark(const char *section)
{
	return section[0] == '?' ? section + 1 : section;
}

/*
 * Return true if @rest may follow the prefix of @kind. If only the prefix matters, a digit or '_'
 * will do as well as a '/', but not after a prefix that contains '/': "cgroup/sock_relase" is
 * probably a typo.
 */
static bool may_follow(const struct prog_kind *kind, const char *rest)
{
	if (!rest[0] || rest[0] == '/')
		return true;
	if (kind->names != NAMES_NOTHING)
		return false;
	return isdigit((unsigned char)rest[0]) || (rest[0] == '_' && !strchr(kind->prefix, '/'));
}

/* Return the first row whose prefix @section starts with, or NULL. @kind: the first row. */
static const struct prog_kind *kind_in(const struct prog_kind *kind, const char *section,
				       const char **target)
{
	for (; kind->prefix[0]; kind++) {
		const size_t n = strlen(kind->prefix);
		const char *slash;

		if (strncmp(section, kind->prefix, n) || !may_follow(kind, section + n))
			continue;
		slash = strchr(section + n, '/');
		*target = slash ? slash + 1 : NULL;
		return kind;
	}
	return NULL;
}

const struct prog_kind *prog_kind_find(const char *section, const char **target)
{
	const struct prog_kind *found;

	section = without_mark(section);
	found = kind_in(prog_kinds, section, target);
	for (const struct feature *f = features; !found && f->name; f++)
		if (f->object && f->object->kinds)
			found = kind_in(f->object->kinds, section, target);
	return found;
}

int object_check_kind(const struct object_prog *prog, struct error *err)
{
	char what[128];

	if (prog->kind != &prog_kind_unknown)
		return 0;
	snprintf(what, sizeof(what), "programs in section '%s'", prog->section);
	feature_missing(what, err);
	explain_failure(NULL, FAILED_KIND, prog, err);
	return error_where(err, "prog '%s'", prog->name);
}
