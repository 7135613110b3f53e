/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions of this program at known addresses and made of known instructions, with which registers
 * and stacks reported by a program can be checked. Each has its own section, for whose ends the
 * linker defines symbols, and a frame pointer.
 */
#ifndef PLOAD_REGRESS_KNOWN_H
#define PLOAD_REGRESS_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

struct known_range {
	uint64_t low, high;	/* the function is in [low, high) */
};

#define KNOWN_RANGE(name) ({ \
	extern const char __start_known_fn_##name[], __stop_known_fn_##name[]; \
	(struct known_range){ (uintptr_t)__start_known_fn_##name, \
			      (uintptr_t)__stop_known_fn_##name }; \
})

/* known_within() - whether it contains @address, which may be a return address. */
bool known_within(struct known_range range, uint64_t address);

/*
 * known_store() - write 8 bytes at @at with the instruction at known_store_at. known_ready() ran it
 * before, so that all pages of its code are present.
 */
void known_store(volatile uint64_t *at);
void known_ready(void);
extern const char known_store_at[];

/* known_spin() - count down from @rounds and do nothing else. */
void known_spin(uint64_t rounds);

/* known_six() - a + 10 b + 100 c + 1000 d + 10000 e + 100000 f */
unsigned long known_six(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			unsigned long e, unsigned long f);

/*
 * known_outer() calls known_middle(), which calls known_inner(), which calls @leaf with @arg.
 * Leaves: known_touch() is known_store() to the page @arg, known_ask() is getppid().
 */
void known_outer(void (*leaf)(void *arg), void *arg);
void known_touch(void *page);
void known_ask(void *unused);

/* known_left(), known_right() - call known_inner(): two ways to one leaf. */
void known_left(void (*leaf)(void *arg), void *arg);
void known_right(void (*leaf)(void *arg), void *arg);

/* known_deep() - call itself @depth times, then known_store(). */
void known_deep(unsigned int depth, volatile uint64_t *page);

/* known_unwinds() - whether frame pointers suffice to unwind the stacks of this program. */
bool known_unwinds(void);

/*
 * known_offset() - the file offset of @address, which is in a function of this program, or 0. For a
 * uprobe.
 */
uint64_t known_offset(const void *address);

/* known_build_id() - the build ID of this program. false: it has none of that length. */
#define KNOWN_BUILD_ID 20
bool known_build_id(uint8_t bytes[KNOWN_BUILD_ID]);

#endif
