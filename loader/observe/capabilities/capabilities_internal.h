/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions that only the files of this room use: loading small programs and small BTF. */
#ifndef PLOAD_OBSERVE_CAPABILITIES_CAPABILITIES_INTERNAL_H
#define PLOAD_OBSERVE_CAPABILITIES_CAPABILITIES_INTERNAL_H

#include "loader/observe/capabilities/capabilities.h"
#include "loader/explain/kernel/assemble.h"

/**
 * capability_verify() - Load @code as a program of @form.
 * @message: CAPABILITY_MESSAGE bytes for the last line of the verifier's log, or NULL.
 *
 * Return: descriptor, owned by the caller, or -errno.
 */
int capability_verify(struct sys *sys, const struct capability_form *form, const struct code *code,
		      char *message);

/**
 * small_btf_load() - Load BTF of @types and @names, each with its size in bytes.
 * @names: begins with an empty name.
 * small_btf_load_kind() - Load BTF with a 4-byte integer as type 1, followed by a type of @kind
 *	(BTF_KIND_*) unless that is BTF_KIND_INT.
 *
 * Return: descriptor, owned by the caller, or -errno.
 */
int small_btf_load(struct sys *sys, const uint32_t *types, uint32_t types_size, const char *names,
		   uint32_t names_size);
int small_btf_load_kind(struct sys *sys, uint32_t kind);

/* --- features --- */

/** feature_close_new() - Close @fd unless it is an error. Return: 0 or that error. */
int feature_close_new(struct sys *sys, int fd);

/** feature_load_code() - Load @code for the section @section. Return: descriptor or -errno. */
int feature_load_code(struct sys *sys, const struct code *code, const char *section);

/** feature_load_filter() - Load @code as a socket filter and close it. Return: 0 or -errno. */
int feature_load_filter(struct sys *sys, const struct code *code);

/* Indices into the small programs of features_instructions.c, as capability_feature.arg. */
enum { CODE_CALL, CODE_LOOP, CODE_JMP32, CODE_XCHG, CODE_LOAD_ACQUIRE, CODE_SIGNED_LOAD,
       CODE_MAY_GOTO };

capability_try feature_try_code, feature_try_helper;	/* features_instructions.c */
capability_try feature_try_map, feature_try_map_flags, feature_try_map_of_maps,
	feature_try_global_data, feature_try_batch;	/* features_maps.c */
capability_try feature_try_link, feature_try_link_info, feature_try_attr_field,
	feature_try_sigtrap, feature_try_uprobe_multi;			/* features_events.c */

#endif
