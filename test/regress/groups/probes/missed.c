// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events during a program on the same CPU, whose own programs may then not run. */
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"

/* A program of missed.bpf.c at a tracepoint. */
struct counted {
	struct regress_object o;
	struct happen h;
	const char *prog;
};

static void load(struct regress *t, struct counted *b, const char *prog)
{
	struct context_io io = { 0 };

	b->prog = prog;
	io_ours(t, &io);
	regress_load(t, &b->o, "missed", prog);
	io_put(t, &b->o, &io);
}

/* At the event of that name. */
static void bind_to(struct regress *t, struct counted *b, const char *prog, const char *event)
{
	load(t, b, prog);
	happen_attach(t, &b->h, BY_IOCTL, event, &b->o, prog);
}

static uint64_t runs_of(struct regress *t, const struct counted *b)
{
	return io_get(t, &b->o).runs;
}

/* Returns the misses, as a session reports them at its end. */
static uint64_t misses_of(struct regress *t, struct counted *b)
{
	struct kernel_object *k = &b->o.loading.kernel;
	struct error err = { 0 };
	uint32_t i = 0;

	regress_ok(t, kernel_count_runs(t->sys, k, &err), &err, "what the kernel has counted");
	while (strcmp(k->object->progs[i].name, b->prog))
		i++;
	return k->progs[i].recursion_misses;
}

static void end(struct regress *t, struct counted *b)
{
	happen_close(&b->h);
	regress_unload(t, &b->o);
}

#define CALL "syscalls:sys_enter_copy_file_range"

static void call(unsigned int times)
{
	while (times--)
		syscall(SYS_copy_file_range, -1, NULL, -1, NULL, 0UL, 0U);
}

/* --- one program within another --- */

#define TIMES 10

static volatile uint64_t watched;

static void write_watched(void)
{
	for (int i = 0; i < TIMES; i++)
		watched++;
}

static void call_known(void)
{
	for (int i = 0; i < TIMES; i++)
		known_six(1, 2, 3, 4, 5, 6);
}

static void call_kernel(void)
{
	call(TIMES);
}

static void bind_watched(struct regress *t, struct counted *b)
{
	char event[64];

	snprintf(event, sizeof(event), "mem:%#lx/8:w", (unsigned long)&watched);
	bind_to(t, b, "pe_prints", event);
}

static void bind_tracepoint(struct regress *t, struct counted *b)
{
	bind_to(t, b, "tp_prints", CALL);
}

static void bind_kprobe(struct regress *t, struct counted *b)
{
	bind_to(t, b, "kp_prints", "ksyscall:copy_file_range");
}

static void bind_uprobe(struct regress *t, struct counted *b)
{
	load(t, b, "kp_prints");
	happen_open_uprobe(t, &b->h, BY_IOCTL, known_six, false);
	happen_bind(&b->h, &b->o, b->prog, 0);
}

/* The type of program during which an event happens, and the effect on the event's own program. */
struct outer {
	void (*bind)(struct regress *t, struct counted *b);
	void (*work)(void);
	struct regress_since rows[3];
	unsigned int nr;
};

/*
 * trace_call_bpf() of kernel/trace/bpf_trace.c, which counts them since dd8657894c11;
 * bpf_overflow_handler() of kernel/events/core.c
 */
static const struct outer breakpoint = {
	bind_watched, write_watched, { { LINUX(0, 0), "is missed" }, { LINUX(6, 7), "is told" } }, 2,
};
static const struct outer kprobe = {
	bind_kprobe, call_kernel, { { LINUX(0, 0), "is missed" }, { LINUX(6, 7), "is told" } }, 2,
};
/*
 * A tracepoint's program runs only if perf_trace_buf_alloc() gets one of perf's recursion contexts.
 * For a tracepoint of a system call the program now runs before that, and can be preempted.
 */
static const struct outer tracepoint = {
	bind_tracepoint, call_kernel,
	{ { LINUX(0, 0), "is missed" }, { LINUX(6, 19), "is missed|runs" }, { LINUX(7, 2), "runs" } },
	3,
};
/*
 * bpf_prog_run_array_uprobe() lets programs sleep since 8c7dcb84e3b7, and has no guard against
 * recursion.
 */
static const struct outer uprobe = {
	bind_uprobe, call_known, { { LINUX(0, 0), "is missed" }, { LINUX(6, 0), "runs" } }, 2,
};

static void within_a_program(struct regress *t)
{
	const struct outer *of = t->data;
	struct counted outer, inner;
	uint64_t due, runs, misses;

	bind_to(t, &inner, "counts", "bpf_trace:bpf_trace_printk");
	of->bind(t, &outer);
	of->work();
	due = runs_of(t, &outer);
	runs = runs_of(t, &inner);
	misses = misses_of(t, &inner);
	regress_note(t, "%llu runs and %llu misses of %llu", (unsigned long long)runs,
		     (unsigned long long)misses, (unsigned long long)due);
	regress_expect(t, due == TIMES, "the outer one has not run %d times", TIMES);
	regress_answer(t, "", runs == due && !misses ? "runs" :
		       !runs && misses == due ? "is told" :
		       !runs && !misses ? "is missed" : "something else", of->rows, of->nr);
	end(t, &outer);
	end(t, &inner);
}

/* --- tasks that share a CPU --- */

#define TASKS 2
#define CALLS 5000

/* Processes of this one's name, on one CPU. */
static void call_together(struct regress *t)
{
	pid_t pids[TASKS];
	cpu_set_t here;
	int status;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	for (int i = 0; i < TASKS; i++) {
		pids[i] = fork();
		regress_expect(t, pids[i] >= 0, "cannot create a process");
		if (pids[i])
			continue;
		if (sched_setaffinity(0, sizeof(here), &here))
			_exit(1);
		call(CALLS);
		_exit(0);
	}
	for (int i = 0; i < TASKS; i++)
		regress_expect(t, waitpid(pids[i], &status, 0) == pids[i] && !status,
			       "a process ends by %#x", status);
}

/*
 * On Linux 7.2 (and not on 6.18) a program of a system call's tracepoint can be preempted, and
 * until it continues no other run is possible there: the number of misses is chance. Each call is a
 * run, or a miss that is reported.
 */
static void runs_and_misses(struct regress *t)
{
	struct counted b;
	uint64_t runs, misses;

	bind_to(t, &b, "counts", CALL);
	call_together(t);
	runs = runs_of(t, &b);
	misses = misses_of(t, &b);
	regress_expect(t, runs + misses == TASKS * CALLS, "%llu runs and %llu misses of %d calls",
		       (unsigned long long)runs, (unsigned long long)misses, TASKS * CALLS);
	end(t, &b);
}

static const struct regress_test tests[] = {
	{ "a tracepoint within a program of a breakpoint", within_a_program, (void *)&breakpoint, 0 },
	{ "a tracepoint within a program of a kprobe", within_a_program, (void *)&kprobe, 0 },
	{ "a tracepoint within a program of a system call's tracepoint", within_a_program,
	  (void *)&tracepoint, 0 },
	{ "a tracepoint within a program of a uprobe", within_a_program, (void *)&uprobe, 0 },
	{ "tasks that share a CPU: a program runs for each call, or has missed it", runs_and_misses,
	  NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_missed = {
	"missed", "events that come while their CPU is in a program", tests, NULL, __FILE__
};
