/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A section of the document: a table with a row per question and a column per cell. */
#ifndef PLOAD_COMPARE_MEASURE_SECTIONS_SECTION_H
#define PLOAD_COMPARE_MEASURE_SECTIONS_SECTION_H

#include "loader/compare/measure/compare_internal.h"

struct section_row {
	const char *id, *what;	/* static */
};

#define SECTION_ROWS 48

struct section {
	const char *id;				/* static */
	struct json_object *rows[SECTION_ROWS];	/* borrowed, in table order */
	bool answered[SECTION_ROWS];		/* the current cell has answered it */
	unsigned int nr;
	const struct compare_cell *cell;	/* the current one */
	bool no_memory;				/* an answer is missing */
};

/**
 * section_begin() - Append an empty section with all its rows to @event.
 * @rows: borrowed; @nr of them, at most SECTION_ROWS.
 *
 * Return: 0 or -ENOMEM.
 */
int section_begin(struct section *s, struct json_object *event, const char *id, const char *title,
		  const struct section_row *rows, unsigned int nr, struct error *err);

/**
 * section_cell() - Make @cell the current one, to which the following answers belong.
 */
void section_cell(struct section *s, const struct compare_cell *cell);

/**
 * section_put() - Answer @row: a short word, and a sentence or NULL.
 * section_put_runs() - Answer "runs" if @runs > 0, @none if 0, and if -errno, that the number of
 * runs could not be read.
 * section_refused() - Answer with the name of the errno of @err, with @err attached; clears @err.
 * section_rest() - Answer the rows @row to @last, which could not be tried because of @err, with
 *	the name of its errno; clears @err.
 * section_untried() - Answer the rows @row to @last with "not tried" and @err; clears @err.
 *
 * The first answer of a cell to a row is kept; later ones are ignored.
 */
void section_put(struct section *s, unsigned int row, const char *word, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void section_put_runs(struct section *s, unsigned int row, int runs, const char *none);
void section_refused(struct section *s, unsigned int row, struct error *err);
void section_rest(struct section *s, unsigned int row, unsigned int last, struct error *err);
void section_untried(struct section *s, unsigned int row, unsigned int last, struct error *err);

/** section_any_fires() - Return true if the program of at least one cell of @event fires. */
bool section_any_fires(const struct compare_subject *s, struct json_object *event);

/** typedef section_try - Answer the rows of a section for @cell. */
typedef void section_try(void *arg, const struct compare_subject *s,
			 const struct compare_cell *cell);

/**
 * section_each_fires() - Call @call with each cell that fires, until the user asks to stop.
 *
 * Return: 0 or -ENOMEM.
 */
int section_each_fires(const struct compare_subject *s, struct json_object *event,
		       struct section *section, section_try *call, void *arg, struct error *err);

/* The answer in rows about links if the program is bound by ioctl. */
#define NO_LINK "no link"

#endif
