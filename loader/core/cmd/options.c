// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parse the command line using each command's option tables, and print --help. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/error.h"
#include "loader/core/cmd/command.h"
#include "loader/core/print/message.h"
#include "loader/core/read/rings.h"
#include "loader/core/sys/number.h"

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

/* Wrap @help at COLUMNS, indented to HELP_COLUMN. */
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

void options_help(FILE *out, const struct command *command, bool all)
{
	const struct option_group *const *groups =
		command->brief && !all ? command->brief : command->groups;

	fprintf(out, "usage: %s %s%s[options] %s\n\n%s", program.name,
		command->name ? command->name : "", command->name ? " " : "", command->arguments,
		command->about);
	if (command->examples)
		fprintf(out, "\nExamples:\n%s", command->examples);
	if (!command->name && program.commands[0]) {
		fputs("\nOther commands (each has a --help of its own):\n", out);
		command_list(out);
	}
	for (const struct option_group *const *g = groups; *g; g++) {
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

/* A command line and its valid options. */
struct parser {
	const struct option_row *rows[MAX_ROWS];
	unsigned int nr;
	char **next, **end;	/* words not parsed yet */
};

static void parser_init(struct parser *p, const struct command *command)
{
	for (const struct option_group *const *g = command->groups; *g; g++)
		for (const struct option_row *r = (*g)->rows; r->name && p->nr < MAX_ROWS; r++)
			p->rows[p->nr++] = r;
}

static const struct option_row *find_name(const struct parser *p, const char *name, size_t len)
{
	for (unsigned int i = 0; i < p->nr; i++)
		if (strlen(p->rows[i]->name) == len && !strncmp(p->rows[i]->name, name, len))
			return p->rows[i];
	return NULL;
}

static const struct option_row *find_letter(const struct parser *p, char letter)
{
	for (unsigned int i = 0; i < p->nr; i++)
		if (p->rows[i]->letter == letter)
			return p->rows[i];
	return NULL;
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

/* Suggest the option whose name is most similar to @text, which starts with "--". */
static void hint_option(const struct parser *p, const char *text, struct error *err)
{
	const struct option_row *best = NULL;
	unsigned int least = 3;
	char word[DISTANCE_MAX];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text + 2, "="), text + 2);
	for (unsigned int i = 0; i < p->nr; i++) {
		const char *name = p->rows[i]->name;
		const bool longer = strlen(name) > 3 && !strncmp(word, name, strlen(name));
		/* "--frequency" is --freq, and "--pag" is --pages. */
		const bool begins = word[0] && !strncmp(word, name, strlen(word));
		const unsigned int distance = longer || begins ? 1 : edit_distance(word, name);

		if (distance >= least || distance >= strlen(p->rows[i]->name))
			continue;
		least = distance;
		best = p->rows[i];
	}
	if (best)
		error_hint(err, "did you mean --%s%s?", best->name, best->value ? best->value : "");
}

static bool is_of(const struct option_group *group, const struct option_row *row)
{
	for (const struct option_row *r = group->rows; r->name; r++)
		if (r == row)
			return true;
	return false;
}

/* Set an option to @value or, if that is NULL and it takes a value, to the next word. */
static int parse_value(struct options *o, struct parser *p, const struct option_row *row,
		       const char *value, struct error *err)
{
	if (!value && row->value && row->value[0] != '[') {
		if (p->next == p->end)
			return error_set(err, EINVAL, "'%s' needs a value", p->next[-1]);
		value = *p->next++;
	}
	if (o->command->noted && is_of(o->command->noted, row))
		o->of_output = row->name;
	return set_option(o, row, value, err);
}

/* "--name", "--name=value", "--name value" */
static int parse_long(struct options *o, struct parser *p, const char *text, struct error *err)
{
	const size_t len = strcspn(text + 2, "=");
	const struct option_row *row = find_name(p, text + 2, len);
	const char *value = text[2 + len] ? text + 2 + len + 1 : NULL;

	if (row && (!value || row->value))
		return parse_value(o, p, row, value, err);
	error_set(err, EINVAL, "unknown option '%s'", text);
	hint_option(p, text, err);
	return err->code;
}

/* "-v", "-vC0", "-C 0"; "-attach=ioctl" is not a cluster of letters but a long option. */
static int parse_letters(struct options *o, struct parser *p, const char *text, struct error *err)
{
	const size_t len = strcspn(text + 1, "=");
	const struct option_row *row = len > 1 ? find_name(p, text + 1, len) : NULL;
	int ret = 0;

	if (row) {
		error_set(err, EINVAL, "unknown option '-%.*s'", (int)len, text + 1);
		return error_hint(err, "with two dashes: --%s%s", row->name,
				  row->value ? row->value : "");
	}
	for (const char *at = text + 1; !ret && *at; at++) {
		row = find_letter(p, *at);
		if (!row)
			return error_set(err, EINVAL, "unknown option '-%c'", *at);
		if (row->value)
			return parse_value(o, p, row, at[1] ? at + 1 : NULL, err);
		ret = parse_value(o, p, row, NULL, err);
	}
	return ret;
}

/* Take the words after "--": a command to run, or more arguments. */
static int take_rest(struct options *o, struct parser *p, struct error *err)
{
	if (!o->command->runs_child) {
		while (p->next < p->end)
			o->objects[o->nr_objects++] = *p->next++;
		return 0;
	}
	o->child = p->next;
	if (p->next < p->end && p->next[0][0])
		return 0;
	error_set(err, EINVAL, p->next < p->end ? "the command after '--' is empty" :
						  "no command follows '--'");
	return error_hint(err, "as in: pload prog.o -- ls -l");
}

/* Arguments are collected at the start of @argv, whose words have already been parsed. */
static int parse_each(struct options *o, int argc, char **argv, struct error *err)
{
	struct parser p = { .next = argv + 1, .end = argv + argc };
	int ret = 0;

	parser_init(&p, o->command);
	o->objects = argv + 1;
	while (!ret && p.next < p.end) {
		const char *text = *p.next++;

		if (!strcmp(text, "--") || (o->command->is_prefix && text[0] != '-' && p.next--))
			return o->help || o->version ? 0 : take_rest(o, &p, err);
		if (text[0] != '-' || !text[1])
			o->objects[o->nr_objects++] = (char *)text;
		else if (text[1] == '-')
			ret = parse_long(o, &p, text, err);
		else
			ret = parse_letters(o, &p, text, err);
	}
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
	error_set(err, EINVAL, "unknown command '%s'", name);
	if (near)
		error_hint(err, "did you mean pload help %s?", near->name);
	else
		error_hint(err, "pload --help lists the commands");
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
		error_hint(err, "pload %s%s--help%s lists the options and their values",
			   command ? command->name : "", command ? " " : "",
			   !command && program.session->brief ? "=all" : "");
	return ret;
}
