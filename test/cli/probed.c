// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A program to be probed by symbols.sh: several kinds of functions, and USDT probes whose notes are
 * written by hand as <sys/sdt.h> writes them. With -DPART it is a second file of the same program.
 */
#ifdef PART

__attribute__((noinline, used)) static int twice(int a)
{
	return a * 3;
}

int part(int a)
{
	return twice(a);
}

#else

#include <stdio.h>
#include <stdlib.h>

#include "probed.h"

/*
 * How to write an argument that the compiler has placed: the number of the operand, and its name.
 */
#if defined(__x86_64__)
#define COUNTED	"4@counted(%%rip)"
#else
#define COUNTED	"4@0"
#endif

unsigned short probed_begin_semaphore __attribute__((section(".probes"), used));
int counted __attribute__((used)) = 41;
int part(int a);

__attribute__((noinline, used)) static int twice(int a)
{
	return a * 2;
}

__attribute__((noinline)) int work(int round, long sum)
{
	short table[4] = { 1, -2, 3, -4 };

	PROBE("probed", "begin", "probed_begin_semaphore", "-4@%0 8@%1 -2@%2 1@%3", "r"(round),
	      "r"(sum), "m"(table[round & 3]), "r"((char)round));
	counted++;
	PROBE("probed", "end", "0", COUNTED " 8f@%0", "r"(sum));
	PROBE_AT(FAST_NOP, "probed", "fast", "0", "-4@%0", "r"(round));
	return twice(round);
}

int main(int argc, char **argv)
{
	const volatile unsigned short *listened = &probed_begin_semaphore;
	int rounds = argc > 1 ? atoi(argv[1]) : 0;
	long sum = 0;

	if (argc > 2) {	/* "wait": until the end of standard input */
		printf("waiting\n");
		fflush(stdout);
		while (getchar() != EOF)
			;
	}
	for (int i = 0; i < rounds; i++)
		sum += work(i, 1000 + sum) + part(i);
	PROBE("probed", "begin", "probed_begin_semaphore", "-4@%0 8@%1 -2@%0 1@%0", "r"(-1),
	      "r"(-2L));
	PROBE("probed", "thrice", "0", "-4@%0", "r"(1));
	PROBE("probed", "thrice", "0", "-4@%0", "r"(2));
	PROBE("probed", "thrice", "0", "-4@%0", "r"(3));
	printf("listened %u\n", *listened);
	return 0;
}

#endif
