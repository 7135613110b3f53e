#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Writes the C source of a large BPF object: MAPS maps, PROGS programs with RELOCS relocations and CORE CO-RE relocations each.
# usage: large.sh MAPS PROGS RELOCS CORE >large.bpf.c
set -eu
exec awk -v maps="$1" -v progs="$2" -v relocs="$3" -v core="$4" '
# Fields of kernel types that every kernel since 4.18 has.
function field(n) { return fields[n % nr_fields + 1] }
BEGIN {
	print "// SPDX-License-" "Identifier: GPL-2.0-only OR BSD-2-Clause"
	print "/* Made for measuring: " maps " maps, " progs " programs, " relocs " relocations and " core " CO-RE relocations each. */"
	print "#include <linux/bpf.h>\n#include <linux/bpf_perf_event.h>\n#include <bpf/bpf_helpers.h>\n"
	print "#define core __attribute__((preserve_access_index))"
	print "struct mm_struct { unsigned long start_code, start_stack, arg_start; } core;"
	print "struct qstr { unsigned int len; const unsigned char *name; } core;"
	print "struct dentry { struct qstr d_name; struct dentry *d_parent; } core;"
	print "struct task_struct { int pid, tgid, prio; struct mm_struct *mm; struct task_struct *real_parent, *group_leader; } core;\n"
	print "#define offset_of(type, field) __builtin_preserve_field_info(((struct type *)0)->field, 0)\n"
	nr_fields = split("task_struct pid,task_struct tgid,task_struct prio,task_struct mm,task_struct real_parent," \
		"task_struct group_leader,mm_struct start_code,mm_struct start_stack,mm_struct arg_start," \
		"dentry d_name.len,dentry d_name.name,dentry d_parent", fields, ",")
	for (i = 0; i < maps - 1; i++)	# .bss is the last one
		printf "struct { __uint(type, BPF_MAP_TYPE_ARRAY); __type(key, __u32); __type(value, __u64); " \
			"__uint(max_entries, 1); } map_%d SEC(\".maps\");\n", i
	for (i = 0; i < progs; i++)
		printf "__u64 total_%d;\n", i
	print "\nstatic __attribute__((noinline)) int called(__u64 n)\n{\n\treturn n & 1;\n}\n"
	for (i = 0; i < progs; i++) {
		printf "SEC(\"perf_event\") int prog_%d(struct bpf_perf_event_data *ctx)\n{\n", i
		print "\t__u32 key = 0;\n\t__u64 *value, sum = 0;\n"
		# A call and two places of .bss; the rest are maps.
		for (j = 0; j < relocs - 3; j++)
			printf "\tvalue = bpf_map_lookup_elem(&map_%d, &key);\n\tif (value)\n\t\tsum += *value;\n", \
				(i * relocs + j) % (maps - 1)
		for (j = 0; j < core; j++) {
			split(field(i + j), f, " ")
			printf "\tsum += offset_of(%s, %s);\n", f[1], f[2]
		}
		printf "\ttotal_%d += sum;\n\ttotal_%d += called(sum);\n\treturn 0;\n}\n\n", i, (i + 1) % progs
	}
	print "char LICENSE[] SEC(\"license\") = \"Dual BSD/GPL\";"
}' /dev/null
