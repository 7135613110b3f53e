// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Names of C++ and Rust functions as in their source; like perf, without the types of parameters:
 *
 *	_ZN3foo3barEi			foo::bar
 *	_RNvCs1234_7mycrate3foo		mycrate::foo
 */
#include <setjmp.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "loader/features/addresses/addresses_internal.h"

/* Longer ones are cut there. */
#define SHOWN_MAX 4096

struct shown {
	char text[SHOWN_MAX];
	size_t len;
	jmp_buf full;
};

/*
 * A name of a hundred bytes may stand for gigabytes, as each reference in it may double the text.
 * The library has no limit and no way to stop it, but keeps its state on the stack: leave it by
 * longjmp().
 */
static void append(const char *text, size_t len, void *arg)
{
	struct shown *shown = arg;
	const size_t room = sizeof(shown->text) - shown->len;

	memcpy(shown->text + shown->len, text, len < room ? len : room);
	shown->len += len < room ? len : room;
	if (len >= room)
		longjmp(shown->full, 1);
}

static bool demangle(const char *name, struct shown *shown)
{
	shown->len = 0;
	if (setjmp(shown->full))
		return true;
	/* Older names of Rust look like those of C++, and end in a hash. */
	return rust_demangle_callback(name, DMGL_NO_OPTS, append, shown) ||
	       cplus_demangle_v3_callback(name, DMGL_NO_OPTS, append, shown);
}

const char *symbol_shown(struct strings *s, const char *name, size_t len)
{
	char copy[SHOWN_MAX];
	struct shown shown;

	if (len < 3 || len >= sizeof(copy) || name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
		return strings_keep(s, name, len);
	memcpy(copy, name, len);
	copy[len] = '\0';
	if (!demangle(copy, &shown) || !shown.len)
		return strings_keep(s, name, len);
	return strings_keep(s, shown.text, shown.len);
}
