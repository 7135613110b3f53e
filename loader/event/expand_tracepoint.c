// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Globs of tracepoints. */
#include "loader/event/expand.h"

int expand_tracepoint(struct expansion *x, const struct event_spec *spec, struct error *err)
{
	return event_list_add(x->out, spec, err);
}
