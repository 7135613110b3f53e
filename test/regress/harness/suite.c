// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Selects the tests, orders and repeats them, and keeps the result of each over all rounds. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "test/regress/harness/profiles.h"
#include "test/regress/harness/suite.h"

static void *or_die(void *memory)
{
	if (!memory)
		err(1, "no memory for the tests");
	return memory;
}

static void choose(struct suite *suite, unsigned int nr, struct settings *o)
{
	const struct regress_group *group = regress_groups[nr];
	const struct regress_list *list = &suite->lists[nr];

	for (unsigned int i = 0; i < list->nr; i++) {
		if (!settings_wants(o, group->name, list->tests[i].name, list->ids[i]))
			continue;
		suite->tests = or_die(reallocarray(suite->tests, suite->nr + 1,
						   sizeof(*suite->tests)));
		suite->tests[suite->nr++] = (struct suite_test){
			.group = group, .test = &list->tests[i], .id = list->ids[i],
			.exclusive = profiles_has(regress_exclusive, group->name, list->tests[i].name),
			.may_differ = profiles_may_differ(group->name, list->tests[i].name),
			.room = &suite->rooms[nr],
		};
	}
}

/* SplitMix64: enough for an order, and the same everywhere. */
uint64_t suite_chance(uint64_t *seed)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void shuffle(struct suite_test **steps, unsigned int nr, uint64_t *seed)
{
	for (unsigned int i = nr; i > 1; i--) {
		const unsigned int other = suite_chance(seed) % i;
		struct suite_test *test = steps[i - 1];

		steps[i - 1] = steps[other];
		steps[other] = test;
	}
}

static void order(struct suite *suite, const struct settings *o)
{
	uint64_t seed = o->seed;

	suite->nr_steps = suite->nr * o->repeat;
	suite->steps = or_die(calloc(suite->nr_steps, sizeof(*suite->steps)));
	for (unsigned int i = 0; i < suite->nr_steps; i++)
		suite->steps[i] = &suite->tests[i % suite->nr];
	for (unsigned int i = 0; o->shuffle && i < suite->nr_steps; i += suite->nr)
		shuffle(suite->steps + i, suite->nr, &seed);
}

bool suite_init(struct suite *suite, struct settings *o)
{
	*suite = (struct suite){ 0 };
	while (regress_groups[suite->nr_groups])
		suite->nr_groups++;
	suite->lists = or_die(calloc(suite->nr_groups + 1, sizeof(*suite->lists)));
	suite->rooms = or_die(calloc(suite->nr_groups + 1, sizeof(*suite->rooms)));
	for (unsigned int i = 0; i < suite->nr_groups; i++) {
		list_of(&suite->lists[i], regress_groups[i]);
		choose(suite, i, o);
	}
	if (!settings_check_globs(o))
		return false;
	if (!suite->nr)
		return usage_error("attach-regress -l says which tests there are",
				   "no test is left to run");
	order(suite, o);
	return true;
}

static void leave_room(struct suite *suite, unsigned int nr)
{
	if (suite->rooms[nr])
		munmap(suite->rooms[nr], suite->lists[nr].share);
	suite->rooms[nr] = NULL;
}

void suite_round(struct suite *suite)
{
	for (unsigned int i = 0; i < suite->nr_groups; i++) {
		const size_t size = suite->lists[i].share;

		leave_room(suite, i);
		if (!size)
			continue;
		suite->rooms[i] = mmap(NULL, size, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (suite->rooms[i] == MAP_FAILED)
			err(1, "no memory for what tests share");
	}
}

void suite_free(struct suite *suite)
{
	for (unsigned int i = 0; i < suite->nr_groups && suite->lists; i++)
		leave_room(suite, i);
	for (unsigned int i = 0; i < suite->nr_groups && suite->lists; i++)
		list_free(&suite->lists[i]);
	for (unsigned int i = 0; i < suite->nr; i++) {
		free(suite->tests[i].why);
		free(suite->tests[i].message);
		free(suite->tests[i].saw);
	}
	free(suite->lists);
	free(suite->rooms);
	free(suite->tests);
	free(suite->steps);
	*suite = (struct suite){ 0 };
}

unsigned int suite_block(const struct suite *suite, unsigned int at)
{
	unsigned int end = at + 1;

	while (end < suite->nr_steps && suite->steps[end]->group == suite->steps[at]->group &&
	       end % suite->nr)
		end++;
	return end - at;
}

unsigned int suite_nr_blocks(const struct suite *suite)
{
	unsigned int nr = 0;

	for (unsigned int at = 0; at < suite->nr_steps; at += suite_block(suite, at))
		nr++;
	return nr;
}

/* --- results --- */

static void replace(char **text, const char *by)
{
	free(*text);
	*text = by ? or_die(strdup(by)) : NULL;
}

void suite_note(struct suite_test *test, const struct regress_shared *shared, const char *message)
{
	switch (shared->state) {
	case REGRESS_PASSED:
		test->passed++;
		break;
	case REGRESS_SKIPPED:
		test->skipped++;
		if (!test->failed && !test->differed)
			replace(&test->why, shared->why);
		break;
	case REGRESS_DIFFERS:
		if (!test->differed++ && !test->failed)
			replace(&test->why, shared->why);
		break;
	default:
		if (!test->failed++) {
			replace(&test->why, shared->why);
			replace(&test->message, message);
		}
	}
	replace(&test->saw, shared->saw);
}

enum regress_state suite_state(const struct suite_test *test)
{
	return test->failed ? REGRESS_FAILED : test->differed ? REGRESS_DIFFERS : test->passed ? REGRESS_PASSED :
	       test->skipped ? REGRESS_SKIPPED : REGRESS_UNSAID;
}

const char *suite_state_name(enum regress_state state)
{
	static const char *const names[] = {
		[REGRESS_UNSAID] = "failed", [REGRESS_PASSED] = "passed", [REGRESS_FAILED] = "failed",
		[REGRESS_SKIPPED] = "skipped", [REGRESS_DIFFERS] = "differs",
	};

	return names[state];
}
