// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Run a command on a kernel that is wrong quietly: a call succeeds and does something else.
 *
 *	lie CALL[:ARG=VALUE][,every=N] ACTION COMMAND [ARG...]
 *		CALL		bpf, perf_event_open, ioctl, prctl, read
 *		ARG=VALUE	only calls with that number as argument ARG, counted from 0
 *		every=N		only each N-th of them, counted for each process
 *	ACTION:
 *		skip		the call does nothing and returns 0
 *		argN=VALUE	another argument
 *		inN@OFF/LEN=VALUE	before the call: a number in the memory at argument N;
 *				&VALUE clears the other bits, *VALUE multiplies
 *		outN@OFF/LEN=VALUE	after it, likewise
 *		info@OFF/LEN=VALUE	after it, in what BPF_OBJ_GET_INFO_BY_FD wrote
 *
 * All that the command starts is traced, too. Its exit status is the command's; 77: not possible here.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __x86_64__
int main(void)
{
	fprintf(stderr, "lie: for x86-64 only\n");
	return 77;
}
#else

#define COUNTERS 4096	/* processes, by the low bits of their pids */
#define OPTIONS (PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | \
		 PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)

static struct lie {
	long nr;
	bool has_arg;
	unsigned int arg, value, every;
	enum { SKIP, ARGUMENT, IN, OUT, INFO } action;
	unsigned int of, off, len;
	char how;
	unsigned long long number;
} lie = { .every = 1 };

static unsigned int counts[COUNTERS];

static bool parse(const char *call, const char *action)
{
	static const struct {
		const char *name;
		long nr;
	} names[] = { { "bpf", __NR_bpf }, { "perf_event_open", __NR_perf_event_open },
		      { "ioctl", __NR_ioctl }, { "prctl", __NR_prctl }, { "read", __NR_read } };
	const char *every = strstr(call, ",every=");
	char name[32] = "";
	bool ok;

	lie.nr = -1;
	sscanf(call, "%31[a-z_]", name);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i].name))
			lie.nr = names[i].nr;
	lie.has_arg = sscanf(call + strlen(name), ":%u=%u", &lie.arg, &lie.value) == 2;
	if (every)
		lie.every = atoi(every + 7);
	lie.action = !strcmp(action, "skip") ? SKIP : !strncmp(action, "arg", 3) ? ARGUMENT :
		     !strncmp(action, "in", 2) && action[2] != 'f' ? IN : !strncmp(action, "out", 3) ? OUT : INFO;
	if (lie.nr < 0 || !lie.every || lie.arg > 5 || lie.action == SKIP)
		return lie.nr >= 0 && lie.every && lie.arg <= 5;
	if (lie.action == ARGUMENT)
		ok = sscanf(action, "arg%u%c", &lie.of, &lie.how) == 2;
	else if (lie.action == INFO)
		ok = sscanf(action, "info@%u/%u%c", &lie.off, &lie.len, &lie.how) == 3;
	else
		ok = sscanf(action, "%*[inout]%u@%u/%u%c", &lie.of, &lie.off, &lie.len, &lie.how) == 4;
	lie.number = strtoull(action + strcspn(action, "=&*") + 1, NULL, 0);
	return ok && lie.of < 6 && lie.len <= 8 && strchr("=&*", lie.how);
}

static int filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, lie.nr, 0, lie.has_arg ? 3 : 1),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * lie.arg),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, lie.value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 6, .filter = code };

	if (!lie.has_arg) {	/* without the two instructions for the argument */
		code[2] = code[4];
		code[3] = code[5];
		program.len = 4;
	}
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static unsigned long long argument(const struct user_regs_struct *regs, unsigned int i)
{
	const unsigned long long args[] = { regs->rdi, regs->rsi, regs->rdx, regs->r10, regs->r8, regs->r9 };

	return args[i];
}

static void copy(pid_t pid, bool write, unsigned long long at, void *to, size_t len)
{
	struct iovec here = { to, len }, there = { (void *)at, len };

	if (write)
		process_vm_writev(pid, &here, 1, &there, 1, 0);
	else
		process_vm_readv(pid, &here, 1, &there, 1, 0);
}

static void change(pid_t pid, unsigned long long at)
{
	unsigned long long number = 0;

	copy(pid, false, at + lie.off, &number, lie.len);
	number = lie.how == '=' ? lie.number : lie.how == '&' ? number & lie.number : number * lie.number;
	copy(pid, true, at + lie.off, &number, lie.len);
}

/* The call was entered. Return whether to look at it again when it returns. */
static bool at_entry(pid_t pid)
{
	struct user_regs_struct regs;

	ptrace(PTRACE_GETREGS, pid, 0, &regs);
	if (++counts[pid % COUNTERS] % lie.every)
		return false;
	if (lie.action == IN)
		change(pid, argument(&regs, lie.of));
	if (lie.action == SKIP) {
		regs.orig_rax = -1;
		regs.rax = 0;
	}
	if (lie.action == ARGUMENT) {
		unsigned long long *args[] = { (unsigned long long *)&regs.rdi, (unsigned long long *)&regs.rsi,
					       (unsigned long long *)&regs.rdx, (unsigned long long *)&regs.r10,
					       (unsigned long long *)&regs.r8, (unsigned long long *)&regs.r9 };

		*args[lie.of] = lie.number;
	}
	ptrace(PTRACE_SETREGS, pid, 0, &regs);
	return lie.action == OUT || lie.action == INFO;
}

static void at_exit(pid_t pid)
{
	struct user_regs_struct regs;
	unsigned long long at;

	ptrace(PTRACE_GETREGS, pid, 0, &regs);
	if ((long long)regs.rax < 0)
		return;
	at = argument(&regs, lie.action == INFO ? 1 : lie.of);
	if (lie.action == INFO)
		copy(pid, false, at + 8, &at, sizeof(at));
	change(pid, at);
}

static int trace(pid_t command)
{
	int status, ended = 1;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		int signal = 0, how = PTRACE_CONT;

		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (pid == command)
				ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			continue;
		}
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
			how = at_entry(pid) ? PTRACE_SYSCALL : PTRACE_CONT;
		else if (WSTOPSIG(status) == (SIGTRAP | 0x80))
			at_exit(pid);
		else if (!(status >> 16) && WSTOPSIG(status) != SIGSTOP)
			signal = WSTOPSIG(status);
		ptrace(how, pid, 0, signal);
	}
	return ended;
}

int main(int argc, char **argv)
{
	pid_t pid;
	int status;

	if (argc < 4 || !parse(argv[1], argv[2])) {
		fprintf(stderr, "usage: lie CALL[:ARG=VALUE][,every=N] ACTION COMMAND...\n");
		return 2;
	}
	pid = fork();
	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0))
			_exit(77);
		raise(SIGSTOP);
		if (filter())
			_exit(77);
		execvp(argv[3], argv + 3);
		perror("lie: exec");
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, 0, OPTIONS) || ptrace(PTRACE_CONT, pid, 0, 0))
		return 77;
	return trace(pid);
}
#endif
