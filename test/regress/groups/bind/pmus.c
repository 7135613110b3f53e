// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The PMUs of this machine in sysfs, and how the loader opens events by the files there. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "loader/events/catalog/catalog.h"
#include "loader/core/event/pmu.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"
#include "test/regress/common/others.h"

#define TIMES 20

/* --- a struct sys that counts how often the kernel was asked for an event --- */

struct counting {
	struct sys sys;		/* first: it is handed out */
	struct sys *next;
	unsigned int opens;
};

static long count_opens(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct counting *c = (struct counting *)sys;

	c->opens += nr == __NR_perf_event_open;
	return c->next->enter(c->next, nr, arg);
}

/* --- the PMUs in sysfs --- */

#define PMUS_MAX 512

struct listed {
	struct regress *t;
	unsigned int nr, events;
	uint32_t types[PMUS_MAX];
};

static void describe(struct regress *t, const char *text, bool must)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct cpu_list cpus = { 0 };
	struct error err = { 0 };
	struct event_spec spec;
	int ret = event_parse(&spec, text, &err);

	if (!ret)
		ret = event_by_pmu(t->sys, &spec, &attr, &cpus, &err);
	cpu_list_free(&cpus);
	event_spec_free(&spec);
	regress_expect(t, !must || !ret, "%s: %s: %s", text, err.where, err.what);
	regress_expect(t, must || ret, "%s is taken", text);
	error_clear(&err);
}

static int type_once(void *arg, const struct pmu_row *pmu)
{
	struct listed *l = arg;

	for (unsigned int i = 0; i < l->nr; i++)
		regress_expect(l->t, l->types[i] != pmu->type, "%s has type %u, which another has",
			       pmu->name, pmu->type);
	if (l->nr < PMUS_MAX)
		l->types[l->nr++] = pmu->type;
	return 0;
}

static int terms_known(void *arg, const struct pmu_row *pmu)
{
	struct listed *l = arg;
	char text[512];

	for (unsigned int i = 0; i < pmu->nr_terms; i++) {
		/* Probes are not opened by terms. */
		if (!strcmp(pmu->name, "kprobe") || !strcmp(pmu->name, "uprobe"))
			continue;
		snprintf(text, sizeof(text), "%s/%s=1/", pmu->name, pmu->terms[i][0]);
		describe(l->t, text, true);
		l->nr++;
	}
	return 0;
}

static int cpus_are_cpus(void *arg, const struct pmu_row *pmu)
{
	struct listed *l = arg;
	struct cpu_list cpus = { 0 };
	struct error err = { 0 };

	if (!pmu->cpus || !pmu->cpus[0])
		return 0;
	regress_ok(l->t, cpu_list_parse(&cpus, pmu->cpus, &err), &err, pmu->name);
	regress_expect(l->t, cpus.nr > 0, "%s is on no CPU", pmu->name);
	cpu_list_free(&cpus);
	l->nr++;
	return 0;
}

static int alias_known(void *arg, const struct event_row *event)
{
	struct listed *l = arg;

	if (strcmp(event->group, "pmu") || !event->name || !event->terms)
		return 0;
	/* The user must supply a term whose value is '?'. */
	if (strchr(event->terms, '?'))
		return 0;
	describe(l->t, event->name, true);
	l->nr++;
	return 0;
}

static void walk(struct regress *t, struct event_visitor walk, struct listed *l, const char *none)
{
	struct error err = { 0 };

	*l = (struct listed){ .t = t };
	walk.arg = l;
	regress_ok(t, event_catalog(t->sys, &walk, &err), &err, "PMUs");
	if (!l->nr)
		regress_skip(t, "%s", none);
}

static void types_differ(struct regress *t)
{
	struct listed l;

	walk(t, (struct event_visitor){ .pmu = type_once }, &l, "sysfs has no PMU");
}

static void terms_are_taken(struct regress *t)
{
	struct listed l;

	walk(t, (struct event_visitor){ .pmu = terms_known }, &l,
	     "no PMU of this machine has a term in its format/");
}

static void cpumasks(struct regress *t)
{
	struct listed l;

	walk(t, (struct event_visitor){ .pmu = cpus_are_cpus }, &l,
	     "no PMU of this machine has a cpumask");
}

static void aliases_are_taken(struct regress *t)
{
	struct listed l;

	walk(t, (struct event_visitor){ .event = alias_known, .no_tracepoints = true }, &l,
	     "no PMU of this machine lists an event");
}

/* Without a call to the kernel for an event. */
static void no_such_term(struct regress *t)
{
	struct counting c = { .sys.enter = count_opens, .next = t->sys };
	const struct event_scope_options asked = { 0 };
	struct attach_request req;
	struct attach_set set = { 0 };
	struct event_scope scope;
	struct error err = { 0 };
	struct event_spec spec;
	int ret;

	regress_event(t, &spec, t->data);
	regress_ok(t, event_scope_init(&c.sys, &scope, &asked, &err), &err, "scope");
	req = (struct attach_request){ .method = attach_method_find("pmu", NULL), .spec = &spec,
				       .scope = &scope, .prog_fd = -1,
				       .prog_type = event_prog_type(&spec) };
	ret = attach_prog(&c.sys, &req, &set, &err);
	regress_expect(t, ret < 0, "it is attached");
	regress_expect(t, err.reason && !strncmp(err.reason, "event/", 6), "%s: %s",
		       err.reason ? err.reason : "no reason", err.what);
	regress_expect(t, !c.opens, "the kernel was asked %u times", c.opens);
	error_clear(&err);
	attach_close(&c.sys, &set);
	event_scope_free(&c.sys, &scope);
}

/* --- an event by its type and by its PMU is the same event --- */

static volatile uint64_t watched;

static void make_it_happen(struct regress *t)
{
	for (int i = 0; i < TIMES; i++) {
		volatile uint64_t *page = happen_page(t);

		known_store(page);
		happen_page_free(page);
		known_store(&watched);
		getppid();
		getpgid(0);
	}
}

static const char *event_of(const char *event, char *text, size_t size)
{
	const char *address = strstr(event, "%p");

	if (address)
		snprintf(text, size, "%.*s%p%s", (int)(address - event), event, (void *)&watched,
			 address + 2);
	else
		snprintf(text, size, "%s", event);
	return text;
}

/*
 * Both methods must fill in the fields that identify the event, type and config, with the same
 * values.
 */
static void same_attributes(struct regress *t)
{
	struct happen by_type, by_pmu;
	char text[64];

	event_of(t->data, text, sizeof(text));
	happen_open(t, &by_type, BY_IOCTL, NULL, text);
	happen_open(t, &by_pmu, BY_PMU, NULL, text);
	regress_saw(t, "type", "%u", by_pmu.e.attr.type);
	regress_expect(t, by_type.e.attr.type == by_pmu.e.attr.type, "type %u and %u",
		       by_type.e.attr.type, by_pmu.e.attr.type);
	regress_expect(t, by_type.e.attr.config == by_pmu.e.attr.config, "config %#llx and %#llx",
		       (unsigned long long)by_type.e.attr.config,
		       (unsigned long long)by_pmu.e.attr.config);
	happen_close(&by_pmu);
	happen_close(&by_type);
}

static void count_both(struct regress *t, const char *text, uint64_t count[2])
{
	static const enum happen_how by[] = { BY_IOCTL, BY_PMU };

	/*
	 * One at a time: of two breakpoints on the same address, emulated processors report only
	 * one.
	 */
	for (int i = 0; i < 2; i++) {
		struct happen h;

		happen_open(t, &h, by[i], NULL, text);
		others_none(t, h.e.a.event_fd, text);
		make_it_happen(t);	/* nothing faults afterwards */
		happen_must(&h, PERF_EVENT_IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE");
		make_it_happen(t);
		happen_must(&h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
		count[i] = happen_count(&h);
		others_none(t, h.e.a.event_fd, text);
		happen_close(&h);
	}
}

/* A page may fault again before it is mapped, on a busy machine several times in a row. */
static bool is_faults(const struct regress *t)
{
	return !strncmp(t->data, "page-faults", 11);
}

static void same_count(struct regress *t)
{
	unsigned int tries = is_faults(t) ? 10 : 1;
	uint64_t count[2];
	char text[64];

	event_of(t->data, text, sizeof(text));
	known_ready();
	do
		count_both(t, text, count);
	while (count[0] != count[1] && --tries);
	regress_expect(t, count[0] >= TIMES && count[0] == count[1], "%llu and %llu",
		       (unsigned long long)count[0], (unsigned long long)count[1]);
}

/* It also runs its program as often. */
static void same_runs(struct regress *t)
{
	const struct context_io begin = { .answer = 1, .low = KNOWN_RANGE(store).low,
					  .high = KNOWN_RANGE(store).high };
	struct context_io io;
	struct regress_object o;
	struct happen h;
	char text[64];

	event_of(t->data, text, sizeof(text));
	known_ready();
	make_it_happen(t);	/* nothing faults afterwards */
	regress_load(t, &o, "context", "pe_see");
	for (int how = BY_IOCTL; how <= BY_PMU; how += BY_PMU - BY_IOCTL) {
		io_put(t, &o, &begin);
		happen_attach(t, &h, how, text, &o, "pe_see");
		make_it_happen(t);
		io = io_get(t, &o);
		if (is_faults(t))
			happen_ran(&h, &io, TIMES);
		else
			regress_expect(t, io.runs == TIMES, "%llu runs by %s",
				       (unsigned long long)io.runs, how == BY_PMU ? "pmu" : "type");
		happen_close(&h);
	}
	regress_unload(t, &o);
}

/* --- the PMUs of probes --- */

static uint64_t number_at(const char *format, const char *what)
{
	unsigned int bit = 0;

	return sscanf(format, what, &bit) == 1 ? bit : UINT64_MAX;
}

/*
 * The bit in config that turns a probe into a return probe is the one that format/retprobe names.
 */
static void retprobe_bit(struct regress *t)
{
	struct happen h[2];
	struct error err = { 0 };
	char format[64];
	uint32_t type;
	uint64_t bit;

	if (pmu_type(t->sys, "uprobe", &type, &err) < 0)
		regress_skip(t, "%s", err.what);
	if (pmu_read(t->sys, "uprobe", "format/retprobe", format, sizeof(format)) < 0)
		regress_skip(t, "the PMU of uprobes has no format/retprobe");
	bit = number_at(format, "config:%u");
	regress_expect(t, bit < 64, "format/retprobe has '%s'", format);
	happen_open_uprobe(t, &h[0], BY_PMU, known_six, false);
	happen_open_uprobe(t, &h[1], BY_PMU, known_six, true);
	regress_expect(t, h[1].e.attr.config == (h[0].e.attr.config | UINT64_C(1) << bit),
		       "config %#llx and %#llx", (unsigned long long)h[0].e.attr.config,
		       (unsigned long long)h[1].e.attr.config);
	happen_close(&h[1]);
	happen_close(&h[0]);
}

/* A counter in this program, which is not 0 while a probe is attached. */
static volatile uint16_t semaphore __attribute__((section(".data"))) = 0;

/*
 * A uprobe belongs to the file: another suite that runs from it increments the counter here, too.
 */
static bool semaphore_is_down(void *arg)
{
	(void)arg;
	return !semaphore;
}

static void ref_counter(struct regress *t)
{
	struct error err = { 0 };
	struct happen h = { .t = t };

	semaphore = 0;		/* its page is ours now, as one that a process counts in is */
	regress_event(t, &h.spec, "uprobe:" FIRING_PATH ":known_six");
	h.spec.resolved = true;
	h.spec.uprobe.file_offset = known_offset(known_six);
	h.spec.uprobe.ref_ctr_offset = known_offset((const void *)&semaphore);
	h.s = (struct compare_subject){ .sys = t->sys, .spec = &h.spec, .period = 1 };
	compare_prepare(&h.s);
	h.cell = &h.s.cells[(uintptr_t)t->data];
	regress_expect(t, h.spec.uprobe.file_offset && h.spec.uprobe.ref_ctr_offset, "nowhere in the file");
	regress_ok(t, compare_open(&h.s, h.cell, &h.e, &err), &err, "uprobe");
	/*
	 * The kernel inserts a uprobe into the memory of the processes when the event is enabled.
	 */
	regress_ok(t, compare_enable(&h.s, &h.e, &err), &err, "enabling");
	regress_expect(t, semaphore == 1, "it is %u while the event is open", semaphore);
	happen_close(&h);
	regress_expect(t, regress_until(semaphore_is_down, NULL),
		       "it is %u once the event is closed", semaphore);
}

static const struct regress_test tests[] = {
	{ "each PMU has a type of its own", types_differ, NULL, 0 },
	{ "each term of a format/ is one that the loader takes", terms_are_taken, NULL, 0 },
	{ "each event of an events/ is one that the loader takes", aliases_are_taken, NULL, 0 },
	{ "each cpumask has CPUs", cpumasks, NULL, 0 },
	{ "a term that no PMU has never reaches the kernel", no_such_term,
	  "software/no_such_term=1/", 0 },
	{ "a PMU that is not there never reaches the kernel", no_such_term, "no_such_pmu/config=1/",
	  0 },
	{ "page-faults by type and by PMU: attributes", same_attributes, "page-faults,period=1",
	  0 },
	{ "page-faults by type and by PMU: count", same_count, "page-faults,period=1", 0 },
	{ "page-faults by type and by PMU: runs", same_runs, "page-faults,period=1", 0 },
	{ "cpu-clock by type and by PMU: attributes", same_attributes, "cpu-clock,period=1000000",
	  0 },
	{ "a breakpoint by type and by PMU: attributes", same_attributes, "mem:%p/8:w", 0 },
	{ "a breakpoint by type and by PMU: count", same_count, "mem:%p/8:w", 0 },
	{ "a breakpoint by type and by PMU: runs", same_runs, "mem:%p/8:w", 0 },
	{ "a tracepoint by type and by PMU: attributes", same_attributes,
	  "syscalls:sys_enter_getppid", 0 },
	/* No other test binds a program to it. */
	{ "a tracepoint by type and by PMU: count", same_count, "syscalls:sys_enter_getpgid", 0 },
	{ "format/retprobe is the bit by which uretprobes differ", retprobe_bit, NULL, 0 },
	{ "a uprobe of its PMU counts its semaphore up", ref_counter, (void *)BY_PMU, 0 },
	{ "a uprobe of tracefs counts its semaphore up", ref_counter, (void *)BY_IOCTL, 0 },
	{ 0 }
};

const struct regress_group regress_group_pmus = {
	"pmus", "what sysfs says of PMUs, and events opened by that", tests, NULL, __FILE__
};
