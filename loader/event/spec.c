// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The grammar of events: what the user or a section name wrote, checked and taken apart. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include "loader/event/spec.h"

#define GRAMMAR \
	"an event is a name such as cycles or cpu-clock, type:config, category:name, " \
	"mem:addr[/len][:rwx], pmu/terms/, kprobe:symbol, uprobe:path:symbol or " \
	"usdt:path:provider:name, with ,freq=HZ or ,period=N behind it"

int event_number(const char *text, size_t len, uint64_t *value)
{
	unsigned int base = 10;
	uint64_t sum = 0;

	if (len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
		len -= 2;
	}
	if (len == 0)
		return -EINVAL;
	for (size_t i = 0; i < len; i++) {
		unsigned int digit = base;

		if (text[i] >= '0' && text[i] <= '9')
			digit = text[i] - '0';
		else if ((text[i] | 0x20) >= 'a' && (text[i] | 0x20) <= 'f')
			digit = (text[i] | 0x20) - 'a' + 10;
		if (digit >= base)
			return -EINVAL;
		if (sum > (UINT64_MAX - digit) / base)
			return -ERANGE;
		sum = sum * base + digit;
	}
	*value = sum;
	return 0;
}

bool event_word(const char *text, size_t len)
{
	if (len == 0 || text[0] == '.')
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = text[i], lower = c | 0x20;

		if (!(c >= '0' && c <= '9') && !(lower >= 'a' && lower <= 'z') && c != '_' &&
		    c != '-' && c != '.')
			return false;
	}
	return true;
}

int spec_copy(struct piece p, const char *what, char *buf, size_t size, struct error *err)
{
	if (p.len >= size) {
		error_set(err, EINVAL, "%s is %zu characters long, and %zu is the most", what,
			  p.len, size - 1);
		return spec_grammar_error(err);
	}
	memcpy(buf, p.text, p.len);
	buf[p.len] = '\0';
	return 0;
}

int spec_number(struct piece p, const char *what, uint64_t *value, struct error *err)
{
	int ret = event_number(p.text, p.len, value);

	if (ret == 0)
		return 0;
	if (ret == -ERANGE)
		error_set(err, EINVAL, "%s '%.*s' does not fit in 64 bits", what, PIECE(p));
	else
		error_set(err, EINVAL, "%s '%.*s' is not a number", what, PIECE(p));
	error_hint(err, "write it as 1000 or 0x3e8");
	return -EINVAL;
}

int spec_grammar_error(struct error *err)
{
	error_hint(err, GRAMMAR);
	return -EINVAL;
}

/* "freq=99" or "period=1000" */
static int parse_sampling_term(struct event_spec *spec, struct piece term, struct error *err)
{
	const char *equals = piece_find(term, '=');
	struct piece name = equals ? piece_until(term, equals) : term;
	bool is_freq = piece_is(name, "freq"), is_period = piece_is(name, "period");
	struct piece value;
	int ret;

	if (!equals || (!is_freq && !is_period)) {
		error_set(err, EINVAL, "'%.*s' is neither freq=HZ nor period=N", PIECE(term));
		return spec_grammar_error(err);
	}
	if (spec->has_freq || spec->has_period) {
		error_set(err, EINVAL, "'%.*s' comes after another freq= or period=", PIECE(term));
		error_hint(err, "an event has one of them, once");
		return -EINVAL;
	}
	value = piece_from(term, equals + 1);
	if (is_freq)
		ret = spec_number(value, "the frequency", &spec->sample_freq, err);
	else
		ret = spec_number(value, "the period", &spec->sample_period, err);
	if (ret)
		return ret;
	spec->has_freq = is_freq;
	spec->has_period = is_period;
	return 0;
}

/* ",freq=99" */
static int parse_sampling(struct event_spec *spec, struct piece terms, struct error *err)
{
	while (terms.len) {
		struct piece rest = piece_from(terms, terms.text + 1);
		const char *comma = piece_find(rest, ',');
		int ret;

		if (!comma)
			comma = rest.text + rest.len;
		ret = parse_sampling_term(spec, piece_until(rest, comma), err);
		if (ret)
			return ret;
		terms = piece_from(rest, comma);
	}
	return 0;
}

static int parse_access(struct event_spec *spec, struct piece access, struct error *err)
{
	static const struct { char letter; uint32_t type; } kinds[] = {
		{ 'r', HW_BREAKPOINT_R }, { 'w', HW_BREAKPOINT_W }, { 'x', HW_BREAKPOINT_X },
	};

	for (size_t i = 0; i < access.len; i++) {
		uint32_t type = 0;

		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			if (access.text[i] == kinds[k].letter)
				type = kinds[k].type;
		if (!type || (spec->bp_type & type)) {
			error_set(err, EINVAL, "'%.*s' is not an access: letters of rwx, each once",
				  PIECE(access));
			return spec_grammar_error(err);
		}
		spec->bp_type |= type;
	}
	if (!spec->bp_type) {
		error_set(err, EINVAL, "no access stands behind the last ':'");
		return spec_grammar_error(err);
	}
	return 0;
}

/* "0x1000/8:rw", as perf has it: read and write of 4 bytes when nothing else is said. */
static int parse_breakpoint(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *colon = piece_find(body, ':'), *slash;
	struct piece addr = colon ? piece_until(body, colon) : body;
	int ret = 0;

	spec->kind = EVENT_BREAKPOINT;
	if (colon)
		ret = parse_access(spec, piece_from(body, colon + 1), err);
	else
		spec->bp_type = HW_BREAKPOINT_RW;
	if (ret)
		return ret;
	/* The kernel takes sizeof(long) only where instructions are watched. */
	spec->bp_len = spec->bp_type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	slash = piece_find(addr, '/');
	if (slash) {
		ret = spec_number(piece_from(addr, slash + 1), "the length", &spec->bp_len, err);
		if (ret)
			return ret;
		addr = piece_until(addr, slash);
	}
	if (spec->bp_len < HW_BREAKPOINT_LEN_1 || spec->bp_len > HW_BREAKPOINT_LEN_8) {
		error_set(err, EINVAL, "a breakpoint of %llu bytes",
			  (unsigned long long)spec->bp_len);
		error_hint(err, "breakpoints watch 1 to 8 bytes; most machines 1, 2, 4 or 8");
		return -EINVAL;
	}
	return spec_number(addr, "the address", &spec->bp_addr, err);
}

/* "msr/tsc/" */
static int parse_pmu(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *slash = piece_find(body, '/');
	struct piece pmu = piece_until(body, slash);
	struct piece terms = piece_from(piece_until(body, body.text + body.len - 1), slash + 1);

	spec->kind = EVENT_PMU;
	if (!event_word(pmu.text, pmu.len) || terms.len == 0 || piece_find(terms, '/')) {
		error_set(err, EINVAL, "it is not of the form pmu/terms/");
		return spec_grammar_error(err);
	}
	if (spec_copy(pmu, "the PMU", spec->first, sizeof(spec->first), err))
		return -EINVAL;
	return spec_copy(terms, "what stands between the slashes", spec->second,
			 sizeof(spec->second), err);
}

/* "sched:sched_switch" or "sched/sched_switch", parted at @mark. */
static int parse_tracepoint(struct event_spec *spec, struct piece body, const char *mark,
			    struct error *err)
{
	struct piece category = piece_until(body, mark), name = piece_from(body, mark + 1);

	spec->kind = EVENT_TRACEPOINT;
	if (!event_word(category.text, category.len) || !event_word(name.text, name.len)) {
		error_set(err, EINVAL, "it is not a tracepoint's category and name");
		return spec_grammar_error(err);
	}
	if (spec_copy(category, "the category", spec->first, sizeof(spec->first), err) ||
	    spec_copy(name, "the name", spec->second, EVENT_NAME_MAX, err))
		return -EINVAL;
	if (event_name_find(spec->first)) {
		error_set(
			err, EINVAL,
			"'%s' is no tracepoint category, and modifiers such as ':%s' are not taken",
			spec->first, spec->second);
		error_hint(err, "write '%s'", spec->first);
		return -EINVAL;
	}
	return 0;
}

/* "1:0" */
static int parse_raw(struct event_spec *spec, struct piece type, struct piece config,
		     struct error *err)
{
	uint64_t value;
	int ret;

	spec->kind = EVENT_RAW;
	ret = spec_number(type, "the type", &value, err);
	if (ret)
		return ret;
	if (value > UINT32_MAX) {
		error_set(err, EINVAL, "the type %.*s does not fit in 32 bits", PIECE(type));
		return spec_grammar_error(err);
	}
	spec->type = value;
	return spec_number(config, "the config", &spec->config, err);
}

static int parse_name(struct event_spec *spec, struct piece body, struct error *err)
{
	const struct event_name *row;
	char names[NEAREST_MAX * NEAREST_NAME];
	struct nearest near;

	row = event_name_find(spec->text);
	if (row) {
		spec->kind = row->kind;
		spec->config = row->config;
		return spec_copy((struct piece){ row->sysfs[0], strlen(row->sysfs[0]) }, "the name",
				 spec->first, sizeof(spec->first), err);
	}
	if (body.len == 0) {
		error_set(err, EINVAL, "the event has no name");
		return spec_grammar_error(err);
	}
	nearest_init(&near, spec->text);
	nearest_offer_events(&near);
	error_set(err, EINVAL, "there is no event of that name");
	error_reason(err, "event/unknown");
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		spec_grammar_error(err);
	return -EINVAL;
}

static int parse_body(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *colon = piece_find(body, ':'), *slash = piece_find(body, '/');

	if (colon && piece_is(piece_until(body, colon), "mem"))
		return parse_breakpoint(spec, piece_from(body, colon + 1), err);
	if (spec_probe_prefix(body))
		return spec_probe(spec, body, err);
	if (slash && slash < body.text + body.len - 1 && body.text[body.len - 1] == '/')
		return parse_pmu(spec, body, err);
	if (colon && colon > body.text && body.text[0] >= '0' && body.text[0] <= '9') {
		struct piece type = piece_until(body, colon), config = piece_from(body, colon + 1);
		uint64_t value;

		/* There is a tracepoint category "9p". */
		if (event_number(type.text, type.len, &value) != -EINVAL)
			return parse_raw(spec, type, config, err);
	}
	if (colon)
		return parse_tracepoint(spec, body, colon, err);
	if (slash)
		return parse_tracepoint(spec, body, slash, err);
	return parse_name(spec, body, err);
}

/* The first ",freq=" or ",period=", or the end: the path of a probe may have commas in it. */
static const char *sampling_terms(const char *text)
{
	const char *freq = strstr(text, ",freq="), *period = strstr(text, ",period=");

	if (!freq || (period && period < freq))
		freq = period;
	return freq ? freq : text + strlen(text);
}

/*
 * Where the event ends and ",freq=" may begin. The terms of a PMU have commas of their own, up to
 * the last slash.
 */
static const char *body_end(const char *text)
{
	const char *last = strrchr(text, '/'), *comma;

	if (spec_probe_prefix((struct piece){ text, strlen(text) }))
		return sampling_terms(text);
	if (last && last != strchr(text, '/') && (last[1] == '\0' || last[1] == ','))
		return last + 1;
	comma = strchr(text, ',');
	return comma ? comma : text + strlen(text);
}

int event_parse(struct event_spec *spec, const char *text, struct error *err)
{
	struct piece all = { text, strlen(text) }, body;
	int ret;

	memset(spec, 0, sizeof(*spec));
	if (all.len >= EVENT_TEXT_MAX) {
		error_set(err, EINVAL, "it is %zu characters long, and %d is the most", all.len,
			  EVENT_TEXT_MAX - 1);
		error_reason(err, "event/grammar");
		error_where(err, "event '%.32s...'", text);
		return -EINVAL;
	}
	body = piece_until(all, body_end(text));
	ret = spec_copy(body, "it", spec->text, sizeof(spec->text), err);
	if (ret == 0)
		ret = parse_body(spec, body, err);
	if (ret == 0)
		ret = parse_sampling(spec, piece_from(all, body.text + body.len), err);
	if (ret == 0)
		return 0;
	if (err && !err->reason)
		error_reason(err, "event/grammar");
	error_where(err, "event '%s'", text);
	return ret;
}

int event_parse_section(struct event_spec *spec, const char *prefix, const char *target,
			struct error *err)
{
	char text[EVENT_TEXT_MAX];
	int n;

	if (!strcmp(prefix, "perf_event") || !strcmp(prefix, "tracepoint") || !strcmp(prefix, "tp"))
		return event_parse(spec, target, err);
	/* "uprobe.s": that the program may sleep is its own business, and the event is the same. */
	n = snprintf(text, sizeof(text), "%.*s:%s", (int)strcspn(prefix, "."), prefix, target);
	if (n < (int)sizeof(text))
		return event_parse(spec, text, err);
	error_set(err, EINVAL, "its event is %d characters long, and %zu is the most", n,
		  sizeof(text) - 1);
	error_reason(err, "event/grammar");
	spec_grammar_error(err);
	return -EINVAL;
}

bool event_is_probe(const struct event_spec *spec)
{
	return spec->kind == EVENT_KPROBE || spec->kind == EVENT_UPROBE || spec->kind == EVENT_USDT;
}

bool event_is_traced(const struct event_spec *spec)
{
	return spec->kind == EVENT_TRACEPOINT || event_is_probe(spec) ||
	       (spec->kind == EVENT_RAW && spec->type == PERF_TYPE_TRACEPOINT) ||
	       (spec->kind == EVENT_PMU && strcmp(spec->first, "tracepoint") == 0);
}

uint32_t event_prog_type(const struct event_spec *spec)
{
	if (event_is_probe(spec))
		return BPF_PROG_TYPE_KPROBE;
	return event_is_traced(spec) ? BPF_PROG_TYPE_TRACEPOINT : BPF_PROG_TYPE_PERF_EVENT;
}
