/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The kprobes, uprobes and USDT probes that a session has created; see events/probes/probes.h. */
#ifndef PLOAD_CORE_EVENT_PROBE_H
#define PLOAD_CORE_EVENT_PROBE_H

#include "loader/core/event/event.h"

struct probe_lines;
struct kernel_symbols;

/* The probes that a session has created. All zero means empty. */
struct probes {
	struct probe_lines *lines;	/* owned; NULL: nothing was written to tracefs */
	unsigned int nr;		/* of them */
	void (*note)(void *arg, const char *text);	/* reports to the user; or NULL */
	void *note_arg;
	struct kernel_symbols *symbols;	/* borrowed, shared; or NULL */
};

/* "[MODULE:]FUNCTION" as the kernel expects it, with its '\0' */
#define PROBE_FUNCTION_MAX (EVENT_NAME_MAX + EVENT_WORD_MAX)

#endif
