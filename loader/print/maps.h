/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Print the contents of maps. Implemented in rows/. */
#ifndef PLOAD_PRINT_MAPS_H
#define PLOAD_PRINT_MAPS_H

#include "loader/kernel/kernel.h"
#include "loader/print/output.h"
#include "loader/sys/cpus.h"

/**
 * output_maps() - Print a message for each element of each map that can be read:
 *
 *	{"type":"map","map":NAME,"key":...,"value":...}	a per-CPU value: [{"cpu":N,"value":...},...]
 *	{"type":"stack","map":NAME,"id":N,"ips":["0x...",...]}	by build id: {"build_id":,"offset":}
 *	{"type":"data","map":NAME,"value":{...}}	variables; read-only: nothing
 *	{"type":"map-skipped","map":NAME,"map_type":"queue","why":...}
 *
 * With @out->stacks, each element of a map whose key or value has stacks is printed with them,
 * after a message "stack-fields". The stack maps come last then, and those that rows refer to are
 * only counted: {"type":"stack-map","map":NAME,"elements":N,"in_no_row":N}.
 *
 * "map-skipped" reports a map that cannot be read, or not without changing it. Maps that hold only
 * descriptors, or records that were printed as they came, have no message. The text format prints a
 * headline before each map, sorts its elements (largest number first, else by key), and reports how
 * many it omits.
 * @possible: the possible CPUs; may be empty if the object has no per-CPU map.
 */
int output_maps(struct sys *sys, struct output *out, const struct kernel_object *k,
		const struct cpu_list *possible, struct error *err);

/**
 * output_check_hists() - Refuse a --hist that names no map of @obj, or no scale. "print/no-map".
 */
int output_check_hists(const struct output *out, const struct bpf_object *obj, struct error *err);

#endif
