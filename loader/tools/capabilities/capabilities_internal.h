/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside this room: giving small programs to the verifier. */
#ifndef PLOAD_TOOLS_CAPABILITIES_CAPABILITIES_INTERNAL_H
#define PLOAD_TOOLS_CAPABILITIES_CAPABILITIES_INTERNAL_H

#include "loader/tools/capabilities/capabilities.h"
#include "loader/tools/trial/assemble.h"

/*
 * capability_verify() - load @code as a program of @form. Returns the fd (owned) or -errno, and then in
 * @said (CAPABILITY_MESSAGE bytes; may be NULL) the verifier's last line that is no count of instructions.
 */
int capability_verify(struct sys *sys, const struct capability_form *form, const struct code *code,
		 char *said);

/*
 * small_btf_load_kind() - load BTF with an integer of 4 bytes as type 1, and where @kind (BTF_KIND_*) is not
 * BTF_KIND_INT, one type of that kind. Returns its fd (owned) or -errno.
 */
int small_btf_load_kind(struct sys *sys, uint32_t kind);

/*
 * small_btf_load() - BTF of these types and names, each with its size in bytes; the names begin
 * with an empty one. As small_btf_load_kind().
 */
int small_btf_load(struct sys *sys, const uint32_t *types, uint32_t types_size, const char *names,
		   uint32_t names_size);

#endif
