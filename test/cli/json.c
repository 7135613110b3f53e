// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* For the command-line tests: extract values from JSON Lines, and be strict about their form. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "programs.0.run_cnt": names and array indices. NULL if there is no such value. */
static struct json_object *at(struct json_object *value, const char *path)
{
	char key[128];

	while (value && *path) {
		size_t n = strcspn(path, ".");

		snprintf(key, sizeof(key), "%.*s", (int)n, path);
		path += path[n] ? n + 1 : n;
		if (json_object_is_type(value, json_type_array))
			value = json_object_array_get_idx(value, strtoul(key, NULL, 10));
		else if (!json_object_object_get_ex(value, key, &value))
			value = NULL;
	}
	return value;
}

static struct json_object *parse(const char *line, size_t n, int flags)
{
	struct json_tokener *tok = json_tokener_new_ex(64);
	struct json_object *value;

	json_tokener_set_flags(tok, flags);
	value = json_tokener_parse_ex(tok, line, n);
	json_tokener_free(tok);
	return value;
}

/*
 * JSON_TOKENER_STRICT of json-c 0.17 and 0.18 rejects every byte from 0x80 on (json-c's issue 875),
 * so replace these with letters: what is checked are brackets, commas and control characters.
 */
static struct json_object *parse_strictly(char *line, size_t n)
{
	struct json_object *value = parse(line, n, JSON_TOKENER_VALIDATE_UTF8), *plain;

	for (size_t i = 0; i < n; i++)
		if (line[i] & 0x80)
			line[i] = 'x';
	plain = parse(line, n, JSON_TOKENER_STRICT);
	if (!plain) {
		json_object_put(value);
		value = NULL;
	}
	json_object_put(plain);
	return value;
}

/*
 * usage: json TYPE PATH [WHERE=TEXT]: for each line with that "type" (and with the value TEXT at
 * WHERE), print the value at PATH; json fields: print the type of each line and all its values.
 * Status 1 if a line is not a single JSON object, or if the last line is not the summary.
 */
int main(int argc, char **argv)
{
	char *line = NULL, *where = argc > 3 ? argv[3] : NULL,
	     *wanted = where ? strchr(where, '=') : NULL;
	const char *type = "";
	struct json_object *msg = NULL;
	size_t size = 0;
	ssize_t n;

	const int fields = argc == 2 && !strcmp(argv[1], "fields");

	if (!fields && (argc < 3 || (where && !wanted)))
		return 2;
	if (wanted)
		*wanted++ = '\0';
	while ((n = getline(&line, &size, stdin)) > 0) {
		struct json_object *value;

		json_object_put(msg);
		msg = parse_strictly(line, n);
		if (!json_object_is_type(msg, json_type_object)) {
			fprintf(stderr, "not a JSON object: %s", line);
			json_object_put(msg);
			free(line);
			return 1;
		}
		type = json_object_get_string(at(msg, "type"));
		if (fields) {
			json_object_object_foreach(msg, key, unused)
			{
				(void)unused;
				printf("%s %s\n", type ? type : "?", key);
			}
			continue;
		}
		if (!type || strcmp(type, argv[1]))
			continue;
		if (wanted &&
		    (!at(msg, where) || strcmp(json_object_get_string(at(msg, where)), wanted)))
			continue;
		value = at(msg, argv[2]);
		puts(value ? json_object_get_string(value) : "null");
	}
	n = type && !strcmp(type, "summary") ? 0 : 1;
	json_object_put(msg);
	free(line);
	return n;
}
