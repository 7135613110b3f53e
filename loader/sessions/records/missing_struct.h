/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The struct of a map's records, if the compiler did not describe it. */
#ifndef PLOAD_SESSIONS_RECORDS_MISSING_STRUCT_H
#define PLOAD_SESSIONS_RECORDS_MISSING_STRUCT_H

#include "loader/core/print/record.h"

/*
 * missing_struct_note() - Call after record_format_init(). Replaces the note that no struct has the
 * records' size, if the source uses exactly one struct that the BTF does not describe.
 */
void missing_struct_note(const struct bpf_object *obj, const struct record_format *format,
			 char *note, size_t note_size);

#endif
