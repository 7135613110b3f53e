// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loads and stores of followed values: in the stack of a program, and as fields of maps. */
#include "loader/object/stacks/flow_internal.h"

static const struct flow_value plain = { 0 }, high = { .kind = FLOW_HIGH };

/* The upper half of a value of 8 bytes lies at its end, or at its beginning if big-endian. */
static const bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static bool same_site(const struct stack_field *a, const struct stack_field *b)
{
	return a->role == b->role && a->size == b->size && a->stacks == b->stacks &&
	       a->user == b->user && a->build_id == b->build_id && a->replaces == b->replaces;
}

struct flow_value flow_site(struct flow *f, const struct stack_field *site, int32_t v)
{
	unsigned int i = 0;

	while (i < f->nr_sites && !same_site(&f->sites[i], site))
		i++;
	if (i == MAX_SITES) {
		f->fields->gave_up = true;
		return plain;
	}
	if (i == f->nr_sites)
		f->sites[f->nr_sites++] = *site;
	return (struct flow_value){ .kind = FLOW_SITE, .of = i, .v = v };
}

static struct flow_value pair(struct flow *f, struct flow_value a, struct flow_value b)
{
	unsigned int i = 0;

	while (i < f->nr_pairs && !(flow_same(f->pairs[i][0], a) && flow_same(f->pairs[i][1], b)))
		i++;
	if (i == MAX_PAIRS) {
		f->fields->gave_up = true;
		return plain;
	}
	if (i == f->nr_pairs) {
		f->pairs[i][0] = a;
		f->pairs[i][1] = b;
		f->nr_pairs++;
	}
	return (struct flow_value){ .kind = FLOW_PAIR, .v = i };
}

/* Return the cells of [at, at + size) if these are whole cells of one function, or NULL. */
static struct flow_value *cells_of(struct flow *f, struct flow_value at, uint32_t size)
{
	const uint32_t from = at.v;

	if (at.v < 0 || at.v % 4 || size % 4 || size > FRAME_BYTES || !size ||
	    from >= (f->depth + 1) * FRAME_BYTES ||
	    from / FRAME_BYTES != (from + size - 1) / FRAME_BYTES)
		return NULL;
	return &f->now.cells[from / 4];
}

/* --- fields of maps --- */

static void add(struct flow *f, uint32_t map, enum stack_field_part part, uint32_t offset,
		struct stack_field field)
{
	field.map = map;
	field.part = part;
	field.offset = offset;
	if (!f->ret)
		f->ret = stack_fields_add(f->fields, &field, f->err);
}

/* Note a field for @v, which is written at @offset with @size bytes. */
static void add_value(struct flow *f, uint32_t map, enum stack_field_part part, uint32_t offset,
		      uint32_t size, struct flow_value v)
{
	struct stack_field field = { .role = STACK_FIELD_TGID, .size = 4 };

	switch (v.kind) {
	case FLOW_SITE:
		if (v.v)	/* not the beginning of a buffer */
			return;
		field = f->sites[v.of];
		if (field.role == STACK_FIELD_ID)
			field.size = size;
		break;
	case FLOW_PID_TGID:
		if (size != 8)
			return;
		offset += big_endian ? 0 : 4;
		break;
	case FLOW_TGID:
		field.size = size;
		break;
	case FLOW_MIXED:
		field.role = STACK_FIELD_MIXED;
		field.size = size;
		break;
	default:
		return;
	}
	add(f, map, part, offset, field);
}

/* A value of another map is passed on: its fields are. */
static void pass_value(struct flow *f, uint32_t map, enum stack_field_part part,
		       struct flow_value at, uint32_t size)
{
	const uint32_t nr = f->fields->nr;

	if (at.of == map && part == STACK_FIELD_VALUE)
		return;
	for (uint32_t i = 0; i < nr; i++) {
		struct stack_field from = f->fields->list[i];

		if (from.map != at.of || from.part != STACK_FIELD_VALUE || at.v < 0 ||
		    from.offset < (uint32_t)at.v || from.offset - at.v >= size)
			continue;
		f->fields->list[i].passed_on = true;
		from.passed_on = false;
		add(f, map, part, from.offset - at.v, from);
	}
}

void flow_pass(struct flow *f, uint32_t map, enum stack_field_part part, struct flow_value at,
	       uint32_t size)
{
	const struct flow_value *cells;
	const uint32_t whole = size & ~3u;
	bool wide;

	if (at.kind == FLOW_VALUE)
		pass_value(f, map, part, at, size);
	cells = at.kind == FLOW_FRAME ? cells_of(f, at, whole) : NULL;
	for (uint32_t i = 0; cells && i < whole / 4; i++) {
		wide = i + 1 < whole / 4 && cells[i + 1].kind == FLOW_HIGH;
		add_value(f, map, part, 4 * i, wide ? 8 : 4, cells[i]);
	}
}

/* --- loads and stores --- */

static struct flow_value load_field(struct flow *f, struct flow_value at, uint32_t size)
{
	struct stack_field site;

	for (uint32_t i = 0; i < f->fields->nr; i++) {
		site = f->fields->list[i];
		if (site.map != at.of || site.part != STACK_FIELD_VALUE ||
		    site.offset != (uint32_t)at.v || site.size != size)
			continue;
		if (site.role == STACK_FIELD_TGID)
			return (struct flow_value){ .kind = FLOW_TGID };
		if (site.role != STACK_FIELD_ID)
			break;
		f->fields->list[i].passed_on = true;
		site.passed_on = false;
		site.map = site.part = site.offset = site.size = 0;
		return flow_site(f, &site, 0);
	}
	return plain;
}

struct flow_value flow_load(struct flow *f, struct flow_value at, uint32_t size)
{
	const struct flow_value *cell = at.kind == FLOW_FRAME ? cells_of(f, at, size) : NULL;
	const unsigned int upper = big_endian ? 0 : 1;

	if (at.kind == FLOW_VALUE)
		return load_field(f, at, size);
	if (!cell || size < 4)
		return plain;
	if (size == 8 && cell[1].kind == FLOW_HIGH)
		return cell[0];
	if (size == 8)
		return flow_is_followed(cell[0]) || flow_is_followed(cell[1]) ?
			       pair(f, cell[0], cell[1]) : plain;
	/* Half of a value of 8 bytes. */
	if (cell->kind == FLOW_HIGH)
		return upper && at.v % FRAME_BYTES && cell[-1].kind == FLOW_PID_TGID ?
			       (struct flow_value){ .kind = FLOW_TGID } : plain;
	if (cell->kind == FLOW_PID_TGID)
		return upper ? plain : (struct flow_value){ .kind = FLOW_TGID };
	return *cell;
}

/* A cell is overwritten that belongs to a value of 8 bytes: the other half is of no use. */
static void split(struct flow *f, int32_t at)
{
	struct flow_value *cell = &f->now.cells[at / 4];

	if (at % FRAME_BYTES && cell->kind == FLOW_HIGH)
		cell[-1] = plain;
	if (at % FRAME_BYTES != FRAME_BYTES - 4 && cell[1].kind == FLOW_HIGH)
		cell[1] = plain;
}

void flow_fill(struct flow *f, struct flow_value at, uint32_t size, struct flow_value v)
{
	int32_t end;

	if (at.kind == FLOW_VALUE || at.kind == FLOW_RECORD)
		add_value(f, at.of,
			  at.kind == FLOW_VALUE ? STACK_FIELD_VALUE : STACK_FIELD_RECORD, at.v,
			  size, v);
	if (at.kind != FLOW_FRAME || at.v < 0 || at.v >= MAX_FRAMES * FRAME_BYTES)
		return;
	end = (at.v / FRAME_BYTES + 1) * FRAME_BYTES;
	if (size > (uint32_t)(end - at.v))
		size = end - at.v;
	for (int32_t byte = at.v & ~3; byte < at.v + (int32_t)size; byte += 4) {
		split(f, byte);
		f->now.cells[byte / 4] = at.v % 4 ? plain : v;
		v.v += v.kind == FLOW_SITE ? 4 : 0;
	}
}

void flow_store(struct flow *f, struct flow_value at, uint32_t size, struct flow_value v)
{
	struct flow_value *cell, second = at;

	if (v.kind == FLOW_PAIR && size == 8) {
		second.v += 4;
		flow_store(f, at, 4, f->pairs[v.v][0]);
		flow_store(f, second, 4, f->pairs[v.v][1]);
		return;
	}
	/* The lower half of a pid_tgid is a thread; a narrower store writes a part. */
	if (size < 4 || v.kind == FLOW_PAIR || (size == 4 && v.kind == FLOW_PID_TGID))
		v = plain;
	if (at.kind != FLOW_FRAME) {
		flow_fill(f, at, size, v);
		return;
	}
	flow_fill(f, at, size, plain);
	cell = cells_of(f, at, size);
	if (!cell)
		return;
	cell[0] = v;
	if (size == 8)
		cell[1] = v.kind == FLOW_PLAIN ? plain : high;
}
