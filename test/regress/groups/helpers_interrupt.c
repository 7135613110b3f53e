// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers in a program that runs in an interrupt, where not all do what they do elsewhere. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "test/regress/groups/helper_run.h"

static volatile uint64_t word;

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

static const struct helper signal_process = { "send_signal", "helpers" };
static const struct helper signal_thread = { "send_signal_thread", "helpers" };

static const struct regress_test tests[] = {
	{ "bpf_probe_write_user is EPERM, and writes nothing", write_user, NULL, 0 },
	{ "bpf_probe_read_user has the bytes of the task that was interrupted", read_user, NULL, 0 },
	{ "bpf_send_signal is received", send_signal, &signal_process, 0 },
	{ "bpf_send_signal_thread is received", send_signal, &signal_thread, 0 },
	{ 0 }
};

const struct regress_group regress_group_helpers_interrupt = {
	"helpers_interrupt", "helpers in a program that runs in an interrupt", tests, NULL
};
