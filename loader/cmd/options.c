// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parse the command line by the tables of options that each command has, and print --help. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "loader/cmd/command.h"
#include "loader/print/message.h"
#include "loader/read/rings.h"
#include "loader/sys/number.h"

#define MAX_ROWS 64 /* options of one command */

int options_number(const char *option, const char *text, uint64_t min, uint64_t max,
		   uint64_t *value, struct error *err)
{
	if (number_parse_base(text, strlen(text), NUMBER_AS_IN_C, value) || *value < min ||
	    *value > max) {
		error_set(err, EINVAL, "'%s' is not a whole number from %llu to %llu", text,
			  (unsigned long long)min, (unsigned long long)max);
		return error_where(err, "%s", option);
	}
	return 0;
}

int options_uint(const char *option, const char *text, uint64_t min, uint64_t max,
		 unsigned int *value, struct error *err)
{
	uint64_t n = 0;
	int ret = options_number(option, text, min, max, &n, err);

	*value = n;
	return ret;
}

/* --- help --- */

#define HELP_COLUMN 27
#define COLUMNS 100

/* Fill lines of at most COLUMNS with the words of @help, which begin at HELP_COLUMN. */
void options_print_help(FILE *out, const char *name, const char *help)
{
	int column = fprintf(out, "  %-*s", HELP_COLUMN - 2, name);
	size_t n;

	if (strlen(name) >= HELP_COLUMN - 2)
		column = fprintf(out, "\n%*s", HELP_COLUMN, "") - 1;
	for (const char *space = ""; *help; help += n + (help[n] == ' '), space = " ") {
		n = strcspn(help, " ");
		if (column + strlen(space) + n > COLUMNS) {
			column = fprintf(out, "\n%*s", HELP_COLUMN, "") - 1;
			space = "";
		}
		column += fprintf(out, "%s%.*s", space, (int)n, help);
	}
	fputc('\n', out);
}

static void print_row(FILE *out, const struct option_row *row)
{
	char name[64], letter[8] = "   ";

	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c,", row->letter);
	snprintf(name, sizeof(name), "%s --%s%s", letter, row->name, row->value ? row->value : "");
	options_print_help(out, name, row->help);
}

void options_help(FILE *out, const struct command *command)
{
	fprintf(out, "usage: pload %s%s[options] %s\n\n%s", command->name ? command->name : "",
		command->name ? " " : "", command->arguments, command->about);
	if (command->examples)
		fprintf(out, "\nExamples:\n%s", command->examples);
	if (!command->name) {
		fputs("\nOther commands (each has a --help of its own):\n", out);
		command_list(out);
	}
	for (const struct option_group *const *g = command->groups; *g; g++) {
		fprintf(out, "\n%s:\n", (*g)->title);
		for (const struct option_row *row = (*g)->rows; row->name; row++) {
			if (row->print)
				row->print(out, command);
			else
				print_row(out, row);
		}
	}
	fputs("\nExit status: 0 on success, 1 when something was refused or failed, 2 for a wrong "
	      "command line.\n", out);
}

/* --- parsing --- */

/* The options of a command, for getopt_long(3). */
struct parser {
	const struct option_row *rows[MAX_ROWS];
	struct option longs[MAX_ROWS + 1];
	char shorts[MAX_ROWS * 2 + 3];
	unsigned int nr;
};

static void parser_init(struct parser *p, const struct command *command)
{
	size_t n = 0;

	memset(p, 0, sizeof(*p));
	p->shorts[n++] = '-';	/* return arguments, too, in order: see parse_each() */
	p->shorts[n++] = ':';
	for (const struct option_group *const *g = command->groups; *g; g++) {
		for (const struct option_row *row = (*g)->rows; row->name && p->nr < MAX_ROWS;
		     row++) {
			p->rows[p->nr] = row;
			p->longs[p->nr] = (struct option){
				.name = row->name,
				.has_arg = !row->value		  ? no_argument
					   : row->value[0] == '[' ? optional_argument
								  : required_argument,
				.val = row->letter ? row->letter : 256 + (int)p->nr,
			};
			p->nr++;
			if (!row->letter)
				continue;
			p->shorts[n++] = row->letter;
			if (row->value)
				p->shorts[n++] = ':';
		}
	}
}

static int add_to_list(struct option_list *list, const struct option_row *row, const char *text,
		       struct error *err)
{
	if (list->nr < OPTIONS_MAX_LIST) {
		list->text[list->nr++] = text;
		return 0;
	}
	error_set(err, EINVAL, "given more than %d times", OPTIONS_MAX_LIST);
	return row->letter ? error_where(err, "-%c", row->letter)
			   : error_where(err, "--%s", row->name);
}

static int set_option(struct options *o, const struct option_row *row, const char *value,
		      struct error *err)
{
	void *field = (char *)o + row->field;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return 0;
	case OPTION_TEXT:
		*(const char **)field = value;
		return 0;
	case OPTION_LIST:
		return add_to_list(field, row, value, err);
	default:
		return row->set(o, value, err);
	}
}

/* Suggest the option whose name is most similar to @text, which begins with "--". */
static void hint_option(const struct parser *p, const char *text, struct error *err)
{
	const struct option_row *best = NULL;
	unsigned int least = 3;
	char word[DISTANCE_MAX];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text + 2, "="), text + 2);
	for (unsigned int i = 0; i < p->nr; i++) {
		const char *name = p->rows[i]->name;
		const bool longer = strlen(name) > 3 && !strncmp(word, name, strlen(name));
		/* "--frequency" is --freq. */
		const unsigned int distance = longer ? 1 : edit_distance(word, name);

		if (distance >= least || distance >= strlen(p->rows[i]->name))
			continue;
		least = distance;
		best = p->rows[i];
	}
	if (best)
		error_hint(err, "did you mean --%s%s?", best->name, best->value ? best->value : "");
}

/*
 * Refuse an abbreviation of the long option @row, which getopt_long(3) accepts. "--pin" of a
 * command without that option must not mean "--pin-path", and a new option must not change what an
 * abbreviation means.
 */
static int whole_name(const struct option_row *row, char **argv, struct error *err)
{
	const char *text = argv[optind - (optarg && optarg == argv[optind - 1] ? 2 : 1)];
	const size_t length = strchrnul(text, '=') - text;

	if (length == strlen("--") + strlen(row->name))
		return 0;
	error_set(err, EINVAL, "unknown option '%.*s'", (int)length, text);
	return error_hint(err, "did you mean --%s%s?", row->name, row->value ? row->value : "");
}

static bool is_of(const struct option_group *group, const struct option_row *row)
{
	for (const struct option_row *r = group->rows; r->name; r++)
		if (r == row)
			return true;
	return false;
}

static const struct option_row *find_row(const struct parser *p, int val)
{
	for (unsigned int i = 0; i < p->nr; i++)
		if (p->longs[i].val == val)
			return p->rows[i];
	return NULL;
}

/* Report the option that getopt_long(3) refused; it is in optopt and before argv[optind]. */
static int unknown_option(const struct parser *p, int opt, char **argv, struct error *err)
{
	const char *text = argv[optind - 1];
	const struct option_row *row = opt == ':' ? find_row(p, optopt) : NULL;

	if (row && !strncmp(text, "--", 2) && whole_name(row, argv, err))
		return err->code;
	if (opt == ':')
		return error_set(err, EINVAL, "'%s' needs a value", text);
	if (optopt && optopt < 256 && strncmp(text, "--", 2))
		return error_set(err, EINVAL, "unknown option '-%c'", optopt);
	error_set(err, EINVAL, "unknown or ambiguous option '%s'", text);
	if (!strncmp(text, "--", 2))
		hint_option(p, text, err);
	return err->code;
}

/*
 * Refuse "-attach=ioctl": getopt_long(3) would take it for -a -t tach=ioctl. Nobody means a cluster
 * of letters that is the whole name of a long option.
 */
static int check_dashes(const struct parser *p, int argc, char **argv, struct error *err)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		const char *name = argv[i] + 1;
		size_t len;

		if (argv[i][0] != '-' || name[0] == '-')
			continue;
		len = strchrnul(name, '=') - name;
		if (len < 2)
			continue;
		for (unsigned int k = 0; k < p->nr; k++) {
			const char *value = p->rows[k]->value;

			if (strlen(p->rows[k]->name) != len ||
			    strncmp(p->rows[k]->name, name, len))
				continue;
			error_set(err, EINVAL, "unknown option '-%.*s'", (int)len, name);
			return error_hint(err, "with two dashes: --%s%s", p->rows[k]->name,
					  value ? value : "");
		}
	}
	return 0;
}

/* Take the words after "--", from argv[@from] on: a program to run, or more arguments. */
static int take_rest(struct options *o, int argc, char **argv, int from, struct error *err)
{
	if (!o->command->runs_child) {
		for (int i = from; i < argc; i++)
			o->objects[o->nr_objects++] = argv[i];
		return 0;
	}
	o->child = argv + from;
	if (from < argc && argv[from][0])
		return 0;
	error_set(err, EINVAL, from < argc ? "the command after '--' has no name" :
					     "no command follows '--'");
	return error_hint(err, "as in: pload prog.o -- ls -l");
}

/*
 * Visit options and arguments in their order (the leading '-' in p.shorts), to distinguish
 * arguments before "--" from words after it. Arguments are collected at the beginning of @argv,
 * whose entries there have been visited already.
 */
static int parse_each(struct options *o, int argc, char **argv, struct error *err)
{
	struct parser p;
	int opt, at = 1, nr_long, ret = 0;

	parser_init(&p, o->command);
	ret = check_dashes(&p, argc, argv, err);
	o->objects = argv + 1;
	opterr = 0;
	optind = 0;	/* start a new scan, see getopt(3) */
	while (!ret && (nr_long = -1, at = optind ? optind : 1,
			opt = getopt_long(argc, argv, p.shorts, p.longs, &nr_long)) != -1) {
		const struct option_row *row = find_row(&p, opt);

		if (opt == 1) {
			o->objects[o->nr_objects++] = optarg;
			continue;
		}
		if (row && nr_long >= 0)
			ret = whole_name(row, argv, err);
		if (row && o->command->noted && is_of(o->command->noted, row))
			o->of_output = row->name;
		if (!ret)
			ret = row ? set_option(o, row, optarg, err)
				  : unknown_option(&p, opt, argv, err);
	}
	if (!ret && at < argc && !strcmp(argv[at], "--") && !o->help && !o->version)
		ret = take_rest(o, argc, argv, at + 1, err);
	return ret;
}

static int parse(struct options *o, int argc, char **argv, struct error *err)
{
	int ret = parse_each(o, argc, argv, err);

	if (ret || o->help || o->version)
		return ret;
	ret = program.check ? program.check(o, err) : 0;
	if (ret)
		return ret;
	return o->command->check ? o->command->check(o, err) : 0;
}

/* "pload help" and "pload help COMMAND" */
static int parse_help(struct options *o, const char *name, struct error *err)
{
	const struct command *near = name ? command_nearest(name) : NULL;

	o->help = true;
	if (!name)
		return 0;
	o->command = command_find(name);
	if (o->command)
		return 0;
	error_set(err, EINVAL, "there is no command '%s'", name);
	if (near)
		error_hint(err, "did you mean pload help %s?", near->name);
	return err->code;
}

int options_parse(struct options *o, int argc, char **argv, struct error *err)
{
	const bool is_option = argc > 1 && argv[1][0] == '-';
	const struct command *command = argc > 1 && !is_option ? command_find(argv[1]) : NULL;
	int ret;

	*o = (struct options){
		.command = program.session,
		.method = &attach_methods[0],
		.seconds = -1,
		.rows = 32,
		.ring_pages = 64,
		.format = output_format_find("text", err),
	};
	if (argc > 1 && !strcmp(argv[1], "help")) {
		ret = parse_help(o, argv[2], err);
	} else if (command) {
		o->command = command;
		if (command->formats && !strcmp(command->formats->name, "text"))
			o->format = command->formats;
		ret = parse(o, argc - 1, argv + 1, err);
	} else {
		ret = parse(o, argc, argv, err);
	}
	if (ret < 0)
		error_reason_default(err, "usage/command-line");
	if (ret < 0 && !err->hint[0])
		error_hint(err, "pload %s%s--help lists the options and their values",
			   command ? command->name : "", command ? " " : "");
	return ret;
}
