// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of pload-core: one feature (map usage), no explanations, three parts. */
#include "loader/core/plain/plain.h"

const struct feature features[] = {
	{ .name = "uses of maps", .load = &plain_usage },
	{ 0 },
};

const struct explanation explanations[] = { { 0 } };

const struct session_part *const session_parts[] = {
	&part_signals, &plain_rings, &plain_maps, NULL,
};
