/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A kernel for fuzzing: a few files with contents from the input, and the BTF of one module. */
#ifndef PLOAD_TEST_FUZZ_KERNEL_H
#define PLOAD_TEST_FUZZ_KERNEL_H

#include "elf/bytes.h"
#include "loader/core/sys/sys.h"
#include "test/fuzz/structured.h"
#include "test/fuzz/walk.h"

/* Other paths of the kernel's types and configuration. */
#define FUZZ_TYPES	"types"
#define FUZZ_CONFIG	"config"

struct fuzz_kernel {
	struct sys sys;
	struct bytes vmlinux, module, config, symbols;	/* borrowed; /proc/kallsyms */
	size_t at;	/* how much has been read of the last opened file */
	int nr_open;	/* descriptors */
	int last;	/* number of the last opened file */
};

void fuzz_kernel_init(struct fuzz_kernel *k);

/*
 * fuzz_with_kernel() - run @use with an input that is a pair of an object and a pair of the BTF of a
 * kernel and that of a module. Return: what LLVMFuzzerTestOneInput() does.
 * mutate_kernel() - change the second.
 */
int fuzz_with_kernel(struct bytes input, void (*use)(struct bpf_object *obj, struct fuzz_kernel *k));
mutation mutate_kernel;

#endif
