// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finding pages. */
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "loader/tools/reasons/reasons.h"

const struct reason *const reasons[] = {
	reasons_usage,	   reasons_object,  reasons_core,      reasons_externs,	 reasons_struct_ops,
	reasons_event,	   reasons_symbols, reasons_usdt,      reasons_probe,  reasons_scope,
	reasons_denied,	   reasons_map,	   reasons_prog_load, reasons_perf_open,
	reasons_attach,	 reasons_multi,
	reasons_pin,	   reasons_output,  reasons_command,   reasons_compare,
	reasons_report,	   reasons_differs, NULL,
};

const struct reason *reason_find(const char *code)
{
	for (const struct reason *const *table = reasons; *table; table++)
		for (const struct reason *r = *table; r->code; r++)
			if (!strcmp(r->code, code))
				return r;
	return NULL;
}

unsigned int reason_each(const char *pattern, void (*each)(void *arg, const struct reason *reason),
			 void *arg)
{
	unsigned int nr = 0;

	for (const struct reason *const *table = reasons; *table; table++) {
		for (const struct reason *r = *table; r->code; r++) {
			if (fnmatch(pattern, r->code, 0))
				continue;
			each(arg, r);
			nr++;
		}
	}
	return nr;
}
