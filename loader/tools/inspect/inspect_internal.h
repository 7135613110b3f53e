/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An inspected file, and the parts of its description. Each part prints messages. */
#ifndef PLOAD_TOOLS_INSPECT_INSPECT_INTERNAL_H
#define PLOAD_TOOLS_INSPECT_INSPECT_INTERNAL_H

#include "loader/core/object/relocate.h"
#include "loader/tools/inspect/inspect.h"
#include "loader/tools/inspect/raw_elf.h"

/*
 *	file -> raw_elf -> overview of the file, --sections, --symbols, --relocs, --bytes
 *	     -> bpf_object -> programs, maps, variables, externs; --insns, --types, --log
 */
struct inspect {
	struct sys *sys;	/* borrowed, as the next four */
	const struct options *o;
	const char *path;
	struct output *out;
	struct bytes file;
	struct raw_elf elf;	/* owned */
	bool has_object;
	struct bpf_object obj;	/* owned */
	struct error broken;	/* owned; why there is no object */
	struct json_object *page;	/* owned; all messages, for a format that prints a page */
	struct bytes strings;	/* of the file's BTF, for --bytes */
	uint64_t work;	/* how many more steps calls may be followed: reach.c */
};

/* inspect_put() - Print a message, or keep it for the page. Takes ownership, even on failure. */
int inspect_put(struct inspect *in, struct json_object *msg, struct error *err);

/* inspect_part() - Print the heading of a part: its name, and the number of entries. */
int inspect_part(struct inspect *in, const char *part, uint64_t count, struct error *err);

/* Each prints one part. Return: 0, or an error of the output. */
int inspect_overview(struct inspect *in, struct error *err);
int inspect_sections(struct inspect *in, struct error *err);
int inspect_symbols(struct inspect *in, struct error *err);
int inspect_relocs(struct inspect *in, struct error *err);

/* inspect_bytes() - Print the fields of a section, or of the file if @name is NULL. -ENOENT. */
int inspect_bytes(struct inspect *in, const char *name, struct error *err);

/*
 * inspect_insns() - Print the instructions of program @name, or of all if it is NULL. -ENOENT.
 * inspect_log() - Print the program that the verifier's log in file @path is of, with the log.
 * inspect_refusals() - Print what this kernel would refuse, as far as that is known without it.
 */
int inspect_insns(struct inspect *in, const char *name, struct error *err);
int inspect_log(struct inspect *in, const char *path, struct error *err);
int inspect_refusals(struct inspect *in, struct error *err);

/*
 * inspect_types() - Print the types as C. Nothing if the file has none.
 * inspect_btf() - Return the bytes of the file's BTF, not checked, or no bytes (types/types.c).
 */
int inspect_types(struct inspect *in, struct error *err);
struct bytes inspect_btf(const struct inspect *in);

/* --- programs (reach.c) --- */

/*
 * Programs share functions: following n programs into n functions takes n squared steps. Each part
 * gets a number of steps that suffices to visit each instruction of a file once more.
 */
#define INSPECT_WORK (1u << 22)
#define INSPECT_WORK_PER_BYTE 4


/* Indices of functions, maps or externs, and for each of them the last program that uses it. */
struct reach_list {
	uint32_t *index, nr;	/* owned, as marks */
	uint32_t *marks;
};

/* The functions that a program reaches, and what they use. */
struct reach {
	struct reach_list funcs;	/* the program's own first */
	struct reach_list maps, externs;	/* ascending */
	uint32_t nr_insns;	/* sum over the functions */
	bool helpers[512];	/* by number; newer ones are not listed */
	bool whole;	/* false: following it all would take too long */
	uint32_t factor;	/* steps per instruction of a shared function */
	uint32_t mark;
};

/*
 * reach_begin() - Make room for any program, and begin a part, which takes @factor steps for each
 * instruction of a function. Return 0 or -ENOMEM.
 */
int reach_begin(struct inspect *in, struct reach *reach, uint32_t factor, struct error *err);
/* reach_find() - Follow the calls from program @prog. */
void reach_find(struct inspect *in, uint32_t prog, struct reach *reach);
void reach_free(struct reach *reach);

/* --- names of numbers, "" or a number if unknown (names.c) --- */

const char *inspect_section_type(uint32_t type, char text[16]);
const char *inspect_symbol_type(uint8_t type);
const char *inspect_symbol_bind(uint8_t bind);
/* inspect_section_flags() - Write "WAX" as readelf(1) does. */
const char *inspect_section_flags(uint64_t flags, char text[16]);
/* inspect_shndx() - Write the section of a symbol: its name, "UND", "ABS". */
const char *inspect_shndx(const struct raw_elf *elf, const struct raw_symbol *sym, char *to,
			  size_t size);

/* inspect_insn() - Return the instruction at @at, whose 8 bytes are in @b (bytes/bytes_elf.c). */
struct bpf_insn inspect_insn(struct bytes b, uint64_t at, const struct raw_elf *elf);

/* --- text/ --- */

/* inspect_print_text() - Print a message by the renderer of its type. */
bool inspect_print_text(FILE *file, struct json_object *msg);
bool inspect_print_page(FILE *file, struct json_object *msg);

#endif
