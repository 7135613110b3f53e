/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What this kernel can do, found out by doing it: program types, the helpers that each may call,
 * features, events. Nothing here comes from a kernel's version.
 */
#ifndef PLOAD_TOOLS_CAPABILITIES_CAPABILITIES_H
#define PLOAD_TOOLS_CAPABILITIES_CAPABILITIES_H

#include <stdbool.h>

#include "loader/object/object.h"
#include "loader/sys/sys.h"
#include "loader/features/kernel_types/kernel_types.h"

enum capability_answer {
	CAPABILITY_YES,
	CAPABILITY_NO,		/* the kernel does not have it, or not here */
	CAPABILITY_SLEEPABLE,	/* a helper that sleeps: in programs that may */
	CAPABILITY_DENIED,		/* this process may not (EPERM, EACCES) */
	CAPABILITY_UNKNOWN,		/* nothing that could be tried says it */
};

/* capability_answer_name() - "yes", "no", "sleepable", "denied", "unknown". */
const char *capability_answer_name(enum capability_answer answer);

#define CAPABILITY_MESSAGE 128

/* --- program types --- */

/*
 * One form of a program type: what a section's name makes of it, with something of the kernel's to
 * be loaded for where the type takes that. A type may have several; what one of them may call the
 * type may.
 */
struct capability_form {
	const struct prog_kind *kind;
	const char *target;	/* static; the function, tracepoint or struct; NULL: none */
	uint32_t attach_type;	/* expected_attach_type */
	uint32_t btf_id;	/* attach_btf_id; 0: none */
	enum capability_answer answer;	/* whether a program that does nothing loads */
	int code;		/* the errno of its refusal */
	char said[CAPABILITY_MESSAGE];	/* the kernel's last line on it */
};

struct capability_forms {
	struct capability_form *list;	/* owned */
	unsigned int nr;
};

/*
 * capability_try_forms() - try each form of each program type. Fails with ENOMEM alone; a kernel
 * without BTF has no ids, and the forms that need one are CAPABILITY_NO.
 */
int capability_try_forms(struct sys *sys, struct kernel_types *types, struct capability_forms *forms,
		     struct error *err);
void capability_forms_free(struct capability_forms *forms);

/* probe_form_why_not() - in words, why a type cannot be tried; NULL: it can. Static. */
const char *capability_type_not_tried(uint32_t prog_type);

/* --- helpers --- */

/*
 * capability_try_helper() - whether programs of @form, which loads, may call helper number @func: a program
 * that calls it is given to the verifier, which says whether the type has it before it looks at the
 * arguments. Helpers that work on parts of a map's value are looked at with such a map, since it is
 * the map that the type is refused. @said (may be NULL) has CAPABILITY_MESSAGE bytes.
 */
enum capability_answer capability_try_helper(struct sys *sys, const struct capability_form *form, uint32_t func,
			       char *said);

/* capability_helper_name() - "bpf_map_lookup_elem"; NULL: no helper known to this program. Static. */
const char *capability_helper_name(uint32_t func);
extern const uint32_t capability_nr_helpers;

/*
 * capability_documented() - whether the eBPF documentation (docs.ebpf.io) has helper @func for
 * @prog_type: 1, 0, or -1 where what this program knows of it does not say. It may be wrong: the
 * reason for asking the kernel.
 */
int capability_documented(uint32_t prog_type, uint32_t func);

#endif
