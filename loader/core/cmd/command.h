/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The commands of pload: struct command describes one and the options it takes. */
#ifndef PLOAD_CORE_CMD_COMMAND_H
#define PLOAD_CORE_CMD_COMMAND_H

#include "loader/core/cmd/options.h"

#define PROGRAM_LAYERS 3

struct sys;
struct command;

enum option_kind {
	OPTION_FLAG,	/* takes no value; field is a bool */
	OPTION_TEXT,	/* value used as is; field is a const char * */
	OPTION_LIST,	/* may be given more than once; field is a struct option_list */
	OPTION_PARSED,	/* set() converts its value */
};

/* One option. A table of them ends with a row without a name. */
struct option_row {
	const char *name;	/* without "--" */
	char letter;		/* short form: 'e' for -e; or 0 */
	const char *value;	/* as printed by --help: "=EVENT"; "[=N]" if optional; NULL: no
				 * value */
	const char *help;	/* text for --help, which wraps it */
	enum option_kind kind;
	size_t field;		/* offset in struct options */
	int (*set)(struct options *o, const char *value, struct error *err);
	/* Prints one or more entries in the --help of @command; or NULL. */
	void (*print)(FILE *out, const struct command *command);
};

#define OPTION_FIELD(member) offsetof(struct options, member)

struct option_group {
	const char *title;
	const struct option_row *rows;
};

struct command {
	const char *name;	/* NULL: the default command */
	const char *summary;	/* for the list of commands */
	const char *arguments;	/* "OBJ..." */
	bool records;		/* prints the calls itself, so --dry-run does not */
	/*
	 * After "--" comes a command to run, not more arguments; @is_prefix: the first word that is
	 * not an option starts it, too.
	 */
	bool runs_child, is_prefix;
	const char *about;	/* text of --help after the usage lines */
	const char *examples;	/* command lines, each after four blanks, with a remark */
	const struct option_group *const *groups;	/* ends with NULL */
	/* Printed by --help instead of @groups, but not by --help=all; or NULL. */
	const struct option_group *const *brief;
	/* Options of this group set options.of_output when given; or NULL. */
	const struct option_group *noted;
	/*
	 * Output formats that only this command has, besides text and json; the first may replace
	 * text. The last row has no name; NULL: none.
	 */
	const struct output_format *formats;
	/*
	 * Checks combinations of options and arguments, and completes @o. Returns 0 or -EINVAL.
	 * NULL: nothing to check.
	 */
	int (*check)(struct options *o, struct error *err);
	/*
	 * Executes the command. Returns 0; -errno with @err filled in; or 1 if a failure was
	 * reported on standard output.
	 */
	int (*run)(struct sys *sys, const struct options *o, struct output *out, struct error *err);
};

/*
 * The fourth table: a program, its commands and what they share. pload's is in rows/commands.c, and
 * pload-core's in core/plain/program.c.
 */
struct program {
	const char *name;
	const struct command *session;	/* the default command */
	const struct command *const *commands;	/* the named commands; ends with NULL */
	/*
	 * Check the options shared by all commands. Return: 0 or -EINVAL. NULL: nothing to check.
	 */
	int (*check)(const struct options *o, struct error *err);
	/*
	 * Replace @out->file, initially standard output, and set its format; close it, even after a
	 * failure. close_output() returns @ret, the result of the command, unless closing fails.
	 * NULL: write to standard output, whose reader can block the session.
	 */
	int (*open_output)(struct output *out, const struct options *o, struct error *err);
	int (*close_output)(struct output *out, int ret, struct error *err);
	/* Return true if errors on @fd are colored. NULL: never. */
	bool (*has_color)(int fd);
	/*
	 * Stack layers on top of sys_linux(): a proxy, a simulated kernel, a trace. sys_free()
	 * frees each. Return: the number of layers, or -1 if out of memory.
	 */
	int (*kernels)(const struct options *o, struct sys *layers[PROGRAM_LAYERS]);
	/*
	 * Return the part of the verifier log that explains the failure, *@len bytes. NULL: all of
	 * it.
	 */
	const char *(*log_part)(const char *log, size_t *len);
};

extern const struct program program;

/**
 * command_find() - Return the command named @name, or NULL.
 * command_nearest() - Return the command whose name is most similar to @name, or NULL.
 */
const struct command *command_find(const char *name);
const struct command *command_nearest(const char *name);

/* command_names() - Format the names of the commands as "load, show ..." into @buf. */
void command_names(char *buf, size_t size);

/* command_list() - Print the name and summary of every named command. */
void command_list(FILE *out);

#endif
