// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Show one step at a time on a terminal. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/observe/step/record.h"
#include "loader/observe/step/show.h"

/* Return the next step after @i with @text in its call or notes, or @i if there is none. */
static size_t find(const struct recording *r, size_t i, const char *text)
{
	const size_t nr = json_object_array_length(r->steps);

	for (size_t n = 1; n < nr; n++) {
		const size_t at = (i + n) % nr;
		struct json_object *call = json_object_array_get_idx(r->steps, at);

		if (strstr(json_object_to_json_string(call), text))
			return at;
	}
	return i;
}

/* Return the step that the user asked for with the line @text. */
static size_t follow(const struct recording *r, size_t i, const char *text)
{
	const size_t nr = json_object_array_length(r->steps);
	const size_t number = strtoul(text, NULL, 10);

	if (text[0] == '/')
		return find(r, i, text + 1);
	if (text[0] == 'b')
		return i ? i - 1 : 0;
	if (number >= 1 && number <= nr)
		return number - 1;
	return i + 1 < nr ? i + 1 : i;
}

int step_browse(FILE *out, const struct recording *r)
{
	const size_t nr = json_object_array_length(r->steps);
	size_t i = 0, room = 0, columns;
	char *line = NULL;
	ssize_t len;

	for (;;) {
		fputs("\033[2J\033[H", out);
		columns = step_columns(STDOUT_FILENO);
		step_print(out, r, i, columns);
		if (i + 1 == nr)
			step_print_end(out, r, columns);
		fputs("Enter: next  b: back  /TEXT: search  NUMBER: go there  q: quit > ", out);
		fflush(out);
		len = getline(&line, &room, stdin);
		if (len <= 0 || line[0] == 'q')
			break;
		line[len - 1] = line[len - 1] == '\n' ? '\0' : line[len - 1];
		i = follow(r, i, line);
	}
	free(line);
	return 0;
}
