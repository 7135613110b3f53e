/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Linking a program: from a function of an object to the instructions for BPF_PROG_LOAD. */
#ifndef PLOAD_CORE_OBJECT_RELOCATE_H
#define PLOAD_CORE_OBJECT_RELOCATE_H

#include "loader/core/object/object.h"

/* A linked program: its function, followed by every function it reaches. */
struct prog_code {
	struct bpf_insn *insns;	/* owned, like the other arrays */
	uint32_t nr_insns;
	uint32_t nr_funcs;	/* they are the first elements of obj->link_order, in order,
				 * until the next relocate() */
	uint8_t helpers;	/* HELPER_*: those that its functions call */
	uint32_t prog_type;	/* BPF_PROG_TYPE_*, which determines its context; 0: unknown */
	struct bpf_func_info *func_info;
	uint32_t nr_func_info;	/* 0 unless BTF describes every function */
	struct bpf_line_info *line_info;
	uint32_t nr_line_info;
	struct prog_map_ref {
		uint32_t insn;	/* an ldimm64 whose imm is the map's descriptor */
		uint32_t map;	/* index into the object's maps */
	} *map_refs;		/* ascending by insn */
	uint32_t nr_map_refs;
	struct bpf_core_relo *core_relos;	/* CO-RE relocations left to the kernel */
	uint32_t nr_core_relos;
	struct prog_jump_table {
		uint32_t insn;	/* an ldimm64 whose imm is the descriptor of the table's map */
		uint32_t nr;
		uint32_t *targets;	/* owned; instructions of the program */
		int map_fd;	/* owned by whoever creates them: see kernel_load_jump_tables() */
	} *jump_tables;
	uint32_t nr_jump_tables;
	uint32_t nr_targets;	/* total over all jump tables */
	int *fd_array;		/* borrowed BTF descriptors of modules; [0] is unused */
	uint32_t nr_fds;
};

/**
 * relocate() - Link a program of an object.
 * @obj: linked and link_order are used as scratch memory
 * @prog: index of the program
 * @map_fds: borrowed; one descriptor per map of the object. NULL: write 0
 * @code: empty on failure
 *
 * Patches calls and the addresses of functions, maps and variables; func_info and line_info move
 * with their instructions. obj->co_re resolves CO-RE relocations, and obj->extern_hook externs.
 * Return: 0, -ENOEXEC (foreign byte order), -ENOTSUP (an undefined symbol, or a missing hook),
 * -EBADMSG, -E2BIG (more than a million instructions), -ENOMEM, or the error of a hook.
 */
int relocate(struct bpf_object *obj, uint32_t prog, const int *map_fds, struct prog_code *code,
	     struct error *err);
void prog_code_free(struct prog_code *code);

/*
 * prog_code_map() - Return the index of the map that the ldimm64 at @insn refers to, or UINT32_MAX
 * (map_usage.c).
 */
uint32_t prog_code_map(const struct prog_code *code, uint32_t insn);

/* A source line of a program; borrowed from the object's BTF. */
struct source_line {
	const char *file, *text;	/* NULL: the object has no line information */
	uint32_t line, column;
};

/**
 * prog_code_line() - Find the source line of an instruction (source_line.c).
 * @word: if the instruction's line lacks this word but the next line has it, the compiler has moved
 * the instruction, and the next line is used; may be NULL
 */
struct source_line prog_code_line(const struct bpf_object *obj, const struct prog_code *code,
				  uint32_t insn, const char *word);

/* source_line_note() - Set the location of @note, if @line is known. */
void source_line_note(const struct source_line *line, struct error_note *note);

/* --- hooks --- */

/* A CO-RE relocation in linked code, which is otherwise fully patched. */
struct co_re_site {
	const struct object_func *func;
	struct btf_core_relo relo;
	uint32_t insn;		/* index of the instruction in the linked program */
	uint32_t end;		/* index after the last instruction of the function */
};

/*
 * Resolves CO-RE relocations (objects/co_re). apply() returns 0, or -errno with @err filled in;
 * relocate() adds the function.
 */
struct co_re_hook {
	int (*apply)(void *arg, const struct co_re_site *site, struct prog_code *code,
		     struct error *err);
	void *arg;
};

/* A use of an extern in the code being linked. */
struct extern_site {
	uint32_t index;		/* into the object's externs */
	const struct object_func *func;
	uint32_t insn;		/* index in the linked program of a call or ldimm64 */
	uint32_t offset;	/* added to the address of the extern */
};

/*
 * Resolves externs (objects/externs). apply() writes the address of the extern into the
 * instruction. For a KCONFIG, which relocate() patches itself, it only checks that the extern has a
 * value. It returns 0, or -errno with @err filled in; relocate() adds the relocation.
 */
struct extern_hook {
	int (*apply)(void *arg, const struct extern_site *site, struct prog_code *code,
		     struct error *err);
	void *arg;
};

/* object_co_re_kind() - Return the name of an enum bpf_core_relo_kind: "field_byte_offset". */
const char *object_co_re_kind(uint32_t kind);

/* How the helpers called by linked code use a map (map_usage.c). */
struct map_usage {
	bool output;		/* bpf_perf_event_output, bpf_skb_output, bpf_xdp_output */
	bool one_ring;		/* ... to a constant CPU's ring instead of the current one's */
	bool read;		/* bpf_perf_event_read, bpf_perf_event_read_value */
	bool record_varies;	/* record sizes differ or are not constant */
	bool payload;		/* packet bytes may follow a record (upper half of flags) */
	uint32_t record_size;	/* the largest size known to be passed to _output() or
				 * _reserve(); or 0 */
};

/* The ways in which a call that uses a map can fail. */
enum map_failure {
	FAILURE_RESERVE,	/* bpf_ringbuf_reserve: the ring is full */
	FAILURE_OUTPUT,		/* bpf_ringbuf_output, bpf_ringbuf_reserve_dynptr: likewise */
	FAILURE_FULL,		/* bpf_map_update_elem of a hash: -E2BIG */
	FAILURE_COLLISION,	/* bpf_get_stackid: -EEXIST, another stack with the same hash */
};

/* A global variable that a program increments when, and only when, a call fails. */
struct failure_count {
	enum map_failure failure;
	uint32_t map;		/* the map used by the call */
	uint32_t data;		/* the map of the variable; UINT32_MAX: no variable counts such
				 * calls */
	uint64_t offset;
	unsigned int size;	/* size of the variable in bytes: 4 or 8 */
};

/* The counters of all programs of an object, one per failure and map; all zero means empty. */
struct failure_counts {
	struct failure_count *list;	/* owned; no duplicates */
	uint32_t nr;
};

/**
 * map_usage_scan() - Add the map uses in linked code to @usage.
 * @usage: one element per map of the object
 * @failures: receives the counters of failed calls (failure_counts.c); or NULL.
 * @maps: the maps of the object, for @failures
 *
 * Follows numbers and map addresses along all paths (elf/flow). Return: 0 or -ENOMEM.
 */
int map_usage_scan(const struct prog_code *code, struct map_usage *usage,
		   struct failure_counts *failures, const struct object_map *maps,
		   struct error *err);

#endif
