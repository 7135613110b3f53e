// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One system call: taken apart, its numbers named, put together again. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/report/calls.h"

/* --- names of numbers --- */

static const char *name_of(const struct call_names *names, long number)
{
	for (unsigned int i = 0; i < names->nr; i++)
		if (names->list[i].number == number)
			return names->list[i].name;
	return NULL;
}

static void name_it(struct call_names *names, long number, const char *name)
{
	unsigned int i;

	for (i = 0; i < names->nr && names->list[i].number != number; i++)
		;
	if (i == sizeof(names->list) / sizeof(names->list[0]))
		return;
	names->nr += i == names->nr;
	names->list[i].number = number;
	names->list[i].name = name;
}

/* What a call gives, where that is a descriptor. */
static const char *gives(const struct call *c)
{
	static const struct {
		const char *call, *first, *name;
	} rows[] = {
		{ "perf_event_open", NULL, "EVENT" },
		{ "bpf", "BPF_LINK_CREATE", "LINK" },
		{ "openat", NULL, "FILE" },
		{ "open", NULL, "FILE" },
		{ "fsopen", NULL, "FILE" },
		{ "fsmount", NULL, "DIR" },
	};

	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(c->name, rows[i].call) &&
		    (!rows[i].first || (c->nr_args && !strcmp(c->args[0], rows[i].first))))
			return rows[i].name;
	return NULL;
}

static bool is_number(const char *s)
{
	const size_t n = strspn(s, "0123456789");

	return n && n < 10 && !s[n];
}

/* --- writing the arguments anew --- */

/* An address of this process: another in each run. */
static bool is_pointer(const char *s)
{
	return !strncmp(s, "0x", 2) && strlen(s) >= 10 && !s[2 + strspn(s + 2, "0123456789abcdef")];
}

/* Of an argument: the value behind "NAME=", or all of it; without the braces around a struct. */
static char *value_in(char *arg)
{
	char *equals = strchr(arg, '=');

	return equals && equals[1] != '=' && !strchr("\"", arg[0]) ? equals + 1 : arg;
}

/* "prog_fd=6", "target_fd=7", and the numbers that stand for themselves. */
static const char *named(const struct call *c, unsigned int i, const struct call_names *names)
{
	char *arg = (char *)c->args[i], *value = value_in(arg);
	const bool is_fd = value - arg > 3 && !strncmp(value - 4, "_fd=", 4);
	const bool sets = i == 2 && !strcmp(c->args[1], "PERF_EVENT_IOC_SET_BPF");

	if (is_pointer(value))
		return "ADDRESS";
	if (!is_number(value))
		return NULL;
	if (names->id && value > arg && !strncmp(arg, "config=", 7) && atol(value) == names->id)
		return "ID";
	if (sets || (is_fd && !strncmp(arg, "prog_fd=", 8)))
		return "PROG";
	if (is_fd || (value == arg && !i))
		return name_of(names, atol(value));
	return NULL;
}

/* All arguments with names in them: a new text, of which args[] are parts. False: no memory. */
static bool rename_args(struct call *c, const struct call_names *names, const char *given)
{
	const char *old[CALL_ARGS];
	char *text = NULL, *p;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return false;
	fprintf(to, "%s%c", c->name, 0);
	for (unsigned int i = 0; i < c->nr_args; i++) {
		const char *name = named(c, i, names);
		const int keep = value_in((char *)c->args[i]) - c->args[i];

		if (name)
			fprintf(to, "%.*s%s%c", keep, c->args[i], name, 0);
		else
			fprintf(to, "%s%c", c->args[i], 0);
	}
	fprintf(to, given ? " = %s%c" : "%s%c", given ? given : c->result, 0);
	if (fclose(to)) {
		free(text);
		return false;
	}
	memcpy(old, c->args, sizeof(old));
	p = text;
	c->name = p;
	for (unsigned int i = 0; i < c->nr_args; i++) {
		p += strlen(p) + 1;
		c->args[i] = p;
	}
	c->result = p + strlen(p) + 1;
	free(c->text);
	c->text = text;
	return true;
}

/* --- taking apart --- */

/* Where the arguments end: the ')' of the call's '(', outside of strings; NULL: nowhere. */
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

/* Cut at each ", " and brace outside of strings: members of structs are arguments like others. */
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
		/* "link_create={prog_fd=6": the struct has no value of its own */
		if (*from && from[strlen(from) - 1] != '=' && c->nr_args < CALL_ARGS)
			c->args[c->nr_args++] = from;
		if (!was)
			return;
		from = s + 1;
	}
}

static void read_result(struct call *c, struct call_names *names, const char **given)
{
	const char *r = strncmp(c->result, " = ", 3) ? "" : c->result + 3;
	const char *what = gives(c), *read = strstr(r, "=> \"");

	if (what && isdigit((unsigned char)r[0])) {
		name_it(names, atol(r), what);
		*given = what;
	}
	if (!strncmp(c->name, "open", 4)) {
		names->reads_id = false;
		for (unsigned int i = 0; i < c->nr_args; i++) {
			const size_t n = strlen(c->args[i]);

			names->reads_id |= n > 4 && !strcmp(c->args[i] + n - 4, "/id\"");
		}
	}
	if (names->reads_id && read && !strcmp(c->name, "read")) {
		names->id = atol(read + 4);
		*given = "ID";
	}
}

bool call_read(struct call *c, struct call_names *names, const char *text)
{
	const char *given = NULL;
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
		goto out;
	c->result = end + 1;
	*open = *end = '\0';
	split(c, open + 1);
	read_result(c, names, &given);
out:
	if (rename_args(c, names, given))
		return true;
	call_free(c);
	return false;
}

void call_free(struct call *c)
{
	free(c->text);
	c->text = NULL;
}

/* --- beside each other --- */

bool call_same(const struct call *a, const struct call *b)
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

/* Where nothing is left of the arguments, it is not they that differ. */
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
	struct json_object *string;
	bool dots = false, any = false;
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (is_alike(c, others, nr))
		nr = 0;
	fprintf(to, "%s(", c->name);
	for (unsigned int i = 0; i < c->nr_args; i++) {
		const bool alike = all_have(others, nr, c->args[i]);

		if (alike && dots)
			continue;
		fprintf(to, "%s%s", any ? ", " : "", alike ? "..." : c->args[i]);
		dots = alike;
		any = true;
	}
	fprintf(to, ")%s", c->result);
	string = !fclose(to) ? json_object_new_string(text) : NULL;
	free(text);
	return string;
}
