// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program to profile: most of its time is in inner_hot(), and a sixth in outer(), which calls it. */
#include <time.h>

static volatile unsigned long sink;

/* No call is a tail call: something follows it. */
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
	for (int i = 0; i < 400000; i++)
		sink = sink + i;
}

/* Half a second of its own CPU time: a busy machine changes nothing. */
int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 2)
		outer();
	return 0;
}
