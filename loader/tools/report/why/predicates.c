// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the explanations of differences ask: which cells answer alike, and how. */
#include <string.h>

#include "loader/tools/report/why/differs.h"

bool answers_begin(const struct row *row, unsigned int set, const char *text)
{
	if (!set || (row->has & set) != set)
		return false;
	for (unsigned int i = 0; i < CELLS_MAX; i++)
		if (set & 1u << i && strncmp(row->answer[i], text, strlen(text)))
			return false;
	return true;
}

static bool is_alike(const struct row *row, unsigned int set)
{
	const char *first = NULL;

	for (unsigned int i = 0; i < CELLS_MAX; i++) {
		if (!(set & row->has & 1u << i))
			continue;
		if (first && strcmp(first, row->answer[i]))
			return false;
		first = row->answer[i];
	}
	return first;
}

static uint64_t most(const struct row *row, unsigned int set)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < CELLS_MAX; i++)
		if (set & row->timed & 1u << i && row->ns[i] > ns)
			ns = row->ns[i];
	return ns;
}

static uint64_t least(const struct row *row, unsigned int set)
{
	uint64_t ns = UINT64_MAX;

	for (unsigned int i = 0; i < CELLS_MAX; i++)
		if (set & row->timed & 1u << i && row->ns[i] < ns)
			ns = row->ns[i];
	return ns;
}

bool are_slower(const struct row *row, unsigned int slow, unsigned int fast)
{
	return row->timed & slow && row->timed & fast && least(row, slow) > most(row, fast);
}

static bool parts(const struct row *row, unsigned int set)
{
	const unsigned int rest = row->has & ~set;

	set &= row->has;
	if (!set || !rest)
		return false;
	if (row->timed)
		return are_slower(row, set, rest) || are_slower(row, rest, set);
	return is_alike(row, set) && is_alike(row, rest);
}

bool by_open(const struct difference *d)
{
	return parts(d->row, cells_opened(d->cells, "pmu"));
}

bool by_bind(const struct difference *d)
{
	return parts(d->row, cells_bound(d->cells, "link"));
}

bool by_kind(const struct difference *d)
{
	return parts(d->row, cells_opened(d->cells, "traced"));
}
