// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Report a refused call without a known cause: a cause is only reported after checking it. */
#include <stdarg.h>
#include <stdio.h>

#include "loader/base/text/names.h"
#include "loader/core/sys/refused.h"

int sys_error_unknown(struct error *err, const char *call, int code, const char *reason,
		      const char *fmt, ...)
{
	const char *name = sys_errno_name(code);
	char number[24], hint[400];
	va_list ap;

	snprintf(number, sizeof(number), "errno %d", code);
	va_start(ap, fmt);
	vsnprintf(hint, sizeof(hint), fmt, ap);
	va_end(ap);
	error_set(err, code, "%s: %s: unknown: %s, no known cause applies", call,
		  error_strerror(code), name ? name : number);
	error_reason(err, reason);
	return error_hint(err, "%s; the kernel log may have the reason: dmesg", hint);
}
