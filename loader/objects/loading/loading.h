/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The features of an object that take part in its loading: rows of `features`. */
#ifndef PLOAD_OBJECTS_LOADING_LOADING_H
#define PLOAD_OBJECTS_LOADING_LOADING_H

#include "loader/core/session/load.h"

extern const struct load_feature load_options, load_co_re, load_externs, load_struct_ops,
	load_link_notes, load_load_target, load_usage, load_jump_tables, load_prog_arrays,
	load_compat_notes;

#endif
