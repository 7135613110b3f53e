// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print a refused system call for an error: as the trace does, followed by its errno. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sys/refused.h"
#include "loader/sys/trace/trace_internal.h"
#include "loader/sys/trace/trace_call.h"

int sys_error_call(struct error *err, long nr, const unsigned long arg[6], int code)
{
	const struct trace_call *call = trace_call_find(nr);
	char *text = NULL;
	size_t size = 0;
	FILE *out;

	if (!err)
		return -EINVAL;
	out = call ? open_memstream(&text, &size) : NULL;
	if (!out)
		return err->code;
	fprintf(out, "%s(", call->name);
	call->args(out, arg);
	fputs(") = -", out);
	trace_enum(out, sys_errno_name(code), code);
	if (fclose(out) == 0) {
		const bool fits = size < sizeof(err->call);

		snprintf(err->call, sizeof(err->call) - 3, "%s", text);
		strcat(err->call, fits ? text + strlen(err->call) : "...");
	}
	free(text);
	return err->code;
}
