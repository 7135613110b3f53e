/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* /etc/ld.so.cache: where glibc's dynamic linker looks up the file of a library name. */
#ifndef PLOAD_ELF_EXEC_LD_CACHE_H
#define PLOAD_ELF_EXEC_LD_CACHE_H

#include "elf/bytes.h"
#include "elf/error.h"

struct ld_cache {
	struct bytes file;	/* borrowed */
	struct bytes entries;	/* nr * entry_size bytes */
	uint32_t nr, entry_size;
	struct bytes strings;	/* where their string offsets point */
	struct bytes hwcaps;	/* offsets in file of the processors' names */
	bool swap;
};

/* The machine of a library: bits of an entry's flags. */
#define LD_CACHE_MACHINE 0xff00
#define LD_CACHE_I386 0x0000
#define LD_CACHE_X86_64 0x0300
#define LD_CACHE_S390X 0x0400
#define LD_CACHE_ARM64 0x0a00

struct ld_library {
	const char *name;	/* "libc.so.6" */
	const char *path;	/* path of the library */
	uint32_t machine;	/* LD_CACHE_* */
	const char *hwcaps;	/* the processor it requires, "x86-64-v3"; NULL: any */
	bool old_hwcaps;	/* requires features that only glibc before 2.33 can express */
};

/* ld_cache_parse() - Validate the cache in @file. Return: 0 or -EBADMSG. */
int ld_cache_parse(struct ld_cache *cache, struct bytes file, struct error *err);

/*
 * ld_cache_library() - Get entry @i < nr; return false if it is damaged or not a glibc ELF library.
 */
bool ld_cache_library(const struct ld_cache *cache, uint32_t i, struct ld_library *lib);

#endif
