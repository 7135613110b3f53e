// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How every unit test ends: one main() that runs a Check suite and prints TAP on stdout. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/unit/common/suite.h"

/* Check reads it when a test case is made, which is before suite_main(); its own limit is 4 s. */
__attribute__((constructor)) static void forget_time_limit(void)
{
	setenv("CK_DEFAULT_TIMEOUT", "600", 0);
}

/* The whole of Check runs in a child, so that a crash without CK_FORK still leaves a report. */
static void run(Suite *s, int fd)
{
	SRunner *sr = srunner_create(s);
	char path[32];

	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	srunner_set_tap(sr, path);
	srunner_run_all(sr, CK_SILENT);
	srunner_free(sr);
	close(fd);
	exit(0);
}

/*
 * One line of Check's TAP: "not ok 3 - file.c:case:test: # SKIP cause" is what suite_skip() left.
 */
static void print_line(char *line, int *nr_tests, int *nr_failed)
{
	char *skip = strstr(line, ": " SUITE_SKIP);
	bool failed = !strncmp(line, "not ok ", 7);

	if (!strncmp(line, "1..", 3))
		return;	/* the plan is suite_main()'s, which knows of a crash */
	*nr_tests += failed || !strncmp(line, "ok ", 3);
	if (failed && skip) {
		*skip = '\0';
		printf("%s %s", line + strlen("not "), skip + 2);
	} else {
		fputs(line, stdout);
		*nr_failed += failed;
	}
	fflush(stdout);
}

/*
 * What the process that ran Check came to: a crash or a leak found at its end is one more failed
 * test.
 */
static void print_end(int status, int *nr_tests, int *nr_failed)
{
	if (!status)
		return;
	++*nr_tests;
	++*nr_failed;
	printf("not ok %d - the process after the test above: %s %d\n", *nr_tests,
	       WIFSIGNALED(status) ? "killed by signal" : "ended with status",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

int suite_main(Suite *s)
{
	int fds[2], status = -1, nr_tests = 0, nr_failed = 0;
	char *line = NULL;
	size_t size = 0;
	FILE *in;
	pid_t pid;

	if (pipe(fds) || (pid = fork()) < 0) {
		printf("Bail out! no pipe or no process\n");
		return 1;
	}
	if (pid == 0) {
		close(fds[0]);
		run(s, fds[1]);
	}
	close(fds[1]);
	in = fdopen(fds[0], "r");
	while (getline(&line, &size, in) > 0)
		print_line(line, &nr_tests, &nr_failed);
	free(line);
	fclose(in);
	waitpid(pid, &status, 0);
	print_end(status, &nr_tests, &nr_failed);
	printf("1..%d\n", nr_tests);
	srunner_free(srunner_create(s));	/* Check frees a suite in no other way */
	return nr_failed != 0;
}
