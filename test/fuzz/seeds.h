/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Small inputs made for fuzzing, where compiled objects would be too large. */
#ifndef PLOAD_TEST_FUZZ_SEEDS_H
#define PLOAD_TEST_FUZZ_SEEDS_H

#include <stdbool.h>

#include "test/unit/common/buffer.h"

/*
 * An object with CO-RE relocations of every kind, and BTF of a kernel for them. The caller frees.
 */
struct buffer seed_core_object(void);
struct buffer seed_core_target(void);

/*
 * An object with externs of every kind, all of which these texts define, and BTF of a kernel for
 * them.
 */
#define SEED_CONFIG	"CONFIG_BOOL=y\nCONFIG_TRISTATE=m\nCONFIG_CHAR=n\nCONFIG_INT=-42\n" \
			"# CONFIG_LONG is not set\nCONFIG_TEXT=\"a \\\"b\\\"\"\n"
#define SEED_SYMBOLS	"ffffffff81000000 T a_symbol\nffffffff81000010 t another\t[m]\n"

#define SEED_IN_MODULE	"in_module"	/* a function in the module, */
#define SEED_PROTO	8		/* with this type from the kernel */

struct buffer seed_extern_object(void);
struct buffer seed_extern_kernel(void);

/*
 * An object with structs of functions, to be registered or (@link) linked, and BTF of a kernel that
 * has them.
 */
struct buffer seed_ops_object(bool link);
struct buffer seed_ops_kernel(void);

/*
 * Return the @i'th event with a machine for it, in the form read by target_events.c; NULL: no more.
 */
const char *seed_events(unsigned int i);

/* Files in which probes are looked up. The caller frees them. */
#define NR_SEEDS_PROBED 20
struct buffer seed_probed(unsigned int form);

#endif
