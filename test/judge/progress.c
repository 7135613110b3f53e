// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which stages are passed: a file with the name of each, next to the solved exercises. The list of
 * the stages, and the next one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/judge/judge.h"

#define MAX_STAGES 64

/*
 * The file is what JUDGE_PROGRESS names; learn/stages beside a judge that was built, which is called
 * judge; or one of the user's, for a judge that is installed.
 */
static bool progress_path(char *path, size_t size)
{
	const char *named = getenv("JUDGE_PROGRESS"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char own[400], *slash;
	const ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);

	if (named && *named)
		return snprintf(path, size, "%s", named) < (int)size;
	own[len < 0 ? 0 : len] = 0;
	slash = strrchr(own, '/');
	if (slash && !strcmp(slash, "/judge"))
		return snprintf(path, size, "%.*s/learn/stages", (int)(slash - own), own) < (int)size;
	if (state && *state)
		return snprintf(path, size, "%s/pload/stages", state) < (int)size;
	return snprintf(path, size, "%s/.local/state/pload/stages", home ?: "") < (int)size;
}

/* Create the folders of a path. */
static void make_folders(const char *path)
{
	char part[512];

	for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - path), path);
		mkdir(part, 0777);
	}
}

/* Read which stages are passed. */
static void read_progress(bool passed[MAX_STAGES])
{
	char path[512], line[64];
	FILE *in = progress_path(path, sizeof(path)) ? fopen(path, "re") : NULL;

	memset(passed, 0, MAX_STAGES);
	while (in && fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = 0;
		for (int i = 0; stages[i]; i++)
			passed[i] |= !strcmp(stages[i]->name, line);
	}
	if (in)
		fclose(in);
}

/* Replace the file. Return: false with errno if it cannot be written. */
static bool write_progress(const char *path, const bool passed[MAX_STAGES])
{
	char new[540];
	FILE *out;

	make_folders(path);
	snprintf(new, sizeof(new), "%s.new", path);
	out = fopen(new, "we");
	if (!out)
		return false;
	for (int i = 0; stages[i]; i++)
		if (passed[i])
			fprintf(out, "%s\n", stages[i]->name);
	return fclose(out) == 0 && rename(new, path) == 0;
}

void progress_keep(const struct run *run, bool is_passed)
{
	bool passed[MAX_STAGES];
	char path[512];

	if (run->is_peer)
		return;
	read_progress(passed);
	if (passed[run->nr - 1] == is_passed)
		return;
	passed[run->nr - 1] = is_passed;
	if (!progress_path(path, sizeof(path)) || !write_progress(path, passed))
		fprintf(stderr, "judge: the progress is not kept: %s: %s\n", path, strerror(errno));
}

bool progress_has(const struct run *run)
{
	bool passed[MAX_STAGES];

	read_progress(passed);
	return !run->is_peer && passed[run->nr - 1];
}

int progress_next(void)
{
	bool passed[MAX_STAGES];
	int nr = 1;

	read_progress(passed);
	while (stages[nr] && passed[nr - 1])
		nr++;
	return nr;
}

/* Return the number of stages that are not passed. */
static int nr_left(const bool passed[MAX_STAGES])
{
	int nr = 0;

	for (int i = 0; stages[i]; i++)
		nr += !passed[i];
	return nr;
}

void progress_print_next(const struct run *run)
{
	bool passed[MAX_STAGES];
	int left, nr = progress_next();

	if (run->is_peer)
		return;
	read_progress(passed);
	left = nr_left(passed);
	if (!left) {
		printf("next: nothing, all stages are passed\n");
		return;
	}
	printf("next: %s %s --", program_invocation_name, stages[nr - 1]->name);
	for (char **word = run->command; *word; word++)
		printf(" %s", *word);
	printf("  (%s; %d left)\n", stages[nr - 1]->title, left);
}

void show_stages(void)
{
	bool passed[MAX_STAGES];
	int left;

	read_progress(passed);
	left = nr_left(passed);
	for (int i = 0; stages[i]; i++)
		printf("%2d  %-11s %s%s\n", i + 1, stages[i]->name, stages[i]->title,
		       passed[i] ? " (passed)" : "");
	if (left)
		printf("\n%d left, the next is %s.", left, stages[progress_next() - 1]->name);
	else
		printf("\nAll are passed.");
	printf(" judge STAGE shows what a stage wants, judge STAGE -- COMMAND... judges a loader.\n"
	       "The contract is in docs/course/README.md.\n");
}

void show_stage(const struct stage *stage, int nr)
{
	printf("%d %s: %s\n\n%s\n\n", nr, stage->name, stage->title, stage->task);
	for (const struct check *c = stage->checks; c->id; c++)
		printf("  %-18s %s\n", c->id, c->right);
	printf("\nIt calls: COMMAND... OBJECT %s %s%s\n", stage->method, stage->cookie ? "COOKIE" : "0",
	       stage->pin ? " PIN" : "");
	printf("To read:");
	for (const struct check *c = stage->checks; c->id; c++)
		if (c == stage->checks || strcmp(c->page, c[-1].page))
			printf(" docs/%s", c->page);
	printf("\n");
}

