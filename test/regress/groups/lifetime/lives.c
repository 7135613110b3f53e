// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sequences of calls in which a kernel or a faulty one differed from the model of --random, which prints them. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/regress/harness/regress.h"
#include "test/regress/random/walk.h"

struct life_row {
	const char *name;
	const struct op *ops;
	unsigned int nr;
};

#define LIFE(name, ...) { name, (const struct op[]){ __VA_ARGS__ }, \
			  sizeof((const struct op[]){ __VA_ARGS__ }) / sizeof(struct op) }

static const struct life_row rows[] = {
	LIFE("a limit of REFRESH that was reached may be raised: uprobe",
	     { OP_OPEN, 0, 0, -1, 0, UPROBE, 0, 1 },
	     { OP_REFRESH, 0, 0, -1, -1, -1, 0, 1 },
	     { OP_FIRE, 0, 0, -1, -1, UPROBE, 0, 1 },
	     { OP_REFRESH, 0, 0, -1, -1, -1, 0, 1 },
	     { OP_FIRE, 0, 0, -1, -1, UPROBE, 0, 1 },
	     { OP_READ, 0, 0, -1, -1, -1, 0, 0 }),
	LIFE("a limit of REFRESH that was reached may be raised: breakpoint with a program",
	     { OP_OPEN, 0, 0, -1, 0, BREAKPOINT, 0, 1 },
	     { OP_PROG_LOAD, 0, 1, -1, -1, FOR_SAMPLES, RETURNS_1, 0 },
	     { OP_SET_BPF, 0, 0, 1, -1, -1, 0, 0 },
	     { OP_REFRESH, 0, 0, -1, -1, -1, 0, 2 },
	     { OP_FIRE, 0, 0, -1, -1, BREAKPOINT, 0, 3 },
	     { OP_REFRESH, 0, 0, -1, -1, -1, 0, 2 },
	     { OP_FIRE, 0, 0, -1, -1, BREAKPOINT, 0, 3 }),
	LIFE("a member counts the occurrence at which its leader reaches the limit",
	     { OP_OPEN, 0, 4, -1, 0, UPROBE, 0, 1 },
	     { OP_OPEN, 0, 5, 4, 0, UPROBE, 0, 0 },
	     { OP_REFRESH, 0, 4, -1, -1, -1, 0, 1 },
	     { OP_FIRE, 0, 0, -1, -1, UPROBE, 0, 2 },
	     { OP_READ, 0, 5, -1, -1, -1, 0, 0 }),
	LIFE("a uretprobe misses the return at whose entry its leader reached the limit",
	     { OP_OPEN, 0, 4, -1, 0, UPROBE, 0, 1 },
	     { OP_OPEN, 0, 5, 4, 0, URETPROBE, 0, 0 },
	     { OP_REFRESH, 0, 4, -1, -1, -1, 0, 2 },
	     { OP_FIRE, 0, 0, -1, -1, UPROBE, 0, 3 },
	     { OP_READ, 0, 4, -1, -1, -1, 0, 0 },
	     { OP_READ, 0, 5, -1, -1, -1, 0, 0 }),
	LIFE("a grandchild's event begins as that of its parent, whose own parent has exited",
	     { OP_OPEN, 0, 1, -1, 0, UPROBE, INHERIT | DISABLED, 0 },
	     { OP_FORK, 0, -1, -1, 1, -1, 0, 0 },
	     { OP_EXIT, 0, -1, -1, -1, -1, 0, 0 },
	     { OP_ENABLE, 1, 1, -1, -1, -1, 0, 0 },
	     { OP_FORK, 1, -1, -1, 2, -1, 0, 0 },
	     { OP_FIRE, 2, 0, -1, -1, UPROBE, 0, 2 },
	     { OP_READ, 2, 1, -1, -1, -1, 0, 0 }),
	LIFE("a period of an event whose task has exited does not change",
	     { OP_FORK, 0, -1, -1, 1, -1, 0, 0 },
	     { OP_OPEN, 0, 1, -1, 1, BREAKPOINT, 0, 1 },
	     { OP_KILL, 0, -1, -1, 1, -1, 0, 0 },
	     { OP_PERIOD, 0, 1, -1, -1, -1, 0, 3 },
	     { OP_MODIFY, 0, 1, -1, -1, 0, 0, 1 }),
	LIFE("a child goes on running the program of a link that has ended",
	     { OP_OPEN, 0, 0, -1, 0, PAGE_FAULTS, INHERIT, 1 },
	     { OP_PROG_LOAD, 0, 1, -1, -1, FOR_SAMPLES, 0, 0 },
	     { OP_LINK_CREATE, 0, 2, 0, 1, -1, 0, 7 },
	     { OP_FORK, 0, -1, -1, 1, -1, 0, 0 },
	     { OP_CLOSE, 0, 2, -1, -1, -1, 0, 0 },
	     { OP_CLOSE, 1, 2, -1, -1, -1, 0, 0 },
	     { OP_FIRE, 0, 0, -1, -1, PAGE_FAULTS, 0, 2 },
	     { OP_FIRE, 1, 0, -1, -1, PAGE_FAULTS, 0, 2 }),
	LIFE("ENABLE of a group reaches each of its members",
	     { OP_OPEN, 0, 0, -1, 0, UPROBE, DISABLED, 0 },
	     { OP_OPEN, 0, 1, 0, 0, UPROBE, DISABLED, 0 },
	     { OP_OPEN, 0, 2, 0, 0, UPROBE, DISABLED, 0 },
	     { OP_ENABLE, 0, 0, -1, -1, -1, GROUP, 0 },
	     { OP_FIRE, 0, 0, -1, -1, UPROBE, 0, 2 },
	     { OP_READ, 0, 1, -1, -1, -1, 0, 0 },
	     { OP_READ, 0, 2, -1, -1, -1, 0, 0 }),
	LIFE("a member that was disabled and enabled needs its leader as before",
	     { OP_OPEN, 0, 0, -1, 0, UPROBE, 0, 0 },
	     { OP_OPEN, 0, 1, 0, 0, UPROBE, 0, 0 },
	     { OP_DISABLE, 0, 1, -1, -1, -1, 0, 0 },
	     { OP_ENABLE, 0, 1, -1, -1, -1, 0, 0 },
	     { OP_DISABLE, 0, 0, -1, -1, -1, 0, 0 },
	     { OP_FIRE, 0, 0, -1, -1, UPROBE, 0, 2 },
	     { OP_READ, 0, 1, -1, -1, -1, 0, 0 }),
	LIFE("a period is changed twice",
	     { OP_OPEN, 0, 0, -1, 0, BREAKPOINT, 0, 1 },
	     { OP_PROG_LOAD, 0, 1, -1, -1, FOR_SAMPLES, RETURNS_1, 0 },
	     { OP_SET_BPF, 0, 0, 1, -1, -1, 0, 0 },
	     { OP_PERIOD, 0, 0, -1, -1, -1, 0, 2 },
	     { OP_PERIOD, 0, 0, -1, -1, -1, 0, 3 },
	     { OP_FIRE, 0, 0, -1, -1, BREAKPOINT, 0, 6 }),
	LIFE("a limit of REFRESH remains while the event is disabled",
	     { OP_OPEN, 0, 0, -1, 0, BREAKPOINT, 0, 1 },
	     { OP_PROG_LOAD, 0, 1, -1, -1, FOR_SAMPLES, RETURNS_1, 0 },
	     { OP_SET_BPF, 0, 0, 1, -1, -1, 0, 0 },
	     { OP_REFRESH, 0, 0, -1, -1, -1, 0, 2 },
	     { OP_DISABLE, 0, 0, -1, -1, -1, 0, 0 },
	     { OP_ENABLE, 0, 0, -1, -1, -1, 0, 0 },
	     { OP_FIRE, 0, 0, -1, -1, BREAKPOINT, 0, 4 }),
	LIFE("MODIFY_ATTRIBUTES moves the breakpoints of children",
	     { OP_OPEN, 0, 0, -1, 0, BREAKPOINT, INHERIT, 1 },
	     { OP_FORK, 0, -1, -1, 1, -1, 0, 0 },
	     { OP_MODIFY, 0, 0, -1, -1, 1, INHERIT, 1 },
	     { OP_FIRE, 1, 1, -1, -1, BREAKPOINT, 0, 2 },
	     { OP_READ, 0, 0, -1, -1, -1, 0, 0 }),
	LIFE("PR_TASK_PERF_EVENTS_DISABLE disables each event of the process",
	     { OP_OPEN, 0, 0, -1, 0, UPROBE, 0, 0 },
	     { OP_OPEN, 0, 1, -1, 0, UPROBE, 0, 0 },
	     { OP_OPEN, 0, 2, -1, 0, UPROBE, 0, 0 },
	     { OP_TASK_DISABLE, 0, -1, -1, -1, -1, 0, 0 },
	     { OP_FIRE, 0, 0, -1, -1, UPROBE, 0, 2 },
	     { OP_READ, 0, 0, -1, -1, -1, 0, 0 },
	     { OP_READ, 0, 1, -1, -1, -1, 0, 0 },
	     { OP_READ, 0, 2, -1, -1, -1, 0, 0 }),
	LIFE("a child that executes another program keeps the events that it has inherited",
	     { OP_OPEN, 0, 0, -1, 0, UPROBE, INHERIT, 0 },
	     { OP_FORK, 0, -1, -1, 1, -1, 0, 0 },
	     { OP_EXEC, 1, -1, -1, -1, -1, 0, 0 },
	     { OP_FIRE, 1, 0, -1, -1, UPROBE, 0, 2 },
	     { OP_READ, 0, 0, -1, -1, -1, 0, 0 }),
	LIFE("a child's event is disabled if that of its parent is",
	     { OP_OPEN, 0, 0, -1, 0, UPROBE, INHERIT, 0 },
	     { OP_DISABLE, 0, 0, -1, -1, -1, 0, 0 },
	     { OP_FORK, 0, -1, -1, 1, -1, 0, 0 },
	     { OP_FIRE, 1, 0, -1, -1, UPROBE, 0, 2 },
	     { OP_READ, 0, 0, -1, -1, -1, 0, 0 }),
	LIFE("a program that is bound by ioctl has cookie 0 after a link that had another",
	     { OP_OPEN, 0, 0, -1, 0, PAGE_FAULTS, 0, 1 },
	     { OP_PROG_LOAD, 0, 1, -1, -1, FOR_SAMPLES, 0, 0 },
	     { OP_LINK_CREATE, 0, 2, 0, 1, -1, 0, 7 },
	     { OP_CLOSE, 0, 2, -1, -1, -1, 0, 0 },
	     { OP_SET_BPF, 0, 0, 1, -1, -1, 0, 0 },
	     { OP_FIRE, 0, 0, -1, -1, PAGE_FAULTS, 0, 2 }),
};

/* In a process of its own: descriptors with fixed numbers stay open. */
static void make(struct progress *p, const struct life_row *row, unsigned int kernel, char *said,
		 size_t size)
{
	static struct walk w;
	struct life life = { .nr = row->nr };
	struct difference d;
	const char *lacks = actors_begin(&w.world);

	for (unsigned int i = 0; !lacks && i < row->nr; i++)
		if (row->ops[i].code == OP_OPEN && !w.world.has[row->ops[i].what])
			lacks = "an event that a step opens";
	if (lacks) {
		snprintf(said, size, "%s", lacks);
		_exit(4);
	}
	w.progress = p;
	w.kernel = kernel;
	memcpy(life.ops, row->ops, row->nr * sizeof(row->ops[0]));
	walk_again(&w, &life, &d);
	snprintf(said, size, "step %u: %s", d.step, d.text);
	_exit(d.is);
}

static void life(struct regress *t)
{
	struct { struct progress p; char said[512]; } *room;
	int status = 0;
	pid_t pid;

	room = mmap(NULL, sizeof(*room), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	regress_expect(t, room != MAP_FAILED, "mmap: %m");
	pid = fork();
	if (!pid)
		make(&room->p, t->data, t->kernel, room->said, sizeof(room->said));
	regress_expect(t, waitpid(pid, &status, 0) == pid && WIFEXITED(status), "status %#x", status);
	if (WEXITSTATUS(status) == 4)
		regress_skip(t, "this machine lacks %s", room->said);
	regress_expect(t, !WEXITSTATUS(status), "%s", room->said);
	munmap(room, sizeof(*room));
}

static void fill(struct regress_list *list)
{
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, life, &rows[i], "%s", rows[i].name);
}

const struct regress_group regress_group_lives = {
	"lives", "sequences of calls that were not as a model said", NULL, fill, __FILE__
};
