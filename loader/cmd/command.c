// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find a command in the table of commands by its name. */
#include <string.h>

#include "elf/error.h"
#include "loader/cmd/command.h"

static const struct command *const commands[] = {
	&command_load,
	&command_inspect,
	&command_show,
	&command_list_events,
	&command_probe,
	&command_profile,
	&command_stat,
	&command_step,
	&command_compare,
	&command_pin,
	&command_explain,
};

#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(name, commands[i]->name))
			return commands[i];
	return NULL;
}

const struct command *command_nearest(const char *name)
{
	const struct command *best = NULL;
	unsigned int least = 3;

	for (size_t i = 0; i < NR_COMMANDS; i++) {
		const unsigned int distance = edit_distance(name, commands[i]->name);

		if (distance >= least || distance >= strlen(commands[i]->name))
			continue;
		least = distance;
		best = commands[i];
	}
	return best;
}

void command_names(char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < NR_COMMANDS && len < size; i++)
		len += snprintf(buf + len, size - len, "%s%s", i ? ", " : "", commands[i]->name);
}

void command_list(FILE *out)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  pload %-18s %s\n", commands[i]->name, commands[i]->summary);
}
