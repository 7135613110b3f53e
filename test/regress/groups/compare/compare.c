// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The cells of pload compare: a cell that fires has all measurements, and they agree with each
 * other. Measured values are compared with the kernel's own rules, never with a number of ours.
 */
#include <string.h>


#include "loader/core/print/message.h"
#include "test/unit/common/json_of.h"
#include "test/regress/common/others.h"
#include "test/regress/groups/compare/compare.h"

#define ROUNDS 3
#define PATIENCE 180	/* s: an event is measured at once, an emulated machine is slow */

/* One of each sort that does not go by time. */
static const struct kind events[COMPARE_EVENTS] = {
	{ "page-faults", "page-faults", KIND_COUNTED },
	{ "breakpoint", "mem:%w/8:w", KIND_COUNTED },
	{ "tracepoint", "syscalls:sys_enter_getppid", KIND_TRACEPOINT },
	{ "uprobe", "uprobe:" FIRING_PATH ":%u", KIND_UPROBE },
};

struct fact {
	unsigned int event, cell;
	bool (*holds)(struct json_object *cell, const struct fact *fact);
};

void compare_keep(struct regress *t, struct compare_kept *kept, struct json_object *document)
{
	const char *text = json_object_to_json_string(document);

	regress_expect(t, text && strlen(text) < sizeof(kept->text), "a document does not fit");
	strcpy(kept->text, text);
	json_object_put(document);
	kept->done = true;
}

struct json_object *compare_kept(struct regress *t, const struct compare_kept *kept)
{
	struct json_object *document = json_of(kept->text);

	regress_expect(t, document, "the document is no JSON");
	return document;
}

/* Returns member "a.b.c" of @o; NULL: it does not exist, or is null. */
static struct json_object *get(struct json_object *o, const char *path)
{
	char text[128], *p = text;

	snprintf(text, sizeof(text), "%s", path);
	while (p && o)
		o = message_get(o, strsep(&p, "."));
	return o;
}

static uint64_t number(struct json_object *o, const char *path)
{
	struct json_object *at = get(o, path);

	return at ? json_object_get_uint64(at) : 0;
}

const char *compare_word(struct json_object *o, const char *path)
{
	struct json_object *at = get(o, path);

	return at ? json_object_get_string(at) : "";
}

/* --- assertions about one cell --- */

static bool times_hold(struct json_object *cell, const struct fact *fact)
{
	static const char *const steps[] = { "open", "bind", "enable", "detach" };

	(void)fact;
	for (size_t i = 0; i < NR(steps); i++) {
		struct json_object *step = get(get(cell, "times"), steps[i]);

		if (!step || number(step, "rounds") != ROUNDS || !number(step, "median_ns") ||
		    number(step, "p99_ns") < number(step, "median_ns"))
			return false;
	}
	return true;
}

/*
 * The calls open, bind and enable one event, and close its link, if there is one, before the event.
 */
static bool calls_hold(struct json_object *cell, const struct fact *fact)
{
	const bool link = CELLS_LINK & 1u << fact->cell;
	struct json_object *calls = get(cell, "calls");
	const size_t nr = json_object_array_length(calls);
	unsigned int opened = 0, bound = 0, enabled = 0, links = 0, closed = 0;

	for (size_t i = 0; i < nr; i++) {
		struct json_object *call = json_object_array_get_idx(calls, i);
		const char *step = compare_word(call, "step"), *name = compare_word(call, "call"),
			   *args = compare_word(call, "args");

		opened += !strcmp(step, "open") && !strcmp(name, "perf_event_open") &&
			  !strcmp(compare_word(call, "result"), "= event");
		bound += !strcmp(step, "bind");
		enabled += !strcmp(step, "enable") && strstr(args, "PERF_EVENT_IOC_ENABLE");
		if (strcmp(step, "detach") || strcmp(name, "close"))
			continue;
		links += !strcmp(args, "link") && !closed;
		closed += !strcmp(args, "event");
	}
	return opened == 1 && bound == 1 && enabled == 1 && links == link && closed == 1;
}

/*
 * 0 drops each sample and 1 keeps it, as far as the ring has room. A traced event that drops one
 * does not count it either; the others count in any case.
 */
static bool records_hold(struct json_object *cell, const struct fact *fact)
{
	const bool traced = events[fact->event].is != KIND_COUNTED;
	struct json_object *zero = get(cell, "records.returns_0"),
			   *one = get(cell, "records.returns_1");

	return zero && one && !number(zero, "kept") && number(zero, "dropped") &&
	       number(one, "kept") && !number(one, "dropped") && number(one, "counted") &&
	       !number(zero, "counted") == traced;
}

static bool cost_holds(struct json_object *cell, const struct fact *fact)
{
	struct json_object *cost = get(cell, "cost");

	(void)fact;
	/* If the kernel throttles the event, too few samples are left to compute a cost. */
	if (get(cost, "samples") && !get(cost, "event_ns"))
		return true;
	return cost && compare_word(cost, "unit")[0] && get(cost, "nothing_ns") &&
	       number(cost, "event_ns") && number(cost, "program_ns");
}

/* --- the cells of an event --- */

static struct json_object *look(struct regress *t, const struct fact *fact)
{
	struct compare_kept *kept = &((struct compare_room *)t->room)->cells[fact->event];
	struct json_object *event;
	struct compare_subject s;
	struct event_spec spec;
	struct error err = { 0 };

	if (kept->done)
		return compare_kept(t, kept);
	kind_begin(t, &events[fact->event], &spec, &s);
	s.rounds = ROUNDS;
	event = json_object_new_object();
	regress_ok(t, compare_cells(&s, event, &err), &err, "cells");
	kind_end(&s);
	compare_keep(t, kept, event);
	return compare_kept(t, kept);
}

static void test(struct regress *t)
{
	const struct fact *fact = t->data;
	struct json_object *event = look(t, fact), *cell;
	const char *outcome;

	cell = json_object_array_get_idx(get(event, "cells"), fact->cell);
	outcome = compare_word(cell, "outcome");
	if (!strcmp(outcome, "absent") || !strcmp(outcome, "denied"))
		regress_skip(t, "%s", compare_word(cell, "error.text"));
	regress_expect(t, !strcmp(outcome, "fires"), "%s: %s", outcome,
		       compare_word(cell, "error.text"));
	if (fact->holds == records_hold && !records_hold(cell, fact))
		others_none_on(t, &events[fact->event]);
	regress_expect(t, fact->holds(cell, fact), "%s",
		       json_object_to_json_string(cell));
	json_object_put(event);
}

static void fill(struct regress_list *list)
{
	static const struct {
		const char *name;
		bool (*holds)(struct json_object *cell, const struct fact *fact);
	} facts[] = {
		{ "its calls are told as they were made", calls_hold },
		{ "each step takes its time", times_hold },
		{ "0 drops records and 1 keeps them", records_hold },
		{ "a run has its cost", cost_holds },
	};
	static struct fact all[COMPARE_EVENTS][COMPARE_NR_CELLS][NR(facts)];

	regress_patience(list, PATIENCE);
	for (unsigned int e = 0; e < COMPARE_EVENTS; e++)
		for (unsigned int c = 0; c < COMPARE_NR_CELLS; c++)
			for (unsigned int f = 0; f < NR(facts); f++) {
				all[e][c][f] = (struct fact){ e, c, facts[f].holds };
				regress_add(list, test, &all[e][c][f], "%s, %s: %s", events[e].name,
					    kind_cell_name(&events[e], c), facts[f].name);
			}
	compare_fill_sections(list);
	regress_share(list, sizeof(struct compare_room));
}

const struct regress_group regress_group_compare = {
	"compare", "pload compare: what it measures fits together, and is the kernel's answer", NULL,
	fill, __FILE__
};
