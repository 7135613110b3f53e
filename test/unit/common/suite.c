// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The end of every unit test: suite_main() runs a Check suite and prints TAP on standard output. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/unit/common/suite.h"

/* Check reads this when a test case is created, before suite_main(); its own limit is 4 s. */
__attribute__((constructor(101))) static void forget_time_limit(void)
{
	setenv("CK_DEFAULT_TIMEOUT", "600", 0);
}

static Suite *registered;
static TCase *current;

static TCase *case_of(const char *name)
{
	if (!registered)
		registered = suite_create(program_invocation_short_name);
	current = tcase_create(name);
	suite_add_tcase(registered, current);
	return current;
}

void suite_add_test(const TTest *test, int first, int end)
{
	_tcase_add_test(current ? current : case_of("test"), test, 0, 0, first, end);
}

void suite_add_fixture(void (*begin)(void), void (*end)(void))
{
	tcase_add_checked_fixture(case_of("fixture"), begin, end);
}

Suite *suite_registered(void)
{
	return registered;
}

/* Check runs in a child process, so that a crash without CK_FORK still leaves a report. */
static void run(Suite *s, int fd, enum fork_status forks)
{
	SRunner *sr = srunner_create(s);
	char path[32];

	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	srunner_set_tap(sr, path);
	srunner_set_fork_status(sr, forks);
	srunner_run_all(sr, CK_SILENT);
	srunner_free(sr);
	close(fd);
	exit(0);
}

struct result {
	FILE *tap;	/* owned; what is to be printed */
	char *text;	/* owned; filled once tap is closed */
	size_t size;
	int nr_tests, nr_failed;
};

/*
 * One line of Check's TAP: "not ok 3 - file.c:case:test: # SKIP cause" is a test that called
 * suite_skip().
 */
static void take_line(struct result *r, char *line)
{
	char *skip = strstr(line, ": " SUITE_SKIP);
	bool failed = !strncmp(line, "not ok ", 7);

	if (!strncmp(line, "1..", 3))
		return;	/* suite_main() prints the plan, because it knows of a crash */
	r->nr_tests += failed || !strncmp(line, "ok ", 3);
	if (failed && skip) {
		*skip = '\0';
		fprintf(r->tap, "%s %s", line + strlen("not "), skip + 2);
	} else {
		fputs(line, r->tap);
		r->nr_failed += failed;
	}
}

/* A crash, or a leak found when the process ends, counts as one more failed test. */
static void take_status(struct result *r, int status)
{
	if (!status)
		return;
	r->nr_tests++;
	r->nr_failed++;
	fprintf(r->tap, "not ok %d - the process after the test above: %s %d\n", r->nr_tests,
		WIFSIGNALED(status) ? "killed by signal" : "ended with status",
		WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Return 0 with @r filled, or -1 when there was no pipe or no process. */
static int run_in_child(Suite *s, enum fork_status forks, struct result *r)
{
	int fds[2], status = -1;
	char *line = NULL;
	size_t size = 0;
	FILE *in;
	pid_t pid;

	memset(r, 0, sizeof(*r));
	fflush(stdout);
	if (pipe(fds) || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		close(fds[0]);
		run(s, fds[1], forks);
	}
	close(fds[1]);
	r->tap = open_memstream(&r->text, &r->size);
	in = fdopen(fds[0], "r");
	while (getline(&line, &size, in) > 0)
		take_line(r, line);
	free(line);
	fclose(in);
	waitpid(pid, &status, 0);
	take_status(r, status);
	fclose(r->tap);
	return 0;
}

/*
 * A fork for each test takes twenty times as long as the tests: the sanitizers copy and search the
 * memory of each child. So all run in one process; when one fails, crashes or leaks, all run again
 * in a process each, which shows the one to blame.
 */
int suite_main(Suite *s)
{
	bool chosen = getenv("CK_FORK");
	struct result r, each;
	int ret = run_in_child(s, chosen ? CK_FORK_GETENV : CK_NOFORK, &r);

	if (ret == 0 && r.nr_failed && !chosen && !run_in_child(s, CK_FORK, &each)) {
		struct result first = r;

		/* Tests that only fail together have failed. */
		if (each.nr_failed) {
			r = each;
			each = first;
		}
		free(each.text);
	}
	srunner_free(srunner_create(s));	/* the only way to free a suite */
	if (ret) {
		printf("Bail out! no pipe or no process\n");
		return 1;
	}
	fputs(r.text, stdout);
	printf("1..%d\n", r.nr_tests);
	free(r.text);
	return r.nr_failed != 0;
}
