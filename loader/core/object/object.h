/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A BPF object file after reading and validation: its maps, functions and programs, and what each
 * relocation refers to. Nothing here calls the kernel.
 *
 *	bpf_object_read()	bytes -> struct bpf_object	(object.c lists the steps)
 *	relocate()		program -> struct prog_code	(relocate.h)
 */
#ifndef PLOAD_CORE_OBJECT_OBJECT_H
#define PLOAD_CORE_OBJECT_OBJECT_H

#include <linux/bpf.h>

#include "elf/btf.h"
#include "elf/btf_ext.h"
#include "elf/error.h"
#include "elf/image.h"

/* --- maps --- */

enum object_map_kind {
	OBJECT_MAP_BTF,		/* a variable in section .maps, described by BTF */
	OBJECT_MAP_LEGACY,	/* a struct bpf_map_def in section "maps" or "maps/..." */
	OBJECT_MAP_DATA,	/* a section .data*, .rodata* or .bss*: an array whose only
				 * element is the whole section */
	OBJECT_MAP_STRUCT_OPS,	/* a variable of .struct_ops or .struct_ops.link */
};

/* An initial element of a map of programs or maps: .values = { [INDEX] = &TARGET } */
struct object_slot {
	uint32_t index;		/* the key; STRUCT_OPS: offset of the pointer in the variable */
	uint32_t target;	/* PROG_ARRAY, STRUCT_OPS: index of a program; else of a map */
};

struct object_map {
	const char *name;	/* name of the variable or section */
	enum object_map_kind kind;
	uint32_t section;	/* section that declares the map; 0: an inner map template, or
				 * .kconfig */
	uint64_t offset, size;	/* the variable's bytes in that section */
	uint32_t type;		/* BPF_MAP_TYPE_* */
	uint32_t key_size, value_size, max_entries, map_flags, numa_node;
	uint64_t map_extra;
	bool pin_by_name;	/* declared with LIBBPF_PIN_BY_NAME */
	const char *pin_path;	/* borrowed; overrides the path derived from the name; or NULL */
	uint32_t key_type, value_type;	/* type ids in the object's BTF; 0: none */
	int inner;		/* map of maps: index of its inner map template; otherwise -1 */
	bool has_values;	/* declared with a field "values" */
	uint32_t values_at;	/* byte offset of that field in the variable */
	struct object_slot *slots;	/* owned; ascending by index */
	uint32_t nr_slots;
	bool read_only;		/* .rodata: freeze after filling */
	uint32_t struct_type;	/* STRUCT_OPS: type id of the struct in the object's BTF */
	bool optional;		/* STRUCT_OPS in a section "?...": created only on request */
	unsigned char *content;	/* owned; the first data_size bytes of the value, relocated;
				 * NULL: all zero. STRUCT_OPS: the variable, with null pointers */
	uint32_t data_size;	/* number of bytes that the object initializes */
	uint32_t data_section;	/* the section they come from */
	uint32_t data_type;	/* type id of the DATASEC describing them; 0: none */
	uint64_t data_at;	/* their offset in the value: 0, but see kernel_map_fds() */
	uint32_t nr_addresses;	/* DATA: words that should hold the address of a variable. Maps
				 * have no such addresses, so they keep S + A */
};

/* object_map_is_pinned() - Return true if the map has its own pin and so outlives the session. */
static inline bool object_map_is_pinned(const struct object_map *map)
{
	return map->pin_by_name || map->pin_path;
}

/* --- functions and programs --- */

/* Elements [first, end) of an array. */
struct object_range {
	uint32_t first, end;
};

/* Helpers for which a session prepares. */
#define HELPER_PRINTS	1u	/* bpf_trace_printk() and bpf_trace_vprintk() */
#define HELPER_STACKS	2u	/* bpf_get_stackid() and others that produce a stack */
#define HELPER_MAPS	4u	/* the helpers that map_usage_scan() looks for */

struct object_func {
	const char *name;
	uint32_t section;
	uint32_t first_insn;	/* relative to the start of the section */
	uint32_t insn_cnt;
	bool global;
	bool called;		/* called by another function, or its address is taken */
	uint8_t helpers;	/* HELPER_*: those that it calls */
	uint32_t code;		/* index into bpf_object.code, into whose arrays the ranges
				 * point: */
	struct object_range relocs, func_info, line_info, core_relo;
};

/* The meaning of the text after the '/' of a section name. */
enum section_names {
	NAMES_NOTHING,	/* ignored: "xdp/foo" means "xdp" */
	NAMES_EVENT,		/* an event to attach to; not needed for loading */
	/* The program is loaded for a BTF id: */
	NAMES_BTF_FUNC,	/* a function of the kernel or of --target-prog */
	NAMES_BTF_TRACEPOINT,	/* the typedef btf_trace_NAME of a tracepoint */
	NAMES_BTF_HOOK,	/* the function bpf_lsm_NAME of a security hook */
	NAMES_BTF_ITER,	/* the function bpf_iter_NAME of an iterator */
	NAMES_PROG_FUNC,	/* the function in another program to replace */
	NAMES_STRUCT,		/* the struct that points to the program; the text is ignored */
};

/* One row of the section name table (kind.c). */
struct prog_kind {
	const char *prefix;	/* "perf_event", "tracepoint", "xdp", ... */
	uint32_t prog_type;	/* BPF_PROG_TYPE_* */
	uint32_t attach_type;	/* expected_attach_type; 0 where the kernel ignores it */
	uint32_t prog_flags;	/* BPF_F_SLEEPABLE, BPF_F_XDP_HAS_FRAGS */
	enum section_names names;
};

struct object_prog {
	const char *name;	/* name of the function */
	const char *section;	/* full section name: "tracepoint/sched/sched_switch" */
	const char *target;	/* the text after the '/' that follows the prefix, or NULL */
	const struct prog_kind *kind;
	uint32_t func;		/* index into bpf_object.funcs */
	uint32_t exception_cb;	/* 1 + index of the function that bpf_throw() calls; 0: none */
	uint32_t refused;	/* 1 + index into bpf_object.refused; 0: can be linked */
	bool optional;		/* SEC("?..."), or used only by optional structs: loaded only if
				 * named on the command line */
};

/* --- externs and relocations --- */

enum object_extern_kind {
	OBJECT_EXTERN_KCONFIG,	/* __kconfig: a kernel configuration value */
	OBJECT_EXTERN_KSYM,	/* extern const void x __ksym: an address, looked up by name */
	OBJECT_EXTERN_KVAR,	/* extern T x __ksym: a kernel variable, looked up by type */
	OBJECT_EXTERN_KFUNC,	/* a kernel function (kfunc) */
};

/* A symbol that the object leaves undefined because the kernel defines it. */
struct object_extern {
	const char *name;
	enum object_extern_kind kind;
	bool weak;		/* weak: may be missing in the kernel */
	uint32_t type;		/* type of the variable, or FUNC_PROTO of a KFUNC; 0: unknown */
	uint32_t map;		/* KCONFIG: index of the map that holds the value, and its offset
				 * there */
	uint32_t offset, size;
};

enum object_reloc_kind {
	OBJECT_RELOC_MAP,	/* ldimm64 of a map: BPF_PSEUDO_MAP_FD */
	OBJECT_RELOC_DATA,	/* ldimm64 of a variable: BPF_PSEUDO_MAP_VALUE */
	OBJECT_RELOC_CALL,	/* call of a function: BPF_PSEUDO_CALL */
	OBJECT_RELOC_FUNC,	/* ldimm64 of a function, for a callback: BPF_PSEUDO_FUNC */
	OBJECT_RELOC_KCONFIG,	/* ldimm64 of a KCONFIG extern: like DATA */
	OBJECT_RELOC_KSYM,	/* ldimm64 of any other extern, including KFUNC */
	OBJECT_RELOC_KFUNC,	/* call of a KFUNC extern: BPF_PSEUDO_KFUNC_CALL */
	OBJECT_RELOC_JUMP_TABLE,/* ldimm64 of a jump table: BPF_PSEUDO_MAP_VALUE */
	OBJECT_RELOC_UNRESOLVED,/* any other symbol: an error if a linked function uses it */
	OBJECT_RELOC_REFUSED,	/* meaningless: an error if a linked function uses it */
};

/* A relocation of an instruction, after resolving. */
struct object_reloc {
	uint32_t insn;		/* relative to the start of the section */
	enum object_reloc_kind kind;
	uint32_t index;		/* index of a map, function or extern; REFUSED: into
				 * bpf_object.refused; other kinds: of a symbol */
	uint32_t offset;	/* DATA: offset in the value; KCONFIG, KSYM: addend of the extern */
};

/* An executable section. */
struct object_code_section {
	uint32_t section;
	uint32_t reloc_section;	/* for error messages; 0: none */
	struct object_reloc *relocs;	/* owned; ascending by insn */
	uint32_t nr_relocs;
	/* The .BTF.ext records that describe the section; NULL: none. */
	const struct btf_ext_sec *func_info, *line_info, *core_relo;
};

struct co_re_hook;
struct extern_hook;

/* --- the object --- */

struct bpf_object {
	const char *name;	/* borrowed; path, for messages */
	struct elf_image image;	/* owned */
	bool has_btf;
	struct error *btf_error;	/* owned; why section .BTF is unusable; or NULL */
	struct btf btf;		/* owned; a view of btf_raw */
	unsigned char *btf_raw;	/* owned; section .BTF, relocated and completed (btf_fix.c) */
	struct btf_ext ext;	/* owned; empty without .BTF.ext */
	const struct co_re_hook *co_re;	/* borrowed; NULL: relocate() rejects CO-RE relocations */
	const struct extern_hook *extern_hook;	/* borrowed; NULL: relocate() rejects externs */
	const char *license;	/* "" if the object has none */
	char *license_copy;	/* owned; set if the section is not terminated */
	uint32_t version;	/* number in section "version"; 0: none */
	/* Arrays, owned: */
	struct object_map *maps;
	uint32_t nr_maps;
	struct object_extern *externs;
	uint32_t nr_externs;
	struct object_func *funcs;	/* ascending by section, then by first_insn */
	uint32_t nr_funcs;
	struct object_prog *progs;
	uint32_t nr_progs;
	struct object_code_section *code;
	uint32_t nr_code;
	struct error *refused;	/* why a function or program cannot be linked; others still can */
	uint32_t nr_refused;
	/* Scratch memory of relocate(), one element per function, allocated once per object. */
	uint32_t *linked, *link_order;
};

/**
 * bpf_object_read() - Read and validate a BPF object of either byte order.
 * @name: borrowed; for messages
 * @source: borrowed; must outlive the object, which borrows names and data from it
 *
 * Return: 0, or -ENOEXEC, -EBADMSG, -ENOTSUP, -ENOMEM ("object/...") or the error of the source, in
 * which case @obj is empty.
 */
int bpf_object_read(struct bpf_object *obj, const char *name, const struct source *source,
		    struct error *err);
/* bpf_object_parse() - Like bpf_object_read(), for a file in memory. */
int bpf_object_parse(struct bpf_object *obj, const char *name, struct bytes file,
		     struct error *err);
void bpf_object_free(struct bpf_object *obj);

/* bpf_object_check_native() - Return -ENOEXEC if the object has the other byte order. */
int bpf_object_check_native(const struct bpf_object *obj, struct error *err);

/**
 * prog_kind_find() - Find the kind of the programs in a section.
 * @section: its name, with or without the '?' for optional programs
 * @target: set to the text after the '/' that follows the prefix, or NULL
 *
 * The prefix may be followed by '/' and more. If nothing after the prefix matters, a digit or '_'
 * may follow as well ("socket1", "xdp_sample"), as in libbpf before 1.0.
 * Return: the row of the table, or NULL.
 */
const struct prog_kind *prog_kind_find(const char *section, const char **target);

/* The kind of programs in sections with unknown names. They cannot be loaded. */
extern const struct prog_kind prog_kind_unknown;

/* object_check_kind() - Return -ENOTSUP (-EINVAL if explained) if the kind of @prog is unknown. */
int object_check_kind(const struct object_prog *prog, struct error *err);

/*
 * object_arena_end() - Return the offset of the last pages of arena @map that its variables fit
 * into.
 */
uint64_t object_arena_end(const struct object_map *map);

/* --- implemented in annexes --- */

/**
 * object_set_variable() - Change the initial value of a global variable (set_variable.c).
 * @path: "name", "name.member", "name[3].member"
 * @text: a number, true, false, 'c', the name of an enumerator, or a string for an array of char
 *
 * Return: 0, -ENOENT (the hint lists similar names), -EEXIST (the name is ambiguous), -ERANGE,
 * -EINVAL, or -ENOTSUP (pointers, bit fields, floats).
 */
int object_set_variable(struct bpf_object *obj, const char *path, const char *text,
			struct error *err);

/* A copy of an object's BTF, rewritten for an older kernel. Zero it before the first call. */
struct btf_compat {
	unsigned char *raw;	/* owned; for BPF_BTF_LOAD */
	uint32_t size;
	bool for_maps_only;	/* has lost its functions: usable for maps, but not for programs */
	unsigned int changed;	/* 1 << step for every step that changed something */
	/* Private to btf_compat.c: */
	const struct btf *btf;
	unsigned int step;
	uint32_t types_size, extra_type;
};

/**
 * btf_compat_next() - Rewrite the next BTF feature that older kernels lack.
 *
 * One feature per call, in this order, skipping those the object does not use: names that are not C
 * identifiers, ENUM64 (Linux 6.0), TYPE_TAG (5.17), DECL_TAG (5.16), FLOAT (5.13), global functions
 * (5.6), VAR and DATASEC (5.2), functions (5.0). Type ids do not change.
 * Return: 1, 0 if no feature is left, or -ENOMEM.
 *
 * btf_compat_feature() - Return what @step replaces, for messages; NULL after the last step.
 */
int btf_compat_next(const struct bpf_object *obj, struct btf_compat *compat);
const char *btf_compat_feature(unsigned int step);

/*
 * btf_compat_untag() - Make functions with tagged arguments ("arg:ctx", Linux 6.8) static. In an
 * object with an arena, do so for all functions with pointer arguments, any of which may point into
 * the arena.
 * Return: like btf_compat_next().
 */
int btf_compat_untag(const struct bpf_object *obj, struct btf_compat *compat);
void btf_compat_free(struct btf_compat *compat);

#endif
