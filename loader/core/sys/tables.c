// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The tables of features and explanations: report a missing feature, have rows explain a failure.
 */
#include <errno.h>

#include "loader/core/sys/refused.h"
#include "loader/core/sys/tables.h"

int feature_missing(const char *what, struct error *err)
{
	error_set(err, ENOTSUP, "this object has %s, which pload-core does not support", what);
	error_reason(err, "object/feature");
	return error_hint(err, "pload has it");
}

void explain_failure(struct sys *sys, enum explained failure, const void *call, struct error *err)
{
	if (!err)
		return;
	for (const struct explanation *row = explanations; row->explain; row++)
		if (row->failure == failure)
			row->explain(sys, call, err);
}

int sys_error_call(struct error *err, long nr, const unsigned long arg[6], int code)
{
	explain_failure(NULL, FAILED_CALL, &(struct failed_call){ nr, arg, code }, err);
	return err ? err->code : -EINVAL;
}
