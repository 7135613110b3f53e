// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Run a command once for each of its system calls, send it signals when it enters that call, and
 * check that it leaves in the kernel either everything that it leaves without a signal, or nothing.
 * It does not depend on time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOME_LEFT_A_PART = 1, USAGE = 2, NOT_TRACED = 3 };

struct options {
	const char *signals;	/* their numbers, separated by spaces */
	const char *dir;	/* a bpffs, whose entries are what is left; or NULL */
	const char *file, *text;	/* or the lines of this file with this text */
	const char *before;	/* a shell command that prepares each run; or NULL */
	char **command;
};

static int fail(const char *what)
{
	fprintf(stderr, "signal_each: %s: %s\n", what, strerror(errno));
	return NOT_TRACED;
}

/* --- what is there --- */

static unsigned int nr_entries;

/* The kernel's own maps.debug and progs.debug always exist. */
static bool is_counted(const char *path, const struct FTW *at)
{
	const char *suffix = strrchr(path, '.');

	return at->level > 0 && !(suffix && !strcmp(suffix, ".debug"));
}

static int count_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	nr_entries += is_counted(path, at);
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	return is_counted(path, at) && remove(path) < 0 ? -1 : 0;
}

static unsigned int count(const struct options *o)
{
	char line[4096];
	FILE *file;

	nr_entries = 0;
	if (o->dir && nftw(o->dir, count_entry, 16, FTW_PHYS) < 0)
		exit(fail(o->dir));
	file = o->file ? fopen(o->file, "r") : NULL;
	while (file && fgets(line, sizeof(line), file))
		nr_entries += strstr(line, o->text) != NULL;
	if (file)
		fclose(file);
	return nr_entries;
}

static void prepare(const struct options *o)
{
	if (o->dir && nftw(o->dir, remove_entry, 16, FTW_PHYS | FTW_DEPTH) < 0)
		exit(fail(o->dir));
	if (o->before && system(o->before))
		exit(fail(o->before));
}

/* --- one run --- */

/* Let @pid run until it enters a system call. Return false if it exits instead. */
static bool next_call(pid_t pid, int *status)
{
	int stops = 0;

	/*
	 * The second stop is at the exit of the previous call. A stop for a signal of its own does
	 * not count.
	 */
	while (stops < 2) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) < 0 ||
		    waitpid(pid, status, 0) < 0 || !WIFSTOPPED(*status))
			return false;
		stops += WSTOPSIG(*status) == (SIGTRAP | 0x80);
	}
	return true;
}

static pid_t start(char **command)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr) ||
		    ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(NOT_TRACED);
		execv(command[0], command);
		_exit(NOT_TRACED);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) < 0)
		exit(fail("ptrace"));
	return pid;
}

static void send_all(pid_t pid, const char *signals)
{
	char *end;

	for (; *signals; signals = end + strspn(end, " "))
		if (kill(pid, strtol(signals, &end, 10)) < 0)
			exit(fail("kill"));
}

/* Send the signals at call @n; 0: none. Return false if the command has fewer calls. */
static bool run(const struct options *o, unsigned int n, int *status)
{
	const pid_t pid = start(o->command);

	for (unsigned int i = 0; i < n; i++)
		if (!next_call(pid, status))
			return false;
	if (n)
		send_all(pid, o->signals);
	if (ptrace(PTRACE_DETACH, pid, NULL, NULL) < 0 || waitpid(pid, status, 0) < 0)
		exit(fail("waiting for its end"));
	return true;
}

/* --- all of them --- */

static int run_each(const struct options *o)
{
	unsigned int begun, done, left, nr_begun = 0, nr_done = 0, nr_bad = 0, n = 1;
	int status;

	prepare(o);
	begun = count(o);
	run(o, 0, &status);
	done = count(o);
	for (;; n++) {
		prepare(o);
		if (!run(o, n, &status))
			break;
		left = count(o);
		nr_begun += left == begun;
		nr_done += left == done;
		if (left == begun || left == done)
			continue;
		nr_bad++;
		printf("call %u, %s %d: %u of %u are left\n", n,
		       WIFSIGNALED(status) ? "signal" : "exit status",
		       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), left,
		       done > begun ? done : begun);
		fflush(stdout);	/* before the next fork */
	}
	prepare(o);
	printf("%u calls: %u leave what was there before, %u what the command leaves, %u a part\n",
	       n - 1, nr_begun, nr_done, nr_bad);
	return nr_bad || !nr_done || n < 20 ? SOME_LEFT_A_PART : 0;
}

int main(int argc, char **argv)
{
	struct options o = { .text = "" };
	int c;

	while ((c = getopt(argc, argv, "+s:d:f:t:b:")) != -1) {
		switch (c) {
		case 's': o.signals = optarg; break;
		case 'd': o.dir = optarg; break;
		case 'f': o.file = optarg; break;
		case 't': o.text = optarg; break;
		case 'b': o.before = optarg; break;
		default: return USAGE;
		}
	}
	o.command = argv + optind;
	if (!o.signals || !o.command[0]) {
		fprintf(stderr, "usage: signal_each -s 'SIGNO ...' [-d DIR] [-f FILE -t TEXT] "
				"[-b SHELL_COMMAND] COMMAND ARG...\n");
		return USAGE;
	}
	return run_each(&o);
}
