// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trace calls on memory, waiting, signals and limits. */
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>

#include "loader/core/sys/sys.h"
#include "loader/observe/trace/trace_internal.h"

#define FLAG(id) { id, #id }
#define SHOWN_MAX 8	/* maximum number of descriptors of poll(2) to print */

static const struct sys_flag prot_flags[] = {
	FLAG(PROT_READ),
	FLAG(PROT_WRITE),
	FLAG(PROT_EXEC),
	{ 0, NULL },
};

static const struct sys_flag map_flags[] = {
	FLAG(MAP_SHARED),
	FLAG(MAP_PRIVATE),
	FLAG(MAP_FIXED),
	FLAG(MAP_ANONYMOUS),
	FLAG(MAP_POPULATE),
	FLAG(MAP_FIXED_NOREPLACE),
	{ 0, NULL },
};

static const struct sys_flag poll_flags[] = {
	FLAG(POLLIN),
	FLAG(POLLPRI),
	FLAG(POLLOUT),
	FLAG(POLLERR),
	FLAG(POLLHUP),
	FLAG(POLLNVAL),
	{ 0, NULL },
};

static const struct sys_flag epoll_flags[] = {
	FLAG(EPOLL_CLOEXEC),
	{ 0, NULL },
};

static const struct sys_flag epoll_events[] = {
	FLAG(EPOLLIN),
	FLAG(EPOLLERR),
	FLAG(EPOLLHUP),
	FLAG(EPOLLET),
	{ 0, NULL },
};

static const struct sys_flag signalfd_flags[] = {
	FLAG(SFD_NONBLOCK),
	FLAG(SFD_CLOEXEC),
	{ 0, NULL },
};

void trace_mmap_args(FILE *out, const unsigned long arg[6])
{
	trace_pointer(out, arg[0]);
	fprintf(out, ", %lu, ", arg[1]);
	if (arg[2] == PROT_NONE)
		fputs("PROT_NONE", out);
	else
		trace_flags(out, prot_flags, arg[2]);
	fputs(", ", out);
	trace_flags(out, map_flags, arg[3]);
	fprintf(out, ", %d, %ld", (int)arg[4], (long)arg[5]);
}

void trace_madvise_args(FILE *out, const unsigned long arg[6])
{
	trace_pointer(out, arg[0]);
	fprintf(out, ", %lu, ", arg[1]);
	trace_enum(out, arg[2] == MADV_POPULATE_WRITE ? "MADV_POPULATE_WRITE" :
			arg[2] == MADV_HUGEPAGE	      ? "MADV_HUGEPAGE" :
						       NULL, arg[2]);
}

static void poll_list(FILE *out, const struct pollfd *fds, unsigned long nfds, bool after)
{
	struct trace_list list = { .out = out, .open = "[" };
	unsigned long i;

	for (i = 0; i < nfds; i++) {
		const unsigned short events = after ? fds[i].revents : fds[i].events;

		if (after && !events)
			continue;
		trace_name(&list, NULL);
		if (list.len > SHOWN_MAX) {
			fputs("...", out);
			break;
		}
		fprintf(out, "{fd=%d, %s=", fds[i].fd, after ? "revents" : "events");
		trace_flags(out, poll_flags, events);
		fputc('}', out);
	}
	fputs(list.len ? "]" : "[]", out);
}

void trace_ppoll_args(FILE *out, const unsigned long arg[6])
{
	const struct timespec *ts = (const struct timespec *)arg[2];

	poll_list(out, (const struct pollfd *)arg[0], arg[1], false);
	fprintf(out, ", %lu, ", arg[1]);
	if (ts)
		fprintf(out, "{tv_sec=%lld, tv_nsec=%ld}", (long long)ts->tv_sec, ts->tv_nsec);
	else
		trace_pointer(out, 0);
	fputs(", ", out);
	trace_pointer(out, arg[3]);
	fprintf(out, ", %lu", arg[4]);
}

void trace_ppoll_result(FILE *out, const unsigned long arg[6], long ret)
{
	if (ret == 0)
		fputs(" (time is over)", out);
	if (ret <= 0)
		return;
	fputs(" => ", out);
	poll_list(out, (const struct pollfd *)arg[0], arg[1], true);
}

/* "[SIGINT, SIGTERM]", or "~[SIGCHLD]": all except SIGCHLD, as strace(1) prints large sets. */
static void print_signals(FILE *out, const uint64_t *set)
{
	const bool most = set && __builtin_popcountll(*set) > 32;
	struct trace_list list = { .out = out, .open = most ? "~[" : "[" };
	unsigned int signo;

	if (!set) {
		trace_pointer(out, 0);
		return;
	}
	for (signo = 1; signo <= 64; signo++) {
		if ((*set >> (signo - 1) & 1) == most)
			continue;
		trace_name(&list, NULL);
		trace_enum(out, sys_signal_name(signo), signo);
	}
	fputs(list.len ? "]" : most ? "~[]" : "[]", out);
}

void trace_sigprocmask_args(FILE *out, const unsigned long arg[6])
{
	static const char *const how[] = {
		[SIG_BLOCK] = "SIG_BLOCK",
		[SIG_UNBLOCK] = "SIG_UNBLOCK",
		[SIG_SETMASK] = "SIG_SETMASK",
	};

	trace_enum(out, arg[0] < sizeof(how) / sizeof(how[0]) ? how[arg[0]] : NULL, arg[0]);
	fputs(", ", out);
	print_signals(out, (const uint64_t *)arg[1]);
	fputs(", ", out);
	trace_pointer(out, arg[2]);
	fprintf(out, ", %lu", arg[3]);
}

void trace_epoll_create1_args(FILE *out, const unsigned long arg[6])
{
	trace_flags(out, epoll_flags, arg[0]);
}

static void print_epoll_event(FILE *out, const struct epoll_event *event)
{
	fputs("{events=", out);
	trace_flags(out, epoll_events, event->events);
	fprintf(out, ", data=%#llx}", (unsigned long long)event->data.u64);
}

void trace_epoll_ctl_args(FILE *out, const unsigned long arg[6])
{
	const struct epoll_event *event = (const void *)arg[3];

	fprintf(out, "%d, ", (int)arg[0]);
	trace_enum(out, arg[1] == EPOLL_CTL_ADD ? "EPOLL_CTL_ADD" : NULL, arg[1]);
	fprintf(out, ", %d, ", (int)arg[2]);
	if (event)
		print_epoll_event(out, event);
	else
		fputs("NULL", out);
}

void trace_epoll_pwait_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, ", (int)arg[0]);
	trace_pointer(out, arg[1]);
	fprintf(out, ", %d, %d, ", (int)arg[2], (int)arg[3]);
	trace_pointer(out, arg[4]);
	fprintf(out, ", %lu", arg[5]);
}

void trace_epoll_pwait_result(FILE *out, const unsigned long arg[6], long ret)
{
	const struct epoll_event *ready = (const void *)arg[1];
	struct trace_list list = { .out = out, .open = " => [" };

	if (ret == 0)
		fputs(" (time is over)", out);
	for (long i = 0; i < ret && list.len <= SHOWN_MAX; i++) {
		trace_name(&list, NULL);
		if (list.len > SHOWN_MAX)
			fputs("...", out);
		else
			print_epoll_event(out, &ready[i]);
	}
	if (ret > 0)
		fputs("]", out);
}

void trace_signalfd4_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, ", (int)arg[0]);
	print_signals(out, (const uint64_t *)arg[1]);
	fprintf(out, ", %lu, ", arg[2]);
	trace_flags(out, signalfd_flags, arg[3]);
}

/* struct rlimit64: two u64; all bits set means no limit. */
static void print_limits(FILE *out, const uint64_t *limits)
{
	static const char *const names[] = { "rlim_cur", "rlim_max" };
	int i;

	for (i = 0; i < 2; i++) {
		fprintf(out, "%s%s=", i ? ", " : "{", names[i]);
		trace_enum(out, limits[i] == UINT64_MAX ? "RLIM64_INFINITY" : NULL, limits[i]);
	}
	fputc('}', out);
}

void trace_prlimit64_args(FILE *out, const unsigned long arg[6])
{
	static const char *const resources[] = {
		[RLIMIT_STACK] = "RLIMIT_STACK", [RLIMIT_NOFILE] = "RLIMIT_NOFILE",
		[RLIMIT_MEMLOCK] = "RLIMIT_MEMLOCK", [RLIMIT_AS] = "RLIMIT_AS",
	};
	const size_t known = sizeof(resources) / sizeof(resources[0]);

	fprintf(out, "%d, ", (int)arg[0]);
	trace_enum(out, arg[1] < known ? resources[arg[1]] : NULL, arg[1]);
	fputs(", ", out);
	if (arg[2])
		print_limits(out, (const uint64_t *)arg[2]);
	else
		trace_pointer(out, 0);
	fputs(", ", out);
	trace_pointer(out, arg[3]);
}

void trace_prlimit64_result(FILE *out, const unsigned long arg[6], long ret)
{
	if (ret < 0 || !arg[3])
		return;
	fputs(" => ", out);
	print_limits(out, (const uint64_t *)arg[3]);
}
