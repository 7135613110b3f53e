// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers in a program that runs in an interrupt, where some of them behave differently. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "loader/base/calls/processes.h"
#include "test/regress/groups/helpers/helper_run.h"

static volatile uint64_t word __attribute__((aligned(8)));

static void begin(struct regress *t, struct helper_run *h, const struct helper *helper)
{
	const char *answer = helper_load(t, &h->o, helper);

	if (strcmp(answer, "accepted"))
		regress_skip(t, "bpf_%s() cannot be called here: %s", helper->name, answer);
}

static int prog_of(struct regress *t, const struct helper_run *h, const struct helper *helper)
{
	char prog[64];

	snprintf(prog, sizeof(prog), "do_%s", helper->name);
	return regress_prog(t, &h->o, prog);
}

static void write_user(struct regress *t)
{
	static const struct helper helper = { "probe_write_user", "helpers_memory" };
	struct helper_run h = { 0 };

	begin(t, &h, &helper);
	word = 0;
	h.io.in[0] = (uintptr_t)&word;
	h.io.in[2] = 1;
	helper_by_clock(t, &h, prog_of(t, &h, &helper));
	helper_returned(t, &h, 0, -EPERM);
	regress_expect(t, !word, "it has written all the same");
	helper_end(t, &h);
}

static void read_user(struct regress *t)
{
	static const struct helper helper = { "probe_read_user", "helpers_memory" };
	struct helper_run h = { 0 };

	begin(t, &h, &helper);
	word = 0x0102030405060708;
	h.io.in[0] = (uintptr_t)&word;
	helper_by_clock(t, &h, prog_of(t, &h, &helper));
	helper_returned(t, &h, 0, 0);
	regress_expect(t, h.io.out[0] == word, "0x%llx was read", (unsigned long long)h.io.out[0]);
	helper_end(t, &h);
}

static volatile sig_atomic_t received;

static void receive(int signo)
{
	(void)signo;
	received = 1;
}

static bool was_received(void *arg)
{
	(void)arg;
	return received;
}

static void send_signal(struct regress *t)
{
	const struct helper *helper = t->data;
	struct helper_run h = { 0 };

	signal(SIGUSR1, receive);
	begin(t, &h, helper);
	h.io.in[0] = SIGUSR1;
	helper_by_clock(t, &h, prog_of(t, &h, helper));
	regress_expect(t, regress_until(was_received, NULL), "no signal has come");
	helper_end(t, &h);
}

/* --- one that would interrupt another --- */

static uint64_t runs(struct regress *t, struct helper_run *h)
{
	const uint32_t key = 0;

	regress_ok(t, map_lookup(t->sys, h->io_fd, &key, &h->io), NULL, "asking it");
	return h->io.runs;
}

/* Stops at accesses of @word. */
static void watch(struct regress *t, struct helper_run *h)
{
	static const struct helper helper = { "get_prandom_u32", "helpers" };
	const uint32_t key = 0;
	struct error err = { 0 };
	char event[64];

	begin(t, h, &helper);
	snprintf(event, sizeof(event), "mem:0x%llx/8:rw,period=1",
		 (unsigned long long)(uintptr_t)&word);
	helper_bind_to(t, h, event, prog_of(t, h, &helper), "ioctl", 0);
	h->io.page = (uintptr_t)&word & ~(uintptr_t)4095;
	regress_ok(t, map_update(t->sys, h->io_fd, &key, &h->io, BPF_ANY), NULL, "telling it");
	regress_ok(t, attach_enable(t->sys, &h->set, &err), &err, "enable");
}

/*
 * bpf_overflow_handler() in kernel/events/core.c counts active programs per CPU, and runs one at a
 * time: further ones are skipped silently.
 */
static void no_other(struct regress *t)
{
	static const struct helper helper = { "probe_read_user", "helpers_memory" };
	struct helper_run reader, watcher = { 0 };
	uint64_t before;
	int pipe_fds[2];

	regress_ok(t, sys_pipe(t->sys, pipe_fds), NULL, "a pipe");
	helper_begin(t, &reader, &helper);
	watch(t, &watcher);
	before = runs(t, &watcher);
	/* The kernel reads it for us. */
	regress_ok(t, sys_write(t->sys, pipe_fds[1], (const void *)&word, 8), NULL, "write");
	if (runs(t, &watcher) == before)
		regress_skip(t, "breakpoints do not see what the kernel reads here");
	before = runs(t, &watcher);
	reader.io.in[0] = (uintptr_t)&word;
	helper_fire(t, &reader);
	helper_returned(t, &reader, 0, 0);
	regress_expect(t, runs(t, &watcher) == before, "it has run while another one did");
	sys_close(t->sys, pipe_fds[0]);
	sys_close(t->sys, pipe_fds[1]);
	helper_end(t, &watcher);
	helper_end(t, &reader);
}

static const struct helper signal_process = { "send_signal", "helpers" };
static const struct helper signal_thread = { "send_signal_thread", "helpers" };

static const struct regress_test tests[] = {
	{ "bpf_probe_write_user is EPERM, and writes nothing", write_user },
	{ "bpf_probe_read_user has the bytes of the task that was interrupted", read_user },
	{ "bpf_send_signal is received", send_signal, &signal_process },
	{ "bpf_send_signal_thread is received", send_signal, &signal_thread },
	{ "no other perf_event program runs while one does", no_other },
	{ 0 }
};

const struct regress_group regress_group_helpers_interrupt = {
	"helpers_interrupt", "helpers in a program that runs in an interrupt", tests, NULL, __FILE__
};
