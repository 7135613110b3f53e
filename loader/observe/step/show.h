/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Show a recorded session: each step as text, one at a time on a terminal, or as a page. */
#ifndef PLOAD_OBSERVE_STEP_SHOW_H
#define PLOAD_OBSERVE_STEP_SHOW_H

#include <stdio.h>

#include "loader/observe/step/record.h"

#define STEP_COLUMNS_MIN 40
#define STEP_NO_LIMIT ((size_t)1 << 20)

/** step_columns() - Return the width of the terminal @fd, or STEP_NO_LIMIT for a pipe or file. */
size_t step_columns(int fd);

/**
 * step_print() - Print step @i, from 0, in lines of at most @columns, at least STEP_COLUMNS_MIN.
 * step_print_end() - Print the output of the session, and its error with the reason's page.
 */
void step_print(FILE *out, const struct recording *r, size_t i, size_t columns);
void step_print_end(FILE *out, const struct recording *r, size_t columns);

/** holders_print() - Print the graph of a step: each holder, followed by what it holds. */
void holders_print(FILE *out, struct json_object *holders);

/**
 * step_browse() - Show one step at a time on the terminal, until q or the end of input.
 *
 * Enter goes on, b back, a number there, /TEXT to the next step that has the text.
 * Return: 0.
 */
int step_browse(FILE *out, const struct recording *r);

/**
 * step_print_page() - Print a page for a browser that has all steps of one or several methods.
 * @object: the name of the object, for the title
 *
 * Return: 0 or -ENOMEM.
 */
int step_print_page(FILE *file, const char *object, const struct recording *list, unsigned int nr,
		    struct error *err);

/* --- source.c --- */

struct source_text {
	const char *file;
	int first, last;	/* lines */
	const char *text;
};

/** source_find() - Return the function that has line @line of @file, or NULL. */
const struct source_text *source_find(const char *file, int line);

#endif
