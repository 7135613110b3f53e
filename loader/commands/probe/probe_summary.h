/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pload probe without an argument: the answers of each part, counted instead of printed. */
#ifndef PLOAD_COMMANDS_PROBE_PROBE_SUMMARY_H
#define PLOAD_COMMANDS_PROBE_PROBE_SUMMARY_H

#include "loader/core/print/output.h"
#include "loader/observe/capabilities/capabilities.h"

#define PROBE_ROWS 16
#define PROBE_ANSWERS 6

/* One line of the summary. */
struct probe_row {
	const char *of, *attach;	/* static; @attach is a method, or NULL */
	struct {
		const char *text;	/* static; NULL: no test has this answer */
		unsigned int nr;
	} answers[PROBE_ANSWERS];	/* by enum firing_outcome or enum capability_answer */
	unsigned int not_documented;
	struct json_object *missing;	/* owned; names, or NULL */
	bool incomplete;		/* memory was short for one of them */
};

struct probe_summary {
	struct probe_row rows[PROBE_ROWS];
	unsigned int nr;
};

/**
 * probe_count_event() - Try @spec by each method, and count the outcomes.
 * probe_count() - Count @answer, and add @name to what is missing if it is CAPABILITY_NO.
 * @of: "features" or "types", static
 * probe_count_helper() - Count @answer of a helper.
 * @documented: as capability_documented()
 */
void probe_count_event(struct probe_summary *s, struct sys *sys, const struct event_spec *spec,
		       uint64_t period);
void probe_count(struct probe_summary *s, const char *of, const char *name,
		 enum capability_answer answer);
void probe_count_helper(struct probe_summary *s, enum capability_answer answer, int documented);

/**
 * probe_summary_print() - Print the rows as messages. Return: as output_message_as().
 * probe_summary_free() - Free what the rows own.
 */
int probe_summary_print(struct probe_summary *s, struct output *out, struct error *err);
void probe_summary_free(struct probe_summary *s);

#endif
