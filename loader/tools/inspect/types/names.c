// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* C names: each is used once, and BTF strings that are not valid names are converted. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/tools/inspect/types/types_internal.h"

static bool make_room(struct c_types *c, struct c_text *to, size_t more)
{
	size_t room = to->room ? to->room : 256;
	char *s;

	while (room - to->size <= more)
		room *= 2;
	if (room == to->room)
		return true;
	s = realloc(to->s, room);
	if (!s) {
		c->no_memory = true;
		return false;
	}
	to->s = s;
	to->room = room;
	return true;
}

void c_put(struct c_types *c, struct c_text *to, const char *fmt, ...)
{
	va_list args, again;
	int n;

	if (c_stopped(c))
		return;
	va_start(args, fmt);
	va_copy(again, args);
	n = vsnprintf(to->s ? to->s + to->size : NULL, to->s ? to->room - to->size : 0, fmt, args);
	if (n >= 0 && (!to->s || (size_t)n >= to->room - to->size) && make_room(c, to, n))
		vsnprintf(to->s + to->size, to->room - to->size, fmt, again);
	if (n >= 0 && !c->no_memory)
		to->size += n;
	else if (to->s)
		to->s[to->size] = '\0';
	c->work += n;
	c->too_long = c->work > c->work_max;
	va_end(again);
	va_end(args);
}

void c_put_name(struct c_types *c, struct c_text *to, const char *name)
{
	size_t i = to->size;

	c_put(c, to, "%s%s", isdigit((unsigned char)name[0]) ? "_" : "", name);
	for (; i < to->size; i++)
		if (!isalnum((unsigned char)to->s[i]) && to->s[i] != ' ')
			to->s[i] = '_';
}

static struct c_name *find_name(const struct c_types *c, uint8_t space, const char *name)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ space ^ (uintptr_t)c->names;

	for (const char *s = name; *s; s++)
		hash = (hash ^ (unsigned char)*s) * UINT64_C(1099511628211);
	for (hash ^= hash >> 32;; hash++) {
		struct c_name *n = &c->names[hash & c->mask];

		if (!n->name || (n->space == space && !strcmp(n->name, name)))
			return n;
	}
}

static bool grow(struct c_types *c)
{
	struct c_types larger = *c;

	larger.mask = c->mask ? 2 * c->mask + 1 : 1023;
	larger.names = calloc((size_t)larger.mask + 1, sizeof(*larger.names));
	if (!larger.names)
		return false;
	for (uint32_t i = 0; c->names && i <= c->mask; i++)
		if (c->names[i].name)
			*find_name(&larger, c->names[i].space, c->names[i].name) = c->names[i];
	free(c->names);
	c->names = larger.names;
	c->mask = larger.mask;
	return true;
}

uint32_t c_number(struct c_types *c, uint8_t space, const char *name)
{
	struct c_name *n;

	if (c->nr_names >= c->mask / 2 && !grow(c)) {
		c->no_memory = true;
		return 1;
	}
	n = find_name(c, space, name);
	if (!n->name) {
		*n = (struct c_name){ .name = name, .space = space };
		c->nr_names++;
	}
	return ++n->uses;
}

void c_put_type_name(struct c_types *c, struct c_text *to, const struct btf_type_view *t)
{
	struct c_type_state *state = &c->states[t->id];

	if (t->kind != BTF_KIND_FWD && !state->number)
		state->number = c_number(c, t->kind == BTF_KIND_TYPEDEF ? C_ORDINARY : C_TAGS,
					 t->name);
	c_put_name(c, to, t->name);
	if (state->number > 1)
		c_put(c, to, "___%" PRIu32, state->number);
}
