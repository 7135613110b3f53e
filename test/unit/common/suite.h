/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The end of every unit test: suite_main() runs a Check suite and prints TAP on standard output. */
#ifndef PLOAD_TEST_UNIT_SUITE_H
#define PLOAD_TEST_UNIT_SUITE_H

#include <check.h>

/*
 * suite_main() - Run @s, which it frees, and print one TAP line for each test, then the plan.
 *
 * All tests run in one process. When one fails, crashes or leaks, all run again, each in a process
 * of its own, and only that run is printed. The environment variable CK_FORK=yes|no chooses one of
 * the two. A test has no time limit.
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
