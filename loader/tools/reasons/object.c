// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Pages of objects that cannot be read or understood, and of what the command line changes in them.
 */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_object[] = {
	{ "object/no-file", "the file cannot be opened or read",
	  "openat(2) and read(2): not there, not readable for this user, or an error of the "
	  "disk.",
	  "ls -l FILE; file FILE.",
	  "The path of a BPF object, such as build/progs/ip_count.bpf.o." },
	{ "object/not-a-file", "it is a directory, device, FIFO or socket",
	  "pload reads regular files only: what is read twice has to stay as it is.",
	  "ls -ld FILE", "Copy it into a file. A directory of objects: pload load DIR/*.o." },
	{ "object/too-large", "the file is larger than any BPF object",
	  "pload reads files up to 256 MB, and links programs up to 64 million instructions.",
	  "ls -l FILE; llvm-size FILE.", "Another file; --prog=NAME for one of many programs." },
	{ "object/elf", "the file is no ELF object for BPF, or is damaged",
	  "pload checks every offset, size and index of headers, sections and symbols against "
	  "the file (elf/image.c, elf/sections.c, elf/symbols.c, elf/relocs.c).",
	  "readelf -hSs FILE",
	  "clang -target bpf -O2 -g -c makes one; an archive or a linked program is none." },
	{ "object/btf", "the object's BTF is not what BTF has to be",
	  "pload checks each type of .BTF and each record of .BTF.ext (elf/btf_check.c, "
	  "elf/btf_ext.c), as btf_check_all_metas() of the kernel will.",
	  "bpftool btf dump file FILE",
	  "Compile it again, with a clang that knows BPF; pahole may have damaged it." },
	{ "object/version", "the section \"version\" is too short",
	  "A kernel version is a u32.",
	  "readelf -x version FILE",
	  "unsigned int version SEC(\"version\") = LINUX_VERSION_CODE; or none: it is ignored "
	  "since Linux 5.0." },
	{ "object/extern", "a symbol that is to come from elsewhere cannot be",
	  "pload takes undefined symbols for config values, kernel symbols and kernel "
	  "functions, by the section that their BTF says: .kconfig, .ksyms.",
	  "readelf -s FILE | grep UND",
	  "extern ... __kconfig or __ksym; define it; link the objects with bpftool gen object." },
	{ "object/map", "a map's definition is not one",
	  "pload reads .maps by BTF and maps by struct bpf_map_def (loader/object/maps_*.c).",
	  "bpftool btf dump file FILE, at DATASEC '.maps'.",
	  "struct { __uint(type, BPF_MAP_TYPE_HASH); __type(key, int); ... } name "
	  "SEC(\".maps\");" },
	{ "object/program", "a program or function is not where or what its symbol says",
	  "pload compares symbols, sections and instructions (loader/object/funcs.c): whole "
	  "instructions, no gaps, functions in executable sections.",
	  "llvm-objdump -d FILE",
	  "Compile it again; hand-made objects may have symbols without size." },
	{ "object/relocation", "an instruction refers to something that cannot be put there",
	  "pload resolves every relocation of the code (loader/object/resolve.c): maps, "
	  "variables, functions, externs.",
	  "llvm-objdump -dr FILE",
	  "Define the symbol, or declare it weak; thread-local and common symbols are not for "
	  "BPF." },
	{ "object/slot", "what a map begins with is not what it takes",
	  "pload fills program arrays and maps of maps by the relocations of .maps "
	  "(loader/object/more/maps_slots.c).",
	  "llvm-objdump -r -j .maps FILE",
	  "Programs into program arrays, maps like the inner one into maps of maps." },
	{ "object/struct-ops", "a struct of functions is not one",
	  "pload reads .struct_ops by BTF (loader/object/more/struct_ops.c): each member that is a "
	  "function points to a program or is 0.",
	  "bpftool btf dump file FILE",
	  "struct tcp_congestion_ops x = { .init = (void *)prog }; in SEC(\".struct_ops\")." },
	{ "object/no-program", "the object has no program of that name",
	  "pload compares --prog with the names of the object's programs; '*' and '?' match.",
	  "llvm-objdump -t FILE", "A name of the hint." },
	{ "object/set", "the variable of --set cannot be set so",
	  "pload finds variables by BTF (loader/object/more/find_variable.c), and the value has to fit "
	  "the type.",
	  "bpftool btf dump file FILE, at DATASEC.",
	  "--set NAME=VALUE, NAME.MEMBER=VALUE, NAME[3]=VALUE." },
	{ "object/map-option", "the map of --map cannot be changed so",
	  "pload finds the map by its name, and the field among those that can be changed.",
	  "pload load -v FILE", "--map NAME.max_entries=N; pload --help has the fields." },
	{ NULL, NULL, NULL, NULL, NULL },
};
