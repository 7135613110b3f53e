// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists of CPUs, and over which CPUs and threads an event is opened. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/events/scope/cpu_hotplug.h"
#include "loader/core/event/event.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"
#include "loader/core/event/scope.h"

#define MAX 8

static void expect_cpus(const struct cpu_list *list, unsigned int nr, const int *cpus)
{
	ck_assert_uint_eq(list->nr, nr);
	for (unsigned int i = 0; i < nr; i++)
		ck_assert_int_eq(list->cpus[i], cpus[i]);
}

static const struct {
	const char *text;
	unsigned int nr;
	int cpus[MAX];
} good[] = {
	{ "0", 1, { 0 } }, { "7", 1, { 7 } }, { "0-3", 4, { 0, 1, 2, 3 } },
	{ "0-3,5", 5, { 0, 1, 2, 3, 5 } },
	{ "5,1,3", 3, { 1, 3, 5 } }, { "1,1,0-1", 2, { 0, 1 } }, { "63-65", 3, { 63, 64, 65 } },
	{ "2-2", 1, { 2 } },
	{ "8192", 1, { 8192 } }, { "007", 1, { 7 } },
};

TEST_ROWS(reads_lists, good)
{
	struct cpu_list list;

	ck_assert_int_eq(cpu_list_parse(&list, good[_i].text, NULL), 0);
	expect_cpus(&list, good[_i].nr, good[_i].cpus);
	for (int cpu = 0; cpu < 80; cpu++) {
		bool there = false;

		for (unsigned int i = 0; i < good[_i].nr; i++)
			there |= good[_i].cpus[i] == cpu;
		ck_assert_int_eq(cpu_list_has(&list, cpu), there);
	}
	ck_assert(!cpu_list_has(&list, -1));
	cpu_list_free(&list);
	ck_assert(list.cpus == NULL && list.nr == 0);
}

static const struct { const char *text, *what; } bad[] = {
	{ "", "not a CPU list" }, { ",", "not a CPU list" }, { "0,", "not a CPU list" }, { ",0", "not a CPU list" },
	{ "0,,1", "not a CPU list" },
	{ "3-1", "not a CPU list" }, { "1-", "not a CPU list" }, { "-1", "not a CPU list" },
	{ "0-1-2", "not a CPU list" },
	{ "a", "not a CPU list" }, { "0x1", "not a CPU list" }, { " 0", "not a CPU list" },
	{ "0 ", "not a CPU list" }, { "0-3:2", "not a CPU list" },
	{ "8193", "above 8192" }, { "0-8193", "above 8192" }, { "4294967296", "above 8192" },
	{ "99999999999999999999999", "above 8192" },
};

/* They come in any order, and some more than once; the list stays one that cpu_list_has() searches. */
TEST(stays_sorted)
{
	static const int sorted[] = { 0, 1, 2, 3, 7 }, left[] = { 1, 3, 7 };
	struct cpu_list list = { 0 };
	char text[32];

	ck_assert(!cpu_list_has(&list, 0));
	ck_assert_str_eq(cpu_list_text(&list, text, sizeof(text)), "");
	for (const char *p = "371120"; *p; p++)
		ck_assert_int_eq(cpu_list_add(&list, *p - '0'), 0);
	expect_cpus(&list, 5, sorted);
	for (int cpu = 0; cpu < 9; cpu++)
		ck_assert_int_eq(cpu_list_has(&list, cpu), cpu < 4 || cpu == 7);
	ck_assert_str_eq(cpu_list_text(&list, text, sizeof(text)), "0-3,7");
	ck_assert_str_eq(cpu_list_text(&list, text, 3), "0-");
	ck_assert_int_eq(text[3], ',');	/* of the text before */
	cpu_list_remove(&list, 0);
	cpu_list_remove(&list, 2);
	cpu_list_remove(&list, 5);
	expect_cpus(&list, 3, left);
	ck_assert_str_eq(cpu_list_text(&list, text, sizeof(text)), "1,3,7");
	cpu_list_free(&list);
}

TEST_ROWS(refuses_lists, bad)
{
	struct error err = { 0 };
	struct cpu_list list;

	ck_assert_int_eq(cpu_list_parse(&list, bad[_i].text, &err), -EINVAL);
	ck_assert_msg(strstr(err.what, bad[_i].what), "%s", err.what);
	ck_assert_msg(strstr(err.hint, "0-3,5"), "%s", err.hint);
	ck_assert(list.cpus == NULL && list.nr == 0);
}

/* CPU 2 is offline; process 40 has three threads. */
static const struct fake_file machine[] = {
	{ "/proc/40/task/40/comm", "", 0 },
	{ "/proc/40/task/41/comm", "", 0 },
	{ "/proc/40/task/57/comm", "", 0 },
	{ "/proc/50/task", "", EACCES },
	{ "/sys/devices/system/cpu/online", "0-1,3\n", 0 },
	{ "/sys/devices/system/cpu/possible", "0-3\n", 0 },
	{ 0 }
};

static int scope_init(struct sys *sys, struct event_scope *scope, const char *cpus,
		      const char *pids,
		      struct error *err)
{
	const struct event_scope_options asked = { .cpus = cpus, .processes = pids };

	return event_scope_init(sys, scope, &asked, err);
}

static const struct {
	const char *cpus;
	const char *pid;
	const char *event;
	unsigned int calls;	/* to find the scope */
	unsigned int nr;
	struct { pid_t tid; int cpu; } targets[MAX];
	unsigned int nr_offline;
} scopes[] = {
	{ NULL, NULL, "cpu-clock", 6, 3, { { -1, 0 }, { -1, 1 }, { -1, 3 } }, 1 },
	{ "1", NULL, "cpu-clock", 3, 1, { { -1, 1 } }, 0 },
	{ "3,0", NULL, "cpu-clock", 3, 2, { { -1, 0 }, { -1, 3 } }, 0 },
	{ NULL, "40", "cpu-clock", 6, 3, { { 40, -1 }, { 41, -1 }, { 57, -1 } }, 0 },
	{ "0-1", "40", "cpu-clock", 9, 6,
	  { { 40, 0 }, { 40, 1 }, { 41, 0 }, { 41, 1 }, { 57, 0 }, { 57, 1 } }, 0 },
	{ NULL, NULL, "sched:sched_switch", 6, 1, { { -1, 0 } }, 1 },
	{ "1,3", NULL, "sched:sched_switch", 3, 1, { { -1, 1 } }, 0 },
	{ NULL, "40", "sched:sched_switch", 6, 3, { { 40, -1 }, { 41, -1 }, { 57, -1 } }, 0 },
};

TEST_ROWS(covers_the_scope, scopes)
{
	struct cpu_list any = { 0 };
	struct event_target *targets;
	struct event_scope scope;
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct files files;
	int nr;

	files_init(&files, machine);
	ck_assert_int_eq(event_parse(&spec, scopes[_i].event, NULL), 0);
	ck_assert_int_eq(scope_init(&files.sys, &scope, scopes[_i].cpus, scopes[_i].pid, NULL), 0);
	ck_assert_int_eq(event_scope_offline(&files.sys, &scope, NULL), 0);
	ck_assert_uint_eq(files.calls, scopes[_i].calls);
	ck_assert_uint_eq(files.open, 0);
	ck_assert_int_eq(scope.cpus_given, scopes[_i].cpus != NULL);
	ck_assert_uint_eq(scope.offline.nr, scopes[_i].nr_offline);
	if (scope.offline.nr)
		ck_assert_int_eq(scope.offline.cpus[0], 2);
	nr = event_targets(&spec, &scope, &any, &targets, NULL);
	ck_assert_int_eq(nr, scopes[_i].nr);
	for (int i = 0; i < nr; i++) {
		const int tid = scopes[_i].targets[i].tid, cpu = scopes[_i].targets[i].cpu;

		ck_assert_msg(targets[i].tid == tid && targets[i].cpu == cpu,
			      "target %d is task %d, CPU %d, not task %d, CPU %d", i,
			      targets[i].tid, targets[i].cpu, tid, cpu);
	}
	free(targets);
	event_scope_free(&files.sys, &scope);
}

static const struct {
	const char *cpus;
	const char *pid;
	int ret;
	const char *where, *reason, *what, *hint;
} wrong[] = {
	{ "2", NULL, -ENODEV, "CPUs '2'", "scope/offline-cpu", "CPU 2 is not online",
	  "online are 0-1,3" },
	{ "0,17", NULL, -ENODEV, "CPUs '0,17'", "scope/offline-cpu", "CPU 17 is not online",
	  "online are 0-1,3" },
	{ "x", NULL, -EINVAL, "CPUs 'x'", "cpu/grammar", "not a CPU list", "0-3,5" },
	{ NULL, "60", -ESRCH, "process 60", "scope/no-process", "does not exist or has", "pid namespace" },
	{ "2", "40", -ENODEV, "CPUs '2'", "scope/offline-cpu", "CPU 2 is not online",
	  "online are 0-1,3" },
	{ NULL, "50", -EACCES, "/proc/50/task", "scope/no-process", "Permission denied", "" },
	{ NULL, "-4", -EINVAL, "", "scope/grammar", "'-4' is not a process id",
	  "12,34" },
	{ NULL, "40,", -EINVAL, "", "scope/grammar", "'' is not a process id", "12,34" },
};

TEST_ROWS(refuses_scopes, wrong)
{
	struct error err = { 0 };
	struct event_scope scope;
	struct files files;

	files_init(&files, machine);
	ck_assert_int_eq(scope_init(&files.sys, &scope, wrong[_i].cpus, wrong[_i].pid, &err),
			 wrong[_i].ret);
	ck_assert_str_eq(err.where, wrong[_i].where);
	ck_assert_msg(strstr(err.what, wrong[_i].what), "%s", err.what);
	ck_assert_msg(strstr(err.hint, wrong[_i].hint), "%s", err.hint);
	ck_assert_pstr_eq(err.reason, wrong[_i].reason);
	ck_assert(!scope.cpus.cpus && !scope.tids && !scope.offline.cpus);
	ck_assert_uint_eq(files.open, 0);
}

TEST(needs_sysfs)
{
	static const struct fake_file nothing[] = { { 0 } };
	struct error err = { 0 };
	struct event_scope scope;
	struct files files;

	files_init(&files, nothing);
	ck_assert_int_eq(scope_init(&files.sys, &scope, NULL, NULL, &err), -ENOENT);
	ck_assert_str_eq(err.where, "/sys/devices/system/cpu/online");
	ck_assert_str_eq(err.reason, "cpu/no-sysfs");
	ck_assert_ptr_nonnull(strstr(err.what, "sysfs is not mounted at /sys"));
}

TEST(keeps_to_the_cpus_of_the_pmu)
{
	struct event_target *targets;
	struct event_scope scope;
	struct cpu_list pmu;
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct error err = { 0 };
	struct files files;

	files_init(&files, machine);
	ck_assert_int_eq(event_parse(&spec, "4:1", NULL), 0);
	ck_assert_int_eq(scope_init(&files.sys, &scope, NULL, NULL, NULL), 0);
	ck_assert_int_eq(cpu_list_parse(&pmu, "1-2", NULL), 0);
	ck_assert_int_eq(event_targets(&spec, &scope, &pmu, &targets, &err), 1);
	ck_assert_int_eq(targets[0].cpu, 1);
	free(targets);
	cpu_list_free(&pmu);
	ck_assert_int_eq(cpu_list_parse(&pmu, "2", NULL), 0);
	ck_assert_int_eq(event_targets(&spec, &scope, &pmu, &targets, &err), -ENODEV);
	ck_assert_ptr_null(targets);
	ck_assert_str_eq(err.reason, "scope/pmu-cpus");
	ck_assert_msg(strstr(err.hint, "CPU 2"), "%s", err.hint);
	cpu_list_free(&pmu);
	event_scope_free(&files.sys, &scope);
}

/* Each cgroup with each CPU, without a task. */
TEST(each_cgroup_is_a_target)
{
	struct event_cgroup cgroups[2] = { { .fd = 7 }, { .fd = 8 } };
	int on[2] = { 0, 3 };
	const struct event_scope scope = {
		.tasks = TASK_SCOPE_CGROUPS, .cgroups = cgroups, .nr_cgroups = 2,
		.cpus = { .cpus = on, .nr = 2 },
	};
	const struct cpu_list any = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct event_target *targets;

	ck_assert_int_eq(event_parse(&spec, "cpu-clock", NULL), 0);
	ck_assert_int_eq(event_targets(&spec, &scope, &any, &targets, NULL), 4);
	for (int i = 0; i < 4; i++) {
		ck_assert_msg(targets[i].cgroup == &cgroups[i / 2] && targets[i].cpu == on[i % 2],
			      "target %d is not cgroup %d, CPU %d", i, i / 2, on[i % 2]);
		ck_assert_int_eq(targets[i].tid, -1);
	}
	free(targets);
}
