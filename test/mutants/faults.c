// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lists faults that can be put into the functions of C files, by rules: faults SEED FILE...
 *
 * A line for each: RANK FILE FUNCTION RULE OFFSET LENGTH NEW TEXT, separated by tabs. RANK is a hash
 * of SEED and of the fault, so that sorted lines are in an order that depends on nothing else. NEW
 * replaces LENGTH bytes at OFFSET. TEXT is the line of code with "{{OLD => NEW}}" in it, by which a
 * fault is known when lines above it come and go; "#2" follows where a function has it twice.
 *
 * The files are C as this tree is formatted; a fault that cannot be compiled does no harm. Comments,
 * strings, the preprocessor's lines and, but for lists, what is outside of functions are left alone.
 *
 * A NAME.mutant is listed as a fault that was written by hand: RULE is by-hand, TEXT is NAME, and
 * FUNCTION is "-" for what lies outside of functions.
 */
#include <ctype.h>
#include <err.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/mutants/faults.h"

#define MAX_TOKENS 20000
#define MAX_SIZE (1 << 20)

char text[MAX_SIZE];
struct token tokens[MAX_TOKENS];
int nr_tokens;
static const char *seed, *file;
static char function[128];
static char **known;		/* the faults of this function so far: "RULE TEXT" */
static int nr_known;

bool is(int i, const char *s)
{
	return i >= 0 && i < nr_tokens && (int)strlen(s) == tokens[i].len &&
	       !memcmp(text + tokens[i].at, s, tokens[i].len);
}

/* @words has blanks around each word. */
bool is_one_of(int i, const char *words)
{
	char word[64];

	if (i < 0 || i >= nr_tokens || tokens[i].len > 60)
		return false;
	snprintf(word, sizeof(word), " %.*s ", tokens[i].len, text + tokens[i].at);
	return strstr(words, word);
}

bool is_name(int i)
{
	const char c = i >= 0 && i < nr_tokens ? text[tokens[i].at] : 0;

	return (isalpha((unsigned char)c) || c == '_') &&
	       !is_one_of(i, " if while for switch return sizeof case else do goto default ");
}

bool is_flag(int i)
{
	if (!is_name(i) || tokens[i].len < 3)
		return false;
	for (int j = 0; j < tokens[i].len; j++)
		if (islower((unsigned char)text[tokens[i].at + j]))
			return false;
	return true;
}

/* --- what is printed --- */

static void append(char *to, const char *from, int len)
{
	size_t used = strlen(to);

	for (int i = 0; i < len && used < MAX_TEXT - 1; i++)
		if (!isspace((unsigned char)from[i]))
			to[used++] = from[i];
		else if (used && to[used - 1] != ' ')
			to[used++] = ' ';
	to[used] = '\0';
}

static uint64_t rank_of(const char *key)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (const char *p = seed; *p; p++)
		hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
	for (const char *p = key; *p; p++)
		hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
	hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return hash ^ hash >> 32;
}

/* The fault that replaces the tokens from @begin to before @end. */
void fault(const char *rule, int begin, int end, const char *format, ...)
{
	const int at = tokens[begin].at;
	const int len = end > begin ? tokens[end - 1].at + tokens[end - 1].len - at : 0;
	char line[MAX_TEXT] = "", raw[MAX_TEXT], new[MAX_TEXT] = "", key[2 * MAX_TEXT];
	int first = at, last = at + len, times = 1;
	va_list ap;

	va_start(ap, format);
	vsnprintf(raw, sizeof(raw), format, ap);
	va_end(ap);
	append(new, raw, strlen(raw));
	while (first && text[first - 1] != '\n')
		first--;
	while (text[last] && text[last] != '\n')
		last++;
	first += strspn(text + first, " \t");
	append(line, text + first, at - first);
	append(line, "{{", 2);
	append(line, text + at, len);
	append(line, " => ", 4);
	append(line, new, strlen(new));
	append(line, "}}", 2);
	append(line, text + at + len, last - at - len);

	snprintf(key, sizeof(key), "%s %s", rule, line);
	for (int i = 0; i < nr_known; i++)
		times += !strcmp(known[i], key);
	known = reallocarray(known, nr_known + 1, sizeof(*known));
	if (!known || !(known[nr_known++] = strdup(key)))
		err(2, "memory");
	snprintf(key, sizeof(key), times > 1 ? "%s %s #%d" : "%s %s", rule, line, times);
	snprintf(raw, sizeof(raw), "%s %s ", file, function);
	printf("%016llx\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n",
	       (unsigned long long)(rank_of(raw) ^ rank_of(key)), file, function, rule, at, len,
	       *new ? new : " ", key + strlen(rule) + 1);
}

/* --- the file as tokens --- */

static int length_of(const char *p)
{
	static const char *const longer[] = { "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=",
					      ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
					      "%=", "&=", "|=", "^=" };
	int len = 1;

	if (isalnum((unsigned char)*p) || *p == '_') {
		while (isalnum((unsigned char)p[len]) || p[len] == '_')
			len++;
		return len;
	}
	if (*p == '"' || *p == '\'') {
		while (p[len] && p[len] != *p)
			len += p[len] == '\\' ? 2 : 1;
		return len + 1;
	}
	for (size_t i = 0; i < sizeof(longer) / sizeof(*longer); i++)
		if (!strncmp(p, longer[i], strlen(longer[i])))
			return strlen(longer[i]);
	return 1;
}

/* Comments, and lines of the preprocessor with those that continue them, are blank. */
static int skip_blank(int i)
{
	for (;;) {
		const int begin = i;

		i += strspn(text + i, " \t\n");
		if (!strncmp(text + i, "/*", 2))
			i = (strstr(text + i, "*/") ?: text + i) + 2 - text;
		else if (!strncmp(text + i, "//", 2))
			i += strcspn(text + i, "\n");
		else if (text[i] == '#')
			do
				i += strcspn(text + i, "\n") + 1;
			while (text[i - 2] == '\\');
		if (i == begin)
			return i;
	}
}

static void read_tokens(void)
{
	int open[256], depth = 0;

	nr_tokens = 0;
	for (int i = skip_blank(0); text[i]; i = skip_blank(i + tokens[nr_tokens - 1].len)) {
		if (nr_tokens == MAX_TOKENS - 1)
			errx(2, "%s: more than %d tokens", file, MAX_TOKENS);
		tokens[nr_tokens++] = (struct token){ .at = i, .len = length_of(text + i) };
		if (strchr("([{", text[i]) && depth < 256)
			open[depth++] = nr_tokens - 1;
		if (strchr(")]}", text[i]) && depth) {
			tokens[nr_tokens - 1].match = open[--depth];
			tokens[open[depth]].match = nr_tokens - 1;
		}
	}
	if (depth)
		errx(2, "%s: brackets that nothing closes", file);
}

static void read_file(const char *path)
{
	FILE *in = fopen(path, "r");

	if (!in)
		err(2, "%s", path);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
}

/* Leave in function[] the one that has the byte at @at; or print the faults of all, @at being -1. */
static void visit_functions(int at)
{
	strcpy(function, "-");
	for (int i = 0; i < nr_tokens; i = skip(i, 1) + 1) {
		const int name = is(i, "{") && is(i - 1, ")") ? tokens[i - 1].match - 1 : -1;

		if (at < 0 && is(i, "{") && is(i - 1, "=")) {
			strcpy(function, "-");
			classes_of_list(i);
		}
		if (!is_name(name) ||
		    (at >= 0 && (at < tokens[name].at || at > tokens[tokens[i].match].at)))
			continue;
		snprintf(function, sizeof(function), "%.*s", TEXT(name, name + 1));
		while (nr_known)
			free(known[--nr_known]);
		if (at < 0)
			rules_for_function(name, i);
	}
}

/* The text between the line @from and the line @to, or to the end. */
static char *part(char *all, const char *from, const char *to)
{
	char *begin = strstr(all, from), *end;

	if (!begin)
		errx(2, "%s: no line is '%.5s'", file, from + 1);
	begin += strlen(from);
	end = to ? strstr(begin, to) : NULL;
	return strndup(begin, end ? (size_t)(end + 1 - begin) : strlen(begin));
}

/* Lines are joined: a tab or the end of a line would end a field of the list. */
static void by_hand(const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char *old, *new, *at, one_line[MAX_TEXT] = "", source[256], key[512];

	file = path;
	read_file(path);
	at = strstr(text, "\nfile ");
	if (!at || sscanf(at + 1, "file %255s", source) != 1)
		errx(2, "%s: it names no file", path);
	old = part(text, "\n--- old\n", "\n--- new\n");
	new = part(text, "\n--- new\n", NULL);
	append(one_line, new, strlen(new));
	file = source;
	read_file(source);
	read_tokens();
	at = strstr(text, old);
	if (!at)
		errx(2, "%s: its old lines are not in %s", path, source);
	visit_functions(at - text);
	snprintf(key, sizeof(key), "%s %s", source, path);
	printf("%016llx\t%s\t%s\tby-hand\t%d\t%zu\t%s\t%.*s\n", (unsigned long long)rank_of(key),
	       source, function, (int)(at - text), strlen(old) - 1, *one_line ? one_line : " ",
	       (int)(strlen(name) - strlen(".mutant")), name);
	free(old);
	free(new);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		errx(2, "usage: faults SEED FILE...");
	seed = argv[1];
	for (int f = 2; f < argc; f++) {
		const size_t len = strlen(argv[f]);

		if (len > strlen(".mutant") && !strcmp(argv[f] + len - strlen(".mutant"), ".mutant")) {
			by_hand(argv[f]);
			continue;
		}
		read_file(file = argv[f]);
		read_tokens();
		visit_functions(-1);
	}
	while (nr_known)
		free(known[--nr_known]);
	free(known);
	return 0;
}
