/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tokens of a C file, how a fault in it is printed, and the rules that find faults. */
#ifndef PLOAD_TEST_MUTANTS_FAULTS_H
#define PLOAD_TEST_MUTANTS_FAULTS_H

#include <stdbool.h>

#define MAX_TEXT 4096

struct token {
	int at, len;	/* bytes in text */
	int match;	/* of a bracket: the token that closes or opens it */
};

extern char text[];
extern struct token tokens[];
extern int nr_tokens;

/* The text of the tokens from @begin to before @end, for "%.*s". */
#define TEXT(begin, end) \
	tokens[(end) - 1].at + tokens[(end) - 1].len - tokens[begin].at, text + tokens[begin].at

/* is_one_of() - @words has blanks around each word. */
bool is(int i, const char *s);
bool is_one_of(int i, const char *words);
bool is_name(int i);
bool is_flag(int i);

/*
 * is_plain() - An argument without side effects that is not a constant: names, members, elements,
 * addresses.
 */
bool is_plain(int begin, int end);

/* skip() - The bracket that belongs to the one at @i, or @i. */
int skip(int i, int step);

/* operand() - The end of the operand of && or || that begins at @i; with @step -1 its begin. */
int operand(int i, int step);

/* fault() - Print the fault that replaces the tokens from @begin to before @end. */
void fault(const char *rule, int begin, int end, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* rules_for_function() - Print all faults of the function @name whose body begins at @open. */
void rules_for_function(int name, int open);

/* classes_of_*() - Print the faults that docs/mutants.md calls those of tired developers. */
void classes_of_function(int name, int open, bool is_void, bool is_int, bool is_bool);
void classes_of_token(int i);
void classes_of_condition(int begin, int end, const char *neutral);
void classes_of_for(int open);
void classes_of_if(int open);
void classes_of_case(int begin, int colon);
void classes_of_list(int open);
void classes_of_call(int open);
bool classes_of_assignment(int begin, int at, int end);

#endif
