// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The cells of pload compare on the running kernel, event by event: that what fires can be measured
 * whole, and that what is measured fits together. No figure is held against a number of ours; what
 * is held are the kernel's own rules.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include "loader/cmd/note.h"
#include "loader/compare/compare.h"
#include "loader/output/message.h"
#include "loader/probe/events.h"

#define COOKIE 0xc0ffee0123456789
#define ROUNDS 3

/* Notes are main.c's, which is not linked. */
void note(const char *fmt, ...)
{
	(void)fmt;
}

static int tests, failed;

static void report(bool ok, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void report(bool ok, const char *fmt, ...)
{
	va_list ap;

	printf("%s %d - ", ok ? "ok" : "not ok", ++tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	failed += !ok;
}

static void skip(const char *event, const char *cell, const char *why)
{
	printf("ok %d - %s, %s # SKIP %.*s\n", ++tests, event, cell, (int)strcspn(why, "\n"), why);
	fflush(stdout);
}

/* "a.b.c" of @o; NULL: it is not there, or null. */
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

static const char *word(struct json_object *o, const char *path)
{
	struct json_object *at = get(o, path);

	return at ? json_object_get_string(at) : "";
}

/* --- what has to hold in one cell --- */

static bool times_hold(struct json_object *cell)
{
	static const char *const steps[] = { "open", "bind", "enable", "detach" };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct json_object *step = get(get(cell, "times"), steps[i]);

		if (!step || number(step, "rounds") != ROUNDS || !number(step, "median_ns") ||
		    number(step, "p99_ns") < number(step, "median_ns"))
			return false;
	}
	return true;
}

/* What was opened last is closed, in the order in which the cell binds. */
static bool calls_hold(struct json_object *cell, bool link)
{
	struct json_object *calls = get(cell, "calls");
	const size_t nr = json_object_array_length(calls);
	unsigned int opened = 0, bound = 0, enabled = 0, links = 0, events = 0;

	for (size_t i = 0; i < nr; i++) {
		struct json_object *call = json_object_array_get_idx(calls, i);
		const char *step = word(call, "step"), *name = word(call, "call"),
			   *args = word(call, "args");

		opened += !strcmp(step, "open") && !strcmp(name, "perf_event_open") &&
			  !strcmp(word(call, "result"), "= event");
		bound += !strcmp(step, "bind");
		enabled += !strcmp(step, "enable") && strstr(args, "PERF_EVENT_IOC_ENABLE");
		if (strcmp(step, "detach") || strcmp(name, "close"))
			continue;
		links += !strcmp(args, "link") && !events;
		events += !strcmp(args, "event");
	}
	return opened == 1 && bound == 1 && enabled == 1 && links == link && events == 1;
}

/* By ioctl a program reads 0, by link what was given. */
static bool cookie_holds(struct json_object *cell, bool link, bool has_cookie)
{
	const char *seen = word(cell, "cookie.seen");

	if (!has_cookie)
		return !seen[0];
	return !strcmp(seen, link ? "0xc0ffee0123456789" : "0x0");
}

/*
 * 0 drops each sample and 1 keeps it, as far as the ring has room. A traced event that drops one
 * does not count it either; the others count in any case.
 */
static bool records_hold(struct json_object *cell, bool traced)
{
	struct json_object *zero = get(cell, "records.returns_0"),
			   *one = get(cell, "records.returns_1");

	return zero && one && !number(zero, "kept") && number(zero, "dropped") &&
	       number(one, "kept") && !number(one, "dropped") && number(one, "counted") &&
	       !number(zero, "counted") == traced;
}

static bool cost_holds(struct json_object *cell)
{
	struct json_object *cost = get(cell, "cost");

	return cost && word(cost, "unit")[0] && get(cost, "nothing_ns") &&
	       number(cost, "event_ns") && number(cost, "program_ns");
}

/* --- the cells of an event --- */

/* The same on every run: addresses are not. */
static const char *name_of(const struct event_spec *spec)
{
	if (spec->kind == EVENT_BREAKPOINT)
		return spec->bp_type == HW_BREAKPOINT_X ? "breakpoint x" : "breakpoint w";
	return event_is_probe(spec) ? compare_type_name(spec) : spec->text;
}

static void check_cell(const struct compare_subject *s, const struct compare_cell *of,
		       struct json_object *cell)
{
	const bool link = of->method.takes_cookie, traced = event_is_traced(s->spec);
	const char *event = name_of(s->spec), *outcome = word(cell, "outcome");
	const int before = failed;

	if (!strcmp(outcome, "absent") || !strcmp(outcome, "denied")) {
		skip(event, of->name, word(cell, "error.text"));
		return;
	}
	if (!s->work->certain) {
		skip(event, of->name, "no work is known that makes it happen");
		return;
	}
	report(!strcmp(outcome, "fires"), "%s, %s: fires", event, of->name);
	if (strcmp(outcome, "fires")) {
		printf("# %s: %s\n", outcome, word(cell, "error.text"));
		return;
	}
	report(number(cell, "runs.own") >= (s->work->exact ? number(cell, "runs.units") : 1),
	       "%s, %s: runs", event, of->name);
	report(cookie_holds(cell, link, s->prog.has_cookie), "%s, %s: cookie", event, of->name);
	report(calls_hold(cell, link), "%s, %s: calls", event, of->name);
	report(times_hold(cell), "%s, %s: times", event, of->name);
	report(records_hold(cell, traced), "%s, %s: records", event, of->name);
	if (get(cell, "cost.samples") && !get(cell, "cost.event_ns"))
		skip(event, of->name, "the kernel throttles samples: too few for a cost");
	else
		report(cost_holds(cell), "%s, %s: cost", event, of->name);
	if (failed > before)
		printf("# %s\n", json_object_to_json_string_ext(cell, JSON_C_TO_STRING_PLAIN));
}

/* Those that happen for sure, one of each sort: what is measured takes seconds for probes. */
static bool is_wanted(const struct event_spec *spec)
{
	static const char *const names[] = { "cpu-clock", "page-faults", "context-switches",
					     "syscalls:sys_enter_getppid" };

	if (spec->kind == EVENT_BREAKPOINT || event_is_probe(spec))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(spec->text, names[i]))
			return true;
	return false;
}

static int check_event(void *arg, const char *group, const struct event_spec *spec, uint64_t period)
{
	struct compare_subject s = {
		.sys = arg, .spec = spec, .period = period, .cookie = COOKIE, .rounds = ROUNDS,
	};
	struct json_object *event, *cells;
	struct error err = { 0 };

	(void)group;
	if (!is_wanted(spec))
		return 0;
	event = json_object_new_object();
	compare_begin(&s);
	if (compare_cells(&s, event, &err)) {
		report(false, "%s: %s", spec->text, err.what);
	} else {
		cells = get(event, "cells");
		for (int i = 0; i < COMPARE_NR_CELLS; i++)
			check_cell(&s, &s.cells[i], json_object_array_get_idx(cells, i));
	}
	compare_end(&s);
	error_clear(&err);
	json_object_put(event);
	return 0;
}

int main(void)
{
	struct sys *sys = sys_linux();
	struct kernel_types types;
	struct error err = { 0 };

	kernel_types_init(&types, sys, NULL);
	if (probe_events(sys, &types, check_event, sys, &err))
		report(false, "events: %s", err.what);
	kernel_types_free(&types);
	error_clear(&err);
	printf("1..%d\n", tests);
	return failed != 0;
}
