// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sections measured once and asserted row by row. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "test/regress/common/others.h"
#include "test/regress/groups/compare/sections.h"

static const char *text_of(struct json_object *o, const char *key)
{
	struct json_object *member = o ? message_get(o, key) : NULL;

	return member ? json_object_get_string(member) : "";
}

/* --- measuring --- */

/*
 * Adds a cell to the document, with the only members that a section reads: its name and its
 * outcome.
 */
static bool add_outcome(struct json_object *cells, const char *name, const char *outcome)
{
	struct json_object *cell = json_object_new_object();

	return value_append(cells, cell) &&
	       value_add(cell, "cell", json_object_new_string(name)) &&
	       value_add(cell, "outcome", json_object_new_string(outcome));
}

/*
 * Finds out whether the cell attaches. An event that attaches is taken to fire, which the group
 * "fires" tests.
 */
static void try_cell(const struct compare_subject *s, unsigned int i, struct section_measured *m)
{
	const struct compare_cell *cell = &s->cells[i];
	struct error err = { 0 };
	struct compare_event e;
	enum firing_outcome is = FIRING_FIRES;

	if (compare_attach(s, cell, &s->prog, &e, &err) < 0) {
		is = firing_outcome_of(&err);
		m->lacks[i] = regress_lacks(&err);
		snprintf(m->why[i], sizeof(m->why[i]), "%s: %s%s%s", cell->name, err.where,
			 err.where[0] ? ": " : "", err.what);
	}
	compare_close(s, &e);
	snprintf(m->outcomes[i], sizeof(m->outcomes[i]), "%s", firing_outcome_name(is));
	error_clear(&err);
}

static void keep_cell(struct json_object *cells, const char *name, struct section_answer *a)
{
	struct json_object *cell = message_get(cells, name);
	struct json_object *error = cell ? message_get(cell, "error") : NULL;
	const char *detail = text_of(cell, "detail");

	snprintf(a->word, sizeof(a->word), "%s", text_of(cell, "answer"));
	snprintf(a->why, sizeof(a->why), "%s", error ? text_of(error, "text") : detail);
	snprintf(a->reason, sizeof(a->reason), "%s", error ? text_of(error, "reason") : "");
}

/* The rows are the same whichever cells were tried. */
static void keep_rows(const struct compare_subject *s, struct json_object *event,
		      struct section_measured *m, unsigned int cells)
{
	struct json_object *sections = message_get(event, "sections"), *rows = NULL;
	size_t nr = 0;

	if (sections && json_object_array_length(sections))
		rows = message_get(json_object_array_get_idx(sections, 0), "rows");
	if (rows)
		nr = json_object_array_length(rows);
	for (size_t i = 0; i < nr && i < SECTION_ROWS_MAX; i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		struct section_measured_row *to = &m->rows[i];

		snprintf(to->id, sizeof(to->id), "%s", text_of(row, "id"));
		for (int c = 0; c < COMPARE_NR_CELLS; c++)
			if (cells & 1u << c)
				keep_cell(message_get(row, "cells"), s->cells[c].name,
					  &to->cells[c]);
	}
}

static void measure_cells(struct regress *t, const struct section_table *table,
			  const struct kind *kind, struct section_measured *m, unsigned int mask)
{
	struct json_object *event = json_object_new_object(), *cells = json_object_new_array();
	struct compare_subject s;
	struct event_spec spec;
	struct error err = { 0 };
	bool ok = value_add(event, "cells", cells);

	kind_begin(t, kind, &spec, &s);
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		if (!(mask & 1u << i))
			continue;
		try_cell(&s, i, m);
		ok = ok && add_outcome(cells, s.cells[i].name, m->outcomes[i]);
	}
	regress_expect(t, ok, "no memory");
	regress_ok(t, table->measure(&s, event, &err), &err, "measuring");
	keep_rows(&s, event, m, mask);
	kind_end(&s);
	json_object_put(event);
}

/*
 * Each cell is measured in a process of its own, all at the same time: after closing a tracing
 * event the kernel waits for grace periods, and four processes can wait for the same one. A process
 * that fails has reported why.
 */
static void measure_at_once(struct regress *t, const struct section_table *table,
			    const struct kind *kind, struct section_measured *m)
{
	pid_t pids[COMPARE_NR_CELLS];
	bool ok = true;
	int status;

	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			measure_cells(t, table, kind, m, 1u << i);
			_exit(0);
		}
	}
	for (int i = 0; i < COMPARE_NR_CELLS; i++) {
		status = -1;
		if (pids[i] > 0 && waitpid(pids[i], &status, 0) != pids[i])
			status = -1;
		ok = ok && !status;
	}
	if (!ok)
		_exit(1);
}

static void measure(struct regress *t, const struct section_table *table, const struct kind *kind,
		    struct section_measured *m)
{
	if (kind->is == KIND_COUNTED)
		measure_cells(t, table, kind, m, CELLS_ALL);
	else
		measure_at_once(t, table, kind, m);
}

const struct section_measured *sections_measured(struct regress *t,
						 const struct section_table *table,
						 unsigned int kind)
{
	struct section_room *room = t->room;
	struct section_measured *m = &room->kinds[kind];

	/* Another attempt would take as long, and end the same way. */
	if (m->state == SECTION_BEGUN)
		regress_fail(t, "the test that was to measure it did not get to the end");
	if (m->state == SECTION_UNTRIED) {
		if (table->before)
			table->before(t);
		m->state = SECTION_BEGUN;
		measure(t, table, &table->kinds[kind], m);
		m->state = SECTION_DONE;
		if (table->after)
			table->after();
	}
	return m;
}

/* --- asserting --- */

static const struct section_measured_row *find_row(const struct section_measured *m,
						   const char *id)
{
	for (unsigned int i = 0; i < SECTION_ROWS_MAX; i++)
		if (!strcmp(m->rows[i].id, id))
			return &m->rows[i];
	return NULL;
}

const char *sections_word(const struct section_measured *m, const char *id, unsigned int cell)
{
	const struct section_measured_row *row = find_row(m, id);

	return row ? row->cells[cell].word : "";
}

static const struct section_rule *find_rule(const struct section_table *table, const char *id,
					    unsigned int is, unsigned int cell)
{
	const struct section_rule *rule = table->rules;

	while (rule->row && (strcmp(rule->row, id) || !(rule->kinds & is) || !(rule->cells & cell)))
		rule++;
	return rule->row ? rule : NULL;
}

/* Returns whether the answer is due to the machine, or reports that there is nothing to try. */
static bool is_lacking(const char *id, const struct section_answer *a)
{
	static const char *const reasons[] = { "scope/no-cgroup", "scope/no-controller",
					       "pin/no-bpffs" };
	static const char *const words[] = { "one CPU", "no tasks" };

	/* User namespaces may be forbidden, or not built in. */
	if (!strncmp(id, "userns", 6) && !strcmp(a->word, "not tried"))
		return true;
	for (size_t i = 0; i < NR(reasons); i++)
		if (!strcmp(a->reason, reasons[i]))
			return true;
	for (size_t i = 0; i < NR(words); i++)
		if (!strcmp(a->word, words[i]))
			return true;
	return false;
}

static void assert_cell(struct regress *t, const struct section_rule *rule, const char *key,
			const struct section_answer *a)
{
	unsigned int nr = 0;

	while (nr < NR(rule->rows) && rule->rows[nr].answer)
		nr++;
	if (a->why[0])
		regress_note(t, "%s: %s: %s", key, a->word, a->why);
	regress_answer(t, key, a->word, rule->rows, nr);
}

unsigned int sections_assert(struct regress *t, const struct section_table *table,
			     unsigned int kind, const char *id, const char *prefix,
			     const char **why)
{
	const struct section_measured *m = sections_measured(t, table, kind);
	const struct section_measured_row *row = find_row(m, id);
	unsigned int looked_at = 0;
	char key[80];

	*why = m->why[0];
	for (unsigned int i = 0; i < COMPARE_NR_CELLS; i++) {
		const struct kind *of = &table->kinds[kind];
		const struct section_rule *rule = find_rule(table, id, of->is, 1u << i);
		const char *name = kind_cell_name(of, i);

		if (strcmp(m->outcomes[i], "fires")) {
			regress_expect(t, m->lacks[i], "%s: it %s: %s", name, m->outcomes[i],
				       m->why[i]);
			*why = m->why[i];
			continue;
		}
		if (!row)
			regress_fail(t, "there is no row '%s'", id);
		regress_expect(t, rule, "%s: no rule has an answer for row '%s'", name, id);
		if (is_lacking(id, &row->cells[i])) {
			*why = row->cells[i].why;
			continue;
		}
		snprintf(key, sizeof(key), "%s%s%s", prefix, prefix[0] ? " " : "", name);
		if (!strcmp(id, "counts-on") && strcmp(row->cells[i].word, "counts"))
			others_none_on(t, of);
		assert_cell(t, rule, key, &row->cells[i]);
		looked_at++;
	}
	return looked_at;
}

void sections_expect(struct regress *t)
{
	const struct section_case *c = t->data;
	const char *why;

	if (!sections_assert(t, c->table, c->kind, c->fact->row, "", &why))
		regress_skip(t, "%s", why);
}

void sections_fill(struct regress_list *list, const struct section_table *table,
		   const struct section_fact *facts, unsigned int nr, struct section_case *cases)
{
	regress_share(list, sizeof(struct section_room));
	regress_patience(list, SECTION_SECONDS);
	for (unsigned int k = 0; k < table->nr_kinds; k++)
		for (unsigned int i = 0; i < nr; i++, cases++) {
			*cases = (struct section_case){ table, &facts[i], k };
			regress_add(list, facts[i].run ? facts[i].run : sections_expect, cases,
				    "%s: %s", table->kinds[k].name, facts[i].what);
		}
}
