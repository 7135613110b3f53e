/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How far one name is from another: for "did you mean". */
#ifndef PLOAD_ELF_DISTANCE_H
#define PLOAD_ELF_DISTANCE_H

/* Names of so many letters or more are as far as can be from all others. */
#define DISTANCE_MAX 64

/*
 * edit_distance() - how many letters have to be put in, taken out or changed to make @b of @a
 * (Levenshtein); DISTANCE_MAX when one of them is too long.
 */
unsigned int edit_distance(const char *a, const char *b);

#endif
