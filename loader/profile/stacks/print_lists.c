// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Profiles as lines: folded stacks, and text for people. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/stacks/pictures_internal.h"
#include "loader/core/value/value.h"

/* --- folded: "outer;inner 12", the input of FlameGraph's flamegraph.pl --- */

/* ';' ends a frame. */
static void put_folded(FILE *file, const struct profile_frame *frame)
{
	char buf[PROFILE_NAME];
	const char *name = profile_frame_name(frame, buf);
	size_t n;

	for (; n = strcspn(name, ";"), text_print(file, name, n, 0), name[n]; name += n + 1)
		putc(':', file);
}

int print_folded(FILE *file, const struct profile *p, const struct profile_about *about,
		 struct error *err)
{
	uint32_t *path = calloc(profile_depth(p) + 1, sizeof(*path));
	unsigned int depth = 0;

	(void)about;
	(void)err;
	if (!path)
		return -ENOMEM;
	for (uint32_t n = 0; (n = profile_next(p, n, &depth));) {
		path[depth] = p->nodes[n].frame;
		for (unsigned int i = 1; p->nodes[n].self && i <= depth; i++) {
			put_folded(file, &p->frames[path[i]]);
			putc(i < depth ? ';' : ' ', file);
		}
		if (p->nodes[n].self)
			fprintf(file, "%llu\n", (unsigned long long)p->nodes[n].self);
	}
	free(path);
	return 0;
}

/* --- text --- */

#define TEXT_FUNCTIONS 20
#define TEXT_NODES 60	/* lines of the tree */

static double percent(const struct profile *p, uint64_t weight)
{
	return profile_weight(p) ? 100.0 * weight / profile_weight(p) : 0;
}

static void put_frame(FILE *file, const struct profile_frame *frame)
{
	char buf[PROFILE_NAME];
	const char *name = profile_frame_name(frame, buf);

	text_print(file, name, strlen(name), 0);
	if (frame->symbol && frame->file) {
		fputs(frame->file[0] == '[' ? " " : " (", file);
		text_print(file, frame->file, strlen(frame->file), 0);
		if (frame->file[0] != '[')
			putc(')', file);
	}
	putc('\n', file);
}

/* @list: all functions, the largest first */
static void print_functions(FILE *file, const struct profile *p, const uint32_t *list,
			    unsigned int rows)
{
	const uint32_t nr = p->nr_frames - 1, shown = nr < rows ? nr : rows;

	fputs("    self   samples    total   samples  function\n", file);
	for (uint32_t i = 0; i < shown; i++) {
		const struct profile_frame *f = &p->frames[list[i]];

		fprintf(file, "%7.2f%% %9llu %7.2f%% %9llu  ", percent(p, f->self),
			(unsigned long long)f->self, percent(p, f->total),
			(unsigned long long)f->total);
		put_frame(file, f);
		if (!f->doubt)
			continue;
		fprintf(file, "%41sin doubt in %.2f%%: ", "", percent(p, f->doubtful));
		text_print(file, f->doubt, strlen(f->doubt), 0);
		putc('\n', file);
	}
	if (shown < nr)
		fprintf(file, "  ... and %u more functions\n", nr - shown);
}

/* Return true if @node has at least one percent of the profile. */
static bool is_shown(const struct profile *p, uint32_t node)
{
	return percent(p, p->nodes[node].total) >= 1;
}

/* Indent only where the tree branches: a stack without branches is a column. */
static void print_tree(FILE *file, const struct profile *p, unsigned int *indent)
{
	unsigned int depth = 0, lines = 0, left_out = 0;

	indent[0] = 0;
	fputs("\n   total  call tree, callers first; branches below 1% are left out\n", file);
	for (uint32_t n = 0; (n = profile_next(p, n, &depth));) {
		const struct profile_node *node = &p->nodes[n];
		const uint32_t second = p->nodes[p->nodes[node->parent].child].next;

		indent[depth] = indent[depth - 1] + (second && is_shown(p, second));
		if (!is_shown(p, n) || lines == TEXT_NODES) {
			left_out += is_shown(p, n);
			continue;
		}
		fprintf(file, "%7.2f%%  %*s", percent(p, node->total),
			(int)(2 * (indent[depth] < 40 ? indent[depth] : 40)), "");
		put_frame(file, &p->frames[node->frame]);
		lines++;
	}
	if (left_out)
		fprintf(file, "  ... and %u more lines; --format=flamegraph has all\n", left_out);
}

int print_text(FILE *file, const struct profile *p, const struct profile_about *about,
	       struct error *err)
{
	uint32_t *list = profile_functions(p);
	unsigned int *indent = calloc(profile_depth(p) + 1, sizeof(*indent));

	(void)err;
	if (list && indent && profile_weight(p)) {
		fprintf(file, "\nprofile: %llu %s in %u functions",
			(unsigned long long)profile_weight(p), about->unit, p->nr_frames - 1);
		if (about->lost)
			fprintf(file, "; %llu lost", (unsigned long long)about->lost);
		putc('\n', file);
		print_functions(file, p, list, TEXT_FUNCTIONS);
		print_tree(file, p, indent);
	}
	free(indent);
	free(list);
	return list && indent ? 0 : -ENOMEM;
}
