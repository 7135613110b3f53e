// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* PERF_FLAG_PID_CGROUP: an event of a CPU that counts, and runs its program, for the tasks of a cgroup. */
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "test/regress/common/happen.h"
#include "test/regress/common/kinds.h"
#include "test/regress/common/known.h"
#include "test/regress/groups/scope/scope.h"

#define TIMES 20

/* A cgroup in the hierarchy that has perf events, and a program that counts page faults of known_store(). */
struct stage {
	struct regress *t;
	struct regress_object o;
	struct scope_cgroup cgroup;
	int cpu, dir;
};

static void begin(struct regress *t, struct stage *s)
{
	const struct context_io io = { .answer = 1, .low = (uintptr_t)known_store_at, .high = (uintptr_t)known_store_at + 1 };
	int cpus[2];

	*s = (struct stage){ .t = t };
	known_ready();
	kind_two_cpus(t, cpus);
	s->cpu = cpus[0];
	kind_move_to(t, s->cpu);
	regress_load(t, &s->o, "context", "pe_see");
	io_put(t, &s->o, &io);
	cgroup_make(t, &s->cgroup, 2);
	if (s->cgroup.before > 0) {
		cgroup_end(t, &s->cgroup);
		regress_skip(t, "perf_event is a controller of another hierarchy than cgroup2");
	}
	s->dir = open(s->cgroup.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	regress_expect(t, s->dir >= 0, "the cgroup: %m");
}

static void end(struct stage *s)
{
	close(s->dir);
	cgroup_end(s->t, &s->cgroup);
	regress_unload(s->t, &s->o);
}

static int open_event(struct stage *s, int pid, int cpu, unsigned long flags)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = PERF_ATTR_SIZE_VER0, .exclude_kernel = 1,
					.config = PERF_COUNT_SW_PAGE_FAULTS, .sample_period = 1 };

	return sys_perf_event_open(s->t->sys, &attr, pid, cpu, -1, flags | PERF_FLAG_FD_CLOEXEC);
}

static void expect(struct stage *s, int event, bool runs, const char *when)
{
	const uint64_t before = io_get(s->t, &s->o).runs;
	uint64_t ran, count = 0;

	happen_touch(s->t, TIMES);
	ran = io_get(s->t, &s->o).runs - before;
	regress_expect(s->t, runs ? ran >= TIMES : !ran, "%" PRIu64 " runs %s", ran, when);
	regress_expect(s->t, sys_read(s->t->sys, event, &count, sizeof(count)) == sizeof(count) && count >= before + ran,
		       "it counts %" PRIu64 " %s", count, when);
}

static void runs_inside(struct regress *t)
{
	struct stage s;
	int fd;

	begin(t, &s);
	fd = regress_ok(t, open_event(&s, s.dir, s.cpu, PERF_FLAG_PID_CGROUP), NULL, "perf_event_open");
	regress_ok(t, sys_ioctl(t->sys, fd, PERF_EVENT_IOC_SET_BPF, regress_prog(t, &s.o, "pe_see")), NULL, "binding");
	expect(&s, fd, false, "outside of the cgroup");
	if (!cgroup_move(s.cgroup.dir, getpid()))
		regress_skip(t, "no process can be put into a cgroup here");
	expect(&s, fd, true, "inside");
	cgroup_move(s.cgroup.root.dir, getpid());
	expect(&s, fd, false, "outside again");
	sys_close(t->sys, fd);
	end(&s);
}

/* perf_event_open(2) asks for a CPU first, and perf_cgroup_connect() for a directory of cgroups. */
static void refused(struct regress *t)
{
	static const struct regress_since no_cpu[] = { { LINUX(0, 0), "EINVAL" } };
	static const struct regress_since no_cgroup[] = { { LINUX(0, 0), "EBADF" } };
	struct stage s;
	int root;

	begin(t, &s);
	root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	regress_answer(t, "no CPU", regress_errno(open_event(&s, s.dir, -1, PERF_FLAG_PID_CGROUP)), no_cpu, 1);
	regress_answer(t, "no pid", regress_errno(open_event(&s, -1, s.cpu, PERF_FLAG_PID_CGROUP)), no_cpu, 1);
	regress_answer(t, "no descriptor", regress_errno(open_event(&s, 1000000, s.cpu, PERF_FLAG_PID_CGROUP)), no_cgroup, 1);
	regress_answer(t, "no cgroup", regress_errno(open_event(&s, root, s.cpu, PERF_FLAG_PID_CGROUP)), no_cgroup, 1);
	close(root);
	end(&s);
}

static const struct regress_test tests[] = {
	{ "PERF_FLAG_PID_CGROUP: runs for tasks that are in the cgroup at that time", runs_inside },
	{ "PERF_FLAG_PID_CGROUP: EINVAL without a CPU, EBADF of what is no cgroup", refused },
	{ 0 }
};

const struct regress_group regress_group_cgroup_events = {
	"cgroup_events", "events of the tasks in a cgroup", tests, NULL, __FILE__
};
