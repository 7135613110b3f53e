/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The commands of pload: struct command describes one, with the options that it takes. */
#ifndef PLOAD_CORE_CMD_COMMAND_H
#define PLOAD_CORE_CMD_COMMAND_H

#include "loader/core/cmd/options.h"

#define PROGRAM_LAYERS 3

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
	/* Prints its entry, or several, in the --help of @command; or NULL. */
	void (*print)(FILE *out, const struct command *command);
};

#define OPTION_FIELD(member) offsetof(struct options, member)

struct option_group {
	const char *title;
	const struct option_row *rows;
};

struct command {
	const char *name;	/* NULL: the command that runs if none is named */
	const char *summary;	/* for the list of commands */
	const char *arguments;	/* "OBJ..." */
	bool records;		/* it prints the calls itself, so --dry-run does not */
	/*
	 * After "--" comes a program to run, not more arguments; @is_prefix: the first word that is
	 * no option begins it, too.
	 */
	bool runs_child, is_prefix;
	const char *about;	/* text of --help after the usage line */
	const char *examples;	/* command lines, each after four blanks, with a remark */
	const struct option_group *const *groups;	/* ends with NULL */
	/* Printed by --help instead of @groups, but not by --help=all; or NULL. */
	const struct option_group *const *brief;
	/* options.of_output receives the last option of this group that was given; or NULL. */
	const struct option_group *noted;
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

/*
 * The fourth table: a program, its commands and what they share. rows/commands.c has that of pload,
 * and core/plain/program.c that of pload-core.
 */
struct program {
	const char *name;
	const struct command *session;	/* the command that runs if none is named */
	const struct command *const *commands;	/* those with a name; ends with NULL */
	/* Check options that all commands have. Return: 0 or -EINVAL. NULL: nothing to check. */
	int (*check)(const struct options *o, struct error *err);
	/*
	 * Set @out->file, which is standard output, and its format; close that file, even after a
	 * failure. close_output() returns @ret, the result of the command, unless closing fails.
	 * NULL: write to standard output, whose reader can block the session.
	 */
	int (*open_output)(struct output *out, const struct options *o, struct error *err);
	int (*close_output)(struct output *out, int ret, struct error *err);
	/* Return true if errors on @fd have colours. NULL: none has. */
	bool (*has_color)(int fd);
	/*
	 * Put layers over sys_linux(): a proxy, a simulated kernel, a trace. Each is freed by
	 * sys_free(). Return: the number of layers, or -1 (out of memory).
	 */
	int (*kernels)(const struct options *o, struct sys *layers[PROGRAM_LAYERS]);
	/* The part of a verifier's log that explains the failure, of *@len bytes. NULL: all. */
	const char *(*log_part)(const char *log, size_t *len);
};

extern const struct program program;

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
