/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A program that counts its runs, attached to one event by one method: how most tests start. */
#ifndef PLOAD_REGRESS_BOUND_H
#define PLOAD_REGRESS_BOUND_H

#include "loader/core/event/scope.h"
#include "loader/observe/firing/firing.h"
#include "test/regress/harness/regress.h"

#define BOUND_COOKIE UINT64_C(0xc0ffee0123456789)	/* for methods that accept one */

struct bound {
	const struct attach_method *method;
	struct event_spec spec;
	struct event_scope scope;
	struct firing_prog prog;
	struct attach_set set;
	char noted[1024];	/* lines for the user */
};

/*
 * bound_try() - parse @event, resolve its location if it is in a file (of process @pid, if that is
 * not 0), load, attach and enable. Returns 0 or -errno. bound_end() in any case.
 */
int bound_try(struct regress *t, struct bound *b, const struct attach_method *method,
	      const char *event, pid_t pid, struct error *err);

/* bound_begin() - the same; a refusal ends the test. */
void bound_begin(struct regress *t, struct bound *b, const struct attach_method *method,
		 const char *event);
void bound_end(struct regress *t, struct bound *b);

/*
 * bound_runs() - its runs in this process so far. bound_during(): its runs while @work is done
 * @units times.
 */
uint64_t bound_runs(struct regress *t, const struct bound *b);
uint64_t bound_during(struct regress *t, const struct bound *b, void (*work)(void),
		      unsigned int units);

/* bound_symbols() - the kernel's symbols, read once for the whole test. */
struct kernel_symbols *bound_symbols(struct regress *t);

/* bound_value() - everything that the program counted. */
struct firing_value bound_value(struct regress *t, const struct bound *b);

#endif
