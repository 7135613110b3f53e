// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program to profile: half its time is in inner_hot(), which outer() calls, half in aside(). */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

/* Calls are no tail calls: something follows them. */
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
 * A quarter of a second of its own CPU time for each, in one piece: a busy machine changes nothing,
 * and a clock that ticks a hundred times in it ticks in both.
 */
int main(void)
{
	/* The C library, which called this, has no frame pointers: the list of them ends here. */
	*(void **)__builtin_frame_address(0) = NULL;
	while (clock() < CLOCKS_PER_SEC / 4)
		outer();
	while (clock() < CLOCKS_PER_SEC / 2)
		aside();
	exit(0);
}
