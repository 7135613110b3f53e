/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A map of a plain kind, in a line. */
#ifndef PLOAD_REGRESS_MAP_H
#define PLOAD_REGRESS_MAP_H

#include <bpf/bpf_helpers.h>

#define MAP(name, kind, entries, key_type, value_type) \
	struct { \
		__uint(type, BPF_MAP_TYPE_##kind); \
		__uint(max_entries, entries); \
		__type(key, key_type); \
		__type(value, value_type); \
	} name SEC(".maps")

#endif
