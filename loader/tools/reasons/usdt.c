// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of USDT probes whose programs cannot be told where the arguments are. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_usdt[] = {
	{ "usdt/layout", "the object's maps for USDT probes are not those of usdt.bpf.h",
	  "Programs read where their arguments are in the maps __bpf_usdt_specs and "
	  "__bpf_usdt_ip_to_spec_id, which pload fills (loader/features/symbols/usdt_spec.c).",
	  "bpftool btf dump file OBJ | grep -A8 __bpf_usdt.",
	  "Include bpf/usdt.bpf.h, ours or libbpf's, and compile with -g." },
	{ "usdt/map", "a map for USDT probes does not take what is to be in it",
	  "Each different list of arguments is an entry of __bpf_usdt_specs, and each address one "
	  "of __bpf_usdt_ip_to_spec_id.",
	  "--trace shows BPF_MAP_UPDATE_ELEM.",
	  "--map=NAME.max_entries=N, or -DBPF_USDT_MAX_SPEC_CNT=N when compiling." },
	{ "usdt/no-address", "a program cannot know at which USDT probe it is",
	  "By ioctl and pmu a program has no cookie, and looks for the address it was reached at: "
	  "each process has a library or a PIE program at another.",
	  "readelf -h PATH: type EXEC is at the same address everywhere, DYN is not.",
	  "--attach=link (Linux 5.15), or -p PID for processes that run already." },
	{ NULL, NULL, NULL, NULL, NULL },
};
