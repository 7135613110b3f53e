/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Notes: what the user should know, and what is no error. */
#ifndef PLOAD_OUTPUT_NOTE_H
#define PLOAD_OUTPUT_NOTE_H

/*
 * note() - a line on standard error, behind all that was printed before. Escapes what is not text.
 */
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
