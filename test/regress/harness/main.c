// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The regression suite: every group, every test, and what came of them in KTAP version 1. */
#include <err.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "test/regress/harness/parts.h"

#define SECONDS 60

struct totals {
	unsigned int passed, failed, skipped;
};

static void report(unsigned int nr, const char *name, const struct regress_shared *shared)
{
	const bool failed = shared->state == REGRESS_FAILED;

	printf("    %s %u %s", failed ? "not ok" : "ok", nr, name);
	if (shared->state == REGRESS_SKIPPED)
		printf(" # SKIP %s", shared->why);
	putchar('\n');
	if (failed)
		printf("    # %s\n", shared->why);
}

static void run_group(const struct regress_group *group, const char *glob,
		      struct regress_shared *shared, struct totals *totals)
{
	struct regress_list list;
	unsigned int nr = 0;
	void *room;
	char name[512];

	list_of(&list, group);
	room = room_begin(&list);
	printf("    KTAP version 1\n    # Subtest: %s\n", group->name);
	for (unsigned int i = 0; i < list.nr; i++) {
		snprintf(name, sizeof(name), "%s/%s", group->name, list.tests[i].name);
		if (fnmatch(glob, name, 0))
			continue;
		run_test(sys_linux(), &list.tests[i], room, SECONDS, shared);
		report(++nr, list.tests[i].name, shared);
		totals->passed += shared->state == REGRESS_PASSED;
		totals->failed += shared->state == REGRESS_FAILED;
		totals->skipped += shared->state == REGRESS_SKIPPED;
	}
	printf("    1..%u\n", nr);
	room_end(&list, room);
	list_free(&list);
}

int main(int argc, char **argv)
{
	struct regress_shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct totals totals = { 0 };
	unsigned int nr = 0;

	if (shared == MAP_FAILED)
		err(1, "no memory");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	printf("KTAP version 1\n");
	for (const struct regress_group *const *group = regress_groups; *group; group++) {
		const unsigned int before = totals.failed;

		run_group(*group, argc > 2 && !strcmp(argv[1], "-t") ? argv[2] : "*", shared,
			  &totals);
		printf("%s %u %s\n", totals.failed > before ? "not ok" : "ok", ++nr,
		       (*group)->name);
	}
	printf("1..%u\n", nr);
	return totals.failed ? 1 : totals.passed ? 0 : 4;
}
