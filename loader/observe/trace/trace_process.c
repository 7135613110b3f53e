// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trace calls that create processes and wait for them. */
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "loader/observe/trace/trace_internal.h"

#define FLAG(id) { id, #id }
#define SHOWN_MAX 8	/* maximum number of arguments to print */

static const struct sys_flag wait_flags[] = {
	FLAG(WNOHANG), FLAG(WEXITED), FLAG(WNOWAIT), FLAG(__WALL), { 0, NULL },
};

static const struct sys_flag pipe_flags[] = { FLAG(O_CLOEXEC), FLAG(O_NONBLOCK), { 0, NULL } };

void trace_clone_args(FILE *out, const unsigned long arg[6])
{
#ifdef __s390x__
	const unsigned long flags = arg[1];
#else
	const unsigned long flags = arg[0];
#endif
	trace_enum(out, sys_signal_name(flags), flags);
}

void trace_execve_args(FILE *out, const unsigned long arg[6])
{
	char *const *argv = (char *const *)arg[1];
	struct trace_list list = { .out = out, .open = "[" };

	trace_cstring(out, arg[0]);
	fputs(", ", out);
	for (int i = 0; argv && argv[i]; i++) {
		trace_name(&list, NULL);
		if (i == SHOWN_MAX) {
			fputs("...", out);
			break;
		}
		trace_cstring(out, (unsigned long)argv[i]);
	}
	fputs(list.len ? "], " : "[], ", out);
	trace_pointer(out, arg[2]);
}

void trace_waitid_args(FILE *out, const unsigned long arg[6])
{
	trace_enum(out, arg[0] == P_PID ? "P_PID" : NULL, arg[0]);
	fprintf(out, ", %d, ", (int)arg[1]);
	trace_pointer(out, arg[2]);
	fputs(", ", out);
	trace_flags(out, wait_flags, arg[3]);
	fputs(", ", out);
	trace_pointer(out, arg[4]);
}

void trace_waitid_result(FILE *out, const unsigned long arg[6], long ret)
{
	static const char *const codes[] = {
		[CLD_EXITED] = "CLD_EXITED",
		[CLD_KILLED] = "CLD_KILLED",
		[CLD_DUMPED] = "CLD_DUMPED",
	};
	const siginfo_t *info = (const siginfo_t *)arg[2];
	const unsigned int code = ret < 0 || !info ? 0 : info->si_code;

	if (ret < 0 || !info || !info->si_pid)
		return;
	fprintf(out, " => {si_pid=%d, si_code=", info->si_pid);
	trace_enum(out, code < sizeof(codes) / sizeof(codes[0]) ? codes[code] : NULL, code);
	fputs(", si_status=", out);
	trace_enum(out, code == CLD_EXITED ? NULL : sys_signal_name(info->si_status),
		   info->si_status);
	fputc('}', out);
}

void trace_pipe2_args(FILE *out, const unsigned long arg[6])
{
	trace_pointer(out, arg[0]);
	fputs(", ", out);
	trace_flags(out, pipe_flags, arg[1]);
}

void trace_pipe2_result(FILE *out, const unsigned long arg[6], long ret)
{
	const int *fds = (const int *)arg[0];

	if (ret >= 0)
		fprintf(out, " => [%d, %d]", fds[0], fds[1]);
}

void trace_dup3_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, %d, ", (int)arg[0], (int)arg[1]);
	trace_flags(out, pipe_flags, arg[2]);
}

/* --- credentials --- */

/* struct __user_cap_header_struct, and of version 3 two of struct __user_cap_data_struct */
void trace_capset_args(FILE *out, const unsigned long arg[6])
{
	const uint32_t *header = (const uint32_t *)arg[0], *data = (const uint32_t *)arg[1];

	if (!header || !data) {
		trace_pointer(out, arg[0]);
		fputs(", ", out);
		trace_pointer(out, arg[1]);
		return;
	}
	fprintf(out, "{version=0x%x, pid=%d}, {effective=0x%" PRIx64 ", permitted=0x%" PRIx64 "}",
		header[0], (int)header[1], (uint64_t)data[3] << 32 | data[0],
		(uint64_t)data[4] << 32 | data[1]);
}

void trace_prctl_args(FILE *out, const unsigned long arg[6])
{
	const char *name = arg[0] == PR_SET_KEEPCAPS ? "PR_SET_KEEPCAPS" :
			   arg[0] == PR_SET_DUMPABLE ? "PR_SET_DUMPABLE" : NULL;

	trace_enum(out, name, arg[0]);
	fprintf(out, ", %lu", arg[1]);
}

static const struct sys_flag namespaces[] = { FLAG(CLONE_NEWUSER), FLAG(CLONE_NEWNS), { 0, NULL } };

void trace_unshare_args(FILE *out, const unsigned long arg[6])
{
	trace_flags(out, namespaces, arg[0]);
}

void trace_setns_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, ", (int)arg[0]);
	trace_flags(out, namespaces, arg[1]);
}
