// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Loads objects as libbpf does, with a clock around its system calls (ld --wrap=syscall). usage:
 * split_libbpf ROUNDS OBJECT...
 */
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "test/bench/split.h"

static struct split split;

long __real_syscall(long nr, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long nr, long a, long b, long c, long d, long e, long f);

long __wrap_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
	long ret;

	if (nr == __NR_bpf)
		split_enter(&split);
	ret = __real_syscall(nr, a, b, c, d, e, f);
	if (nr == __NR_bpf)
		split_leave(&split);
	return ret;
}

int main(int argc, char **argv)
{
	for (int round = argc > 2 ? atoi(argv[1]) : 0; round > 0; round--) {
		for (int i = 2; i < argc; i++) {
			struct bpf_object *obj;

			split_begin(&split);
			obj = bpf_object__open_file(argv[i], NULL);
			if (!obj || bpf_object__load(obj))
				return 1;
			split_end(&split, argv[i]);
			bpf_object__close(obj);
		}
	}
	split_report("libbpf");
	return 0;
}
