// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find out why the kernel refused a probe: causes common to kprobes and uprobes. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "loader/explain/event/open_failed.h"
#include "loader/base/calls/tracefs.h"
#include "loader/base/text/each_line.h"
#include "loader/events/probes/probes_internal.h"
#include "loader/core/sys/refused.h"
#include "loader/explain/denied/privilege.h"

void probe_cause(const struct probe_failure *f, struct error *err, const char *reason,
		 const char *fmt, ...)
{
	char what[384];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	error_set(err, f->code, "%s: %s: %s", f->call, error_strerror(f->code), what);
	error_reason(err, reason);
}

/* --- the kernel's message in error_log of tracefs, since Linux 5.2 --- */

struct words {
	const char *line;	/* message of the entry being read */
	char last[128];		/* message of the last entry for line */
	char found[128];	/* message of the last entry about line */
};

/*
 *	[   48.357253] trace_kprobe: error: The symbol is not unique
 *	  Command: p:pload/b t_next
 *	                     ^
 */
static int look_for_words(void *arg, char *text)
{
	static const char error[] = ": error: ", command[] = "  Command: ";
	struct words *words = arg;
	char *at = strstr(text, error);
	const size_t len = strcspn(words->line, "\n");

	if (text[0] == '[' && at) {
		snprintf(words->last, sizeof(words->last), "%s", at + strlen(error));
	} else if (!strncmp(text, command, strlen(command))) {
		at = text + strlen(command);
		if (strlen(at) == len && !memcmp(at, words->line, len))
			memcpy(words->found, words->last, sizeof(words->found));
	}
	return 0;
}

static bool kernel_words(const struct probe_failure *f, struct words *words)
{
	int fd = f->line ? tracefs_openat(f->sys, f->tracefs, "error_log", O_RDONLY | O_CLOEXEC)
			 : -1;

	*words = (struct words){ .line = f->line };
	if (fd < 0)
		return false;
	sys_each_line(f->sys, fd, look_for_words, words);
	sys_close(f->sys, fd);
	return words->found[0];
}

/* --- permission --- */

/*
 * The capabilities are those of perf_kprobe_event_init() and perf_uprobe_event_init() in
 * kernel/events/core.c. tracefs checks permissions when a file is opened, not when it is written.
 */
static bool failed_permission(const struct probe_failure *f, struct error *err)
{
	const bool kernel = f->spec->kind == EVENT_KPROBE;
	const struct sys_asked asked = {
		.room = SYS_PROBE,
		.call = f->call,
		.nr = f->line ? __NR_write : __NR_perf_event_open,
		.caps = f->line	 ? 0
			: kernel ? SYS_CAP(CAP_PERFMON)
				 : SYS_CAP(CAP_SYS_ADMIN),
	};

	if (f->code != EPERM && f->code != EACCES)
		return false;
	sys_denied(f->sys, &asked, f->code, err);
	return true;
}

/* --- limits of tracefs --- */

/* WRITE_BUFSIZE in kernel/trace/trace.c, trace_parse_run_command() */
#define LONGEST_LINE 4094

static bool failed_line(const struct probe_failure *f, struct error *err)
{
	if (!f->line || strlen(f->line) <= LONGEST_LINE)
		return false;
	probe_cause(f, err, "probe/tracefs-name", "the line is %zu characters long, but the "
						  "maximum is %d",
		    strlen(f->line), LONGEST_LINE);
	error_hint(err, "use --attach=link or --attach=pmu, which accept paths of 4095");
	return true;
}

bool probe_failed(const struct probe_failure *f, struct error *err)
{
	struct words words;

	if (failed_permission(f, err) || failed_line(f, err))
		return true;
	if (f->spec->kind == EVENT_KPROBE ? probe_failed_kernel(f, err) : probe_failed_file(f, err))
		return true;
	if (!kernel_words(f, &words))
		return false;
	probe_cause(f, err, "probe/refused", "%s (error_log of tracefs)", words.found);
	return true;
}

bool probe_open_failed(struct sys *sys, const struct event_spec *spec,
		       const struct perf_event_attr *attr, int code, struct error *err)
{
	const struct probe_failure failure = {
		.sys = sys,
		.spec = spec,
		.call = "perf_event_open",
		.code = code,
		.attr = attr,
		.function = spec->kind == EVENT_KPROBE && attr->kprobe_func &&
					    attr->type != PERF_TYPE_TRACEPOINT
				    ? (const char *)(uintptr_t)attr->kprobe_func
				    : "",
	};

	/*
	 * tracefs registers a kprobe when its line is written, but a uprobe when its event is
	 * opened.
	 */
	if (spec->kind == EVENT_KPROBE && attr->type == PERF_TYPE_TRACEPOINT)
		return false;
	return probe_failed(&failure, err);
}
