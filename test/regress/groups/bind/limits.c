// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Large numbers of one thing, and the limits of a process and of the kernel: refused, and counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/base/calls/credentials.h"
#include "loader/compare/measure/lifetime/lifetime.h"
#include "loader/core/kernel/attr.h"
#include "loader/core/read/ring.h"
#include "loader/core/sys/refused.h"
#include "loader/explain/denied/privilege.h"
#include "test/regress/common/seam.h"
#include "test/regress/common/others.h"
#include "test/regress/common/stress.h"

#define MANY 1000
#define PATIENCE 300	/* seconds: closing each event may take a grace period */
#define BATCH 125	/* how many are closed at a time */
#define CROWD 60
#define STEPS 60
#define CAP_IPC_LOCK 14
#define CAP(cap) (UINT64_C(1) << (cap))

/* --- a thousand --- */

/* Each occurrence runs the program once for each remaining event. */
static void expect_runs(struct regress *t, struct stress *s, unsigned int left)
{
	const uint64_t before = stress_runs(s);
	uint64_t runs;

	s->work->unit();
	runs = stress_runs(s) - before;
	regress_expect(t, left ? runs >= left && runs % left == 0 : runs == 0,
		       "%llu runs with %u events left", (unsigned long long)runs, left);
}

static void a_thousand(struct regress *t)
{
	struct ledger *ledger = ledger_new(t);
	struct error err = { 0 };
	struct stress s;
	struct seam seam;

	stress_begin_self(t, &s, STRESS_FAULTS, t->data);
	seam_init(&seam, t->sys, ledger, 0, 0);
	s.sys = &seam.sys;
	for (unsigned int i = 0; i < MANY; i++) {
		int ret = attach_prog(s.sys, &(struct attach_request){
				.method = s.method, .spec = &s.spec, .scope = &s.scope, .prog = i,
				.prog_fd = s.prog.prog_fd, .prog_type = s.prog.prog_type },
				&s.set, &err);

		if (ret == -EMFILE)
			regress_skip(t, "RLIMIT_NOFILE allows no %u events here", MANY);
		stress_ok(&s, ret, &err, s.method->name);
	}
	regress_ok(t, attach_enable(s.sys, &s.set, &err), &err, "enable");
	for (unsigned int left = MANY; left; left -= BATCH) {
		expect_runs(t, &s, left);
		attach_undo(s.sys, &s.set, left - BATCH);
	}
	expect_runs(t, &s, 0);
	ledger_gone(t, ledger);
	stress_end(&s);
}

/* --- a crowd on one tracepoint, in random order --- */

struct crowd {
	struct firing_prog progs[CROWD];
	struct attach_set sets[CROWD];
	uint64_t runs[CROWD];	/* that there have to be */
};

/* Each attached program runs each time, and no other does. */
static void check_crowd(struct regress *t, struct stress *s, struct crowd *c, unsigned int step)
{
	struct firing_value value;

	s->work->unit();
	for (unsigned int i = 0; i < CROWD; i++) {
		c->runs[i] += c->sets[i].nr;
		regress_ok(t, firing_prog_read(t->sys, &c->progs[i], &value), NULL, "the count");
		regress_expect(t, value.own.runs == c->runs[i],
			       "after %u steps number %u has run %llu times of %llu", step, i,
			       (unsigned long long)value.own.runs, (unsigned long long)c->runs[i]);
	}
}

static unsigned int seed(void)
{
	const char *given = getenv("PLOAD_TEST_SEED");

	return given ? strtoul(given, NULL, 0) : (unsigned int)sys_monotonic_ns();
}

/* As many programs as fit beside those of other users. */
static unsigned int room_for(struct regress *t, const struct stress *s)
{
	const uint32_t taken = others_on(t->sys, s->set.list[0].event_fd);

	if (taken + 2 > OTHERS_MOST)
		regress_skip(t, "others have %u programs on %s", taken - 1, s->kind->event);
	return OTHERS_MOST - taken < CROWD ? OTHERS_MOST - taken : CROWD;
}

static void random_order(struct regress *t)
{
	unsigned int from = seed(), attached = 0, room;
	struct error err = { 0 };
	struct crowd c = { 0 };
	struct stress s;

	regress_note(t, "PLOAD_TEST_SEED=%u", from);
	stress_begin_self(t, &s, STRESS_TRACEPOINT, t->data);
	/* This event stays open, because closing the last one would wait for grace periods. */
	stress_attach(&s);
	room = room_for(t, &s);
	for (unsigned int i = 0; i < CROWD; i++)
		regress_ok(t, firing_prog_load(t->sys, &c.progs[i], s.prog.prog_type, 1, &err),
			   &err,
			   "program");
	for (unsigned int step = 1; step <= STEPS; step++) {
		const unsigned int i = rand_r(&from) % CROWD;

		if (c.sets[i].nr) {
			attach_close(t->sys, &c.sets[i]);
			attached--;
		} else if (attached < room) {
			attached++;
			regress_ok(t, attach_prog(t->sys, &(struct attach_request){
					.method = s.method, .spec = &s.spec, .scope = &s.scope,
					.prog_fd = c.progs[i].prog_fd,
					.prog_type = s.prog.prog_type }, &c.sets[i], &err), &err,
				   "attaching");
		}
		if (step % 10 == 0)
			check_crowd(t, &s, &c, step);
	}
	for (unsigned int i = 0; i < CROWD; i++)
		attach_close(t->sys, &c.sets[i]);
	check_crowd(t, &s, &c, STEPS + 1);
	for (unsigned int i = 0; i < CROWD; i++)
		firing_prog_close(t->sys, &c.progs[i]);
	stress_end(&s);
}

/* --- descriptors --- */

static void limit_to(struct regress *t, rlim_t soft, rlim_t hard)
{
	const struct rlimit limit = { soft, hard };

	regress_expect(t, !setrlimit(RLIMIT_NOFILE, &limit), "RLIMIT_NOFILE: %s", strerror(errno));
}

/* Set the limit with which exactly @room more descriptors can be opened. */
static rlim_t limit_for(unsigned int room)
{
	int fd = 0;

	for (unsigned int free = 0;; fd++) {
		free += fcntl(fd, F_GETFD) < 0;
		if (free > room)
			return fd;
	}
}

/* From here on, without @caps. */
static void drop(struct regress *t, uint64_t caps)
{
	struct sys_privilege has;

	sys_privilege_read(t->sys, &has);
	regress_expect(t, has.known, "/proc/self/status does not say what this process may do");
	regress_ok(t, sys_capset(t->sys, has.effective & ~caps), NULL, "dropping capabilities");
}

/*
 * Whichever descriptor exceeds the limit, the error reports it, and the descriptors from before
 * remain.
 */
static void too_many_fds(struct regress *t)
{
	const rlim_t plenty = 4096;
	struct stress s;
	unsigned int before, room = 0;
	int ret = -EMFILE;

	stress_begin(t, &s, t->sys, &stress_kinds[STRESS_FAULTS], t->data, NULL);
	stress_attach(&s);	/* that it is possible at all */
	stress_close(&s);
	limit_to(t, plenty, plenty);
	drop(t, CAP(CAP_SYS_RESOURCE));
	before = regress_nr_fds();
	for (; ret == -EMFILE; room++) {
		const pid_t pid = fork();
		struct error err = { 0 };
		int status = 0;

		regress_expect(t, pid >= 0, "no process");
		if (!pid) {
			limit_to(t, limit_for(room), limit_for(room));
			ret = stress_try_attach(&s, &err);
			stress_close(&s);
			if (ret < 0)
				regress_expect(t, err.reason && err.what[0],
					       "%u more descriptors: nothing is said", room);
			_exit(ret < 0 ? -ret : 0);
		}
		waitpid(pid, &status, 0);
		ret = WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
		regress_expect(t, ret == 0 || ret == -EMFILE, "%u more descriptors: %s", room,
			       regress_errno(ret));
		regress_expect(t, room < 1000, "it takes more than %u descriptors", room);
	}
	regress_expect(t, room > 2, "%u descriptors are enough for it", room);
	regress_expect(t, regress_nr_fds() == before, "descriptors are lost");
	stress_end(&s);
}

static void fds_given_back(struct regress *t)
{
	struct error err = { 0 };
	unsigned int before;
	struct stress s;
	int ret;

	stress_begin(t, &s, t->sys, &stress_kinds[STRESS_FAULTS], t->data, NULL);
	stress_attach(&s);
	stress_close(&s);
	drop(t, CAP(CAP_SYS_RESOURCE));
	before = regress_nr_fds();
	for (unsigned int room = 0; room <= 2; room++) {
		limit_to(t, limit_for(room), 4096);
		ret = stress_try_attach(&s, &err);
		regress_ok(t, ret, &err, "with a soft limit below the hard one");
		stress_close(&s);
		limit_to(t, 4096, 4096);
		regress_expect(t, regress_nr_fds() == before, "%d descriptors are lost",
			       (int)(regress_nr_fds() - before));
	}
	stress_end(&s);
}

/* --- memory of rings --- */

static int array_of_events(struct regress *t)
{
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	attr.key_size = attr.value_size = sizeof(uint32_t);
	attr.max_entries = 1;
	fd = sys_bpf(t->sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(max_entries));
	regress_denied(t, "map", regress_errno(fd));
	return regress_ok(t, fd, NULL, "map");
}

/*
 * Twice the number of pages that all CPUs together may lock, but at most as many as a ring can
 * have.
 */
static unsigned int too_many_pages(struct regress *t)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF), page_kb = getpagesize() / 1024;
	unsigned long long pages = 1;
	int64_t kb;

	if (!sys_sysctl(t->sys, "perf_event_mlock_kb", &kb))
		regress_skip(t, "kernel.perf_event_mlock_kb cannot be read");
	while (pages * page_kb < (unsigned long long)kb * cpus * 2)
		pages *= 2;
	if (pages * page_kb > 256 * 1024)
		regress_skip(t, "it would take a ring of %llu MB", pages * page_kb / 1024);
	return pages;
}

static void too_large_ring(struct regress *t)
{
	const struct rlimit none = { 0, 0 }, unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct record_stream stream = { .pages = too_many_pages(t) };
	struct perf_ring ring = { .event_fd = -1 };
	struct error err = { 0 };
	unsigned int before;
	int ret;

	/* Before Linux 5.11, the map counts towards it, too. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	stream.map_fd = array_of_events(t);
	regress_expect(t, !setrlimit(RLIMIT_MEMLOCK, &none), "RLIMIT_MEMLOCK: %s", strerror(errno));
	drop(t, CAP(CAP_IPC_LOCK) | CAP(CAP_SYS_RESOURCE));
	before = regress_nr_fds();
	ret = perf_ring_open(t->sys, &ring, &stream, 0, &err);
	regress_expect(t, ret == -EPERM, "a ring of %u pages: %s", stream.pages,
		       regress_errno(ret));
	regress_expect(t, strstr(err.hint, "CAP_IPC_LOCK"), "it is not said why: %s", err.hint);
	regress_expect(t, regress_nr_fds() == before, "a descriptor is lost");
	stream.pages = 1;
	error_clear(&err);
	regress_ok(t, perf_ring_open(t->sys, &ring, &stream, 0, &err), &err, "a ring of a page");
	perf_ring_close(t->sys, &ring);
	sys_close_fd(t->sys, &stream.map_fd);
}

/* --- sysctls --- */

static void highest_rate(struct regress *t)
{
	struct error err = { 0 };
	int64_t rate;
	struct stress s;
	int ret;

	if (!sys_sysctl(t->sys, "perf_event_max_sample_rate", &rate))
		regress_skip(t, "kernel.perf_event_max_sample_rate cannot be read");
	stress_begin_self(t, &s, STRESS_CLOCK, "ioctl");
	s.spec.has_period = false;
	s.spec.has_freq = true;
	for (int above = 0; above < 2; above++) {
		s.spec.sample_freq = rate + above;
		ret = attach_prog(t->sys, &(struct attach_request){
				.method = s.method, .spec = &s.spec, .scope = &s.scope,
				.prog_fd = s.prog.prog_fd, .prog_type = s.prog.prog_type },
				&s.set, &err);
		regress_expect(t, above ? ret == -EINVAL : ret == 0,
			       "%lld Hz, where %lld are allowed: %s", (long long)rate + above,
			       (long long)rate,
			       regress_errno(ret));
		stress_close(&s);
	}
	regress_expect(t, err.reason && strstr(err.what, "perf_event_max_sample_rate"),
		       "it is not said why: %s", err.what);
	stress_end(&s);
}

/* Returns whether the test may change settings of this machine for a moment. */
static bool is_ours(void)
{
	const char *allowed = getenv("PLOAD_TEST_SYSCTL");

	return getpid() == 1 || getppid() == 1 || (allowed && !strcmp(allowed, "1"));
}

static bool set_paranoid(int64_t level)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "we");
	bool ok = f && fprintf(f, "%lld\n", (long long)level) > 0;

	return f && fclose(f) == 0 && ok;
}

/*
 * An unprivileged process attaches twice: while it is permitted, and after it has been forbidden.
 */
static void attach_twice(struct peer *self, void *arg)
{
	struct peer_message word = { 0 };
	struct stress *s = arg;

	word.ret = sys_setresuid(self->sys, 65534, 65534, 65534);
	if (word.ret >= 0)
		word.ret = stress_try_attach(s, &word.err);
	peer_report(self, &word);
	peer_wait(self);
	for (int i = 0; i < 20; i++)
		s->work->unit();
	word = (struct peer_message){ 0 };
	s->set = (struct attach_set){ 0 };	/* the attachment stays until the end */
	word.ret = stress_try_attach(s, &word.err);
	peer_report(self, &word);
	peer_wait(self);
}

static void paranoid_later(struct regress *t)
{
	struct peer_message word;
	struct error err = { 0 };
	struct peer peer;
	int64_t level;
	struct stress s;
	int ret;

	if (!is_ours())
		regress_skip(t, "changes kernel.perf_event_paranoid for everybody: "
				"PLOAD_TEST_SYSCTL=1 allows it");
	if (!sys_sysctl(t->sys, "perf_event_paranoid", &level) || !set_paranoid(-1))
		regress_skip(t, "kernel.perf_event_paranoid cannot be written");
	stress_begin(t, &s, t->sys, &stress_kinds[STRESS_FAULTS], "ioctl", NULL);
	ret = peer_begin(&peer, t->sys, attach_twice, &s, &err);
	if (!ret)
		ret = peer_receive(&peer, &word, &err);
	set_paranoid(2);
	if (!ret) {
		firing_prog_watch(t->sys, &s.prog, peer.pid);
		peer_send(&peer, 'w');
		ret = peer_receive(&peer, &word, &err);
		set_paranoid(level);
		regress_expect(t, stress_runs(&s) >= 20, "what was attached does not go on");
		regress_expect(t, ret == -EACCES && sys_is_denial(err.reason),
			       "attaching what is forbidden now: %s", regress_errno(ret));
	} else {
		set_paranoid(level);
		regress_ok(t, ret, &err, "attaching as nobody with perf_event_paranoid -1");
	}
	peer_end(&peer, false);
	stress_end(&s);
}

static const struct regress_test tests[] = {
	{ "by link, 1000 events with one program: each runs it, and none is left", a_thousand,
	  "link", PATIENCE },
	{ "by ioctl, 1000 events with one program: each runs it, and none is left", a_thousand,
	  "ioctl", PATIENCE },
	{ "by ioctl, 60 programs on a tracepoint that come and go in random order", random_order,
	  "ioctl", 0 },
	{ "by link, 60 programs on a tracepoint that come and go in random order", random_order,
	  "link", 0 },
	{ "by ioctl, RLIMIT_NOFILE reached at any descriptor: it is said, and nothing is left",
	  too_many_fds, "ioctl", 0 },
	{ "by link, RLIMIT_NOFILE reached at any descriptor: it is said, and nothing is left",
	  too_many_fds, "link", 0 },
	{ "by ioctl, a soft limit of RLIMIT_NOFILE is raised to the hard one", fds_given_back,
	  "ioctl", 0 },
	{ "by link, a soft limit of RLIMIT_NOFILE is raised to the hard one", fds_given_back,
	  "link", 0 },
	{ "a ring beyond perf_event_mlock_kb and RLIMIT_MEMLOCK is EPERM", too_large_ring, NULL,
	  0 },
	{ "a frequency above perf_event_max_sample_rate is EINVAL", highest_rate, NULL, 0 },
	{ "perf_event_paranoid is asked when an event is opened, and not later", paranoid_later,
	  NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_limits = {
	"limits", "many of one thing, and what a process or the kernel allows", tests, NULL,
	__FILE__
};
