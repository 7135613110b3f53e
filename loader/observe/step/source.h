/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The functions of pload that make system calls, as the program carries them with it. */
#ifndef PLOAD_OBSERVE_STEP_SOURCE_H
#define PLOAD_OBSERVE_STEP_SOURCE_H

struct source_text {
	const char *file;
	int first, last;	/* lines */
	const char *text;
};

/** source_find() - Return the function that has line @line of @file, or NULL. */
const struct source_text *source_find(const char *file, int line);

#endif
