// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table of reasons, which reasons.awk generates from docs/reasons/. */
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "loader/tools/reasons/reasons.h"

static const struct reason reasons[] = {
#include "reasons.inc"
};

const struct reason *reason_find(const char *code)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!strcmp(reasons[i].code, code))
			return &reasons[i];
	return NULL;
}

unsigned int reason_each(const char *pattern, void (*each)(void *arg, const struct reason *reason),
			 void *arg)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (fnmatch(pattern, reasons[i].code, 0))
			continue;
		each(arg, &reasons[i]);
		nr++;
	}
	return nr;
}
