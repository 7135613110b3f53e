/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Histograms: maps that count by the number of a slot, drawn as bars. */
#ifndef PLOAD_SESSIONS_ROWS_HISTOGRAM_H
#define PLOAD_SESSIONS_ROWS_HISTOGRAM_H

#include "loader/sessions/rows/map_rows.h"
#include "loader/core/object/object.h"
#include "loader/core/print/output.h"

enum histogram_scale {
	HISTOGRAM_NONE,		/* the map is none */
	HISTOGRAM_SLOTS,	/* what a slot stands for is not known */
	HISTOGRAM_LOG2,		/* slot N: from 2^N to 2^(N+1) - 1; slot 0: 0 and 1 */
	HISTOGRAM_LINEAR,	/* slot N: from min + N * step on, step values */
};

struct histogram {
	enum histogram_scale scale;
	int64_t step, min;	/* LINEAR */
};

struct histogram_slot {
	int64_t slot;
	uint64_t count;
};

/*
 * histogram_of() - Decide whether map @map of @obj is a histogram: by a declaration tag
 * "hist:SCALE" of the map, or because it is an array whose name says so: "hist", "NAME_hist",
 * "hist_NAME", "histogram". A name has no scale, and then the slots are printed as numbers.
 */
struct histogram histogram_of(const struct bpf_object *obj, uint32_t map);

/* The member of a value that counts by slot, as in struct { __u64 slots[32]; char comm[16]; } */
struct histogram_member {
	const char *name;	/* borrowed from the BTF */
	uint32_t offset;	/* in the value, in bytes */
	uint32_t nr;		/* of slots; 0: there is no such member */
	struct number_type number;
};

/*
 * histogram_member_find() - Find the first array of integers of 4 or 8 bytes in the struct
 * @value_type whose name is "slots" or has the word "hist" or "histogram".
 */
struct histogram_member histogram_member_find(const struct btf *btf, uint32_t value_type);

/*
 * histogram_add() - Add the members "scale" and "slots" to @msg.
 * @slots: in ascending order
 */
void histogram_add(struct json_object *msg, const struct histogram *h,
		   const struct histogram_slot *slots, size_t nr);

/* histogram_print() - Print the message "histogram" of slots, which are in ascending order. */
int histogram_print(struct output *out, const char *map, const struct histogram *h,
		    const struct histogram_slot *slots, size_t nr, struct error *err);

#endif
