// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Create the message "load" from the result of loading an object. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "loader/commands/load.h"
#include "loader/commands/texts.h"
#include "loader/explain/kernel/refused.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/base/text/names.h"
#include "loader/base/kernel/kernel_calls.h"

/*
 * Return the error context and the error text without the object's name, with which error_where()
 * begins the context: the message has a member for it.
 */
static struct json_object *error_text(const struct error *err, const char *path)
{
	char text[sizeof(err->where) + sizeof(err->what) + 2];
	const char *where = err->where;
	struct error name = { 0 };
	size_t n;

	error_where(&name, "%s", path);
	n = strlen(name.where);
	if (!strncmp(where, name.where, n) && (!where[n] || where[n] == ':'))
		where += n + (where[n] ? strspn(where + n, ": ") : 0);
	snprintf(text, sizeof(text), "%s%s%s", where, where[0] ? ": " : "", err->what);
	return json_object_new_string(text);
}

/*
 * Add why the program was refused: the verifier's verdict or, since Linux 7.3, where and why
 * according to its diagnosis.
 */
static void add_verdict(struct json_object *msg, const char *log)
{
	const char *end = verifier_log_end(log), *line = verifier_log_last_lines(log, end, 1);
	char at[512] = "", reason[2048], text[sizeof(at) + sizeof(reason) + 2];

	if (!verifier_log_section(log, "Reason", UINT_MAX, reason, sizeof(reason))) {
		if (end > line)
			value_add(msg, "verifier", json_object_new_string_len(line, end - line));
		return;
	}
	verifier_log_section(log, "At", 1, at, sizeof(at));
	snprintf(text, sizeof(text), "%s%s%s", at, at[0] ? ": " : "", reason);
	value_add_string(msg, "verifier", text);
}

static void add_note(struct json_object *msg, const char *text, const struct error_note *note)
{
	value_add_string(msg, text, note->text);
	if (note->line) {
		value_add_string(msg, "file", note->file);
		value_add_uint(msg, "line", note->line);
		value_add_uint(msg, "column", note->column);
	}
	if (note->source[0]) {
		value_add_string(msg, "source", note->source);
		value_add_uint(msg, "insn", note->insn);
	}
}

/* The path is a list, empty if no step of it matters. */
static struct json_object *path_of(const struct error *err)
{
	struct json_object *list = json_object_new_array();

	for (unsigned int i = 1; i < err->nr_notes; i++) {
		struct json_object *entry = json_object_new_object();

		add_note(entry, "note", &err->notes[i]);
		value_append(list, entry);
	}
	return list;
}

static void add_error(struct json_object *msg, const struct load_result *r, const struct error *err)
{
	/* For several objects, the text has one line per object; hints are printed with -v. */
	const bool all = r->options->verbose || !r->options->format->digest;
	const bool hints = all || r->options->nr_objects == 1;

	value_add(msg, "error", error_text(err, r->l->path));
	if (err->log)
		add_verdict(msg, err->log);
	if (err->nr_notes)
		add_note(msg, "problem", &err->notes[0]);
	if (err->nr_notes && hints)
		value_add(msg, "path", path_of(err));
	if (err->reason)
		value_add_string(msg, "reason", err->reason);
	if (all && err->call[0])
		value_add_string(msg, "call", err->call);
	if (hints && err->hint[0])
		value_add_string(msg, "hint", err->hint);
	if (r->options->verbose && err->log)
		value_add_string(msg, "log", err->log);
}

static struct json_object *refusal(const struct load_result *r, const struct load_refusal *ref)
{
	const struct object_prog *prog = &r->l->object.progs[ref->prog];
	struct json_object *entry = json_object_new_object();

	value_add_string(entry, "prog", prog->name);
	value_add_string(entry, "section", prog->section);
	add_error(entry, r, &ref->err);
	return entry;
}

static struct json_object *refusals(const struct load_result *r)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < r->nr_refused; i++)
		value_append(list, refusal(r, &r->refused[i]));
	return list;
}

/* Describe a loaded program. Numbers that the kernel does not report are 0. */
static struct json_object *details(const struct load_result *r, uint32_t prog)
{
	const struct object_prog *p = &r->l->object.progs[prog];
	const char *type = sys_prog_type_name(p->kind->prog_type);
	struct json_object *entry = json_object_new_object();
	struct bpf_prog_info info;

	/* This is additional information: it is not an error if a kernel does not report it. */
	if (kernel_prog_info(r->l->sys, r->l->kernel.progs[prog].fd, &info) < 0)
		memset(&info, 0, sizeof(info));
	value_add_string(entry, "prog", p->name);
	value_add_string(entry, "section", p->section);
	if (type)
		value_add_string(entry, "prog_type", type);
	value_add_uint(entry, "xlated_bytes", info.xlated_prog_len);
	value_add_uint(entry, "jited_bytes", info.jited_prog_len);
	value_add_uint(entry, "verified_insns", info.verified_insns);
	return entry;
}

static struct json_object *all_details(const struct load_result *r)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < r->l->object.nr_progs; i++)
		if (r->l->kernel.progs[i].fd >= 0)
			value_append(list, details(r, i));
	return list;
}

int load_print(struct output *out, const struct load_result *r, struct error *err)
{
	struct json_object *msg = message_new("load");

	value_add_string(msg, "object", r->l->path);
	value_add_string(msg, "status", r->ret ? "failed" : "ok");
	value_add_uint(msg, "maps", r->l->object.nr_maps);
	value_add_uint(msg, "programs", r->nr_wanted);
	value_add_uint(msg, "loaded", r->nr_loaded);
	if (r->ret)
		add_error(msg, r, &r->err);
	if (r->options->verbose && !r->ret)
		value_add(msg, "progs", all_details(r));
	if (r->pinned)
		value_add_string(msg, "pinned", r->pinned);
	if (r->nr_refused)
		value_add(msg, "refused", refusals(r));
	return output_message_as(out, msg, load_print_text, err);
}
