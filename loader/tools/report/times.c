// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Times as people read them: three digits and a unit. */
#include <stdio.h>

#include "loader/tools/report/report_internal.h"
#include "loader/tools/report/report.h"

const char *time_text(uint64_t ns, char *buf)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (unsigned int i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const double value = (double)ns / units[i].ns;

		if (ns < units[i].ns)
			continue;
		if (value >= 1e6)
			snprintf(buf, TIME_TEXT, "%.3g %s", value, units[i].name);
		else
			snprintf(buf, TIME_TEXT, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0,
				 value, units[i].name);
		return buf;
	}
	snprintf(buf, TIME_TEXT, "%u ns", (unsigned int)ns);
	return buf;
}

#define TEXT_OF(n) #n
#define NUMBER_TEXT(n) TEXT_OF(n)

const char *rounds_note(uint64_t rounds)
{
	return rounds >= REPORT_TIME_ROUNDS ? "" :
	       " (times are compared from " NUMBER_TEXT(REPORT_TIME_ROUNDS) " on: --rounds)";
}
