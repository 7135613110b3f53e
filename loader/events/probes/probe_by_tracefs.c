// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Create probes through tracefs: write a line with the location to kprobe_events or uprobe_events,
 * which creates a tracepoint, and read the tracepoint's id.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loader/base/calls/tracefs.h"
#include "loader/events/probes/probes_internal.h"
#include "loader/core/sys/refused.h"

#define LINE_MAX_SIZE (EVENT_PATH_MAX + PROBE_FUNCTION_MAX + 2 * PROBE_NAME_MAX)

/* A probe and the line that creates it. */
struct new_probe {
	struct sys *sys;
	const struct event_spec *spec;
	struct probes *probes;
	enum probe_file file;
	const char *function;
	char name[PROBE_NAME_MAX];
	char line[LINE_MAX_SIZE];
};

/*
 * Return the first byte of @text that a line cannot contain, or 0. The kernel splits lines with its
 * isspace() (lib/argv_split.c). This includes 0xa0, the no-break space of Latin-1, even inside a
 * UTF-8 character. '#' starts a comment. None of them can be quoted.
 */
static unsigned char find_invalid_byte(const char *text)
{
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == ' ' || (c >= '\t' && c <= '\r') || c == '#' || c == 0xa0)
			return c;
	}
	return 0;
}

static int check_text(const char *text, struct error *err)
{
	const unsigned char c = find_invalid_byte(text);

	if (!c)
		return 0;
	error_set(err, EINVAL, "'%s' contains byte 0x%02x%s, which is not allowed in a tracefs "
			       "line", text,
		  c,
		  c == ' '   ? " (a space)"
		  : c == '#' ? " ('#')"
			     : "");
	error_reason(err, "probe/tracefs-name");
	error_hint(err, "use --attach=link or --attach=pmu, which accept any name");
	return -EINVAL;
}

/* The kernel accepts a probe in an unloaded module, and waits for the module. */
static int check_module(struct sys *sys, const char *module, struct error *err)
{
	if (!module || probe_has_module(sys, module))
		return 0;
	error_set(err, ENOENT,
		  "module '%s' is not loaded: the kernel would accept the probe but never run it",
		  module);
	error_reason(err, "probe/no-module");
	error_hint(err, PROBE_NO_MODULE_HINT, module);
	return -ENOENT;
}

/*
 * Linux 6.1 (and perhaps earlier) accepts a line with an address outside the kernel, as if a module
 * might provide it. The PMU refuses such an address.
 */
static int check_address(struct sys *sys, uint64_t address, struct error *err)
{
	const int ret = probe_try(sys, "", address);

	if ((ret != -ENOENT && ret != -EINVAL && ret != -EILSEQ) || probe_try(sys, PROBE_TRIAL, 0))
		return 0;
	error_set(err, -ret,
		  "no kernel instruction can be probed at 0x%" PRIx64 ": %s",
		  address, error_strerror(-ret));
	error_reason(err, "probe/no-address");
	error_hint(err, PROBE_NO_ADDRESS_HINT);
	return ret;
}

static int format_kprobe(struct new_probe *m, struct error *err)
{
	const struct event_spec *spec = m->spec;
	int ret = check_text(m->function, err);

	if (ret == 0)
		ret = check_module(m->sys, spec->kprobe.module, err);
	if (ret == 0 && !m->function[0])
		ret = check_address(m->sys, spec->kprobe.offset, err);
	if (ret == 0)
		ret = probe_lines_open(m->sys, m->probes, m->file, err);
	if (ret < 0)
		return ret;
	probe_lines_name(m->probes, m->file, m->function[0] ? spec->kprobe.symbol : "address",
			 m->name);
	snprintf(m->line, sizeof(m->line), "%c:" PROBE_GROUP "/%s %s%s0x%" PRIx64 "\n",
		 spec->ret ? 'r' : 'p', m->name, m->function, m->function[0] ? "+" : "",
		 spec->kprobe.offset);
	return 0;
}

static int format_uprobe(struct new_probe *m, struct error *err)
{
	const struct event_spec *spec = m->spec;
	char counter[32] = "";
	const char *slash;
	int ret = check_text(spec->uprobe.path, err);

	if (ret == 0)
		ret = probe_lines_open(m->sys, m->probes, m->file, err);
	if (ret < 0)
		return ret;
	if (spec->uprobe.ref_ctr_offset)
		snprintf(counter, sizeof(counter), "(0x%" PRIx64 ")", spec->uprobe.ref_ctr_offset);
	slash = strrchr(spec->uprobe.path, '/');
	probe_lines_name(m->probes, m->file,
			 spec->uprobe.symbol ? spec->uprobe.symbol
			 : slash	 ? slash + 1
					 : spec->uprobe.path,
			 m->name);
	snprintf(m->line, sizeof(m->line), "%c:" PROBE_GROUP "/%s %s:0x%" PRIx64 "%s\n",
		 spec->ret ? 'r' : 'p', m->name, spec->uprobe.path, spec->uprobe.file_offset,
		 counter);
	return 0;
}

static int refused(const struct new_probe *m, int code, struct error *err)
{
	const struct probe_failure failure = {
		.sys = m->sys,
		.spec = m->spec,
		.symbols = m->probes->symbols,
		.function = m->function,
		.call = probe_files[m->file],
		.code = code,
		.tracefs = probe_lines_tracefs(m->probes),
		.line = m->line,
	};

	if (!err || probe_failed(&failure, err))
		return -code;
	return sys_error_unknown(err, failure.call, code, "probe/refused",
				 "ruled out: the %s, and errors in error_log of tracefs",
				 m->file == PROBE_KPROBES ? "function and its lists" : "file");
}

static int read_id(const struct new_probe *m, struct perf_event_attr *attr, struct error *err)
{
	const struct tracefs *t = probe_lines_tracefs(m->probes);
	char file[PROBE_NAME_MAX + 32], path[PROBE_NAME_MAX + 64], text[32];
	uint64_t id;
	int ret;

	snprintf(file, sizeof(file), "events/" PROBE_GROUP "/%s/id", m->name);
	ret = sys_read_text(m->sys, t->dir_fd, tracefs_path(t, file, path, sizeof(path)), text,
			    sizeof(text));
	if (ret >= 0 && number_parse(text, ret, &id))
		ret = -EIO;
	if (ret < 0) {
		error_set(err, -ret, "cannot read %s in tracefs: %s", file,
			  error_strerror(-ret));
		error_reason(err, "event/no-tracefs");
		return error_hint(err, "the probe was created and is removed again");
	}
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = id;
	return 0;
}

static int create_probe(struct new_probe *m, struct perf_event_attr *attr, struct error *err)
{
	int ret;

	if (m->spec->kind == EVENT_KPROBE)
		ret = format_kprobe(m, err);
	else
		ret = format_uprobe(m, err);
	if (ret < 0)
		return ret;
	ret = probe_lines_add(m->sys, m->probes, m->file, m->name, m->line);
	return ret < 0 ? refused(m, -ret, err) : read_id(m, attr, err);
}

int probe_by_tracefs(struct sys *sys, const struct event_spec *spec, struct probes *probes,
		     char function[PROBE_FUNCTION_MAX], struct perf_event_attr *attr,
		     struct error *err)
{
	struct new_probe m = {
		.sys = sys,
		.spec = spec,
		.probes = probes,
		.function = function,
		.file = spec->kind == EVENT_KPROBE ? PROBE_KPROBES : PROBE_UPROBES,
	};
	int ret = probe_target(sys, spec, probes, function, err);

	if (ret == 0)
		ret = create_probe(&m, attr, err);
	if (ret < 0)
		error_where(err, "event '%s'", spec->text);
	return ret;
}
