// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parse untrusted JSON (RFC 8259):
 *
 *	value	object | array | string | number | "true" | "false" | "null"
 *	object	'{' [ string ':' value { ',' string ':' value } ] '}'
 *	array	'[' [ value { ',' value } ] ']'
 *
 * There is a function for each of these; blanks may surround each value and each of "{}[]:,".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/json/parse_json.h"
#include "loader/core/value/value.h"

struct parser {
	const char *begin, *at, *end;
	unsigned int depth;
	const char *wrong;	/* what is wrong at @at; NULL: out of memory */
};

static bool fail(struct parser *p, const char *wrong)
{
	p->wrong = p->at == p->end ? "it ends too early" : wrong;
	return false;
}

/* Return the next nonblank byte; 0 at the end, which never occurs in JSON. */
static char next(struct parser *p)
{
	while (p->at < p->end && memchr(" \t\r\n", *p->at, 4))
		p->at++;
	return p->at < p->end ? *p->at : 0;
}

static bool take(struct parser *p, char c)
{
	if (next(p) != c)
		return false;
	p->at++;
	return true;
}

/* Out of memory if @value is NULL. */
static bool keep(struct json_object **to, struct json_object *value)
{
	*to = value;
	return value;
}

/* --- strings --- */

static char *put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = c;
	} else if (c < 0x800) {
		*to++ = 0xc0 | c >> 6;
		*to++ = 0x80 | (c & 0x3f);
	} else if (c < 0x10000) {
		*to++ = 0xe0 | c >> 12;
		*to++ = 0x80 | (c >> 6 & 0x3f);
		*to++ = 0x80 | (c & 0x3f);
	} else {
		*to++ = 0xf0 | c >> 18;
		*to++ = 0x80 | (c >> 12 & 0x3f);
		*to++ = 0x80 | (c >> 6 & 0x3f);
		*to++ = 0x80 | (c & 0x3f);
	}
	return to;
}

static bool parse_hex(struct parser *p, uint32_t *c)
{
	static const char digits[] = "0123456789abcdef";

	*c = 0;
	for (int i = 0; i < 4; i++, p->at++) {
		const char *digit = p->at < p->end && *p->at ? strchr(digits, *p->at | 0x20) : NULL;

		if (!digit || (*p->at < '0'))
			return fail(p, "four hex digits are missing");
		*c = *c << 4 | (digit - digits);
	}
	return true;
}

/* After "\u": a character above U+FFFF is two such escapes, a high and a low surrogate. */
static bool parse_escaped(struct parser *p, uint32_t *c)
{
	uint32_t low;

	if (!parse_hex(p, c))
		return false;
	if (*c < 0xd800 || *c >= 0xe000)
		return true;
	if (*c >= 0xdc00 || p->end - p->at < 2 || p->at[0] != '\\' || p->at[1] != 'u')
		return fail(p, "a half of a character");
	p->at += 2;
	if (!parse_hex(p, &low))
		return false;
	if (low < 0xdc00 || low >= 0xe000)
		return fail(p, "a half of a character");
	*c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
	return true;
}

/* Append the character at p->at to *@to. */
static bool parse_character(struct parser *p, char **to)
{
	static const char from[] = "\"\\/bfnrt", chars[] = "\"\\/\b\f\n\r\t";
	const char *name;
	unsigned int n;
	uint32_t c;

	if (p->at < p->end && (unsigned char)*p->at < 0x20)
		return fail(p, "control character in a string");
	if (p->at < p->end && *p->at != '\\') {
		n = text_decode((const unsigned char *)p->at, p->end - p->at, &c);
		if (!n)
			return fail(p, "invalid UTF-8");
		memcpy(*to, p->at, n);
		*to += n;
		p->at += n;
		return true;
	}
	p->at += p->at < p->end;
	name = p->at < p->end && *p->at ? strchr(from, *p->at) : NULL;
	if (name) {
		*(*to)++ = chars[name - from];
		p->at++;
		return true;
	}
	if (p->at == p->end || *p->at != 'u')
		return fail(p, "invalid escape");
	p->at++;
	if (!parse_escaped(p, &c))
		return false;
	*to = put_utf8(*to, c);
	return true;
}

/* Return a malloc'ed copy of the string at p->at, and its length; NULL on failure. */
static char *parse_text(struct parser *p, size_t *len)
{
	const char *quote;
	char *text, *to;

	if (!take(p, '"'))
		return fail(p, "a string is missing"), NULL;
	/*
	 * Characters are never longer than in JSON. The string ends at the first unescaped quote.
	 */
	for (quote = p->at; quote < p->end && *quote != '"'; quote++)
		quote += *quote == '\\' && quote + 1 < p->end;
	text = to = malloc(quote - p->at + 1);
	while (text && p->at < p->end && *p->at != '"')
		if (!parse_character(p, &to)) {
			free(text);
			return NULL;
		}
	if (text && p->at == p->end) {
		free(text);
		return fail(p, NULL), NULL;
	}
	if (text) {
		p->at++;
		*to = '\0';
		*len = to - text;
	}
	return text;
}

static bool parse_string(struct parser *p, struct json_object **value)
{
	size_t len;
	char *text = parse_text(p, &len);
	bool ok = text && keep(value, value_string(VALUE_TEXT, text, len));

	free(text);
	return ok;
}

/* --- numbers --- */

static size_t digits(const struct parser *p, size_t from)
{
	size_t n = from;

	while (n < (size_t)(p->end - p->at) && p->at[n] >= '0' && p->at[n] <= '9')
		n++;
	return n - from;
}

static bool has(const struct parser *p, size_t at, const char *any)
{
	return at < (size_t)(p->end - p->at) && p->at[at] && strchr(any, p->at[at]);
}

/* '-'? ( '0' | [1-9][0-9]* ) ( '.' [0-9]+ )? ( [eE] [+-]? [0-9]+ )? */
static bool parse_number(struct parser *p, struct json_object **value)
{
	const bool negative = has(p, 0, "-");
	size_t n = negative + digits(p, negative), more;
	bool whole = true, ok = n > negative && (n == negative + 1u || p->at[negative] != '0');
	char *text;

	if (has(p, n, ".")) {
		more = digits(p, n + 1);
		ok = ok && more;
		n += 1 + more;
		whole = false;
	}
	if (has(p, n, "eE")) {
		n += 1 + has(p, n + 1, "+-");
		more = digits(p, n);
		ok = ok && more;
		n += more;
		whole = false;
	}
	if (!ok)
		return fail(p, "no value starts like this");
	text = strndup(p->at, n);	/* strtod(3) needs a terminated string */
	if (!text)
		return false;
	p->at += n;
	errno = 0;
	if (!whole)
		keep(value, json_object_new_double_s(strtod(text, NULL), text));
	else if (negative)
		keep(value, json_object_new_int64(strtoll(text, NULL, 10)));
	else
		keep(value, json_object_new_uint64(strtoull(text, NULL, 10)));
	free(text);
	return *value;
}

/* --- values --- */

static bool parse_value(struct parser *p, struct json_object **value);

static bool parse_array(struct parser *p, struct json_object **value)
{
	struct json_object *element;

	p->at++;
	if (!keep(value, json_object_new_array()))
		return false;
	if (take(p, ']'))
		return true;
	do {
		if (!parse_value(p, &element))
			return false;
		if (json_object_array_add(*value, element)) {
			json_object_put(element);
			return false;
		}
	} while (take(p, ','));
	return take(p, ']') || fail(p, "neither ',' nor ']'");
}

static bool parse_member(struct parser *p, struct json_object *object)
{
	struct json_object *member = NULL;
	size_t len;
	char *name = parse_text(p, &len);
	bool ok = name && (take(p, ':') || fail(p, "no ':' after a name")) &&
		  parse_value(p, &member);

	if (ok && json_object_object_add(object, name, member)) {
		json_object_put(member);
		ok = false;
	}
	free(name);
	return ok;
}

static bool parse_object(struct parser *p, struct json_object **value)
{
	p->at++;
	if (!keep(value, json_object_new_object()))
		return false;
	if (take(p, '}'))
		return true;
	do {
		if (!parse_member(p, *value))
			return false;
	} while (take(p, ','));
	return take(p, '}') || fail(p, "neither ',' nor '}'");
}

static bool parse_word(struct parser *p, struct json_object **value)
{
	static const char *const words[] = { "null", "false", "true" };

	for (int i = 0; i < 3; i++) {
		const size_t len = strlen(words[i]);

		if (len > (size_t)(p->end - p->at) || memcmp(p->at, words[i], len))
			continue;
		p->at += len;
		return !i || keep(value, json_object_new_boolean(i == 2));
	}
	return fail(p, "no value starts like this");
}

static bool parse_nested(struct parser *p, struct json_object **value)
{
	bool ok;

	if (p->depth == JSON_DEPTH_MAX)
		return fail(p, "it is nested too deeply");
	p->depth++;
	ok = *p->at == '[' ? parse_array(p, value) : parse_object(p, value);
	p->depth--;
	return ok;
}

/* On failure nothing is left in *@value. */
static bool parse_value(struct parser *p, struct json_object **value)
{
	bool ok;

	*value = NULL;
	switch (next(p)) {
	case '{':
	case '[':
		ok = parse_nested(p, value);
		break;
	case '"':
		ok = parse_string(p, value);
		break;
	case 't':
	case 'f':
	case 'n':
		ok = parse_word(p, value);
		break;
	default:
		ok = parse_number(p, value);
	}
	if (ok)
		return true;
	json_object_put(*value);
	*value = NULL;
	return false;
}

int json_parse(const char *text, size_t size, struct json_object **value, struct error *err)
{
	struct parser p = { .begin = text, .at = text, .end = text + size };
	bool ok = parse_value(&p, value);

	if (ok && (next(&p), p.at < p.end)) {
		json_object_put(*value);
		*value = NULL;
		ok = fail(&p, "trailing text after the value");
	}
	if (ok)
		return 0;
	if (!p.wrong)
		return error_set(err, ENOMEM, "no memory for %zu bytes of JSON", size);
	return error_set(err, EINVAL, "this is not JSON: %s at byte %zu", p.wrong,
			 (size_t)(p.at - p.begin));
}
