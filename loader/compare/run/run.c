// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Attach to each event by every method and measure each on this kernel. */
#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "loader/compare/profile/profile.h"
#include "loader/compare/report/report.h"
#include "loader/compare/run/run.h"
#include "loader/compare/scale/scale.h"
#include "loader/core/print/stop_signals.h"
#include "loader/core/sys/file.h"
#include "loader/core/sys/refused.h"
#include "loader/core/value/value.h"

#define COOKIE 0x706c6f6164	/* a value that programs never see by chance */
#define BUDGET_NS 1000000000ull	/* time to measure one event */
#define BUDGET_ALL_NS 500000000ull	/* with --all */
#define ALL_NS 80000000000ull	/* --all starts no event after that */
#define SIGNAL_CHECK_NS 20000000ull	/* interval of looking for a signal */

/* A zeroed object is empty. */
struct compare_loaded {
	struct loading_types types;
	struct loading load;
	struct error denied;	/* owned; missing privilege; its code is 0 if all is loaded */
};

struct comparing {
	struct sys *sys;
	const struct options *options;
	struct output *out;
	struct compare_loaded loaded;	/* empty if there is no object */
	struct kernel_types types;
	struct compare_plan plan;
	struct json_object *document;	/* owned */
	struct json_object *against;	/* owned; the one of --against, or NULL */
	int signal_fd;			/* owned; 0: none */
	int signo;			/* the signal that arrived; 0: none */
	uint64_t begin_ns;		/* time when measuring began */
	uint64_t looked_ns;		/* time of the last look for a signal */
	uint64_t rounds;		/* the smallest number of rounds of an event */
	bool on_terminal;		/* standard error is a terminal: show progress */
	bool attached;			/* at least one cell could attach */
	const char *event;		/* text of the event being measured */
};

/* --- the document: reading it, and printing it --- */

const struct output_format compare_formats[] = {
	{ .name = "text", .print = report_text, .digest = true },
	{ .name = "html", .print = report_html },
	{ .name = "csv", .print = report_csv },
	{ 0 },
};

static const struct output_format text_all_rows = { .name = "text", .print = report_text_all_rows,
						    .digest = true };

static int read_document(struct sys *sys, const char *path, struct json_object **doc,
			 struct error *err)
{
	struct file file;
	struct bytes bytes = { 0 };
	int ret = file_open(&file, sys, path, REPORT_SIZE_MAX, err);

	if (!ret)
		ret = file.source.get(file.source.arg, 0, file.source.size, &bytes, err);
	if (!ret)
		ret = report_parse((const char *)bytes.data, bytes.size, doc, err);
	file_close(&file);
	if (ret < 0) {
		error_reason_default(err, "report/file");
		if (!err->hint[0])
			error_hint(err, "pload compare --format=json >FILE writes such a file");
		error_where(err, "%s", path);
	}
	return ret;
}

/* Replace member @key: the differences in a saved document may be out of date. */
static int set(struct json_object *doc, const char *key, struct json_object *value,
	       struct error *err)
{
	if (value && !json_object_object_add(doc, key, value))
		return 0;
	json_object_put(value);
	return error_set(err, ENOMEM, "no memory for the differences");
}

/* Read the document of --against, before anything is measured. */
static int read_against(struct sys *sys, const struct options *o, struct json_object **then,
			struct error *err)
{
	*then = NULL;
	return o->compare.against ? read_document(sys, o->compare.against, then, err) : 0;
}

/*
 * Add the verdict, the differences and, unless @then is NULL, the changes since that document to
 * *@doc; then print it. *@doc is released, unless an error occurs before printing.
 */
static int show_document(struct json_object **doc, struct json_object *then,
			 const struct options *o, struct output *out, struct error *err)
{
	int ret = set(*doc, "differences", report_differences(*doc), err);

	if (!ret)
		ret = set(*doc, "verdict", report_verdict(*doc), err);
	if (o->verbose && out->format->print == report_text)
		out->format = &text_all_rows;
	json_object_object_del(*doc, "against");
	if (!ret && then)
		ret = set(*doc, "against", report_against(then, *doc), err);
	if (!ret) {
		ret = output_message_as(out, *doc, NULL, err);
		*doc = NULL;
	}
	return ret ? ret : output_flush(out, err);
}

/* The profiles of one run are tables; they have no events to make a page from. */
static int check_page(const struct options *o, struct error *err)
{
	if (o->format->print != report_html)
		return 0;
	error_set(err, EINVAL, "profiles of one run are printed as text and JSON, not as a page");
	return error_hint(err, "pload profile --format=flamegraph draws one");
}

static int show_saved(struct sys *sys, const struct options *o, struct output *out,
		      struct error *err)
{
	struct json_object *doc = NULL, *then;
	int ret = read_against(sys, o, &then, err);

	if (!ret)
		ret = read_document(sys, o->compare.from, &doc, err);
	if (!ret && message_get(doc, "profile"))
		ret = check_page(o, err);
	if (!ret)
		ret = show_document(&doc, then, o, out, err);
	json_object_put(doc);
	json_object_put(then);
	return ret;
}

/* --- the object --- */

/* Read the object at @path. Fails like loading_begin(). */
static int read_object(struct compare_loaded *l, struct sys *sys, struct output *out,
		       const struct options *o, const char *path, struct error *err)
{
	int ret;

	loading_types_init(&l->types, sys, &o->load);
	ret = loading_check_files(&l->types, &o->load, err);
	if (!ret)
		ret = loading_begin(&l->load, sys, out, &o->load, &l->types, path, err);
	if (!ret && !l->load.object.license[0])
		note(out,
		     "the object has no license: the kernel refuses GPL-only helpers");
	return ret;
}

static void end_object(struct compare_loaded *l)
{
	loading_end(&l->load);
	if (l->types.running.sys)
		loading_types_free(&l->types);
	error_clear(&l->denied);
}

/*
 * Load the maps and the wanted programs of the object. A missing privilege is not an error: it is
 * kept in l->denied and reported for every program.
 */
static int load_object(struct compare_loaded *l, struct error *err)
{
	const struct bpf_object *obj = &l->load.object;
	int ret = loading_maps(&l->load, err);

	for (uint32_t i = 0; !ret && i < obj->nr_progs; i++)
		if (l->load.wanted[i])
			ret = load_program(&l->load, i, err);
	if (!ret)
		ret = loading_finish(&l->load, err);
	if (!ret || !sys_is_denial(err->reason))
		return ret;
	l->denied = *err;
	*err = (struct error){ 0 };
	return 0;
}

static struct compare_object get_object(const struct compare_loaded *l, uint32_t prog)
{
	const struct object_prog *p = &l->load.object.progs[prog];

	return (struct compare_object){
		.path = l->load.path, .program = p->name, .section = p->section,
		.prog_fd = l->denied.code ? -1 : l->load.kernel.progs[prog].fd,
		.why = &l->denied,
		.prog_type = p->kind->prog_type,
	};
}

/* --- signals and progress --- */

static bool stop(void *arg)
{
	struct comparing *c = arg;
	const uint64_t now = sys_monotonic_ns();
	struct signalfd_siginfo info;

	if (c->signo || c->signal_fd <= 0 || now - c->looked_ns < SIGNAL_CHECK_NS)
		return c->signo;
	c->looked_ns = now;
	if (!stop_signal_came(c->sys, c->signal_fd))
		return false;
	memset(&info, 0, sizeof(info));
	c->signo = sys_read(c->sys, c->signal_fd, &info, sizeof(info)) == sizeof(info) ?
			   (int)info.ssi_signo :
			   SIGINT;
	return true;
}

/* Print one line that overwrites the previous one, if standard error is a terminal. */
static void progress(void *arg, const char *what)
{
	struct comparing *c = arg;

	if (!c->on_terminal)
		return;
	fprintf(stderr, "\r\033[K");
	if (what)
		fprintf(stderr, "%.40s: %.36s", c->event, what);
	fflush(stderr);
}

/* --- the parts of an event --- */

const struct compare_part compare_parts[] = {
	{ "cells", compare_cells },
	{ "lifetime", compare_lifetime },
	{ "visibility", compare_visibility },
	{ "privilege", compare_privilege },
	{ "least", compare_least },
	{ 0 },
};

/* Return true if @name is an element of @list ("a,b"). */
static bool is_in(const char *list, const char *name)
{
	const size_t len = strlen(name);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (!strncmp(list, name, len) && (!list[len] || list[len] == ','))
			return true;
	return false;
}

/* The cells are always measured: the other parts depend on which of them fire. */
static bool is_wanted(const struct comparing *c, size_t part)
{
	const char *only = c->options->compare.only;

	return !only || part == 0 || is_in(only, compare_parts[part].name);
}

/* Update the totals of the run. */
static void add_to_totals(struct comparing *c, struct json_object *event)
{
	struct json_object *cells = message_get(event, "cells");
	const uint64_t rounds = message_number(event, "rounds");

	for (size_t i = 0; cells && i < json_object_array_length(cells); i++)
		if (!message_get(json_object_array_get_idx(cells, i), "error"))
			c->attached = true;
	if (rounds && (!c->rounds || rounds < c->rounds))
		c->rounds = rounds;
}

static int measure(struct comparing *c, struct compare_subject *s, struct error *err)
{
	struct json_object *events = message_get(c->document, "events"),
			   *event = compare_event_new(c->document, s);
	int ret = event ? 0 : error_set(err, ENOMEM, "no memory for an event");

	for (size_t i = 0; !ret && compare_parts[i].name && !compare_stopped(s); i++)
		if (is_wanted(c, i))
			ret = compare_parts[i].measure(s, event, err);
	progress(c, NULL);
	/* An incomplete event would look like a complete one: remove it. */
	if (!ret && compare_stopped(s))
		json_object_array_del_idx(events, json_object_array_length(events) - 1, 1);
	else if (!ret)
		add_to_totals(c, event);
	return ret;
}

static int compare_one(struct comparing *c, unsigned int i, struct error *err)
{
	const struct options *o = c->options;
	struct compare_subject s = {
		.sys = c->sys, .spec = &c->plan.events.specs[i],
		.period = compare_period(&c->plan.events.specs[i]),
		.cookie = o->has_cookie ? o->cookie : COOKIE,
		.rounds = o->dry_run && !o->compare.rounds ? 1 : o->compare.rounds,
		.budget_ns = o->compare.all ? BUDGET_ALL_NS : BUDGET_NS,
		.stop = stop, .progress = progress, .arg = c,
	};
	struct compare_object object;
	int ret;

	c->event = s.spec->text;
	if (c->plan.progs) {
		object = get_object(&c->loaded, c->plan.progs[i]);
		s.object = &object;
	}
	compare_begin(&s);
	ret = measure(c, &s, err);
	compare_end(&s);
	return ret;
}

/* --- run --- */

static int begin(struct comparing *c, struct error *err)
{
	const struct options *o = c->options;
	const bool object = o->nr_objects;
	struct compare_object first;
	int ret;

	kernel_types_init(&c->types, c->sys, NULL);
	ret = read_against(c->sys, o, &c->against, err);
	if (!ret && object)
		ret = read_object(&c->loaded, c->sys, c->out, o, o->objects[0], err);
	if (!ret)
		ret = compare_choose_events(c->sys, c->out, o, object ? &c->loaded.load : NULL,
					    &c->types, &c->plan, err);
	if (!ret && object)
		ret = load_object(&c->loaded, err);
	if (ret)
		return ret;
	if (c->plan.progs)
		first = get_object(&c->loaded, c->plan.progs[0]);
	c->document = compare_document(c->sys, c->plan.progs ? &first : NULL);
	value_add(c->document, "left_out", json_object_get(c->plan.left_out));
	if (value_is_complete(c->document))
		return 0;
	return error_set(err, ENOMEM, "no memory for the document");
}

static int too_late(struct comparing *c, unsigned int from, struct error *err)
{
	const struct event_list *events = &c->plan.events;

	note(c->out, "%u events are left out for lack of time; name them with -e",
	     events->nr - from);
	for (; from < events->nr; from++) {
		struct error why = { 0 };

		error_set(&why, ETIME, "%s", "--all ran out of time");
		if (compare_plan_leave_out(&c->plan, &events->specs[from], &why, err))
			return err->code;
	}
	return 0;
}

static int measure_all(struct comparing *c, struct error *err)
{
	const bool limited = c->options->compare.all && !c->options->compare.rounds;
	int ret = 0;

	c->begin_ns = sys_monotonic_ns();
	for (unsigned int i = 0; !ret && i < c->plan.events.nr && !c->signo; i++) {
		if (limited && sys_monotonic_ns() - c->begin_ns > ALL_NS)
			return too_late(c, i, err);
		ret = compare_one(c, i, err);
	}
	return ret;
}

static int finish(struct comparing *c, struct output *out, struct error *err)
{
	int ret = 0;

	if (c->options->dry_run) {
		note(c->out, "nothing was measured: these are the calls");
		return 0;
	}
	if (!value_add_uint(c->document, "rounds", c->rounds) ||
	    !value_add(c->document, "interrupted", json_object_new_boolean(c->signo)))
		return error_set(err, ENOMEM, "no memory for the document");
	ret = show_document(&c->document, c->against, c->options, out, err);
	if (c->signo)
		out->status = 128 + c->signo;
	return ret ? ret : !c->attached;
}

/* One run of a command is the only section of this document. */
static int profile(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct json_object *profile, *doc;
	int ret = check_page(o, err), attached;

	if (ret)
		return ret;
	attached = compare_profile_run(sys, o, out, &profile, err);
	if (attached < 0)
		return attached;
	doc = compare_document(sys, NULL);
	value_add(doc, "profile", profile);
	ret = value_is_complete(doc) ? show_document(&doc, NULL, o, out, err) :
				       error_set(err, ENOMEM, "no memory for the document");
	json_object_put(doc);
	return ret ? ret : attached;
}

static int compare_events(struct comparing *c, struct error *err)
{
	int ret = begin(c, err);

	if (!ret)
		ret = measure_all(c, err);
	return ret ? ret : finish(c, c->out, err);
}

/* Many attachments are the only section of this document. */
static int scale(struct comparing *c, struct error *err)
{
	struct json_object *scale;
	int ret = compare_scale_run(c->sys, c->options, stop, c, &scale, err);

	if (ret < 0)
		return ret;
	c->attached = !ret;
	c->document = compare_document(c->sys, NULL);
	value_add(c->document, "scale", scale);
	if (value_is_complete(c->document))
		return finish(c, c->out, err);
	return error_set(err, ENOMEM, "no memory for the document");
}

int compare_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct comparing c = {
		.sys = sys, .options = o, .out = out,
		.on_terminal = isatty(STDERR_FILENO) && !o->trace,
	};
	int ret;

	if (o->compare.profile)
		return profile(sys, o, out, err);
	if (o->compare.from)
		return show_saved(sys, o, out, err);
	/* Probes in tracefs outlive a killed process, so look for a signal between the steps. */
	ret = stop_signals_open(sys, err);
	c.signal_fd = ret > 0 ? ret : 0;
	if (ret >= 0 && o->compare.scaled)
		ret = scale(&c, err);
	else if (ret >= 0)
		ret = compare_events(&c, err);
	json_object_put(c.document);
	json_object_put(c.against);
	compare_plan_free(&c.plan);
	end_object(&c.loaded);
	kernel_types_free(&c.types);
	if (c.signal_fd > 0)
		sys_close_fd(sys, &c.signal_fd);
	return ret;
}
