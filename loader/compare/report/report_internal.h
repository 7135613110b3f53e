/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The view of a document shared by the parts of this room: cells, rows, system calls. */
#ifndef PLOAD_COMPARE_REPORT_REPORT_INTERNAL_H
#define PLOAD_COMPARE_REPORT_REPORT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loader/compare/document/document.h"
#include "loader/compare/report/report.h"

/* The limits of report_parse(), more than ten times what pload writes. */
#define EVENTS_MAX 1024
#define SECTIONS_MAX 16	/* for each event */
#define ROWS_MAX 256	/* for each section */
#define DIFFERENCES_MAX 4096

/* --- cells.c: the cells of one event --- */

/* pload writes four cells. Additional ones are counted and left out. */
#define CELLS_MAX 16
#define CELLS_NAME 128

struct cell {
	const char *name;	/* "type+link" */
	const char *open, *bind;	/* "type", "link"; NULL: absent */
	const char *attach;	/* the method of --attach= that does the same; NULL: none */
	struct json_object *json;
};

/* All borrowed from the document. Bit i of a set of cells stands for list[i]. */
struct cells {
	struct cell list[CELLS_MAX];
	unsigned int nr, left_out;
};

void cells_read(struct cells *cells, struct json_object *event);

/* cells_find() - Return the index of the cell of that name, or -1. */
int cells_find(const struct cells *cells, const char *name);

/* Return the set of the cells that are opened by @open, bound by @bind; of all cells. */
unsigned int cells_opened(const struct cells *cells, const char *open);
unsigned int cells_bound(const struct cells *cells, const char *bind);
unsigned int cells_all(const struct cells *cells);

/**
 * cells_name() - Name @set: "all", "*+link" for all that are bound so, "type+ioctl, pmu+link".
 *
 * Return: @buf.
 */
const char *cells_name(const struct cells *cells, unsigned int set, char *buf, size_t size);

/* --- rows.c, measured.c: measurements as rows --- */

#define TIME_UNSURE UINT64_MAX

/* A row: an answer for each cell. Everything is borrowed from its section. */
struct row {
	const char *section, *id, *what;
	unsigned int has;	/* the cells that have an answer */
	const char *answer[CELLS_MAX];	/* a few words; NULL: none */
	const char *detail[CELLS_MAX];	/* a sentence; NULL: none */
	const char *reason[CELLS_MAX];	/* the reason code of its error; NULL: none */
	unsigned int timed;	/* those of @has that have a time */
	uint64_t ns[CELLS_MAX];
	uint64_t low[CELLS_MAX], high[CELLS_MAX];	/* quartiles; TIME_UNSURE: too few rounds */
	bool is_note;		/* shown, and not compared */
};

/**
 * rows_sections() - Convert @event to sections of rows.
 *
 * Element 0 is "measured", the measurements in its cells; element 1 is "calls", their system calls;
 * the sections of the document follow.
 * Return: new, or NULL for ENOMEM.
 */
struct json_object *rows_sections(struct json_object *event);

/* rows_new() - Return a new section without rows, or NULL for ENOMEM. */
struct json_object *rows_new(const char *id, const char *title);

void row_read(struct row *row, const struct cells *cells, struct json_object *section,
	      struct json_object *json);

/* row_differs() - Return true if its answers differ, or its times by more than chance. */
bool row_differs(const struct row *row);

/* Cells with the same answer. */
struct row_group {
	const char *answer;
	unsigned int set;
};

/**
 * row_groups() - Group the cells of @row by their answers, in the order of the cells.
 * @groups: CELLS_MAX elements.
 *
 * Return: the number of groups.
 */
unsigned int row_groups(const struct row *row, struct row_group *groups);

/* time_text() - Format @ns into @buf as "850 ns", "12.3 us", "71.0 ms", and return it. */
#define TIME_TEXT 16
const char *time_text(uint64_t ns, char *buf);

/* rounds_note() - Return the text that follows "N rounds": what is printed with them, or not. */
const char *rounds_note(uint64_t rounds);

/* --- calls/: the system calls of the cells, folded to their differences --- */

/* The calls that a set of cells made in one step. */
struct call_fold {
	unsigned int set;
	bool same;		/* all cells that took the step made these */
	struct json_object *lines;	/* owned; array of strings */
};

#define FOLDS_MAX (CELLS_MAX + 2)

extern const char *const call_steps[4];

/**
 * calls_fold() - Fold the calls of @step, such as "open".
 * @folds: FOLDS_MAX elements, for calls_free().
 *
 * The calls common to the start of all cells form one fold, and so do those at the end. In between,
 * each set of cells with equal calls forms one, whose lines show only the arguments that differ.
 * Return: the number of folds, or -1 for ENOMEM.
 */
int calls_fold(const struct cells *cells, const char *step, struct call_fold *folds);
void calls_free(struct call_fold *folds, int nr);

/* calls_names() - Return "openat x3, read, close", or if @whole the lines, new; NULL for ENOMEM. */
struct json_object *calls_names(struct json_object *lines, bool whole);

/* calls_section() - Return a section with a row for each step, new, or NULL for ENOMEM. */
struct json_object *calls_section(const struct cells *cells);

/* --- scale/: the member "scale", many attachments --- */

/* The ends of attachments in the order of the columns, followed by the tricks. */
#define SCALE_ENDS 3
#define SCALE_ALL_ENDS 6
extern const char *const scale_ends[SCALE_ALL_ENDS];

/* A cost of one way, either measured or from its model. */
struct scale_cost {
	uint64_t ns;		/* UINT64_MAX: unknown */
	bool modelled;
	uint64_t periods;	/* grace periods that it waits for; UINT64_MAX: not counted */
};

/**
 * scale_cost_of() - Find what @number attachments of @way cost.
 * @of: "attach", or an end
 */
struct scale_cost scale_cost_of(struct json_object *way, const char *of, uint64_t number);

/* scale_cell_of() - Return the cell of @number attachments, or NULL. */
struct json_object *scale_cell_of(struct json_object *way, uint64_t number);

/* scale_largest() - Return the largest number of a cell of @scale, measured or not; 0: none. */
uint64_t scale_largest(struct json_object *scale);

/* scale_waits_text() - Write "2 rcu, 3 trace" or "-" to @buf, and return it. */
const char *scale_waits_text(struct json_object *of, char *buf, size_t size);

/* scale_verdict() - Return which way to take, new; NULL: nothing can be concluded, or ENOMEM. */
struct json_object *scale_verdict(struct json_object *scale);

/* scale_text() - Print the tables. */
void scale_text(FILE *file, struct json_object *scale, bool all_rows);

#endif
