/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Features of a kernel that loaders ask for, each tried. */
#ifndef PLOAD_TOOLS_CAPABILITIES_FEATURES_H
#define PLOAD_TOOLS_CAPABILITIES_FEATURES_H

#include "loader/tools/capabilities/capabilities.h"

struct probe_feature {
	const char *name;	/* "map type BPF_MAP_TYPE_RINGBUF" */
	const char *since;	/* the release of Linux that brought it: "5.8". For the reader: the
				 * answer does not depend on it */
	/* Returns 0 (it is there) or the kernel's -errno. */
	int (*try)(struct sys *sys, const struct probe_feature *feature);
	uint32_t arg;		/* a map type ... */
};

extern const struct probe_feature probe_features[];
extern const unsigned int probe_nr_features;

/* probe_feature_try() - PROBE_YES, PROBE_NO or PROBE_DENIED; *@code is the errno of a refusal. */
enum probe_answer probe_feature_try(struct sys *sys, const struct probe_feature *feature,
				    int *code);

#endif
