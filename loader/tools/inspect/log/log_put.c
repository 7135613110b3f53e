// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Print the contents of the log: first the verdict, then the branches that lead to it, and the
 * visits.
 */
#include <errno.h>

#include "elf/flow/insn.h"
#include "loader/explain/kernel/diagnosis.h"
#include "loader/tools/inspect/log/log.h"
#include "loader/core/value/value.h"

#define PATH_MAX_STEPS 200	/* of a longer path, only the last ones */

/* The sections that kernels since 7.3 print after the verdict. */
static void add_diagnosis(const struct verifier_log *log, struct json_object *msg)
{
	static const char *const titles[][2] = {
		{ "Reason", "reason" }, { "At", "at" }, { "Causal path", "causal_path" },
		{ "Suggestion", "suggestion" },
	};
	char text[2048];

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (verifier_log_section(log->text, titles[i][0], 40, text, sizeof(text)))
			value_add_string(msg, titles[i][1], text);
}

static int put_verdict(const struct verifier_log *log, struct inspect *in, struct error *err)
{
	struct json_object *msg = message_new("inspect-log");

	value_add_string(msg, "file", in->o->inspect.log);
	value_add_uint(msg, "lines", log->nr_lines);
	value_add_uint(msg, "visits", log->nr_visits);
	value_add_string(msg, "verdict", log->accepted ? NULL : log->verdict);
	if (log->accepted || log->last == UINT32_MAX)
		value_add_null(msg, "fails_at");
	else
		value_add_uint(msg, "fails_at", log->last);
	add_diagnosis(log, msg);
	return inspect_put(in, msg, err);
}

/* A step of the path that is not to the next instruction. */
static bool step_text(const struct verifier_path *path, uint32_t i, char *text, size_t size)
{
	const struct bpf_insn insn = path->insns[path->steps[i].insn];

	if (verifier_path_branch(path, i, text, size))
		return true;
	if (insn_is_call(insn) && insn.src_reg == BPF_PSEUDO_CALL && i + 1 < path->nr)
		snprintf(text, size, "enters the function at %u", path->steps[i + 1].insn);
	else if (insn.code == (BPF_JMP | BPF_EXIT) && i + 1 < path->nr)
		snprintf(text, size, "returns to %u", path->steps[i + 1].insn);
	else
		return false;
	return true;
}

static int put_path(const struct verifier_log *log, struct inspect *in,
		    const struct prog_code *code, struct error *err)
{
	struct verifier_path path;
	uint32_t nr = 0, skip;
	char text[128];
	int ret = 0;

	if (verifier_path_read(&path, log->text, verifier_log_end(log->text), code))
		return error_set(err, ENOMEM, "no memory for the path of a log");
	for (uint32_t i = 0; i < path.nr; i++)
		nr += step_text(&path, i, text, sizeof(text));
	skip = nr > PATH_MAX_STEPS ? nr - PATH_MAX_STEPS : 0;
	for (uint32_t i = 0; !ret && i < path.nr; i++) {
		struct json_object *msg;

		if (!step_text(&path, i, text, sizeof(text)) || (skip && skip--))
			continue;
		msg = message_new("inspect-log-step");
		value_add_uint(msg, "index", path.steps[i].insn);
		value_add_string(msg, "text", text);
		ret = inspect_put(in, msg, err);
	}
	verifier_path_free(&path);
	return ret;
}

int log_put(struct verifier_log *log, struct inspect *in, const struct prog_code *code,
	    struct error *err)
{
	int ret = put_verdict(log, in, err);

	return ret || log->accepted ? ret : put_path(log, in, code, err);
}

void log_add_visits(const struct verifier_log *log, uint32_t insn, struct json_object *msg)
{
	struct json_object *list = json_object_new_array();
	const struct log_insn *i = insn < log->nr_insns ? &log->insns[insn] : NULL;

	value_add_uint(msg, "visit_count", i ? i->visits : 0);
	for (uint32_t v = 0; i && v < i->nr_shown; v++) {
		const struct log_visit *visit = &i->shown[v];
		struct json_object *json = json_object_new_object();

		value_add_uint(json, "visit", visit->visit);
		value_add_uint(json, "line", visit->line);
		value_add_string(json, "state", visit->state);
		value_add_bool(json, "fails", !log->accepted && insn == log->last &&
						      visit->visit == i->visits);
		value_append(list, json);
	}
	value_add(msg, "visits", list);
}
