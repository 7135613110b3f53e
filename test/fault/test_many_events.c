// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sessions with many events, up to 1,000 threads on each of 256 CPUs: the simulated kernel counts
 * the calls, which are the same number for each event.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/sys/sys.h"
#include "test/fault/fake_session.h"
#include "test/unit/common/suite.h"

#define MAX_THREADS 1000
#define PROCESS 4000	/* its threads are 4000, 4001, ... */

struct machine {
	struct sys sys;
	struct sys *dry;
	struct fake_session s;
	struct fake_path paths[MAX_THREADS + 4];
	char threads[MAX_THREADS][32], online[16];
	unsigned long calls;		/* without those that list a directory */
};

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct machine *m = (struct machine *)sys;	/* its first member */

	m->calls += nr != __NR_getdents64;
	return m->dry->enter(m->dry, nr, arg);
}

static void begin(struct machine *m, unsigned int cpus, unsigned int threads)
{
	struct fake_path *p = m->paths;

	memset(m, 0, sizeof(*m));
	fake_session_object(&m->s, "ip_count");
	*p++ = m->s.paths[0];
	snprintf(m->online, sizeof(m->online), "0-%u\n", cpus - 1);
	*p++ = (struct fake_path){ "/sys/devices/system/cpu/online", m->online, 0, 0 };
	for (unsigned int i = 0; i < threads; i++) {
		snprintf(m->threads[i], sizeof(m->threads[i]), "/proc/%d/task/%u/comm", PROCESS,
			 PROCESS + i);
		*p++ = (struct fake_path){ m->threads[i], "sleeper\n", 0, 0 };
	}
	fake_session_begin(&m->s);
	fake_kernel_set_paths(m->s.kernel, m->paths);
	m->dry = sys_dry_over(m->s.sys);
	ck_assert_ptr_nonnull(m->dry);
	m->sys.enter = enter;
	m->s.sys = &m->sys;
}

/* The calls of a session with an event for each of @threads (0: any task) on each of @cpus. */
static unsigned long calls(const char *method, unsigned int threads, unsigned int cpus)
{
	struct machine *m = malloc(sizeof(*m));
	unsigned long nr;
	char args[128];

	ck_assert_ptr_nonnull(m);
	begin(m, cpus ? cpus : 2, threads);
	snprintf(args, sizeof(args), "--attach=%s -e cpu-clock -d 0 prog.o", method);
	if (threads && cpus)
		snprintf(args, sizeof(args), "--attach=%s -e cpu-clock -d 0 -p %d -C 0-%u prog.o",
			 method, PROCESS, cpus - 1);
	else if (threads)
		snprintf(args, sizeof(args), "--attach=%s -e cpu-clock -d 0 -p %d prog.o", method,
			 PROCESS);
	fake_session_succeeds(&m->s, args);
	nr = m->calls;
	sys_dry_free(m->dry);
	fake_session_end(&m->s);
	free(m);
	return nr;
}

static const struct {
	const char *method;
	unsigned int threads[3], cpus[3];
} rows[] = {
	{ "link", { 0, 0, 0 }, { 8, 64, 256 } },
	{ "ioctl", { 0, 0, 0 }, { 8, 64, 256 } },
	{ "pmu", { 0, 0, 0 }, { 8, 64, 256 } },
	{ "link", { 10, 100, 1000 }, { 0, 0, 0 } },
	{ "ioctl", { 10, 100, 1000 }, { 0, 0, 0 } },
	{ "pmu", { 10, 100, 1000 }, { 0, 0, 0 } },
	{ "link", { 10, 100, 1000 }, { 8, 64, 256 } },
	{ "ioctl", { 10, 100, 1000 }, { 8, 64, 256 } },
};

/* perf_event_open(2), the bind, and PERF_EVENT_IOC_ENABLE; close_range(2) closes all at once. */
#define CALLS_OF_AN_EVENT 3

TEST_ROWS(each_event_takes_three_calls, rows)
{
	unsigned long nr[3], events[3];

	for (int i = 0; i < 3; i++) {
		const unsigned int threads = rows[_i].threads[i], cpus = rows[_i].cpus[i];

		nr[i] = calls(rows[_i].method, threads, cpus);
		events[i] = (threads ? threads : 1) * (cpus ? cpus : 1);
	}
	for (int i = 1; i < 3; i++)
		ck_assert_uint_eq(nr[i] - nr[0], (events[i] - events[0]) * CALLS_OF_AN_EVENT);
}
END_TEST
