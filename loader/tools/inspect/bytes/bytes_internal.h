/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A dump that names each field of a record beside its bytes. */
#ifndef PLOAD_TOOLS_INSPECT_BYTES_BYTES_INTERNAL_H
#define PLOAD_TOOLS_INSPECT_BYTES_BYTES_INTERNAL_H

#include "loader/tools/inspect/inspect_internal.h"

struct dump {
	struct inspect *in;
	struct bytes data;	/* borrowed; what is dumped */
	uint64_t base;		/* offset of data in the file */
	struct bytes strings;	/* borrowed; of the BTF, to resolve string offsets */
	uint64_t done;		/* how many bytes of data have been printed */
	int ret;		/* the first error, after which nothing is printed */
	struct error *err;
};

/* A field of a record. A table ends with a field of size 0. */
struct field {
	const char *name;
	uint8_t size;		/* 1, 2, 4, 8: a number; others: bytes */
	/* Writes the meaning of a number to @to, at most @size bytes; or NULL. */
	void (*mean)(const struct dump *d, uint64_t value, char *to, size_t size);
};

/* dump_record() - Print the heading of the record of @size bytes that follows. */
void dump_record(struct dump *d, uint64_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * dump_fields() - Print @fields, one after the other; a field of which not all is there, as bytes.
 * dump_bytes() - Print @size bytes as field @name, 16 in a line.
 * dump_has() - Return true if @size more bytes are there, and nothing has failed.
 * dump_u32() - Return the number at @after bytes from here, or 0.
 */
void dump_fields(struct dump *d, const struct field *fields);
void dump_bytes(struct dump *d, uint64_t size, const char *name);
bool dump_has(const struct dump *d, uint64_t size);
uint32_t dump_u32(const struct dump *d, uint64_t after);

/* Each prints all of d->data. */
void dump_elf_header(struct dump *d);
void dump_section_headers(struct dump *d);
void dump_symbols(struct dump *d);
void dump_relocs(struct dump *d, const struct raw_section *sec);
void dump_code(struct dump *d, const struct raw_section *sec);
void dump_strings(struct dump *d);
void dump_btf(struct dump *d);
void dump_btf_ext(struct dump *d);

#endif
