// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The regression table on the running kernel: method x event x { refuses a second program, fires,
 * cookie, stops when closed }. Each cell is a TAP line on stdout; the table as people read it is on
 * stderr.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loader/attach/attach.h"
#include "loader/sys/denied.h"
#include "test/unit/probe_builder.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))

/* A machine under any load gets there; passing it is the failure. */
#define DEADLINE_NS (60 * UINT64_C(1000000000))

#define COOKIE 0xc0ffee0123456789

static const struct {
	const char *name;
	const char *event;	/* "%p": the address of probe_watched */
	void (*work)(void);	/* one happening, or some time of a clock */
	unsigned int units;	/* of work in which it must have happened, had it been attached */
	bool exact;		/* as many runs as units of work */
} events[] = {
	{ "cpu-clock by freq", "cpu-clock,freq=1000", work_clock, 50, false },
	{ "cpu-clock by period", "cpu-clock,period=1000000", work_clock, 50, false },
	{ "page-faults", "page-faults,period=1", work_fault, 20, false },
	{ "context-switches", "context-switches,period=1", work_switch, 20, false },
	{ "breakpoint", "mem:%p/8:w", work_write, 20, true },
	{ "tracepoint", "sched:sched_switch", work_switch, 20, false },
};

enum { EEXIST_CELL, FIRES, COOKIE_CELL, STOPS, NR_CELLS };

static const char *const cell_names[NR_CELLS] = { "EEXIST for a second program", "fires", "cookie",
						  "stops when closed" };

struct cell {
	enum { NOT_REACHED, PASSED, FAILED, SKIPPED } state;
	char text[600];	/* why it failed or was skipped; what was seen */
};

/* Causes that are the machine's and not ours. */
static const char *const lacking[] = {
	"perf-open/no-pmu", "perf-open/no-event", "perf-open/no-breakpoint-slot",
	"perf-open/fd-limit",
	"attach/unsupported",
	"attach/link-unsupported", "event/no-tracefs",
};

static bool machine_lacks(const struct error *err)
{
	for (size_t i = 0; i < NR(lacking); i++)
		if (err->reason && strcmp(err->reason, lacking[i]) == 0)
			return true;
	return sys_is_denial(err->reason);
}

static void set(struct cell *cell, int state, const char *fmt,
		...) __attribute__((format(printf, 3, 4)));

static void set(struct cell *cell, int state, const char *fmt, ...)
{
	va_list ap;

	cell->state = state;
	va_start(ap, fmt);
	vsnprintf(cell->text, sizeof(cell->text), fmt, ap);
	va_end(ap);
}

/* What could not be set up, for each cell that has not been reached. */
static void set_rest(struct cell cells[NR_CELLS], int state, const struct error *err)
{
	for (int i = 0; i < NR_CELLS; i++)
		if (cells[i].state == NOT_REACHED)
			set(&cells[i], state, "%s%s%s", err->where, err->where[0] ? ": " : "",
			    err->what);
}

/* One method and one event. */
struct trial {
	struct sys *sys;
	const struct attach_method *method;
	size_t event;
	struct event_spec spec;
	struct event_scope scope;
	struct probe probe;
	struct attach_set set;
};

static int prepare(struct trial *t, struct error *err)
{
	char text[EVENT_TEXT_MAX];
	const char *event = events[t->event].event, *address = strstr(event, "%p");
	int ret;

	if (address)
		snprintf(text, sizeof(text), "%.*s%p%s", (int)(address - event), event,
			 (void *)&probe_watched, address + 2);
	else
		snprintf(text, sizeof(text), "%s", event);
	ret = event_parse(&t->spec, text, err);
	if (ret == 0)
		ret = event_scope_init(t->sys, &t->scope, &(struct event_scope_options){ 0 }, err);
	if (ret < 0)
		return ret;
	ret = probe_load(t->sys, &t->probe, event_prog_type(&t->spec), err);
	if (ret == -EPERM || ret == -EACCES)
		error_reason(err, "attach/no-capability");
	return ret;
}

static int attach(struct trial *t, struct error *err)
{
	struct attach_request req = {
		.method = t->method, .spec = &t->spec, .scope = &t->scope,
		.prog_fd = t->probe.prog_fd,
		.prog_type = event_prog_type(&t->spec),
	};

	if (t->method->takes_cookie) {
		req.has_cookie = true;
		req.cookie = COOKIE;
	}
	return attach_prog(t->sys, &req, &t->set, err);
}

static void try_second(struct trial *t, struct cell *cell)
{
	struct attachment again = { .event_fd = t->set.list[0].event_fd, .link_fd = -1 };
	struct error err = { 0 };
	struct probe second;
	int ret;

	ret = probe_load(t->sys, &second, event_prog_type(&t->spec), &err);
	if (ret == 0)
		ret = t->method->bind(t->sys, &again, second.prog_fd, 0, &err);
	if (ret == -EEXIST && err.reason && strcmp(err.reason, "attach/already-bound") == 0)
		set(cell, PASSED, "EEXIST");
	else
		set(cell, FAILED, "expected EEXIST, got %d %s", ret, err.what);
	sys_close_fd(t->sys, &again.link_fd);
	probe_close(t->sys, &second);
}

static void try_fires(struct trial *t, struct cell *cell)
{
	uint64_t end = sys_monotonic_ns() + DEADLINE_NS;
	unsigned int wanted = events[t->event].exact ? events[t->event].units : 5, units = 0;
	uint64_t runs;

	/* Counted work is done once and has had its effect then; a clock is waited for. */
	do {
		events[t->event].work();
		units++;
		runs = probe_read(t->sys, &t->probe).own.runs;
	} while (units < events[t->event].units || (runs < wanted && sys_monotonic_ns() < end));
	if (runs < wanted || (events[t->event].exact && runs != units))
		set(cell, FAILED, "%llu runs in %u units of work", (unsigned long long)runs, units);
	else
		set(cell, PASSED, "%llu runs", (unsigned long long)runs);
}

static void try_cookie(struct trial *t, struct cell *cell)
{
	uint64_t wanted = t->method->takes_cookie ? COOKIE : 0;
	uint64_t cookie = probe_read(t->sys, &t->probe).own.cookie;

	if (!t->probe.has_cookie)
		set(cell, SKIPPED, "this kernel has no bpf_get_attach_cookie()");
	else if (cookie != wanted)
		set(cell, FAILED, "cookie 0x%llx instead of 0x%llx", (unsigned long long)cookie,
		    (unsigned long long)wanted);
	else
		set(cell, PASSED, wanted ? "as given" : "0");
}

static void try_stops(struct trial *t, struct cell *cell)
{
	struct probe_value before, after;

	attach_close(t->sys, &t->set);
	before = probe_read(t->sys, &t->probe);
	for (unsigned int i = 0; i < events[t->event].units; i++)
		events[t->event].work();
	after = probe_read(t->sys, &t->probe);
	if (after.own.runs != before.own.runs || after.others.runs != before.others.runs)
		set(cell, FAILED, "%llu runs after it was closed",
		    (unsigned long long)(after.own.runs - before.own.runs + after.others.runs - before.others.runs));
	else
		set(cell, PASSED, "stopped");
}

static void run_trial(struct sys *sys, const struct attach_method *method, size_t event,
		      struct cell cells[NR_CELLS])
{
	struct trial t = { .sys = sys, .method = method, .event = event,
			   .probe = { .map_fd = -1, .prog_fd = -1 } };
	struct error err = { 0 };
	int ret;

	ret = prepare(&t, &err);
	if (ret == 0)
		ret = attach(&t, &err);
	if (ret == 0) {
		try_second(&t, &cells[EEXIST_CELL]);
		ret = attach_enable(sys, &t.set, &err);
	}
	if (ret == 0) {
		try_fires(&t, &cells[FIRES]);
		try_cookie(&t, &cells[COOKIE_CELL]);
		try_stops(&t, &cells[STOPS]);
	}
	if (ret < 0)
		set_rest(cells, machine_lacks(&err) ? SKIPPED : FAILED, &err);
	attach_close(sys, &t.set);
	probe_close(sys, &t.probe);
	event_scope_free(t.sys, &t.scope);
	error_clear(&err);
}

static bool print_cell(unsigned int number, const char *method, const char *event, int i,
		       const struct cell *cell)
{
	bool failed = cell->state == FAILED || cell->state == NOT_REACHED;

	printf("%s %u - regress: %s x %s: %s", failed ? "not ok" : "ok", number, method, event,
	       cell_names[i]);
	if (cell->state == SKIPPED)
		printf(" # SKIP %s", cell->text);
	putchar('\n');
	if (failed)
		printf("# %s\n", cell->text);
	fflush(stdout);
	return failed;
}

static void print_row(const char *method, const char *event, const struct cell cells[NR_CELLS])
{
	static const char *const words[] = { "?", NULL, "FAILED", "skipped" };

	fprintf(stderr, "# %-6s %-20s", method, event);
	for (int i = 0; i < NR_CELLS; i++)
		fprintf(stderr, " %-18.18s",
			cells[i].state == PASSED ? cells[i].text : words[cells[i].state]);
	fputc('\n', stderr);
}

int main(void)
{
	unsigned int number = 0, failed = 0;
	struct sys *sys = sys_linux();

	printf("1..%zu\n", attach_nr_methods * NR(events) * NR_CELLS);
	fprintf(stderr, "# %-6s %-20s %-18s %-18s %-18s %-18s\n", "method", "event",
		"second program", "fires", "cookie",
		"closed");
	for (unsigned int m = 0; m < attach_nr_methods; m++)
		for (size_t e = 0; e < NR(events); e++) {
			struct cell cells[NR_CELLS];

			memset(cells, 0, sizeof(cells));
			run_trial(sys, &attach_methods[m], e, cells);
			for (int i = 0; i < NR_CELLS; i++)
				failed += print_cell(++number, attach_methods[m].name,
						     events[e].name, i, &cells[i]);
			print_row(attach_methods[m].name, events[e].name, cells);
		}
	return failed != 0;
}
