// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Compare lines of what is expected with lines of what was seen:
 *
 *	map counts max_entries=16		expected
 *	map counts type=hash key_size=4 max_entries=16 ...	seen
 *	|-- words --| |-- fields -->
 *
 * A line expects that one line was seen with its words, of which it may leave out the last ones,
 * and with its fields.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "loader/base/text/names.h"
#include "test/judge/conformance/conformance.h"

#define WORDS_MAX 8
#define FIELDS_MAX 32
#define LINE_MAX_SIZE 4096

/* A kind of line: its first words, how many follow, and its keys. */
struct kind {
	const char *name;
	unsigned int words;
	bool named;		/* the first is a name, which the kernel may have truncated */
	const char *keys;	/* separated by blanks */
	bool bytes;		/* "= 01 02" may follow */
};

#define PROG_KEYS \
	"type license insns expected_attach_type flags btf func_info line_info kern_version attach " \
	"attach_btf_id"

static const struct kind kinds[] = {
	{ "exit", 0, false, "status", false },
	{ "loaded", 0, false, "", false },
	{ "refused", 0, false, "", false },
	{ "map", 1, true,
	  "type key_size value_size max_entries map_flags map_extra frozen numa_node btf key_type "
	  "value_type inner_type inner_map inner_key_size inner_value_size inner_max_entries inner_map_flags pinned",
	  false },
	{ "maps", 0, false, "nr", false },
	{ "value", 2, true, "map prog", true },
	{ "prog", 1, true, PROG_KEYS, false },
	{ "tried", 1, true, PROG_KEYS " error", false },
	{ "progs", 0, false, "nr", false },
	{ "insn", 2, true, "code dst src off imm map at func", false },
	{ "func_info", 2, true, "insn func", false },
	{ "line_info", 2, true, "insn line column file text", false },
	{ "btf", 0, false, "types", false },
	{ "btf type", 1, false, "kind name size type vlen", false },
	{ "btf datasec", 1, false, "size vars", false },
	{ "btf var", 1, false, "offset size linkage datasec type", false },
	{ "btf entry", 1, false, "offset size linkage datasec type", false },
	{ "btf func", 1, false, "linkage", false },
	{ "event", 0, false,
	  "type config sample_period sample_freq freq pid cpu disabled enabled pmu attr_size cloexec "
	  "exclude_user exclude_kernel exclude_idle",
	  false },
	{ "events", 0, false, "nr", false },
	{ "bind", 1, true, "by cookie attach_type runs flags attr_size cpu", false },
	{ "binds", 0, false, "nr", false },
	{ "pin", 1, false, "map prog link", false },
	{ "left", 0, false, "links progs maps", false },
};

enum operator { EQUAL, AT_LEAST, AT_MOST };

struct field {
	char *key, *value;
	enum operator operator;
};

struct line {
	char text[LINE_MAX_SIZE];	/* cut into strings */
	const struct kind *kind;
	char *words[WORDS_MAX];		/* after those of the kind */
	unsigned int nr_words;
	struct field fields[FIELDS_MAX];
	unsigned int nr_fields;
	char *bytes;			/* after "= ", or NULL */
};

/* Cut the token that begins at *@at. Quotes are removed, and \xNN in them is a byte. */
static char *cut_token(char **at)
{
	char *from = *at + strspn(*at, " \t"), *to = from, *begin = from;
	bool quoted = false;

	if (!*from)
		return NULL;
	for (; *from && (quoted || !strchr(" \t", *from)); from++) {
		unsigned int byte;

		if (*from == '"')
			quoted = !quoted;
		else if (quoted && sscanf(from, "\\x%2x", &byte) == 1)
			*to++ = byte, from += 3;
		else
			*to++ = *from;
	}
	*at = from + (*from != 0);
	*to = 0;
	return begin;
}

/* Cut "key=value", "key>=value" or "key<=value". */
static bool cut_field(char *token, struct field *field)
{
	const size_t key = strspn(token, "abcdefghijklmnopqrstuvwxyz_0123456789");

	if (!key || !isalpha((unsigned char)token[0]))
		return false;
	field->key = token;
	field->operator = token[key] == '>' ? AT_LEAST : token[key] == '<' ? AT_MOST : EQUAL;
	field->value = token + key + (field->operator != EQUAL);
	if (*field->value != '=')
		return false;
	*field->value++ = 0;
	token[key] = 0;
	return true;
}

/* Return the kind with the most words that the line begins with, and skip them. */
static const struct kind *find_kind(char **at)
{
	const struct kind *best = NULL;
	size_t best_size = 0;

	*at += strspn(*at, " \t");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const size_t size = strlen(kinds[i].name);

		if (!strncmp(*at, kinds[i].name, size) && strchr(" \t", (*at)[size]) &&
		    size > best_size) {
			best = &kinds[i];
			best_size = size;
		}
	}
	*at += best_size;
	return best;
}

/* Return NULL, or what is wrong. */
static const char *cut_line(struct line *line, const char *text)
{
	char *at = line->text, *token;

	line->nr_words = line->nr_fields = 0;
	line->bytes = NULL;
	if (snprintf(line->text, sizeof(line->text), "%s", text) >= (int)sizeof(line->text))
		return "the line is too long";
	line->kind = find_kind(&at);
	if (!line->kind)
		return "no line of what is seen begins so";
	while ((token = cut_token(&at))) {
		if (!strcmp(token, "=")) {
			line->bytes = at;
			return line->kind->bytes ? NULL : "no bytes can follow here";
		}
		if (line->nr_fields < FIELDS_MAX &&
		    cut_field(token, &line->fields[line->nr_fields]))
			line->nr_fields++;
		else if (line->nr_fields)
			return "after the first KEY=VALUE there can be no other words";
		else if (line->nr_words == line->kind->words)
			return "the line has too many words before its first KEY=VALUE";
		else
			line->words[line->nr_words++] = token;
	}
	return NULL;
}

static bool has_key(const char *keys, const char *key)
{
	const size_t size = strlen(key);

	for (; *keys; keys += strcspn(keys, " "), keys += *keys == ' ')
		if (strcspn(keys, " ") == size && !strncmp(keys, key, size))
			return true;
	return false;
}

static const char *skip_not(const char *text, bool *negated)
{
	*negated = !strncmp(text, "not ", 4);
	return text + (*negated ? 4 : 0);
}

const char *line_is_known(const char *text, char *buf, size_t size)
{
	char expanded[LINE_MAX_SIZE];
	struct line line;
	const char *mistake;
	bool negated;

	mistake = placeholders_expand(skip_not(text, &negated), false, expanded, sizeof(expanded));
	if (!mistake)
		mistake = cut_line(&line, expanded);
	if (mistake) {
		snprintf(buf, size, "'%s': %s", text, mistake);
		return buf;
	}
	for (unsigned int i = 0; i < line.nr_fields; i++)
		if (!has_key(line.kind->keys, line.fields[i].key)) {
			snprintf(buf, size, "'%s': a line '%s' has no '%s'; it has: %s", text,
				 line.kind->name, line.fields[i].key,
				 *line.kind->keys ? line.kind->keys : "nothing");
			return buf;
		}
	return NULL;
}

static bool parse_number(const char *text, int64_t *number)
{
	const bool negative = *text == '-';
	char *end;

	*number = negative ? strtoll(text, &end, 0) : (int64_t)strtoull(text, &end, 0);
	return end != text && !*end;
}

/* "trace_fentry" is BPF_TRACE_FENTRY. */
static bool is_attach_type(const char *name, const char *number)
{
	int64_t type;
	const char *known = parse_number(number, &type) ? sys_attach_type_name(type) : NULL;

	return known && !strcasecmp(known + strlen("BPF_"), name);
}

/* Numbers are equal however they are written; an imm has 32 bits, with or without a sign. */
static bool values_equal(const char *key, const char *expected, const char *seen)
{
	int64_t a, b;

	if (strstr(key, "attach_type") && is_attach_type(expected, seen))
		return true;
	if (!strcmp(key, "map") || !strcmp(key, "prog") || !strcmp(key, "inner_map"))
		return name_agrees(expected, seen) || !strcmp(expected, seen);
	if (!parse_number(expected, &a) || !parse_number(seen, &b))
		return !strcmp(expected, seen);
	return a == b || (!strcmp(key, "imm") && (int32_t)a == (int32_t)b);
}

/* "a|b", "!x"; "exit status=nonzero". */
static bool field_agrees(const struct field *field, const char *seen)
{
	char copy[LINE_MAX_SIZE], *save = NULL;
	int64_t limit, number;

	if (field->operator != EQUAL)
		return parse_number(field->value, &limit) && parse_number(seen, &number) &&
		       (field->operator == AT_LEAST ? (uint64_t)number >= (uint64_t)limit :
						      (uint64_t)number <= (uint64_t)limit);
	if (*field->value == '!')
		return !values_equal(field->key, field->value + 1, seen);
	if (!strcmp(field->value, "nonzero"))
		return parse_number(seen, &number) && number;
	snprintf(copy, sizeof(copy), "%s", field->value);
	if (!*copy)
		return !*seen;
	for (char *one = strtok_r(copy, "|", &save); one; one = strtok_r(NULL, "|", &save))
		if (values_equal(field->key, one, seen))
			return true;
	return false;
}

/* Append to @bytes those of one word: "0a", "??" (any; -1), "u32:5". Return: their number, or 0. */
static unsigned int word_bytes(const char *word, int bytes[8])
{
	unsigned int bits, byte;
	int64_t number;
	unsigned char raw[8];
	int end = 0;

	if (sscanf(word, "u%u:%n", &bits, &end) == 1 && end && bits <= 64 && bits % 8 == 0 &&
	    parse_number(word + end, &number)) {
		const unsigned int shift = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 64 - bits : 0;
		const uint64_t shifted = (uint64_t)number << shift;

		memcpy(raw, &shifted, 8);
		for (unsigned int i = 0; i < bits / 8; i++)
			bytes[i] = raw[i];
		return bits / 8;
	}
	bytes[0] = strcmp(word, "??") && sscanf(word, "%2x", &byte) == 1 ? (int)byte : -1;
	return 1;
}

/* "..." at the end stands for any number of bytes. */
static bool bytes_agree(const char *expected, const char *seen)
{
	char copy[LINE_MAX_SIZE], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", expected);
	for (char *word = strtok_r(copy, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		int bytes[8];
		unsigned int nr, byte;

		if (!strcmp(word, "..."))
			return true;
		nr = word_bytes(word, bytes);
		for (unsigned int i = 0; i < nr; i++) {
			seen += strspn(seen, " ");
			if (sscanf(seen, "%2x", &byte) != 1 ||
			    (bytes[i] >= 0 && (unsigned int)bytes[i] != byte))
				return false;
			seen += 2;
		}
	}
	return !seen[strspn(seen, " ")];
}

static bool words_agree(const struct line *expected, const struct line *seen)
{
	if (expected->kind != seen->kind || expected->nr_words > seen->nr_words)
		return false;
	for (unsigned int i = 0; i < expected->nr_words; i++) {
		const char *a = expected->words[i], *b = seen->words[i];
		const bool is_name = i == 0 && expected->kind->named;
		int64_t x, y;

		if (strcmp(a, b) && !(is_name && name_agrees(a, b)) &&
		    !(!is_name && parse_number(a, &x) && parse_number(b, &y) && x == y))
			return false;
	}
	return true;
}

static const char *field_of(const struct line *line, const char *key)
{
	for (unsigned int i = 0; i < line->nr_fields; i++)
		if (!strcmp(line->fields[i].key, key))
			return line->fields[i].value;
	return NULL;
}

/* Append what of @seen is not as expected. Return: how many things. */
static unsigned int differences(const struct line *expected, const struct line *seen, FILE *out)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < expected->nr_fields; i++) {
		const char *value = field_of(seen, expected->fields[i].key);

		if (value && field_agrees(&expected->fields[i], value))
			continue;
		fprintf(out, " %s%s%s", expected->fields[i].key, value ? "=" : " is not known",
			value ? value : "");
		nr++;
	}
	if (expected->bytes && (!seen->bytes || !bytes_agree(expected->bytes, seen->bytes))) {
		fprintf(out, " = %.200s",
			seen->bytes ? seen->bytes + strspn(seen->bytes, " ") : "");
		nr++;
	}
	return nr;
}

/* Lines of the same kind that were seen, for a sentence. */
struct near_lines {
	unsigned int nr;	/* lines with the same words */
	unsigned int least;	/* differences of the nearest of them */
	char text[512];		/* of that line, and its differences */
	char others[512];	/* words of the lines with other words */
};

/* Return true if the line matches; otherwise remember it if it is closer than the others. */
static bool look_at_line(const struct line *expected, const struct line *seen,
			 struct near_lines *nearest)
{
	char text[512] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");
	unsigned int nr = 0;

	if (!words_agree(expected, seen)) {
		const size_t used = strlen(nearest->others);

		if (expected->kind == seen->kind && seen->nr_words &&
		    !strstr(nearest->others, seen->words[0]))
			snprintf(nearest->others + used, sizeof(nearest->others) - used, "%s%s",
				 used ? ", " : "", seen->words[0]);
		if (out)
			fclose(out);
		return false;
	}
	if (!out)
		abort();
	fprintf(out, "%s", seen->kind->name);
	for (unsigned int i = 0; i < seen->nr_words; i++)
		fprintf(out, " %s", i < expected->nr_words ? expected->words[i] : seen->words[i]);
	nr = differences(expected, seen, out);
	fclose(out);
	if (!nearest->nr++ || nr < nearest->least) {
		nearest->least = nr;
		memcpy(nearest->text, text, sizeof(text));
	}
	return nr == 0;
}

bool lines_match(const char *text, const char *seen, char *why, size_t size)
{
	const char *instead = strstr(seen, "\nloaded\n") ? "a program was loaded" :
							   "nothing was seen";
	struct near_lines nearest = { 0 };
	struct line expected, other;
	char expanded[LINE_MAX_SIZE], one[LINE_MAX_SIZE];
	const char *mistake;
	bool negated;

	mistake = placeholders_expand(skip_not(text, &negated), true, expanded, sizeof(expanded));
	if (!mistake)
		mistake = cut_line(&expected, expanded);
	if (mistake) {
		snprintf(why, size, "'%s': %s", text, mistake);
		return false;
	}
	for (; *seen; seen += strcspn(seen, "\n"), seen += *seen == '\n') {
		snprintf(one, sizeof(one), "%.*s", (int)strcspn(seen, "\n"), seen);
		if (cut_line(&other, one) || !look_at_line(&expected, &other, &nearest))
			continue;
		snprintf(why, size, "'%s' was expected, and '%.512s' was seen", text, one);
		return !negated;
	}
	snprintf(why, size, "'%s' was expected, and %s%s", expanded,
		 nearest.nr ? nearest.text : instead, nearest.nr ? " was seen" : "");
	if (!nearest.nr && nearest.others[0])
		snprintf(why, size, "'%s' was expected, and only %s %s was seen", expanded,
			 expected.kind->name, nearest.others);
	return negated;
}
