// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The suite's command line: one table for getopt and for --help. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "test/regress/harness/globs.h"
#include "test/regress/harness/profiles.h"

#define SECONDS 60

/* Those without a letter. */
enum { OPT_TIMEOUT = 256, OPT_REPEAT, OPT_SHUFFLE, OPT_STOP, OPT_STRICT, OPT_RECORD, OPT_AGAINST,
       OPT_DISTURB, OPT_VERSION, OPT_NAMES, OPT_FORMAT, OPT_JUNIT, OPT_SHARD,
       OPT_MAX_FAILURES, OPT_QUICK, OPT_REQUIRES, OPT_CONFORMANCE,
       OPT_EXPLAIN, OPT_COVERAGE, OPT_RANDOM, OPT_STEPS, OPT_TIME, OPT_PROGRAM };

struct row {
	int val;		/* a letter, or one of the above */
	const char *name, *value;	/* value: NULL, "NAME", or "[NAME]" where it may be left out */
	const char *what;
};

static const struct row rows[] = {
	{ 'l', "list", NULL, "say which tests there are, and run none" },
	{ 't', "test", "GLOB", "only those whose id, GROUP or GROUP/TEST matches; again for more" },
	{ 'a', "allow", "LIST", "only those of a list: FILE or @FILE with a glob a line, or GLOB,..." },
	{ 'd', "deny", "LIST", "not those of a list" },
	{ 'j', "json-summary", "FILE", "what came of it, as test_progs of the kernel writes it" },
	{ OPT_JUNIT, "junit", "FILE", "the same as JUnit's XML" },
	{ OPT_NAMES, "names", "id|sentence", "results are named GROUP.N, which never changes" },
	{ OPT_FORMAT, "format", "json", "with --list: as JSON" },
	{ OPT_QUICK, "quick", NULL, "each method, kind of event and end of an attachment, in a minute" },
	{ OPT_CONFORMANCE, "conformance", NULL, "no tests of the loader; a table by part of the ABI" },
	{ OPT_EXPLAIN, "explain", "GLOB", "print what a test states, needs and does: its source" },
	{ OPT_COVERAGE, "coverage", NULL, "print the names of the ABI, and the groups that use each" },
	{ OPT_REQUIRES, "requires", NULL, "print the options of a kernel that the tests need, as .config" },
	{ OPT_SHARD, "shard", "I/N", "the I-th of N parts; a test's part is chosen by its id" },
	{ 'v', "verbose", NULL, "notes of tests that pass, and how long each took" },
	{ OPT_TIMEOUT, "timeout", "SECONDS", "how long one test may take (60)" },
	{ OPT_REPEAT, "repeat", "N", "all of it N times, and which tests did not always pass" },
	{ OPT_SHUFFLE, "shuffle", "[SEED]", "in an order of chance, which SEED brings back" },
	{ OPT_DISTURB, "disturb", NULL, "take CPUs away at random moments: races show sooner" },
	{ OPT_STOP, "stop", NULL, "run no more after the first failure" },
	{ OPT_MAX_FAILURES, "max-failures", "N", "run no more after N failures" },
	{ OPT_RECORD, "record", "FILE", "write what was seen; '-' writes lines '# saw:'" },
	{ OPT_AGAINST, "against", "FILE", "say what differs from what was recorded there" },
	{ OPT_STRICT, "strict", NULL, "what differs is a failure" },
	{ OPT_RANDOM, "random", "[SEED]", "random lives of attachments, compared with a model, and no tests" },
	{ OPT_STEPS, "steps", "N", "with --random: this many steps" },
	{ OPT_TIME, "time", "SECONDS", "with --random: for so long (60)" },
	{ OPT_PROGRAM, "program", "FILE", "with --random: write what differs as a C program" },
	{ 'h', "help", NULL, "this" },
	{ OPT_VERSION, "version", NULL, "which suite this is, for which kernel" },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

bool usage_error(const char *hint, const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("attach-regress: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nhint: %s\n", hint);
	return false;
}

void settings_help(void)
{
	puts("usage: attach-regress [OPTION]...\n"
	     "Runs tests of attaching BPF programs on the kernel it is started on, and says in KTAP\n"
	     "what came of them. As process 1 it mounts what it needs and powers off at the end.\n");
	for (size_t i = 0; i < NR_ROWS; i++) {
		const struct row *row = &rows[i];
		const char *value = row->value ? row->value : "";
		char left[64];

		if (value[0] == '[')
			snprintf(left, sizeof(left), "--%s[=%.*s]", row->name,
				 (int)strlen(value) - 2, value + 1);
		else
			snprintf(left, sizeof(left), "--%s%s%s", row->name, value[0] ? "=" : "",
				 value);
		if (row->val < 256)
			printf("  -%c, %-22s %s\n", row->val, left, row->what);
		else
			printf("      %-22s %s\n", left, row->what);
	}
	puts("\nExit status: 0 all passed, 1 something failed, 2 a wrong command line,\n"
	     "4 everything was skipped, 5 the suite itself could not run, 128 + n ended by signal n.");
}

/* --- one option --- */

static bool number(const struct row *row, const char *text, uint64_t min, uint64_t max,
		   uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	if (errno || *end || text[0] < '0' || text[0] > '9' || *value < min || *value > max) {
		char hint[96];

		snprintf(hint, sizeof(hint), "a number from %llu to %llu", (unsigned long long)min,
			 (unsigned long long)max);
		return usage_error(hint, "--%s: '%s' is no number, or none of use here", row->name,
				   text);
	}
	return true;
}

static uint64_t seed_of_chance(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 20 ^ (uint64_t)getpid()) % 1000000;
}

static bool flag(bool *to)
{
	*to = true;
	return true;
}

static bool text(const char **to, const char *value)
{
	*to = value;
	return true;
}

static bool names(struct settings *o, const char *value)
{
	o->ids = !strcmp(value, "id");
	return o->ids || !strcmp(value, "sentence") ||
	       usage_error("--names=id or --names=sentence", "--names: '%s' is unknown", value);
}

static bool format(struct settings *o, const char *value)
{
	o->list_json = true;
	return !strcmp(value, "json") ||
	       usage_error("--list --format=json", "--format: '%s' is unknown", value);
}

static bool shard(struct settings *o, const char *value)
{
	char end;

	return (sscanf(value, "%u/%u%c", &o->shard, &o->nr_shards, &end) == 2 && o->shard &&
		o->shard <= o->nr_shards) ||
	       usage_error("--shard=1/4 to --shard=4/4", "--shard: '%s' is no part of a whole",
			   value);
}

static bool take(struct settings *o, const struct row *row, const char *value)
{
	uint64_t n;

	switch (row->val) {
	case 'l':
		return flag(&o->list);
	case 't':
		globs_add(&o->tests, value, false);
		return true;
	case 'a':
		return globs_take(&o->allow, value);
	case 'd':
		return globs_take(&o->deny, value);
	case 'j':
		return text(&o->summary, value);
	case OPT_JUNIT:
		return text(&o->junit, value);
	case OPT_NAMES:
		return names(o, value);
	case OPT_FORMAT:
		return format(o, value);
	case OPT_QUICK:
		return flag(&o->quick);
	case OPT_CONFORMANCE:
		return flag(&o->conformance);
	case OPT_EXPLAIN:
		globs_add(&o->tests, value, false);
		return flag(&o->explain);
	case OPT_COVERAGE:
		return flag(&o->coverage);
	case OPT_REQUIRES:
		return flag(&o->requires);
	case OPT_SHARD:
		return shard(o, value);
	case OPT_MAX_FAILURES:
		return number(row, value, 1, UINT32_MAX, &n) && ((o->max_failures = n), true);
	case 'v':
		return flag(&o->verbose);
	case OPT_TIMEOUT:
		return number(row, value, 1, 86400, &n) && ((o->seconds = n), true);
	case OPT_REPEAT:
		return number(row, value, 1, 1000000, &n) && ((o->repeat = n), true);
	case OPT_SHUFFLE:
		o->seed = seed_of_chance();
		return flag(&o->shuffle) && (!value || number(row, value, 0, UINT64_MAX, &o->seed));
	case OPT_DISTURB:
		return flag(&o->disturb);
	case OPT_RANDOM:
		o->random.seed = seed_of_chance();
		return flag(&o->is_random) &&
		       (!value || number(row, value, 0, UINT64_MAX, &o->random.seed));
	case OPT_STEPS:
		return number(row, value, 1, UINT64_MAX, &o->random.steps);
	case OPT_TIME:
		return number(row, value, 1, 86400 * 365, &n) && ((o->random.seconds = n), true);
	case OPT_PROGRAM:
		return text(&o->random.program, value);
	case OPT_STOP:
		return flag(&o->stop);
	case OPT_STRICT:
		return flag(&o->strict);
	case OPT_RECORD:
		return text(&o->record, value);
	case OPT_AGAINST:
		return text(&o->against, value);
	case OPT_VERSION:
		return flag(&o->version);
	default:
		return flag(&o->help);
	}
}

/* --- all of them --- */

struct parser {
	struct option longs[NR_ROWS + 1];
	char shorts[2 * NR_ROWS + 2];
};

static void parser_init(struct parser *p)
{
	size_t n = 0;

	memset(p, 0, sizeof(*p));
	p->shorts[n++] = ':';
	for (size_t i = 0; i < NR_ROWS; i++) {
		const char *value = rows[i].value;

		p->longs[i] = (struct option){ .name = rows[i].name, .val = rows[i].val,
					       .has_arg = !value ? no_argument : value[0] == '[' ?
							  optional_argument : required_argument };
		if (rows[i].val >= 256)
			continue;
		p->shorts[n++] = rows[i].val;
		if (value)
			p->shorts[n++] = ':';
	}
}

/*
 * Returns whether the name in @word is whole: getopt_long() also accepts the beginning of one,
 * which a later option would make ambiguous.
 */
static bool is_whole(const struct row *row, const char *word)
{
	return strncmp(word, "--", 2) || strcspn(word + 2, "=") == strlen(row->name);
}

static bool parse_each(struct settings *o, int argc, char **argv)
{
	static const char hint[] = "attach-regress --help says what there is";
	const struct row *row;
	struct parser p;
	int opt, nr;

	parser_init(&p);
	opterr = 0;
	optind = 0;
	while (nr = -1, (opt = getopt_long(argc, argv, p.shorts, p.longs, &nr)) != -1) {
		const char *word = argv[optind - 1];

		for (row = rows; row < rows + NR_ROWS && row->val != opt;)
			row++;
		if (opt == ':')
			return usage_error(hint, "'%s' needs a value", word);
		if (row == rows + NR_ROWS && optopt && optopt < 256 && strncmp(word, "--", 2))
			return usage_error(hint, "unknown option '-%c'", optopt);
		if (nr >= 0 && optarg == word)
			word = argv[optind - 2];
		if (row == rows + NR_ROWS || (nr >= 0 && !is_whole(row, word)))
			return usage_error(hint, "unknown option '%s'", word);
		if (!take(o, row, optarg))
			return false;
	}
	if (optind < argc)
		return usage_error("tests are chosen by -t GLOB", "what is '%s'?", argv[optind]);
	return true;
}

bool settings_parse(struct settings *o, int argc, char **argv)
{
	*o = (struct settings){ .seconds = SECONDS, .repeat = 1 };
	if (!parse_each(o, argc, argv))
		return false;
	if (!o->is_random && (o->random.steps || o->random.seconds || o->random.program))
		return usage_error("give --random as well",
				   "--steps, --time and --program are those of --random");
	if (!o->random.steps && !o->random.seconds)
		o->random.seconds = 60;
	o->random.verbose = o->verbose;
	if (o->list_json && !o->list)
		return usage_error("give --list as well", "--format is that of --list");
	if (o->strict && !o->against)
		return usage_error("give --against=FILE as well",
				   "--strict is about what differs, and there is nothing to differ from");
	return true;
}

void settings_free(struct settings *o)
{
	globs_free(&o->tests);
	globs_free(&o->allow);
	globs_free(&o->deny);
}

/* --- which tests --- */

/* FNV-1a: the part of a test is the same for every version, machine and selection. */
static unsigned int suite_part(const char *id, unsigned int nr)
{
	uint32_t hash = 2166136261u;

	for (; *id; id++)
		hash = (hash ^ (unsigned char)*id) * 16777619u;
	return hash % nr;
}

bool settings_wants(struct settings *o, const char *group, const char *test, const char *id)
{
	/* All lists are asked, so that globs which match nothing are known. */
	const bool named = globs_match(&o->tests, group, test, id);
	const bool allowed = globs_match(&o->allow, group, test, id);
	const bool denied = globs_match(&o->deny, group, test, id);

	if (o->nr_shards && suite_part(id[0] ? id : test, o->nr_shards) != o->shard - 1)
		return false;
	if ((o->quick && !profiles_has(regress_quick, group, test)) ||
	    (o->conformance && profiles_of_loader(group, test)))
		return false;
	return (named || !o->tests.nr) && (allowed || !o->allow.nr) && !denied;
}

static bool check(const struct globs *globs, const char *option)
{
	for (unsigned int i = 0; i < globs->nr; i++) {
		const struct glob *glob = &globs->list[i];

		if (glob->matched)
			continue;
		if (!glob->from_file)
			return usage_error("attach-regress -l says which tests there are",
					   "%s: no test is meant by '%s'", option, glob->text);
		fprintf(stderr, "attach-regress: note: %s: no test is meant by '%s'\n", option,
			glob->text);
	}
	return true;
}

bool settings_check_globs(const struct settings *o)
{
	return check(&o->tests, "-t") && check(&o->allow, "-a") && check(&o->deny, "-d");
}
