// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print a refused system call for an error: as the trace does, followed by its errno. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sys/text/text_stream.h"
#include "loader/sys/refused.h"
#include "loader/sys/trace/trace_internal.h"
#include "loader/sys/trace/trace_call.h"

static int error_call(struct error *err, long nr, const unsigned long arg[6], int code)
{
	const struct trace_call *call = trace_call_find(nr);
	struct text_stream out;
	char *text;

	if (!err)
		return -EINVAL;
	if (!call || !text_stream_open(&out))
		return err->code;
	fprintf(out.file, "%s(", call->name);
	call->args(out.file, arg);
	fputs(") = -", out.file);
	trace_enum(out.file, sys_errno_name(code), code);
	text = text_stream_close(&out);
	if (text) {
		const bool fits = strlen(text) < sizeof(err->call);

		snprintf(err->call, sizeof(err->call) - 3, "%s", text);
		strcat(err->call, fits ? text + strlen(err->call) : "...");
	}
	free(text);
	return err->code;
}

int (*const sys_error_call)(struct error *, long, const unsigned long[6], int) = error_call;
