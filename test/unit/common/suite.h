/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The end of every unit test: suite_main() runs a Check suite and prints TAP on standard output. */
#ifndef PLOAD_TEST_UNIT_SUITE_H
#define PLOAD_TEST_UNIT_SUITE_H

#include <check.h>

#define NR(rows) (int)(sizeof(rows) / sizeof((rows)[0]))

/* A variable that @free frees at the end of its scope. */
#define FREED_BY(free) __attribute__((cleanup(free)))

/*
 * TEST(name) { ... }			one test, which runs once
 * TEST_ROWS(name, rows) { ... }	one test for each element of an array, with its index in _i
 * TEST_EACH(name, nr) { ... }		_i is 0 to nr - 1
 * TEST_RANGE(name, first, end) { ... }	_i is first to end - 1
 *
 * TEST_FIXTURE(begin, end) makes the tests that follow it in the file run between these two
 * functions. A file of such tests has no main(): test/unit/common/main.c is its own.
 */
#define TEST(name) TEST_EACH(name, 1)
#define TEST_ROWS(name, rows) TEST_EACH(name, NR(rows))
#define TEST_EACH(name, nr) TEST_RANGE(name, 0, nr)
#define TEST_RANGE(name, first, end) \
	static const TTest *name; \
	__attribute__((constructor)) static void name##_add(void) \
	{ \
		suite_add_test(name, first, end); \
	} \
	START_TEST(name)
#define TEST_FIXTURE(begin, end) TEST_FIXTURE_AT(begin, end, __LINE__)
#define TEST_FIXTURE_AT(begin, end, line) TEST_FIXTURE_IN(begin, end, line)
#define TEST_FIXTURE_IN(begin, end, line) \
	__attribute__((constructor)) static void fixture_of_line_##line(void) \
	{ \
		suite_add_fixture(begin, end); \
	}

void suite_add_test(const TTest *test, int first, int end);
void suite_add_fixture(void (*begin)(void), void (*end)(void));
Suite *suite_registered(void);

/*
 * suite_main() - Run @s, which it frees, and print one TAP line for each test, then the plan.
 *
 * All tests run in one process. When one fails, crashes or leaks, all run again, each in a process
 * of its own, and only that run is printed. The environment variable CK_FORK=yes|no chooses one of
 * the two, and CK_RUN_CASE=NAME the test of that name; if there is none, that is a failure. After a
 * test that failed follow the file and line, and the command that runs it alone. A test has no time
 * limit.
 *
 * Return: the exit status for main(): 0 when no test failed.
 */
int suite_main(Suite *s);

/*
 * suite_skip(fmt, ...) - Leave the current test; it is reported as "ok N - name # SKIP cause".
 *
 * Free first what the test holds: this does not return. Check has no notion of a skipped test, so
 * the test fails with a message that suite_main() recognizes.
 */
#define SUITE_SKIP "# SKIP "
#define suite_skip(...) ck_abort_msg(SUITE_SKIP __VA_ARGS__)

#endif
