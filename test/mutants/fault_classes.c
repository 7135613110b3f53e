// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rules for what tired developers do wrong: no second time, only the first, not the threshold. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "test/mutants/faults.h"

static bool is_number(int i)
{
	return i > 0 && i < nr_tokens && isdigit((unsigned char)text[tokens[i].at]);
}

/* Names of counts and sizes, as this tree has them; or an empty text, "!*p" and "!p[0]". */
static bool is_count(int begin, int end)
{
	static const char *const parts[] = { "nr", "count", "size", "len", "room", "left" };
	char name[64];

	if (is(begin, "*") || (is(end - 1, "]") && is(end - 2, "0")))
		return true;
	if (!is_name(end - 1))
		return false;
	snprintf(name, sizeof(name), "%.*s", TEXT(end - 1, end));
	for (int i = 0; i < 6; i++)
		if (strstr(name, parts[i]))
			return true;
	return !strcmp(name, "n");
}

/* An errno by its name: E and capitals. */
static bool has_errno(int begin, int end)
{
	for (int i = begin; i < end; i++)
		if (is_flag(i) && text[tokens[i].at] == 'E' && tokens[i].len >= 4 &&
		    !memchr(text + tokens[i].at, '_', tokens[i].len))
			return true;
	return false;
}

/*
 * A function does nothing when it is called again for the same object. Only one with a pointer to
 * an object as its first argument knows that.
 */
void classes_of_function(int name, int open, bool is_void, bool is_int, bool is_bool)
{
	int end = name + 2;

	while (!is_one_of(end, " , ) ( "))
		end++;
	if (is(name + 2, "const") || is(end, "(") || !is(end - 2, "*") || !is_name(end - 1) ||
	    is(end - 1, "err") || !(is_void || is_int || is_bool))
		return;
	fault("second-time", open + 1, open + 1,
	      "static const void *last; if (last == (const void *)%.*s) return%s; last = %.*s; ",
	      TEXT(end - 1, end), is_void ? "" : is_int ? " 0" : " true", TEXT(end - 1, end));
}

/* A loop over a list visits only the first, not the first, or not the last. */
void classes_of_for(int open)
{
	const int close = tokens[open].match;
	int first = open + 1, second;

	while (!is(first, ";") && first < close)
		first = skip(first, 1) + 1;
	for (second = first + 1; !is(second, ";") && second < close;)
		second = skip(second, 1) + 1;
	if (second >= close)
		return;
	if (is(first - 1, "0") && is(first - 2, "=") && is_name(first - 3)) {
		if (second > first + 1)
			fault("only-first", first + 1, second, "%.*s < 1 && (%.*s)",
			      TEXT(first - 3, first - 2), TEXT(first + 1, second));
		fault("not-first", first - 1, first, "1");
	} else if (second > first + 1 && is(second + 2, "=")) {
		fault("only-first", second + 1, close, "%.*s = 0", TEXT(second + 1, second + 2));
	}
	if (is_name(first + 1) && is(first + 2, "<"))
		fault("not-last", first + 1, first + 2, "%.*s + 1", TEXT(first + 1, first + 2));
}

static bool are_same(int a, int b, int nr)
{
	for (int i = 0; i < nr; i++)
		if (tokens[a + i].len != tokens[b + i].len ||
		    memcmp(text + tokens[a + i].at, text + tokens[b + i].at, tokens[a + i].len))
			return false;
	return true;
}

/* "if (!found) found = x" and "if (found < 0) found = x": the last is found, not the first. */
static void keeps_first(int open)
{
	const int close = tokens[open].match, begin = close + 1 + is(close + 1, "{");
	const int from = open + 1 + is(open + 1, "!");
	const int nr = close - from - (is(close - 2, "<") || is(close - 2, "==") ? 2 : 0);

	if (nr > 0 && (nr < close - from || from > open + 1) && are_same(from, begin, nr) &&
	    is(begin + nr, "="))
		fault("keeps-first", open, close + 1, "(1)");
}

/* "if (!nr)" and "if (nr)": an empty list is treated as others are. */
void classes_of_if(int open)
{
	const int close = tokens[open].match;
	const bool is_not = is(open + 1, "!");

	keeps_first(open);
	for (int i = open + 1 + is_not; i < close; i++)
		if (!is_name(i) && !is_one_of(i, " * . -> [ ] 0 "))
			return;
	if (is_count(open + 1 + is_not, close))
		fault("empty", open, close + 1, is_not ? "(0)" : "(1)");
}

void classes_of_case(int begin, int colon)
{
	if (is(begin, "case") && (is(colon + 1, "case") || is(begin - 1, ":")))
		fault("of-several", begin, colon + 1, "%s", "");
}

void classes_of_condition(int begin, int end, const char *neutral)
{
	fault(has_errno(begin, end) ? "one-errno" : "drop-condition", begin, end, "%s", neutral);
}

static bool is_end_of_list(int begin)
{
	return is(begin, "NULL") || (is(begin, "{") && is_one_of(begin + 1, " 0 } NULL "));
}

/* The last of a list is missing, or one member of a struct that is named: a flag is not passed. */
void classes_of_list(int open)
{
	const bool is_struct = is(open + 1, ".");
	int begin = open + 1, last = 0, after = 0, nr = 0;

	for (int i = begin; i <= tokens[open].match; i = skip(i, 1) + 1) {
		if (!is(i, ",") && i != tokens[open].match)
			continue;
		if (is_struct && i > begin)
			fault("of-list", begin, i + is(i, ","), "%s", "");
		if (i > begin && !is_end_of_list(begin)) {
			last = begin;
			after = i + is(i, ",");
			nr++;
		}
		begin = i + 1;
	}
	if (!is_struct && nr > 1)
		fault("of-list", last, after, "%s", "");
}

/* An argument but the first is 0, or the other one of true and false. */
void classes_of_call(int open)
{
	int begin = open + 1;

	for (int i = begin; i <= tokens[open].match; i = skip(i, 1) + 1) {
		if (!is(i, ",") && i != tokens[open].match)
			continue;
		if (begin > open + 1 && i == begin + 1 && is_name(begin) && !is(begin, "NULL"))
			fault("argument", begin, i, "%s", is(begin, "false") ? "true" : "0");
		begin = i + 1;
	}
}

/* A state is not reset, and what is counted is counted once. False for another assignment. */
bool classes_of_assignment(int begin, int at, int end)
{
	if (is(at, "=") && end == at + 2 && is_one_of(at + 1, " 0 NULL false '\\0' ")) {
		fault("no-reset", begin, end, "%s", "");
		return true;
	}
	if (is(at, "++") && at == end - 1)
		fault("counts-once", begin, end, "%.*s = 1", TEXT(begin, at));
	return false;
}

/* "X ? A : B" is always A, or always B. */
static void choice(int question)
{
	int begin = question - 1;

	while (begin > 0 && !is_one_of(begin, " ( [ { , ; = ? : return += |= && || "))
		begin = skip(begin, -1) - 1;
	if (is_one_of(begin, " ( [ , = return += |= ") && begin + 1 < question) {
		fault("choice", begin + 1, question, "%s", "1");
		fault("choice", begin + 1, question, "%s", "0");
	}
}

/* Constants of comparisons, shifts and masks; but 0 and 1, which other rules have. */
static void threshold(int i)
{
	const bool bounds = is_one_of(i, " < <= > >= << >> % ");

	if ((bounds && is_flag(i + 1)) ||
	    ((bounds || is_one_of(i, " == != & ")) && is_number(i + 1) &&
	     !is_one_of(i + 1, " 0 1 0U 1U 0u 1u ")))
		fault("threshold", i + 1, i + 2, "(%.*s + 1)", TEXT(i + 1, i + 2));
}

/* A * B / C is A, and A / B is A: what is shown is all. */
static void whole(int i)
{
	int end = i + 1;

	if (is(i, "*")) {
		while (end < nr_tokens && !is_one_of(end, " / , ; ) ] && || ? : + - "))
			end = skip(end, 1) + 1;
		if (!is(end++, "/"))
			return;
	} else if (!is_name(end) || is_flag(end)) {
		return;
	}
	while (is_name(end) || is_number(end) || is_one_of(end, " . -> [ ( "))
		end = skip(end, 1) + 1;
	fault("whole", i, end, "%s", "");
}

void classes_of_token(int i)
{
	const bool binary = is_name(i - 1) || is_one_of(i - 1, " ) ] ") || is_number(i - 1);
	int end = i + 1;

	if (binary)
		threshold(i);
	if (is(i, "?"))
		choice(i);
	if (binary && is_one_of(i, " * / "))
		whole(i);
	if (binary && is_one_of(i, " + - ") && is_name(i + 1) && !is_flag(i + 1)) {
		while (is_name(end) || is_one_of(end, " . -> [ "))
			end = skip(end, 1) + 1;
		if (!is(end, "("))
			fault("no-offset", i, end, "%s", "");
	}
	if (is(i, "[") && is(tokens[i].match - 1, "1") && is(tokens[i].match - 2, "-"))
		fault("only-first", i + 1, tokens[i].match, "%s", "0");
}
