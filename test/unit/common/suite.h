/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How every unit test ends: one main() that runs a Check suite and prints TAP on stdout. */
#ifndef PLOAD_TEST_UNIT_SUITE_H
#define PLOAD_TEST_UNIT_SUITE_H

#include <check.h>

/*
 * suite_main() - run @s (which it frees) and print one TAP line per test as it ends, then the plan.
 * Gives the exit status of main: 0 when no test failed. Check's CK_FORK=no runs all tests in one
 * process; a crash is then one more line that is "not ok". Tests have no time limit worth the name.
 */
int suite_main(Suite *s);

/*
 * suite_skip(fmt, ...) - leave the test that runs now; it is reported as "ok N - name # SKIP
 * cause". Free first what the test holds: it does not return. Check knows no skips, so the test
 * fails with a message that suite_main() understands.
 */
#define SUITE_SKIP "# SKIP "
#define suite_skip(...) ck_abort_msg(SUITE_SKIP __VA_ARGS__)

#endif
