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
 * strings, the preprocessor's lines and what is outside of functions are left alone.
 */
#include <ctype.h>
#include <err.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TOKENS 20000
#define MAX_SIZE (1 << 20)
#define MAX_TEXT 4096

struct token {
	int at, len;		/* bytes in text */
	int match;		/* of a bracket: the token that closes or opens it */
};

static char text[MAX_SIZE];
static struct token tokens[MAX_TOKENS];
static int nr_tokens;
static const char *seed, *file;
static char function[128];
static char **known;		/* the faults of this function so far: "RULE TEXT" */
static int nr_known;

static bool is(int i, const char *s)
{
	return i >= 0 && i < nr_tokens && (int)strlen(s) == tokens[i].len &&
	       !memcmp(text + tokens[i].at, s, tokens[i].len);
}

/* @words has blanks around each word. */
static bool is_one_of(int i, const char *words)
{
	char word[64];

	if (i < 0 || i >= nr_tokens || tokens[i].len > 60)
		return false;
	snprintf(word, sizeof(word), " %.*s ", tokens[i].len, text + tokens[i].at);
	return strstr(words, word);
}

static bool is_name(int i)
{
	const char c = i >= 0 && i < nr_tokens ? text[tokens[i].at] : 0;

	return (isalpha((unsigned char)c) || c == '_') &&
	       !is_one_of(i, " if while for switch return sizeof case else do goto default ");
}

static bool is_flag(int i)
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
static void fault(const char *rule, int begin, int end, const char *format, ...)
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

#define TEXT(begin, end) \
	tokens[(end) - 1].at + tokens[(end) - 1].len - tokens[begin].at, text + tokens[begin].at

/* --- rules for expressions --- */

static int skip(int i, int step)
{
	return (step > 0 ? is_one_of(i, " ( [ { ") : is_one_of(i, " ) ] } ")) ? tokens[i].match : i;
}

/* The end of the operand of && or || that begins at @i, or with @step -1 the begin of one. */
static int operand(int i, int step)
{
	while (i > 0 && i < nr_tokens && !is_one_of(i, " ( ) [ ] { } && || , ; ? : = return ") &&
	       !is(i, "|="))
		i += step;
	if (step > 0 ? is_one_of(i, " ( [ { ") : is_one_of(i, " ) ] } "))
		return operand(skip(i, step) + step, step);
	return i;
}

static void rules_for_conditions(int i)
{
	const bool and = is(i, "&&");
	const int begin = operand(i - 1, -1) + 1, end = operand(i + 1, 1);

	fault("and-or", i, i + 1, "%s", and ? "||" : "&&");
	fault("drop-condition", i + 1, end, "%d", and);
	if (!is_one_of(begin - 1, " && || "))
		fault("drop-condition", begin, i, "%d", and);
}

/* An argument without side effects that is no constant: names, members, elements, addresses. */
static bool is_plain(int begin, int end)
{
	if (end <= begin || (!is_name(begin) && !is_one_of(begin, " & * ")) || is_flag(begin))
		return false;
	for (int i = begin; i < end; i++)
		if (!is_name(i) && !is_one_of(i, " & * . -> [ ] "))
			return false;
	return true;
}

/* Those of one type are compiled; others are refused. */
static void rules_for_call(int open)
{
	int before = -1, begin = open + 1;

	for (int i = begin; i <= tokens[open].match; i = skip(i, 1) + 1) {
		if (!is(i, ",") && i != tokens[open].match)
			continue;
		if (before >= 0 && is_plain(before, begin - 1) && is_plain(begin, i))
			fault("swap-arguments", before, i, "%.*s, %.*s", TEXT(begin, i),
			      TEXT(before, begin - 1));
		before = begin;
		begin = i + 1;
	}
}

/* @only: a condition of nothing else, which is negated as a whole. */
static void rules_for_token(int i, bool only)
{
	static const char *const others[][2] = {
		{ "<", "<=" }, { "<=", "<" }, { ">", ">=" }, { ">=", ">" },
	};
	const bool binary = is_name(i - 1) || isdigit((unsigned char)text[tokens[i - 1].at]) ||
			    is_one_of(i - 1, " ) ] ");

	for (int k = 0; k < 4; k++)
		if (is(i, others[k][0]))
			fault("shift-bound", i, i + 1, "%s", others[k][1]);
	if (binary && is_one_of(i, " + - ") && is_one_of(i + 1, " 1 1U "))
		fault("shift-bound", i, i + 2, "%s", "");
	if (!only && is_one_of(i, " == != "))
		fault("negate", i, i + 1, "%s", is(i, "==") ? "!=" : "==");
	if (is_one_of(i, " && || "))
		rules_for_conditions(i);
	if (is_name(i) && is(i + 1, "("))
		rules_for_call(i + 1);
	if (is(i, "|") && is_flag(i + 1) && !is(i + 1, "O_RDONLY"))
		fault("drop-flag", i, i + 2, "%s", "");
	if (is(i, "|") && is_flag(i - 1) && !is(i - 2, "|") && !is(i - 1, "O_RDONLY"))
		fault("drop-flag", i - 1, i + 1, "%s", "");
	if (is_one_of(i, " uint64_t __u64 int64_t __s64 ") && !is(i + 1, "*"))
		fault("32-bits", i, i + 1, "%s", is(i, "uint64_t") || is(i, "__u64") ? "uint32_t" :
										       "int32_t");
}

static void rules_for_tokens(int begin, int end, bool only)
{
	for (int i = begin; i < end; i++)
		rules_for_token(i, only);
}

/* --- rules for statements --- */

static bool is_declaration(int i)
{
	if (is_one_of(i, " const static struct union enum unsigned char int long short bool void "))
		return true;
	if (!is_name(i))
		return false;
	for (i++; is_one_of(i, " * const "); i++)
		;
	return is_name(i);
}

static void rules_for_return(int i, int end, bool is_bool)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", tokens[i + 1].len, text + tokens[i + 1].at);
	if (is(i + 1, "-") || (is_name(i + 1) && is(i + 2, "(") && tokens[i + 2].match == end - 1 &&
			       (!strncmp(name, "error", 5) || strstr(name, "fail"))))
		fault("success", i + 1, end, "0");
	else if (is_bool && end == i + 2 && is_one_of(i + 1, " true false "))
		fault("success", i + 1, end, "%s", is(i + 1, "true") ? "false" : "true");
}

static void rules_for_statement(int begin, int end)
{
	if (is_one_of(begin, " break continue ") || (is_name(begin) && is(begin + 1, "(") &&
						     tokens[begin + 1].match == end - 1))
		fault("drop-statement", begin, end, "%s", "");
	if (is_declaration(begin))
		return;
	for (int i = begin; i < end; i = skip(i, 1) + 1) {
		if (is_one_of(i, " += -= *= /= |= &= ^= <<= >>= "))
			fault("plain-assignment", i, i + 1, "=");
		if (is_one_of(i, " = ++ -- += -= *= /= |= &= ^= <<= >>= ")) {
			fault("drop-assignment", begin, end, "%s", "");
			return;
		}
	}
}


static void rules_for_body(int i, int end, bool is_bool)
{
	while (i < end) {
		const bool is_if = is(i, "if"), is_static = is(i, "static");
		int last;

		if (is_one_of(i, " { } ; else do ")) {
			i++;
		} else if (is_one_of(i, " if while for switch ") && is(i + 1, "(")) {
			last = tokens[i + 1].match;
			bool only = is_if;

			for (int k = i + 2; only && k < last; k = skip(k, 1) + 1)
				only = !is_one_of(k, " && || ");
			if (is_if)
				fault("negate", i + 1, last + 1, "(!(%.*s))", TEXT(i + 2, last));
			rules_for_tokens(i + 2, last, only);
			i = last + 1;
		} else if (is_one_of(i, " case default ") || (is_name(i) && is(i + 1, ":"))) {
			while (!is(i, ":"))
				i++;
			i++;
		} else {
			/* A macro that iterates ends where its block begins. */
			for (last = i; !is(last, ";") && last < end; last = skip(last, 1) + 1)
				if (is(last, "{") && is(last - 1, ")") &&
				    tokens[last - 1].match == i + 1)
					break;
			if (is(i, "return"))
				rules_for_return(i, last, is_bool);
			else if (is(last, ";"))
				rules_for_statement(i, last);
			if (!is_static)
				rules_for_tokens(i, last, false);
			i = last;
		}
	}
}

static void rules_for_function(int name, int open)
{
	int begin = name;
	bool pointer = false, is_void = false, is_int = false, is_bool = false;

	while (begin > 0 && !is_one_of(begin - 1, " ; } "))
		begin--;
	for (int i = begin; i < name; i++) {
		pointer |= is(i, "*");
		is_void |= is(i, "void");
		is_int |= is(i, "int") && !is(i - 1, "unsigned");
		is_bool |= is(i, "bool");
	}
	snprintf(function, sizeof(function), "%.*s", tokens[name].len, text + tokens[name].at);
	while (nr_known)
		free(known[--nr_known]);
	if (!pointer && (is_void || is_int || is_bool))
		fault("return-early", open + 1, open + 1, "%s", is_void ? "return; " :
		      is_int ? "return 0; " : "return true; ");
	rules_for_body(open + 1, tokens[open].match, is_bool);
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

int main(int argc, char **argv)
{
	if (argc < 3)
		errx(2, "usage: faults SEED FILE...");
	seed = argv[1];
	for (int f = 2; f < argc; f++) {
		FILE *in = fopen(file = argv[f], "r");

		if (!in)
			err(2, "%s", file);
		text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
		fclose(in);
		read_tokens();
		for (int i = 0; i < nr_tokens; i = skip(i, 1) + 1)
			if (is(i, "{") && is(i - 1, ")") && is_name(tokens[i - 1].match - 1))
				rules_for_function(tokens[i - 1].match - 1, i);
	}
	while (nr_known)
		free(known[--nr_known]);
	free(known);
	return 0;
}
