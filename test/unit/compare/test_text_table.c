// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rows of a table: one answer of all cells is printed once, others in a column for each. */
#include <stdlib.h>
#include <string.h>

#include "loader/compare/report/text/text.h"
#include "test/unit/common/suite.h"

static const struct {
	unsigned int nr, has;	/* cells, and which of them have an answer */
	const char *answers[4], *row;	/* what follows the label */
} rows[] = {
	{ 1, 1, { "yes" }, "yes" },
	{ 2, 3, { "yes", "yes" }, "yes (both)" },
	{ 3, 7, { "yes", "yes", "yes" }, "yes (all)" },
	{ 4, 15, { "yes", "yes", "yes", "yes" }, "yes (all)" },
	{ 2, 3, { "yes", "no" }, "yes no" },
	{ 3, 7, { "yes", "yes", "no" }, "yes yes no" },
	{ 3, 5, { "yes", NULL, "yes" }, "yes - yes" },
	{ 3, 6, { NULL, "yes", "yes" }, "- yes yes" },
};

TEST_ROWS(answers_that_are_alike, rows)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct cells cells = { .nr = rows[_i].nr };
	struct row row = { .what = "label", .id = "id", .has = rows[_i].has };
	struct text_table t;
	char *text = NULL, *answer;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	for (unsigned int i = 0; i < rows[_i].nr; i++) {
		cells.list[i].name = names[i];
		row.answer[i] = rows[_i].answers[i];
	}
	table_begin(&t, &cells, "title");
	table_fit(&t, 2, &row);
	table_head(file, &t);
	table_row(file, &t, 2, &row);
	fclose(file);
	answer = strstr(text, "label");
	ck_assert_ptr_nonnull(answer);
	answer += strlen("label");
	answer += strspn(answer, " ");
	answer[strcspn(answer, "\n")] = '\0';
	/* Columns are as wide as there is room: their blanks are one here. */
	for (char *p = answer, *to = answer;; p++) {
		if (*p != ' ' || p[1] != ' ')
			*to++ = *p;
		if (!*p)
			break;
	}
	answer[strlen(answer) - (answer[strlen(answer) - 1] == ' ')] = '\0';
	ck_assert_str_eq(answer, rows[_i].row);
	free(text);
}
