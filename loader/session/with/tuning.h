/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What --map and --set change in an object before it is loaded. */
#ifndef PLOAD_SESSION_WITH_TUNING_H
#define PLOAD_SESSION_WITH_TUNING_H

#include "loader/session/options.h"
#include "loader/object/object.h"

/*
 * tuning_check() - whether the texts of --map and --set are NAME=VALUE, whatever object they are
 * for. EINVAL.
 */
int tuning_check(const struct load_options *o, struct error *err);

/*
 * tuning_apply() - change @obj as @o says; texts of @o are borrowed by it. Fails with EINVAL,
 * ENOENT, EEXIST, ERANGE, ENOTSUP, where "--set NAME=VALUE".
 */
int tuning_apply(struct bpf_object *obj, const struct load_options *o, struct error *err);

#endif
