// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Times loaders side by side: whole processes in turn, on the wall and on the CPU, and the system
 * calls of one run of each.
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
	double *wall_us, *cpu_us;
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

static double timeval_us(struct timeval t)
{
	return t.tv_sec * 1e6 + t.tv_usec;
}

/*
 * Run number @run: microseconds from before vfork to after the process is gone, and those that the
 * process was on a CPU, which is what a busy machine leaves alone.
 */
static void time_once(struct command *c, int run)
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
	c->wall_us[run] = now_us() - begin;
	c->cpu_us[run] = timeval_us(usage.ru_utime) + timeval_us(usage.ru_stime);
	c->rss_kb = usage.ru_maxrss;
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
	for (int in_command = 0, signo = 0;;) {
		if (ptrace(PTRACE_SYSCALL, pid, 0, signo) || waitpid(pid, &status, 0) != pid ||
		    WIFEXITED(status))
			break;
		/* Others wait for signals of their own, as SIGCHLD. */
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

int main(int argc, char **argv)
{
	struct command commands[MAX_COMMANDS] = { 0 };
	const int runs = argc > 2 ? atoi(argv[1]) : 0, nr = argc - 2;
	double wall, cpu, least;

	if (runs < 1 || nr > MAX_COMMANDS) {
		fprintf(stderr, "usage: bench RUNS empty=PROGRAM NAME=COMMAND...\n");
		return 2;
	}
	for (int i = 0; i < nr; i++) {
		parse(&commands[i], argv[2 + i]);
		commands[i].wall_us = calloc(runs, sizeof(double));
		commands[i].cpu_us = calloc(runs, sizeof(double));
		time_once(&commands[i], 0);
	}
	for (int r = 0; r < runs; r++)
		for (int i = 0; i < nr; i++)
			time_once(&commands[i], r);
	wall = median(commands[0].wall_us, runs);
	cpu = median(commands[0].cpu_us, runs);
	least = commands[0].cpu_us[0];	/* median() has sorted them */
	printf("%d runs of each in turn, microseconds less those of the first row\n", runs);
	printf("%-16s %10s %10s %10s %8s %8s %8s\n", "", "wall, med.", "CPU, med.", "CPU, least",
	       "RSS kB", "syscalls", "bpf(2)");
	for (int i = 0; i < nr; i++) {
		struct command *c = &commands[i];
		const double c_wall = median(c->wall_us, runs), c_cpu = median(c->cpu_us, runs);

		count_calls(c);
		printf("%-16s %10.0f %10.0f %10.0f %8ld %8lu %8lu\n", c->name,
		       i ? c_wall - wall : wall, i ? c_cpu - cpu : cpu,
		       i ? c->cpu_us[0] - least : least, c->rss_kb, c->calls, c->bpf_calls);
		free(c->wall_us);
		free(c->cpu_us);
	}
	return 0;
}
