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
static void (*fixture_begin)(void), (*fixture_end)(void);

/* CK_RUN_CASE=NAME chooses a test case by its name, so each test is one. */
void suite_add_test(const TTest *test, int first, int end)
{
	TCase *one = tcase_create(test->name);

	if (!registered)
		registered = suite_create(program_invocation_short_name);
	tcase_add_checked_fixture(one, fixture_begin, fixture_end);
	_tcase_add_test(one, test, 0, 0, first, end);
	suite_add_tcase(registered, one);
}

void suite_add_fixture(void (*begin)(void), void (*end)(void))
{
	fixture_begin = begin;
	fixture_end = end;
}

Suite *suite_registered(void)
{
	return registered;
}

/* Check's TAP has no line numbers. After it and AT there is a line for each test that failed. */
#define AT '\001'

static void write_lines(SRunner *sr, int fd)
{
	const int nr = srunner_ntests_failed(sr);
	TestResult **failed = srunner_failures(sr);

	dprintf(fd, "%c", AT);
	for (int i = 0; i < nr; i++)
		dprintf(fd, "%s:%d %s\n", tr_lfile(failed[i]), tr_lno(failed[i]),
			tr_tcname(failed[i]));
	free(failed);
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
	write_lines(sr, fd);
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

/* The words of the command of this process, each after a space. */
static void print_command(FILE *to)
{
	FILE *in = fopen("/proc/self/cmdline", "r");
	char *word = NULL;
	size_t size = 0;

	while (in && getdelim(&word, &size, '\0', in) > 0)
		fprintf(to, " %s", word);
	free(word);
	if (in)
		fclose(in);
	putc('\n', to);
}

/* @at is "FILE:LINE NAME", and NULL if the process did not live to write it. */
static void print_alone(FILE *to, const char *at)
{
	const char *name = at ? strchr(at, ' ') : NULL;

	if (!name)
		return;
	fprintf(to, "# at %.*s\n# alone: CK_RUN_CASE=%s", (int)(name - at), at, name + 1);
	print_command(to);
}

/*
 * One line of Check's TAP: "not ok 3 - file.c:case:test: # SKIP cause" is a test that called
 * suite_skip(). The next of the lines @at belongs to it if it has failed.
 */
static void take_line(struct result *r, char *line, char **at)
{
	char *skip = strstr(line, ": " SUITE_SKIP);
	bool failed = !strncmp(line, "not ok ", 7);
	const char *line_of = failed ? strsep(at, "\n") : NULL;

	if (!strncmp(line, "1..", 3))
		return;	/* suite_main() prints the plan, because it knows of a crash */
	r->nr_tests += failed || !strncmp(line, "ok ", 3);
	if (failed && skip) {
		*skip = '\0';
		fprintf(r->tap, "%s %s\n", line + strlen("not "), skip + 2);
	} else {
		fprintf(r->tap, "%s\n", line);
		r->nr_failed += failed;
		if (failed)
			print_alone(r->tap, line_of);
	}
}

static void take_text(struct result *r, char *text)
{
	char *at = strchr(text, AT), *line;

	if (at)
		*at++ = '\0';
	while ((line = strsep(&text, "\n")))
		if (*line)
			take_line(r, line, &at);
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
	char *text = NULL;
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
	if (getdelim(&text, &size, '\0', in) > 0)
		take_text(r, text);
	free(text);
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
	if (ret || !r.nr_tests) {
		printf("Bail out! %s\n", ret ? "no pipe or no process" : "no test has that name");
		free(ret ? NULL : r.text);
		return 1;
	}
	fputs(r.text, stdout);
	printf("1..%d\n", r.nr_tests);
	free(r.text);
	return r.nr_failed != 0;
}
