/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A profile: call stacks with weights, merged into a call tree, and the formats that print it. */
#ifndef PLOAD_PROFILE_STACKS_PROFILE_H
#define PLOAD_PROFILE_STACKS_PROFILE_H

#include <stdio.h>

#include "elf/error.h"
#include "loader/profile/stacks/frame.h"

struct profile;

/* A description of the profile for titles and headers; all pointers are borrowed. */
struct profile_about {
	const char *title;	/* "profile.bpf.o: cpu-clock, 99 Hz, by ioctl" */
	const char *unit;	/* "samples" */
	uint64_t duration_ns;
	uint64_t period_ns;	/* between samples; 0: unknown */
	uint64_t lost;		/* samples whose stack was lost, or that are missing */
};

/**
 * profile_new() - Create an empty profile. NULL if out of memory.
 * profile_add() - Add a stack that was seen @weight times.
 * @frames: @nr frames, outermost first; the first may be a label, such as a command, which has a
 *	symbol and no address. Strings are copied once per distinct frame.
 *
 * profile_weight() - Return the sum of all weights; it stays at UINT64_MAX.
 *
 * Return: 0 or -ENOMEM.
 */
struct profile *profile_new(void);
int profile_add(struct profile *profile, const struct frame *frames, unsigned int nr,
		uint64_t weight, struct error *err);
uint64_t profile_weight(const struct profile *profile);
void profile_free(struct profile *profile);

/* A format that draws a whole profile: text, folded, flamegraph, json. */
struct profile_format {
	const char *name;
	int (*print)(FILE *file, const struct profile *profile, const struct profile_about *about,
		     struct error *err);
};

/**
 * profile_format_find() - Return the format of this name, or NULL.
 * profile_print() - Print @profile, whose branches are sorted first, the heaviest before others.
 * The caller checks @file for errors.
 *
 * Return: 0 or -ENOMEM.
 */
const struct profile_format *profile_format_find(const char *name);
int profile_print(const struct profile_format *format, FILE *file, struct profile *profile,
		  const struct profile_about *about, struct error *err);

#endif
