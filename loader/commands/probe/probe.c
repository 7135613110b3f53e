// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload probe: test which events, features and helpers of this kernel work by using them. */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "elf/insn/insn_text.h"
#include "loader/commands/commands.h"
#include "loader/commands/probe/probe_summary.h"
#include "loader/commands/texts.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/observe/capabilities/capabilities.h"
#include "loader/base/text/names.h"
#include "loader/observe/firing/firing.h"

#define COOKIE 0x706c6f6164	/* a value that no program sees by chance */

/* --- as text: one line for each test --- */

#define WIDTH 44

static void print_padded(FILE *file, const char *text, int width)
{
	/* A longer name is not truncated. */
	fprintf(file, "%-*s ", width, text ? text : "");
}

static bool is(struct json_object *msg, const char *key, const char *text)
{
	const char *value = message_text(msg, key);

	return value && !strcmp(value, text);
}

static void print_begin(FILE *file, struct json_object *msg)
{
	if (is(msg, "of", "events"))
		fprintf(file, "%-*s ioctl    pmu      link\n", WIDTH, "events");
	else
		fprintf(file, "%s\n", message_text(msg, "of"));
}

/* Print the reasons why methods did not fire, each once. */
static void print_reasons(FILE *file, struct json_object *methods)
{
	const char *last = NULL;

	for (size_t i = 0; i < json_object_array_length(methods); i++) {
		const char *reason = message_text(json_object_array_get_idx(methods, i), "reason");

		if (!reason || (last && !strcmp(last, reason)))
			continue;
		fprintf(file, " [%s]", reason);
		last = reason;
	}
}

static void print_event(FILE *file, struct json_object *msg)
{
	struct json_object *methods = message_get(msg, "methods");

	fputs("  ", file);
	print_padded(file, message_text(msg, "event"), WIDTH - 2);
	for (size_t i = 0; methods && i < json_object_array_length(methods); i++)
		print_padded(file,
			     message_text(json_object_array_get_idx(methods, i), "outcome"), 8);
	if (methods)
		print_reasons(file, methods);
	putc('\n', file);
}

static void print_feature(FILE *file, struct json_object *msg)
{
	fputs("  ", file);
	print_padded(file, message_text(msg, "feature"), WIDTH + 2);
	print_padded(file, message_text(msg, "answer"), 9);
	fprintf(file, "Linux %s", message_text(msg, "since"));
	if (message_text(msg, "errno"))
		fprintf(file, ", %s", message_text(msg, "errno"));
	putc('\n', file);
}

static void print_prog_type(FILE *file, struct json_object *msg)
{
	struct json_object *forms = message_get(msg, "forms");

	fputs("  ", file);
	print_padded(file, message_text(msg, "prog_type"), WIDTH - 2);
	fputs(message_text(msg, "answer"), file);
	for (size_t i = 0; forms && i < json_object_array_length(forms); i++) {
		fputs(i ? ", " : ": ", file);
		message_print_string(file, json_object_array_get_idx(forms, i));
	}
	if (!is(msg, "answer", "yes"))
		message_print_with(file, msg, ": ", "said", "");
	putc('\n', file);
}

static void print_helper(FILE *file, struct json_object *msg)
{
	struct json_object *documented = message_get(msg, "documented");
	const bool yes = is(msg, "answer", "yes");

	fputs("  ", file);
	print_padded(file, message_text(msg, "helper"), 34);
	print_padded(file, message_text(msg, "prog_type"), 36);
	fputs(message_text(msg, "answer"), file);
	if (documented && json_object_get_boolean(documented) != yes)
		fprintf(file, "; documented as %s", yes ? "no" : "yes");
	if (!yes)
		message_print_with(file, msg, ": ", "said", "");
	putc('\n', file);
}

/* --- the messages --- */

struct probing {
	struct sys *sys;
	struct output *out;
	struct error *err;
	struct kernel_types types;
	const char *const *patterns;	/* test what matches one of these; none: all */
	unsigned int nr_patterns;
	bool all_helpers;		/* not only those that the documentation mentions */
	struct probe_summary *summary;	/* borrowed; count answers instead of printing; or NULL */
};

/* Return true if a pattern matches @name. */
static bool is_wanted(const struct probing *p, const char *name)
{
	for (unsigned int i = 0; i < p->nr_patterns; i++)
		if (!fnmatch(p->patterns[i], name, FNM_CASEFOLD))
			return true;
	return !p->nr_patterns;
}

/* Add @text, or null if it is empty. */
static void add_text(struct json_object *msg, const char *key, const char *text)
{
	value_add_string(msg, key, text && text[0] ? text : NULL);
}

static int begin(struct probing *p, const char *of)
{
	struct json_object *msg;

	if (p->summary)
		return 0;
	msg = message_new("probe-begin");
	value_add_string(msg, "of", of);
	return output_message_as(p->out, msg, print_begin, p->err);
}

/* --- events --- */

static struct json_object *outcome(const struct attach_method *method,
				   const struct firing_result *r)
{
	struct json_object *o = json_object_new_object();
	const struct firing_runs *own = &r->counted.own;

	add_text(o, "attach", method->name);
	add_text(o, "outcome", firing_outcome_name(r->outcome));
	value_add_uint(o, "runs", own->runs);
	value_add_uint(o, "units", r->units);
	value_add_uint(o, "cookie", own->cookie);
	add_text(o, "reason", r->err.reason);
	add_text(o, "error", r->err.what);
	return o;
}

static int try_event(void *arg, const char *group, const struct event_spec *spec, uint64_t period)
{
	struct json_object *msg, *methods;
	struct probing *p = arg;

	if (p->summary) {
		probe_count_event(p->summary, p->sys, spec, period);
		return 0;
	}
	if (!is_wanted(p, spec->text) && !is_wanted(p, group))
		return 0;
	msg = message_new("probe-event");
	methods = json_object_new_array();
	add_text(msg, "group", group);
	add_text(msg, "event", spec->text);
	add_text(msg, "work", firing_work_find(spec)->what);
	for (unsigned int i = 0; i < attach_nr_methods; i++) {
		const struct firing_request t = { &attach_methods[i], spec, period, COOKIE };
		struct firing_result r;

		firing_run(p->sys, &t, &r);
		value_append(methods, outcome(&attach_methods[i], &r));
		error_clear(&r.err);
	}
	value_add(msg, "methods", methods);
	return output_message_as(p->out, msg, print_event, p->err);
}

/* --- features --- */

static int try_features(struct probing *p)
{
	int ret = 0, code;

	for (unsigned int i = 0; !ret && i < capability_nr_features; i++) {
		const struct capability_feature *f = &capability_features[i];
		enum capability_answer answer;
		struct json_object *msg;

		if (!is_wanted(p, f->name))
			continue;
		answer = capability_try_feature(p->sys, f, &code);
		if (p->summary) {
			probe_count(p->summary, "features", f->name, answer);
			continue;
		}
		msg = message_new("probe-feature");
		add_text(msg, "feature", f->name);
		add_text(msg, "since", f->since);
		add_text(msg, "answer", capability_answer_name(answer));
		add_text(msg, "errno", code ? sys_errno_name(code) : NULL);
		ret = output_message_as(p->out, msg, print_feature, p->err);
	}
	return ret;
}

/* --- program types and their helpers --- */

/* A program type may call a helper if one of its forms may. */
struct type_answer {
	enum capability_answer answer;
	char said[CAPABILITY_MESSAGE];
	struct json_object *forms;	/* owned; the forms that may call it */
};

static void keep_better(struct type_answer *best, bool first, enum capability_answer answer,
			const char *said)
{
	/* The answer for a type is the first of these that one of its forms has. */
	static const int order[] = {
		[CAPABILITY_YES] = 0, [CAPABILITY_SLEEPABLE] = 1, [CAPABILITY_DENIED] = 2,
		[CAPABILITY_NO] = 3,  [CAPABILITY_UNKNOWN] = 4,
	};

	if (!first && order[answer] >= order[best->answer])
		return;
	best->answer = answer;
	snprintf(best->said, sizeof(best->said), "%s", said);
}

static void ask_type(struct probing *p, const struct capability_forms *forms, uint32_t prog_type,
		     uint32_t func, struct type_answer *best)
{
	bool first = true;

	*best = (struct type_answer){ .answer = CAPABILITY_UNKNOWN,
				      .forms = json_object_new_array() };
	for (unsigned int i = 0; i < forms->nr; i++) {
		const struct capability_form *form = &forms->list[i];
		enum capability_answer answer = form->answer;
		char said[CAPABILITY_MESSAGE] = "";

		if (form->kind->prog_type != prog_type)
			continue;
		if (answer == CAPABILITY_YES && func)
			answer = capability_try_helper(p->sys, form, func, said);
		else
			snprintf(said, sizeof(said), "%s", form->message);
		keep_better(best, first, answer, said);
		first = false;
		if (answer == CAPABILITY_YES)
			value_append(best->forms, json_object_new_string(form->kind->prefix));
	}
}

static int try_type(struct probing *p, const struct capability_forms *forms, uint32_t prog_type)
{
	const char *why_not = capability_type_not_tried(prog_type);
	struct json_object *msg;
	struct type_answer best;

	ask_type(p, forms, prog_type, 0, &best);
	if (p->summary) {
		json_object_put(best.forms);
		probe_count(p->summary, "types", sys_prog_type_name(prog_type), best.answer);
		return 0;
	}
	msg = message_new("probe-prog-type");
	value_add(msg, "forms", best.forms);
	add_text(msg, "prog_type", sys_prog_type_name(prog_type));
	add_text(msg, "answer", capability_answer_name(best.answer));
	add_text(msg, "said", why_not ? why_not : best.said);
	return output_message_as(p->out, msg, print_prog_type, p->err);
}

static int try_helper(struct probing *p, const struct capability_forms *forms, uint32_t prog_type,
		      uint32_t func)
{
	const int documented = capability_documented(prog_type, func);
	struct json_object *msg;
	struct type_answer best;

	ask_type(p, forms, prog_type, func, &best);
	/* Without a pattern, leave out helpers that are neither available nor documented. */
	if (!p->all_helpers && !documented && best.answer != CAPABILITY_YES) {
		json_object_put(best.forms);
		return 0;
	}
	if (p->summary) {
		json_object_put(best.forms);
		probe_count_helper(p->summary, best.answer, documented);
		return 0;
	}
	msg = message_new("probe-helper");
	value_add(msg, "forms", best.forms);
	add_text(msg, "prog_type", sys_prog_type_name(prog_type));
	add_text(msg, "helper", helper_name(func));
	value_add_uint(msg, "number", func);
	add_text(msg, "answer", capability_answer_name(best.answer));
	if (documented < 0)
		value_add_null(msg, "documented");
	else
		value_add_bool(msg, "documented", documented);
	add_text(msg, "said", best.said);
	return output_message_as(p->out, msg, print_helper, p->err);
}

static int try_types(struct probing *p, const struct capability_forms *forms)
{
	int ret = 0;

	for (uint32_t type = 1; !ret && type < __MAX_BPF_PROG_TYPE; type++)
		if (is_wanted(p, sys_prog_type_name(type)))
			ret = try_type(p, forms, type);
	return ret;
}

/*
 * Without a pattern, test the pairs of type and helper that the documentation mentions: all helpers
 * of perf_event programs, and the helpers for perf events in every program type.
 */
static bool is_pair_wanted(const struct probing *p, uint32_t type, uint32_t func)
{
	if (!p->all_helpers)
		return capability_documented(type, func) >= 0;
	return is_wanted(p, helper_name(func)) || is_wanted(p, sys_prog_type_name(type));
}

static int try_helpers(struct probing *p, const struct capability_forms *forms)
{
	int ret = 0;

	for (uint32_t type = 1; !ret && type < __MAX_BPF_PROG_TYPE; type++)
		for (uint32_t func = 1; !ret && func < nr_helpers; func++)
			if (!capability_type_not_tried(type) && is_pair_wanted(p, type, func))
				ret = try_helper(p, forms, type, func);
	return ret;
}

/* --- command --- */

static int probe_events_of(struct probing *p)
{
	return capability_visit_events(p->sys, &p->types, try_event, p, p->err);
}

static int with_forms(struct probing *p,
		      int (*try)(struct probing *p, const struct capability_forms *forms))
{
	struct capability_forms forms;
	int ret = capability_try_forms(p->sys, &p->types, &forms, p->err);

	if (!ret)
		ret = try(p, &forms);
	capability_forms_free(&forms);
	return ret;
}

static int probe_types_of(struct probing *p)
{
	return with_forms(p, try_types);
}

static int probe_helpers_of(struct probing *p)
{
	return with_forms(p, try_helpers);
}

static const struct {
	const char *name;
	int (*probe)(struct probing *p);
} parts[] = {
	{ "events", probe_events_of },
	{ "features", try_features },
	{ "types", probe_types_of },
	{ "helpers", probe_helpers_of },
};

#define NR_PARTS (sizeof(parts) / sizeof(parts[0]))

#define ALL "all"

/* Return true if @part is asked for: all are, without an argument, too. */
static bool is_part_wanted(const struct options *o, const char *part)
{
	return !o->nr_objects || !strcmp(o->objects[0], ALL) || !strcmp(o->objects[0], part);
}

static int check(struct options *o, struct error *err)
{
	for (size_t i = 0; i < NR_PARTS; i++)
		if (is_part_wanted(o, parts[i].name))
			return 0;
	error_set(err, EINVAL, "'%s' cannot be tested", o->objects[0]);
	error_hint(err, "name events, features, types, helpers or all, followed by patterns: "
			"pload probe helpers BPF_PROG_TYPE_XDP 'bpf_perf_*'");
	return -EINVAL;
}

static int print_summary(struct probing *p)
{
	int ret = probe_summary_print(p->summary, p->out, p->err);

	if (!ret)
		note(p->out, "pload probe all prints every test, pload probe features those of one "
			     "part");
	return ret;
}

static int run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct probe_summary summary = { .nr = 0 };
	struct probing p = { .sys = sys, .out = out, .err = err };
	int ret = 0;

	if (!o->nr_objects)
		p.summary = &summary;
	if (o->nr_objects > 1 || (o->nr_objects && strcmp(o->objects[0], ALL))) {
		p.patterns = (const char *const *)o->objects + 1;
		p.nr_patterns = o->nr_objects - 1;
		p.all_helpers = true;
	}
	sys_raise_memlock(sys);	/* if it cannot, each load that fails reports it */
	kernel_types_init(&p.types, sys, NULL);
	for (size_t i = 0; !ret && i < NR_PARTS; i++) {
		if (!is_part_wanted(o, parts[i].name))
			continue;
		ret = begin(&p, parts[i].name);
		if (!ret)
			ret = parts[i].probe(&p);
	}
	if (!ret && p.summary)
		ret = print_summary(&p);
	if (!ret)
		ret = output_flush(out, err);
	probe_summary_free(&summary);
	kernel_types_free(&p.types);
	return ret;
}

const struct command command_probe = {
	.name = "probe",
	.summary = "Test what this kernel can do: events, features, program types, helpers.",
	.arguments = "[all|events|features|types|helpers [PATTERN...]]",
	.about = "Test what this kernel can do by trying it. Open, bind and trigger each event;\n"
		 "have the verifier check a program that calls each helper. Without an argument,\n"
		 "print a summary and what is missing. 'pload probe all' prints every test; for\n"
		 "helpers, only those that the eBPF documentation mentions, and where this kernel\n"
		 "differs from it.\n",
	.examples =
		"    pload probe                      # a summary, and what is missing\n"
		"    pload probe features             # what this kernel supports\n"
		"    pload probe helpers 'bpf_get_*'  # which programs may call these helpers\n"
		"    pload probe events cpu-clock     # which methods attach to an event\n",
	.groups = options_learning_only,
	.check = check,
	.run = run,
};
