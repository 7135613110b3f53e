// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The functions of pload that make system calls, as embedded in the program. */
#include <stddef.h>
#include <string.h>

#include "loader/observe/step/show.h"

/* Rows generated from the sources by source.awk. */
static const struct source_text sources[] = {
#include "source.inc"
};

const struct source_text *source_find(const char *file, int line)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (!strcmp(sources[i].file, file) && line >= sources[i].first &&
		    line <= sources[i].last)
			return &sources[i];
	return NULL;
}
