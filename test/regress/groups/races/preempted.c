// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Two tasks on one CPU run the same program of a uprobe, and the kernel lets one preempt the other:
 * neither may see data of the other.
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/bpf/preempted.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"

#define CALLS 5000

/* The probed function: called from known_left() in task 0, and from known_right() in task 1. */
static __attribute__((noinline, noclone)) void shared_leaf(void *nr)
{
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop" : : "r"(nr) : "memory");
}

/* One of the two tasks, and the calls that it makes. */
struct caller {
	uint32_t nr;
	void (*call)(void (*leaf)(void *arg), void *arg);
	struct known_range own, others;	/* a function that only this task calls, or the other */
	const volatile struct preempted_task *task;
	uint64_t right, wrong;	/* addresses in stacks that are in these */
};

static pthread_barrier_t together;

static void look_at(struct caller *c, const volatile __u64 *stack, int depth)
{
	for (int i = 0; i < depth; i++) {
		c->right += known_within(c->own, stack[i]);
		c->wrong += known_within(c->others, stack[i]);
	}
}

static void *call_leaf(void *arg)
{
	struct caller *c = arg;

	pthread_barrier_wait(&together);
	for (int i = 0; i < CALLS; i++) {
		c->call(shared_leaf, (void *)(uintptr_t)c->nr);
		look_at(c, c->task->frame, PREEMPTED_FRAMES);
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
	bool has_stacks;	/* it keeps those of its tasks */
	struct regress_since rows[2];
};

/* Look at the stacks that are kept by a number. */
static void look_at_ids(struct regress *t, const struct regress_object *o, struct caller callers[2])
{
	const int ids = regress_map(t, o, "ids"), stacks = regress_map(t, o, "stacks");
	struct preempted_stack key, *from = NULL;
	__u64 stack[PREEMPTED_DEPTH];

	for (; !map_next_key(t->sys, ids, from, &key); from = &key)
		if (!map_lookup(t->sys, stacks, &key.id, stack))
			look_at(&callers[key.task], stack, PREEMPTED_DEPTH);
}

/* Maps the array into memory, so that reading it takes no system call between two calls. */
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
		{ 0, known_left, ranges[0], ranges[1], &tasks[0], 0, 0 },
		{ 1, known_right, ranges[1], ranges[0], &tasks[1], 0, 0 },
	};
	happen_open_uprobe(t, &h, BY_PMU_LINK, shared_leaf, false);
	happen_bind(&h, &o, row->prog, 0);
	call_from_both(t, callers);
	look_at_ids(t, &o, callers);
	for (uint32_t i = 0; i < NR(callers); i++) {
		regress_note(t, "task %u: %" PRIu64 " runs, %" PRIu64 " wrong words, %" PRIu64
			     " addresses of its own and %" PRIu64 " of the other's, %" PRIu64
			     " failures", i, (uint64_t)tasks[i].runs, (uint64_t)tasks[i].wrong,
			     callers[i].right, callers[i].wrong, (uint64_t)tasks[i].failed);
		regress_expect(t, tasks[i].runs, "task %u never ran it", i);
		regress_expect(t, callers[i].right || !row->has_stacks,
			       "no stack of task %u has a function of its own", i);
		wrong += tasks[i].wrong + callers[i].wrong;
	}
	sys_munmap(t->sys, (void *)tasks, getpagesize());
	happen_close(&h);
	regress_unload(t, &o);
	regress_answer(t, "", wrong ? "the other task's" : "its own", row->rows, NR(row->rows));
}

/*
 * Since 8c7dcb84e3b7 in 6.0 such a program can be preempted at all; since 6.13 it has a stack that
 * is the CPU's where its own would be large. See docs/findings.md. The helpers copy stacks from a
 * buffer of the CPU (get_perf_callchain()), which the other task could fill meanwhile; no kernel
 * was seen to return such a stack yet.
 */
#define PREEMPTED_SINCE LINUX(6, 0)
#define CPU_STACK_SINCE LINUX(6, 13)

static const struct row
	canaries = { "canaries", false, { { LINUX(0, 0), "its own" },
					  { CPU_STACK_SINCE, "its own|the other task's" } } },
	stack = { "stack", true, { { LINUX(0, 0), "its own" },
				   { PREEMPTED_SINCE, "its own|the other task's" } } },
	stackid = { "stackid", true, { { LINUX(0, 0), "its own" },
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
