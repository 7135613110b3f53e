/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* judge --conformance: the statements of docs/loading, each tried with a loader. */
#ifndef PLOAD_TEST_JUDGE_CONFORMANCE_H
#define PLOAD_TEST_JUDGE_CONFORMANCE_H

#include "test/judge/judge.h"

/* --- pages (page.c) --- */

enum level { LEVEL_NONE, LEVEL_MUST, LEVEL_MAY, LEVEL_DIFFER };

/* Lines that a loader is expected to cause. */
struct variant {
	const char *name;	/* "" unless loaders differ */
	const char **lines;	/* owned array; "not map x" has its "not" */
	uint32_t *at;		/* owned; the line of the page that has each */
	uint32_t nr_lines;
};

struct statement {
	const char *id, *title;	/* "maps.7" */
	const char *page;	/* "maps.md" */
	uint32_t line;		/* of the page, where it begins */
	enum level level;
	const char *needs;	/* separated by commas, or "" */
	const char *method;	/* "load", "ioctl", "pmu", "link" */
	uint64_t cookie;
	struct bpf_map_info pinned;	/* a map that is pinned before the loader starts; or no name */
	const char *object;	/* in the language of assemble.h; or NULL */
	size_t object_size;
	uint32_t object_line;	/* of the page, where it begins */
	bool has_reason;
	struct variant *variants;	/* owned array */
	uint32_t nr_variants;
};

struct statements {
	struct statement *all;	/* owned array */
	uint32_t nr;
	char **texts;		/* owned array of owned pages, to which all strings point */
	uint32_t nr_texts;
	uint32_t mistakes;	/* of the pages; reported on standard error */
};

/**
 * statements_read() - Read the pages in @dir, or those that are in the judge if it is NULL, and
 * check them. Return: false if there is a mistake in a page, or no page.
 */
bool statements_read(struct statements *s, const char *dir);
void statements_free(struct statements *s);
/* page_wrong() - Report an error in a page. Return: false. */
bool page_wrong(struct statements *s, const char *page, uint32_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* --- expected lines and seen lines (match.c) --- */

/**
 * line_is_known() - Check the words and keys of an expected line. Return: NULL, or what is wrong
 * (static or in @buf).
 */
const char *line_is_known(const char *text, char *buf, size_t size);

/**
 * lines_match() - Find the expected line @text among the lines in @seen, which end with newlines.
 * Return: false, with a sentence in @why that names the nearest lines, if there is none, or with
 * "not" one.
 */
bool lines_match(const char *text, const char *seen, char *why, size_t size);

/**
 * placeholders_expand() - Replace {cpus} and the like in @text, with a 1 unless @real.
 * Return: NULL, or what is wrong (in @to).
 */
const char *placeholders_expand(const char *text, bool real, char *to, size_t size);

/** seen_lines() - Return what was seen of the loader as lines, malloc'ed. */
char *seen_lines(const struct run *run);

/* --- what the machine has (machine.c) --- */

/** needs_lacking() - Return which condition of @needs is not met, in @buf, or NULL. */
const char *needs_lacking(const char *needs, char *buf, size_t size);
/** need_is_known() - Return true if a condition can be asked for. */
bool need_is_known(const char *need);

/* --- a loader is judged (trial.c) --- */

enum outcome { OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_SKIP, OUTCOME_DOES, OUTCOME_DOES_NOT,
	       OUTCOME_VARIANT };
#define NR_OUTCOMES (OUTCOME_VARIANT + 1)

/* The result of one statement. */
struct result {
	enum outcome outcome;
	const char *variant;		/* OUTCOME_VARIANT: its name, or "other" */
	char sentence[SENTENCE_SIZE];	/* why it failed, or was skipped; or "" */
};

struct conformance {
	struct run run;			/* the first member */
	struct statements statements;
	char **wanted;			/* chapters and ids, borrowed; none: all */
	int nr_wanted;
	bool shows_seen;		/* print all lines of what was seen */
	const char *folder;		/* of the pages, or NULL */
	uint32_t nr;			/* statements that were judged */
	uint32_t nr_damaged;		/* objects that cannot be assembled */
	uint32_t counts[LEVEL_DIFFER + 1][NR_OUTCOMES];
};

/** statement_is_wanted() - Return true if it or its chapter was named, or if nothing was named. */
bool statement_is_wanted(const struct conformance *c, const struct statement *s);
/** trial() - Try all selected statements; return the exit status. */
int trial(struct run *run);
/** write_object() - Assemble the object of a statement to @path; false with run->sentence set. */
bool write_object(struct run *run, const struct statement *s, const char *path);

/* --- the report (results.c) --- */

void result_print(const struct conformance *c, const struct statement *s, const struct result *r);
void results_end(const struct conformance *c);
void results_bail_out(const struct conformance *c);

/* --- the command (command.c) --- */

/** conformance_main() - judge --conformance ...; return the status of the process. */
int conformance_main(int argc, char **argv);

#endif
