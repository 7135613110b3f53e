/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options of a session, parsed from the command line. */
#ifndef PLOAD_CORE_SESSION_OPTIONS_H
#define PLOAD_CORE_SESSION_OPTIONS_H

#include <stdbool.h>

#include "elf/error.h"
#include "loader/core/attach/link_target.h"
#include "loader/core/event/scope.h"
#include "loader/core/print/output.h"

#define OPTIONS_MAX_LIST 32

#define EXIT_LOSS 3	/* exit status of a session with losses under --strict */

/* An option that may be given more than once; the strings are borrowed from argv. */
struct option_list {
	const char *text[OPTIONS_MAX_LIST];
	unsigned int nr;
};

/* How an object is loaded; for every command that loads one. */
struct load_options {
	struct option_list progs;	/* --prog=NAME */
	bool core_by_kernel;	/* --core=kernel */
	const char *btf;	/* --btf; NULL: the running kernel's */
	const char *kconfig;	/* --kconfig; NULL: the running kernel's */
	const char *target_prog;	/* --target-prog; NULL: not given */
	const char *pin_path;	/* --pin-path; NULL: /sys/fs/bpf */
	struct option_list maps;	/* --map=NAME.FIELD=VALUE */
	struct option_list sets;	/* --set=NAME=VALUE */
};

/* pload inspect */
struct inspect_options {
	bool sections, symbols, relocs;
	bool bytes;		/* --bytes */
	const char *section;	/* --bytes=SECTION; NULL: the whole file */
	bool insns;		/* --insns */
	const char *prog;	/* --insns=PROG; NULL: all */
	bool types;		/* --types */
	const char *log;	/* --log: a file with the verifier's log, or NULL */
	struct option_list btfs;	/* --btf: the types of a kernel each */
};

struct command;

struct options {
	const struct command *command;
	char **objects;		/* the files; argv's */
	unsigned int nr_objects;
	struct load_options load;
	const struct output_format *format;
	const char *output;	/* --output; NULL: standard output */
	bool trace, dry_run, verbose;
	enum trace_form trace_form;	/* --trace=FORM */
	bool step_methods;	/* pload step --methods */
	bool help, help_all, version;
	const char *of_output;	/* the last option given that concerns maps and records */

	/* A session, which is the default command. */
	const struct attach_method *method;
	struct option_list events;	/* -e */
	struct option_list counters;	/* --counter=[MAP:]EVENT */
	struct option_list records;	/* --record=[MAP:]TYPE */
	uint64_t period, freq;	/* -c, -F; 0: not given */
	struct event_scope_options scope;	/* -C -p -t -u -G --no-inherit */
	char **child;		/* the command after "--", NULL-terminated; or NULL */
	bool has_cookie;
	uint64_t cookie;
	double seconds;		/* -d; negative: until a signal arrives */
	uint32_t interval_ms;	/* -I; 0: only at the end */
	bool per_cpu;		/* -A; per-CPU counts, too */
	unsigned int rows;	/* --rows; 0: all */
	unsigned int ring_pages;	/* --pages; data pages of each perf ring */
	uint32_t test_runs;	/* --test-run; 0: attach */
	bool all_cpus;
	int attached_fd;	/* receives a newline when everything is attached; 0: none */
	bool only_profile;	/* pload profile: do not print the underlying rows */
	bool strict;		/* --strict: losses make the exit status EXIT_LOSS */
	struct target_options target;	/* --dev, --cgroup, --target-map ... */

	struct {
		bool all;		/* --all: each kind of event */
		unsigned int rounds;	/* 0: as many as fit into the time */
		const char *only;	/* "cells,lifetime"; NULL: everything */
		const char *against;	/* an earlier document to compare with, or NULL */
		const char *from;	/* one to show instead of measuring; or NULL */
		bool profile;		/* --profile: a command, by each method at once */
		bool scaled;		/* --scale: many attachments by each way ... */
		const char *scale;	/* ... and its value, or NULL */
	} compare;

	struct inspect_options inspect;

	/* pload explain */
	bool attr;

	/* pload load */
	bool skip_failing;
	const char *pin;	/* --pin: a directory, or NULL */
};

#endif
