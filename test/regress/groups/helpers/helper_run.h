/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For tests of helpers: a program on the page faults of this thread, and one fault for it. */
#ifndef PLOAD_REGRESS_HELPER_RUN_H
#define PLOAD_REGRESS_HELPER_RUN_H

#include "loader/core/attach/attach.h"
#include "test/regress/bpf/helper_io.h"
#include "test/regress/harness/regress.h"
#include "loader/core/event/scope.h"

/* A helper and the program that calls it. */
struct helper {
	const char *name;	/* "map_lookup_elem": without bpf_ */
	const char *object;	/* test/regress/bpf/OBJECT.bpf.c, which has do_NAME */
};

/*
 * helper_load() - load the program. Returns "accepted", or why it is refused: "no such helper" (for
 * this type), "might sleep", "not with its map", "not for this type", "no such map", "no such
 * argument" (the kernel has nothing to call it with), "too old" (for something else in the
 * program), "no JIT", "no privilege", "refused". Static. regress_unload() in any case.
 * helper_is_lacking() - whether that answer means that this kernel lacks something.
 */
const char *helper_load(struct regress *t, struct regress_object *o, const struct helper *helper);
bool helper_is_lacking(const char *answer);

/* A program that is loaded, and its event. */
struct helper_run {
	struct regress_object o;
	struct helper_io io;	/* its input and its output */
	int io_fd;		/* borrowed */
	struct event_spec spec;
	struct event_scope scope;
	struct attach_set set;
	unsigned char *pages;	/* owned; none of them touched */
	unsigned int next;
};

/*
 * helper_begin() - load the program, bind it to "page-faults,period=1" of this thread, not enabled.
 * Ends the test where this kernel has no such helper. helper_end() gives all back.
 */
void helper_begin(struct regress *t, struct helper_run *h, const struct helper *helper);
void helper_end(struct regress *t, struct helper_run *h);

/* A test between the two. HELPER_TEST() stands for what follows the sentence of a regress_test. */
struct helper_test {
	struct helper helper;
	void (*run)(struct regress *t, struct helper_run *h);
};

void helper_test(struct regress *t);

#define HELPER_TEST(name_, object_, run_) \
	helper_test, &(const struct helper_test){ { name_, object_ }, run_ }, 0, \
	(void (*)(void))run_

/* helper_bind() - the same for an object that is loaded (h->o), and one of its programs. */
void helper_bind(struct regress *t, struct helper_run *h, int prog_fd, const char *method,
		 uint64_t cookie);

/*
 * helper_fire() - pass the input in h->io to the program, trigger one page fault, and read the
 * results back into h->io. Fails if the program did not run.
 */
void helper_fire(struct regress *t, struct helper_run *h);

/* helper_bind_to() - bind to another event of this thread. There are no pages for helper_fire(). */
void helper_bind_to(struct regress *t, struct helper_run *h, const char *event, int prog_fd,
		    const char *method, uint64_t cookie);

/*
 * helper_by_clock() - the same without helper_bind(): the interrupt of a clock of this thread runs
 * the program, while the thread computes; in later interrupts it only counts. It is repeated after
 * EFAULT, which s390x returns when there is no user space at the moment. The program @prog_fd is of
 * h->o.
 */
void helper_by_clock(struct regress *t, struct helper_run *h, int prog_fd);

/*
 * helper_returned() - check that the program's call number @nr returned @want: 0, a count, or
 * -errno.
 */
void helper_returned(struct regress *t, const struct helper_run *h, unsigned int nr, int64_t want);

/*
 * helper_returned_int() - the same for a helper of maps: until Linux 6.4 these return an int, and
 * the bits above its 32 depend on the architecture.
 */
void helper_returned_int(struct regress *t, const struct helper_run *h, unsigned int nr, int want);

#endif
