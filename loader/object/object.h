/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A BPF object understood: its maps, functions, programs, and what each relocation means. Pure; no
 * kernel.
 */
#ifndef PLOAD_OBJECT_OBJECT_H
#define PLOAD_OBJECT_OBJECT_H

#include <linux/bpf.h>

#include "elf/btf.h"
#include "elf/btf_ext.h"
#include "elf/error.h"
#include "elf/image.h"

enum object_map_kind {
	OBJECT_MAP_BTF,		/* a variable of section .maps, described by its BTF */
	OBJECT_MAP_LEGACY,	/* a struct bpf_map_def in section "maps" or "maps/..." */
	OBJECT_MAP_DATA,	/* .data*, .rodata*, .bss*: one array element holding the whole
				 * section */
	OBJECT_MAP_STRUCT_OPS,	/* a variable of .struct_ops or .struct_ops.link: a struct of
				 * functions for the kernel, laid out there as the kernel has it
				 * (loader/struct_ops) */
};

/* What a map begins with where its value is a descriptor: .values = { [INDEX] = &TARGET } */
struct object_slot {
	uint32_t index;		/* the key; STRUCT_OPS: the byte of the variable where the
				 * pointer is */
	uint32_t target;	/* PROG_ARRAY, STRUCT_OPS: index into the object's progs; else
				 * into its maps */
};

struct object_map {
	const char *name;	/* the variable's, or the section's */
	enum object_map_kind kind;
	uint32_t section;	/* where it is declared; .data-like: the section it is */
	uint64_t offset, size;	/* of the variable in there */
	uint32_t type;		/* BPF_MAP_TYPE_* */
	uint32_t key_size, value_size, max_entries, map_flags, numa_node;
	uint64_t map_extra;
	bool pin_by_name;	/* LIBBPF_PIN_BY_NAME was asked for */
	const char *pin_path;	/* borrowed; where else to pin it; NULL: nowhere else */
	uint32_t key_type, value_type;	/* type ids in the object's BTF, 0: none */
	int inner;		/* index of the map described as value of a map of maps, or -1;
				 * such a template has no variable and section 0 */
	bool has_values;	/* its definition has a field 'values' */
	uint32_t values_at;	/* where in the variable that field is */
	struct object_slot *slots;	/* owned; ascending by index */
	uint32_t nr_slots;
	bool read_only;		/* .rodata: programs may not write it, and it is frozen once
				 * filled */
	uint32_t struct_type;	/* STRUCT_OPS: type id of its struct in the object's BTF */
	bool optional;		/* STRUCT_OPS in a section "?...": made only for a program that
				 * is asked for */
	unsigned char *content;	/* owned; the data_size bytes it begins with, relocated; NULL
				 * when all zero. STRUCT_OPS: the variable, with its pointers
				 * zero; never NULL */
	uint32_t data_size;	/* 0: it begins with none */
	uint32_t data_section;	/* whose bytes these are */
	uint32_t data_type;	/* the DATASEC that describes them in the object's BTF, 0: none */
	uint32_t nr_addresses;	/* .data-like: so many of its words are to be addresses, which
				 * nothing in a map has: they stay as they are in the object */
};

/* Elements of an array, from @first up to @end. */
struct object_range {
	uint32_t first, end;
};

struct object_func {
	const char *name;
	uint32_t section;
	uint32_t insn_off;	/* first instruction, counted from the section's start */
	uint32_t insn_cnt;
	bool global;
	bool called;		/* some function calls it or takes its address */
	uint32_t code;		/* index into code: what is known of its section, and of that */
	struct object_range relocs, func_info, line_info, core_relo;	/* what is about it */
};

/* What stands behind the '/' of a section. From FOLLOWS_BTF_FUNC on, loading takes its BTF id. */
enum prog_follows {
	FOLLOWS_NOTHING,	/* nothing that matters: "xdp/foo" is "xdp" */
	FOLLOWS_EVENT,		/* what to attach to; loading does without */
	FOLLOWS_BTF_FUNC,	/* a function of the kernel, or of --target-prog */
	FOLLOWS_BTF_TRACEPOINT,	/* a tracepoint: typedef btf_trace_NAME */
	FOLLOWS_BTF_HOOK,	/* a security hook: function bpf_lsm_NAME */
	FOLLOWS_BTF_ITER,	/* an iterator: function bpf_iter_NAME */
	FOLLOWS_PROG_FUNC,	/* a function of the program that is replaced */
	FOLLOWS_STRUCT,		/* nothing: which member of which struct it is, the struct says */
};

/* What a section name says about the programs in it. One row of a table. */
struct prog_kind {
	const char *prefix;	/* "perf_event", "tracepoint", "xdp", ... */
	uint32_t prog_type;	/* BPF_PROG_TYPE_* */
	uint32_t attach_type;	/* expected_attach_type; 0 where the kernel does not look at it */
	uint32_t prog_flags;	/* BPF_F_SLEEPABLE, BPF_F_XDP_HAS_FRAGS */
	enum prog_follows follows;	/* how its target is found */
};

struct object_prog {
	const char *name;	/* the function's */
	const char *section;	/* the section's name, whole: "tracepoint/sched/sched_switch" */
	const char *target;	/* what follows the first '/' after the prefix, or NULL */
	const struct prog_kind *kind;
	uint32_t func;		/* index into funcs */
	uint32_t catcher;	/* 1 + index of the function that gets what it throws, 0: none */
	bool optional;		/* SEC("?..."), or all its structs are optional: loaded only
				 * when it is asked for by name */
};

/* What the object expects the kernel to have: a symbol that is undefined in it. */
enum object_extern_kind {
	OBJECT_EXTERN_KCONFIG,	/* __kconfig: a value of the kernel's configuration */
	OBJECT_EXTERN_KSYM,	/* extern const void x __ksym: an address, by name alone */
	OBJECT_EXTERN_KVAR,	/* the same with a type: a variable of the kernel's */
	OBJECT_EXTERN_KFUNC,	/* a function of the kernel's */
};

struct object_extern {
	const char *name;	/* the symbol's */
	enum object_extern_kind kind;
	bool weak;		/* need not be there */
	uint32_t type;		/* KCONFIG, KVAR: the variable's; KFUNC: its FUNC_PROTO; 0: BTF
				 * says nothing */
	uint32_t map;		/* KCONFIG: index of the map that the value lies in, and where in
				 * there */
	uint32_t offset, size;
};

enum object_reloc_kind {
	OBJECT_RELOC_MAP,	/* ldimm64 of a map: BPF_PSEUDO_MAP_FD */
	OBJECT_RELOC_DATA,	/* ldimm64 of an address in a data map: BPF_PSEUDO_MAP_VALUE */
	OBJECT_RELOC_CALL,	/* call of a function: BPF_PSEUDO_CALL */
	OBJECT_RELOC_FUNC,	/* ldimm64 of a function's address, for callbacks:
				 * BPF_PSEUDO_FUNC */
	OBJECT_RELOC_KCONFIG,	/* ldimm64 of a KCONFIG extern: as DATA, if it has a value */
	OBJECT_RELOC_KSYM,	/* ldimm64 of another extern, a KFUNC too */
	OBJECT_RELOC_KFUNC,	/* call of a KFUNC extern: BPF_PSEUDO_KFUNC_CALL */
	OBJECT_RELOC_UNRESOLVED,/* some other symbol without a place: an error once code that has
				 * it is linked */
};

struct object_reloc {
	uint32_t insn;		/* counted from the section's start */
	enum object_reloc_kind kind;
	uint32_t index;		/* of the map, function or extern; UNRESOLVED: of the symbol */
	uint32_t offset;	/* DATA: bytes into the map's value; KCONFIG, KSYM: behind the
				 * extern's place */
};

/* Relocations of one executable section, ascending by insn. */
struct object_code_section {
	uint32_t section;
	uint32_t reloc_section;	/* for messages; 0 if none */
	struct object_reloc *relocs;	/* owned */
	uint32_t nr_relocs;
	const struct btf_ext_sec *func_info, *line_info, *core_relo;	/* what .BTF.ext says of
									 * it; NULL: nothing */
};

struct prog_code;

/* One CO-RE relocation in code that relocate() has just linked and patched otherwise. */
struct core_site {
	const struct object_func *func;
	struct btf_core_relo relo;
	uint32_t insn;		/* of the linked program: which one */
	uint32_t end;		/* behind the function's last one */
};

/*
 * Who resolves CO-RE relocations (loader/core does). apply() returns 0 or fills @err, which
 * relocate() gives the function's place.
 */
struct core_hook {
	int (*apply)(void *arg, const struct core_site *site, struct prog_code *code,
		     struct error *err);
	void *arg;
};

/* One use of an extern in code that relocate() is linking. */
struct extern_site {
	uint32_t index;		/* into the object's externs */
	const struct object_func *func;
	uint32_t insn;		/* of the linked program: which one. A call, or an ldimm64 */
	uint32_t offset;	/* what it adds to the extern's address */
};

/*
 * Who finds the externs (loader/externs does). apply() writes into the instruction what the extern
 * is, or for a KCONFIG, which relocate() patches, only says whether it has a value. Returns 0 or
 * fills @err, which relocate() gives the relocation's place.
 */
struct extern_hook {
	int (*apply)(void *arg, const struct extern_site *site, struct prog_code *code,
		     struct error *err);
	void *arg;
};

struct bpf_object {
	const char *name;	/* borrowed; the path, for messages */
	struct elf_image image;	/* owned */
	bool has_btf;
	struct btf btf;		/* owned; a view into btf_raw */
	unsigned char *btf_raw;	/* owned; .BTF with its relocations applied, DATASEC sizes and
				 * offsets filled in */
	struct btf_ext ext;	/* owned; empty without .BTF.ext */
	const struct core_hook *core;	/* borrowed; NULL: code with CO-RE relocations is refused */
	const struct extern_hook *extern_hook;	/* borrowed; NULL: code with externs is refused */
	const char *license;	/* "" when the object has none */
	char *license_copy;	/* owned; of one that does not end within its section, else NULL */
	uint32_t version;	/* of section "version"; 0 when there is none */
	struct object_map *maps;
	uint32_t nr_maps;
	struct object_extern *externs;
	uint32_t nr_externs;
	struct object_func *funcs;	/* ascending by section, then by insn_off */
	uint32_t nr_funcs;
	struct object_prog *progs;
	uint32_t nr_progs;
	struct object_code_section *code;
	uint32_t nr_code;
	uint32_t *linked, *link_order;	/* owned; scratch of relocate(), one for each function:
					 * linked is 0 between its calls */
};

/*
 * bpf_object_read() - understand the object behind @source, which outlives it. @name goes into
 * messages and is borrowed. bpf_object_parse(): the same of a file that is in memory. A foreign
 * byte order is understood too (sections, maps, functions), and `foreign` objects are refused by
 * relocate(). Fails with ENOEXEC, EBADMSG, ENOTSUP (something this version does not resolve,
 * named), ENOMEM, and as the source; on failure @obj is empty.
 */
int bpf_object_read(struct bpf_object *obj, const char *name, const struct source *source,
		    struct error *err);
int bpf_object_parse(struct bpf_object *obj, const char *name, struct bytes file,
		     struct error *err);
void bpf_object_free(struct bpf_object *obj);

/*
 * object_set_variable() - let a variable of the object's data begin with what @text says, by its
 * type: numbers of every size in their range, true and false, 'c', names of enumerators, strings
 * for arrays of characters. @path: "name", "name.member", "name[3].member". Without BTF by its
 * size. Fails with ENOENT (and the nearest names), EEXIST (several of that name), ERANGE, EINVAL,
 * ENOTSUP (pointers, bit fields, floats).
 */
int object_set_variable(struct bpf_object *obj, const char *path, const char *text,
			struct error *err);

/* A copy of an object's BTF which says less. Zeroed before the first step. */
struct btf_older {
	unsigned char *raw;	/* owned; what BPF_BTF_LOAD takes */
	uint32_t size;
	bool for_maps_only;	/* it has no functions any more: none for programs */
	const struct btf *btf;	/* these are btf_make_older()'s own; borrowed from the object */
	unsigned int step;
	uint32_t types_size, extra_type;
};

/*
 * btf_make_older() - rewrite what the next older kernel would not know: names that are not of C,
 * ENUM64 (6.0), TYPE_TAG (5.17), DECL_TAG (5.16), FLOAT (5.13), global functions (5.6), variables
 * (5.2), functions (5.0); one at each call, what is not in there passed over. Type ids stay.
 * Returns 1, 0 when nothing is left to rewrite, or -ENOMEM.
 */
int btf_make_older(const struct bpf_object *obj, struct btf_older *o);

/*
 * btf_make_plain() - only this: functions whose arguments carry tags ("arg:ctx", 6.8) become
 * static. As btf_make_older().
 */
int btf_make_plain(const struct bpf_object *obj, struct btf_older *o);
void btf_older_free(struct btf_older *o);

/*
 * bpf_object_check_native() - ENOEXEC when the object is of the other byte order, which no kernel
 * here can run.
 */
int bpf_object_check_native(const struct bpf_object *obj, struct error *err);

/*
 * A program made ready for the kernel: its own code and every subprogram it reaches, linked once
 * each.
 */
struct prog_code {
	struct bpf_insn *insns;	/* owned, as the other arrays */
	uint32_t nr_insns;
	struct bpf_func_info *func_info;
	uint32_t nr_func_info;	/* 0 when BTF has no information about one of the functions */
	struct bpf_line_info *line_info;
	uint32_t nr_line_info;
	struct prog_map_ref {
		uint32_t insn;	/* an ldimm64 whose imm is the fd of the map */
		uint32_t map;	/* index into the object's maps */
	} *map_refs;		/* ascending by insn */
	uint32_t nr_map_refs;
	struct bpf_core_relo *core_relos;	/* those that are left to the kernel */
	uint32_t nr_core_relos;
	int *fd_array;		/* BTF of modules, for calls of their functions; [0] unused.
				 * Borrowed fds */
	uint32_t nr_fds;
};

/*
 * relocate() - link program @prog of @obj: its function, then each function it calls or takes the
 * address of, directly or not, in the order they are met; patch calls, addresses, data and maps;
 * move func_info and line_info along; have obj->core resolve CO-RE, and obj->extern_hook externs.
 * @map_fds: the fd of each map, in the object's order, borrowed; NULL leaves 0 in the instructions.
 * Fails with ENOEXEC (foreign byte order), ENOTSUP (an undefined symbol, and externs or CO-RE
 * without a hook, in code that is linked, named with its place), EBADMSG, E2BIG (more than a
 * million instructions), ENOMEM, and what the hooks say. On failure @code is empty.
 */
int relocate(const struct bpf_object *obj, uint32_t prog, const int *map_fds,
	     struct prog_code *code, struct error *err);
void prog_code_free(struct prog_code *code);

/*
 * object_core_kind() - the name of an enum bpf_core_relo_kind, for messages: "field_byte_offset".
 */
const char *object_core_kind(uint32_t kind);

/*
 * What the helpers called in linked code do with a map; the roles decide what has to be opened for
 * it.
 */
struct map_usage {
	bool output;		/* bpf_perf_event_output, bpf_skb_output, bpf_xdp_output */
	bool read;		/* bpf_perf_event_read, bpf_perf_event_read_value */
	bool record_varies;	/* records of more than one size, or of one not known before it
				 * runs */
	bool payload;		/* packet bytes may follow a record, as many as the upper half of
				 * flags says */
	uint32_t record_size;	/* bytes given to _output, bpf_ringbuf_output or _reserve; 0:
				 * none seen */
};

/*
 * map_usage_scan() - add what @code does with maps to @usage (one entry for each map of the
 * object). A linear walk which follows constants and map addresses through registers and moves, and
 * forgets at calls and jump targets.
 */
int map_usage_scan(const struct prog_code *code, struct map_usage *usage, struct error *err);

/*
 * The kind of programs whose section says none that is known: they are there, and not to be loaded.
 */
extern const struct prog_kind prog_kind_unknown;

/*
 * object_check_kind() - EINVAL when the kind of @prog is not known, and which it may be meant to
 * be.
 */
int object_check_kind(const struct object_prog *prog, struct error *err);

/*
 * prog_kind_find() - the row for a section name, and in *@target what follows it (or NULL). NULL:
 * unknown section. A name is the row's, or the row's and "/more"; where nothing follows, also the
 * row's and a digit or '_' ("socket1", "xdp_sample"), which loaders took before libbpf 1.0, since
 * the kernel gets nothing else from it.
 */
const struct prog_kind *prog_kind_find(const char *section, const char **target);

#endif
