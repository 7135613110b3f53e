// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload compare: one event in every way to attach to it, measured on this kernel, side by side. */
#include <errno.h>
#include <string.h>

#include "loader/cmd/command.h"
#include "loader/cmd/note.h"
#include "loader/compare/compare.h"
#include "loader/output/message.h"

#define COOKIE 0x706c6f6164	/* a value that a program does not see by chance */
#define BUDGET_NS 1500000000	/* of timing one event */
#define CLOCK_PERIOD 100000	/* some ten samples in a millisecond of computing */

struct comparing {
	struct sys *sys;
	const struct options *options;
	struct json_object *document;	/* owned */
	struct event_list events;
};

static int find_events(struct comparing *c, struct error *err)
{
	const struct option_list *texts = &c->options->events;
	const struct event_say say = { 0 };
	int ret = texts->nr ? 0 : event_list_parse(&c->events, "cpu-clock", err);

	for (unsigned int i = 0; !ret && i < texts->nr; i++)
		ret = event_list_parse(&c->events, texts->text[i], err);
	return ret ? ret : event_list_expand(c->sys, &c->events, &say, err);
}

/* How often it is to happen for a sample, so that a short time of work has some. */
static uint64_t period_of(const struct event_spec *spec)
{
	switch (spec->kind) {
	case EVENT_SOFTWARE:
		return spec->config == PERF_COUNT_SW_CPU_CLOCK ||
				       spec->config == PERF_COUNT_SW_TASK_CLOCK ?
			       CLOCK_PERIOD :
			       0;
	case EVENT_HARDWARE:
	case EVENT_CACHE:
	case EVENT_RAW:
	case EVENT_PMU:
		return 1000;
	default:
		return 0;
	}
}

static int compare_one(struct comparing *c, const struct event_spec *spec, struct error *err)
{
	struct compare_subject s = {
		.sys = c->sys, .spec = spec, .period = period_of(spec),
		.cookie = c->options->has_cookie ? c->options->cookie : COOKIE,
		.budget_ns = BUDGET_NS,
	};
	struct json_object *event;
	int ret = 0;

	compare_begin(&s);
	event = compare_event_new(c->document, &s);
	if (!event)
		ret = error_set(err, ENOMEM, "no memory for an event");
	if (!ret)
		ret = compare_cells(&s, event, err);
	if (!ret)
		ret = compare_lifetime(&s, event, err);
	compare_end(&s);
	return ret;
}

static int run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct comparing c = { .sys = sys, .options = o };
	int ret = find_events(&c, err);

	if (!ret) {
		c.document = compare_document(sys, NULL);
		ret = c.document ? 0 : error_set(err, ENOMEM, "no memory for the document");
	}
	for (unsigned int i = 0; !ret && i < c.events.nr; i++)
		ret = compare_one(&c, &c.events.specs[i], err);
	if (!ret) {
		ret = output_message(out, c.document, err);
		c.document = NULL;
	}
	if (!ret)
		ret = output_flush(out, err);
	json_object_put(c.document);
	event_list_free(&c.events);
	return ret;
}

static int set_cookie(struct options *o, const char *text, struct error *err)
{
	o->has_cookie = true;
	return options_number("--cookie", text, 0, UINT64_MAX, &o->cookie, err);
}

static int check(struct options *o, struct error *err)
{
	if (!o->nr_objects)
		return 0;
	error_set(err, EINVAL, "'%s': only the built-in programs are compared", o->objects[0]);
	return -EINVAL;
}

static const struct option_row rows[] = {
	{ "event", 'e', "=EVENT", "compare on this event (may be repeated; default cpu-clock)",
	  OPTION_LIST, OPTION_FIELD(events), NULL, NULL },
	{ "cookie", 0, "=N", "what bpf_get_attach_cookie() has to return where a link gives it",
	  OPTION_PARSED, 0, set_cookie, NULL },
	{ 0 },
};

static const struct option_group comparing = { "Comparing", rows };

static const struct option_group *const groups[] = { &comparing, &options_learning, NULL };

const struct command command_compare = {
	.name = "compare",
	.summary = "every way to attach one event, measured on this kernel, side by side",
	.arguments = "",
	.about = "Opens an event by its fixed type and through its PMU, binds a program by ioctl\n"
		 "and by link, and says what became of each of the four.\n",
	.groups = groups,
	.check = check,
	.run = run,
};
