// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fold the system calls of the cells, in order, to the differences between cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/value/value.h"
#include "loader/compare/report/calls/call.h"
#include "loader/compare/report/report_internal.h"

const char *const call_steps[4] = { "open", "bind", "enable", "detach" };

/* The calls of one step. */
struct sequence {
	unsigned int set;	/* the cells that made these calls */
	unsigned int nr;
	struct call *calls;	/* owned */
};

static void sequence_free(struct sequence *s)
{
	for (unsigned int i = 0; i < s->nr; i++)
		call_free(&s->calls[i]);
	free(s->calls);
}

/* A file may contain invalid calls, without a name and a text. */
static bool is_call(struct json_object *json)
{
	return doc_text(json, "call") || doc_text(json, "text");
}

/* "args" has names for descriptors, but "text" does not; their numbers vary between cells. */
static bool read_call(struct call *call, struct json_object *json)
{
	const char *name = doc_text(json, "call"), *args = doc_text(json, "args"),
		   *result = doc_text(json, "result"), *text = doc_text(json, "text");
	char line[CALL_TEXT];

	if (name && args && result)
		snprintf(line, sizeof(line), "%s(%s) %s", name, args, result);
	return call_read(call, name && args && result ? line : text ? text : name);
}

/* Return false for ENOMEM; @s is freed by the caller in any case. */
static bool sequence_read(struct sequence *s, const struct cell *cell, const char *step)
{
	struct json_object *list = doc_array(cell->json, "calls");
	size_t nr = doc_len(list) < CALLS_MAX ? doc_len(list) : CALLS_MAX;

	s->nr = 0;
	s->calls = calloc(nr ? nr : 1, sizeof(*s->calls));
	for (size_t i = 0; s->calls && i < nr; i++) {
		struct json_object *json = doc_at(list, i);

		if (!doc_is(json, "step", step) || !is_call(json))
			continue;
		if (!read_call(&s->calls[s->nr], json))
			return false;
		s->nr++;
	}
	return s->calls;
}

static bool sequence_equal(const struct sequence *a, const struct sequence *b)
{
	for (unsigned int i = 0; a->nr == b->nr && i < a->nr; i++)
		if (!call_equal(&a->calls[i], &b->calls[i]))
			return false;
	return a->nr == b->nr;
}

/* Read the distinct sequences of the cells that took @step into @list; return false for ENOMEM. */
static bool read_all(const struct cells *cells, const char *step, struct sequence *list,
		     unsigned int *nr)
{
	bool ok = true;

	*nr = 0;
	for (unsigned int i = 0, j; ok && i < cells->nr; i++) {
		struct sequence s = { .set = 1u << i };

		ok = sequence_read(&s, &cells->list[i], step);
		for (j = 0; j < *nr && !sequence_equal(&list[j], &s); j++)
			;
		if (ok && s.nr && j == *nr) {
			list[(*nr)++] = s;
			continue;
		}
		if (ok && s.nr)
			list[j].set |= s.set;
		sequence_free(&s);
	}
	return ok;
}

/* --- common calls --- */

static unsigned int shortest(const struct sequence *list, unsigned int nr)
{
	unsigned int least = list[0].nr;

	for (unsigned int i = 1; i < nr; i++)
		if (list[i].nr < least)
			least = list[i].nr;
	return least;
}

static bool all_same_at(const struct sequence *list, unsigned int nr, unsigned int at,
			bool from_end)
{
	for (unsigned int i = 1; i < nr; i++)
		if (!call_equal(&list[0].calls[from_end ? list[0].nr - 1 - at : at],
			       &list[i].calls[from_end ? list[i].nr - 1 - at : at]))
			return false;
	return true;
}

/* Return the call @nth of that name in @other's calls [@from, @to), or NULL. */
static const struct call *counterpart(const struct sequence *other, unsigned int from,
				      unsigned int to, const char *name, unsigned int nth)
{
	for (unsigned int i = from; i < to; i++)
		if (!strcmp(other->calls[i].name, name) && !nth--)
			return &other->calls[i];
	return NULL;
}

/* Return how many calls in [@from, @at) have the same name as call @at. */
static unsigned int ordinal(const struct sequence *s, unsigned int from, unsigned int at)
{
	unsigned int nth = 0;

	for (unsigned int i = from; i < at; i++)
		nth += !strcmp(s->calls[i].name, s->calls[at].name);
	return nth;
}

struct folding {
	const struct sequence *list;
	unsigned int nr, head, tail;	/* common calls at the beginning and at the end */
};

static struct json_object *lines(const struct sequence *s, unsigned int from, unsigned int to)
{
	struct json_object *array = json_object_new_array();

	for (unsigned int i = from; i < to; i++)
		value_append(array, call_text(&s->calls[i], NULL, 0));
	return array;
}

/* Return the calls between the common ones, minus the arguments that all sequences share. */
static struct json_object *differing(const struct folding *f, unsigned int which)
{
	const struct sequence *s = &f->list[which];
	struct json_object *array = json_object_new_array();

	for (unsigned int i = f->head; i < s->nr - f->tail; i++) {
		const struct call *others[CELLS_MAX];
		unsigned int nr = 0;

		for (unsigned int j = 0; j < f->nr; j++) {
			const struct call *other =
				j == which ? NULL :
				counterpart(&f->list[j], f->head, f->list[j].nr - f->tail,
					    s->calls[i].name, ordinal(s, f->head, i));
			if (other)
				others[nr++] = other;
		}
		value_append(array, call_text(&s->calls[i], others, nr));
	}
	return array;
}

/* Fold the sequences of @f, which differ if there are several; return the number of folds. */
static int fold(struct folding *f, struct call_fold *folds)
{
	const struct sequence *first = &f->list[0];
	const unsigned int least = shortest(f->list, f->nr);
	unsigned int all = 0;
	int nr = 0;

	for (unsigned int i = 0; i < f->nr; i++)
		all |= f->list[i].set;
	while (f->head < least && all_same_at(f->list, f->nr, f->head, false))
		f->head++;
	while (f->head + f->tail < least && all_same_at(f->list, f->nr, f->tail, true))
		f->tail++;
	if (f->head)
		folds[nr++] = (struct call_fold){ all, true, lines(first, 0, f->head) };
	for (unsigned int i = 0; f->nr > 1 && i < f->nr; i++)
		folds[nr++] = (struct call_fold){ f->list[i].set, false, differing(f, i) };
	if (f->tail)
		folds[nr++] = (struct call_fold){ all, true,
						  lines(first, first->nr - f->tail, first->nr) };
	return nr;
}

int calls_fold(const struct cells *cells, const char *step, struct call_fold *folds)
{
	struct sequence list[CELLS_MAX];
	struct folding f = { .list = list };
	bool ok = read_all(cells, step, list, &f.nr);
	const int nr = ok && f.nr ? fold(&f, folds) : 0;

	for (int i = 0; i < nr; i++)
		ok = ok && value_is_complete(folds[i].lines);
	if (!ok)
		calls_free(folds, nr);
	for (unsigned int i = 0; i < f.nr; i++)
		sequence_free(&list[i]);
	return ok ? nr : -1;
}

void calls_free(struct call_fold *folds, int nr)
{
	for (int i = 0; i < nr; i++)
		json_object_put(folds[i].lines);
}
