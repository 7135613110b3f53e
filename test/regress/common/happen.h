/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An event of this thread, opened with whatever attributes a test needs, and a program from
 * test/regress/bpf bound to it.
 */
#ifndef PLOAD_REGRESS_HAPPEN_H
#define PLOAD_REGRESS_HAPPEN_H

#include "loader/compare/measure/compare.h"
#include "test/regress/bpf/context_io.h"
#include "test/regress/harness/regress.h"

/* How to attach: the cells of compare.h. */
enum happen_how { BY_IOCTL, BY_LINK, BY_PMU, BY_PMU_LINK };

struct happen {
	struct regress *t;
	struct event_spec spec;
	struct compare_subject s;
	const struct compare_cell *cell;
	struct compare_event e;
};

/*
 * happen_open() - open the event @text, disabled; @change (may be NULL) may change its attributes
 * before. Ends the test if that is refused. happen_try() - return 0 or -errno with @err instead.
 * happen_open_on() - only for the time in which the thread runs on @cpu.
 * happen_open_uprobe() - open a uprobe at the beginning of @function in this program, or with @ret
 * at its return. happen_close() closes the event in any case.
 */
void happen_open(struct regress *t, struct happen *h, enum happen_how how,
		 void (*change)(struct perf_event_attr *attr), const char *text);
int happen_try(struct regress *t, struct happen *h, enum happen_how how,
	       void (*change)(struct perf_event_attr *attr), const char *text, struct error *err);
void happen_open_on(struct regress *t, struct happen *h, enum happen_how how, int cpu,
		    void (*change)(struct perf_event_attr *attr), const char *text);
void happen_open_uprobe(struct regress *t, struct happen *h, enum happen_how how,
			const void *function, bool ret);
void happen_close(struct happen *h);

/*
 * happen_bind() - bind the program @name of @o with @cookie, which only links accept, and enable
 * the event. happen_attach() - open the event before that.
 */
void happen_bind(struct happen *h, const struct regress_object *o, const char *name,
		 uint64_t cookie);
void happen_attach(struct regress *t, struct happen *h, enum happen_how how, const char *text,
		   const struct regress_object *o, const char *name);

/*
 * happen_ioctl() - call ioctl(2) on the event. Returns 0 or -errno. happen_must() ends the test on
 * failure.
 */
int happen_ioctl(const struct happen *h, unsigned long request, unsigned long arg);
void happen_must(const struct happen *h, unsigned long request, unsigned long arg,
		 const char *name);

/* happen_count() - the count of the event. */
uint64_t happen_count(const struct happen *h);

/*
 * io_put(), io_get() - the value of the map "io". io_ours(): of this task only, which gets a name
 * of its own; for events that run their program for every task.
 */
void io_put(struct regress *t, const struct regress_object *o, const struct context_io *io);
struct context_io io_get(struct regress *t, const struct regress_object *o);
void io_ours(struct regress *t, struct context_io *io);

/* A page that has not been touched. happen_page_free() */
volatile uint64_t *happen_page(struct regress *t);
void happen_page_free(volatile uint64_t *page);

/*
 * happen_touch() - call known_store() on @nr such pages one after the other. Returns the address of
 * the last one. A page may fault again before it is mapped: s390x does that for one page in some
 * ten thousand. So @nr is the minimum, and the event's count the maximum. happen_ran() - check that
 * the program has run so often for @nr pages, if the event's count was not reset.
 */
uint64_t happen_touch(struct regress *t, unsigned int nr);
void happen_ran(const struct happen *h, const struct context_io *io, unsigned int nr);

#endif
