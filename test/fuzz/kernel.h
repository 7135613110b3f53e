/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A kernel for fuzzing: a few files that are what the input says, and the BTF of one module. */
#ifndef PLOAD_TEST_FUZZ_KERNEL_H
#define PLOAD_TEST_FUZZ_KERNEL_H

#include "elf/bytes.h"
#include "loader/core/sys/sys.h"

/* Paths by which the kernel's types and its configuration are also there. */
#define FUZZ_TYPES	"types"
#define FUZZ_CONFIG	"config"

struct fuzz_kernel {
	struct sys sys;
	struct bytes vmlinux, module, config, symbols;	/* borrowed; /proc/kallsyms */
	size_t at;	/* read so far of the file opened last */
	int nr_open;	/* descriptors */
	int last;	/* number of the file opened last */
};

void fuzz_kernel_init(struct fuzz_kernel *k);

#endif
