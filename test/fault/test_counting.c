// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of event counts, on the fake kernel: shared and never scheduled counters, sums over CPUs,
 * intervals, CPUs that go offline and come back, refused events, and each call failing.
 */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include <linux/perf_event.h>

#include "loader/core/sys/sys.h"
#include "test/fault/fake_session.h"
#include "test/unit/common/suite.h"

/* The values that the event of a CPU returns from this wait on. */
struct reading {
	unsigned int wait;
	int cpu;
	uint64_t value, enabled, running;
};

static struct machine {
	struct fake_session s;
	const struct reading *readings;
	unsigned int nr, waits;
	unsigned int ended;	/* the wait at which each event loses its counter */
	unsigned int signal;	/* the wait at which SIGINT arrives */
	unsigned int more;	/* the wait that finds something, so that three more follow */
	int gone, back;		/* the waits at which CPU 1 goes offline and comes back */
} m;

static void happen(struct fake_kernel *k, void *arg)
{
	const uint64_t begin = sys_monotonic_ns();
	struct fake_event *e;

	(void)arg;
	m.waits++;
	for (unsigned int i = 0; (e = fake_kernel_event(k, i)); i++)
		e->ended |= m.waits == m.ended;
	for (unsigned int i = 0; (e = fake_kernel_event(k, i)); i++)
		for (unsigned int r = 0; r < m.nr; r++) {
			const struct reading *to = &m.readings[r];

			if (!e->open || to->wait != m.waits || to->cpu != e->cpu)
				continue;
			e->shared = true;
			e->value = to->value;
			e->enabled_ns = to->enabled;
			e->running_ns = to->running;
		}
	if (m.waits == m.signal)
		fake_kernel_signal(k, SIGINT);
	if (m.waits == m.more)
		fake_kernel_uevent(k, "", 0);
	if (m.waits == (unsigned int)m.gone)
		fake_kernel_set_cpu(k, 1, false);
	if (m.waits == (unsigned int)m.back)
		fake_kernel_set_cpu(k, 1, true);
	while (sys_monotonic_ns() - begin < 1000000)	/* -I 1 is over */
		;
}

static void begin(const char *object, const struct reading *readings, unsigned int nr)
{
	memset(&m, 0, sizeof(m));
	m.readings = readings;
	m.nr = nr;
	fake_session_object(&m.s, object);
	fake_session_begin(&m.s);
	fake_kernel_on_poll(m.s.kernel, happen, &m);
}

static void end(void)
{
	fake_session_end(&m.s);
}

TEST_FIXTURE(NULL, end)

#define ck_printed(text) \
	ck_assert_msg(strstr(m.s.out, text) != NULL, "'%s' is not in: %s", text, m.s.out)

/* The numbers of an event, as in JSON. */
#define NUMBERS(state, value, enabled, running, scaled, share) \
	"\"state\":\"" state "\",\"value\":" #value ",\"enabled_ns\":" #enabled \
	",\"running_ns\":" #running ",\"scaled\":" #scaled ",\"share\":" #share

static const struct {
	struct reading readings[2];
	const char *total, *cpu0, *cpu1;
	const char *text;	/* the line of the event, starting with its value */
} sums[] = {
	/* both counted all the time */
	{ { { 1, 0, 10, 1000, 1000 }, { 1, 1, 20, 1000, 1000 } },
	  NUMBERS("counted", 30, 2000, 2000, 30, 1.0), NUMBERS("counted", 10, 1000, 1000, 10, 1.0),
	  NUMBERS("counted", 20, 1000, 1000, 20, 1.0),
	  "                30                 30  100.0%       <0.01       <0.01  cs" },
	/* each is scaled by its own share: 400 + 20, and not 120 * 2000 / 1250 */
	{ { { 1, 0, 100, 1000, 250 }, { 1, 1, 20, 1000, 1000 } },
	  NUMBERS("shared", 120, 2000, 1250, 420, 0.625),
	  NUMBERS("shared", 100, 1000, 250, 400, 0.25),
	  NUMBERS("counted", 20, 1000, 1000, 20, 1.0),
	  "               120                420   62.5%       <0.01       <0.01  cs" },
	/* never scheduled on one CPU: that part is missing from the sum, and reported */
	{ { { 1, 0, 50, 1000, 500 }, { 1, 1, 0, 1000, 0 } },
	  NUMBERS("shared", 50, 2000, 500, 100, 0.25) ",\"never_scheduled\":1",
	  NUMBERS("shared", 50, 1000, 500, 100, 0.5),
	  NUMBERS("never-scheduled", null, 1000, 0, null, 0.0),
	  "                50                100   25.0%       <0.01       <0.01  cs, never scheduled on 1 " },
	/* never scheduled at all is different from 0 */
	{ { { 1, 0, 0, 1000, 0 }, { 1, 1, 0, 1000, 0 } },
	  NUMBERS("never-scheduled", null, 2000, 0, null, 0.0),
	  NUMBERS("never-scheduled", null, 1000, 0, null, 0.0),
	  NUMBERS("never-scheduled", null, 1000, 0, null, 0.0),
	  "   never scheduled                  -    0.0%       <0.01        0.00  cs" },
	/* and so is an event whose task never ran */
	{ { { 1, 0, 0, 0, 0 }, { 1, 1, 0, 0, 0 } },
	  NUMBERS("never-enabled", null, 0, 0, null, null),
	  NUMBERS("never-enabled", null, 0, 0, null, null),
	  NUMBERS("never-enabled", null, 0, 0, null, null),
	  "     never enabled                  -       -        0.00        0.00  cs" },
	/* the product of value and time has more than 64 bits, and so has the second scaled value */
	{ { { 1, 0, 1ull << 62, 1ull << 40, 1ull << 39 }, { 1, 1, 0, 1000, 1000 } },
	  NUMBERS("shared", 4611686018427387904, 1099511628776, 549755814888, 9223372036854775808, 0.5),
	  NUMBERS("shared", 4611686018427387904, 1099511627776, 549755813888, 9223372036854775808, 0.5),
	  NUMBERS("counted", 0, 1000, 1000, 0, 1.0),
	  "4,611,686,018,427,387,904 9,223,372,036,854,775,808   50.0% 1,099,511.62  549,755.81  cs" },
	{ { { 1, 0, 1ull << 62, 1ull << 40, 1 }, { 1, 1, 0, 1000, 1000 } },
	  "\"scaled\":18446744073709551615", "\"scaled\":18446744073709551615", "\"scaled\":0",
	  "4,611,686,018,427,387,904 18,446,744,073,709,551,615" },
};

TEST_ROWS(sums_have_the_truth, sums)
{
	begin("ip_count", sums[_i].readings, 2);
	fake_session_succeeds(&m.s, "stat -e cs --format=json -C 0-1 -d 600");
	ck_printed(sums[_i].total);
	ck_printed(sums[_i].cpu0);
	ck_printed(sums[_i].cpu1);
	fake_session_end(&m.s);

	begin("ip_count", sums[_i].readings, 2);
	fake_session_succeeds(&m.s, "stat -e cs -C 0-1 -d 600");
	ck_printed(sums[_i].text);
	ck_assert_ptr_null(strstr(m.s.out, "cpu 0"));
	fake_session_end(&m.s);

	begin("ip_count", sums[_i].readings, 2);
	fake_session_succeeds(&m.s, "stat -e cs -C 0-1 -A -d 600");
	ck_printed("    cpu 0\n");
	ck_printed("    cpu 1\n");
}

/* Counters in a map are in the table, too. */
TEST(counters_of_programs_are_printed)
{
	static const struct reading readings[] = {
		{ 1, 0, 7, 1000, 500 }, { 1, 1, 0, 1000, 0 },
	};

	begin("counter_read_value", readings, 2);
	fake_session_succeeds(&m.s, "-e cpu-clock --counter=task-clock --format=json -d 600 prog.o");
	ck_printed("{\"type\":\"counter\",\"event\":\"task-clock\",\"map\":\"counters\",");
	ck_printed(NUMBERS("shared", 7, 2000, 500, 14, 0.25) ",\"unit\":\"ns\","
		   "\"never_scheduled\":1");
}

/* An interval has the increase since the previous one, and the summary has the total. */
TEST(intervals_are_differences)
{
	static const struct reading readings[] = {
		{ 1, 0, 10, 1000, 1000 }, { 1, 1, 1, 1000, 1000 },
		{ 2, 0, 15, 2000, 1500 }, { 2, 1, 1, 2000, 1000 },
		{ 3, 0, 35, 3000, 2500 }, { 3, 1, 8, 3000, 2000 },
	};

	begin("ip_count", readings, 6);
	m.more = 2;
	fake_session_succeeds(&m.s, "stat -e cs --format=json -C 0-1 -I 1 -d 600");
	ck_printed(NUMBERS("counted", 11, 2000, 2000, 11, 1.0));
	/* in the second one, CPU 1 had no counter */
	ck_printed(NUMBERS("shared", 5, 2000, 500, 10, 0.25) ",\"never_scheduled\":1");
	ck_printed(NUMBERS("counted", 27, 2000, 2000, 27, 1.0));
	ck_printed("\"value\":43,\"enabled_ns\":6000,\"running_ns\":4500,");
}

/* The count of a CPU that goes offline is kept, and counting restarts when it comes back. */
TEST_EACH(cpus_that_go_keep_their_counts, 2)
{
	static const struct reading readings[] = {
		{ 1, 0, 1, 1000, 1000 }, { 1, 1, 10, 1000, 1000 },
		{ 3, 0, 2, 2000, 2000 }, { 3, 1, 5, 500, 500 },
	};
	static const char *const args[] = {
		"stat -e cs --format=json -d 600",
		"-e cpu-clock --counter=cs --format=json -d 600 prog.o",
	};

	begin("counter_read_value", readings, 4);
	m.gone = 1;
	m.back = 2;
	fake_session_succeeds(&m.s, args[_i]);
	ck_printed(NUMBERS("counted", 17, 3500, 3500, 17, 1.0));
	ck_printed(NUMBERS("counted", 15, 1500, 1500, 15, 1.0));
}

/* The first of several unknown ones is the error, and is reported once. */
TEST(the_first_unknown_count_is_told)
{
	begin("ip_count", NULL, 0);
	m.ended = 1;
	fake_session_run(&m.s, "stat -e cs:D,page-faults -C 0-1 -d 600");
	ck_assert_int_eq(m.s.ret, -EIO);
	ck_assert_str_eq(m.s.err.reason, "output/counter");
	ck_assert_ptr_nonnull(strstr(m.s.err.where, "event 'cs:D': CPU 0"));
	ck_assert_ptr_nonnull(strstr(m.s.notes, "event 'cs:D': CPU 0: count unknown: it is pinned"));
	ck_assert_ptr_null(strstr(m.s.notes, "CPU 1"));
	ck_assert_ptr_null(strstr(m.s.notes, "page-faults"));
}

/* Each cgroup has its own row, and each row all of its CPUs. */
TEST(cgroups_are_rows)
{
	static const struct reading readings[] = { { 1, 0, 10, 1000, 1000 }, { 1, 1, 20, 1000, 1000 } };
	unsigned int rows = 0;

	begin("ip_count", readings, 2);
	fake_session_succeeds(&m.s, "stat -e cs,page-faults -G a,b --format=json -d 600");
	for (const char *p = m.s.out; (p = strstr(p, "\"type\":\"counter\"")); p++)
		rows++;
	ck_assert_uint_eq(rows, 4);
	ck_printed("\"event\":\"cs\",\"cgroup\":\"a\"");
	ck_printed("\"event\":\"cs\",\"cgroup\":\"b\"");
	ck_printed("\"event\":\"page-faults\",\"cgroup\":\"b\"");
	ck_printed(NUMBERS("counted", 30, 2000, 2000, 30, 1.0));
}

/* An event that this machine lacks is a row; if there is no other, it is the error. */
TEST(events_that_are_refused)
{
	begin("ip_count", NULL, 0);
	fake_session_succeeds(&m.s, "stat -e cycles,cs --format=json -d 600");
	ck_printed("\"event\":\"cycles\"");
	ck_printed("\"state\":\"not-available\",\"value\":null,\"why\":");
	ck_printed("\"reason\":\"perf-open/no-pmu\"");
	ck_printed("\"event\":\"cs\"");
	fake_session_run(&m.s, "stat -e cycles,instructions -d 600");
	ck_assert_int_eq(m.s.ret, -ENOENT);
	ck_assert_str_eq(m.s.err.reason, "perf-open/no-pmu");
	ck_assert_ptr_nonnull(strstr(m.s.err.where, "cycles"));
	fake_session_run(&m.s, "stat -e cs,period=5 -d 600");
	ck_assert_int_eq(m.s.ret, -EINVAL);
	ck_assert_str_eq(m.s.err.reason, "event/grammar");
}

/* Call n fails, for each n: the counts are all there, or there is an error, and nothing is left. */
TEST(each_call_fails)
{
	unsigned int calls, failed = 0;

	begin("ip_count", NULL, 0);
	fake_session_succeeds(&m.s, "stat -e {cs,page-faults} -I 1 -d 600 --format=json");
	calls = fake_kernel_nr_calls(m.s.kernel);
	fake_session_end(&m.s);
	for (unsigned int n = 1; n <= calls; n++) {
		begin("ip_count", NULL, 0);
		fake_kernel_fail_call(m.s.kernel, n, EIO);
		fake_session_run(&m.s, "stat -e {cs,page-faults} -I 1 -d 600 --format=json");
		failed += m.s.ret < 0;
		ck_assert_msg(m.s.ret < 0 || strstr(m.s.out, "\"state\":\"counted\"") ||
			      strstr(m.s.out, "\"state\":\"never-enabled\""), "call %u: %s", n,
			      m.s.out);
		ck_assert_msg(m.s.ret == 0 || m.s.err.what[0], "call %u: no error", n);
		fake_session_end(&m.s);
	}
	ck_assert_uint_gt(failed, 8);
}
