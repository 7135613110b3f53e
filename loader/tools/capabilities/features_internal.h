/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Inside this room: what the files of the features share, and the functions that try them. */
#ifndef PLOAD_TOOLS_CAPABILITIES_FEATURES_INTERNAL_H
#define PLOAD_TOOLS_CAPABILITIES_FEATURES_INTERNAL_H

#include "loader/tools/capabilities/features.h"
#include "loader/tools/capabilities/capabilities_internal.h"

/* feature_close_new() - close @fd, which was only to be made. Returns 0, or @fd when it is an error. */
int feature_close_new(struct sys *sys, int fd);

/* feature_open_file() - whether @path can be opened. 0 or -errno. */
int feature_open_file(struct sys *sys, const char *path);

/*
 * feature_load_code() - load @code as a program of a section called @section; the fd (owned) or
 * -errno.
 * feature_load_filter() - whether a socket filter may be @code. 0 or -errno.
 */
int feature_load_code(struct sys *sys, const struct code *code, const char *section);
int feature_load_filter(struct sys *sys, const struct code *code);

/* As capability_feature.try, by what feature->arg says. */
int feature_try_call(struct sys *sys, const struct capability_feature *feature);
int feature_try_loop(struct sys *sys, const struct capability_feature *feature);
int feature_try_jmp32(struct sys *sys, const struct capability_feature *feature);
int feature_try_atomic(struct sys *sys, const struct capability_feature *feature);
int feature_try_signed_load(struct sys *sys, const struct capability_feature *feature);
int feature_try_may_goto(struct sys *sys, const struct capability_feature *feature);
int feature_try_helper(struct sys *sys, const struct capability_feature *feature);
int feature_try_map(struct sys *sys, const struct capability_feature *feature);
int feature_try_ring(struct sys *sys, const struct capability_feature *feature);
int feature_try_map_flags(struct sys *sys, const struct capability_feature *feature);
int feature_try_map_of_maps(struct sys *sys, const struct capability_feature *feature);
int feature_try_global_data(struct sys *sys, const struct capability_feature *feature);
int feature_try_batch(struct sys *sys, const struct capability_feature *feature);
int feature_try_link(struct sys *sys, const struct capability_feature *feature);
int feature_try_link_info(struct sys *sys, const struct capability_feature *feature);
int feature_try_config3(struct sys *sys, const struct capability_feature *feature);
int feature_try_sigtrap(struct sys *sys, const struct capability_feature *feature);
int feature_try_kprobe_pmu(struct sys *sys, const struct capability_feature *feature);
int feature_try_uprobe_pmu(struct sys *sys, const struct capability_feature *feature);
int feature_try_uprobe_multi(struct sys *sys, const struct capability_feature *feature);

#endif
