/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* /etc/ld.so.cache: which file the dynamic linker of glibc takes for the name of a library. */
#ifndef PLOAD_ELF_EXEC_LD_CACHE_H
#define PLOAD_ELF_EXEC_LD_CACHE_H

#include "elf/bytes.h"
#include "elf/error.h"

struct ld_cache {
	struct bytes file;	/* borrowed */
	struct bytes entries;	/* nr of them ... */
	uint32_t nr, entry_size;
	struct bytes strings;	/* ... and what their offsets of strings count in */
	struct bytes hwcaps;	/* offsets of names of processors, in file */
	bool swap;
};

/* Which machine a library is for; of the flags, without the bits that say it is ELF for glibc. */
#define LD_CACHE_MACHINE 0xff00
#define LD_CACHE_I386 0x0000
#define LD_CACHE_X86_64 0x0300
#define LD_CACHE_S390X 0x0400
#define LD_CACHE_X32 0x0800
#define LD_CACHE_ARM64 0x0a00

struct ld_library {
	const char *name;	/* "libc.so.6" */
	const char *path;	/* where it is */
	uint32_t machine;	/* LD_CACHE_* */
	const char *hwcaps;	/* the processor it needs, "x86-64-v3"; NULL: any */
	bool old_hwcaps;	/* it needs one that only glibc before 2.33 knows how to tell */
};

/*
 * ld_cache_parse() - the cache in @file, of the new format (glibc 2.2 on), alone or behind one of
 * the old, or of the old alone. Fails with EBADMSG: it is none, or ends before its entries do.
 * Source: sysdeps/generic/dl-cache.h of glibc.
 */
int ld_cache_parse(struct ld_cache *cache, struct bytes file, struct error *err);

/* ld_cache_library() - entry @i, which is below nr. false: it is damaged, or none of ELF. */
bool ld_cache_library(const struct ld_cache *cache, uint32_t i, struct ld_library *lib);

#endif
