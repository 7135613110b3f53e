/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The suite's command line. */
#ifndef PLOAD_REGRESS_SETTINGS_H
#define PLOAD_REGRESS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "test/regress/random/random.h"

/* Globs, each compared with "group", with "group/test" and with the test's id. */
struct globs {
	struct glob {
		char *text;	/* owned */
		bool from_file;	/* such a list may be made for other versions of the suite */
		bool matched;	/* something */
		bool expired;	/* its last day is over: it is as if it were not in the list */
	} *list;
	unsigned int nr;
};

struct settings {
	bool list, verbose, shuffle, disturb, stop, strict, help, version;
	bool ids;			/* names of results are ids */
	bool is_random;
	struct random_options random;
	bool list_json, quick, conformance, requires, explain, coverage;
	unsigned int shard, nr_shards;	/* this one, counted from 1, of this many; 0: all tests */
	unsigned int max_failures;	/* 0: no limit */
	unsigned int seconds, repeat;
	uint64_t seed;
	const char *summary, *junit, *record, *against;	/* files; borrowed */
	struct globs tests, allow, deny;
};

/*
 * settings_parse() - parse @argv (which is reordered) into @o. false: it is wrong, and standard
 * error reports why, with a hint. settings_free() in any case.
 */
bool settings_parse(struct settings *o, int argc, char **argv);
void settings_free(struct settings *o);

/* settings_help() - on standard output. */
void settings_help(void);

/* usage_error() - report a wrong command line, with a hint. Returns false. */
bool usage_error(const char *hint, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* settings_wants() - whether the test is among those asked for. */
bool settings_wants(struct settings *o, const char *group, const char *test, const char *id);

/*
 * settings_check_globs() - to be called after the last settings_wants(): false if a glob of the
 * command line has matched nothing, which standard error reports. Globs of files are only noted.
 */
bool settings_check_globs(const struct settings *o);

#endif
