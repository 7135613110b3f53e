// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Calls that concern an event which runs a program: perf_ioctl() and fcntl(2). */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"
#include "loader/base/kernel/kernel_calls.h"

#define FAULTS "page-faults,period=1"
#define GETPPID "syscalls:sys_exit_getppid"
#define PAGES 40
#define LINKS LINUX(5, 15)	/* BPF_LINK_CREATE accepts perf events: b89fbfbb854c */

/* An event bound by ioctl, whose program counts all faults of known_store(). */
struct bound {
	struct regress_object o;
	struct happen h;
};

/* Only the faults of the one instruction of known_store() that writes. */
static void of_store(struct context_io *io)
{
	io->low = (uintptr_t)known_store_at;
	io->high = io->low + 1;
}

static void begin(struct regress *t, struct bound *b, const char *event, const char *prog,
		  int64_t answer, void (*change)(struct perf_event_attr *attr))
{
	struct context_io io = { .answer = answer };

	known_ready();
	if (!strcmp(event, FAULTS)) {
		of_store(&io);
	} else {
		io_ours(t, &io);
	}
	regress_load(t, &b->o, "context", prog);
	io_put(t, &b->o, &io);
	happen_open(t, &b->h, BY_IOCTL, change, event);
	happen_bind(&b->h, &b->o, prog, 0);
}

static void end(struct bound *b)
{
	happen_close(&b->h);
	regress_unload(b->h.t, &b->o);
}

static uint64_t runs(const struct bound *b)
{
	return io_get(b->h.t, &b->o).runs;
}

/* Return the runs while @nr pages are touched. */
static uint64_t runs_of(const struct bound *b, unsigned int nr)
{
	const uint64_t before = runs(b);

	happen_touch(b->h.t, nr);
	return runs(b) - before;
}

static void expect_runs(const struct bound *b, const char *when)
{
	const uint64_t ran = runs_of(b, PAGES);

	regress_expect(b->h.t, ran >= PAGES, "%llu runs for %d pages %s", (unsigned long long)ran,
		       PAGES, when);
}

/* _perf_event_reset() sets the count to 0, and nothing else. */
static void reset(struct regress *t)
{
	uint64_t count;
	struct bound b;

	begin(t, &b, FAULTS, "pe_see", 1, NULL);
	expect_runs(&b, "before");
	happen_must(&b.h, PERF_EVENT_IOC_RESET, 0, "PERF_EVENT_IOC_RESET");
	count = happen_count(&b.h);
	regress_expect(t, count < PAGES, "the count is %llu after it was reset",
		       (unsigned long long)count);
	expect_runs(&b, "after");
	end(&b);
}

/* perf_event_modify_attr(): for an event type that cannot be modified. */
static void modify(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EOPNOTSUPP" } };
	struct perf_event_attr attr;
	struct bound b;

	begin(t, &b, FAULTS, "pe_see", 1, NULL);
	attr = b.h.e.attr;
	attr.sample_period = 2;
	regress_answer(t, "", regress_errno(happen_ioctl(&b.h, PERF_EVENT_IOC_MODIFY_ATTRIBUTES,
							 (unsigned long)&attr)), rows, NR(rows));
	expect_runs(&b, "after it");
	end(&b);
}

/*
 * perf_call_bpf_exit() runs the programs before perf_tp_event_match() applies the filter, which
 * therefore determines what is counted, not what the program sees.
 */
static void filter(struct regress *t)
{
	uint64_t count, ran;
	struct bound b;

	begin(t, &b, GETPPID, "tp_exit", 1, NULL);
	happen_must(&b.h, PERF_EVENT_IOC_SET_FILTER, (unsigned long)"common_pid == 0",
		    "PERF_EVENT_IOC_SET_FILTER");
	for (int i = 0; i < PAGES; i++)
		getppid();
	ran = runs(&b);
	count = happen_count(&b.h);
	regress_expect(t, ran == PAGES && !count, "%llu of %d runs, and a count of %llu",
		       (unsigned long long)ran, PAGES, (unsigned long long)count);
	end(&b);
}

/* perf_event_set_filter(): neither a tracing event nor a PMU that filters by address. */
static void filter_of_a_count(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL" } };
	struct bound b;

	begin(t, &b, FAULTS, "pe_see", 1, NULL);
	regress_answer(t, "", regress_errno(happen_ioctl(&b.h, PERF_EVENT_IOC_SET_FILTER,
							 (unsigned long)"common_pid == 0")),
		       rows, NR(rows));
	expect_runs(&b, "after it");
	end(&b);
}

/* bpf_prog_query() and bpf_perf_link_attach() know neither a list of programs nor places in one. */
static void no_list(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL" } };
	union bpf_attr attr;
	struct bound b;
	int ret;

	begin(t, &b, FAULTS, "pe_see", 1, NULL);
	memset(&attr, 0, sizeof(attr));
	attr.query.target_fd = b.h.e.a.event_fd;
	attr.query.attach_type = BPF_PERF_EVENT;
	ret = sys_bpf(t->sys, BPF_PROG_QUERY, &attr, sizeof(attr));
	regress_answer(t, "BPF_PROG_QUERY", regress_errno(ret), rows, NR(rows));
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = regress_prog(t, &b.o, "pe_see");
	attr.link_create.target_fd = b.h.e.a.event_fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.flags = BPF_F_BEFORE;
	ret = sys_bpf(t->sys, BPF_LINK_CREATE, &attr, sizeof(attr));
	regress_answer(t, "BPF_F_BEFORE", regress_errno(ret), rows, NR(rows));
	end(&b);
}

static uint64_t run_cnt(const struct bound *b)
{
	struct bpf_prog_info info = { 0 };

	regress_ok(b->h.t, kernel_prog_info(b->h.t->sys, regress_prog(b->h.t, &b->o, "pe_see"), &info),
		   NULL, "the program's info");
	return info.run_cnt;
}

/* d46edd671a14: only the descriptor counts; who else may have one is unknown. */
static void stats(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL" },
						     { LINUX(5, 8), "0" } };
	uint64_t before, counted;
	union bpf_attr attr;
	struct bound b;
	int fd;

	begin(t, &b, FAULTS, "pe_see", 1, NULL);
	memset(&attr, 0, sizeof(attr));
	attr.enable_stats.type = BPF_STATS_RUN_TIME;
	fd = sys_bpf(t->sys, BPF_ENABLE_STATS, &attr, sizeof(attr));
	regress_answer(t, "", regress_errno(fd < 0 ? fd : 0), rows, NR(rows));
	if (fd >= 0) {
		before = run_cnt(&b);
		expect_runs(&b, "that are counted");
		counted = run_cnt(&b) - before;
		sys_close_fd(t->sys, &fd);
		regress_expect(t, counted >= PAGES, "run_cnt is %llu for %d pages",
			       (unsigned long long)counted, PAGES);
		expect_runs(&b, "after it");
	}
	end(&b);
}

/*
 * pidfd_getfd(2), 8649c322f75c: a descriptor of the same event, which lives as long as any of them.
 */
static void copied(struct regress *t)
{
	struct bound b;
	int pidfd, copy;

	begin(t, &b, FAULTS, "pe_see", 1, NULL);
	pidfd = syscall(SYS_pidfd_open, getpid(), 0);
	copy = pidfd < 0 ? pidfd : sys_pidfd_getfd(t->sys, pidfd, b.h.e.a.event_fd);
	if (pidfd < 0 || copy == -ENOSYS)
		regress_skip(t, "no pidfd_getfd(2): Linux 5.6 and later");
	close(pidfd);
	regress_ok(t, copy, NULL, "pidfd_getfd");
	sys_close_fd(t->sys, &b.h.e.a.event_fd);
	expect_runs(&b, "by the copy");
	regress_ok(t, sys_ioctl(t->sys, copy, PERF_EVENT_IOC_DISABLE, 0), NULL, "disabling the copy");
	regress_expect(t, !runs_of(&b, PAGES), "it runs, and the copy was disabled");
	regress_ok(t, sys_ioctl(t->sys, copy, PERF_EVENT_IOC_ENABLE, 0), NULL, "enabling the copy");
	expect_runs(&b, "after it was enabled again");
	sys_close_fd(t->sys, &copy);
	regress_expect(t, !runs_of(&b, PAGES), "it runs, and no descriptor is left");
	end(&b);
}

/* --- tasks that inherit --- */

static void inherit_threads(struct perf_event_attr *attr)
{
	attr->inherit = 1;
	attr->inherit_thread = 1;
}

static void *touch(void *bound)
{
	const struct bound *b = bound;

	happen_touch(b->h.t, PAGES);
	return NULL;
}

static void touch_in_thread(struct regress *t, struct bound *b)
{
	pthread_t thread;
	const int ret = pthread_create(&thread, NULL, touch, b);

	regress_expect(t, !ret, "pthread_create: %s", strerror(ret));
	pthread_join(thread, NULL);
}

static void touch_in_child(struct regress *t)
{
	const pid_t pid = fork();
	int status;

	regress_expect(t, pid >= 0, "fork: %s", strerror(errno));
	if (!pid) {
		happen_touch(t, PAGES);
		_exit(0);
	}
	waitpid(pid, &status, 0);
}

/* inherit_event() tests CLONE_THREAD since 2b26f0aa0049. */
static void threads_only(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EINVAL|E2BIG" },
						     { LINUX(5, 13), "0" } };
	struct context_io io = { .answer = 1 };
	struct error err = { 0 };
	struct bound b;
	uint64_t ran;
	int ret;

	known_ready();
	of_store(&io);
	regress_load(t, &b.o, "context", "pe_see");
	io_put(t, &b.o, &io);
	ret = happen_try(t, &b.h, BY_IOCTL, inherit_threads, FAULTS, &err);
	regress_answer(t, "opening", regress_errno(ret), rows, NR(rows));
	error_clear(&err);
	if (!ret) {
		happen_bind(&b.h, &b.o, "pe_see", 0);
		touch_in_thread(t, &b);
		ran = runs(&b);
		regress_expect(t, ran >= PAGES, "%llu runs of a thread", (unsigned long long)ran);
		touch_in_child(t);
		ran = runs(&b) - ran;
		regress_expect(t, !ran, "%llu runs of a process", (unsigned long long)ran);
	}
	end(&b);
}

/* --- signals --- */

static volatile sig_atomic_t signals;

static void on_signal(int signal)
{
	(void)signal;
	signals++;
}

static bool has_come(void *arg)
{
	(void)arg;
	return signals;
}

/*
 * __perf_event_overflow() sends SIGIO to processes that have set O_ASYNC. Since f11f10bfa1ca the
 * program runs first, and what it drops causes no signal.
 */
static void send_signals(struct regress *t)
{
	static const struct regress_since kept[] = { { LINUX(0, 0), "SIGIO" } };
	static const struct regress_since dropped[] = { { LINUX(0, 0), "SIGIO" },
							{ LINUX(6, 10), "no signal" } };
	const struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	const int32_t answer = *(const int32_t *)t->data;
	const bool comes = answer || t->kernel < LINUX(6, 10);
	struct bound b;
	int fd;

	regress_expect(t, !sigaction(SIGIO, &action, NULL), "sigaction: %m");
	begin(t, &b, FAULTS, "pe_see", answer, NULL);
	fd = b.h.e.a.event_fd;
	regress_expect(t, !fcntl(fd, F_SETOWN, getpid()) && !fcntl(fd, F_SETFL, O_ASYNC), "fcntl: %m");
	expect_runs(&b, "with O_ASYNC");
	/* A separate interrupt sends it. */
	if (comes)
		regress_until(has_come, NULL);
	else
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	end(&b);
	regress_answer(t, "", signals ? "SIGIO" : "no signal", answer ? kept : dropped,
		       answer ? NR(kept) : NR(dropped));
}

static const int32_t keep = 1, drop;

static const struct regress_test tests[] = {
	{ "PERF_EVENT_IOC_RESET: the count is 0, and the program goes on", reset, NULL, 0 },
	{ "PERF_EVENT_IOC_MODIFY_ATTRIBUTES: not of an event that is no breakpoint", modify, NULL, 0 },
	{ "PERF_EVENT_IOC_SET_FILTER: a program sees what the filter drops", filter, NULL, 0 },
	{ "PERF_EVENT_IOC_SET_FILTER: not of an event that counts", filter_of_a_count, NULL, 0 },
	{ "an event has no list of programs: BPF_PROG_QUERY, BPF_F_BEFORE", no_list, NULL, 0 },
	{ "BPF_ENABLE_STATS: runs are counted", stats, NULL, 0 },
	{ "pidfd_getfd() gives the same event, which ends with the last descriptor", copied, NULL, 0 },
	{ "attr.inherit_thread: threads run the program, processes do not", threads_only, NULL, 0 },
	{ "O_ASYNC, the program returns 1: SIGIO", send_signals, &keep, 0 },
	{ "O_ASYNC, the program returns 0", send_signals, &drop, 0 },
	{ 0 }
};

const struct regress_group regress_group_controls = {
	"controls", "calls on an event that runs a program, which are about the event", tests, NULL,
	__FILE__,
};
