// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Folds the system calls of the cells, in their order, to the differences between cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/output/value.h"
#include "loader/tools/report/calls/call.h"
#include "loader/tools/report/report_internal.h"

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

/* "args" has names for descriptors, which "text" does not: their numbers vary between cells. */
static bool read_call(struct call *call, struct json_object *json)
{
	const char *name = doc_text(json, "call"), *args = doc_text(json, "args"),
		   *result = doc_text(json, "result"), *text = doc_text(json, "text");
	char line[CALL_TEXT];

	if (name && args && result)
		snprintf(line, sizeof(line), "%s(%s) %s", name, args, result);
	if (!name && !text)
		return false;
	return call_read(call, name && args && result ? line : text ? text : name);
}

static bool sequence_read(struct sequence *s, const struct cell *cell, const char *step)
{
	struct json_object *list = doc_array(cell->json, "calls");
	size_t nr = doc_len(list) < CALLS_MAX ? doc_len(list) : CALLS_MAX;

	s->nr = 0;
	s->calls = calloc(nr ? nr : 1, sizeof(*s->calls));
	for (size_t i = 0; s->calls && i < nr; i++)
		if (doc_is(doc_at(list, i), "step", step) &&
		    read_call(&s->calls[s->nr], doc_at(list, i)))
			s->nr++;
	return s->calls;
}

static bool sequence_equal(const struct sequence *a, const struct sequence *b)
{
	for (unsigned int i = 0; a->nr == b->nr && i < a->nr; i++)
		if (!call_equal(&a->calls[i], &b->calls[i]))
			return false;
	return a->nr == b->nr;
}

/* Read the distinct sequences of the cells that took @step, and return their number. */
static unsigned int read_all(const struct cells *cells, const char *step, struct sequence *list)
{
	unsigned int nr = 0, j;

	for (unsigned int i = 0; i < cells->nr; i++) {
		struct sequence s = { .set = 1u << i };

		if (!sequence_read(&s, &cells->list[i], step) || !s.nr) {
			sequence_free(&s);
			continue;
		}
		for (j = 0; j < nr && !sequence_equal(&list[j], &s); j++)
			;
		if (j == nr) {
			list[nr++] = s;
			continue;
		}
		list[j].set |= s.set;
		sequence_free(&s);
	}
	return nr;
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

/* Return how many calls in [@from, @at) have the name of call @at. */
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

	for (unsigned int i = from; array && i < to; i++)
		if (!value_append(array, call_text(&s->calls[i], NULL, 0)))
			break;
	return array;
}

/* Return the calls between the common ones, without the arguments that all sequences share. */
static struct json_object *differing(const struct folding *f, unsigned int which)
{
	const struct sequence *s = &f->list[which];
	struct json_object *array = json_object_new_array();

	for (unsigned int i = f->head; array && i < s->nr - f->tail; i++) {
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
		if (!value_append(array, call_text(&s->calls[i], others, nr)))
			break;
	}
	return array;
}

unsigned int calls_fold(const struct cells *cells, const char *step, struct call_fold *folds)
{
	struct sequence list[CELLS_MAX];
	struct folding f = { .list = list };
	unsigned int nr = 0, all = 0, least;

	f.nr = read_all(cells, step, list);
	least = f.nr ? shortest(list, f.nr) : 0;
	for (unsigned int i = 0; i < f.nr; i++)
		all |= list[i].set;
	while (f.head < least && all_same_at(list, f.nr, f.head, false))
		f.head++;
	while (f.head + f.tail < least && all_same_at(list, f.nr, f.tail, true))
		f.tail++;
	if (f.head)
		folds[nr++] = (struct call_fold){ all, true, lines(list, 0, f.head) };
	for (unsigned int i = 0; f.nr > 1 && i < f.nr; i++)
		folds[nr++] = (struct call_fold){ list[i].set, false, differing(&f, i) };
	if (f.tail)
		folds[nr++] = (struct call_fold){ all, true,
						  lines(list, list[0].nr - f.tail, list[0].nr) };
	for (unsigned int i = 0; i < f.nr; i++)
		sequence_free(&list[i]);
	return nr;
}

void calls_free(struct call_fold *folds, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		json_object_put(folds[i].lines);
}
