/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The abstract state of a program in which the results of stack helpers are followed. */
#ifndef PLOAD_OBJECT_STACKS_FLOW_INTERNAL_H
#define PLOAD_OBJECT_STACKS_FLOW_INTERNAL_H

#include "loader/object/object_internal.h"
#include "loader/object/stack_fields.h"

enum flow_kind {
	FLOW_PLAIN,	/* of no interest; zero */
	/* Values that must be the same on every path, or they become PLAIN: */
	FLOW_CONST,	/* the number @v */
	FLOW_MAP,	/* the address of map @of */
	FLOW_FUNC,	/* the address of a function: its first instruction is @v */
	FLOW_FRAME,	/* an address in the stack of the program: byte @v of flow_state.cells */
	FLOW_VALUE,	/* byte @v of a value of map @of */
	FLOW_RECORD,	/* byte @v of a record reserved in map @of */
	FLOW_HIGH,	/* the upper half of the value of 8 bytes in the cell before it */
	FLOW_PAIR,	/* two cells that are copied at once: flow.pairs[v] */
	/* Values that one path is enough for; two different ones become MIXED: */
	FLOW_SITE,	/* byte @v of what helper call flow.sites[of] produces */
	FLOW_PID_TGID,	/* of bpf_get_current_pid_tgid(): the tgid is the upper half */
	FLOW_TGID,
	FLOW_MIXED,
};

struct flow_value {
	uint16_t kind, of;
	int32_t v;
};

/*
 * The stack of each function has 512 bytes, in cells of 4: the size of an id. Function calls nest
 * at most 8 deep. See MAX_BPF_STACK and MAX_CALL_FRAMES in include/linux/.
 *
 *	cells	0 ......... 511 | 512 ....... 1023 | ...
 *		program		  function that it calls
 *		       r10 = 512		r10 = 1024
 */
#define FRAME_BYTES	512
#define FRAME_CELLS	(FRAME_BYTES / 4)
#define MAX_FRAMES	8

struct flow_state {
	struct flow_value regs[11];
	struct flow_value cells[MAX_FRAMES * FRAME_CELLS];
};

#define MAX_SITES	256
#define MAX_PAIRS	256

struct flow {
	const struct bpf_object *obj;	/* borrowed, as the next two */
	const struct prog_code *code;
	struct stack_fields *fields;
	struct flow_state now;		/* before the instruction that is looked at */
	unsigned int depth;		/* of the current function; the program's is 0 */
	bool *begins;			/* owned; by instruction: a function begins here */
	struct stack_field sites[MAX_SITES];	/* without map, part and offset */
	unsigned int nr_sites;
	struct flow_value pairs[MAX_PAIRS][2];
	unsigned int nr_pairs;
	uint64_t steps, saved_bytes;	/* bound time and memory */
	int ret;			/* -ENOMEM */
	struct error *err;
};

/* flow_is_followed() - Return true for values that are followed to their fields. */
static inline bool flow_is_followed(struct flow_value v)
{
	return v.kind >= FLOW_SITE;
}

static inline bool flow_same(struct flow_value a, struct flow_value b)
{
	return a.kind == b.kind && a.of == b.of && a.v == b.v;
}

/* flow_site() - Return the result of a call with these properties, at @v bytes into it. */
struct flow_value flow_site(struct flow *f, const struct stack_field *site, int32_t v);

/* flow_load() - Return the value of @size bytes at address @at. */
struct flow_value flow_load(struct flow *f, struct flow_value at, uint32_t size);

/*
 * flow_store() - Store a value of @size bytes at @at: in the stack, or as a field of a map.
 * flow_fill() - Store what is of one call, or PLAIN, in @size bytes.
 */
void flow_store(struct flow *f, struct flow_value at, uint32_t size, struct flow_value v);
void flow_fill(struct flow *f, struct flow_value at, uint32_t size, struct flow_value v);

/* flow_pass() - @size bytes at @at become a key, value or record of @map: note their fields. */
void flow_pass(struct flow *f, uint32_t map, enum stack_field_part part, struct flow_value at,
	       uint32_t size);

/* flow_helper() - Call helper @number with the registers of f->now, and change them. */
void flow_helper(struct flow *f, int32_t number);

/* flow_call() - Follow the function that begins at @insn, called with the registers of f->now. */
void flow_call(struct flow *f, uint32_t insn);

#endif
