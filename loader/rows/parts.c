// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table `session_parts` of pload. */
#include "loader/sessions/parts/parts.h"

const struct session_part *const session_parts[] = {
	&part_signals, &part_pins, &part_hotplug, &part_child,
	&part_cells, &part_stacks, &part_rings, &part_program_output, &part_counts, &part_structs,
	&part_throttles, &part_tasks, &part_names, &part_progress, &part_iterators, &part_results,
	NULL,
};
