/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The fields of keys, values and records that hold a call stack, the id of one, or an address. */
#ifndef PLOAD_OBJECT_STACK_FIELDS_H
#define PLOAD_OBJECT_STACK_FIELDS_H

#include "loader/core/object/relocate.h"

enum stack_field_role {
	STACK_FIELD_ID,		/* of bpf_get_stackid(): an id in map @stacks, or -errno */
	STACK_FIELD_FRAMES,	/* what bpf_get_stack() wrote: @size bytes of addresses */
	STACK_FIELD_TGID,	/* the process that the stack is of */
	STACK_FIELD_COMM,	/* its name */
	STACK_FIELD_ADDRESS,	/* of an instruction, 8 bytes; in keys and values only */
	STACK_FIELD_MIXED,	/* different paths write different things: it is not used */
};

/*
 * PT_REGS_IP() loads the instruction pointer from this byte of the context of perf_event programs,
 * kprobes and uprobes: see struct bpf_perf_event_data and bpf_user_pt_regs_t in uapi/asm. It is not
 * followed where the kernel's addresses are not the upper half, as on s390x.
 */
#if defined(__x86_64__)
#define STACK_FIELD_IP	128	/* struct pt_regs, rip */
#elif defined(__aarch64__)
#define STACK_FIELD_IP	256	/* struct user_pt_regs, pc */
#elif defined(__riscv) && __riscv_xlen == 64
#define STACK_FIELD_IP	0	/* struct user_regs_struct, pc */
#else
#define STACK_FIELD_IP	UINT32_MAX
#endif

enum stack_field_part { STACK_FIELD_KEY, STACK_FIELD_VALUE, STACK_FIELD_RECORD };

enum stack_field_source {
	STACK_FIELD_BY_CODE,	/* the programs write it there */
	STACK_FIELD_BY_TAG,	/* the member has the declaration tag "stack_id:MAP" */
	STACK_FIELD_BY_NAME,	/* its name is "tgid", "pid" or "comm" */
};

struct stack_field {
	uint32_t map;		/* index of the map whose keys, values or records have it */
	enum stack_field_part part;
	enum stack_field_role role;
	enum stack_field_source source;
	uint32_t offset, size;	/* in bytes */
	uint32_t stacks;	/* ID: index of the STACK_TRACE map */
	bool user;		/* BPF_F_USER_STACK, else the kernel's; known BY_CODE only */
	bool build_id;		/* FRAMES: BPF_F_USER_BUILD_ID */
	bool replaces;		/* ID: BPF_F_REUSE_STACKID or _FAST_STACK_CMP: after a collision of
				 * hashes, the id is that of another stack */
	bool passed_on;		/* in a VALUE: it is read again, and becomes a part of others */
	char name[64];		/* for printing: see stack_field_name() */
};

struct stack_fields {
	struct stack_field *list;	/* owned */
	uint32_t nr;
	bool gave_up;		/* a program was too large to be followed to its end */
};

static inline bool stack_field_is_stack(const struct stack_field *field)
{
	return field->role == STACK_FIELD_ID || field->role == STACK_FIELD_FRAMES;
}

/* stack_fields_have() - Return true if a field has @role. */
bool stack_fields_have(const struct stack_fields *fields, enum stack_field_role role);

/* stack_fields_have_stacks() - Return true if a field is a stack, or the id of one. */
static inline bool stack_fields_have_stacks(const struct stack_fields *fields)
{
	return stack_fields_have(fields, STACK_FIELD_ID) ||
	       stack_fields_have(fields, STACK_FIELD_FRAMES);
}

/**
 * stack_fields_scan() - Find the fields that linked code writes, and add them to @fields.
 *
 * Follows the results of bpf_get_stackid(), bpf_get_stack(), bpf_get_current_pid_tgid() and
 * bpf_get_current_comm() through registers, shifts and the program's stack, over all branches and
 * into functions, to keys and values of maps and to records (stacks/); likewise the instruction
 * pointer that PT_REGS_IP() loads from the context, and the result of bpf_get_func_ip().
 * Return: 0 or -ENOMEM.
 */
int stack_fields_scan(const struct bpf_object *obj, const struct prog_code *code,
		      struct stack_fields *fields, struct error *err);

/**
 * stack_fields_by_tags() - Add the members with a declaration tag "stack_id:MAP" of the structs
 * that are keys and values.
 *
 * Return: 0, -ENOMEM, or -EINVAL ("output/stack-field") if a tag does not name a STACK_TRACE map.
 */
int stack_fields_by_tags(const struct bpf_object *obj, struct stack_fields *fields,
			 struct error *err);

/**
 * stack_fields_by_names() - Add the members of @type that are named "tgid" (else "pid") or "comm",
 * unless the part has such fields already. Return: 0 or -ENOMEM.
 */
int stack_fields_by_names(const struct btf *btf, uint32_t type, uint32_t map,
			  enum stack_field_part part, struct stack_fields *fields,
			  struct error *err);

/**
 * stack_fields_add() - Add @field, unless the same location has one of a stronger source.
 * Return: 0 or -ENOMEM.
 */
int stack_fields_add(struct stack_fields *fields, const struct stack_field *field,
		     struct error *err);

/*
 * stack_field_name() - Write the path of the member of @type at @offset, such as "a.b", into @name:
 * "" for the whole, "@OFFSET" if the type is not known.
 */
void stack_field_name(const struct btf *btf, uint32_t type, uint32_t offset, char *name,
		      size_t size);
void stack_fields_free(struct stack_fields *fields);

#endif
