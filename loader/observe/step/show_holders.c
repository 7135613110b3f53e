// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The graph of holders as text: each holder, followed by what it holds. */
#include <string.h>

#include "loader/observe/step/record.h"
#include "loader/observe/step/show.h"

static const char *name_of(struct json_object *nodes, int id)
{
	for (size_t i = 0; i < json_object_array_length(nodes); i++) {
		struct json_object *node = json_object_array_get_idx(nodes, i);

		if (member_int(node, "id", -1) == id)
			return member_text(node, "name", "?");
	}
	return "?";
}

static bool is_new(struct json_object *object)
{
	struct json_object *member;

	return json_object_object_get_ex(object, "new", &member) &&
	       json_object_get_boolean(member);
}

/* Print what @node holds. "+" marks what this step created. */
static void print_node(FILE *out, struct json_object *nodes, struct json_object *edges,
		       struct json_object *node)
{
	const int id = member_int(node, "id", -1);
	bool named = false;

	for (size_t i = 0; i < json_object_array_length(edges); i++) {
		struct json_object *edge = json_object_array_get_idx(edges, i);

		if (member_int(edge, "from", -1) != id)
			continue;
		if (!named)
			fprintf(out, "    %.70s\n", member_text(node, "name", "?"));
		named = true;
		fprintf(out, "  %c   |- %-8.20s -> %.50s\n", is_new(edge) ? '+' : ' ',
			member_text(edge, "how", ""), name_of(nodes, member_int(edge, "to", -1)));
	}
}

void holders_print(FILE *out, struct json_object *holders)
{
	struct json_object *nodes, *edges, *ended;

	if (!json_object_object_get_ex(holders, "nodes", &nodes) ||
	    !json_object_object_get_ex(holders, "edges", &edges) ||
	    !json_object_object_get_ex(holders, "ended", &ended))
		return;
	fputs("who holds whom\n", out);
	if (!json_object_array_length(edges))
		fputs("    nobody holds anything\n", out);
	for (size_t i = 0; i < json_object_array_length(nodes); i++)
		print_node(out, nodes, edges, json_object_array_get_idx(nodes, i));
	for (size_t i = 0; i < json_object_array_length(ended); i++) {
		const char *name = array_text(ended, i);
		const bool alone = !strncmp(name, "process ", 8) || !strncmp(name, "pin ", 4);

		fprintf(out, "  -   %.50s ends%s\n", name,
			alone ? "" : ": nobody holds it any more");
	}
}
