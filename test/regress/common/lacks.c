// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Refusals of programs and attach targets that some kernels are too old for. */
#include <string.h>

#include "test/regress/common/lacks.h"

void lacks_ok(struct regress *t, int ret, const struct error *err, const char *what)
{
	static const char *const reasons[] = {
		"prog-load/too-old", "prog-load/refused", "prog-load/unknown-kind",
		"prog-load/no-helper", "prog-load/no-jit", "prog-load/forbidden",
		"attach/link-unsupported", "attach/no-capability", "attach/unsupported",
		"multi/no-function",
	};

	if (ret >= 0)
		return;
	for (size_t i = 0; err->reason && i < NR(reasons); i++)
		if (!strcmp(err->reason, reasons[i]))
			regress_skip(t, "%s: %s", what, err->hint[0] ? err->hint : err->what);
	regress_ok(t, ret, err, what);
}
