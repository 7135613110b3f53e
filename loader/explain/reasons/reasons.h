/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page of each reason that an error can have, as docs/reasons/ has it. */
#ifndef PLOAD_EXPLAIN_REASONS_REASONS_H
#define PLOAD_EXPLAIN_REASONS_REASONS_H

/* One page of docs/reasons/, in Markdown without line breaks. All static; none is NULL. */
struct reason {
	const char *code;	/* "perf-open/no-pmu", as of error_reason() */
	const char *means;	/* one sentence, also the line in the list of all reasons */
	const char *from;	/* the function that finds it, of the kernel or of pload */
	const char *check;	/* how to see by hand that this is the cause */
	const char *remedy;	/* the advice to the user */
	const char *about;	/* the text that its file begins with; maybe "" */
};

/* reason_find() - Return the page of @code, or NULL. */
const struct reason *reason_find(const char *code);

/**
 * reason_each() - Call @each for every page whose code matches @pattern, a pattern of fnmatch(3).
 * @each: NULL to count them only.
 *
 * Return: the number of calls.
 */
unsigned int reason_each(const char *pattern, void (*each)(void *arg, const struct reason *reason),
			 void *arg);

/**
 * reason_search() - Call @each for every page that has each of the @nr @texts.
 * @texts: an errno, a system call or the text of a log; upper and lower case are the same.
 * @each: NULL to count them only.
 *
 * A page has a text that is anywhere in it, or in the text about its file. It also has a text in
 * which something is that the page quotes: a whole line of the verifier's log.
 *
 * Return: the number of calls.
 */
unsigned int reason_search(const char *const *texts, unsigned int nr,
			   void (*each)(void *arg, const struct reason *reason), void *arg);

#endif
