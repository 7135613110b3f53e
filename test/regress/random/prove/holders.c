// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compares the tables of docs/lifetime.md with the model: each row is a life, whose last step or object shows the answer. */
#include <stdio.h>
#include <string.h>

#include "test/regress/random/model.h"

/* Process 1 is pload. It has an event of process 0 (fd 0), a program with a map (fd 1), and a link (fd 2). */
#define BEGIN \
	{ .code = OP_FORK, .other = 1 }, \
	{ .code = OP_MAP_CREATE, .who = 1, .fd = 3 }, \
	{ .code = OP_PROG_LOAD, .who = 1, .fd = 1, .fd2 = 3, .what = FOR_SAMPLES }, \
	{ .code = OP_OPEN, .who = 1, .fd = 0, .fd2 = -1, .other = 0, .what = PAGE_FAULTS, .n = 1 }
#define BY_LINK BEGIN, { .code = OP_LINK_CREATE, .who = 1, .fd = 2, .fd2 = 0, .other = 1, .n = 7 }
#define BY_IOCTL BEGIN, { .code = OP_SET_BPF, .who = 1, .fd = 0, .fd2 = 1 }
#define CLOSE_FD(number) { .code = OP_CLOSE, .who = 1, .fd = number }
#define PINNED(number) { .code = OP_PIN, .who = 1, .fd = number, .what = 0 }
#define UNPINNED { .code = OP_UNPIN, .what = 0 }
#define KILLED { .code = OP_KILL, .other = 1 }

static const struct row {
	const char *when, *answer;	/* how the columns begin; without stars */
	struct op ops[12];
	bool of_map;
} rows[] = {
	{ "its descriptor is closed", "keeps running", { BY_LINK, CLOSE_FD(1) }, false },
	{ "the event's descriptor is closed, a link is open", "keeps running",
	  { BY_LINK, CLOSE_FD(1), CLOSE_FD(0) }, false },
	{ "the link is closed, the event open", "stops", { BY_LINK, CLOSE_FD(2) }, false },
	{ "the event is closed, bound by ioctl", "stops", { BY_IOCTL, CLOSE_FD(0) }, false },
	{ "pload ends or is killed, nothing pinned", "stops", { BY_LINK, KILLED }, false },
	{ "pload ends or is killed, the links pinned", "keeps running", { BY_LINK, PINNED(2), KILLED },
	  false },
	{ "the pin is removed, a process has the link open", "keeps running",
	  { BY_LINK, PINNED(2), UNPINNED }, false },
	{ "the last pin is removed", "stops", { BY_LINK, PINNED(2), KILLED, UNPINNED }, false },
	{ "pload ends, a program that uses it is pinned or linked", "stays",
	  { BY_LINK, PINNED(1), KILLED }, true },
	{ "pload ends, it is pinned by name", "stays", { BY_LINK, PINNED(3), KILLED }, true },
	/* The contents of maps are none of the model's. */
	{ "pload ends, it is a ring buffer", "stays", { BY_LINK, PINNED(3), KILLED }, true },
	{ "pload ends, it is an array of perf events", "stays", { BY_LINK, PINNED(3), KILLED }, true },
};

/* The answer of the model. */
static const char *ask(const struct row *row)
{
	const struct op fire = { .code = OP_FIRE, .what = PAGE_FAULTS, .n = 1 };
	struct expected e;
	struct model m;

	model_init(&m, 6 << 16 | 18 << 8);
	for (int i = 0; i < 12 && (row->ops[i].code || row->ops[i].who); i++) {
		model_step(&m, &row->ops[i], 0, &e);
		if (e.may[0])
			return "is refused";
	}
	if (row->of_map)
		return m.maps[0] ? "stays" : "ends";
	model_step(&m, &fire, 0, &e);
	return e.answer.nr ? "keeps running" : "stops";
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* "| WHEN | ANSWER |": a row of a table that nothing is known of is wrong as well. */
static bool is_right(const char *line)
{
	const char *answer = strstr(line, " | ");

	for (size_t i = 0; answer && i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];

		if (!begins(line + 2, row->when))
			continue;
		answer += 3 + 2 * begins(answer + 3, "**");
		if (begins(answer, ask(row)) && !strcmp(ask(row), row->answer))
			return true;
		printf("%s: the model: it %s\n", row->when, ask(row));
		return false;
	}
	printf("no life is known for: %s", line);
	return false;
}

/* holders <docs/lifetime.md */
int main(void)
{
	bool in_table = false, right = true;
	size_t nr = 0;
	char line[1024];

	while (fgets(line, sizeof(line), stdin)) {
		if (begins(line, "| when |"))
			in_table = true;
		else if (line[0] != '|')
			in_table = false;
		else if (in_table && !begins(line, "|--")) {
			right = is_right(line) && right;
			nr++;
		}
	}
	if (nr != sizeof(rows) / sizeof(rows[0]))
		printf("%zu rows, and %zu lives\n", nr, sizeof(rows) / sizeof(rows[0]));
	return !right || nr != sizeof(rows) / sizeof(rows[0]);
}
