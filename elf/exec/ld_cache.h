/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* /etc/ld.so.cache: the file that the dynamic linker of glibc loads for the name of a library. */
#ifndef PLOAD_ELF_EXEC_LD_CACHE_H
#define PLOAD_ELF_EXEC_LD_CACHE_H

#include "elf/bytes.h"
#include "elf/error.h"

struct ld_cache {
	struct bytes file;	/* borrowed */
	struct bytes entries;	/* nr * entry_size bytes */
	uint32_t nr, entry_size;
	struct bytes strings;	/* the bytes in which their offsets of strings count */
	struct bytes hwcaps;	/* offsets in file of the names of processors */
	bool swap;
};

/* The machine that a library is for: bits of the flags of an entry. */
#define LD_CACHE_MACHINE 0xff00
#define LD_CACHE_I386 0x0000
#define LD_CACHE_X86_64 0x0300
#define LD_CACHE_S390X 0x0400
#define LD_CACHE_ARM64 0x0a00

struct ld_library {
	const char *name;	/* "libc.so.6" */
	const char *path;	/* where it is */
	uint32_t machine;	/* LD_CACHE_* */
	const char *hwcaps;	/* the processor that it needs, "x86-64-v3"; NULL: any */
	bool old_hwcaps;	/* it needs features that only glibc before 2.33 can express */
};

/* ld_cache_parse() - Check the cache in @file. Return: 0 or -EBADMSG. */
int ld_cache_parse(struct ld_cache *cache, struct bytes file, struct error *err);

/*
 * ld_cache_library() - Return entry @i, which is below nr; false: damaged, or not an ELF library of
 * glibc.
 */
bool ld_cache_library(const struct ld_cache *cache, uint32_t i, struct ld_library *lib);

#endif
