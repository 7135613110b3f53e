/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The steps of a random life of attachments, and what a step answers: model, kernel and reports share it. */
#ifndef PLOAD_RANDOM_OP_H
#define PLOAD_RANDOM_OP_H

#include <stdbool.h>
#include <stdint.h>

enum {
	NR_PROCS = 4,		/* processes that act; 0 exists from the beginning */
	NR_FDS = 16,		/* descriptors of each that steps name */
	FIRST_CLOEXEC = 8,	/* those from here on are closed by execve(2) */
	NR_PINS = 4,
	NR_TRANSIT = 4,		/* descriptors in the socket at a time */
	NR_OBJECTS = 48,	/* of a kind, in one sequence */
	STEPS_MAX = 200,	/* ... that are chosen */
};

enum kind { NOTHING, EVENT, PROG, MAP, LINK };

/* The types of events. The first NR_TRACING are tracing events, the others sampling events. */
enum event_type { TRACEPOINT, UPROBE, URETPROBE, PAGE_FAULTS, BREAKPOINT, NR_TYPES, NR_TRACING = PAGE_FAULTS };

/* Programs, by what they may be bound to. */
enum prog_type { FOR_TRACEPOINT, FOR_PROBE, FOR_SAMPLES, NR_PROG_TYPES };

/*
 * The steps. Every one is made by the process @who. "fd" and "fd2" number descriptors of it. A step
 * that creates a descriptor makes it @fd, and closes what that was before.
 */
#define OPS(X) \
	X(MAP_CREATE)	/* fd */ \
	X(PROG_LOAD)	/* fd, for prog_type @what, with the map fd2 (or -1); RETURNS_1 */ \
	X(OPEN)		/* fd, of event_type @what, in the group of fd2 (or -1), of process @other \
			   (or -1: of the CPU), period @n (0: it only counts); INHERIT, DISABLED */ \
	X(SET_BPF)	/* fd, fd2: event, program */ \
	X(LINK_CREATE)	/* fd, fd2, other: link, event, program; cookie @n */ \
	X(LINK_UPDATE)	/* fd, fd2: link, program */ \
	X(LINK_DETACH)	/* fd */ \
	X(ENABLE)	/* fd; GROUP */ \
	X(DISABLE)	/* fd; GROUP */ \
	X(RESET)	/* fd; GROUP */ \
	X(REFRESH)	/* fd, n */ \
	X(PERIOD)	/* fd, n */ \
	X(MODIFY)	/* fd: PERF_EVENT_IOC_MODIFY_ATTRIBUTES to breakpoint @what (0, 1), period @n; \
			   INHERIT, DISABLED */ \
	X(SET_OUTPUT)	/* fd, fd2 (or -1) */ \
	X(READ)		/* fd */ \
	X(INFO)		/* fd: BPF_OBJ_GET_INFO_BY_FD, and /proc/self/fdinfo */ \
	X(TASK_QUERY)	/* fd of process @other: BPF_TASK_FD_QUERY */ \
	X(QUERY_BPF)	/* fd: PERF_EVENT_IOC_QUERY_BPF */ \
	X(DUP)		/* fd2 as fd */ \
	X(SEND)		/* fd, into the socket */ \
	X(RECEIVE)	/* fd, the oldest of the socket */ \
	X(GETFD)	/* fd2 of process @other as fd */ \
	X(CLOSE)	/* fd */ \
	X(PIN)		/* fd as name @what */ \
	X(UNPIN)	/* name @what */ \
	X(OBJ_GET)	/* fd, from name @what */ \
	X(TASK_DISABLE)	/* prctl(PR_TASK_PERF_EVENTS_DISABLE) */ \
	X(TASK_ENABLE) \
	X(FORK)		/* process @other begins */ \
	X(EXEC)		/* this program again */ \
	X(EXIT) \
	X(KILL)		/* process @other */ \
	X(FIRE)		/* what event_type @what counts happens @n times; for a breakpoint, at \
			   variable fd (0, 1) */

#define OP_ENUM(name) OP_##name,
enum op_code { OPS(OP_ENUM) NR_OPS };

enum { INHERIT = 1, DISABLED = 2, GROUP = 4, RETURNS_1 = 8 };

struct op {
	uint8_t code, who;
	int8_t fd, fd2, other, what;
	uint8_t flags;
	uint32_t n;
};

/* --- what a step answers --- */

enum fact_what {
	RUNS,		/* of program @object, with cookie @key: @value */
	COUNT,		/* of the event */
	IS_PROG, IS_MAP, IS_LINK,	/* the id that a query answered is that of the object @value */
	OF_PROG,	/* ... of a link's program */
	COOKIE, LINK_EVENT_TYPE, PROG_TYPE, NR_PROG_MAPS,
	BOUND,		/* program @object is bound to the tracepoint */
	NR_FACTS_WHAT
};

struct fact {
	uint8_t what;
	int8_t object;
	uint64_t key, value;
};

enum { NR_FACTS = 24 };

struct answer {
	int err;		/* 0 or an error's number */
	unsigned int nr;
	struct fact facts[NR_FACTS];
};

static inline void answer_add(struct answer *a, enum fact_what what, int object, uint64_t key,
			      uint64_t value)
{
	if (a->nr < NR_FACTS)
		a->facts[a->nr++] = (struct fact){ .what = what, .object = object, .key = key,
						   .value = value };
}

#endif
