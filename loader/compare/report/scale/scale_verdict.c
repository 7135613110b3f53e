// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Conclude which way suits many attachments, and which tricks help. */
#include <inttypes.h>
#include <string.h>

#include "loader/base/text/text_stream.h"
#include "loader/compare/report/report_internal.h"

#define CLEAR 3		/* times as long: more than two runs usually differ */
#define HELPS 0.7	/* a trick that takes a larger share of the time does not help */

/* The best and the worst of one kind; ways are borrowed. */
struct kind {
	const char *name;
	struct json_object *best, *worst;	/* by the time to attach and close */
	uint64_t best_ns, worst_ns;
};

/* The time to attach and close @number; UINT64_MAX: unknown. */
static uint64_t both(struct json_object *way, uint64_t number)
{
	const struct scale_cost attach = scale_cost_of(way, "attach", number),
				close = scale_cost_of(way, "close", number);

	if (attach.ns == UINT64_MAX || close.ns == UINT64_MAX)
		return UINT64_MAX;
	return attach.ns + close.ns;
}

static void add_way(struct kind *k, struct json_object *way, uint64_t number)
{
	const uint64_t ns = both(way, number);

	if (ns == UINT64_MAX)
		return;
	if (!k->best || ns < k->best_ns) {
		k->best = way;
		k->best_ns = ns;
	}
	if (!k->worst || ns > k->worst_ns) {
		k->worst = way;
		k->worst_ns = ns;
	}
}

/* "attach in 12.3 ms and close in 45.6 ms, waiting for 2 grace periods" */
static void put_cost(FILE *file, struct json_object *way, uint64_t number)
{
	const struct scale_cost attach = scale_cost_of(way, "attach", number),
				close = scale_cost_of(way, "close", number);
	char a[TIME_TEXT], c[TIME_TEXT];
	uint64_t fds;

	fprintf(file, "%s to attach and %s to close", time_text(attach.ns, a),
		time_text(close.ns, c));
	if (attach.periods != UINT64_MAX && close.periods != UINT64_MAX)
		fprintf(file, " with %" PRIu64 " grace period%s", attach.periods + close.periods,
			attach.periods + close.periods == 1 ? "" : "s");
	if (doc_number(doc_object(scale_cell_of(way, number), "attach"), "descriptors", &fds))
		fprintf(file, " and %" PRIu64 " descriptor%s", fds, fds == 1 ? "" : "s");
	if (attach.modelled || close.modelled)
		fputs(" by its model", file);
}

/* Return the first kernel that has the way; NULL: every kernel with BPF for this event has it. */
static const char *since(struct json_object *way)
{
	const bool user = doc_is(way, "kind", "uprobe") || doc_is(way, "kind", "usdt");
	const char *name = doc_text(way, "way");

	if (name && !strcmp(name, "multi"))
		return user ? "6.6" : "5.18";
	return name && strstr(name, "+link") ? "5.15" : NULL;
}

/* If two ways take about as long, there is nothing to choose. */
static bool is_clear(const struct kind *k)
{
	return k->best && k->worst_ns > CLEAR * k->best_ns;
}

static void put_kind(FILE *file, const struct kind *k, uint64_t number, bool first)
{
	const char *best = doc_text(k->best, "way"), *worst = doc_text(k->worst, "way"),
		   *release = since(k->best);

	if (!is_clear(k) || !best || !worst)
		return;
	fprintf(file, "%sfor %" PRIu64 " of %s take %s", first ? "" : "; ", number, k->name, best);
	if (release)
		fprintf(file, " (since Linux %s)", release);
	fputs(": ", file);
	put_cost(file, k->best, number);
	fprintf(file, "; by %s ", worst);
	put_cost(file, k->worst, number);
}

/* --- tricks --- */

/* Compared with closing as many in order. */
static void add_tricks(struct json_object *way, double best[SCALE_ALL_ENDS])
{
	struct json_object *cells = doc_array(way, "cells");

	for (size_t i = 0; i < doc_len(cells); i++) {
		struct json_object *cell = doc_at(cells, i);
		uint64_t close, ns, number;

		if (!doc_number(doc_object(cell, "close"), "ns", &close) || !close ||
		    !doc_number(cell, "number", &number) || number < 2 ||
		    !doc_object(cell, "threads"))
			continue;
		for (int t = 1; t < SCALE_ALL_ENDS; t++)
			if (doc_number(doc_object(cell, scale_ends[t]), "ns", &ns) &&
			    (!best[t] || (double)ns / close < best[t]))
				best[t] = (double)ns / close;
	}
}

static void put_tricks(FILE *file, struct json_object *ways, bool first)
{
	static const char *const names[SCALE_ALL_ENDS] = {
		NULL, "leaving it to exit", NULL, "closing the event before its link",
		"disabling the event first", "closing from eight tasks",
	};
	double share[SCALE_ALL_ENDS] = { 0 };
	bool any = false;

	for (size_t i = 0; i < doc_len(ways); i++)
		add_tricks(doc_at(ways, i), share);
	for (int helps = 1; helps >= 0; helps--)
		for (int t = 0; t < SCALE_ALL_ENDS; t++) {
			if (!names[t] || !share[t] || (share[t] < HELPS) != helps)
				continue;
			fprintf(file, "%s%s %s at best (%.2f of the time)",
				any ? ", " : first ? "" : "; ", names[t],
				helps ? "helps" : "hardly matters", share[t]);
			any = true;
		}
}

/* --- kinds --- */

/* Return how many ways from @from on are of the same kind. */
static size_t nr_of_kind(struct json_object *ways, size_t from)
{
	const char *kind = doc_text(doc_at(ways, from), "kind");
	size_t to = from + 1;

	while (to < doc_len(ways) && kind && doc_is(doc_at(ways, to), "kind", kind))
		to++;
	return to - from;
}

static bool is_measured(struct json_object *way)
{
	struct json_object *cells = doc_array(way, "cells");

	for (size_t i = 0; i < doc_len(cells); i++)
		if (doc_object(doc_at(cells, i), "close"))
			return true;
	return false;
}

/* Return the largest number whose cost is known for every measured way; 0: none. */
static uint64_t common_number(struct json_object *ways, size_t from, size_t nr)
{
	struct json_object *cells = doc_array(doc_at(ways, from), "cells");
	uint64_t number;

	for (size_t c = doc_len(cells); c; c--) {
		size_t known = 0, measured = 0;

		if (!doc_number(doc_at(cells, c - 1), "number", &number))
			continue;
		for (size_t i = from; i < from + nr; i++) {
			known += both(doc_at(ways, i), number) != UINT64_MAX;
			measured += is_measured(doc_at(ways, i));
		}
		if (known && known >= measured)
			return number;
	}
	return 0;
}

struct json_object *scale_verdict(struct json_object *scale)
{
	struct json_object *ways = doc_array(scale, "ways"), *text;
	struct text_stream out;
	bool first = true;

	if (!text_stream_open(&out))
		return NULL;
	for (size_t i = 0, nr; i < doc_len(ways); i += nr) {
		const char *kind = doc_text(doc_at(ways, i), "kind");
		struct kind k = { .name = kind ? kind : "" };
		uint64_t number;

		nr = nr_of_kind(ways, i);
		number = common_number(ways, i, nr);
		for (size_t w = i; number && w < i + nr; w++)
			add_way(&k, doc_at(ways, w), number);
		put_kind(out.file, &k, number, first);
		first = first && !is_clear(&k);
	}
	put_tricks(out.file, ways, first);
	text = doc_string(text_stream_close(&out));
	if (text && json_object_get_string(text)[0])
		return text;
	json_object_put(text);
	return NULL;
}
