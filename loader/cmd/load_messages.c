// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Create the message "load" from the result of loading an object. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "loader/cmd/load.h"
#include "loader/kernel/refused.h"
#include "loader/output/message.h"
#include "loader/output/value.h"
#include "loader/sys/names.h"

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
 * Add why the program was refused: the verdict of the verifier, or since Linux 7.3 where and why,
 * as its diagnosis has it.
 */
static bool add_verdict(struct json_object *msg, const char *log)
{
	const char *end = verifier_log_end(log), *line = verifier_log_last_lines(log, end, 1);
	char at[512] = "", reason[2048], text[sizeof(at) + sizeof(reason) + 2];

	if (!verifier_log_section(log, "Reason", UINT_MAX, reason, sizeof(reason)))
		return end == line ||
		       value_add(msg, "verifier", json_object_new_string_len(line, end - line));
	verifier_log_section(log, "At", 1, at, sizeof(at));
	snprintf(text, sizeof(text), "%s%s%s", at, at[0] ? ": " : "", reason);
	return value_add(msg, "verifier", json_object_new_string(text));
}

static bool add_note(struct json_object *msg, const char *text, const struct error_note *note)
{
	return value_add(msg, text, json_object_new_string(note->text)) &&
	       (!note->line ||
		(value_add(msg, "file", json_object_new_string(note->file)) &&
		 value_add(msg, "line", json_object_new_uint64(note->line)) &&
		 value_add(msg, "column", json_object_new_uint64(note->column)))) &&
	       (!note->source[0] ||
		(value_add(msg, "source", json_object_new_string(note->source)) &&
		 value_add(msg, "insn", json_object_new_uint64(note->insn))));
}

/* The path is a list, empty if no step of it matters. */
static struct json_object *path_of(const struct error *err)
{
	struct json_object *list = json_object_new_array();
	bool ok = list;

	for (unsigned int i = 1; ok && i < err->nr_notes; i++) {
		struct json_object *entry = json_object_new_object();

		ok = entry && value_append(list, entry) && add_note(entry, "note", &err->notes[i]);
	}
	if (ok)
		return list;
	json_object_put(list);
	return NULL;
}

static bool add_error(struct json_object *msg, const struct load_result *r, const struct error *err)
{
	/* The text of several objects has one line for each; hints are printed with -v. */
	const bool hints = r->options->verbose || !r->options->format->digest ||
			   r->options->nr_objects == 1;

	return value_add(msg, "error", error_text(err, r->l->path)) &&
	       (!err->log || add_verdict(msg, err->log)) &&
	       (!err->nr_notes || add_note(msg, "problem", &err->notes[0])) &&
	       (!err->nr_notes || !hints || value_add(msg, "path", path_of(err))) &&
	       (!err->reason || value_add(msg, "reason", json_object_new_string(err->reason))) &&
	       (!(r->options->verbose || !r->options->format->digest) || !err->call[0] ||
		value_add(msg, "call", json_object_new_string(err->call))) &&
	       (!hints || !err->hint[0] ||
		value_add(msg, "hint", json_object_new_string(err->hint))) &&
	       (!r->options->verbose || !err->log ||
		value_add(msg, "log", json_object_new_string(err->log)));
}

static struct json_object *refusal(const struct load_result *r, const struct load_refusal *ref)
{
	const struct object_prog *prog = &r->l->object.progs[ref->prog];
	struct json_object *entry = json_object_new_object();

	if (entry && value_add(entry, "prog", json_object_new_string(prog->name)) &&
	    value_add(entry, "section", json_object_new_string(prog->section)) &&
	    add_error(entry, r, &ref->err))
		return entry;
	json_object_put(entry);
	return NULL;
}

static struct json_object *refusals(const struct load_result *r)
{
	struct json_object *list = json_object_new_array();
	bool ok = list;

	for (uint32_t i = 0; ok && i < r->nr_refused; i++)
		ok = value_append(list, refusal(r, &r->refused[i]));
	if (ok)
		return list;
	json_object_put(list);
	return NULL;
}

/* Describe a loaded program. Numbers that the kernel does not report are 0. */
static struct json_object *details(const struct load_result *r, uint32_t prog)
{
	const struct object_prog *p = &r->l->object.progs[prog];
	const char *type = sys_prog_type_name(p->kind->prog_type);
	struct json_object *entry = json_object_new_object();
	struct bpf_prog_info info;

	/* This is additional information: a kernel that does not report it is no failure. */
	if (kernel_prog_info(r->l->sys, r->l->kernel.progs[prog].fd, &info) < 0)
		memset(&info, 0, sizeof(info));
	if (entry && value_add(entry, "prog", json_object_new_string(p->name)) &&
	    value_add(entry, "section", json_object_new_string(p->section)) &&
	    (!type || value_add(entry, "prog_type", json_object_new_string(type))) &&
	    value_add(entry, "xlated_bytes", json_object_new_uint64(info.xlated_prog_len)) &&
	    value_add(entry, "jited_bytes", json_object_new_uint64(info.jited_prog_len)) &&
	    value_add(entry, "verified_insns", json_object_new_uint64(info.verified_insns)))
		return entry;
	json_object_put(entry);
	return NULL;
}

static struct json_object *all_details(const struct load_result *r)
{
	struct json_object *list = json_object_new_array();
	bool ok = list;

	for (uint32_t i = 0; ok && i < r->l->object.nr_progs; i++)
		if (r->l->kernel.progs[i].fd >= 0)
			ok = value_append(list, details(r, i));
	if (ok)
		return list;
	json_object_put(list);
	return NULL;
}

int load_print(struct output *out, const struct load_result *r, struct error *err)
{
	struct json_object *msg = message_new("load");

	if (msg && value_add(msg, "object", json_object_new_string(r->l->path)) &&
	    value_add(msg, "status", json_object_new_string(r->ret ? "failed" : "ok")) &&
	    value_add(msg, "maps", json_object_new_uint64(r->l->object.nr_maps)) &&
	    value_add(msg, "programs", json_object_new_uint64(r->nr_wanted)) &&
	    value_add(msg, "loaded", json_object_new_uint64(r->nr_loaded)) &&
	    (!r->ret || add_error(msg, r, &r->err)) &&
	    (!r->options->verbose || r->ret || value_add(msg, "progs", all_details(r))) &&
	    (!r->pinned || value_add(msg, "pinned", json_object_new_string(r->pinned))) &&
	    (!r->nr_refused || value_add(msg, "refused", refusals(r))))
		return output_message(out, msg, err);
	json_object_put(msg);
	return output_message(out, NULL, err);
}
