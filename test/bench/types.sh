#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Writes the C source of types such as a kernel has: those that the objects here relocate against, after STRUCTS others.
# usage: types.sh STRUCTS >types.bpf.c
set -eu
exec awk -v structs="$1" 'BEGIN {
	print "// SPDX-License-" "Identifier: GPL-2.0-only OR BSD-2-Clause"
	for (i = 0; i < structs; i++) {
		printf "struct other_%d { int first_%d; void *second; ", i, i
		if (i)
			printf "struct other_%d *previous; ", i - 1
		printf "unsigned long last_%d; } other_%d;\n", i, i
	}
	print "struct mm_struct { long count; unsigned long start_code, start_stack, arg_start; } mm;"
	print "struct qstr { unsigned int len; const unsigned char *name; } qstr;"
	print "struct dentry { int flags; struct qstr d_name; struct dentry *d_parent; } dentry;"
	print "struct task_struct { long state; int pid, tgid, prio; struct mm_struct *mm; " \
		"struct task_struct *real_parent, *group_leader; } task;"
}' /dev/null
