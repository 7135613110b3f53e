/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes caches of the dynamic linker, as ldconfig writes them. */
#ifndef PLOAD_TEST_UNIT_LD_CACHE_BUILDER_H
#define PLOAD_TEST_UNIT_LD_CACHE_BUILDER_H

#include "test/unit/common/buffer.h"

struct cache_library {
	const char *name, *path;
	uint32_t flags;
	const char *hwcaps;	/* NULL: any processor */
	uint64_t old_hwcap;
};

enum cache_form { CACHE_NEW, CACHE_OLD, CACHE_BOTH, CACHE_OTHER_ENDIAN, NR_CACHE_FORMS };

/* ld_cache_make() - @libraries ends with a name NULL. The caller frees. */
struct buffer ld_cache_make(const struct cache_library *libraries, enum cache_form form);

#endif
