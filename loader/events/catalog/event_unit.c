// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The unit of an event's counts, from its PMU in sysfs. */
#include <stdio.h>
#include <string.h>

#include "loader/core/event/steps.h"
#include "loader/events/catalog/catalog.h"

static void read_unit(struct sys *sys, const char *pmu, const char *terms, const char *what,
		      char *text, size_t size)
{
	char file[EVENT_NAME_MAX + 32];

	snprintf(file, sizeof(file), "events/%.*s.%s", (int)strcspn(terms, ","), terms,
		 what);
	if (pmu_read(sys, pmu, file, text, size) < 0)
		text[0] = '\0';
}

void event_unit(struct sys *sys, const struct event_spec *spec, struct event_unit *unit)
{
	*unit = (struct event_unit){ 0 };
	if (spec->kind != EVENT_PMU)
		return;
	for (const char *pmu = spec->pmu.name, *terms = spec->pmu.terms;; terms++) {
		const size_t len = strcspn(terms, ",");

		if (event_is_word(terms, len) && len < EVENT_NAME_MAX) {
			read_unit(sys, pmu, terms, "scale", unit->scale, sizeof(unit->scale));
			read_unit(sys, pmu, terms, "unit", unit->unit, sizeof(unit->unit));
		}
		terms += len;
		if (unit->scale[0] || unit->unit[0] || !*terms)
			return;
	}
}
