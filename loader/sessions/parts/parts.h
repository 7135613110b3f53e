/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of session parts that are also called elsewhere. */
#ifndef PLOAD_SESSIONS_PARTS_PARTS_H
#define PLOAD_SESSIONS_PARTS_PARTS_H

#include "loader/sessions/rows/results.h"
#include "loader/core/session/part.h"

extern const struct session_part part_pins, part_hotplug, part_child, part_stacks, part_rings,
	part_program_output, part_counts, part_structs, part_throttles, part_tasks, part_names,
	part_progress, part_iterators, part_results, part_cells;

/** session_losses() - Return the sources of the ledger (borrowed from the session). (results.c) */
struct losses session_losses(const struct session *s);

/**
 * session_open_counters() - Open the event @text on each CPU of @online and store it in map @km.
 */
int session_open_counters(struct session *s, const char *text, const struct kernel_map *km,
			  const struct cpu_list *online, struct error *err);

/** session_stacks_of_records() - Print which fields of the records of @map are stacks. (stacks.c)
 * @type: the records' BTF type, or 0.
 */
int session_stacks_of_records(struct session *s, uint32_t map, uint32_t type, struct error *err);

/**
 * session_hotplug_begin() - Start listening for CPUs that go offline or come back. Without uevents,
 * print a note and poll. (cpu_hotplug.c)
 */
int session_hotplug_begin(struct session *s, struct error *err);

/**
 * session_progress_begin() - Decide whether to draw a progress line while the session waits: only
 * on a terminal that nobody else writes to. Return: 0.
 */
int session_progress_begin(struct session *s, struct error *err);

/** session_print_losses() - Print the lines of a summary after the programs. (losses_text.c) */
void session_print_losses(FILE *file, struct json_object *msg);

#endif
