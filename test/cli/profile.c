// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A program to profile: it spends half its time in inner_hot(), called by outer(), and half in
 * aside().
 */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

/* Something follows each call, so that it is not a tail call. */
static __attribute__((noinline)) void inner_hot(void)
{
	for (int i = 0; i < 1000000; i++)
		sink = sink + i;
	__asm__ volatile("");
}

static __attribute__((noinline)) void outer(void)
{
	for (int i = 0; i < 2; i++)
		inner_hot();
	__asm__ volatile("");
}

static __attribute__((noinline)) void aside(void)
{
	for (int i = 0; i < 1000000; i++)
		sink = sink + i;
	__asm__ volatile("");
}

/*
 * Each gets a quarter of a second of CPU time in one piece, so that load does not matter, and a
 * clock that ticks a hundred times in it ticks in both.
 */
int main(void)
{
	/* The C library, which called this, has no frame pointers: the chain ends here. */
	*(void **)__builtin_frame_address(0) = NULL;
	while (clock() < CLOCKS_PER_SEC / 4)
		outer();
	while (clock() < CLOCKS_PER_SEC / 2)
		aside();
	exit(0);
}
