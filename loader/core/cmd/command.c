// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find a command in the table of commands by its name. */
#include <string.h>

#include "elf/error.h"
#include "loader/core/cmd/command.h"

const struct command *command_find(const char *name)
{
	for (size_t i = 0; program.commands[i]; i++)
		if (!strcmp(name, program.commands[i]->name))
			return program.commands[i];
	return NULL;
}

const struct command *command_nearest(const char *name)
{
	const struct command *best = NULL;
	unsigned int least = 3;

	for (size_t i = 0; program.commands[i]; i++) {
		const unsigned int distance = edit_distance(name, program.commands[i]->name);

		if (distance >= least || distance >= strlen(program.commands[i]->name))
			continue;
		least = distance;
		best = program.commands[i];
	}
	return best;
}

void command_names(char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; program.commands[i] && len < size; i++)
		len += snprintf(buf + len, size - len, "%s%s", i ? ", " : "",
				program.commands[i]->name);
}

void command_list(FILE *out)
{
	for (size_t i = 0; program.commands[i]; i++)
		fprintf(out, "  %s %-18s %s\n", program.name, program.commands[i]->name,
			program.commands[i]->summary);
}
