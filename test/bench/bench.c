// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Time programs side by side: whole processes in turn, elapsed and CPU time, minus the time of the
 * first one; also their memory and system calls. usage: bench GROUP NAME RUNS empty=PROGRAM
 * SUBJECT=COMMAND...
 */
#include <stdbool.h>
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

#include "test/bench/figure.h"

#define MAX_COMMANDS 10
#define MAX_ARGS 20

struct command {
	const char *name;
	char *argv[MAX_ARGS + 1];
	double *wall_us, *cpu_us;
	long rss_kb, faults;
	bool failed;
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

static double timeval_us(struct timeval t)
{
	return t.tv_sec * 1e6 + t.tv_usec;
}

/*
 * Run number @run: measure the elapsed microseconds from before vfork until the process is gone,
 * and its CPU time, which other load hardly affects.
 * Return: false if it failed.
 */
static bool time_once(struct command *c, int run)
{
	const double begin = now_us();
	pid_t pid = vfork();
	struct rusage usage;
	int status;

	if (pid == 0)
		become(c);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status)
		return false;
	c->wall_us[run] = now_us() - begin;
	c->cpu_us[run] = timeval_us(usage.ru_utime) + timeval_us(usage.ru_stime);
	c->rss_kb = usage.ru_maxrss;
	c->faults = usage.ru_minflt;
	return true;
}

/* Count every system call of one run, including execve(2), by stopping at each entry. */
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
	/* Calls before execve(2), such as dup2(2), prepare the child and do not count. */
	c->calls = c->bpf_calls = 0;
	for (int in_command = 0, signo = 0;;) {
		if (ptrace(PTRACE_SYSCALL, pid, 0, signo) || waitpid(pid, &status, 0) != pid ||
		    WIFEXITED(status))
			break;
		/* A command may wait for SIGCHLD of its own children, so pass this signal on. */
		signo = WIFSTOPPED(status) && WSTOPSIG(status) == SIGCHLD ? SIGCHLD : 0;
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

/* "NAME" for times, and "NAME: calls" and so on for what does not depend on the load. */
static void report(struct command *c, const struct command *empty, const char *group,
		   const char *name, int runs)
{
	static const char *const kinds[] = { "CPU", "memory", "page faults", "calls", "bpf(2)" };
	const double wall = median(c->wall_us, runs), cpu = (median(c->cpu_us, runs), c->cpu_us[0]);
	const double values[] = { cpu - empty->cpu_us[0], c->rss_kb, c->faults, c->calls,
				  c->bpf_calls };

	figure(group, name, c->name, "us", wall - median(empty->wall_us, runs));
	for (int i = 0; i < 5; i++) {
		char full[128];

		snprintf(full, sizeof(full), "%s: %s", name, kinds[i]);
		figure(group, full, c->name, i == 0 ? "us" : i == 1 ? "kB" : "", values[i]);
	}
}

int main(int argc, char **argv)
{
	struct command commands[MAX_COMMANDS] = { 0 };
	const int runs = argc > 4 ? atoi(argv[3]) : 0, nr = argc - 4;

	if (runs < 1 || nr > MAX_COMMANDS) {
		fprintf(stderr, "usage: bench GROUP NAME RUNS empty=PROGRAM SUBJECT=COMMAND...\n");
		return 2;
	}
	for (int i = 0; i < nr; i++) {
		parse(&commands[i], argv[4 + i]);
		commands[i].wall_us = calloc(runs, sizeof(double));
		commands[i].cpu_us = calloc(runs, sizeof(double));
		commands[i].failed = !time_once(&commands[i], 0);
	}
	for (int r = 0; r < runs; r++)
		for (int i = 0; i < nr; i++)
			if (!commands[i].failed && !time_once(&commands[i], r))
				commands[i].failed = true;
	median(commands[0].cpu_us, runs);	/* sorts them */
	for (int i = 1; i < nr; i++) {
		if (commands[i].failed) {
			printf("absent\t%s\t%s\tit failed\n", argv[1], commands[i].name);
			continue;
		}
		count_calls(&commands[i]);
		report(&commands[i], &commands[0], argv[1], argv[2], runs);
	}
	return 0;
}
