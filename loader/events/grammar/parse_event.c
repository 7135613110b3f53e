// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The grammar of events: parse the text of -e or of a section name. */
#include <errno.h>
#include <stdio.h>

#include "loader/events/grammar/grammar_internal.h"
#include "loader/events/grammar/events.h"

/* NAME[/TERMS/][:MODIFIERS][,freq=HZ] */
struct parts {
	struct piece name, terms, modifiers;
	bool has_terms, has_modifiers;
};

/* --- find the end of an event --- */

/* Return the first comma, or the end. */
static const char *comma_or_end(struct piece text)
{
	const char *comma = piece_find(text, ',');

	return comma ? comma : text.text + text.len;
}

/* Return the end of the modifiers at @p, with or without a leading ':'; NULL if there are none. */
static const char *modifiers_end(struct piece text, const char *p)
{
	const char *end = comma_or_end(piece_from(text, p));
	struct piece letters = { p, end - p };

	if (letters.len && *p == ':')
		letters = piece_from(letters, p + 1);
	return letters.len == 0 || spec_is_modifiers(letters) ? end : NULL;
}

/*
 * Return the slash that ends the terms started by the slash @open; NULL if there is none, as in
 * "sched/sched_switch" of SEC("tracepoint/sched/sched_switch").
 */
static const char *closing_slash(struct piece text, const char *open)
{
	const char *close = piece_find(piece_from(text, open + 1), '/');

	return close && modifiers_end(text, close + 1) ? close : NULL;
}

const char *spec_end(struct piece text)
{
	const char *slash, *close;

	if (spec_is_probe(text))
		return spec_probe_end(text);
	slash = piece_find(piece_until(text, comma_or_end(text)), '/');
	close = slash && !piece_begins(text, "mem:") ? closing_slash(text, slash) : NULL;
	return close ? modifiers_end(text, close + 1) : comma_or_end(text);
}

/* --- forms --- */

/* Use the text after @colon as modifiers. */
static void cut_modifiers(struct parts *parts, struct piece body, const char *colon)
{
	parts->has_modifiers = true;
	parts->modifiers = piece_from(body, colon + 1);
}

static int parse_pmu(struct event_spec *spec, struct piece pmu, struct error *err)
{
	spec->kind = EVENT_PMU;
	if (!event_is_pattern(pmu.text, pmu.len)) {
		error_set(err, EINVAL, "it does not have the form pmu/terms/");
		return spec_grammar_error(err);
	}
	return piece_string(pmu, "the PMU", EVENT_NAME_MAX, &spec->pmu.name, err);
}

/* Parse "sched:sched_switch" or "sched/sched_switch", split at @mark. */
static int parse_tracepoint(struct event_spec *spec, struct piece body, const char *mark,
			    struct error *err)
{
	struct piece category = piece_until(body, mark), name = piece_from(body, mark + 1);
	int ret;

	spec->kind = EVENT_TRACEPOINT;
	if (!event_is_pattern(category.text, category.len) ||
	    !event_is_pattern(name.text, name.len)) {
		error_set(err, EINVAL, "it does not have the form category:name of a tracepoint");
		return spec_grammar_error(err);
	}
	ret = piece_string(category, "the category", EVENT_NAME_MAX, &spec->tracepoint.category,
			   err);
	return ret ? ret : piece_string(name, "the name", EVENT_NAME_MAX, &spec->tracepoint.name,
					err);
}

/* "1:0" */
static int parse_numbers(struct event_spec *spec, struct piece type, struct piece config,
			 struct error *err)
{
	uint64_t value;
	int ret;

	spec->kind = EVENT_RAW;
	ret = spec_number(type, "the type", &value, err);
	if (ret)
		return ret;
	if (value > UINT32_MAX) {
		error_set(err, EINVAL, "the type %.*s does not fit into 32 bits", PIECE(type));
		return spec_grammar_error(err);
	}
	spec->fixed.type = value;
	return spec_number(config, "the config", &spec->fixed.config, err);
}

/* Parse "r1a8" or "r0x1a8". Return: 1, 0 if it is something else, or -EINVAL. */
static int parse_raw(struct event_spec *spec, struct piece name, struct error *err)
{
	uint64_t config;
	int ret = event_parse_raw(name.text, name.len, &config);

	if (ret == -EINVAL)
		return 0;
	if (ret == 0) {
		spec->kind = EVENT_RAW;
		spec->fixed.type = PERF_TYPE_RAW;
		spec->fixed.config = config;
		return 1;
	}
	error_set(err, EINVAL, "'%.*s' does not fit into 64 bits", PIECE(name));
	error_hint(err, "write r and up to 16 hexadecimal digits");
	return -EINVAL;
}

/* Parse a name in perf's tables. Return: 1, 0 if it is not there, or -EINVAL. */
static int parse_known(struct event_spec *spec, struct piece name, struct error *err)
{
	const struct perf_name *row = perf_name_find(name.text, name.len);
	uint64_t config;

	if (row) {
		spec->kind = row->kind;
		spec->fixed.config = row->config;
		spec->fixed.name = row->sysfs[0];
		return 1;
	}
	if (cache_name_config(name.text, name.len, &config) == 0) {
		spec->kind = EVENT_CACHE;
		spec->fixed.config = config;
		return 1;
	}
	return parse_raw(spec, name, err);
}

/* Parse a name that may be in events/ of some PMU. */
static int parse_alias(struct event_spec *spec, struct piece name, struct error *err)
{
	spec->kind = EVENT_ALIAS;
	if (name.len == 0) {
		error_set(err, EINVAL, "the event has no name");
		return spec_grammar_error(err);
	}
	if (event_is_word(name.text, name.len))
		return piece_string(name, "the name", EVENT_NAME_MAX, &spec->alias, err);
	error_set(err, EINVAL, "no such event");
	error_reason(err, "event/unknown");
	return spec_grammar_error(err);
}

/* Return true for a number; "9p" is a tracepoint category. */
static bool is_numbers(struct piece head)
{
	uint64_t value;

	return head.len && head.text[0] >= '0' && head.text[0] <= '9' &&
	       number_parse(head.text, head.len, &value) != -EINVAL;
}

/* Parse an event without terms, with or without ':' or '/'; store its modifiers in @parts. */
static int parse_named(struct event_spec *spec, struct piece body, struct parts *parts,
		       struct error *err)
{
	const char *colon = piece_find(body, ':'), *slash = piece_find(body, '/'), *second;
	struct piece head = colon ? piece_until(body, colon) : body;
	int ret = parse_known(spec, head, err);

	if (ret < 0)
		return ret;
	if (ret) {
		if (colon)
			cut_modifiers(parts, body, colon);
		return 0;
	}
	if (!colon)
		return slash ? parse_tracepoint(spec, body, slash, err) :
			       parse_alias(spec, body, err);
	second = piece_find(piece_from(body, colon + 1), ':');
	if (second) {
		cut_modifiers(parts, body, second);
		body = piece_until(body, second);
	}
	if (is_numbers(head))
		return parse_numbers(spec, head, piece_from(body, colon + 1), err);
	return parse_tracepoint(spec, body, colon, err);
}

/* Parse the name before "/terms/": a PMU, or an event that does not need one. */
static int parse_with_terms(struct event_spec *spec, struct parts *parts, struct error *err)
{
	const int known = parse_known(spec, parts->name, err);
	char own[EVENT_WORD_MAX] = "";
	int ret = known ? known : parse_pmu(spec, parts->name, err);

	if (ret >= 0 && parts->terms.len)
		ret = spec_terms(spec, parts->terms, own, err);
	if (ret < 0)
		return ret;
	if (!known)
		return piece_string((struct piece){ own, strlen(own) }, "the terms", sizeof(own),
				    &spec->pmu.terms, err);
	if (!own[0])
		return 0;
	error_set(err, EINVAL, "'%.*s' accepts name=, freq= and period= between slashes, not '%s'",
		  PIECE(parts->name), own);
	error_hint(err, "a PMU's terms follow its name: cpu/%s/", own);
	return -EINVAL;
}

static int parse_body(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *slash = piece_find(body, '/');
	const char *close = slash ? closing_slash(body, slash) : NULL;
	struct parts parts = { .name = body };
	int ret;

	if (piece_begins(body, "mem:"))
		return spec_breakpoint(spec, piece_from(body, body.text + strlen("mem:")), err);
	if (spec_is_probe(body))
		return spec_probe(spec, body, err);
	if (close) {
		parts.name = piece_until(body, slash);
		parts.terms = piece_until(piece_from(body, slash + 1), close);
		if (close + 1 < body.text + body.len)
			cut_modifiers(&parts, body, close + (close[1] == ':'));
		ret = parse_with_terms(spec, &parts, err);
	} else {
		ret = parse_named(spec, body, &parts, err);
	}
	if (ret == 0 && parts.has_modifiers)
		ret = spec_modifiers(&spec->modifiers, parts.modifiers, err);
	return ret;
}

int spec_parse(struct event_spec *spec, struct piece text, struct error *err)
{
	struct piece body = piece_until(text, spec_end(text));
	int ret;

	memset(spec, 0, sizeof(*spec));
	ret = piece_string(body, "it", EVENT_TEXT_MAX, &spec->text, err);
	if (ret == 0)
		ret = parse_body(spec, body, err);
	if (ret == 0)
		ret = spec_sampling(spec, piece_from(text, body.text + body.len), err);
	if (ret == 0)
		return 0;
	event_spec_free(spec);
	if (err && !err->reason && ret != -ENOMEM)
		error_reason(err, "event/grammar");
	error_where(err, "event '%.*s%s'", (int)(text.len > 200 ? 200 : text.len), text.text,
		    text.len > 200 ? "..." : "");
	return ret;
}

int event_parse(struct event_spec *spec, const char *text, struct error *err)
{
	return spec_parse(spec, (struct piece){ text, strlen(text) }, err);
}

int spec_section(const char *prefix, const char *target, char text[EVENT_TEXT_MAX],
		 struct error *err)
{
	/* Strip the suffix of "uprobe.s": it concerns the program, not the event. */
	const struct piece kind = { prefix, strcspn(prefix, ".") };
	const bool as_it_is = piece_is(kind, "perf_event") || piece_is(kind, "tracepoint") ||
			      piece_is(kind, "tp");
	int n = piece_is(kind, "perf_event") ? spec_keys(target, text, err) : 0;

	if (n)
		return n < 0 ? n : 0;
	n = snprintf(text, EVENT_TEXT_MAX, "%.*s%s%s", as_it_is ? 0 : (int)kind.len, prefix,
		     as_it_is ? "" : ":", target);
	if (n < EVENT_TEXT_MAX)
		return 0;
	error_set(err, EINVAL, "its event is %d characters long, but the maximum is %d", n,
		  EVENT_TEXT_MAX - 1);
	error_reason(err, "event/grammar");
	return spec_grammar_error(err);
}

int event_parse_section(struct event_spec *spec, const char *prefix, const char *target,
			struct error *err)
{
	char text[EVENT_TEXT_MAX];
	int ret = spec_section(prefix, target, text, err);

	return ret ? ret : event_parse(spec, text, err);
}
