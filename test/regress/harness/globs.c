// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Select tests by globs, or by files of globs. */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "test/regress/harness/globs.h"

void globs_add(struct globs *globs, const char *text, bool from_file)
{
	globs->list = reallocarray(globs->list, globs->nr + 1, sizeof(*globs->list));
	if (!globs->list)
		err(1, "no memory for globs");
	globs->list[globs->nr] = (struct glob){ .text = strdup(text), .from_file = from_file };
	if (!globs->list[globs->nr++].text)
		err(1, "no memory for globs");
}

void globs_free(struct globs *globs)
{
	for (unsigned int i = 0; i < globs->nr; i++)
		free(globs->list[i].text);
	free(globs->list);
	*globs = (struct globs){ 0 };
}

/* Strip spaces at both ends. Ignore an empty glob. */
static void add_trimmed(struct globs *globs, char *text, bool from_file)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	if (*text)
		globs_add(globs, text, from_file);
}

/*
 * An entry is valid until the end of the day in its comment, until=YYYY-MM-DD, by this machine's
 * clock (UTC). On a machine without a clock it is 1970, and every entry is valid. false: not a
 * date.
 */
static bool take_expiry(const char *comment, bool *expired)
{
	const char *until = strstr(comment, "until=");
	const time_t now = time(NULL);
	struct tm tm = { 0 }, today;
	char text[16];
	const char *end;

	*expired = false;
	if (!until || (until != comment && !isspace((unsigned char)until[-1])))
		return true;
	until += strlen("until=");
	end = strptime(until, "%Y-%m-%d", &tm);
	if (!end || end - until != 10 || (*end && !isspace((unsigned char)*end)))
		return false;
	if (!gmtime_r(&now, &today) || !strftime(text, sizeof(text), "%Y-%m-%d", &today))
		return true;
	*expired = strncmp(until, text, 10) < 0;
	return true;
}

static bool take_file(struct globs *globs, const char *path)
{
	FILE *file = fopen(path, "re");
	const unsigned int before = globs->nr;
	char *line = NULL;
	unsigned int at = 0, bad = 0;	/* lines, from 1 */
	size_t size = 0;
	bool good;

	if (!file)
		return usage_error("a list is a file with a glob a line, or globs divided by commas",
				   "%s: %s", path, strerror(errno));
	while (getline(&line, &size, file) > 0) {
		char *comment = line + strcspn(line, "#\n");
		const unsigned int nr = globs->nr;
		bool expired = false;

		at++;
		if (*comment == '#' && !take_expiry(comment + 1, &expired) && !bad)
			bad = at;
		*comment = '\0';
		add_trimmed(globs, line, true);
		if (globs->nr > nr)
			globs->list[nr].expired = expired;
	}
	good = !ferror(file);
	free(line);
	fclose(file);
	if (!good)
		return usage_error("is it a file?", "%s: cannot be read", path);
	if (bad)
		return usage_error("a day is written as until=2027-01-31", "%s:%u: until= is followed by no day",
				   path, bad);
	if (globs->nr == before)
		return usage_error("a list has a glob a line, and comments behind '#'",
				   "%s: no glob is in it", path);
	return true;
}

bool globs_take(struct globs *globs, const char *text)
{
	const unsigned int before = globs->nr;
	struct stat st;
	char *copy, *at, *word;

	if (text[0] == '@')
		return take_file(globs, text + 1);
	if (!stat(text, &st) && !S_ISDIR(st.st_mode))
		return take_file(globs, text);
	at = copy = strdup(text);
	while (at && (word = strsep(&at, ",")))
		add_trimmed(globs, word, false);
	free(copy);
	if (globs->nr == before)
		return usage_error("a list is a file with a glob a line, or globs divided by commas",
				   "no glob in '%s'", text);
	return true;
}

bool globs_match(struct globs *globs, const char *group, const char *test, const char *id)
{
	bool any = false;
	char name[512];

	snprintf(name, sizeof(name), "%s/%s", group, test);
	for (unsigned int i = 0; i < globs->nr; i++) {
		struct glob *glob = &globs->list[i];

		if (fnmatch(glob->text, group, 0) && fnmatch(glob->text, name, 0) &&
		    fnmatch(glob->text, id, 0))
			continue;
		glob->matched = true;
		any = any || !glob->expired;
	}
	return any;
}
