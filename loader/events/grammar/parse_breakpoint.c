// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The grammar of breakpoints: mem:ADDRESS[/LENGTH][:rwx][:MODIFIERS]. */
#include <errno.h>

#include <linux/hw_breakpoint.h>

#include "loader/events/grammar/grammar_internal.h"

static const struct access {
	char letter;
	uint32_t type;
} accesses[] = {
	{ 'r', HW_BREAKPOINT_R },
	{ 'w', HW_BREAKPOINT_W },
	{ 'x', HW_BREAKPOINT_X },
};

static uint32_t access_type(char letter)
{
	for (size_t i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++)
		if (accesses[i].letter == letter)
			return accesses[i].type;
	return 0;
}

static int parse_access(struct event_spec *spec, struct piece access, struct error *err)
{
	for (size_t i = 0; i < access.len; i++) {
		const uint32_t type = access_type(access.text[i]);

		if (!type || (spec->breakpoint.type & type)) {
			error_set(err, EINVAL, "'%.*s' is not an access type: use the letters "
					       "rwx, each at most once",
				  PIECE(access));
			return spec_grammar_error(err);
		}
		spec->breakpoint.type |= type;
	}
	if (!spec->breakpoint.type) {
		error_set(err, EINVAL, "no access type after the last ':'");
		return spec_grammar_error(err);
	}
	return 0;
}

/* "0x1000/8" */
static int parse_where(struct event_spec *spec, struct piece where, struct error *err)
{
	const char *slash = piece_find(where, '/');
	uint64_t *len = &spec->breakpoint.len;
	int ret = 0;

	/* For instruction breakpoints, the kernel accepts only sizeof(long). */
	*len = spec->breakpoint.type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	if (slash) {
		ret = spec_number(piece_from(where, slash + 1), "the length", len, err);
		where = piece_until(where, slash);
	}
	if (ret)
		return ret;
	if (*len < HW_BREAKPOINT_LEN_1 || *len > HW_BREAKPOINT_LEN_8) {
		error_set(err, EINVAL,
			  "invalid breakpoint length: %llu bytes", (unsigned long long)*len);
		error_hint(err, "breakpoints watch 1 to 8 bytes (1, 2, 4 or 8 on most machines)");
		return -EINVAL;
	}
	return spec_number(where, "the address", &spec->breakpoint.addr, err);
}

int spec_breakpoint(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *colon = piece_find(body, ':'), *second = NULL;
	struct piece where = colon ? piece_until(body, colon) : body, behind;
	int ret = 0;

	spec->kind = EVENT_BREAKPOINT;
	spec->breakpoint.type = HW_BREAKPOINT_RW;	/* the default, as in perf */
	if (colon) {
		behind = piece_from(body, colon + 1);
		second = piece_find(behind, ':');
		if (second) {
			ret = spec_modifiers(&spec->modifiers, piece_from(behind, second + 1), err);
			behind = piece_until(behind, second);
		}
		/* No letter is both an access type and a modifier. */
		if (!second && behind.len && !access_type(behind.text[0]) &&
		    spec_is_modifiers(behind)) {
			ret = spec_modifiers(&spec->modifiers, behind, err);
		} else if (ret == 0) {
			spec->breakpoint.type = 0;
			ret = parse_access(spec, behind, err);
		}
	}
	return ret ? ret : parse_where(spec, where, err);
}
