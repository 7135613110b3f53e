// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The model of many attachments: what is fixed and what each adds, from exact and from noisy points. */
#include <math.h>
#include <string.h>

#include "loader/compare/scale/scale_internal.h"
#include "test/unit/common/suite.h"

static const struct {
	const char *name;
	double x[4], y[4];
	unsigned int nr;
	double fixed, each, error;
} rows[] = {
	{ "no point", { 0 }, { 0 }, 0, 0, 0, 0 },
	{ "one: all is for each", { 10 }, { 500 }, 1, 0, 50, 0 },
	{ "two on a line", { 1, 10 }, { 107, 170 }, 2, 100, 7, 0 },
	{ "three on a line", { 1, 10, 100 }, { 107, 170, 800 }, 3, 100, 7, 0 },
	{ "constant", { 1, 10, 100 }, { 3, 3, 3 }, 3, 3, 0, 0 },
	{ "nothing at all", { 1, 10, 100 }, { 0, 0, 0 }, 3, 0, 0, 0 },
	{ "no negative fixed part", { 1, 10 }, { 1, 100 }, 2, 0, 1.98 / 1.01 / 2 + 0.0099, 0.9 },
	{ "no negative part for each", { 1, 2 }, { 20, 10 }, 2, 12, 0, 0.4 },
	{ "the same number twice", { 5, 5 }, { 100, 100 }, 2, 0, 20, 0 },
};

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 0.1 * (fabs(b) + 0.1);
}

TEST_ROWS(fits, rows)
{
	const struct scale_fit fit = scale_fit(rows[_i].x, rows[_i].y, rows[_i].nr);

	ck_assert_uint_eq(fit.points, rows[_i].nr);
	ck_assert_msg(is_near(fit.fixed, rows[_i].fixed), "fixed %f", fit.fixed);
	ck_assert_msg(is_near(fit.each, rows[_i].each), "each %f", fit.each);
	ck_assert_msg(is_near(fit.error, rows[_i].error), "error %f", fit.error);
}

/* A point that is a tenth too large, as a busy machine has it, moves the prediction by no more. */
TEST(a_thousand_is_predicted)
{
	const double x[] = { 1, 10, 100 }, y[] = { 120 * 1.1, 300, 2100 };
	const struct scale_fit fit = scale_fit(x, y, 3);
	const double predicted = fit.fixed + 1000 * fit.each;

	ck_assert_msg(fabs(predicted - 20100) < 0.2 * 20100, "%f", predicted);
}
