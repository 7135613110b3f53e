// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The results of a session: the contents of its maps and the ledger of losses. */
#include "loader/sessions/rows/results.h"
#include "loader/sessions/parts/parts.h"

static int print_maps(struct session *s, struct error *err)
{
	return s->load.kernel.object ? output_maps(s->sys, s->out, &s->load.kernel,
						   &s->load.possible, err) : 0;
}

struct losses session_losses(const struct session *s)
{
	struct losses losses = {
		.rings = s->rings, .kernel = &s->load.kernel, .failures = &s->load.failures,
	};

	session_parts_lost(s, &losses);
	return losses;
}

/* Add what was lost, which with --strict also determines the exit status. */
static void add_losses(struct session *s, struct json_object *msg)
{
	const struct losses losses = session_losses(s);

	s->lossy = output_losses(s->sys, msg, &losses);
}

const struct session_part part_results = {
	.at = { [STAGE_MAPS] = print_maps }, .summary = add_losses,
	.print = session_print_losses,
};
