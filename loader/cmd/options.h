/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parser of the command line: fills a struct options (loader/session/options.h). */
#ifndef PLOAD_CMD_OPTIONS_H
#define PLOAD_CMD_OPTIONS_H

#include <stdio.h>

#include "elf/error.h"
#include "loader/session/options.h"

struct command;

/*
 * options_parse() - understand @argv, whose order changes. Fails with EINVAL on anything that is
 * wrong with the command line itself (exit status 2); what it names (files, events, CPUs,
 * processes) is looked up later.
 */
int options_parse(struct options *o, int argc, char **argv, struct error *err);

/* options_help() - what --help prints for @command. */
void options_help(FILE *out, const struct command *command);

/*
 * options_number() - a whole number in [@min, @max], decimal, 0x hexadecimal or 0 octal. EINVAL,
 * where @option.
 */
int options_number(const char *option, const char *text, uint64_t min, uint64_t max,
		   uint64_t *value, struct error *err);

/* options_print_help() - One entry of the help: @name, then @help, filled to 100 columns. */
void options_print_help(FILE *out, const char *name, const char *help);

#endif
