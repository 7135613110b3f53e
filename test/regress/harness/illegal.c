// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* On s390x, an instruction may be reported as illegal just after a uprobe was removed from it. */
#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

#include "test/regress/harness/run.h"

#ifdef __s390x__

/*
 * The limit for one test. An instruction that really is illegal reaches it quickly, because it is
 * repeated.
 */
#define MOST 1000

static struct regress_shared *shared;

/*
 * illegal_op() in arch/s390/kernel/traps.c reads the instruction again to see whether it belongs to
 * a uprobe. If another CPU has removed the uprobe since this one stopped at it, illegal_op() finds
 * the original instruction, and sends SIGILL for it.
 */
static void do_again(int signo, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	if (info->si_code == ILL_ILLOPC &&
	    __atomic_add_fetch(&shared->nr_illegal, 1, __ATOMIC_RELAXED) <= MOST) {
		interrupted->uc_mcontext.psw.addr = (uintptr_t)info->si_addr;
		return;
	}
	signal(signo, SIG_DFL);
	raise(signo);
}

void illegal_begin(struct regress_shared *of)
{
	const struct sigaction action = { .sa_sigaction = do_again, .sa_flags = SA_SIGINFO };

	shared = of;
	sigaction(SIGILL, &action, NULL);
}

#else

void illegal_begin(struct regress_shared *of)
{
	(void)of;
}

#endif
