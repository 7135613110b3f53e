// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Run a command once per item, with its own bpffs and a time limit, so that pins or a crash of one
 * run do not affect the next. Print the item, a tab, and the line of JSON that the command printed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGS_MAX	64
#define LINE_MAX_	(1 << 20)
#define SECONDS		60
#define NO_COMMAND	127

/* An item is an object, or OBJECT#PROGRAM, which becomes "--prog PROGRAM OBJECT". */
static void run(char **command, int nr, char *item, int out)
{
	char *argv[ARGS_MAX + 4] = { 0 }, *hash = strrchr(item, '#');
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int i = 0; i < nr; i++)
		argv[i] = command[i];
	if (hash) {
		*hash = '\0';
		argv[nr++] = "--prog";
		argv[nr++] = hash + 1;
	}
	argv[nr] = item;
	if (!unshare(CLONE_NEWNS) && !mount("", "/", "", MS_REC | MS_PRIVATE, NULL))
		mount("bpf", "/sys/fs/bpf", "bpf", 0, NULL);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execvp(argv[0], argv);
	_exit(NO_COMMAND);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* Read the output of the child until it ends, or kill it after SECONDS. Return the length. */
static size_t hear(int fd, pid_t pid, char *line)
{
	double end = now() + SECONDS;
	size_t size = 0;
	ssize_t n;

	while (size < LINE_MAX_ - 1) {
		struct pollfd p = { fd, POLLIN, 0 };
		double left = end - now();

		if (left <= 0 || poll(&p, 1, (int)(left * 1000) + 1) == 0) {
			kill(pid, SIGKILL);
			break;
		}
		n = read(fd, line + size, LINE_MAX_ - 1 - size);
		if (n <= 0)
			break;
		size += n;
	}
	line[size] = '\0';
	return size;
}

static void one(char **command, int nr, const char *item, char *line)
{
	char *copy = strdup(item);
	int fds[2], status;
	pid_t pid;

	if (!copy || pipe2(fds, O_CLOEXEC))
		abort();
	pid = fork();
	if (!pid)
		run(command, nr, copy, fds[1]);
	close(fds[1]);
	free(copy);
	if (pid < 0)
		abort();
	hear(fds[0], pid, line);
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	line[strcspn(line, "\n")] = '\0';
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_COMMAND) {
		fprintf(stderr, "each: %s cannot be run\n", command[0]);
		exit(2);
	}
	if (WIFSIGNALED(status) || line[0] != '{')
		printf("%s\t{\"status\":\"failed\",\"error\":\"%s %d\"}\n", item,
		       WIFSIGNALED(status) ? "died of signal" : "said nothing, exit status",
		       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	else
		printf("%s\t%s\n", item, line);
}

/* Items are read from standard input, one per line. */
int main(int argc, char **argv)
{
	char *line = malloc(LINE_MAX_), item[8192];

	if (!line || argc < 2 || argc > ARGS_MAX) {
		fprintf(stderr, "usage: each COMMAND... <LIST-OF-ITEMS\n");
		return 2;
	}
	while (fgets(item, sizeof(item), stdin)) {
		item[strcspn(item, "\n")] = '\0';
		one(argv + 1, argc - 1, item, line);
		fflush(stdout);
	}
	free(line);
	return 0;
}
