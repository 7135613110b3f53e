// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Block the signals that would terminate the process, and read them from a descriptor. */
#include <signal.h>
#include <sys/signalfd.h>

#include "loader/core/print/stop_signals.h"
#include "loader/core/sys/sys.h"

#define SIGNAL(signo) (UINT64_C(1) << ((signo) - 1))

/* Signals that by default stop or continue a process or are ignored. */
#define HARMLESS (SIGNAL(SIGCHLD) | SIGNAL(SIGCONT) | SIGNAL(SIGSTOP) | SIGNAL(SIGTSTP) | \
		  SIGNAL(SIGTTIN) | SIGNAL(SIGTTOU) | SIGNAL(SIGURG) | SIGNAL(SIGWINCH))

/* The kernel sends these for faults, even if blocked; sanitizers handle them. */
#define FAULTS (SIGNAL(SIGILL) | SIGNAL(SIGTRAP) | SIGNAL(SIGBUS) | SIGNAL(SIGFPE) | \
		SIGNAL(SIGSEGV) | SIGNAL(SIGSYS))

/* write(2) raises these and also returns EPIPE or EFBIG. */
#define OF_WRITES (SIGNAL(SIGPIPE) | SIGNAL(SIGXFSZ))

int signals_block(struct sys *sys, uint64_t *before, struct error *err)
{
	int ret = sys_sigprocmask(sys, SIG_BLOCK, ~(HARMLESS | FAULTS), before);

	if (ret < 0) {
		error_set(err, -ret, "%s", error_strerror(-ret));
		error_reason(err, "pload/signals");
		error_where(err, "blocking signals");
	}
	return ret;
}

int stop_signals_open(struct sys *sys, struct error *err)
{
	int ret = signals_block(sys, NULL, err);

	if (ret < 0)
		return ret;
	ret = sys_signalfd(sys, ~(HARMLESS | FAULTS | OF_WRITES), SFD_CLOEXEC);
	if (ret < 0) {
		error_set(err, -ret, "%s", error_strerror(-ret));
		error_reason(err, "pload/signals");
		return error_where(err, "waiting for signals");
	}
	return ret;
}

bool stop_signal_came(struct sys *sys, int signal_fd)
{
	struct pollfd fd = { .fd = signal_fd, .events = POLLIN };

	return sys_poll(sys, &fd, 1, 0) > 0 && fd.revents & POLLIN;
}
