// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fit a fixed cost and a cost per attachment. */
#include <math.h>

#include "loader/compare/scale/scale_internal.h"

/*
 * Minimize the squares of the relative error, sum ((fixed + each * x - y) / y)^2, so that long
 * measurements do not outweigh short ones. If one part would be negative, set it to 0 and fit the
 * other alone.
 */
struct scale_fit scale_fit(const double *x, const double *y, unsigned int nr)
{
	struct scale_fit fit = { .points = nr };
	double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0, det;

	for (unsigned int i = 0; i < nr; i++) {
		const double w = y[i] > 0 ? 1 / (y[i] * y[i]) : 1;

		s += w;
		sx += w * x[i];
		sxx += w * x[i] * x[i];
		sy += w * y[i];
		sxy += w * x[i] * y[i];
	}
	det = s * sxx - sx * sx;
	if (det > 1e-9 * s * sxx) {
		fit.fixed = (sxx * sy - sx * sxy) / det;
		fit.each = (s * sxy - sx * sy) / det;
	}
	if (det <= 1e-9 * s * sxx || fit.fixed < 0)
		fit = (struct scale_fit){ .points = nr, .each = sxx > 0 ? sxy / sxx : 0 };
	else if (fit.each < 0)
		fit = (struct scale_fit){ .points = nr, .fixed = sy / s };
	for (unsigned int i = 0; i < nr; i++) {
		const double off = y[i] > 0 ? fabs(fit.fixed + fit.each * x[i] - y[i]) / y[i] : 0;

		fit.error = off > fit.error ? off : fit.error;
	}
	return fit;
}

static double cost(const struct scale_cell *c, bool attach, unsigned int of_what)
{
	const struct scale_figures *f = &c->f;

	if (of_what == SCALE_FIT_WALL)
		return c->wall_ns;
	if (of_what == SCALE_FIT_NS)
		return attach ? f->attach_ns : f->detach_ns;
	return attach ? f->attach_waits.nr[of_what] : f->detach_waits.nr[of_what];
}

struct scale_fit scale_fit_of(const struct scale_all *all, const struct scale_measured *of,
			      unsigned int end, unsigned int of_what)
{
	const bool attach = end == SCALE_NR_ENDS;
	double x[SCALE_NUMBERS_MAX] = { 0 }, y[SCALE_NUMBERS_MAX] = { 0 };
	unsigned int nr = 0;

	for (unsigned int i = 0; i < all->words.nr; i++) {
		const struct scale_cell *c = &of->cells[i][attach ? SCALE_CLOSE : end];

		if (!c->measured)
			continue;
		x[nr] = all->words.numbers[i];
		y[nr++] = cost(c, attach, of_what);
	}
	return scale_fit(x, y, nr);
}
