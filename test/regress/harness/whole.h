/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One run of the suite, from the first line to the totals. */
#ifndef PLOAD_REGRESS_WHOLE_H
#define PLOAD_REGRESS_WHOLE_H

#include "test/regress/harness/disturb.h"
#include "test/regress/harness/place.h"
#include "test/regress/harness/record.h"
#include "test/regress/harness/run.h"

enum { EXIT_GOOD, EXIT_FAILED, EXIT_USAGE, EXIT_SKIPPED = 4, EXIT_ERROR };

struct whole {
	const struct settings *o;	/* borrowed */
	struct suite *suite;		/* borrowed */
	struct place *place;		/* borrowed */
	struct report record, summary, junit;
	struct json_object *against;	/* owned; NULL: nothing */
	struct runner runner;
	struct disturb disturb;		/* with --disturb */
	struct suite_totals totals;
	unsigned int nr_failed;	/* runs of tests */
	bool stopped;			/* no more tests are run */
	const char *why_not;		/* then */
};

/* whole_run() - run the suite. Returns the exit status of the program. */
int whole_run(struct whole *s);

/* whole_kernel() - the name of the running kernel for messages. Returns @buf, or a static text. */
const char *whole_kernel(char *buf, size_t size);

#endif
