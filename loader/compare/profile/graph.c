// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The flame graph of one method, the page of --format=flamegraph, from its message. */
#include <stdlib.h>

#include "loader/compare/document/document.h"
#include "loader/compare/profile/profile.h"
#include "loader/features/profile/profile.h"
#include "loader/sys/text/text_stream.h"

/* Build the profile of which @msg is the message. */
static bool read_profile(struct json_object *msg, struct profile *p)
{
	struct json_object *functions = doc_array(msg, "functions"),
			   *stacks = doc_array(msg, "stacks"),
			   *weights = doc_array(msg, "weights");
	bool ok = true;

	for (size_t i = 0; ok && i < doc_len(stacks); i++) {
		struct json_object *stack = doc_at(stacks, i);
		const size_t nr = doc_len(stack);
		struct frame *frames = calloc(nr + 1, sizeof(*frames));

		for (size_t f = 0; frames && f < nr; f++) {
			struct json_object *function = doc_at(functions,
				json_object_get_uint64(doc_at(stack, f)));

			frames[f].symbol = doc_text(function, "symbol");
			frames[f].file = doc_text(function, "file");
			frames[f].doubt = doc_text(function, "doubt");
		}
		ok = frames && !profile_add(p, frames, nr, json_object_get_uint64(
					    doc_at(weights, i)), NULL);
		free(frames);
	}
	return ok;
}

struct json_object *compare_profile_graph(struct json_object *method)
{
	struct json_object *msg = doc_object(method, "profile");
	struct profile_about about = { .title = doc_text(method, "attach"),
				       .unit = doc_text(msg, "unit") };
	struct profile *p = profile_new();
	struct text_stream page;
	bool ok = p && text_stream_open(&page);
	char *text = NULL;

	doc_number(msg, "duration_ns", &about.duration_ns);
	doc_number(msg, "period_ns", &about.period_ns);
	doc_number(msg, "lost", &about.lost);
	if (ok) {
		ok = read_profile(msg, p) && !profile_print(profile_format_find("flamegraph"),
							    page.file, p, &about, NULL);
		text = text_stream_close(&page);
	}
	profile_free(p);
	if (ok)
		return doc_string(text);
	free(text);
	return NULL;
}
