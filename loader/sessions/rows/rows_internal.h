/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files that print the contents of maps. */
#ifndef PLOAD_SESSIONS_ROWS_ROWS_INTERNAL_H
#define PLOAD_SESSIONS_ROWS_ROWS_INTERNAL_H

#include <stdio.h>

#include "loader/core/kernel/kernel.h"
#include "loader/core/object/object.h"
#include "loader/core/print/output.h"
#include "loader/core/value/json_object.h"
#include "loader/sessions/rows/map_rows.h"

/* "map-begin", "map", "map-more", "map-skipped", "stack", "stack-map", "data", "histogram" */
void rows_print_begin(FILE *file, struct json_object *msg);
void rows_print_map(FILE *file, struct json_object *msg);
void rows_print_more(FILE *file, struct json_object *msg);
void rows_print_skipped(FILE *file, struct json_object *msg);
void rows_print_stack(FILE *file, struct json_object *msg);
void rows_print_stack_map(FILE *file, struct json_object *msg);
void rows_print_data(FILE *file, struct json_object *msg);
void rows_print_histogram(FILE *file, struct json_object *msg);

/* --- print_data.c --- */

/* print_data_map() - Print the variables of map @i as a "data" message, unless read-only. */
int print_data_map(struct sys *sys, struct output *out, const struct kernel_object *k, uint32_t i,
		   struct error *err);

/* --- skipped_maps.c --- */

/*
 * skipped_map_print() - Print "map-skipped" for a map type that cannot be read; nothing for maps of
 * descriptors, or for rings, which are printed as records arrive.
 * skipped_map_output() - Print it for another reason. @type: name of the map type.
 */
int skipped_map_print(struct output *out, const struct object_map *map, struct error *err);
int skipped_map_output(struct output *out, const struct object_map *map, const char *type,
		       const char *why, struct error *err);

/* --- histogram.c --- */

enum histogram_scale {
	HISTOGRAM_NONE,		/* not a histogram */
	HISTOGRAM_SLOTS,	/* the meaning of slots is unknown */
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
 * histogram_of() - Decide whether map @map of @obj is a histogram: it has a declaration tag
 * "hist:SCALE", or it is an array named "hist", "NAME_hist", "hist_NAME" or "histogram". A name
 * implies no scale, so the slots are printed as numbers.
 */
struct histogram histogram_of(const struct bpf_object *obj, uint32_t map);

/* The member of a value that counts by slot, as in struct { __u64 slots[32]; char comm[16]; } */
struct histogram_member {
	const char *name;	/* borrowed from the BTF */
	uint32_t offset;	/* offset in the value, in bytes */
	uint32_t nr;		/* number of slots; 0: no such member */
	struct number_type number;
};

/*
 * histogram_member_find() - Find the first array of 4- or 8-byte integers in struct @value_type
 * that is named "slots" or whose name contains the word "hist" or "histogram".
 */
struct histogram_member histogram_member_find(const struct btf *btf, uint32_t value_type);

/* histogram_add() - Add the members "scale" and "slots" to @msg. @slots: in ascending order */
void histogram_add(struct json_object *msg, const struct histogram *h,
		   const struct histogram_slot *slots, size_t nr);

/* histogram_print() - Print the "histogram" message of slots in ascending order. */
int histogram_print(struct output *out, const char *map, const struct histogram *h,
		    const struct histogram_slot *slots, size_t nr, struct error *err);

/**
 * value_sum_add() - Add the numbers in @value to those in @sum, which has the same type. Everything
 * else, such as strings, must be equal in both.
 *
 * Return: false if not, in which case some numbers may already have been added.
 */
bool value_sum_add(struct json_object *sum, struct json_object *value);

/* value_is_zero() - Return true if all bytes of the decoded @value were zero. */
bool value_is_zero(struct json_object *value);

#endif
