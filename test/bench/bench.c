// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Times loaders side by side: whole processes in turn, medians, and the system calls of one run of
 * each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

#define MAX_COMMANDS 8
#define MAX_ARGS 16

struct command {
	const char *name;
	char *argv[MAX_ARGS + 1];
	double *us;
	long rss_kb;
	unsigned long calls, bpf_calls;
};

static void become(struct command *c)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, 1);
	dup2(null, 2);
	execv(c->argv[0], c->argv);
	_exit(127);
}

static double now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e6 + ts.tv_nsec / 1e3;
}

/* One run; microseconds from before vfork to after the process is gone. */
static double time_once(struct command *c)
{
	const double begin = now_us();
	pid_t pid = vfork();
	struct rusage usage;
	int status;

	if (pid == 0)
		become(c);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status) {
		fprintf(stderr, "bench: %s failed\n", c->name);
		exit(1);
	}
	c->rss_kb = usage.ru_maxrss;
	return now_us() - begin;
}

/* Every system call of one run, the exec included, counted by stopping at each entry. */
static void count_calls(struct command *c)
{
	struct __ptrace_syscall_info info;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		become(c);
	}
	waitpid(pid, &status, 0);
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
	/* What the child does before it is the command (dup2 ...) is not the command's. */
	c->calls = c->bpf_calls = 0;
	for (int in_command = 0;;) {
		if (ptrace(PTRACE_SYSCALL, pid, 0, 0) || waitpid(pid, &status, 0) != pid || WIFEXITED(status))
			break;
		if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80))
			continue;
		if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 ||
		    info.op != PTRACE_SYSCALL_INFO_ENTRY)
			continue;
		in_command |= info.entry.nr == __NR_execve;
		c->calls += in_command;
		c->bpf_calls += info.entry.nr == __NR_bpf;
	}
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, n, sizeof(*v), compare);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* "name=path arg arg" */
static void parse(struct command *c, char *text)
{
	int n = 0;

	c->name = strsep(&text, "=");
	while (text && n < MAX_ARGS)
		c->argv[n++] = strsep(&text, " ");
	if (!n) {
		fprintf(stderr, "bench: '%s' is not name=command\n", c->name);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct command commands[MAX_COMMANDS] = { 0 };
	const int runs = argc > 2 ? atoi(argv[1]) : 0, nr = argc - 2;
	double empty;

	if (runs < 1 || nr > MAX_COMMANDS) {
		fprintf(stderr, "usage: bench RUNS empty=PROGRAM NAME=COMMAND...\n");
		return 2;
	}
	for (int i = 0; i < nr; i++) {
		parse(&commands[i], argv[2 + i]);
		commands[i].us = calloc(runs, sizeof(double));
		time_once(&commands[i]);
	}
	for (int r = 0; r < runs; r++)
		for (int i = 0; i < nr; i++)
			commands[i].us[r] = time_once(&commands[i]);
	empty = median(commands[0].us, runs);
	printf("%d runs of each in turn, medians; net is wall minus the first row\n", runs);
	printf("%-16s %10s %10s %10s %8s %8s\n", "", "wall us", "net us", "RSS kB", "syscalls", "bpf(2)");
	for (int i = 0; i < nr; i++) {
		const double wall = median(commands[i].us, runs);

		count_calls(&commands[i]);
		printf("%-16s %10.0f %10.0f %10ld %8lu %8lu\n", commands[i].name, wall, wall - empty,
		       commands[i].rss_kb, commands[i].calls, commands[i].bpf_calls);
		free(commands[i].us);
	}
	return 0;
}
