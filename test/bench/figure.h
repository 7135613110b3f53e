/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The line that every measurement prints, and from which test/bench/table.awk makes the table. */
#ifndef PLOAD_BENCH_FIGURE_H
#define PLOAD_BENCH_FIGURE_H

#include <stdio.h>

/*
 * figure() - Print "figure GROUP NAME SUBJECT UNIT VALUE", separated by tabs. @subject is what was
 * measured; a row of the table compares two subjects of the same name.
 */
static inline void figure(const char *group, const char *name, const char *subject,
			  const char *unit, double value)
{
	printf("figure\t%s\t%s\t%s\t%s\t%.10g\n", group, name, subject, unit, value);
	fflush(stdout);
}

#endif
