// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One run of the suite: all tests, then the summary and the reports. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "test/regress/harness/conformance.h"
#include "test/regress/harness/kernel_lock.h"
#include "test/regress/harness/ktap.h"
#include "test/regress/harness/preconditions.h"
#include "test/regress/harness/profiles.h"
#include "test/regress/harness/whole.h"

const char *whole_kernel(char *buf, size_t size)
{
	struct utsname name;

	if (uname(&name))
		return "an unknown kernel";
	snprintf(buf, size, "Linux %s %s, %ld CPUs", name.release, name.machine,
		 sysconf(_SC_NPROCESSORS_ONLN));
	return buf;
}

/* --- tests --- */

static void not_run(struct whole *s, struct ktap_block *block, const struct suite_test *test)
{
	struct regress_shared *shared = s->runner.shared;

	shared->state = REGRESS_SKIPPED;
	snprintf(shared->why, sizeof(shared->why), "not run: %s", s->why_not);
	ktap_result(block, test, shared, false);
}

/* Print the command that runs only @test, by its id or, where it has none yet, by its name. */
static void alone(const struct whole *s, const struct suite_test *test)
{
	char text[1024], name[512];

	snprintf(name, sizeof(name), "'%s/%s'", test->group->name, test->test->name);
	snprintf(text, sizeof(text), "alone: %s -v -t %s",
		 s->place->alone ? "attach-regress" : program_invocation_name,
		 test->id[0] ? test->id : name);
	ktap_lines(text);
}

static void explain(const struct whole *s, const struct suite_test *test)
{
	const struct runner *r = &s->runner;
	const bool failed = r->shared->state == REGRESS_FAILED || r->shared->state == REGRESS_DIFFERS;
	char took[64];

	if (!failed && !s->o->verbose)
		return;
	ktap_lines(r->shared->notes);
	ktap_lines(r->output);
	/* Some readers of KTAP drop the end of a result's line. With --names=id it is a line already. */
	if (failed && !s->o->ids)
		ktap_lines(r->shared->why);
	if (failed && profiles_of_loader(test->group->name, test->test->name))
		ktap_lines("about: the loader, and not the kernel");
	if (failed)
		alone(s, test);
	snprintf(took, sizeof(took), "took %.3f s, %.3f s of a CPU", r->ns / 1e9, r->cpu_ns / 1e9);
	if (s->o->verbose)
		ktap_lines(took);
}

/*
 * The line that failed or, when something else ended the test, the last one that it passed; where
 * that is in a file which groups share, also the last line of the group.
 */
static void add_source(struct regress_shared *shared, const struct regress_group *group)
{
	const size_t len = strlen(shared->notes), size = sizeof(shared->notes) - len;
	const char *in_group = shared->group_source ? shared->group_source : group->source;
	const char *how = shared->said ? "at" : "after";
	char *at = shared->notes + len;

	if (shared->state != REGRESS_FAILED)
		return;
	if (!shared->source)
		snprintf(at, size, "in %s\n", group->source);
	else if (!strcmp(shared->source, in_group))
		snprintf(at, size, "%s %s:%u\n", how, shared->source, shared->line);
	else if (shared->group_source)
		snprintf(at, size, "%s %s:%u, called after %s:%u\n", how, shared->source,
			 shared->line, in_group, shared->group_line);
	else
		snprintf(at, size, "%s %s:%u, called from %s\n", how, shared->source, shared->line,
			 in_group);
}

static void keep(const struct runner *r, struct suite_test *test)
{
	char *message;

	if (asprintf(&message, "%s%s", r->shared->notes, r->output) < 0)
		message = NULL;
	suite_note(test, r->shared, message);
	free(message);
}

static bool is_stopped(void *runner)
{
	return runner_stopped(runner);
}

static void take_lock(struct runner *r)
{
	const uint64_t begin = sys_monotonic_ns();

	r->lock_fd = kernel_lock_take(is_stopped, r);
	r->locked_ns += sys_monotonic_ns() - begin;
}

static void run_one(struct whole *s, struct ktap_block *block, struct suite_test *test)
{
	struct runner *r = &s->runner;

	if (!s->stopped && runner_stopped(r)) {
		s->stopped = true;
		s->why_not = strsignal(r->signal);
	}
	if (s->stopped) {
		not_run(s, block, test);
		return;
	}
	if (test->exclusive)
		take_lock(r);
	if (!runner_run(r, test->test, *test->room)) {
		s->stopped = true;
		s->why_not = "no process can be started";
	}
	kernel_lock_release(r->lock_fd);
	r->lock_fd = -1;
	if (s->stopped) {
		not_run(s, block, test);
		return;
	}
	add_source(r->shared, test->group);
	if (s->o->conformance && test->may_differ && r->reported && r->shared->state == REGRESS_FAILED)
		r->shared->state = REGRESS_DIFFERS;
	if (!r->signal)
		keep(r, test);
	explain(s, test);
	ktap_result(block, test, r->shared, r->timed_out);
	if (r->shared->state != REGRESS_FAILED)
		return;
	s->nr_failed++;
	if (s->o->stop || s->nr_failed == s->o->max_failures) {
		s->stopped = true;
		s->why_not = s->o->stop ? "one has failed, and --stop was given" :
					  "as many have failed as --max-failures allows";
	}
}

static void run_all(struct whole *s)
{
	struct suite *suite = s->suite;
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
		s->totals.differed += block.totals.differed;
	}
}

/* --- before and after --- */

static void begin(const struct whole *s)
{
	char buf[256];

	/* The firmware may have left the console in the middle of a line. */
	if (s->place->alone)
		putchar('\n');
	if (s->o->ids)
		ktap_name_by_id();
	ktap_begin();
	ktap_say("%s", whole_kernel(buf, sizeof(buf)));
}

static void preamble(const struct whole *s)
{
	const struct kmsg *kmsg = &s->runner.kmsg;

	preconditions_say(sys_linux());
	for (const char *line = s->place->notes; *line; line += strcspn(line, "\n") + 1)
		ktap_say("%.*s", (int)strcspn(line, "\n"), line);
	if (kmsg->fd < 0)
		ktap_say("what the kernel says of itself is not watched: %s: %s", regress_kmsg(),
			 strerror(kmsg->code));
	if (!s->runner.root)
		ktap_say("not root of the machine, with CAP_SYS_ADMIN, CAP_BPF and CAP_PERFMON: what is "
			 "refused is skipped");
	if (s->o->disturb)
		ktap_say("--disturb: %u CPUs are taken away at random moments", s->disturb.nr);
	if (s->o->shuffle)
		ktap_say("--shuffle=%llu", (unsigned long long)s->o->seed);
	for (unsigned int i = 0; i < s->o->deny.nr; i++)
		if (s->o->deny.list[i].expired)
			ktap_say("expired: -d: %s", s->o->deny.list[i].text);
}

/* Those that did not always end the same way. */
static void flakes(const struct suite *suite)
{
	for (unsigned int i = 0; i < suite->nr; i++) {
		const struct suite_test *test = &suite->tests[i];
		const unsigned int runs = test->passed + test->failed + test->skipped + test->differed;

		if (test->passed == runs || test->failed == runs || test->skipped == runs || test->differed == runs)
			continue;
		ktap_say("flake: %s/%s: failed %u and skipped %u of %u times: %s", test->group->name,
			 test->test->name, test->failed, test->skipped, runs,
			 test->why ? test->why : "");
	}
}

static void remarks(const struct runner *r)
{
	if (r->locked_ns > UINT64_C(1000000000))
		ktap_say("waited %.0f s for another suite on this kernel, which used what there is "
			 "only once", r->locked_ns / 1e9);
	if (r->nr_stalls)
		ktap_say("%u times a watchdog of the kernel complained, and this process had not been "
			 "run for a while, either: no failure", r->nr_stalls);
	if (r->nr_known)
		ktap_say("%u warnings of the kernel that are about neither perf events nor BPF: no failure",
			 r->nr_known);
	if (r->nr_others)
		ktap_say("%u times the kernel found a fault in a process outside the suite, "
			 "about neither perf events nor BPF: no failure", r->nr_others);
	if (r->nr_illegal)
		ktap_say("%u times the kernel reported an instruction as illegal, because a uprobe had just been "
			 "taken away from it: no failure", r->nr_illegal);
	if (r->nr_late)
		ktap_say("%u times what a test had released was waited for longer, since grace "
			 "periods of RCU-tasks took more than %.0f s: no failure", r->nr_late,
			 regress_patience_ns / 1e9);
	if (r->kmsg.unread)
		ktap_say("%u times the kernel said more than could be read", r->kmsg.unread);
	if (r->unwatched)
		ktap_say("whether %u more that tests created are still there was not looked at",
			 r->unwatched);
	if (r->leaks.ids_untold)
		ktap_say("what is left in the kernel cannot be known: BPF_PROG_GET_NEXT_ID: %s",
			 strerror(-r->leaks.ids_untold));
}

static bool is_disturbed(struct whole *s)
{
	const int ret = disturb_begin(&s->disturb);

	return !ret || usage_error("it takes CAP_SYS_NICE, and RLIMIT_NPROC for a process a CPU",
				   "--disturb: CPUs cannot be taken away: %s", strerror(-ret));
}

/* Opens all files that the options name before a test runs, so that a wrong path costs no time. */
static bool prepare(struct whole *s)
{
	const struct settings *o = s->o;

	s->against = o->against ? against_open(o->against) : NULL;
	return (s->against || !o->against) && report_open(&s->record, o->record, true) &&
	       report_open(&s->summary, o->summary, false) &&
	       report_open(&s->junit, o->junit, false) && (!o->disturb || is_disturbed(s));
}

/*
 * Prints the summary and writes the reports. Returns whether the suite fails for that: a report
 * cannot be written, or there are differences and --strict.
 */
static bool conclude(struct whole *s)
{
	unsigned int differences = 0;
	bool good = true;

	flakes(s->suite);
	remarks(&s->runner);
	if (s->against)
		differences = against_say(s->against, s->suite);
	if (s->record.path && !s->record.file)
		record_lines(s->suite);
	else if (s->record.path)
		good = report_close(&s->record, record_of(s->suite));
	if (s->summary.path)
		good = report_close(&s->summary, summary_of(s->suite, s->o->verbose)) && good;
	if (s->junit.path)
		good = junit_close(&s->junit, s->suite) && good;
	causes_say(s->suite);
	if (s->o->conformance)
		conformance_say(s->suite);
	ktap_totals(&s->totals);
	return !good || (s->o->strict && differences);
}

static int run(struct whole *s)
{
	int ret = runner_init(&s->runner, sys_linux(), s->place, s->o->seconds);
	bool bad;

	begin(s);
	if (ret < 0) {
		printf("Bail out! nothing can be set up for tests: %s\n", strerror(-ret));
		return EXIT_ERROR;
	}
	if (!preconditions_has_bpf(sys_linux())) {
		puts("1..0 # SKIP bpf(2): Function not implemented: the kernel was built without "
		     "CONFIG_BPF_SYSCALL, or a filter of system calls refuses it");
		return EXIT_SKIPPED;
	}
	preamble(s);
	run_all(s);
	bad = conclude(s);
	if (s->runner.error) {
		ktap_say("error: no process can be started for a test: %s", strerror(s->runner.error));
		return EXIT_ERROR;
	}
	if (s->runner.signal)
		return 128 + s->runner.signal;
	if (s->totals.failed || bad)
		return EXIT_FAILED;
	return s->totals.passed || s->totals.differed ? EXIT_GOOD : EXIT_SKIPPED;
}

int whole_run(struct whole *s)
{
	int ret = EXIT_USAGE;

	if (prepare(s)) {
		/* Files above are where whoever has started us sees them. */
		if (!s->place->alone)
			place_init(s->place);
		ret = run(s);
		runner_free(&s->runner);
	}
	disturb_end(&s->disturb);
	json_object_put(s->against);
	return ret;
}
