// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * C++ and Rust function names as in the source, like perf without parameter types:
 *
 *	_ZN3foo3barEi			foo::bar
 *	_RNvCs1234_7mycrate3foo		mycrate::foo
 */
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include <libiberty/demangle.h>

#include "loader/profile/symbolize/symbolize_internal.h"

/* Compilers write longer ones, but nobody reads them. */
#define MANGLED_MAX 1024
#define CPU_TIME_US 20000

/*
 * The library has no limits and cannot be stopped. A name of a hundred bytes may expand to
 * gigabytes, because each reference in it may double the text, or loop 2^47 times without output.
 * Its state is on the stack, so jump out of it when the buffer is full or a CPU timer expires.
 */
struct shown {
	char *text;	/* of SYMBOL_NAME_MAX bytes */
	size_t len;
};

enum { DEMANGLING, FULL, TIMED_OUT };
static sigjmp_buf leave;	/* global, because a signal handler takes no argument */

static void append(const char *text, size_t len, void *arg)
{
	struct shown *shown = arg;
	const size_t room = SYMBOL_NAME_MAX - shown->len;

	memcpy(shown->text + shown->len, text, len < room ? len : room);
	shown->len += len < room ? len : room;
	if (len >= room)
		siglongjmp(leave, FULL);
}

static void time_out(int signo)
{
	(void)signo;
	siglongjmp(leave, TIMED_OUT);
}

static void set_timer(long us)
{
	const struct itimerval timer = { .it_value.tv_usec = us };

	setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

/* Older Rust names look like C++ names and end in a hash. */
static bool demangle(const char *name, struct shown *shown)
{
	const struct sigaction action = { .sa_handler = time_out };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	volatile bool known = false;

	sigaction(SIGVTALRM, &action, NULL);
	switch (sigsetjmp(leave, 1)) {
	case DEMANGLING:
		set_timer(CPU_TIME_US);
		known = rust_demangle_callback(name, DMGL_NO_OPTS, append, shown) ||
			cplus_demangle_v3_callback(name, DMGL_NO_OPTS, append, shown);
		break;
	case FULL:
		known = true;
		break;
	case TIMED_OUT:
		known = false;
		break;
	}
	sigaction(SIGVTALRM, &ignore, NULL);
	set_timer(0);
	return known;
}

size_t symbol_shown(const char *name, size_t len, char text[SYMBOL_NAME_MAX])
{
	struct shown shown = { .text = text };
	char copy[MANGLED_MAX + 1];

	if (len > 2 && len <= MANGLED_MAX && name[0] == '_' &&
	    (name[1] == 'Z' || name[1] == 'R')) {
		memcpy(copy, name, len);
		copy[len] = '\0';
		if (demangle(copy, &shown) && shown.len)
			return shown.len;
	}
	len = len < SYMBOL_NAME_MAX ? len : SYMBOL_NAME_MAX;
	memcpy(text, name, len);
	return len;
}
