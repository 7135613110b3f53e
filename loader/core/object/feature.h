/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The hooks of a feature while an object is read and linked. */
#ifndef PLOAD_CORE_OBJECT_FEATURE_H
#define PLOAD_CORE_OBJECT_FEATURE_H

#include "loader/core/object/parse.h"
#include "loader/core/sys/tables.h"

/* The point at which a feature reads its part of an object. */
enum parse_stage {
	PARSE_SYMBOLS,	/* BTF is parsed, but not yet changed for the kernel */
	PARSE_MAPS,	/* the maps of .maps are known, but not those of data sections */
	PARSE_PROGS,	/* all programs are known */
	NR_PARSE_STAGES,
};

/* An address that an instruction refers to. */
struct reloc_target {
	uint32_t symbol;	/* index into the image's symbols */
	enum section_use use;	/* section index; UNUSED for an undefined symbol */
	uint64_t offset;	/* S + A */
	bool call;		/* it is called; otherwise its address is taken */
};

/*
 * NULL: no hook. Hooks that return int return 0, or -errno with @err filled in. resolve() and
 * link() return 1 if they handled the relocation.
 */
struct object_feature {
	unsigned int uses;	/* 1 << SECTION_*: objects with such a section need the feature */
	const char *reason;	/* reason code for errors of parse() */
	/* Section names in addition to the core's; ends with an empty one. */
	const struct prog_kind *kinds;
	int (*parse[NR_PARSE_STAGES])(struct parse *p, struct error *err);
	/* Rewrite an extern FUNC in BTF, which no kernel accepts. */
	void (*fix_func)(struct bpf_object *obj, uint32_t id);
	int (*resolve)(struct parse *p, const struct reloc_target *target, struct object_reloc *out,
		       struct error *err);
	/* @start: index of the first instruction of @f in @code */
	int (*link)(const struct bpf_object *obj, const struct object_func *f, uint32_t start,
		    const struct object_reloc *reloc, struct prog_code *code, struct error *err);
};

/* FAILED_SYMBOL: the relocation of an instruction, or a CO-RE relocation in @func. */
struct unresolved_symbol {
	const struct bpf_object *obj;
	const struct object_code_section *code;
	const struct object_reloc *reloc;
	const struct object_func *func;		/* the CO-RE relocation; NULL: @reloc failed */
	struct btf_core_relo core;
};

/* FAILED_INSN */
struct failed_insn {
	const struct bpf_object *obj;
	const struct prog_code *code;
	uint32_t insn;
};

/* The core's kinds of programs; the last one has an empty prefix. */
extern const struct prog_kind prog_kinds[];

/* features_parse() - Run each feature's hook for @stage. */
int features_parse(struct parse *p, enum parse_stage stage, struct error *err);

/* features_check_sections() - Reject an object with a section that no feature reads. */
int features_check_sections(struct parse *p, struct error *err);

void features_fix_func(struct bpf_object *obj, uint32_t id);
int features_resolve(struct parse *p, const struct reloc_target *target, struct object_reloc *out,
		     struct error *err);
int features_link(const struct bpf_object *obj, const struct object_func *f, uint32_t start,
		  const struct object_reloc *reloc, struct prog_code *code, struct error *err);

#endif
