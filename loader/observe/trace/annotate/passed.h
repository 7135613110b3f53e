/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The memory that a call passes to the kernel: instructions, keys and values. */
#ifndef PLOAD_OBSERVE_TRACE_ANNOTATE_PASSED_H
#define PLOAD_OBSERVE_TRACE_ANNOTATE_PASSED_H

#include <stdio.h>

#include "loader/observe/trace/annotate/fd_names.h"
#include "loader/core/value/json_object.h"

/* The parts of memory that a call passes. */
struct passed {
	const struct bpf_insn *insns;	/* BPF_PROG_LOAD; NULL: none */
	uint32_t nr_insns;
	const struct bpf_line_info *lines;	/* NULL: none */
	uint32_t nr_lines;
	const struct btf_strings *strings;	/* of the lines; NULL: not known */
	const unsigned char *key, *value;	/* of an update; NULL: none, or of unknown size */
	uint32_t key_size, value_size;
};

/** passed_by_call() - Find what a call passes; it is borrowed from the caller. */
struct passed passed_by_call(const struct fd_names *names, long nr, const unsigned long arg[6]);

/** passed_print_insns() - Print each instruction on a line of its own, with its source line. */
void passed_print_insns(FILE *out, const struct passed *p);

/** passed_print_bytes() - Print a line "key 01 00 00 00, value ..."; nothing if there is none. */
void passed_print_bytes(FILE *out, const struct passed *p);

/** passed_json() - Add members to an object: insns, key, value. */
void passed_json(struct json_object *call, const struct passed *p);

#endif
