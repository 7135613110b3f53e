// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading a call tree: names, order, and visiting its nodes; the table of formats. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/profile/stacks/pictures_internal.h"

const char *profile_frame_name(const struct profile_frame *frame, char *buf)
{
	const char *file = frame->file, *slash;

	if (frame->symbol && frame->symbol[0])
		return frame->symbol;
	if (!file || !file[0])
		return "[unknown]";
	if (file[0] == '[')
		return file;
	slash = strrchr(file, '/');
	snprintf(buf, PROFILE_NAME, "[%s]", slash && slash[1] ? slash + 1 : file);
	return buf;
}

uint32_t profile_next(const struct profile *p, uint32_t node, unsigned int *depth)
{
	if (p->nodes[node].child) {
		++*depth;
		return p->nodes[node].child;
	}
	while (node && !p->nodes[node].next) {
		node = p->nodes[node].parent;
		--*depth;
	}
	return node ? p->nodes[node].next : 0;
}

unsigned int profile_depth(const struct profile *p)
{
	unsigned int depth = 0, most = 0;

	for (uint32_t n = 0; (n = profile_next(p, n, &depth));)
		most = depth > most ? depth : most;
	return most;
}

/* --- order --- */

static int compare_names(const struct profile *p, uint32_t a, uint32_t b)
{
	char name_a[PROFILE_NAME], name_b[PROFILE_NAME];
	const int order = strcmp(profile_frame_name(&p->frames[a], name_a),
				 profile_frame_name(&p->frames[b], name_b));

	return order ? order : strcmp(p->frames[a].file ?: "", p->frames[b].file ?: "");
}

static int compare_nodes(const void *left, const void *right, void *profile)
{
	const struct profile *p = profile;
	const struct profile_node *a = &p->nodes[*(const uint32_t *)left],
				  *b = &p->nodes[*(const uint32_t *)right];

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return compare_names(p, a->frame, b->frame);
}

/* Sort the children of @parent. @list: room for all nodes. */
static void sort_children(struct profile *p, uint32_t parent, uint32_t *list)
{
	uint32_t nr = 0;

	for (uint32_t n = p->nodes[parent].child; n; n = p->nodes[n].next)
		list[nr++] = n;
	if (nr < 2)
		return;
	qsort_r(list, nr, sizeof(*list), compare_nodes, p);
	p->nodes[parent].child = list[0];
	for (uint32_t i = 0; i < nr; i++)
		p->nodes[list[i]].next = i + 1 < nr ? list[i + 1] : 0;
}

static int compare_functions(const void *left, const void *right, void *profile)
{
	const struct profile *p = profile;
	const uint32_t n = *(const uint32_t *)left, m = *(const uint32_t *)right;
	const struct profile_frame *a = &p->frames[n], *b = &p->frames[m];

	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return compare_names(p, n, m);
}

uint32_t *profile_functions(const struct profile *p)
{
	uint32_t *list = calloc(p->nr_frames, sizeof(*list));

	for (uint32_t i = 1; list && i < p->nr_frames; i++)
		list[i - 1] = i;
	if (list)
		qsort_r(list, p->nr_frames - 1, sizeof(*list), compare_functions, (void *)p);
	return list;
}

/* --- formats --- */

static const struct profile_format formats[] = {
	{ "text", print_text },		    { "folded", print_folded },
	{ "flamegraph", print_flamegraph }, { "json", print_json },
};

const struct output_format profile_output_formats[] = {
	{ .name = "folded", .print_as = message_print_beside, .picture = true },
	{ .name = "flamegraph", .print_as = message_print_beside, .picture = true },
	{ 0 },
};

const struct profile_format *profile_format_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

int profile_print(const struct profile_format *format, FILE *file, struct profile *p,
		  const struct profile_about *about, struct error *err)
{
	uint32_t *list = calloc(p->nr_nodes, sizeof(*list));
	int ret = list ? 0 : -ENOMEM;

	for (uint32_t n = 0; list && n < p->nr_nodes; n++)
		sort_children(p, n, list);
	free(list);
	if (!ret)
		ret = format->print(file, p, about, err);
	if (ret == -ENOMEM)
		error_set(err, ENOMEM, "no memory to print a profile of %u nodes", p->nr_nodes);
	return ret;
}
