// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A program is detached while the kernel has no memory for a shorter list of programs: one
 * allocation of close(2) fails after the other.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/common/happen.h"
#include "test/regress/common/others.h"
#include "test/regress/common/probed.h"

#define TIMES 5
#define CALLS_MAX 50	/* more than close(2) allocates */
#define FAILSLAB "/sys/kernel/debug/failslab/"

/* A file of the kernel's fault injection (Documentation/fault-injection/fault-injection.rst). */
static bool set(const char *path, const char *value)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	const bool ok = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);

	if (fd >= 0)
		close(fd);
	return ok;
}

/*
 * The number N in this file makes the Nth allocation of this thread fail; allocations that may wait
 * for memory count only if failslab is set so. No other task is affected, so that the number may
 * stay.
 */
static int injection(struct regress *t)
{
	const int fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);

	if (fd < 0 || !set(FAILSLAB "ignore-gfp-wait", "N") || !set(FAILSLAB "verbose", "0"))
		regress_skip(t, "no fault injection: CONFIG_FAILSLAB and debugfs");
	return fd;
}

static void arm(struct regress *t, int fd, unsigned int nth)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", nth);
	regress_expect(t, pwrite(fd, text, strlen(text), 0) == (ssize_t)strlen(text),
		       "fail-nth: %s", strerror(errno));
}

/* Has the armed allocation failed? Nothing fails afterwards. */
static bool disarm(struct regress *t, int fd)
{
	char text[16] = "";
	const ssize_t len = pread(fd, text, sizeof(text) - 1, 0);

	arm(t, fd, 0);
	regress_expect(t, len > 0, "fail-nth: %s", strerror(errno));
	return strtoul(text, NULL, 10) == 0;
}

static uint64_t runs_of(struct regress *t, const struct regress_object *o)
{
	return io_get(t, o).runs;
}

static void load(struct regress *t, struct regress_object *o, const char *prog)
{
	struct context_io io = { .answer = 1 };

	io_ours(t, &io);
	regress_load(t, o, "context", prog);
	io_put(t, o, &io);
}

/* The row of a test: an event that several programs share, and a program for it. */
struct row {
	const char *event, *prog;
	enum happen_how how;
};

/* Closes the descriptor that keeps the program on the event: the link, or else the event itself. */
static void let_go(struct happen *h)
{
	int *fd = h->e.a.link_fd >= 0 ? &h->e.a.link_fd : &h->e.a.event_fd;

	close(*fd);
	*fd = -1;
}

/*
 * If no memory is available the kernel keeps the array at its length, and must replace the program
 * that is removed by a dummy that does nothing (bpf_prog_array_delete_safe()).
 */
static void leaves(struct regress *t)
{
	const struct row *row = t->data;
	const int fd = injection(t);
	struct regress_object stays;
	struct happen first;
	unsigned int nth = 0;
	bool failed = true;

	load(t, &stays, row->prog);
	happen_open(t, &first, row->how, NULL, row->event);
	others_none(t, first.e.a.event_fd, row->event);
	happen_bind(&first, &stays, row->prog, 0);
	while (failed && nth < CALLS_MAX) {
		struct regress_object o;
		uint64_t runs, kept;
		struct happen h;

		load(t, &o, row->prog);
		happen_attach(t, &h, row->how, row->event, &o, row->prog);
		arm(t, fd, ++nth);
		let_go(&h);
		failed = disarm(t, fd);
		runs = runs_of(t, &o);
		kept = runs_of(t, &stays);
		for (int i = 0; i < TIMES; i++)
			probed_getppid();
		runs = runs_of(t, &o) - runs;
		kept = runs_of(t, &stays) - kept;
		regress_expect(t, !runs, "allocation %u: %" PRIu64 " runs after the close", nth,
			       runs);
		regress_expect(t, kept == TIMES, "allocation %u: %" PRIu64
			       " runs of %d of the program that stays", nth, kept, TIMES);
		happen_close(&h);
		regress_unload(t, &o);
	}
	regress_expect(t, nth > 1, "close(2) has allocated nothing");
	regress_note(t, "%u allocations have failed", nth - 1);
	happen_close(&first);
	regress_unload(t, &stays);
	close(fd);
}

static const struct row by_ioctl = { "syscalls:sys_exit_getppid", "tp_exit", BY_IOCTL };
static const struct row by_link = { "syscalls:sys_exit_getppid", "tp_exit", BY_LINK };

static const struct regress_test tests[] = {
	{ "tracepoint by ioctl: it never runs after its event was closed", leaves, &by_ioctl, 0 },
	{ "tracepoint by link: it never runs after its link was closed", leaves, &by_link, 0 },
	{ 0 }
};

const struct regress_group regress_group_short_memory = {
	"short_memory", "a program is detached while the kernel has no memory", tests,
	NULL, __FILE__
};
