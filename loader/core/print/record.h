/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Print the records of a map: a sink that writes them to the output. */
#ifndef PLOAD_CORE_PRINT_RECORD_H
#define PLOAD_CORE_PRINT_RECORD_H

#include "elf/btf.h"
#include "loader/core/object/relocate.h"
#include "loader/core/print/output.h"
#include "loader/core/read/rings.h"

/* The layout of the records of one map. */
struct record_format {
	const char *map;	/* name of the map */
	const struct btf *btf;	/* NULL: print hex */
	uint32_t type;		/* BTF type of the fixed part; 0: unknown, print hex */
	uint32_t map_index;	/* index of the map in the object */
	uint32_t size;		/* size of the fixed part; 0: unknown, or only a payload */
	bool flexible;		/* the type ends in a flexible array, for what follows it */
	bool payload;		/* packet bytes may follow the fixed part */
	bool no_struct;		/* no struct in the BTF has @size */
};

/* The sources of the type of a map's records. */
struct record_source {
	const struct bpf_object *obj;
	uint32_t map;		/* index into the maps of @obj */
	const struct map_usage *usage;	/* how the loaded programs write to the map, which gives
					 * the size of its records */
	const char *type_name;	/* type from --record, or NULL: the value type that a ring
				 * declares, otherwise the only struct in the object's BTF that
				 * has the size of a record and is not part of a map definition
				 * or program context */
};

/**
 * record_format_init() - Choose the BTF type of the records of a map. (record_type/)
 * @note: the reason why records are printed in hex, if zero or several structs have that size;
 * otherwise empty. The caller adds the name of the map.
 */
int record_format_init(struct record_format *format, const struct record_source *source, char *note,
		       size_t note_size, struct error *err);

/* Prints the stacks of records, if out->stacks is not NULL. */
struct record_stacks {
	bool (*has)(const struct stacks *stacks, uint32_t map);
	/*
	 * Count the stacks in @value, and add them to @msg unless that is NULL.
	 * Return: 0 or
	 * -errno.
	 */
	int (*add)(struct stacks *stacks, uint32_t map, struct bytes value,
		   struct json_object *msg, struct error *err);
	/* Remove the members of @record that are address buffers. */
	void (*drop_buffers)(const struct stacks *stacks, uint32_t map,
			     struct json_object *record);
	message_printer print;	/* record_print_text(), with the stacks below the record */
};

/* Prints the records of one map. */
struct record_printer {
	struct output *out;		/* borrowed */
	struct record_format format;
};

/**
 * record_printer() - Set up @sink to print records of @format to @out.
 *
 * Return: 0 or -ENOMEM. The caller owns the sink, and passes it on or ends it.
 */
int record_printer(struct record_sink *sink, struct output *out, const struct record_format *format,
		   struct error *err);

/**
 * record_print() - Print one record as a message; @printer is a struct record_printer.
 *
 * Bytes after the fixed part are the payload: packet bytes that XDP and TC programs append through
 * the upper half of the flags of bpf_perf_event_output(). Up to seven bytes after the fixed part of
 * a perf record are considered padding, because no packet is that short. The ring does not store
 * the unpadded size, so the last seven bytes of a payload, or of a record of unknown size, may be
 * padding: stale ring contents.
 */
int record_print(void *printer, const struct record *record, struct error *err);

/* The parts of a record; see record_print(). */
struct record_parts {
	int cpu;		/* -1: unknown */
	struct bytes value, payload;
	bool has_value, has_payload;
};

/**
 * record_parts_of() - Split a record into the fixed part and what follows it.
 * record_stacks_of() - Return how the stacks in these records are printed; NULL: they have none.
 * record_print_message() - Print a record as a message. @value: its decoded fixed part; the callee
 * takes ownership. Fails like output_message_as().
 */
struct record_parts record_parts_of(const struct record_format *format,
				    const struct record *record);
const struct record_stacks *record_stacks_of(const struct output *out,
					     const struct record_format *format);
int record_print_message(const struct record_printer *p, const struct record_parts *parts,
			 struct json_object *value, struct error *err);

/* record_print_text() - Print the message of a record as text. */
void record_print_text(FILE *file, struct json_object *msg);

#endif
