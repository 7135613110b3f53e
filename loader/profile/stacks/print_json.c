// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Profiles as JSON: a message of pload. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/profile/stacks/pictures_internal.h"
#include "loader/core/value/value.h"

void json_text(FILE *file, const char *text)
{
	const size_t size = text ? strlen(text) : 0;
	const unsigned char *u = (const unsigned char *)text;
	unsigned int n;
	uint32_t c;

	if (!text) {
		fputs("null", file);
		return;
	}
	putc('"', file);
	for (size_t i = 0; i < size; i += n) {
		/* '<' would end a script element of HTML. */
		if (!text_character(u + i, size - i, &n, &c) || strchr("\"\\<", u[i]))
			fprintf(file, "\\u%04x", c);
		else
			fwrite(u + i, 1, n, file);
	}
	putc('"', file);
}

void json_about(FILE *file, const struct profile *p, const struct profile_about *about)
{
	fputs("\"title\":", file);
	json_text(file, about->title);
	fputs(",\"unit\":", file);
	json_text(file, about->unit);
	fprintf(file, ",\"duration_ns\":%llu,\"period_ns\":%llu,\"lost\":%llu,\"total\":%llu",
		(unsigned long long)about->duration_ns, (unsigned long long)about->period_ns,
		(unsigned long long)about->lost, (unsigned long long)profile_weight(p));
}

/*
 * Print a list of all stacks: of each a list with the numbers of its frames, from 0 on, outermost
 * first. @weights: print a list of their weights instead.
 */
static void put_stacks(FILE *file, const struct profile *p, uint32_t *path, bool weights)
{
	unsigned int depth = 0;
	const char *comma = "";

	putc('[', file);
	for (uint32_t n = 0; (n = profile_next(p, n, &depth));) {
		path[depth] = p->nodes[n].frame;
		if (!p->nodes[n].self)
			continue;
		fputs(comma, file);
		comma = ",";
		if (weights) {
			fprintf(file, "%llu", (unsigned long long)p->nodes[n].self);
			continue;
		}
		for (unsigned int i = 1; i <= depth; i++)
			fprintf(file, "%c%u", i == 1 ? '[' : ',', path[i] - 1);
		putc(']', file);
	}
	putc(']', file);
}

/* {"type":"profile",...,"functions":[{...}],"stacks":[[0,1]],"weights":[12]} */
int print_json(FILE *file, const struct profile *p, const struct profile_about *about,
	       struct error *err)
{
	uint32_t *path = calloc(profile_depth(p) + 1, sizeof(*path));

	(void)err;
	if (!path)
		return -ENOMEM;
	fputs("{\"type\":\"profile\",", file);
	json_about(file, p, about);
	fputs(",\"functions\":[", file);
	for (uint32_t i = 1; i < p->nr_frames; i++) {
		const struct profile_frame *f = &p->frames[i];

		fputs(i > 1 ? ",{\"symbol\":" : "{\"symbol\":", file);
		json_text(file, f->symbol);
		fputs(",\"file\":", file);
		json_text(file, f->file);
		fprintf(file, ",\"self\":%llu,\"total\":%llu", (unsigned long long)f->self,
			(unsigned long long)f->total);
		if (f->doubt) {
			fputs(",\"doubt\":", file);
			json_text(file, f->doubt);
			fprintf(file, ",\"doubtful\":%llu", (unsigned long long)f->doubtful);
		}
		putc('}', file);
	}
	fputs("],\"stacks\":", file);
	put_stacks(file, p, path, false);
	fputs(",\"weights\":", file);
	put_stacks(file, p, path, true);
	fputs("}\n", file);
	free(path);
	return 0;
}
