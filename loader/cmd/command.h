/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What pload can be asked to do: a row for each command, with the options that it takes. */
#ifndef PLOAD_CMD_COMMAND_H
#define PLOAD_CMD_COMMAND_H

#include "loader/cmd/options.h"

struct sys;

enum option_kind {
	OPTION_FLAG,	/* takes no value; field is a bool */
	OPTION_TEXT,	/* its value as it is; field is a const char * */
	OPTION_LIST,	/* may be given more than once; field is a struct option_list */
	OPTION_PARSED,	/* set() makes of its value what it means */
};

/* One option. A table of them ends with a row without a name. */
struct option_row {
	const char *name;	/* without "--" */
	char letter;		/* of the short form, or 0 */
	const char *value;	/* for the help: "=EVENT", "[=N]" where it may be left out; NULL:
				 * takes none */
	const char *help;	/* lines, of which the help has one below the other */
	enum option_kind kind;
	size_t field;		/* offset in struct options */
	int (*set)(struct options *o, const char *value, struct error *err);
	void (*print)(FILE *out);	/* writes the help where one entry does not do; else NULL */
};

#define OPTION_FIELD(member) offsetof(struct options, member)

struct option_group {
	const char *title;
	const struct option_row *rows;
};

/* Groups that several commands take. */
extern const struct option_group options_kernel_types, options_loading, options_learning,
	options_output;

struct command {
	const char *name;	/* NULL: what is done when no command is named */
	const char *summary;	/* for the list of commands */
	const char *arguments;	/* "OBJ..." */
	bool runs_child;	/* a command may stand behind "--"; else more arguments do */
	const char *about;	/* what --help says below the usage */
	const struct option_group *const *groups;	/* ends with NULL */
	/*
	 * Formats of its own, which go before those that all commands have; the first is what it
	 * prints in if nobody asks for another. Ends with a row without a name; NULL: none.
	 */
	const struct output_format *formats;
	/*
	 * What the options and arguments are, taken together; completes @o. EINVAL. NULL: nothing
	 * to do.
	 */
	int (*check)(struct options *o, struct error *err);
	/*
	 * Returns 0, -errno with @err filled in, or 1: something failed, and what did has been said
	 * on standard output.
	 */
	int (*run)(struct sys *sys, const struct options *o, struct output *out, struct error *err);
};

/* A line each. */
extern const struct command command_adopt;
extern const struct command command_compare;
extern const struct command command_default;
extern const struct command command_explain;
extern const struct command command_load;
extern const struct command command_list_events;
extern const struct command command_probe;
extern const struct command command_show;
extern const struct command command_detach;

/*
 * command_find() - the command of that name (which is not NULL), or NULL; command_nearest(): one
 * whose name is nearly that, or NULL.
 */
const struct command *command_find(const char *name);
const struct command *command_nearest(const char *name);

/* command_list() - a line for each command that has a name. */
void command_list(FILE *out);

#endif
