/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Run a session and record its calls, each with who holds whom afterwards. */
#ifndef PLOAD_OBSERVE_STEP_RECORD_H
#define PLOAD_OBSERVE_STEP_RECORD_H

#include "loader/core/session/options.h"
#include "loader/core/sys/sys.h"

struct recording {
	const char *method;	/* its name; static */
	/* owned: objects of --trace=json, each with a member "holders": docs/step.md */
	struct json_object *steps;
	char *printed;		/* owned: the output of the session */
	struct error refused;	/* owned; .code is 0 if the session succeeded */
	unsigned int failed;	/* the step that was refused, from 1; 0: none was */
};

/**
 * recording_make() - Run the session of @o by @method over @sys, and record it.
 *
 * A session that fails is recorded up to its end, and its error kept.
 * Return: 0, or an error of the recording itself.
 */
int recording_make(struct recording *r, struct sys *sys, const struct options *o,
		   const struct attach_method *method, struct error *err);
void recording_free(struct recording *r);

#endif
