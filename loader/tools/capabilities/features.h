/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Features of a kernel that loaders ask for, each tried. */
#ifndef PLOAD_TOOLS_CAPABILITIES_FEATURES_H
#define PLOAD_TOOLS_CAPABILITIES_FEATURES_H

#include "loader/tools/capabilities/capabilities.h"

struct capability_feature {
	const char *name;	/* "map type BPF_MAP_TYPE_RINGBUF" */
	const char *since;	/* the release of Linux that brought it: "5.8". For the reader: the
				 * answer does not depend on it */
	/* Returns 0 (it is there) or the kernel's -errno. */
	int (*try)(struct sys *sys, const struct capability_feature *feature);
	uint32_t arg;		/* a map type ... */
};

extern const struct capability_feature capability_features[];
extern const unsigned int capability_nr_features;

/* capability_try_feature() - CAPABILITY_YES, CAPABILITY_NO or CAPABILITY_DENIED; *@code is the errno of a refusal. */
enum capability_answer capability_try_feature(struct sys *sys, const struct capability_feature *feature,
				    int *code);

#endif
