/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The commands of pload: struct command describes one, with the options that it takes. */
#ifndef PLOAD_CMD_COMMAND_H
#define PLOAD_CMD_COMMAND_H

#include "loader/cmd/options.h"

struct sys;

struct command;

enum option_kind {
	OPTION_FLAG,	/* takes no value; field is a bool */
	OPTION_TEXT,	/* its value as it is; field is a const char * */
	OPTION_LIST,	/* may be given more than once; field is a struct option_list */
	OPTION_PARSED,	/* set() converts its value */
};

/* One option. A table of them ends with a row without a name. */
struct option_row {
	const char *name;	/* without "--" */
	char letter;		/* short form: 'e' for -e; or 0 */
	const char *value;	/* as --help prints it: "=EVENT"; "[=N]" if optional; NULL: no
				 * value */
	const char *help;	/* text for --help, which fills lines with it */
	enum option_kind kind;
	size_t field;		/* offset in struct options */
	int (*set)(struct options *o, const char *value, struct error *err);
	/* Prints its entry of the --help of @command, or several; or NULL. */
	void (*print)(FILE *out, const struct command *command);
};

#define OPTION_FIELD(member) offsetof(struct options, member)

struct option_group {
	const char *title;
	const struct option_row *rows;
};

/* Groups that several commands take. */
extern const struct option_group options_attaching, options_events, options_kernel_types,
	options_learning, options_loading, options_output, options_scope,
	options_targets;
extern const struct option_group *const options_learning_only[];

struct command {
	const char *name;	/* NULL: the command that runs if none is named */
	const char *summary;	/* for the list of commands */
	const char *arguments;	/* "OBJ..." */
	bool records;		/* it shows the calls itself: --dry-run does not print them */
	bool runs_child;	/* "--" precedes a program to run; else more arguments */
	const char *about;	/* text of --help after the usage line */
	const char *examples;	/* command lines, each after four blanks, with a remark */
	const struct option_group *const *groups;	/* ends with NULL */
	/*
	 * Output formats that only this command has, in addition to text and json; the first may be
	 * a text of its own. The list ends with a row without a name; NULL: none.
	 */
	const struct output_format *formats;
	/*
	 * Checks options and arguments that are valid alone but not together, and completes @o.
	 * Returns 0 or -EINVAL. NULL: nothing to check.
	 */
	int (*check)(struct options *o, struct error *err);
	/*
	 * Executes the command. Returns 0; -errno with @err filled in; or 1 if something failed
	 * that has been reported on standard output.
	 */
	int (*run)(struct sys *sys, const struct options *o, struct output *out, struct error *err);
};

/* Each is defined in the file of its command. */
extern const struct command command_compare;
extern const struct command command_default;
extern const struct command command_explain;
extern const struct command command_inspect;
extern const struct command command_load;
extern const struct command command_list_events;
extern const struct command command_pin;
extern const struct command command_probe;
extern const struct command command_profile;
extern const struct command command_show;
extern const struct command command_stat;
extern const struct command command_step;

/**
 * command_find() - Return the command called @name, or NULL.
 * command_nearest() - Return the command whose name is most similar to @name, or NULL.
 */
const struct command *command_find(const char *name);
const struct command *command_nearest(const char *name);

/* command_names() - Write "load, show ...", the names of the commands, to @buf. */
void command_names(char *buf, size_t size);

/* command_list() - Print name and summary of each command that has a name. */
void command_list(FILE *out);

#endif
