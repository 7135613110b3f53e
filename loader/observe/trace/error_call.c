// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print a refused system call for an error, as the trace does, followed by its errno. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/base/text/text_stream.h"
#include "loader/core/sys/refused.h"
#include "loader/core/sys/tables.h"
#include "loader/observe/trace/trace_internal.h"
#include "loader/observe/trace/trace_call.h"

void explain_call(struct sys *sys, const void *failed, struct error *err)
{
	const struct failed_call *f = failed;
	const struct trace_call *call = trace_call_find(f->nr);
	struct text_stream out;
	char *text;

	(void)sys;
	if (!call || !text_stream_open(&out))
		return;
	fprintf(out.file, "%s(", call->name);
	call->args(out.file, f->arg);
	fputs(") = -", out.file);
	trace_enum(out.file, sys_errno_name(f->code), f->code);
	text = text_stream_close(&out);
	if (text) {
		const bool fits = strlen(text) < sizeof(err->call);

		snprintf(err->call, sizeof(err->call) - 3, "%s", text);
		strcat(err->call, fits ? text + strlen(err->call) : "...");
	}
	free(text);
}
