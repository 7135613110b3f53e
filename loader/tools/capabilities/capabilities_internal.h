/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside this room: giving small programs to the verifier. */
#ifndef PLOAD_TOOLS_CAPABILITIES_CAPABILITIES_INTERNAL_H
#define PLOAD_TOOLS_CAPABILITIES_CAPABILITIES_INTERNAL_H

#include "loader/tools/capabilities/capabilities.h"
#include "loader/tools/trial/assemble.h"

/*
 * probe_verify() - load @code as a program of @form. Returns the fd (owned) or -errno, and then in
 * @said (PROBE_SAID bytes; may be NULL) the verifier's last line that is no count of instructions.
 */
int probe_verify(struct sys *sys, const struct probe_form *form, const struct code *code,
		 char *said);

/*
 * probe_btf() - load BTF with an integer of 4 bytes as type 1, and where @kind (BTF_KIND_*) is not
 * BTF_KIND_INT, one type of that kind. Returns its fd (owned) or -errno.
 */
int probe_btf(struct sys *sys, uint32_t kind);

/*
 * probe_btf_load() - BTF of these types and names, each with its size in bytes; the names begin
 * with an empty one. As probe_btf().
 */
int probe_btf_load(struct sys *sys, const uint32_t *types, uint32_t types_size, const char *names,
		   uint32_t names_size);

#endif
