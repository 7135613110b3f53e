/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Declarations in an object besides BTF maps, data and programs: rows of `features`. */
#ifndef PLOAD_OBJECTS_DECLARED_DECLARED_H
#define PLOAD_OBJECTS_DECLARED_DECLARED_H

#include "loader/core/object/feature.h"

extern const struct object_feature object_externs, object_legacy_maps, object_jump_tables,
	object_exceptions, object_slots, object_struct_ops, object_arenas;

/* explain_unresolved() - FAILED_SYMBOL. explain_insn() - FAILED_INSN: the line of the source. */
void explain_unresolved(struct sys *sys, const void *call, struct error *err);
void explain_insn(struct sys *sys, const void *call, struct error *err);

#endif
