// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lists of events, groups and alternatives; and the events that they are on machines other than
 * this one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/event/steps.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"

/*
 * Returns a list as one line: each event is "text", with "{group" before a leader, "group" before
 * other members, and "choice.alt_index" after an alternative.
 */
static const char *list_text(const struct event_list *list)
{
	static char text[8192];
	size_t len = 0;

	text[0] = '\0';
	for (unsigned int i = 0; i < list->nr && len < sizeof(text); i++) {
		const struct event_spec *spec = &list->specs[i];

		len += snprintf(text + len, sizeof(text) - len, "%s", i ? " " : "");
		if (spec->group && len < sizeof(text))
			len += snprintf(text + len, sizeof(text) - len, "%s%u:",
					spec->leads ? "{" : "", spec->group);
		if (len < sizeof(text))
			len += snprintf(text + len, sizeof(text) - len, "%s", spec->text);
		if (spec->alt_set && len < sizeof(text))
			len += snprintf(text + len, sizeof(text) - len, "|%u.%u", spec->alt_set,
					spec->alt_index);
	}
	return text;
}

/* --- the grammar --- */

static const struct {
	const char *text, *list;
} good[] = {
	{ "cycles", "cycles" },
	{ "cycles,cpu-clock", "cycles cpu-clock" },
	{ " cycles , cpu-clock ", "cycles cpu-clock" },
	{ "   cycles   ,   cpu-clock   ", "cycles cpu-clock" },
	{ "cycles,freq=9,cpu-clock,period=3", "cycles cpu-clock" },
	{ "cpu/event=1,umask=2/,msr/tsc/", "cpu/event=1,umask=2/ msr/tsc/" },
	{ "cpu/event=1,umask=2/u,cycles", "cpu/event=1,umask=2/u cycles" },
	{ "cpu/event=1/,freq=5,cycles", "cpu/event=1/ cycles" },
	{ "sched/sched_switch,cpu/event=1/", "sched/sched_switch cpu/event=1/" },
	{ "mem:0x1000/8:w,cpu/event=1/", "mem:0x1000/8:w cpu/event=1/" },
	{ "uprobe:/bin/sh:main,cycles", "uprobe:/bin/sh:main cycles" },
	{ "uprobe:/a,b:main,cycles", "uprobe:/a,b:main cycles" },
	{ "usdt:/a,b:x:y,kprobe:do_exit,cycles", "usdt:/a,b:x:y kprobe:do_exit cycles" },
	{ "{sched,syscalls}:*", "sched:* syscalls:*" },
	{ "{sched,syscalls}:sys_*:k,period=2,cycles", "sched:sys_*:k syscalls:sys_*:k cycles" },
	{ "{cycles,instructions}", "{1:cycles 1:instructions" },
	{ "{cycles,instructions}:u,cs", "{1:cycles 1:instructions cs" },
	{ "{cycles},{cs,faults}", "{1:cycles {2:cs 2:faults" },
	{ "{ cpu/event=1,umask=2/ , cs }", "{1:cpu/event=1,umask=2/ 1:cs" },
	{ "{{sched,irq}:*,cs}", "{1:sched:* 1:irq:* 1:cs" },
	{ "cycles,or=cpu-clock", "cycles|1.0 cpu-clock|1.1" },
	{ "cycles:u,freq=9,or=cpu/event=1,umask=2/,or=cs,cs", "cycles:u|1.0 "
							      "cpu/event=1,umask=2/|1.1 cs|1.2 "
							      "cs" },
	{ "a,or=b,c,or=d", "a|1.0 b|1.1 c|2.0 d|2.1" },
	{ "{sched,irq}:*,or=syscalls:sys_enter_*", "sched:*|1.0 irq:*|1.0 "
						   "syscalls:sys_enter_*|1.1" },
	{ "{cycles,or=cpu-clock,cs}", "{1:cycles|1.0 {1:cpu-clock|1.1 1:cs" },
	{ "{cs,cycles,or=cpu-clock}", "{1:cs 1:cycles|1.0 1:cpu-clock|1.1" },
};

TEST_ROWS(understands, good)
{
	struct event_list list = { 0 };
	struct error err = { 0 };

	ck_assert_msg(event_list_parse(&list, good[_i].text, &err) == 0, "%s: %s", err.where,
		      err.what);
	ck_assert_str_eq(list_text(&list), good[_i].list);
	event_list_free(&list);
}

static const struct {
	const char *text, *reason, *where, *what, *hint;
} bad[] = {
	{ "", "event/grammar", "event ''", "no name", "an event is" },
	{ "cycles,", "event/grammar", "event ''", "no name", "an event is" },
	{ "cycles,,cs", "event/grammar", "event ''", "no name", "an event is" },
	{ "cycles,freq=x,cs", "event/grammar", "event 'cycles,freq=x'", "the frequency 'x'",
	  "1000" },
	{ "cycles,hz=9,cs", "event/grammar", "event 'cycles,hz=9'", "'hz=9' is neither",
	  ",freq=HZ" },
	{ "cs,cycles:y", "event/grammar", "event 'cycles:y'", "'y': unknown modifier 'y'", "letters" },
	{ "{cycles,cs", "event/grammar", "'{cycles,cs'", "without its '}'", "{a,b}" },
	{ "{cycles,cs}}", "event/grammar", "'}'", "unexpected text after the '}'", "write ','" },
	{ "{cycles,cs} cs", "event/grammar", "'cs'", "unexpected text after the '}'", "write ','" },
	{ "{}", "event/grammar", "event ''", "no name", "an event is" },
	{ "{{cycles,cs},cs}", "event/grammar", "'{cycles,cs},cs'", "a group in a group",
	  "groups cannot be nested: write {a,b},{c,d}" },
	{ "{cycles,cs},or=cs", "event/grammar", "',or=cs'", "a group cannot be an alternative",
	  "a member" },
	{ "{cycles,cs}:pppp", "event/grammar", "group of 'cycles'", "more than three",
	  "p, pp or ppp" },
	{ "{cs,cycles:D}", "event/grammar", "event 'cycles:D'", "first event of a group", "{cycles:D" },
	{ "cycles:S", "event/grammar", "event 'cycles:S'", "modifiers S and W work only in groups", "}:S" },
	{ "cs,cycles:W", "event/grammar", "event 'cycles:W'", "modifiers S and W work only in groups", "}:S" },
	{ "cycles,or=", "event/grammar", "event ''", "no name", "an event is" },
	{ "cycles,or=sched:sched_switch", "event/alternative", "event 'sched:sched_switch'",
	  "it runs a different type of programs than 'cycles'", "type" },
	{ "or=cs", "event/unknown", "event 'or=cs'", "no such event", "an event is" },
};

TEST_ROWS(refuses, bad)
{
	struct event_list list = { 0 };
	struct error err = { 0 };

	ck_assert_int_eq(event_list_parse(&list, bad[_i].text, &err), -EINVAL);
	ck_assert_str_eq(err.reason, bad[_i].reason);
	ck_assert_msg(strstr(err.where, bad[_i].where), "'%s' has no '%s'", err.where,
		      bad[_i].where);
	ck_assert_msg(strstr(err.what, bad[_i].what), "'%s' has no '%s'", err.what, bad[_i].what);
	ck_assert_msg(strstr(err.hint, bad[_i].hint), "'%s' has no '%s'", err.hint, bad[_i].hint);
	event_list_free(&list);
	ck_assert_int_eq(event_list_parse(&list, bad[_i].text, NULL), -EINVAL);
	event_list_free(&list);
}

/* A glob may stand for more than anybody wants opened. */
TEST(lists_end)
{
	struct event_list list = { 0 };
	const struct event_spec spec = { .kind = EVENT_SOFTWARE };
	struct error err = { 0 };

	list.nr = EVENT_LIST_MAX / 2;	/* the room doubles */
	list.specs = calloc(list.nr, sizeof(*list.specs));
	ck_assert_ptr_nonnull(list.specs);
	ck_assert_int_eq(event_list_add(&list, &spec, &err), 0);
	ck_assert_uint_eq(list.nr, EVENT_LIST_MAX / 2 + 1);
	event_list_free(&list);
	list.nr = EVENT_LIST_MAX;
	ck_assert_int_eq(event_list_add(&list, &spec, &err), -E2BIG);
	ck_assert_str_eq(err.reason, "event/too-many");
	ck_assert_ptr_nonnull(strstr(err.what, "more than 16384 events"));
	ck_assert_ptr_nonnull(strstr(err.hint, "narrower glob"));
	ck_assert_uint_eq(list.nr, EVENT_LIST_MAX);
}

TEST(modifies_groups)
{
	struct event_list list = { 0 };

	ck_assert_int_eq(event_list_parse(&list, "{cycles:k,or=cs:p,faults,cs}:uDeSW", NULL), 0);
	/* Each event has its own modifiers and those of the group; only the leader is pinned. */
	ck_assert_uint_eq(list.specs[0].modifiers.exclude, EVENT_EXCLUDE_HV);
	ck_assert_uint_eq(list.specs[1].modifiers.exclude, EVENT_EXCLUDE_HV | EVENT_EXCLUDE_KERNEL);
	ck_assert_uint_eq(list.specs[1].modifiers.precise, 1);
	for (unsigned int i = 0; i < list.nr; i++)
		ck_assert_uint_eq(list.specs[i].modifiers.flags,
				  EVENT_SAMPLE_READ | EVENT_WEAK |
				  (i < 2 ? EVENT_PINNED | EVENT_EXCLUSIVE : 0));
	event_list_free(&list);
}

TEST(goes_on_where_it_was)
{
	struct event_list list = { 0 };

	ck_assert_int_eq(event_list_parse(&list, "{cs,or=faults}", NULL), 0);
	ck_assert_int_eq(event_list_parse(&list, "{cs,or=faults}", NULL), 0);
	ck_assert_str_eq(list_text(&list), "{1:cs|1.0 {1:faults|1.1 {2:cs|2.0 {2:faults|2.1");
	event_list_free(&list);
	ck_assert_int_eq(event_list_section(&list, "uprobe.s", "/bin/sh:main,or=/bin/sh:x:y", NULL),
			 -EINVAL);
	event_list_free(&list);
	ck_assert_int_eq(event_list_section(&list, "tracepoint", "sched/sched_switch", NULL), 0);
	ck_assert_int_eq(event_list_section(&list, "kprobe", "do_exit", NULL), 0);
	ck_assert_str_eq(list_text(&list), "sched/sched_switch kprobe:do_exit");
	event_list_free(&list);
}

/* --- what it stands for --- */

#define DEVICES "/sys/bus/event_source/devices/"
#define PMU(name, type) { DEVICES name "/type", type "\n", 0 }

static const struct fake_file plain[] = {
	{ DEVICES "cpu/caps/max_precise", "3\n", 0 },
	{ DEVICES "cpu/events/cpu-cycles", "event=0x3c\n", 0 },
	{ DEVICES "cpu/events/topdown-bad-spec", "event=0x00,umask=0x81\n", 0 },
	{ DEVICES "cpu/format/event", "config:0-7\n", 0 },
	{ DEVICES "cpu/format/umask", "config:8-15\n", 0 },
	PMU("cpu", "4"),
	{ DEVICES "power/events/energy-pkg", "event=0x02\n", 0 },
	{ DEVICES "power/events/energy-pkg.unit", "Joules\n", 0 },
	PMU("power", "9"), PMU("uncore_imc_10", "30"),
	{ DEVICES "uncore_imc_2/format/event", "config:0-7\n", 0 },
	PMU("uncore_imc_2", "22"), PMU("uncore_imc_free_running", "40"),
	PMU("uncore_cha_fff1", "50"), PMU("uncore_cha_fffx", "51"), PMU("uncore_arb", "60"),
	PMU("i915", "70"), { 0 }
};

static const struct fake_file hybrid[] = {
	{ DEVICES "cpu_atom/cpus", "8-15\n", 0 },
	{ DEVICES "cpu_atom/events/cpu-cycles", "event=0x3c\n", 0 },
	{ DEVICES "cpu_atom/events/topdown-bad-spec", "event=0x73,umask=0x0\n", 0 },
	{ DEVICES "cpu_atom/format/event", "config:0-7\n", 0 },
	PMU("cpu_atom", "10"),
	{ DEVICES "cpu_core/cpus", "0-7\n", 0 },
	{ DEVICES "cpu_core/events/cpu-cycles", "event=0x3c\n", 0 },
	{ DEVICES "cpu_core/events/topdown-bad-spec", "event=0x00,umask=0x81\n", 0 },
	{ DEVICES "cpu_core/events/mem-loads", "event=0xcd\n", 0 },
	{ DEVICES "cpu_core/format/event", "config:0-7\n", 0 },
	PMU("cpu_core", "4"), PMU("software", "1"), { 0 }
};

static const struct fake_file one_arm[] = {
	{ DEVICES "armv8_pmuv3_0/cpus", "0-3\n", 0 }, PMU("armv8_pmuv3_0", "8"),
	PMU("software", "1"), { 0 }
};

static const struct fake_file forbidden[] = {
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "314\n", 0 },
	{ "/sys/kernel/tracing/events/sched", "", EMFILE }, { 0 }
};

#define EVENTS "/sys/kernel/tracing/events/"

static const struct fake_file traced[] = {
	{ "/sys/kernel/tracing/dynamic_events", "p:probes/sched_mine do_exit\ns:synthetic/lat u64 "
						"x\np:bad\n", 0 },
	{ EVENTS "enable", "0\n", 0 },
	{ EVENTS "ftrace/function/id", "1\n", 0 },
	{ EVENTS "ftrace/print/id", "5\n", 0 },
	{ EVENTS "irq/enable", "0\n", 0 },
	{ EVENTS "irq/irq_handler_entry/id", "10\n", 0 },
	{ EVENTS "irq/irq_handler_exit/id", "11\n", 0 },
	{ EVENTS "probes/sched_mine/id", "99\n", 0 },
	{ EVENTS "sched/enable", "0\n", 0 },
	{ EVENTS "sched/filter", "none\n", 0 },
	{ EVENTS "sched/sched_switch/id", "314\n", 0 },
	{ EVENTS "sched/sched_wakeup/id", "316\n", 0 },
	{ EVENTS "sched/sched_waking/id", "315\n", 0 },
	{ EVENTS "synthetic/lat/id", "400\n", 0 },
	{ 0 }
};

static const struct fake_file nothing[] = { { 0 } };

/* The notes that were printed, joined into one line. */
struct said {
	char text[4096];
};

static void say_note(void *arg, const char *text)
{
	struct said *said = arg;

	strcat(said->text, text);
	strcat(said->text, "; ");
}

static int say_instead(void *arg, const char *wanted, const char *taken, const struct error *why,
		       struct error *err)
{
	struct said *said = arg;

	ck_assert_ptr_ne(err, NULL);
	strcat(said->text, wanted);
	strcat(said->text, " -> ");
	strcat(said->text, taken);
	strcat(said->text, " ");
	strcat(said->text, why->reason);
	strcat(said->text, "; ");
	return 0;
}

static const struct {
	const struct fake_file *files;
	const char *text, *list, *said;
} expanded[] = {
	{ plain, "cycles,r1a8,L1-dcache-loads", "cycles r1a8 L1-dcache-loads", "" },
	{ one_arm, "cycles,r1a8,LLC-loads", "cycles r1a8 LLC-loads", "" },
	{ nothing, "cycles", "cycles", "" },
	{ hybrid, "cycles", "cpu_atom/cycles/ cpu_core/cycles/", "'cycles' stands for 2 events; " },
	{ hybrid, "r1a8:u", "cpu_atom/r1a8/u cpu_core/r1a8/u", "'r1a8:u' stands for 2 events; " },
	{ hybrid, "LLC-loads,cpu-clock", "cpu_atom/LLC-loads/ cpu_core/LLC-loads/ cpu-clock",
	  "'LLC-loads' stands for 2 events; " },
	{ hybrid, "1:0", "1:0", "" },
	{ hybrid, "topdown-bad-spec:k", "cpu_atom/topdown-bad-spec/k cpu_core/topdown-bad-spec/k",
	  "'topdown-bad-spec:k' stands for 2 events; " },
	{ hybrid, "topdown-bad-spec", "cpu_atom/topdown-bad-spec/ cpu_core/topdown-bad-spec/",
	  "'topdown-bad-spec' stands for 2 events; " },
	{ hybrid, "mem-loads", "mem-loads", "" },
	{ hybrid, "{cycles,cs}", "{1:cpu_atom/cycles/ 1:cpu_core/cycles/ 1:cs",
	  "'cycles' stands for 2 events; " },
	{ hybrid, "{cycles},{cs,faults}", "{1:cpu_atom/cycles/ 1:cpu_core/cycles/ {2:cs 2:faults",
	  "'cycles' stands for 2 events; " },
	{ plain, "topdown-bad-spec", "topdown-bad-spec", "" },
	{ plain, "power/energy-pkg/", "power/energy-pkg/", "" },
	{ plain, "uncore_imc/event=1/", "uncore_imc_2/event=1/ uncore_imc_10/event=1/",
	  "'uncore_imc/event=1/' stands for 2 events; " },
	{ plain, "imc/event=1/u", "uncore_imc_2/event=1/u uncore_imc_10/event=1/u",
	  "'imc/event=1/u' stands for 2 events; " },
	{ plain, "uncore_imc*/event=1/", "uncore_imc_2/event=1/ uncore_imc_10/event=1/ "
					 "uncore_imc_free_running/event=1/",
	  "'uncore_imc*/event=1/' stands for 3 events; " },
	{ plain, "cha/event=1/", "uncore_cha_fff1/event=1/", "" },
	{ plain, "arb/event=1/", "uncore_arb/event=1/", "" },
	{ traced, "sched:sched_switch", "sched:sched_switch", "" },
	{ traced, "sched:sched_*", "sched:sched_switch sched:sched_wakeup sched:sched_waking",
	  "'sched:sched_*' stands for 3 events; " },
	{ traced, "sched:sched_wak*:k", "sched:sched_wakeup:k sched:sched_waking:k",
	  "'sched:sched_wak*:k' stands for 2 events; " },
	{ traced, "sched:*switch", "sched:sched_switch", "" },
	{ traced, "{irq,sched}:*_[es]*", "irq:irq_handler_entry irq:irq_handler_exit "
					 "sched:sched_switch",
	  "'irq:*_[es]*' stands for 2 events; " },
	{ traced, "*:*", "irq:irq_handler_entry irq:irq_handler_exit sched:sched_switch "
			 "sched:sched_wakeup "
	  "sched:sched_waking", "'*:*': 2 of ftrace are left out: they cannot run programs; "
	  "'*:*': 1 synthetic events and the like are left out: they cannot run programs; "
	  "'*:*': 1 probes are left out: they do not run tracepoint programs; '*:*' stands "
	  "for 5 events; " },
	{ traced, "probes:*", "probes:sched_mine", "" },
	{ traced, "?ched:*up,or=irq:*", "sched:sched_wakeup|1.0 irq:irq_handler_entry|1.1 "
					"irq:irq_handler_exit|1.1",
	  "'irq:*' stands for 2 events; " },
	{ traced, "net:*,or=ftrace:print,or=irq:*", "irq:irq_handler_entry|1.2 "
						    "irq:irq_handler_exit|1.2",
	  "net:* -> ftrace:print event/unknown; ftrace:print -> irq:* event/ftrace; 'irq:*' stands "
	  "for 2 events; " },
	{ traced, "{sched:*switch,or=irq:*,sched:sched_wak*}",
	  "{1:sched:sched_switch|1.0 {1:irq:irq_handler_entry|1.1 "
	  "1:irq:irq_handler_exit|1.1 1:sched:sched_wakeup 1:sched:sched_waking",
	  "'irq:*' stands for 2 events; 'sched:sched_wak*' stands for 2 events; " },
	{ plain, "i9/event=1/,or=cs", "cs|1.1", "i9/event=1/ -> cs event/no-pmu; " },
	{ plain, "nosuch,or=nor-this,or=cycles", "cycles|1.2",
	  "nosuch -> nor-this event/unknown; nor-this -> cycles event/unknown; " },
	{ plain, "cycles,or=nosuch,or=cs", "cycles|1.0 nosuch|1.1 cs|1.2", "" },
	{ hybrid, "{nosuch,or=cycles,cs}", "{1:cpu_atom/cycles/|1.1 1:cpu_core/cycles/|1.1 1:cs",
	  "nosuch -> cycles event/unknown; 'cycles' stands for 2 events; " },
};

TEST_ROWS(expands, expanded)
{
	struct said said = { "" };
	const struct event_expand_hooks say = { say_note, say_instead, &said };
	struct event_list list = { 0 };
	struct error err = { 0 };
	struct files files;
	int ret;

	files_init(&files, expanded[_i].files);
	ck_assert_int_eq(event_list_parse(&list, expanded[_i].text, &err), 0);
	ret = event_list_expand(&files.sys, &list, &say, &err);
	ck_assert_uint_eq(files.open, 0);
	ck_assert_msg(ret == 0, "%s: %s", err.where, err.what);
	ck_assert_str_eq(list_text(&list), expanded[_i].list);
	ck_assert_str_eq(said.text, expanded[_i].said);
	event_list_free(&list);
}

/* Both globs count: 60 and 41 are many, 60 and 40 are not. */
TEST_EACH(many_tracepoints_are_counted, 2)
{
	struct said said = { "" };
	const struct event_expand_hooks say = { say_note, say_instead, &said };
	static struct fake_file many[102];
	static char paths[101][64];
	struct event_list list = { 0 };
	struct files files;

	for (int i = 0; i < 101 - _i; i++) {
		snprintf(paths[i], sizeof(paths[i]), EVENTS "%s/event_%d/id",
			 i < 60 ? "first" : "other", i);
		many[i] = (struct fake_file){ paths[i], "1\n", 0 };
	}
	many[101 - _i].path = NULL;
	files_init(&files, many);
	ck_assert_int_eq(event_list_parse(&list, "first:*,other:*", NULL), 0);
	ck_assert_int_eq(event_list_expand(&files.sys, &list, &say, NULL), 0);
	ck_assert_uint_eq(list.nr, 101 - _i);
	ck_assert_msg(_i ? !strstr(said.text, "takes a while") :
			   !!strstr(said.text, "101 tracepoints: detaching"), "%s", said.text);
	event_list_free(&list);
}

/* A PMU may list thousands: the one that is named is opened, and none is listed. */
TEST_EACH(costs_the_same_whatever_is_listed, 4)
{
	static const char *const texts[] = { "cpu/topdown-bad-spec/", "topdown-bad-spec", "cycles",
					     "uncore_imc/event=1/" };
	const struct event_expand_hooks say = { say_note, say_instead, &(struct said){ "" } };
	static struct fake_file many[NR(plain) + 1000];
	static char paths[1000][128];
	unsigned int calls[2];

	/* Behind the other events of this PMU, as files of one directory stand together. */
	memcpy(many, plain, 3 * sizeof(plain[0]));
	memcpy(many + 1003, plain + 3, sizeof(plain) - 3 * sizeof(plain[0]));
	for (int i = 0; i < 1000; i++) {
		snprintf(paths[i], sizeof(paths[i]), DEVICES "cpu/events/another-event-%d", i);
		many[3 + i] = (struct fake_file){ paths[i], "event=1\n", 0 };
	}
	for (int way = 0; way < 2; way++) {
		struct perf_event_attr attr = { 0 };
		struct event_list list = { 0 };
		struct cpu_list cpus;
		struct files files;

		files_init(&files, way ? many : plain);
		ck_assert_int_eq(event_list_parse(&list, texts[_i], NULL), 0);
		ck_assert_int_eq(event_list_expand(&files.sys, &list, &say, NULL), 0);
		ck_assert_int_eq(event_by_pmu(&files.sys, &list.specs[0], &attr, &cpus, NULL), 0);
		cpu_list_free(&cpus);
		event_list_free(&list);
		calls[way] = files.calls;
	}
	ck_assert_uint_eq(calls[0], calls[1]);
}

/*
 * Each kind of cores is opened by its number and on its CPUs, whichever way: in the upper half of
 * config, or as the type of an event that its PMU lists.
 */
TEST(describes_cores)
{
	static const struct {
		const char *text;
		uint32_t type;
		uint64_t config;
		const char *cpus;
		uint32_t listed_type;	/* by its PMU, if that lists it; 0: it does not */
		uint64_t listed_config;
	} rows[] = {
		{ "cycles", PERF_TYPE_HARDWARE, UINT64_C(10) << 32, "8-15", 10, 0x3c },
		{ "cycles", PERF_TYPE_HARDWARE, UINT64_C(4) << 32, "0-7", 4, 0x3c },
		{ "instructions", PERF_TYPE_HARDWARE, UINT64_C(4) << 32 | 1, "0-7", 0, 0 },
		{ "LLC-load-misses", PERF_TYPE_HW_CACHE, UINT64_C(10) << 32 | 0x10002, "8-15", 0,
		  0 },
		{ "r1a8", 10, 0x1a8, "8-15", 0, 0 }, { "r1a8", 4, 0x1a8, "0-7", 0, 0 },
	};
	const struct event_expand_hooks say = { say_note, say_instead, &(struct said){ "" } };
	event_describe_fn *const ways[] = { event_by_type, event_by_pmu };
	struct event_list list = { 0 };
	struct cpu_list cpus;
	struct files files;
	char text[64];

	files_init(&files, hybrid);
	for (int i = 0; i < NR(rows); i++)
		for (int way = 0; way < 2; way++) {
			const bool listed = way && rows[i].listed_type;
			struct perf_event_attr attr = { 0 };

			ck_assert_int_eq(event_list_parse(&list, rows[i].text, NULL), 0);
			ck_assert_int_eq(event_list_expand(&files.sys, &list, &say, NULL), 0);
			ck_assert_uint_eq(list.nr, 2);
			ck_assert_int_eq(ways[way](&files.sys, &list.specs[rows[i].cpus[0] == '0'],
						   &attr, &cpus, NULL),
					 0);
			ck_assert_uint_eq(attr.type, listed ? rows[i].listed_type : rows[i].type);
			ck_assert_uint_eq(attr.config,
					  listed ? rows[i].listed_config : rows[i].config);
			ck_assert_str_eq(cpu_list_text(&cpus, text, sizeof(text)), rows[i].cpus);
			cpu_list_free(&cpus);
			event_list_free(&list);
		}
}

/* An event that perf probe created is written like a tracepoint, but takes kprobe programs. */
TEST(knows_what_was_made)
{
	struct event_list list = { 0 };
	struct files files;

	files_init(&files, traced);
	ck_assert_int_eq(event_list_parse(&list, "probes:sched_mine,sched:sched_switch,cycles,cs",
					  NULL), 0);
	ck_assert_uint_eq(event_prog_type(&list.specs[0]), BPF_PROG_TYPE_TRACEPOINT);
	event_list_mark_dynamic(&files.sys, &list);
	ck_assert_uint_eq(event_prog_type(&list.specs[0]), BPF_PROG_TYPE_KPROBE);
	ck_assert_uint_eq(event_prog_type(&list.specs[1]), BPF_PROG_TYPE_TRACEPOINT);
	ck_assert_uint_eq(event_prog_type(&list.specs[2]), BPF_PROG_TYPE_PERF_EVENT);
	ck_assert_uint_eq(files.open, 0);
	event_list_free(&list);
}

static const struct {
	const struct fake_file *files;
	const char *text;
	int ret;
	const char *reason, *what, *hint;
} unknown[] = {
	{ plain, "cyclse", -ENOENT, "event/unknown", "unknown event (no PMU on this machine lists it either)", "cycles" },
	{ plain, "topdown-bad-spek", -ENOENT, "event/unknown", "no PMU", "topdown-bad-spec" },
	{ plain, "energy-pkg.unit", -ENOENT, "event/unknown", "no PMU", "energy-pkg" },
	{ plain, "LLC-load", 0, NULL, NULL, NULL },
	{ plain, "LLC-lods", -ENOENT, "event/unknown", "no PMU", "LLC-loads" },
	{ plain, "L1-dcache-prefetchs", -ENOENT, "event/unknown", "no PMU",
	  "L1-dcache-prefetches" },
	{ plain, "completely-different", -ENOENT, "event/unknown", "no PMU", "an event is" },
	{ nothing, "cyclse", -ENOENT, "event/unknown", "no PMU", "cycles" },
	{ hybrid, "topdown-bad-spek", -ENOENT, "event/unknown", "no PMU",
	  "did you mean topdown-bad-spec?" },
	{ plain, "cpuu/event=1/", -ENOENT, "event/no-pmu", "no PMU 'cpuu'", "did you mean cpu?" },
	{ plain, "uncore_*y/event=1/", -ENOENT, "event/no-pmu", "no PMU 'uncore_*y'",
	  "uncore_arb" },
	{ nothing, "cpu/event=1/", -ENOENT, "event/no-sysfs", "sysfs is not mounted",
	  "mount -t sysfs" },
	{ traced, "sched_switch", -ENOENT, "event/unknown", "no PMU",
	  "did you mean the tracepoint sched:sched_switch?" },
	{ traced, "shed:*", -ENOENT, "event/unknown", "'shed:*' does not match any tracepoint of this kernel",
	  "did you mean sched?" },
	{ traced, "sched:sched_swich*", -ENOENT, "event/unknown", "*' does not match any tracepoint of this kernel", "sched_switch" },
	{ traced, "sched:zzzzzzzzzz*", -ENOENT, "event/unknown", "*' does not match any tracepoint of this kernel", "pload list" },
	{ traced, "*foo:bar*", -ENOENT, "event/unknown", "*' does not match any tracepoint of this kernel", "pload list" },
	{ traced, "ftrace:*", -EINVAL, "event/ftrace",
	  "events of ftrace are records of tracers: programs cannot", "kprobe:" },
	{ traced, "ftrace:print", -EINVAL, "event/ftrace", "events of ftrace are records of tracers: programs cannot", "kprobe:" },
	{ traced, "synthetic:*", -EINVAL, "event/dynamic", "these events were defined through tracefs, and programs",
	  "programs can run on" },
	{ nothing, "sched:*", -ENOSYS, "event/no-tracefs", "cannot read tracefs", "mount" },
	{ forbidden, "sched:*", -EMFILE, "event/fd-limit", "cannot read tracefs",
	  "fs.file-max" },
	{ plain, "nosuch,or=nor-this", -ENOENT, "event/unknown", "no PMU", "an event is" },
};

TEST_ROWS(says_what_is_near, unknown)
{
	const struct event_expand_hooks say = { say_note, say_instead, &(struct said){ "" } };
	struct event_list list = { 0 };
	struct error err = { 0 };
	struct files files;

	files_init(&files, unknown[_i].files);
	ck_assert_int_eq(event_list_parse(&list, unknown[_i].text, NULL), 0);
	ck_assert_int_eq(event_list_expand(&files.sys, &list, &say, &err), unknown[_i].ret);
	ck_assert_uint_eq(files.open, 0);
	event_list_free(&list);
	if (!unknown[_i].ret)
		return;
	ck_assert_str_eq(err.reason, unknown[_i].reason);
	ck_assert_msg(strstr(err.what, unknown[_i].what), "'%s' has no '%s'", err.what,
		      unknown[_i].what);
	ck_assert_msg(strstr(err.hint, unknown[_i].hint), "'%s' has no '%s'", err.hint,
		      unknown[_i].hint);
	ck_assert_msg(strstr(err.where, "event '"), "%s", err.where);
}
