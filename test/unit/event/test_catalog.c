// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Listing events: all events of a small sysfs and tracefs are listed, each once, and in order. */
#include <errno.h>
#include <string.h>

#include "loader/events/catalog/catalog.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"

#define PMU(file) "/sys/bus/event_source/devices/" file
#define TRACE(file) "/sys/kernel/tracing/events/" file

static const struct fake_file machine[] = {
	{ PMU("imc_10/type"), "21\n", 0 },
	{ PMU("imc_2/caps/branches"), "32\n", 0 },
	{ PMU("imc_2/cpumask"), "0,18\n", 0 },
	{ PMU("imc_2/events/reads"), "event=0x4\n", 0 },
	{ PMU("imc_2/events/reads.per-pkg"), "1\n", 0 },
	{ PMU("imc_2/events/reads.scale"), "6.1e-5\n", 0 },
	{ PMU("imc_2/events/reads.snapshot"), "1\n", 0 },
	{ PMU("imc_2/events/reads.x.unit"), "MiB\n", 0 },
	{ PMU("imc_2/events/reads.unit"), "MiB\n", 0 },
	{ PMU("imc_2/events/reads.per-pkg"), "1\n", 0 },
	{ PMU("imc_2/events/reads.snapshot"), "1\n", 0 },
	{ PMU("imc_2/events/secret"), "", EACCES },
	{ PMU("imc_2/format/event"), "config:0-7\n", 0 },
	{ PMU("imc_2/format/umask"), "config:8-15\n", 0 },
	{ PMU("imc_2/type"), "14\n", 0 },
	{ PMU("noise/type"), "many\n", 0 },
	{ TRACE("enable"), "0\n", 0 },
	{ TRACE("sched/enable"), "0\n", 0 },
	{ TRACE("sched/filter"), "none\n", 0 },
	{ TRACE("sched/sched_switch/id"), "314\n", 0 },
	{ TRACE("sched/sched_wakeup/id"), "315\n", 0 },
	{ 0 }
};

struct seen {
	char text[16384];	/* what was listed, a line each */
	unsigned int lines, stop_at;
};

static int add(struct seen *seen, const char *line)
{
	ck_assert(strlen(seen->text) + strlen(line) + 2 < sizeof(seen->text));
	strcat(strcat(seen->text, line), "\n");
	return ++seen->lines == seen->stop_at ? 7 : 0;
}

static int see_event(void *arg, const struct event_row *row)
{
	char line[256];

	snprintf(line, sizeof(line), "%s %s|%s|%s|%s|%s", row->group, row->name,
		 row->alias ? row->alias : "", row->terms ? row->terms : "",
		 row->scale ? row->scale : "", row->unit ? row->unit : "");
	return add(arg, line);
}

static int see_pmu(void *arg, const struct pmu_row *row)
{
	char line[256];
	int n = snprintf(line, sizeof(line), "PMU %s %u cpus %s", row->name, row->type,
			 row->cpus ? row->cpus : "any");

	for (unsigned int i = 0; i < row->nr_terms; i++)
		n += snprintf(line + n, sizeof(line) - n, " %s=%s", row->terms[i][0],
			      row->terms[i][1]);
	for (unsigned int i = 0; i < row->nr_caps; i++)
		n += snprintf(line + n, sizeof(line) - n, " cap %s=%s", row->caps[i][0],
			      row->caps[i][1]);
	return add(arg, line);
}

static int walk(const struct fake_file *table, struct seen *seen, struct error *err)
{
	const struct event_visitor w = { .event = see_event, .pmu = see_pmu, .arg = seen };
	struct files files;
	int ret;

	files_init(&files, table);
	ret = event_catalog(&files.sys, &w, err);
	ck_assert_uint_eq(files.open, 0);
	return ret;
}

static const char *after(const struct seen *seen, const char *line)
{
	const char *at = strstr(seen->text, line);

	ck_assert_msg(at, "'%s' is not listed in:\n%s", line, seen->text);
	return at + strlen(line);
}

TEST(pmus_come_first_in_order_with_what_they_list)
{
	struct error err = { 0 };
	struct seen seen = { 0 };

	ck_assert_int_eq(walk(machine, &seen, &err), 0);
	ck_assert_ptr_eq(after(&seen, "PMU imc_2 14 cpus 0,18 event=config:0-7 umask=config:8-15 "
				      "cap branches=32\n"
				      "pmu imc_2/reads/||event=0x4|6.1e-5|MiB\n"
				      "pmu imc_2/secret/||||\n"
				      "PMU imc_10 21 cpus any\n") -
				 strlen("PMU imc_10 21 cpus any\n"),
			 strstr(seen.text, "PMU imc_10"));
	ck_assert_int_eq(strncmp(seen.text, "PMU imc_2 ", 10), 0);
	ck_assert_msg(!strstr(seen.text, "noise"), "a PMU without a number is listed");
}

TEST(tracepoints_are_events_and_not_the_files_beside_them)
{
	struct error err = { 0 };
	struct seen seen = { 0 };

	ck_assert_int_eq(walk(machine, &seen, &err), 0);
	ck_assert_str_eq(after(&seen, "tracepoint sched:sched_switch||||\n"),
			 "tracepoint sched:sched_wakeup||||\n");
	after(&seen, "hardware cycles|cpu-cycles|||\n");
	after(&seen, "software page-faults|faults|||\n");
	after(&seen, "cache L1-dcache-load-misses||||\n");
}

TEST(a_call_that_has_enough_ends_it)
{
	struct error err = { 0 };
	struct seen seen = { .stop_at = 3 };

	ck_assert_int_eq(walk(machine, &seen, &err), 7);
	ck_assert_uint_eq(seen.lines, 3);
}

TEST(without_sysfs_the_rest_is_listed_and_the_error_said)
{
	static const struct fake_file bare[] = {
		{ TRACE("sched/sched_switch/id"), "314\n", 0 }, { 0 }
	};
	struct error err = { 0 };
	struct seen seen = { 0 };

	ck_assert_int_eq(walk(bare, &seen, &err), -ENOENT);
	ck_assert_str_eq(err.reason, "event/no-sysfs");
	after(&seen, "hardware cycles|cpu-cycles|||\n");
	after(&seen, "tracepoint sched:sched_switch||||\n");
	error_clear(&err);
}

TEST(tracefs_is_left_alone_where_no_tracepoints_are_wanted)
{
	const char *const lists[] = { "PMU software 1", "software page-faults|faults" };
	static const struct fake_file bare[] = { { PMU("software/type"), "1\n", 0 }, { 0 } };
	struct error err = { 0 };
	struct seen seen = { 0 };
	const struct event_visitor w = { see_event, see_pmu, &seen, .no_tracepoints = true };
	struct files files;

	files_init(&files, bare);
	ck_assert_int_eq(event_catalog(&files.sys, &w, &err), 0);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		after(&seen, lists[i]);
}

TEST(without_tracefs_the_rest_is_listed_and_the_error_said)
{
	static const struct fake_file bare[] = { { PMU("software/type"), "1\n", 0 }, { 0 } };
	struct error err = { 0 };
	struct seen seen = { 0 };

	ck_assert_int_lt(walk(bare, &seen, &err), 0);
	ck_assert_str_eq(err.reason, "event/no-tracefs");
	after(&seen, "PMU software 1 cpus any\n");
	after(&seen, "probe uprobe:FILE:FUNCTION[+OFFSET]||||\n");
	error_clear(&err);
}

TEST(pmus_alone_are_listed)
{
	struct seen seen = { 0 };
	const struct event_visitor w = { .pmu = see_pmu, .arg = &seen };
	struct files files;

	files_init(&files, machine);
	ck_assert_int_eq(event_catalog(&files.sys, &w, NULL), 0);
	ck_assert_uint_eq(seen.lines, 2);
	after(&seen, "PMU imc_10 21 cpus any\n");
}
