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

/* "if (!nr)" and "if (nr)": an empty list is treated as others are. */
void classes_of_if(int open)
{
	const int close = tokens[open].match;
	const bool is_not = is(open + 1, "!");

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
