/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of this folder share: a document that may hold anything, its cells, its rows. */
#ifndef PLOAD_TOOLS_REPORT_REPORT_INTERNAL_H
#define PLOAD_TOOLS_REPORT_REPORT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loader/tools/report/report.h"

/* --- document.c: members of any value; what is not of the type is not there --- */

struct json_object *doc_get(struct json_object *value, const char *key);
struct json_object *doc_object(struct json_object *value, const char *key);
struct json_object *doc_array(struct json_object *value, const char *key);
const char *doc_text(struct json_object *value, const char *key);	/* NULL: none */
bool doc_number(struct json_object *value, const char *key, uint64_t *number);
bool doc_true(struct json_object *value, const char *key);

/* Of what doc_array() gave: 0 elements for NULL. */
size_t doc_len(struct json_object *array);
struct json_object *doc_at(struct json_object *array, size_t i);

/* doc_is() - whether the member is this text. */
bool doc_is(struct json_object *value, const char *key, const char *text);

/**
 * doc_add() - Add members to @object: for each letter of @types a key and a value.
 *
 * 's' is a text, or NULL for null; 'n' a uint64_t; 'b' a bool; 'j' a value that is taken over, where
 * NULL is ENOMEM.
 * Return: true, or false if memory ran out or @object is NULL.
 */
bool doc_add(struct json_object *object, const char *types, ...);

/* doc_finish() - Return @value, or free it and return NULL if not @ok. */
struct json_object *doc_finish(struct json_object *value, bool ok);

/* What report_parse() takes; pload writes less than a tenth of it. */
#define EVENTS_MAX 1024
#define SECTIONS_MAX 16	/* of an event */
#define ROWS_MAX 256	/* of a section */
#define DIFFERENCES_MAX 4096

/* --- cells.c: columns, and sets of them --- */

/* There are four ways; more columns than this are counted and left out. */
#define CELLS_MAX 16
#define CELLS_NAME 128

struct cell {
	const char *name;	/* "type+link" */
	const char *open, *bind;	/* NULL where the document does not say */
	struct json_object *json;
};

/* Of one event; all borrowed from the document. A set of cells has bit i for list[i]. */
struct cells {
	struct cell list[CELLS_MAX];
	unsigned int nr, left_out;
};

void cells_read(struct cells *cells, struct json_object *event);

/* cells_with() - those opened, bound so. */
unsigned int cells_opened(const struct cells *cells, const char *open);
unsigned int cells_bound(const struct cells *cells, const char *bind);
unsigned int cells_all(const struct cells *cells);

/* cells_name() - "all", "*+link" for all that are bound so, "type+ioctl, pmu+link". Gives @buf. */
const char *cells_name(const struct cells *cells, unsigned int set, char *buf, size_t size);

/* --- rows.c: what was measured, as one kind of rows --- */

#define TIME_UNSURE UINT64_MAX

/* One row: an answer for each cell. All borrowed from the section it was read from. */
struct row {
	const char *section, *id, *what;
	unsigned int has;	/* which cells have an answer */
	const char *answer[CELLS_MAX];	/* words; NULL: none */
	const char *detail[CELLS_MAX];	/* a sentence; NULL: none */
	const char *reason[CELLS_MAX];	/* of its error; NULL: none */
	unsigned int timed;	/* which have a time: of those */
	uint64_t ns[CELLS_MAX], p99[CELLS_MAX];	/* TIME_UNSURE: nothing follows from it */
	bool is_note;		/* shown, and not compared */
};

/*
 * rows_sections() - the sections of @event: first what its cells[] hold ("measured", "calls"), then
 * those of the document. New; NULL is ENOMEM.
 */
struct json_object *rows_sections(struct json_object *event);

/* rows_new() - an empty section. New; NULL is ENOMEM. */
struct json_object *rows_new(const char *id, const char *title);

void row_read(struct row *row, const struct cells *cells, struct json_object *section,
	      struct json_object *json);

/* row_differs() - whether its answers do, or its times do by more than chance. */
bool row_differs(const struct row *row);

/* Cells with the same answer. */
struct row_group {
	const char *answer;
	unsigned int set;
};

/* row_groups() - at most CELLS_MAX, in the order of the cells. How many. */
unsigned int row_groups(const struct row *row, struct row_group *groups);

/* --- times.c --- */

/* time_text() - "850 ns", "12.3 us", "71 ms". Gives @buf. */
#define TIME_TEXT 16
const char *time_text(uint64_t ns, char *buf);

/* rounds_note() - what to say behind "N rounds": that times of so few are not compared, or "". */
const char *rounds_note(uint64_t rounds);

/* --- calls.c: the system calls of the cells, folded to what differs --- */

/* Lines of calls that a set of cells has made in one step. */
struct call_fold {
	unsigned int set;
	bool same;		/* all cells that took the step have made these */
	struct json_object *lines;	/* owned; array of strings */
};

#define FOLDS_MAX (CELLS_MAX + 2)

/*
 * calls_fold() - the calls of @step, "open" ...: what all cells begin with, what each set of cells
 * goes on with, what all end with. Of calls that differ only what differs is kept. How many folds;
 * calls_free() gives them back.
 */
unsigned int calls_fold(const struct cells *cells, const char *step, struct call_fold *folds);
void calls_free(struct call_fold *folds, unsigned int nr);

extern const char *const call_steps[4];

/*
 * calls_names() - "openat x3, read, close", or (@whole) the lines in one string; calls_section():
 * a row for each step, whose answers are such. New; NULL is ENOMEM.
 */
struct json_object *calls_names(struct json_object *lines, bool whole);
struct json_object *calls_section(const struct cells *cells);

#endif
