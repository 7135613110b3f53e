// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The graph of holders as JSON. */
#include "loader/observe/step/holders.h"
#include "loader/core/value/value.h"

static bool add_node(struct json_object *nodes, const struct holder_node *node, unsigned int id,
		     bool is_new)
{
	struct json_object *object = json_object_new_object();

	value_add_uint(object, "id", id);
	value_add_string(object, "kind", holder_kind_names[node->kind]);
	value_add_string(object, "name", node->name);
	value_add_bool(object, "new", is_new);
	return value_append(nodes, object);
}

static bool add_edge(struct json_object *edges, const struct holder_edge *edge)
{
	struct json_object *object = json_object_new_object();

	value_add_uint(object, "from", edge->from);
	value_add_uint(object, "to", edge->to);
	value_add_string(object, "how", edge->how);
	value_add_bool(object, "new", edge->is_new);
	return value_append(edges, object);
}

struct json_object *holders_json(const struct holders *h, const bool *before, unsigned int nr)
{
	struct json_object *all = json_object_new_object();
	struct json_object *nodes = json_object_new_array(), *edges = json_object_new_array();
	struct json_object *ended = json_object_new_array();

	for (unsigned int i = 0; i < h->nr_nodes; i++) {
		if (h->nodes[i].is_live)
			add_node(nodes, &h->nodes[i], i, i >= nr);
		else if (i < nr && before[i])
			value_append(ended, json_object_new_string(h->nodes[i].name));
	}
	for (unsigned int i = 0; i < h->nr_edges; i++)
		add_edge(edges, &h->edges[i]);
	value_add(all, "nodes", nodes);
	value_add(all, "edges", edges);
	value_add(all, "ended", ended);
	if (value_is_complete(all))
		return all;
	json_object_put(all);
	return NULL;
}
