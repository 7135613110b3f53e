// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of structs of functions that the kernel is given. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_struct_ops[] = {
	{ "struct-ops/no-type", "the kernel has no such struct whose functions can be BPF programs",
	  "pload looks for struct bpf_struct_ops_NAME in the BTF of the kernel and its modules: "
	  "register_bpf_struct_ops() makes one.",
	  "bpftool btf dump file /sys/kernel/btf/vmlinux | grep bpf_struct_ops_",
	  "A kernel or module that has it: tcp_congestion_ops 5.6, hid_bpf_ops 6.11, "
	  "sched_ext_ops 6.12, Qdisc_ops 6.16." },
	{ "struct-ops/no-member", "no struct points to the program, so it is in no member",
	  "SEC(\"struct_ops\") says nothing of the member: the struct does, which points to it.",
	  "llvm-objdump -r -j .struct_ops.link FILE",
	  "Put it into the struct, or leave it out." },
	{ "struct-ops/layout", "the object's struct does not fit the kernel's",
	  "pload matches members by name, kind and size (loader/features/struct_ops/layout.c); what the "
	  "kernel does not have has to be 0.",
	  "bpftool btf dump file /sys/kernel/btf/vmlinux format c | grep -A40 'struct NAME {'",
	  "Members as this kernel has them; struct NAME___v2 for another." },
	{ "struct-ops/refused", "the kernel does not register the struct",
	  "bpf_struct_ops_map_update_elem() and bpf_struct_ops_link_create() in "
	  "kernel/bpf/bpf_struct_ops.c: what validate() and reg() of the subsystem say; EEXIST "
	  "for a name that is registered.",
	  "dmesg; bpftool struct_ops list.",
	  "What the subsystem asks for: members that must be there, a name of its own." },
	{ NULL, NULL, NULL, NULL, NULL },
};
