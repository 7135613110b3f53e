/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Kinds of events, each with work that triggers it: rows of the groups' tables. */
#ifndef PLOAD_REGRESS_KINDS_H
#define PLOAD_REGRESS_KINDS_H

#include "loader/compare/measure/compare.h"
#include "test/regress/harness/regress.h"

/* The family of an event, which determines when and how the kernel runs a program on it. */
enum kind_is {
	KIND_COUNTED = 1,	/* the program runs when the counter overflows */
	KIND_TRACEPOINT = 2,
	KIND_KPROBE = 4, KIND_KRETPROBE = 8,
	KIND_UPROBE = 16, KIND_URETPROBE = 32,
};

#define KIND_KPROBES (KIND_KPROBE | KIND_KRETPROBE)
#define KIND_UPROBES (KIND_UPROBE | KIND_URETPROBE)
#define KIND_PROBES (KIND_KPROBES | KIND_UPROBES)
#define KIND_TRACED (KIND_TRACEPOINT | KIND_PROBES)
#define KIND_ALL (KIND_COUNTED | KIND_TRACED)

struct kind {
	const char *name;	/* in the names of tests */
	/*
	 * This is the text for event_parse(). In it, %w is replaced by the address of
	 * firing_watched, %f by that of firing_function(), %u by the file offset of firing_function(),
	 * and %g by the name of the kernel's function that getppid() calls.
	 */
	const char *event;
	unsigned int is;	/* KIND_* */
};

/* The four ways to attach, as bits, in the order of the cells of a compare_subject. */
enum {
	CELL_TYPE_IOCTL = 1, CELL_TYPE_LINK = 2, CELL_PMU_IOCTL = 4, CELL_PMU_LINK = 8,
	CELLS_TYPE = 3, CELLS_PMU = 12, CELLS_IOCTL = 5, CELLS_LINK = 10, CELLS_ALL = 15,
};

#define KIND_COOKIE UINT64_C(0xc0ffee0123456789)

/*
 * kind_begin() - describe the event in @spec, and in @s the subject to attach to it, with
 * KIND_COOKIE as cookie. Ends the test if the event cannot be described. If the program cannot be
 * loaded, s->no_prog has the error. The caller ends with kind_end().
 */
void kind_begin(struct regress *t, const struct kind *kind, struct event_spec *spec,
		struct compare_subject *s);
void kind_end(struct compare_subject *s);

/* kind_cell_name() - of cell 0 to 3 of @kind: "tracefs+link". Static. */
const char *kind_cell_name(const struct kind *kind, unsigned int cell);

/*
 * kind_program() - a program of @type (BPF_PROG_TYPE_*) that returns @retval and does nothing else.
 * The descriptor, owned, or -errno.
 */
int kind_program(struct regress *t, uint32_t type, int32_t retval);

/*
 * kind_two_cpus() - the two lowest CPUs on which this process may run; or the test is skipped.
 * kind_move_to() - run on @cpu only.
 */
void kind_two_cpus(struct regress *t, int cpus[2]);
void kind_move_to(struct regress *t, int cpu);

/*
 * A number of /proc/sys that has to be @wanted for a while. kind_sysctl_begin() returns false, with
 * the cause in @why, if it cannot be set; kind_sysctl_end() restores the old value.
 */
struct kind_sysctl {
	const char *path;
	char was[32];		/* "": it already had that value, or does not exist */
};
bool kind_sysctl_begin(struct kind_sysctl *set, const char *path, const char *wanted);
void kind_sysctl_end(struct kind_sysctl *set);

/*
 * A cgroup of cgroup2 has perf events of its own only when some controller is enabled for the
 * root's children: kind_controller_begin() enables one, if there is a cgroup2 and none was enabled,
 * and _end() disables it again.
 */
struct kind_controller {
	char path[512];		/* cgroup.subtree_control; "": nothing to take back */
	char name[32];
};
void kind_controller_begin(struct regress *t, struct kind_controller *c);
void kind_controller_end(struct kind_controller *c);

#endif
