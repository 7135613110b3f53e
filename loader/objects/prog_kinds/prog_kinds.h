/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The section names of programs, beyond those that the core knows. */
#ifndef PLOAD_OBJECTS_PROG_KINDS_PROG_KINDS_H
#define PLOAD_OBJECTS_PROG_KINDS_PROG_KINDS_H

#include "loader/core/object/feature.h"

extern const struct object_feature object_prog_kinds;

/* explain_kind() - FAILED_KIND: suggest the name that was meant. */
void explain_kind(struct sys *sys, const void *call, struct error *err);

#endif
