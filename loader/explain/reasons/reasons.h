/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The page for each reason code, from docs/reasons/. */
#ifndef PLOAD_EXPLAIN_REASONS_REASONS_H
#define PLOAD_EXPLAIN_REASONS_REASONS_H

/* One page of docs/reasons/, in Markdown without line breaks. All static; none is NULL. */
struct reason {
	const char *code;	/* "perf-open/no-pmu", as set by error_reason() */
	const char *means;	/* one sentence; also used in the list of all reasons */
	const char *from;	/* the function that raises it, in the kernel or in pload */
	const char *check;	/* how to check by hand that this is the cause */
	const char *remedy;	/* what the user can do */
	const char *about;	/* the introduction of its file; maybe "" */
};

/* reason_find() - Return the page of @code, or NULL. */
const struct reason *reason_find(const char *code);

/**
 * reason_each() - Call @each for every page whose code matches @pattern, an fnmatch(3) pattern.
 * @each: NULL to only count them.
 *
 * Return: the number of calls.
 */
unsigned int reason_each(const char *pattern, void (*each)(void *arg, const struct reason *reason),
			 void *arg);

/**
 * reason_search() - Call @each for every page that matches all @nr @texts.
 * @texts: an errno, a system call or log text; case is ignored.
 * @each: NULL to only count them.
 *
 * A page matches a text that occurs in it or in the introduction of its file. It also matches a
 * text, such as a whole verifier log line, that contains something the page quotes.
 *
 * Return: the number of calls.
 */
unsigned int reason_search(const char *const *texts, unsigned int nr,
			   void (*each)(void *arg, const struct reason *reason), void *arg);

#endif
