/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finds out what this kernel can do by doing it: program types, the helpers that each may call, and
 * features. Nothing here is concluded from the version of the kernel.
 */
#ifndef PLOAD_OBSERVE_CAPABILITIES_CAPABILITIES_H
#define PLOAD_OBSERVE_CAPABILITIES_CAPABILITIES_H

#include <stdbool.h>

#include "loader/core/event/event.h"
#include "loader/core/object/object.h"
#include "loader/core/sys/sys.h"
#include "loader/objects/kernel_types/kernel_types.h"

enum capability_answer {
	CAPABILITY_YES,
	CAPABILITY_NO,		/* not available in this kernel, or not to this program type */
	CAPABILITY_SLEEPABLE,	/* a helper that only sleepable programs may call */
	CAPABILITY_DENIED,	/* not permitted to this process (EPERM, EACCES) */
	CAPABILITY_UNKNOWN,	/* nothing that was tried answers the question */
};

/** capability_answer_name() - Return "yes", "no", "sleepable", "denied" or "unknown". */
const char *capability_answer_name(enum capability_answer answer);

#define CAPABILITY_MESSAGE 128	/* bytes for the last line of the verifier's log */

/* --- program types --- */

/*
 * A form of a program type is what a section name selects: sleepable or not, with an attach type,
 * and for some types with a kernel function, tracepoint or struct that the program is loaded for. A
 * helper is available to a type if it is available to one of its forms.
 */
struct capability_form {
	const struct prog_kind *kind;
	const char *target;	/* static; the function, tracepoint or struct; NULL: none */
	uint32_t attach_type;	/* expected_attach_type */
	uint32_t btf_id;	/* attach_btf_id; 0: none */
	enum capability_answer answer;	/* CAPABILITY_YES: a program of one "return 0" loads */
	int code;		/* positive errno if it does not */
	char message[CAPABILITY_MESSAGE];
};

struct capability_forms {
	struct capability_form *list;	/* owned */
	unsigned int nr;
};

/**
 * capability_try_forms() - Load a program of each form of each program type.
 * @types: a form that needs an id is CAPABILITY_NO when the kernel has no BTF.
 *
 * Return: 0 or -ENOMEM.
 */
int capability_try_forms(struct sys *sys, struct kernel_types *types,
			 struct capability_forms *forms, struct error *err);
void capability_forms_free(struct capability_forms *forms);

/** capability_type_not_tried() - Return why a type cannot be tried (static), or NULL if it can. */
const char *capability_type_not_tried(uint32_t prog_type);

/* --- helpers --- */

/**
 * capability_try_helper() - Load a program of @form that calls helper number @func.
 * @form: one that loads.
 * @message: CAPABILITY_MESSAGE bytes for the reason of a refusal, or NULL.
 *
 * The verifier checks that the program type has the helper before it checks the arguments, so that
 * the call needs none. For a helper that works on a part of a map's value a program with such a map
 * is loaded as well, since some types are refused the map and not the helper.
 */
enum capability_answer capability_try_helper(struct sys *sys, const struct capability_form *form,
					     uint32_t func, char *message);

/**
 * capability_documented() - Compare with the eBPF documentation (docs.ebpf.io), which may be wrong.
 *
 * Return: 1 if it lists helper @func for @prog_type, 0 if not, -1 if this program has no copy of
 * the list.
 */
int capability_documented(uint32_t prog_type, uint32_t func);

/* --- features --- */

struct capability_feature;

/** typedef capability_try - Try a feature. Return: 0 if it is available, or the kernel's -errno. */
typedef int capability_try(struct sys *sys, const struct capability_feature *feature);

struct capability_feature {
	const char *name;	/* "map type BPF_MAP_TYPE_RINGBUF" */
	const char *since;	/* the first release of Linux with it, for the reader only */
	capability_try *try;
	uint32_t arg;		/* for @try: a map type, a helper ... */
};

extern const struct capability_feature capability_features[];
extern const unsigned int capability_nr_features;

/**
 * capability_try_feature() - Try one of the features.
 * @code: receives the positive errno of a refusal, or 0.
 *
 * Return: never CAPABILITY_SLEEPABLE.
 */
enum capability_answer capability_try_feature(struct sys *sys,
					      const struct capability_feature *feature, int *code);

/* --- events_to_try.c --- */

/**
 * capability_visit_events() - Call @visit with each event that is worth a try.
 * @visit: gets a group ("hardware", "software", "cache", "tracepoint", "breakpoint", "probe" or
 *	"pmu", static), the event, and the sample period to use, or 0 for the default one. A nonzero
 *	result ends the visit.
 *
 * These are the events that perf has names for; tracepoints, breakpoints and probes that this
 * program can make happen; and one event of each other PMU.
 * Return: 0, the result of @visit, or -errno.
 */
int capability_visit_events(struct sys *sys, struct kernel_types *types,
			    int (*visit)(void *arg, const char *group,
					 const struct event_spec *spec, uint64_t period),
			    void *arg, struct error *err);

#endif
