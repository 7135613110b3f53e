// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read /tmp/perf-PID.map, to which a JIT compiler appends a line for each function:
 *
 *	3ef414c0 398 RegExp:[{(]
 *	start	 size name, up to the end of the line
 *
 * Names stay in the file. Of a very large file only the end is read: memory is reused, and later
 * lines win.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/symbolize/symbolize_internal.h"

#define READ_MAX (256ull << 20)
#define LINES_MAX (4u << 20)
#define CHUNK (64u << 10)

static const char *hex(const char *p, uint64_t *value)
{
	*value = 0;
	for (; isxdigit((unsigned char)*p); p++)
		*value = *value << 4 | (*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
	return p;
}

/* Add the line at offset @at of the text. */
static int add_line(struct code_table *table, const char *line, uint64_t at, struct perf_map *map)
{
	struct code_symbol *grown;
	uint64_t start, size;
	const char *p = hex(line, &start);

	if (p == line || *p != ' ')
		return 0;
	p = hex(p + 1, &size);
	if (*p != ' ' || !size)
		return 0;
	if (table->nr == LINES_MAX) {
		map->doubt = "has too many lines: the last ones were not read";
		return 0;
	}
	grown = array_grow(table->list, table->nr, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	table->list = grown;
	table->list[table->nr++] = (struct code_symbol){
		.start = start, .name = at + (p + 1 - line),
		.size = size < CODE_SYMBOL_SIZE_MAX ? size : CODE_SYMBOL_SIZE_MAX,
	};
	return 0;
}

/* Add the complete lines of @text, which is at offset @at. Return their total size. */
static ssize_t add_lines(struct code_table *table, char *text, size_t len, uint64_t at,
			 struct perf_map *map)
{
	char *line = text, *end;

	while ((end = memchr(line, '\n', text + len - line))) {
		*end = '\0';
		if (add_line(table, line, at + (line - text), map))
			return -ENOMEM;
		line = end + 1;
	}
	return line - text;
}

int perf_map_read(struct sys *sys, int fd, struct code_table *table, struct perf_map *map)
{
	char *text = malloc(CHUNK + 1);
	uint64_t at = 0;
	struct stat st;
	size_t have = 0;
	ssize_t n = 0;

	*map = (struct perf_map){ 0 };
	if (!text || sys_fstat(sys, fd, &st) < 0) {
		free(text);
		return -ENOMEM;
	}
	map->size = st.st_size;
	if (map->size > READ_MAX) {
		map->begin = map->size - READ_MAX;
		map->doubt = "is larger than 256 MB: only its end was read";
	}
	while (at + have < map->size - map->begin &&
	       (n = sys_pread(sys, fd, text + have, CHUNK - have, map->begin + at + have)) > 0) {
		if (map->begin && !at && !have)
			text[0] = ' ';	/* the first line is incomplete: skip it */
		have += n;
		n = add_lines(table, text, have, at, map);
		if (n < 0)
			break;
		if (!n && have == CHUNK)	/* no valid line is that long: skip it */
			n = have;
		memmove(text, text + n, have - n);
		have -= n;
		at += n;
	}
	free(text);
	code_table_sort(table);
	return n < 0 ? n : 0;
}
