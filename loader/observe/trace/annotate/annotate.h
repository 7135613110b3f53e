/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Annotations of a traced call: names of descriptors, the memory passed, the purpose. */
#ifndef PLOAD_OBSERVE_TRACE_ANNOTATE_ANNOTATE_H
#define PLOAD_OBSERVE_TRACE_ANNOTATE_ANNOTATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "loader/core/sys/sys.h"
#include "loader/core/value/json_object.h"

enum fd_kind { FD_FILE, FD_MAP, FD_PROG, FD_BTF, FD_LINK, FD_EVENT, FD_OTHER };

/* The strings of a BTF, to which line_info refers for source lines. */
struct btf_strings {
	char *text;	/* owned; terminated */
	uint32_t size;
};

struct fd_entry {
	int fd;
	enum fd_kind kind;
	char name[64];		/* "map hits"; printable ASCII without '<' and '>' */
	char purpose[64];	/* a file: why it was opened, or "" */
	uint32_t map_type, key_size, value_size;	/* a map that was created here */
	struct btf_strings strings;	/* a BTF that was loaded here */
};

struct fd_names {
	struct fd_entry *list;	/* owned */
	unsigned int nr;
};

/** fd_names_find() - Return the entry of @fd, or NULL. */
const struct fd_entry *fd_names_find(const struct fd_names *names, int fd);

/**
 * fd_names_update() - Take account of a call that has returned @ret: name the descriptor that it
 * has returned, and forget those that it has closed. Without memory a descriptor has no name.
 * @why: the reason for the call, which becomes that of reading an opened file
 */
void fd_names_update(struct fd_names *names, long nr, const unsigned long arg[6], long ret,
		     const char *why);

/**
 * fd_positions() - Return the positions of arguments that are descriptors: bit n for argument n.
 */
unsigned int fd_positions(long nr, const unsigned long arg[6]);

/** fd_returns() - Return true if the call returns a descriptor. */
bool fd_returns(long nr, const unsigned long arg[6]);

/**
 * fd_names_copy() - Fill @to with the names of @from: a child has the descriptors of its parent.
 * fd_names_add() - Name a descriptor that no call has returned, such as one that was received.
 */
void fd_names_copy(struct fd_names *to, const struct fd_names *from);
void fd_names_add(struct fd_names *names, int fd, enum fd_kind kind, const char *name);

void fd_names_free(struct fd_names *names);

/* --- purpose.c --- */

/** purpose_of_call() - Return a few words, or NULL if the call is self-explanatory. */
const char *purpose_of_call(const struct fd_names *names, long nr, const unsigned long arg[6]);

/* --- passed.c --- */

/* The memory that a call passes. */
struct passed {
	const struct bpf_insn *insns;	/* BPF_PROG_LOAD; NULL: none */
	uint32_t nr_insns;
	const struct bpf_line_info *lines;	/* NULL: none */
	uint32_t nr_lines;
	struct btf_strings strings;	/* borrowed; of the lines; .text is NULL if unknown */
	const unsigned char *key, *value;	/* of an update; NULL: none, or of unknown size */
	uint32_t key_size, value_size;
};

/** passed_by_call() - Find what a call passes; it is borrowed from the caller. */
struct passed passed_by_call(const struct fd_names *names, long nr, const unsigned long arg[6]);

/** passed_print_insns() - Print one instruction per line, with its source line. */
void passed_print_insns(FILE *out, const struct passed *p);

/**
 * passed_print_bytes() - Print a line "key 01 00 00 00, value ...", or nothing if there is none.
 */
void passed_print_bytes(FILE *out, const struct passed *p);

/** passed_json() - Add members to an object: insns, key, value. */
void passed_json(struct json_object *call, const struct passed *p);

/* --- tokens.c --- */

/*
 * The grammar of what the trace prints:
 *
 *	arguments	value, value ...
 *	value		{name=value, ...}  [value, ...]  ~[value, ...]  "text"  "text"...  WORD
 *
 * A WORD ends before a comma or a closing bracket; it can contain parentheses, within which a comma
 * belongs to it: KERNEL_VERSION(6, 18, 0).
 */
#define TRACE_TEXT_MAX 128	/* the length of a text in bytes; longer ones are truncated */

/**
 * tokens_annotate() - Print @text with the name of each descriptor after its number:
 * "{map_fd=4 <map hits>, key=0x7ffe}".
 * @positions: bit n is set if argument n is a descriptor
 */
void tokens_annotate(FILE *out, const char *text, unsigned int positions,
		     const struct fd_names *names);

/**
 * tokens_json() - Return @text as an array of its values: a struct becomes an object, a list an
 * array, a number a number, and the rest a string. Owned by the caller.
 */
struct json_object *tokens_json(const char *text);

#endif
