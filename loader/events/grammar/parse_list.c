// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The grammar of lists: comma-separated events, {groups}, and alternatives (,or=). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf/bytes.h"
#include "loader/events/grammar/grammar_internal.h"

#define OR "or="

/* The state of the parser. */
struct reader {
	struct event_list *list;
	const char *p, *end;	/* the rest of the text */
	unsigned int group, alt_set, alt_index;
};

static int list_error(const struct reader *r, const char *what, const char *hint, struct error *err)
{
	const long len = r->end - r->p;

	error_set(err, EINVAL, "%s", what);
	error_reason(err, "event/grammar");
	error_hint(err, "%s", hint);
	return error_where(err, "events '%.*s'", len > 200 ? 200 : (int)len, r->p);
}

static struct piece rest_of(const struct reader *r)
{
	return (struct piece){ r->p, r->end - r->p };
}

static void skip_blanks(struct reader *r)
{
	while (r->p < r->end && *r->p == ' ')
		r->p++;
}

/* --- one event --- */

static int add_event(struct reader *r, struct piece text, struct error *err)
{
	struct event_spec *spec;
	int ret = event_list_room(r->list, err);

	if (ret)
		return ret;
	spec = &r->list->specs[r->list->nr];
	while (text.len && text.text[text.len - 1] == ' ')
		text.len--;
	ret = spec_parse(spec, text, err);
	if (ret)
		return ret;
	spec->group = r->group;
	spec->alt_set = r->alt_set;
	spec->alt_index = r->alt_index;
	r->list->nr++;
	return 0;
}

/*
 * Find the end of the first event in @text, including sampling terms (",freq=99") and anything like
 * NAME=VALUE, for which its parser has the better error.
 */
static const char *whole_event(struct piece text)
{
	const char *end = spec_end(text), *stop = text.text + text.len;

	while (end < stop) {
		struct piece next = piece_from(text, end + 1);
		const char *equals = piece_find(next, '=');

		if (!equals || piece_begins(next, OR) ||
		    !event_is_word(next.text, equals - next.text))
			break;
		end = piece_find(next, ',');
		end = end ? end : stop;
	}
	return end;
}

/* Return the position after the '}' that matches the '{' at r->p; NULL if there is none. */
static const char *closing_brace(const struct reader *r)
{
	unsigned int depth = 0;

	for (const char *p = r->p; p < r->end; p++) {
		depth += *p == '{';
		depth -= *p == '}';
		if (depth == 0)
			return p + 1;
	}
	return NULL;
}

static int unclosed(const struct reader *r, struct error *err)
{
	return list_error(r, "a '{' without its '}'",
			  "{a,b} is a group, {a,b}:* all tracepoints of two categories", err);
}

/* Parse "{sched,syscalls}:*", the events of several categories: combine each word with the rest. */
static int read_set(struct reader *r, struct error *err)
{
	const char *brace = closing_brace(r);
	struct piece words, behind;

	if (!brace)
		return unclosed(r, err);
	words = (struct piece){ r->p + 1, brace - r->p - 2 };
	behind = piece_until((struct piece){ brace, r->end - brace },
			     whole_event((struct piece){ brace, r->end - brace }));
	for (;;) {
		const char *comma = piece_find(words, ',');
		struct piece word = comma ? piece_until(words, comma) : words;
		char text[EVENT_TEXT_MAX];
		int n = snprintf(text, sizeof(text), "%.*s%.*s", PIECE(word), PIECE(behind)), ret;

		if (n >= (int)sizeof(text))
			return list_error(r, "it is too long", "use several -e options", err);
		ret = add_event(r, (struct piece){ text, n }, err);
		if (ret)
			return ret;
		if (!comma)
			break;
		words = piece_from(words, comma + 1);
	}
	r->p = behind.text + behind.len;
	return 0;
}

static int read_event(struct reader *r, struct error *err)
{
	struct piece event;

	skip_blanks(r);
	if (r->p < r->end && *r->p == '{')
		return read_set(r, err);
	event = piece_until(rest_of(r), whole_event(rest_of(r)));
	r->p = event.text + event.len;
	return add_event(r, event, err);
}

/* --- alternatives --- */

static bool takes_or(struct reader *r)
{
	if (!piece_begins(rest_of(r), "," OR))
		return false;
	r->p += strlen("," OR);
	return true;
}

/* The program is attached to whichever alternative opens, so all must run the same program type. */
static int check_types(const struct event_list *list, unsigned int from, struct error *err)
{
	const struct event_spec *first = &list->specs[from];

	for (unsigned int i = from; i < list->nr; i++) {
		if (event_prog_type(&list->specs[i]) == event_prog_type(first))
			continue;
		error_set(err, EINVAL, "it runs a different type of programs than '%.200s'",
			  first->text);
		error_reason(err, "event/alternative");
		error_hint(err, "all alternatives of a,or=b must run the same type of programs");
		return error_where(err, "event '%.200s'", list->specs[i].text);
	}
	return 0;
}

/* "cycles,or=cpu-clock" */
static int read_alternative(struct reader *r, struct error *err)
{
	const unsigned int from = r->list->nr;
	int ret = read_event(r, err);

	while (ret == 0 && takes_or(r)) {
		if (!r->alt_set) {
			r->alt_set = ++r->list->nr_alt_sets;
			for (unsigned int i = from; i < r->list->nr; i++)
				r->list->specs[i].alt_set = r->alt_set;
		}
		r->alt_index++;
		ret = read_event(r, err);
	}
	if (ret == 0 && r->alt_set)
		ret = check_types(r->list, from, err);
	r->alt_set = 0;
	r->alt_index = 0;
	return ret;
}

/* --- groups --- */

/* Return true if the next '{' starts a group: "{a,b}" or "{a,b}:u", not "{a,b}:name". */
static bool is_group(const struct reader *r)
{
	const char *brace = closing_brace(r), *end;
	struct piece behind;

	if (!brace || brace == r->end || *brace != ':')
		return true;
	behind = (struct piece){ brace + 1, r->end - brace - 1 };
	end = piece_find(behind, ',');
	return spec_is_modifiers(end ? piece_until(behind, end) : behind);
}

/*
 * Apply the modifiers after the '}' to each event of the group. D and e apply to the group as a
 * whole, so they are set only for its leader.
 */
static int modify_group(struct reader *r, unsigned int from, struct error *err)
{
	const uint8_t leaders = EVENT_PINNED | EVENT_EXCLUSIVE;
	struct event_spec *specs = r->list->specs;
	const char *comma = piece_find(rest_of(r), ',');
	struct piece letters = comma ? piece_until(rest_of(r), comma) : rest_of(r);

	letters = piece_from(letters, letters.text + 1);
	for (unsigned int i = from; i < r->list->nr; i++) {
		const uint8_t own = specs[i].modifiers.flags;
		int ret = spec_modifiers(&specs[i].modifiers, letters, err);

		if (ret) {
			error_reason(err, "event/grammar");
			return error_where(err, "group of '%.200s'", specs[from].text);
		}
		if (!specs[i].leads)
			specs[i].modifiers.flags &= own | ~leaders;
	}
	r->p = letters.text + letters.len;
	return 0;
}

void event_list_lead(struct event_list *list, unsigned int from)
{
	const struct event_spec *first = NULL;

	for (unsigned int i = from; i < list->nr; i++) {
		struct event_spec *spec = &list->specs[i];
		const struct event_spec *before = i > from ? spec - 1 : NULL;

		if (!before || before->group != spec->group)
			first = spec;
		/* An alternative to the first event leads in its place. */
		spec->leads = spec->group &&
			      (spec == first ||
			       (first->alt_set && spec->alt_set == first->alt_set &&
						 spec->alt_index != before->alt_index));
	}
}

static int read_list(struct reader *r, struct error *err);

static int read_group(struct reader *r, struct error *err)
{
	const unsigned int from = r->list->nr;
	const char *brace = closing_brace(r);
	struct reader inner = *r;
	int ret;

	if (!brace)
		return unclosed(r, err);
	if (r->group)
		return list_error(r, "a group in a group", "groups cannot be nested: write "
							   "{a,b},{c,d}",
				  err);
	inner.p++;
	inner.end = brace - 1;
	inner.group = ++r->list->nr_groups;
	ret = read_list(&inner, err);
	if (ret == 0)
		event_list_lead(r->list, from);
	r->p = brace;
	if (ret == 0 && r->p < r->end && *r->p == ':')
		ret = modify_group(r, from, err);
	if (ret)
		return ret;
	skip_blanks(r);
	if (piece_begins(rest_of(r), "," OR))
		return list_error(r, "a group cannot be an alternative",
				  "a member can have one: {cycles,or=cpu-clock,instructions}", err);
	if (r->p == r->end || *r->p == ',')
		return 0;
	return list_error(r, "unexpected text after the '}'",
			  "write ',' and another event, or ':' and modifiers", err);
}

/* --- the whole --- */

static int read_list(struct reader *r, struct error *err)
{
	for (;; r->p++) {
		int ret;

		skip_blanks(r);
		if (r->p < r->end && *r->p == '{' && is_group(r))
			ret = read_group(r, err);
		else
			ret = read_alternative(r, err);
		if (ret || r->p == r->end)
			return ret;
	}
}

/* Reject events that are invalid in their group or list. */
static int check_places(const struct event_list *list, unsigned int from, struct error *err)
{
	for (unsigned int i = from; i < list->nr; i++) {
		const struct event_spec *spec = &list->specs[i];
		const uint8_t flags = spec->modifiers.flags;

		if (!spec->group && flags & (EVENT_SAMPLE_READ | EVENT_WEAK))
			error_set(err, EINVAL, "modifiers S and W work only in groups");
		else if (spec->group && !spec->leads && flags & (EVENT_PINNED | EVENT_EXCLUSIVE))
			error_set(err, EINVAL,
				  "modifiers D and e work only on the first event of a group");
		else
			continue;
		error_reason(err, "event/grammar");
		error_hint(err, "as in {cycles,instructions}:S, or {cycles:D,instructions}");
		error_where(err, "event '%.200s'", spec->text);
		return -EINVAL;
	}
	return 0;
}

int event_list_parse(struct event_list *list, const char *text, struct error *err)
{
	struct reader r = { list, text, text + strlen(text), 0, 0, 0 };
	const unsigned int from = list->nr;
	int ret = read_list(&r, err);

	return ret ? ret : check_places(list, from, err);
}

int event_list_section(struct event_list *list, const char *prefix, const char *target,
		       struct error *err)
{
	char text[EVENT_TEXT_MAX];
	int ret = spec_section(prefix, target, text, err);

	return ret ? ret : event_list_parse(list, text, err);
}
