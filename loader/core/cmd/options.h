/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command line parser, which fills a struct options (loader/core/session/options.h). */
#ifndef PLOAD_CORE_CMD_OPTIONS_H
#define PLOAD_CORE_CMD_OPTIONS_H

#include <stdio.h>

#include "elf/error.h"
#include "loader/core/session/options.h"

struct command;

/**
 * options_parse() - Parse @argv into @o; reorders the arguments in @argv.
 *
 * Files, events, CPUs and processes are looked up later.
 * Return: 0, or -EINVAL if the command line is invalid (exit status 2; "usage/command-line").
 */
int options_parse(struct options *o, int argc, char **argv, struct error *err);

/* options_help() - Print the --help of @command, or with @all its --help=all. */
void options_help(FILE *out, const struct command *command, bool all);

/**
 * options_number() - Parse a whole number in [@min, @max]: decimal, hexadecimal (0x) or octal (0).
 * options_uint() - The same for 32-bit numbers.
 * Return: 0, or -EINVAL with @option as the error context.
 */
int options_number(const char *option, const char *text, uint64_t min, uint64_t max,
		   uint64_t *value, struct error *err);
int options_uint(const char *option, const char *text, uint64_t min, uint64_t max,
		 unsigned int *value, struct error *err);

/**
 * options_seconds() - Parse the value of -d: "10", "500ms", "1.5m".
 * options_interval() - Parse the value of -I, in milliseconds.
 * options_check_scope() - Reject more than one option that selects the task scope.
 * options_check_session() - Reject invalid combinations of session options.
 */
int options_seconds(struct options *o, const char *text, struct error *err);
int options_interval(struct options *o, const char *text, struct error *err);
int options_check_scope(const struct options *o, struct error *err);
int options_check_session(const struct options *o, struct error *err);

/* options_print_help() - Print one entry of --help: @name, then @help, wrapped at 100 columns. */
void options_print_help(FILE *out, const char *name, const char *help);

#endif
