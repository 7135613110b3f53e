// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Section names as Cloudflare's ebpf_exporter reads them: "perf_event/type=0,config=3,frequency=1"
 * has attr.type, attr.config and attr.sample_freq, in Hz.
 */
#include <errno.h>
#include <stdio.h>

#include "loader/events/grammar/grammar_internal.h"

/* No other form of event starts with KEY=. */
static bool begins_with_key(const char *target)
{
	const size_t n = strspn(target, "abcdefghijklmnopqrstuvwxyz_");

	return n && target[n] == '=';
}

struct keys {
	uint64_t type, config, frequency;
	bool has_frequency;
};

static int read_key(struct keys *keys, struct piece item, struct error *err)
{
	const char *equals = piece_find(item, '=');
	const struct piece key = equals ? piece_until(item, equals) : item;
	const struct piece value = equals ? piece_from(item, equals + 1) : item;

	if (equals && piece_is(key, "type"))
		return spec_number(value, "the type", &keys->type, err);
	if (equals && piece_is(key, "config"))
		return spec_number(value, "the config", &keys->config, err);
	if (equals && piece_is(key, "frequency")) {
		keys->has_frequency = true;
		return spec_number(value, "the frequency", &keys->frequency, err);
	}
	error_set(err, EINVAL, "'%.*s' is not %s", PIECE(key),
		  equals ? "a known key" : "KEY=NUMBER");
	return error_hint(err, "use the keys type, config and frequency (in Hz), as in "
			       "SEC(\"perf_event/type=1,config=0,frequency=99\")");
}

int spec_keys(const char *target, char text[EVENT_TEXT_MAX], struct error *err)
{
	struct piece rest = { target, strlen(target) };
	struct keys keys = { 0 };

	if (!begins_with_key(target))
		return 0;
	for (bool more = true; more;) {
		const char *comma = piece_find(rest, ',');

		if (read_key(&keys, comma ? piece_until(rest, comma) : rest, err)) {
			error_reason(err, "event/grammar");
			return -EINVAL;
		}
		more = comma;
		if (more)
			rest = piece_from(rest, comma + 1);
	}
	snprintf(text, EVENT_TEXT_MAX, "%llu:%llu", (unsigned long long)keys.type,
		 (unsigned long long)keys.config);
	if (keys.has_frequency)
		snprintf(text + strlen(text), EVENT_TEXT_MAX - strlen(text), ",freq=%llu",
			 (unsigned long long)keys.frequency);
	return 1;
}
