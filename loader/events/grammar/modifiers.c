// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Modifiers: letters after the last ':' of an event, and the bits of perf_event_attr they set. */
#include <errno.h>

#include "loader/events/grammar/grammar_internal.h"

#define RINGS (EVENT_EXCLUDE_USER | EVENT_EXCLUDE_KERNEL | EVENT_EXCLUDE_HV)
#define SIDES (EVENT_EXCLUDE_HOST | EVENT_EXCLUDE_GUEST)

/*
 * "u" counts only in user mode: the first letter of a family excludes the whole family, and each
 * letter includes its own mode again (tools/perf/Documentation/perf-list.txt).
 */
static const struct mode {
	char letter;
	uint8_t own, family;
} modes[] = {
	{ 'u', EVENT_EXCLUDE_USER, RINGS },
	{ 'k', EVENT_EXCLUDE_KERNEL, RINGS },
	{ 'h', EVENT_EXCLUDE_HV, RINGS },
	{ 'G', EVENT_EXCLUDE_GUEST, SIDES },
	{ 'H', EVENT_EXCLUDE_HOST, SIDES },
};

static const struct flag {
	char letter;
	uint8_t flag;
} flags[] = {
	{ 'S', EVENT_SAMPLE_READ },
	{ 'D', EVENT_PINNED },
	{ 'e', EVENT_EXCLUSIVE },
	{ 'W', EVENT_WEAK },
};

/* Modifiers that affect only how perf processes its counts. */
#define OF_PERF "bRX"
#define LETTERS "u k h (user, kernel, hypervisor), G H (guest, host), I (not when idle), " \
		"p pp ppp P (precise), S D e W (sample the group, pinned, exclusive, weak group)"

static const struct mode *find_mode(char letter)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (modes[i].letter == letter)
			return &modes[i];
	return NULL;
}

static uint8_t find_flag(char letter)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i].letter == letter)
			return flags[i].flag;
	return 0;
}

static bool is_letter(char c)
{
	return find_mode(c) || find_flag(c) || (c && strchr("IpP" OF_PERF, c));
}

bool spec_is_modifiers(struct piece p)
{
	for (size_t i = 0; i < p.len; i++)
		if (!is_letter(p.text[i]))
			return false;
	return p.len != 0;
}

static int bad_letter(struct piece letters, char c, struct error *err)
{
	if (c && strchr(OF_PERF, c))
		error_set(err, EINVAL, "modifier '%c' changes how perf processes counts, and has "
				       "no meaning here", c);
	else if (letters.len)
		error_set(err, EINVAL, "'%.*s': unknown modifier '%c'", PIECE(letters), c);
	else
		error_set(err, EINVAL, "no modifiers follow the ':'");
	error_hint(err, "modifiers are letters after a ':': " LETTERS);
	return -EINVAL;
}

static int add_precision(struct event_modifiers *m, char letter, struct error *err)
{
	if (letter == 'P') {
		m->precise = EVENT_PRECISE_MAX;
		return 0;
	}
	if (m->precise == EVENT_PRECISE_MAX)
		return 0;
	if (++m->precise <= 3)
		return 0;
	error_set(err, EINVAL, "more than three 'p'");
	error_hint(err, "precise_ip is 1, 2 or 3: p, pp or ppp; P uses the highest that works");
	return -EINVAL;
}

int spec_modifiers(struct event_modifiers *m, struct piece letters, struct error *err)
{
	if (!letters.len)
		return bad_letter(letters, '\0', err);
	for (size_t i = 0; i < letters.len; i++) {
		const char c = letters.text[i];
		const struct mode *mode = find_mode(c);
		const uint8_t flag = find_flag(c);
		int ret = 0;

		if (mode) {
			if (!(m->exclude & mode->family))
				m->exclude |= mode->family;
			m->exclude &= ~mode->own;
		} else if (flag) {
			m->flags |= flag;
		} else if (c == 'I') {
			m->exclude |= EVENT_EXCLUDE_IDLE;
		} else if (c == 'p' || c == 'P') {
			ret = add_precision(m, c, err);
		} else {
			ret = bad_letter(letters, c, err);
		}
		if (ret)
			return ret;
	}
	return 0;
}
