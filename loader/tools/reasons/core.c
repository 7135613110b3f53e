// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of CO-RE, and of the types of the kernel that it is done against. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_core[] = {
	{ "core/not-met", "the kernel lacks a field, type or value that the program reads",
	  "pload looks for each in the kernel's BTF as libbpf does; an instruction that needs "
	  "what is not there becomes one that the verifier refuses if it can be reached (call "
	  "unknown#195896080).",
	  "bpftool btf dump file /sys/kernel/btf/vmlinux | grep -A9 \"STRUCT 'NAME'\"",
	  "bpf_core_field_exists() before reading it; a struct NAME___old beside NAME." },
	{ "core/relocation", "a CO-RE relocation does not fit its instruction or types",
	  "pload checks the path of members, the kind, and whether the instruction can hold the "
	  "value (loader/core).",
	  "llvm-objdump -dr FILE; bpftool btf dump file FILE.", "Compile the object again." },
	{ "types/no-btf", "the types that are asked for cannot be read",
	  "pload reads /sys/kernel/btf/vmlinux, or the file of --btf, raw or an ELF file with "
	  ".BTF.",
	  "ls -l /sys/kernel/btf/vmlinux; bpftool btf dump file FILE | head.",
	  "A kernel with CONFIG_DEBUG_INFO_BTF, or --btf=FILE for one without." },
	{ "types/modules", "the types of the kernel's modules cannot be listed",
	  "BPF_BTF_GET_NEXT_ID and BPF_BTF_GET_FD_BY_ID in kernel/bpf/syscall.c: CAP_SYS_ADMIN.",
	  "bpftool btf list", "Run as root." },
	{ "types/kallsyms", "the kernel's symbols cannot be read",
	  "/proc/kallsyms, by open and read.",
	  "head /proc/kallsyms", "mount /proc; CONFIG_KALLSYMS." },
	{ NULL, NULL, NULL, NULL, NULL },
};
