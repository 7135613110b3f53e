// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rules for expressions and statements: an operator, an operand or a statement is wrong. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "test/mutants/faults.h"

/* --- rules for expressions --- */

int skip(int i, int step)
{
	return (step > 0 ? is_one_of(i, " ( [ { ") : is_one_of(i, " ) ] } ")) ? tokens[i].match : i;
}

/* The end of the operand of && or || that begins at @i, or with @step -1 the begin of one. */
int operand(int i, int step)
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
	classes_of_condition(i + 1, end, and ? "1" : "0");
	if (!is_one_of(begin - 1, " && || "))
		classes_of_condition(begin, i, and ? "1" : "0");
}

/* An argument without side effects that is not a constant: names, members, elements, addresses. */
bool is_plain(int begin, int end)
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
	if (is_name(i) && is(i + 1, "(")) {
		rules_for_call(i + 1);
		classes_of_call(i + 1);
	}
	classes_of_token(i);
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
			if (!classes_of_assignment(begin, i, end))
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
			if (is_if) {
				fault("negate", i + 1, last + 1, "(!(%.*s))", TEXT(i + 2, last));
				classes_of_if(i + 1);
			} else if (is(i, "for")) {
				classes_of_for(i + 1);
			}
			rules_for_tokens(i + 2, last, only);
			i = last + 1;
		} else if (is_one_of(i, " case default ") || (is_name(i) && is(i + 1, ":"))) {
			const int label = i;

			while (!is(i, ":"))
				i++;
			classes_of_case(label, i++);
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
			for (int k = i; is(last, ";") && k < last; k++)
				if (is(k, "{") && (is(k + 1, ".") || is(k - 1, "=")))
					classes_of_list(k);
			i = last;
		}
	}
}

void rules_for_function(int name, int open)
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
	if (!pointer && (is_void || is_int || is_bool))
		fault("return-early", open + 1, open + 1, "%s", is_void ? "return; " :
		      is_int ? "return 0; " : "return true; ");
	if (!pointer)
		classes_of_function(name, open, is_void, is_int, is_bool);
	rules_for_body(open + 1, tokens[open].match, is_bool);
}
