// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table `features` of pload. */
#include "loader/sessions/groups/groups.h"
#include "loader/events/attach/events.h"
#include "loader/events/grammar/events.h"
#include "loader/objects/older_kernels/compat.h"
#include "loader/objects/special_maps/special_maps.h"
#include "loader/objects/declared/declared.h"
#include "loader/objects/loading/loading.h"
#include "loader/objects/prog_kinds/prog_kinds.h"
#include "loader/objects/targets/targets.h"

extern const struct plan_feature plan_uprobes;	/* objects/probe_locations/resolve_uprobes.c */

const struct feature features[] = {
	{ .name = "notes for a trace", .load = &load_link_notes },
	{ .name = "options of a load", .load = &load_options },
	{ .name = "kinds of programs", .object = &object_prog_kinds },
	{ .name = "CO-RE relocations", .load = &load_co_re },
	{ .name = "externs", .object = &object_externs, .load = &load_externs },
	{ .name = "maps without BTF", .object = &object_legacy_maps },
	{ .name = "exception callbacks", .object = &object_exceptions },
	{ .name = "initial elements of maps", .object = &object_slots,
	  .kernel = &kernel_maps_of_maps },
	{ .name = "structs of functions", .object = &object_struct_ops, .load = &load_struct_ops },
	{ .name = "load targets", .load = &load_load_target },
	{ .name = "uses of maps", .load = &load_usage },
	{ .name = "jump tables", .object = &object_jump_tables, .load = &load_jump_tables },
	{ .name = "program arrays", .load = &load_prog_arrays },
	{ .name = "arenas", .object = &object_arenas, .kernel = &kernel_arenas },
	{ .name = "maps that are pinned by name", .kernel = &kernel_pinned_maps },
	{ .name = "older kernels", .kernel = &kernel_older, .load = &load_compat_notes },
	{ .name = "names and lists of events", .event = &event_grammar },
	{ .name = "cycles by default", .event = &event_default_cycles },
	{ .name = "scopes beside -p and -C", .event = &event_scopes },
	{ .name = "probes", .attach = &attach_probes },
	{ .name = "event groups", .attach = &attach_groups },
	{ .name = "alternatives and groups of events", .plan = &plan_groups },
	{ .name = "link targets", .plan = &plan_targets },
	{ .name = "test runs", .plan = &plan_test_run },
	{ .name = "locations of uprobes", .plan = &plan_uprobes },
	{ .name = "threads that start meanwhile", .attach = &attach_new_threads },
	{ .name = "more descriptors than the limit", .attach = &attach_fd_limit },
	{ .name = "notes about events", .attach = &attach_surprises },
	{ 0 },
};
