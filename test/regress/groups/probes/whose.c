// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A uprobe of one process: its program does not run in another one, which has the probe as well. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/regress/common/happen.h"

#define TIMES 5

/* The probed function. */
static __attribute__((noinline, noclone)) void whose_target(void)
{
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop" ::: "memory");
}

static void call_target(void)
{
	for (int i = 0; i < TIMES; i++)
		whose_target();
}

/* fork(2) copies the breakpoint with the page, and the name by which the program counts. */
static void call_in_child(struct regress *t)
{
	const pid_t pid = fork();

	regress_expect(t, pid >= 0, "no process: %s", strerror(errno));
	if (!pid) {
		call_target();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void not_in_child(struct regress *t)
{
	const enum happen_how *how = t->data;
	struct context_io io = { .answer = 1 };
	struct regress_object o;
	struct happen h;

	io_ours(t, &io);
	regress_load(t, &o, "context", "kp_see");
	io_put(t, &o, &io);
	happen_open_uprobe(t, &h, *how, whose_target, false);
	happen_bind(&h, &o, "kp_see", 0);
	call_in_child(t);
	io = io_get(t, &o);
	regress_expect(t, !io.runs, "%llu runs in a child", (unsigned long long)io.runs);
	call_target();
	io = io_get(t, &o);
	regress_expect(t, io.runs == TIMES, "%llu of %d runs", (unsigned long long)io.runs, TIMES);
	happen_close(&h);
	regress_unload(t, &o);
}

static const enum happen_how by_line = BY_IOCTL, by_pmu = BY_PMU;

static const struct regress_test tests[] = {
	{ "a uprobe of tracefs, of one process: not in its child", not_in_child, &by_line, 0 },
	{ "a uprobe of its PMU, of one process: not in its child", not_in_child, &by_pmu, 0 },
	{ 0 }
};

const struct regress_group regress_group_whose = {
	"whose", "a uprobe of one process, called in another", tests,
	NULL, __FILE__
};
