// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Two tasks on one CPU run the same program of a uprobe, which the kernel lets preempt each other:
 * neither may see what is the other's.
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/kernel/kernel.h"
#include "test/regress/bpf/preempted.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"

#define CALLS 5000

/* What is probed: reached by known_left() in task 0, and by known_right() in task 1. */
static __attribute__((noinline, noclone)) void shared_leaf(void *nr)
{
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop" : : "r"(nr) : "memory");
}

/* One of the two tasks, and what the program writes into the map for it. */
struct caller {
	uint32_t nr;
	void (*call)(void (*leaf)(void *arg), void *arg);
	struct known_range others;	/* a function that only the other task calls */
	const volatile struct preempted_task *task;
	uint64_t wrong;		/* stacks that have it */
};

static pthread_barrier_t together;

static void *call_leaf(void *arg)
{
	struct caller *c = arg;

	pthread_barrier_wait(&together);
	for (int i = 0; i < CALLS; i++) {
		c->call(shared_leaf, (void *)(uintptr_t)c->nr);
		for (int f = 0; f < PREEMPTED_FRAMES; f++)
			c->wrong += known_within(c->others, c->task->frame[f]);
	}
	return NULL;
}

static void stay_here(struct regress *t)
{
	cpu_set_t set;
	const int cpu = sched_getcpu();

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	regress_expect(t, cpu >= 0 && !sched_setaffinity(0, sizeof(set), &set), "no CPU");
}

static void call_from_both(struct regress *t, struct caller callers[2])
{
	pthread_t ids[2];

	stay_here(t);
	pthread_barrier_init(&together, NULL, 2);
	for (int i = 0; i < 2; i++)
		regress_expect(t, !pthread_create(&ids[i], NULL, call_leaf, &callers[i]),
			       "no thread");
	for (int i = 0; i < 2; i++)
		pthread_join(ids[i], NULL);
	pthread_barrier_destroy(&together);
}

/* A program, and how its kernels answer. */
struct row {
	const char *prog;
	struct regress_since rows[2];
};

/* Stacks by their numbers: how many are not what their task has. */
static uint64_t wrong_ids(struct regress *t, const struct regress_object *o,
			  const struct known_range *ranges)
{
	const int ids = regress_map(t, o, "ids"), stacks = regress_map(t, o, "stacks");
	struct preempted_stack key, *from = NULL;
	uint64_t ip[PREEMPTED_DEPTH], wrong = 0;

	for (; !map_next_key(t->sys, ids, from, &key); from = &key) {
		if (map_lookup(t->sys, stacks, &key.id, ip))
			continue;
		for (int i = 0; i < PREEMPTED_DEPTH; i++)
			wrong += known_within(ranges[!key.task], ip[i]);
	}
	return wrong;
}

/* The map as it is in memory, where nobody has to ask for it between two calls. */
static const struct preempted_task *map_tasks(struct regress *t, const struct regress_object *o)
{
	const long at = sys_mmap(t->sys, getpagesize(), PROT_READ, MAP_SHARED,
				 regress_map(t, o, "tasks"), 0);

	regress_expect(t, !sys_failed(at), "mmap of a map: %s", regress_errno(at));
	return (const void *)at;
}

static void test(struct regress *t)
{
	const struct known_range ranges[] = { KNOWN_RANGE(left), KNOWN_RANGE(right) };
	const struct row *row = t->data;
	const struct preempted_task *tasks;
	struct regress_object o;
	uint64_t wrong = 0;
	struct happen h;

	if (!known_unwinds())
		regress_skip(t, "the stacks of this program cannot be unwound");
	regress_load(t, &o, "preempted", row->prog);
	tasks = map_tasks(t, &o);
	struct caller callers[] = {
		{ 0, known_left, ranges[1], &tasks[0], 0 },
		{ 1, known_right, ranges[0], &tasks[1], 0 },
	};
	happen_open_uprobe(t, &h, BY_PMU_LINK, shared_leaf, false);
	happen_bind(&h, &o, row->prog, 0);
	call_from_both(t, callers);
	for (uint32_t i = 0; i < NR(callers); i++) {
		regress_note(t, "task %u: %" PRIu64 " runs, %" PRIu64 " and %" PRIu64
			     " times the other's, %" PRIu64 " failures", i, (uint64_t)tasks[i].runs,
			     (uint64_t)tasks[i].wrong, callers[i].wrong, (uint64_t)tasks[i].failed);
		regress_expect(t, tasks[i].runs, "task %u never ran it", i);
		wrong += tasks[i].wrong + callers[i].wrong;
	}
	wrong += wrong_ids(t, &o, ranges);
	sys_munmap(t->sys, (void *)tasks, getpagesize());
	happen_close(&h);
	regress_unload(t, &o);
	regress_answer(t, "", wrong ? "the other task's" : "its own", row->rows, NR(row->rows));
}

/*
 * Since 8c7dcb84e3b7 in 6.0 such a program can be preempted at all; since 6.13 it has a stack that
 * is the CPU's where its own would be large. See docs/findings.md.
 */
#define PREEMPTED_SINCE LINUX(6, 0)
#define CPU_STACK_SINCE LINUX(6, 13)

static const struct row
	canaries = { "canaries", { { LINUX(0, 0), "its own" },
				   { CPU_STACK_SINCE, "its own|the other task's" } } },
	stack = { "stack", { { LINUX(0, 0), "its own" },
			     { PREEMPTED_SINCE, "its own|the other task's" } } },
	stackid = { "stackid", { { LINUX(0, 0), "its own" },
				 { PREEMPTED_SINCE, "its own|the other task's" } } };

static const struct regress_test tests[] = {
	{ "what a program has put on its stack", test, &canaries, 0 },
	{ "bpf_get_stack()", test, &stack, 0 },
	{ "bpf_get_stackid()", test, &stackid, 0 },
	{ 0 }
};

const struct regress_group regress_group_preempted = {
	"preempted", "a program that is preempted by a task that runs it, too", tests,
	NULL, __FILE__
};
