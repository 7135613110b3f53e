/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The struct of a map's records that the compiler has not described. */
#ifndef PLOAD_SESSIONS_RECORDS_MISSING_STRUCT_H
#define PLOAD_SESSIONS_RECORDS_MISSING_STRUCT_H

#include "loader/core/print/record.h"

/*
 * missing_struct_note() - After record_format_init(): replace the note that no struct has the size
 * of the records, if the source uses exactly one struct that the BTF does not describe.
 */
void missing_struct_note(const struct bpf_object *obj, const struct record_format *format,
			 char *note, size_t note_size);

#endif
