// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The regression suite: every test that is asked for, and what came of it in KTAP version 1. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "test/regress/harness/ktap.h"
#include "test/regress/harness/place.h"
#include "test/regress/harness/record.h"
#include "test/regress/harness/run.h"

enum { EXIT_GOOD, EXIT_FAILED, EXIT_USAGE, EXIT_SKIPPED = 4 };

static const char *here(char *buf, size_t size)
{
	struct utsname name;

	if (uname(&name))
		return "an unknown kernel";
	snprintf(buf, size, "Linux %s %s, %ld CPUs", name.release, name.machine,
		 sysconf(_SC_NPROCESSORS_ONLN));
	return buf;
}

static void list(const struct suite *suite)
{
	const struct regress_group *group = NULL;

	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];

		if (test->group != group)
			printf("# %s: %s\n", test->group->name, test->group->what);
		group = test->group;
		printf("%s/%s\n", group->name, test->test->name);
	}
}

/* --- running --- */

struct session {
	const struct settings *o;
	struct suite suite;
	struct runner runner;
	struct suite_totals totals;
	bool stopped;		/* no more tests are run */
	const char *why_not;	/* then */
};

static void not_run(struct session *s, struct ktap_block *block, const char *name)
{
	struct regress_shared *shared = s->runner.shared;

	shared->state = REGRESS_SKIPPED;
	snprintf(shared->why, sizeof(shared->why), "not run: %s", s->why_not);
	ktap_result(block, name, shared, false);
}

static void explain(const struct session *s)
{
	const struct runner *r = &s->runner;

	if (r->shared->state != REGRESS_FAILED && !s->o->verbose)
		return;
	ktap_lines(r->shared->notes);
	ktap_lines(r->output);
	if (s->o->verbose) {
		char took[64];

		snprintf(took, sizeof(took), "took %.3f s", r->ns / 1e9);
		ktap_lines(took);
	}
}

static void run_one(struct session *s, struct ktap_block *block, struct suite_test *test)
{
	struct runner *r = &s->runner;

	if (!s->stopped && runner_stopped(r)) {
		s->stopped = true;
		s->why_not = strsignal(r->signal);
	}
	if (s->stopped) {
		not_run(s, block, test->test->name);
		return;
	}
	runner_run(r, test->test, *test->room);
	suite_note(test, r->shared, r->output);
	explain(s);
	ktap_result(block, test->test->name, r->shared, r->timed_out);
	if (r->shared->state == REGRESS_FAILED && s->o->stop) {
		s->stopped = true;
		s->why_not = "--stop, and one has failed";
	}
}

static void run_all(struct session *s)
{
	struct suite *suite = &s->suite;
	struct ktap_block block;
	unsigned int number = 0;

	ktap_plan(suite_nr_blocks(suite));
	for (unsigned int at = 0; at < suite->nr_steps; at += block.nr) {
		block = (struct ktap_block){ .name = suite->steps[at]->group->name,
					     .number = ++number, .nr = suite_block(suite, at) };
		if (s->o->repeat > 1 && at % suite->nr == 0)
			ktap_say("round %u of %u", at / suite->nr + 1, s->o->repeat);
		if (at % suite->nr == 0)
			suite_round(suite);
		ktap_block(&block);
		for (unsigned int i = 0; i < block.nr; i++)
			run_one(s, &block, suite->steps[at + i]);
		ktap_block_end(&block);
		s->totals.passed += block.totals.passed;
		s->totals.failed += block.totals.failed;
		s->totals.skipped += block.totals.skipped;
	}
}

static void flakes(const struct suite *suite)
{
	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];

		if (test->failed && test->passed + test->skipped)
			ktap_say("flake: %s/%s: failed %u of %u times: %s", test->group->name,
				 test->test->name, test->failed,
				 test->passed + test->failed + test->skipped, test->why);
	}
}

static int run_suite(struct session *s, struct place *place)
{
	char buf[256];
	int ret;

	if (!place->alone)
		place_init(place);
	ret = runner_init(&s->runner, sys_linux(), place, s->o->seconds);
	if (ret < 0) {
		warnx("no process can be set up for a test: %s", strerror(-ret));
		return EXIT_FAILED;
	}
	ktap_begin();
	ktap_say("%s", here(buf, sizeof(buf)));
	for (char *line = place->notes; *line; line += strcspn(line, "\n") + 1)
		ktap_say("%.*s", (int)strcspn(line, "\n"), line);
	if (s->o->shuffle)
		ktap_say("--shuffle=%llu", (unsigned long long)s->o->seed);
	run_all(s);
	flakes(&s->suite);
	record_write(&s->suite, s->o->record);
	ktap_totals(&s->totals);
	ret = s->runner.signal ? 128 + s->runner.signal : s->totals.failed ? EXIT_FAILED :
	      s->totals.passed ? EXIT_GOOD : EXIT_SKIPPED;
	runner_free(&s->runner);
	return ret;
}

int main(int argc, char **argv)
{
	static struct session s;
	struct settings o;
	struct place place = { .sampling = -1 };
	int status = EXIT_USAGE;
	char buf[256];

	/* Before anything can be wrong, which the console is to show. */
	if (getpid() == 1)
		place_init(&place);
	setvbuf(stdout, NULL, _IOLBF, 0);
	s.o = &o;
	if (!settings_parse(&o, argc, argv)) {
		status = EXIT_USAGE;
	} else if (o.help) {
		settings_help();
		status = EXIT_GOOD;
	} else if (o.version) {
		printf("attach-regress " SUITE_VERSION " on %s\n", here(buf, sizeof(buf)));
		status = EXIT_GOOD;
	} else if (suite_init(&s.suite, &o)) {
		status = EXIT_GOOD;
		if (o.list)
			list(&s.suite);
		else
			status = run_suite(&s, &place);
	}
	suite_free(&s.suite);
	settings_free(&o);
	place_end(&place);
	place_leave(&place, status);
}
