// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A program to be probed, by symbols.sh: functions of several sorts, and USDT probes whose notes
 * are written by hand, as <sys/sdt.h> writes them. With -DPART it is a second file of the same
 * program.
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

#if __SIZEOF_POINTER__ == 8
#define ADDRESS ".8byte "
#else
#define ADDRESS ".4byte "
#endif

/* A nop where the probe is, and a note that is not loaded. The base shows what prelink has moved. */
#define PROBE(provider, name, semaphore, args, ...) \
	__asm__ volatile("990: nop\n" \
			 ".pushsection .note.stapsdt,\"?\",\"note\"\n" \
			 ".balign 4\n" \
			 ".4byte 992f-991f, 994f-993f, 3\n" \
			 "991: .asciz \"stapsdt\"\n" \
			 "992: .balign 4\n" \
			 "993: " ADDRESS "990b\n" \
			 ADDRESS "_.stapsdt.base\n" \
			 ADDRESS semaphore "\n" \
			 ".asciz \"" provider "\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n" \
			 "994: .balign 4\n" \
			 ".popsection\n" \
			 ".ifndef _.stapsdt.base\n" \
			 ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
			 ".weak _.stapsdt.base\n" \
			 ".hidden _.stapsdt.base\n" \
			 "_.stapsdt.base: .space 1\n" \
			 ".popsection\n" \
			 ".endif\n" \
			 : : __VA_ARGS__)

/* How an argument is written where the compiler has put it: the operand's number, and its name. */
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
	return twice(round);
}

int main(int argc, char **argv)
{
	const volatile unsigned short *listened = &probed_begin_semaphore;
	int rounds = argc > 1 ? atoi(argv[1]) : 0;
	long sum = 0;

	if (argc > 2) {	/* "wait": until standard input ends */
		printf("waiting\n");
		fflush(stdout);
		while (getchar() != EOF)
			;
	}
	for (int i = 0; i < rounds; i++)
		sum += work(i, 1000 + sum) + part(i);
	PROBE("probed", "begin", "probed_begin_semaphore", "-4@%0 8@%1 -2@%0 1@%0", "r"(-1),
	      "r"(-2L));
	printf("listened %u\n", *listened);
	return 0;
}

#endif
