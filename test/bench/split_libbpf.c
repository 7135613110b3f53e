// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Load objects with libbpf, with a clock around its system calls (ld --wrap=syscall). usage:
 * split_libbpf ROUNDS OBJECT...
 */
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include <linux/bpf.h>

#include "test/bench/release.h"
#include "test/bench/split.h"

#ifndef SUBJECT
#define SUBJECT "libbpf"
#endif

static struct split split;
static bool loading;	/* only measure bpf(2) meanwhile */

long __real_syscall(long nr, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long nr, long a, long b, long c, long d, long e, long f);

long __wrap_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
	long ret;

	if (nr != __NR_bpf || !loading)
		return __real_syscall(nr, a, b, c, d, e, f);
	split_enter(&split);
	ret = __real_syscall(nr, a, b, c, d, e, f);
	if (a == BPF_PROG_LOAD)
		release_keep(ret);
	split_leave(&split);
	return ret;
}

static int load(const char *path)
{
	struct bpf_object *obj;
	int ret;

	loading = true;
	split_begin(&split);
	obj = bpf_object__open_file(path, NULL);
	ret = obj ? bpf_object__load(obj) : -1;
	if (!ret)
		split_end(&split, path);
	loading = false;
	bpf_object__close(obj);
	return ret;
}

int main(int argc, char **argv)
{
	release_prepare();
	split_prepare();
	for (int round = argc > 2 ? atoi(argv[1]) : 0; round > 0; round--) {
		for (int i = 2; i < argc; i++) {
			if (load(argv[i]) || release_all())
				return 1;
		}
	}
	split_report(SUBJECT);
	return 0;
}
