// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Overflows of an event that has a program and a ring: how often the program runs, and when not. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "test/regress/common/known.h"
#include "test/regress/common/others.h"
#include "test/regress/common/probed.h"
#include "test/regress/common/samples.h"

#define TIMES 20

static void load(struct regress *t, struct regress_object *o, const char *prog, int64_t answer)
{
	struct context_io io = { .answer = answer };

	io_ours(t, &io);
	regress_load(t, o, "context", prog);
	io_put(t, o, &io);
}

static uint64_t runs_of(struct regress *t, const struct regress_object *o)
{
	return io_get(t, o).runs;
}

/* --- tracing events --- */

static void each_is_a_sample(struct perf_event_attr *attr)
{
	attr->sample_period = 1;
	attr->sample_type = PERF_SAMPLE_RAW;
}

/*
 * The program of a tracing event is called by the tracepoint, and not at an overflow: Linux 6.10
 * did both until 6.10.7 (100bff23818e), the second time with a context of another type.
 */
static void runs_once(struct regress *t, const char *event, const char *prog, int64_t answer)
{
	struct regress_object o;
	unsigned int samples;
	struct samples s;
	struct happen h;
	uint64_t runs;

	load(t, &o, prog, answer);
	happen_open(t, &h, BY_IOCTL, each_is_a_sample, event);
	others_none(t, h.e.a.event_fd, event);
	samples_map(&s, &h, 8);
	happen_bind(&h, &o, prog, 0);
	for (int i = 0; i < TIMES; i++)
		probed_getppid();
	happen_must(&h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
	runs = runs_of(t, &o);
	samples = samples_skip(&s);
	regress_expect(t, runs == TIMES, "%" PRIu64 " runs of %d", runs, TIMES);
	/* If the program returns 0, the kernel writes no sample. */
	regress_expect(t, samples == (answer ? TIMES : 0), "%u samples of %d", samples, TIMES);
	samples_unmap(&s);
	happen_close(&h);
	regress_unload(t, &o);
}

static void tracepoint_kept(struct regress *t)
{
	runs_once(t, "syscalls:sys_exit_getppid", "tp_exit", 1);
}

static void tracepoint_dropped(struct regress *t)
{
	runs_once(t, "syscalls:sys_exit_getppid", "tp_exit", 0);
}

static void kprobe_kept(struct regress *t)
{
	runs_once(t, "kprobe:" PROBED_GETPPID, "kp_see", 1);
}

/* --- this many and no more, by a clock --- */

/*
 * The kernel signals POLL_HUP at the overflow that ends the event, in the interrupt that disables
 * it. The test waits for that rather than for a count in a map: bpf_overflow_handler() does not run
 * the program while its CPU reads a map (bpf_prog_active), and before Linux 6.10 such an overflow
 * counts for the limit, too.
 */
static void signal_the_end(struct regress *t, const struct happen *h, sigset_t *signals)
{
	const int fd = h->e.a.event_fd;

	sigemptyset(signals);
	sigaddset(signals, SIGRTMIN);
	regress_expect(t, !sigprocmask(SIG_BLOCK, signals, NULL) && !fcntl(fd, F_SETSIG, SIGRTMIN) &&
		       !fcntl(fd, F_SETOWN, getpid()) && !fcntl(fd, F_SETFL, O_ASYNC),
		       "signals of the event: %s", strerror(errno));
}

static bool has_ended(void *arg)
{
	const struct timespec at_once = { 0 };
	siginfo_t info;

	known_spin(100000);
	while (sigtimedwait(arg, &info, &at_once) > 0)
		if (info.si_code == POLL_HUP)
			return true;
	return false;
}

/*
 * From 18dbcbfabfff in 6.17-rc5, also in later 6.16, to eb3182ef0405 in 6.18-rc5, the clock's own
 * interrupt waits for itself to end, with interrupts disabled, which hangs the CPU.
 */
static void clock_refresh(struct regress *t)
{
	struct regress_object o;
	sigset_t signals;
	struct happen h;
	uint64_t runs;

	if (t->kernel >= LINUX(6, 16) && t->kernel < LINUX(6, 18))
		regress_skip(t, "Linux 6.16 and 6.17 may hang for ever");
	load(t, &o, "pe_see", 1);
	happen_open(t, &h, BY_IOCTL, NULL, "cpu-clock,period=200000");
	regress_ok(t, compare_bind(&h.s, h.cell, &h.e, regress_prog(t, &o, "pe_see"), NULL), NULL,
		   "binding");
	signal_the_end(t, &h, &signals);
	happen_must(&h, PERF_EVENT_IOC_REFRESH, 3, "PERF_EVENT_IOC_REFRESH");
	regress_expect(t, regress_until(has_ended, &signals), "it does not end: %" PRIu64 " runs",
		       runs_of(t, &o));
	runs = runs_of(t, &o);
	regress_expect(t, runs >= 3, "%" PRIu64 " runs of 3", runs);
	known_spin(30000000);
	regress_expect(t, runs_of(t, &o) == runs, "it goes on: %" PRIu64 " runs, then %" PRIu64,
		       runs, runs_of(t, &o));
	happen_close(&h);
	regress_unload(t, &o);
}

static const struct regress_test tests[] = {
	{ "a tracepoint with a ring and a period of 1 runs its program once", tracepoint_kept, NULL,
	  0 },
	{ "a tracepoint with a ring: what the program drops is no sample", tracepoint_dropped, NULL,
	  0 },
	{ "a kprobe with a ring and a period of 1 runs its program once", kprobe_kept, NULL, 0 },
	{ "PERF_EVENT_IOC_REFRESH of cpu-clock: so many runs, and it stops", clock_refresh, NULL,
	  0 },
	{ 0 }
};

const struct regress_group regress_group_overflow = {
	"overflow", "overflows of an event that has a program and a ring", tests,
	NULL, __FILE__
};
