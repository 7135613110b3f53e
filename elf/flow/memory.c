// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loads and stores: the stack is tracked here, other memory by the client. */
#include "elf/flow/flow_internal.h"

/* The high half of 8 bytes is at the end, or at the start on big-endian machines. */
static const bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static const struct flow_half unknown = { 0 };

/* Extend the used stack down to half @cell; below the lowest used half it is uninitialized. */
static struct flow_half *use_cells(struct flow_state *s, uint32_t cell)
{
	if (cell < s->lowest) {
		memset(&s->cells[cell], 0, (s->lowest - cell) * sizeof(*s->cells));
		s->lowest = cell;
	}
	return &s->cells[cell];
}

/* Establishes that [at, at + size) is in the stack of a single active function. */
static bool in_stack(const struct flow *f, struct flow_value at, uint32_t size)
{
	return flow_is(at, FLOW_STACK) && size && size <= FLOW_FRAME &&
	       at.low.v < flow_top(f) * 4 &&
	       at.low.v / FLOW_FRAME == (at.low.v + size - 1) / FLOW_FRAME;
}

const struct flow_half *flow_cells(struct flow *f, struct flow_value at, uint32_t size)
{
	if (!in_stack(f, at, size) || at.low.v % 4 || size % 4)
		return NULL;
	return use_cells(f->now, at.low.v / 4);
}

struct flow_value flow_load(struct flow *f, struct flow_value at, uint32_t size)
{
	const struct flow_half *cells = flow_cells(f, at, size);
	struct flow_value v = { 0 };

	if (cells && size == 8)
		return (struct flow_value){ cells[big_endian], cells[!big_endian] };
	if (cells)
		return flow_extended(cells[0], false);
	if (flow_is(at, FLOW_VALUE) && size >= 4)
		v = flow_whole(flow_half(FLOW_LOADED, at.low.of, at.low.v));
	if (f->client->load && !f->ret && (flow_is(at, FLOW_VALUE) || flow_is(at, FLOW_CONTEXT)))
		f->ret = f->client->load(f, f->arg, at.low, size, &v);
	return v;
}

void flow_forget(struct flow *f, struct flow_value at)
{
	const bool somewhere = at.low.v == FLOW_SOMEWHERE;
	uint32_t cell = somewhere ? f->now->lowest : at.low.v / 4, end;

	if (!flow_is(at, FLOW_STACK) || cell >= flow_top(f))
		return;
	end = somewhere ? flow_top(f) : (cell / FRAME_HALVES + 1) * FRAME_HALVES;
	for (cell = cell < f->now->lowest ? f->now->lowest : cell; cell < end; cell++)
		if (!flow_is_result(f->now->cells[cell]))
			f->now->cells[cell] = unknown;
}

static int store_outside(struct flow *f, struct flow_value at, uint32_t size, struct flow_value v)
{
	if (f->client->store && !f->ret && (flow_is(at, FLOW_VALUE) || flow_is(at, FLOW_RECORD)))
		f->ret = f->client->store(f, f->arg, at.low, size, v);
	return f->ret;
}

int flow_fill(struct flow *f, struct flow_value at, uint32_t size, struct flow_half v)
{
	const uint32_t byte = at.low.v, left = FLOW_FRAME - byte % FLOW_FRAME;
	struct flow_half *cells;

	if (!flow_is(at, FLOW_STACK))
		return store_outside(f, at, size, flow_whole(v));
	if (byte >= flow_top(f) * 4 || !size)
		return 0;
	size = size < left ? size : left;	/* clipped to the stack of that function */
	cells = use_cells(f->now, byte / 4);
	for (uint32_t i = 0; i <= (byte + size - 1) / 4 - byte / 4; i++) {
		cells[i] = byte % 4 ? unknown : v;
		v.v += v.kind == FLOW_RESULT ? 4 : 0;
	}
	return 0;
}

void flow_store(struct flow *f, struct flow_value at, uint32_t size, struct flow_value v)
{
	struct flow_half *cells;

	if (!flow_is(at, FLOW_STACK)) {
		store_outside(f, at, size, size < 4 ? (struct flow_value){ 0 } : v);
	} else if (at.low.v == FLOW_SOMEWHERE) {
		flow_forget(f, at);
	} else if (at.low.v % 4 || size < 4) {
		flow_fill(f, at, size, unknown);
	} else if (in_stack(f, at, size)) {
		cells = use_cells(f->now, at.low.v / 4);
		cells[size == 8 && big_endian] = v.low;
		if (size == 8)
			cells[!big_endian] = v.high;
	}
}
