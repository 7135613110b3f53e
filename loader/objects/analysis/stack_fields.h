/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The fields of keys, values and records that contain a call stack, a stack id, or an address. */
#ifndef PLOAD_OBJECT_STACK_FIELDS_H
#define PLOAD_OBJECT_STACK_FIELDS_H

#include "loader/core/object/relocate.h"

enum stack_field_role {
	STACK_FIELD_ID,		/* from bpf_get_stackid(): an id in map @stacks, or -errno */
	STACK_FIELD_FRAMES,	/* from bpf_get_stack(): @size bytes of addresses */
	STACK_FIELD_TGID,	/* the process that the stack belongs to */
	STACK_FIELD_COMM,	/* its name */
	STACK_FIELD_ADDRESS,	/* an instruction address, 8 bytes; only in keys and values */
	STACK_FIELD_MIXED,	/* different paths write different things: not used */
};

/*
 * PT_REGS_IP() loads the instruction pointer from this byte of the context of perf_event programs,
 * kprobes and uprobes: see struct bpf_perf_event_data and bpf_user_pt_regs_t in uapi/asm. It is not
 * followed on machines, such as s390x, where kernel addresses are not the upper half.
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
	STACK_FIELD_BY_CODE,	/* found in the code of programs */
	STACK_FIELD_BY_TAG,	/* the member has the declaration tag "stack_id:MAP" */
	STACK_FIELD_BY_NAME,	/* it is named "tgid", "pid" or "comm" */
};

struct stack_field {
	uint32_t map;		/* index of the map whose keys, values or records contain it */
	enum stack_field_part part;
	enum stack_field_role role;
	enum stack_field_source source;
	uint32_t offset, size;	/* in bytes */
	uint32_t stacks;	/* ID: index of the STACK_TRACE map */
	bool user;		/* BPF_F_USER_STACK, otherwise the kernel's; known only BY_CODE */
	bool build_id;		/* FRAMES: BPF_F_USER_BUILD_ID */
	bool replaces;		/* ID: BPF_F_REUSE_STACKID or _FAST_STACK_CMP: after a hash
				 * collision, the id belongs to another stack */
	bool passed_on;		/* in a VALUE: it is read again and becomes part of other fields */
	char name[64];		/* for printing: see stack_field_name() */
};

struct stack_fields {
	struct stack_field *list;	/* owned */
	uint32_t nr;
	bool gave_up;		/* some program was too large to be followed to its end */
};

static inline bool stack_field_is_stack(const struct stack_field *field)
{
	return field->role == STACK_FIELD_ID || field->role == STACK_FIELD_FRAMES;
}

/* stack_fields_have() - Return true if a field has @role. */
bool stack_fields_have(const struct stack_fields *fields, enum stack_field_role role);

/* stack_fields_have_stacks() - Return true if any field is a stack or a stack id. */
static inline bool stack_fields_have_stacks(const struct stack_fields *fields)
{
	return stack_fields_have(fields, STACK_FIELD_ID) ||
	       stack_fields_have(fields, STACK_FIELD_FRAMES);
}

/**
 * stack_fields_scan() - Find the fields written by linked code, and add them to @fields.
 *
 * Follows the results of bpf_get_stackid(), bpf_get_stack(), bpf_get_current_pid_tgid() and
 * bpf_get_current_comm() through registers, shifts and the program's stack, on all branches and
 * into functions, to map keys, map values and records. Does the same for the instruction pointer
 * that PT_REGS_IP() loads from the context, and for the result of bpf_get_func_ip(). Return: 0 or
 * -ENOMEM.
 */
int stack_fields_scan(const struct bpf_object *obj, const struct prog_code *code,
		      struct stack_fields *fields, struct error *err);

/**
 * stack_fields_by_tags() - Add the members of key and value structs that have a declaration tag
 * "stack_id:MAP".
 *
 * Return: 0, -ENOMEM, or -EINVAL ("output/stack-field") if a tag does not name a STACK_TRACE map.
 */
int stack_fields_by_tags(const struct bpf_object *obj, struct stack_fields *fields,
			 struct error *err);

/**
 * stack_fields_by_names() - Add the members of @type named "tgid" (or else "pid") and "comm",
 * unless the part already has such fields. Return: 0 or -ENOMEM.
 */
int stack_fields_by_names(const struct btf *btf, uint32_t type, uint32_t map,
			  enum stack_field_part part, struct stack_fields *fields,
			  struct error *err);

/**
 * stack_fields_add() - Add @field, unless its location already has one from a stronger source.
 * Return: 0 or -ENOMEM.
 */
int stack_fields_add(struct stack_fields *fields, const struct stack_field *field,
		     struct error *err);

/*
 * stack_field_name() - Write the path of the member of @type at @offset, such as "a.b", to @name:
 * "" for the whole, "@OFFSET" if the type is unknown.
 */
void stack_field_name(const struct btf *btf, uint32_t type, uint32_t offset, char *name,
		      size_t size);
void stack_fields_free(struct stack_fields *fields);

#endif
