// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* judge --conformance: select statements, and try them with a loader. */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/judge/conformance/conformance.h"
#include "test/judge/watch.h"

static const char usage[] =
	"usage: judge --conformance [OPTIONS] [CHAPTER|ID...] -- COMMAND...\n"
	"       judge --conformance [CHAPTER|ID...]\n"
	"       judge --conformance --assemble=DIR [CHAPTER|ID...]\n"
	"Try each statement of docs/loading with a loader of BPF objects: run it as COMMAND OBJECT\n"
	"METHOD COOKIE, METHOD being load, ioctl, pmu or link, and compare what it asks the kernel for\n"
	"with what the statement expects. Without a command, list the statements.\n"
	"\n"
	"  --format=FORMAT text, tap, or json (a line for each statement)\n"
	"  --seen          print all lines of what was seen, in the language of expectations\n"
	"  --assemble=DIR  write the object of each statement to DIR/ID.o\n"
	"  --pages=DIR     read the statements from the pages in DIR instead of those in the judge\n"
	"  --timeout=SEC   the time that the loader has for one statement (default 10)\n"
	"  --help\n"
	"\n"
	"The status is 0 when all MUST hold, 1 when not, 2 for wrong arguments, and 4 when the judge\n"
	"cannot judge.\n";

static void list_statements(const struct conformance *c)
{
	static const char *const levels[] = { "", "MUST", "MAY", "differ" };

	for (uint32_t i = 0; i < c->statements.nr; i++) {
		const struct statement *s = &c->statements.all[i];

		if (statement_is_wanted(c, s))
			printf("%-14s %-6s %s\n", s->id, levels[s->level], s->title);
	}
}

static int assemble_objects(struct conformance *c, const char *dir)
{
	int status = 0;

	if (mkdir(dir, 0777) && errno != EEXIST)
		err(CANNOT_JUDGE, "--assemble=%s", dir);
	for (uint32_t i = 0; i < c->statements.nr; i++) {
		const struct statement *s = &c->statements.all[i];
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s.o", dir, s->id);
		if (statement_is_wanted(c, s) && !write_object(&c->run, s, path)) {
			fprintf(stderr, "judge: %s\n", c->run.sentence);
			status = CANNOT_JUDGE;
		}
	}
	return status;
}

static int number_of_seconds(const char *text)
{
	char *end;
	const unsigned long seconds = strtoul(text, &end, 0);

	if (*end || end == text || *text == '-' || !seconds || seconds > 3600)
		errx(WRONG_USAGE, "--timeout=%s: a number from 1 to 3600", text);
	return seconds;
}

/* Return the index of the first word that is not an option. */
static int parse_options(struct conformance *c, int argc, char **argv, const char **assemble)
{
	static const struct option options[] = { { "format", required_argument, NULL, 'f' },
						 { "seen", no_argument, NULL, 's' },
						 { "assemble", required_argument, NULL, 'a' },
						 { "pages", required_argument, NULL, 'p' },
						 { "timeout", required_argument, NULL, 't' },
						 { "help", no_argument, NULL, 'h' },
						 { 0 } };
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'f' && !report_format(&c->run, optarg))
			errx(WRONG_USAGE, "--format=%s: text, tap or json", optarg);
		else if (opt == 's')
			c->shows_seen = true;
		else if (opt == 'a')
			*assemble = optarg;
		else if (opt == 'p')
			c->folder = optarg;
		else if (opt == 't')
			c->run.limit = number_of_seconds(optarg);
		else if (opt == 'h')
			exit(fputs(usage, stdout) < 0);
		else if (opt == '?')
			errx(WRONG_USAGE, "judge --conformance --help shows the options");
	}
	return optind;
}

/* Words that match nothing are errors. */
static void check_wanted(struct conformance *c)
{
	for (int i = 0; i < c->nr_wanted; i++) {
		const struct conformance one = { .wanted = c->wanted + i, .nr_wanted = 1 };
		bool found = false;

		for (uint32_t s = 0; s < c->statements.nr; s++)
			found |= statement_is_wanted(&one, &c->statements.all[s]);
		if (!found)
			errx(WRONG_USAGE,
			     "there is no chapter or statement '%s': judge --conformance lists them",
			     c->wanted[i]);
	}
}

static int judge_loader(struct conformance *c)
{
	int status;

	block_signals();
	if (geteuid() != 0) {
		fprintf(stderr,
			"judge: the judge asks the kernel for maps and programs, which root may: run it by "
			"sudo\n");
		return CANNOT_JUDGE;
	}
	status = make_folder(&c->run) ? keep(&c->run, trial) : -1;
	if (status < 0)
		fprintf(stderr, "judge: %s\n", c->run.sentence);
	return status < 0 ? CANNOT_JUDGE : status;
}

int conformance_main(int argc, char **argv)
{
	struct conformance c = {
		.run = { .limit = LIMIT_SECONDS, .is_peer = true, .snapshots = true }
	};
	const char *assemble = NULL;
	int end = 1, first, status = 0;

	while (end < argc && strcmp(argv[end], "--"))
		end++;
	first = parse_options(&c, end, argv, &assemble);
	c.wanted = argv + first;
	c.nr_wanted = end - first;
	if (end + 1 == argc)
		errx(WRONG_USAGE, "the command of your loader is missing after --");
	if (!statements_read(&c.statements, c.folder))
		return CANNOT_JUDGE;
	check_wanted(&c);
	if (assemble) {
		status = assemble_objects(&c, assemble);
	} else if (end == argc) {
		list_statements(&c);
	} else {
		c.run.command = argv + end + 1;
		status = judge_loader(&c);
	}
	statements_free(&c.statements);
	return status;
}
