// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of what an object expects the kernel to have: config values, symbols, functions. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_externs[] = {
	{ "externs/missing", "the kernel has no such symbol, function or config value",
	  "pload looks in /proc/kallsyms, in the kernel's and its modules' BTF, and in its "
	  "configuration, as the section of the extern says.",
	  "grep -w NAME /proc/kallsyms; zgrep NAME /proc/config.gz.",
	  "__weak makes it optional: 0 when it is not there; modprobe the module." },
	{ "externs/not-supported", "the kernel is too old for what the program takes from it",
	  "Kernel functions came with 5.13, those of modules with 5.16, typed variables with "
	  "5.10.",
	  "uname -r", "A newer kernel, or __weak and another way in the program." },
	{ "externs/hidden-addresses", "/proc/kallsyms shows no addresses to this process",
	  "kallsyms_show_value() in kernel/ksyms_common.c: it takes CAP_SYSLOG, and "
	  "kernel.kptr_restrict below 2.",
	  "head -n 1 /proc/kallsyms; sysctl kernel.kptr_restrict.",
	  "Run as root; sysctl kernel.kptr_restrict=1." },
	{ "externs/config", "the kernel's configuration cannot be read or does not fit",
	  "pload reads /proc/config.gz, /boot/config-RELEASE, or the file of --kconfig; a value "
	  "has to fit the type of the extern.",
	  "zcat /proc/config.gz | grep NAME",
	  "--kconfig=FILE; CONFIG_IKCONFIG_PROC; another type." },
	{ "externs/type", "the extern's type is not that of the kernel",
	  "pload compares the object's BTF with the kernel's (loader/features/externs/typed.c).",
	  "bpftool btf dump file /sys/kernel/btf/vmlinux | grep \"'NAME'\"",
	  "Declare it as the kernel does." },
	{ NULL, NULL, NULL, NULL, NULL },
};
