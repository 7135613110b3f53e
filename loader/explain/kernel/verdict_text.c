// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Describe the verifier's verdict in terms of the program. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/kernel/diagnosis.h"

int verdict_register(const char *line)
{
	char *end;
	long n;

	if (line[0] != 'R' || !isdigit((unsigned char)line[1]))
		return -1;
	n = strtol(line + 1, &end, 10);
	return n < MAX_BPF_REG && (*end == ' ' || *end == '\0') ? n : -1;
}

static const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

/* Describe a message with numbers. Return true if it has all of them. */
static bool numbers_text(const char *line, const char *call, char *to, size_t size)
{
	static const char *const ordinals[] = { "", "first", "second", "third", "fourth", "fifth" };
	const char *known = strstr(line, ",r=");	/* R1(id=0,off=23,r=14) */
	int off, bytes, all, reg;
	char is[64], wanted[128];

	if (known && sscanf(line, "invalid access to packet, off=%d size=%d", &off, &bytes) == 2 &&
	    sscanf(known, ",r=%d", &all) == 1)
		snprintf(to, size,
			 "access to %d byte%s at offset %d of a packet, of which only %d byte%s "
			 "%s known to exist",
			 bytes, plural(bytes), off, all, plural(all), all == 1 ? "is" : "are");
	else if (sscanf(line, "invalid access to map value, value_size=%d off=%d size=%d", &all,
			&off, &bytes) == 3)
		snprintf(to, size, "access to %d byte%s at offset %d of a value of %d byte%s",
			 bytes, plural(bytes), off, all, plural(all));
	else if (sscanf(line, "invalid bpf_context access off=%d size=%d", &off, &bytes) == 2)
		snprintf(to, size,
			 "the program may not access %d byte%s at offset %d of its context",
			 bytes, plural(bytes), off);
	else if (call[0] &&
		 sscanf(line, "R%d type=%63s expected=%127[^\n]", &reg, is, wanted) == 3 &&
		 reg >= 1 && reg <= 5)
		snprintf(to, size, "the %s argument of %s() is %s, but must be %s",
			 ordinals[reg], call, is, wanted);
	else
		return false;
	return true;
}

/* Substitute %R and %F. Return false if a value is unknown. */
static bool expand(const char *what, const char *line, const char *call, char *to, size_t size)
{
	const int reg = verdict_register(line);
	const char *at = strchr(what, '%');

	if (!at)
		snprintf(to, size, "%s", what);
	else if (at[1] == 'R' && reg >= 0)
		snprintf(to, size, "%.*sR%d%s", (int)(at - what), what, reg, at + 2);
	else if (at[1] == 'F' && call[0])
		snprintf(to, size, "%.*s%s%s", (int)(at - what), what, call, at + 2);
	else
		return false;
	return true;
}

void verdict_text(const struct verdict *v, const char *line, const char *call, char *to,
		  size_t size)
{
	const char *helper = verdict_helper(line);

	if (helper)
		snprintf(to, size, "this kernel has no helper bpf_%s()", helper);
	else if (!v || !(v->what ? expand(v->what, line, call, to, size) :
				     numbers_text(line, call, to, size)))
		snprintf(to, size, "%s", line);
}
